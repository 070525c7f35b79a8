"""When an agent is reminded to mark what a person says: by cheap signs of the turn, never by what it would mean.

The signs decide only whether one line is said; what is kept, and whether anything is, the agent says. So a wrong guess
costs a line and keeps nothing. The bound is set so that of real sessions which hold nothing one in twenty is reminded.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from hardwon.text.speech import plain
from hardwon.text.speech.blocks import Hand, sentences

MOST = 3
"""In a session."""
ENOUGH = 3
SHORT = 80
"""Characters of a prompt that says no to what was just done."""
LONGEST = 600
"""Characters of a prompt: longer ones hold something more often, and are plain requests more often, too."""
LINE = (
    "`mark` keeps what the user says that holds beyond this task (a rule, a decision, a constraint, work for later), "
    "with their words as `quote`; it goes beside the next call."
)


@dataclass(frozen=True, slots=True)
class Turn:
    """What is known when a prompt comes."""

    text: str
    acted: bool = False
    """The agent did something just before."""


def reminds(turn: Turn) -> bool:
    own = [one.text for one in sentences(turn.text[: LONGEST * 4]) if one.hand is Hand.OWN]
    text = " ".join(own)
    if not text or len(text) > LONGEST:
        return False
    if any(plain.is_plain(one) for one in own):
        return True
    return _score(text, turn) >= ENOUGH


def surest(turn: Turn) -> str:
    """The sentence for which a reminder was given: what waits in the review when nobody marked it."""
    own = [one.text for one in sentences(turn.text[: LONGEST * 4]) if one.hand is Hand.OWN]
    return max(own, key=lambda one: (_score(one, turn), -len(one)), default="")


def _score(text: str, turn: Turn) -> int:
    score = sum(weight for pattern, weight in _SIGNS if pattern.search(text))
    return score + (turn.acted and len(text) < SHORT and _TURNS.match(text) is not None)


_TURNS = re.compile(r"(?i)(?:no+|nope|nah|stop|wrong|dude|why did you|不|别|別|違|いや|non|nein|нет|ne)\b|[不别別違]")
_SIGNS: tuple[tuple[re.Pattern[str], int], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), weight)
    for pattern, weight in (
        (r"\b(?:instead of|rather than|not any ?more|no longer)\b|而不是|ではなく|じゃなくて|en vez de|statt", 2),
        (r"\bwe (?:don'?t|never|always|only|agreed|decided|stick|stay|use|keep|are going|need no)\b", 2),
        (r"\b(?:must not|mustn'?t|must never|do not ever|not allowed|is out|off limits|no need for)\b", 2),
        (r"\b(?:todo|later on|for later|another time|next session|when we are done)\b|之后再|以后再|あとで", 2),
        (r"\b(?:in this (?:repo|project|codebase)|everywhere|each time|every time|for all)\b|这个项目|所有", 1),
        (r"\b(?:please )?(?:don'?t|do not|dont|stop)\b|不要|别|別|しないで|no quiero", 1),
        (r"\b(?:only|must|has to|prefer|i want|i like|it is)\b|必须|只能|只有|だけ", 1),
    )
)
