"""When what is said at a moment reaches the model: at once, or only with the result of the call that it precedes.

Seen with the real clients. A note before a call can't change that call any more; only a denial comes before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from hardwon.clients.claude_code import messages as claude_code
from hardwon.event import Moment


class Reaches(StrEnum):
    AT_ONCE = "at once"
    """Together with what it answers: the start, the prompt, the result that has just come."""
    WITH_RESULT = "with the result"
    """Of the call that it precedes: so it counts from the next call on."""


DELIVERY: Mapping[str, Mapping[Moment, Reaches]] = {
    claude_code.NAME: {
        Moment.SESSION_START: Reaches.AT_ONCE,
        Moment.AFTER_COMPACTION: Reaches.AT_ONCE,
        Moment.PROMPT: Reaches.AT_ONCE,
        Moment.SKILL: Reaches.AT_ONCE,
        Moment.AFTER_FAILURE: Reaches.AT_ONCE,
        Moment.BEFORE_ACTION: Reaches.WITH_RESULT,
    },
}
"""By client. One that is not here is not spoken to: it has no hooks of ours."""


def reaches(client: str, moment: Moment) -> Reaches | None:
    """None for a client that nothing is said to."""
    return DELIVERY.get(client, {}).get(moment)
