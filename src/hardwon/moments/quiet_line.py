"""One quiet line for the person: that the agent was told something, and what it began with.

Only where a client shows such a line beside its own (`systemMessage` of Claude Code); the model never gets it.
"""

from __future__ import annotations

from hardwon.event import Heard
from hardwon.moments.answered import Answer
from hardwon.render.plain import one_line

WIDTH = 60
"""Characters of what was said first; it stays one line in a narrow window."""


def line(told: Heard, said: Answer) -> str:
    """Empty where nothing was said; a call that was stopped is shown by the client itself, and a sub-agent's moments
    are not the person's."""
    if not said.said or not said.reply.text or (told.events and told.events[-1].agent):
        return ""
    first = one_line(said.said[0].ranked.memory.headline, WIDTH)
    more = f" and {len(said.said) - 1} more" if len(said.said) > 1 else ""
    return f"hardwon told the agent: {first}{more} ({said.tokens} tokens)"
