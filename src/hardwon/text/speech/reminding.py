"""When an agent is reminded to mark what a person says: by cheap signs of the turn, never by what it would mean.

The signs decide only whether one line is said; what is kept, and whether anything is, the agent says. So a wrong guess
costs a line and keeps nothing. Words alone are not enough but for the plainest: people say "we don't" of code all day.
What happened must speak for it, too: a call was refused just before, the same was asked before, a short no to what was
just done. In real sessions one in fifty is reminded (`python -m bench speech --reminders`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from hardwon.text.speech import plain, quotes
from hardwon.text.speech.blocks import Hand, sentences

MOST = 3
"""In a session."""
MUCH, ENOUGH = 4, 2
"""Of the words alone, and where what happened speaks for it, too."""
SHORT = 80
"""Characters of a prompt that says no to what was just done."""
LONGEST = 600
"""Characters of a prompt: longer ones hold something more often, and are plain requests more often, too."""
LEAST_SHARED = 3
"""Telling words that two askings have in common."""
LOOKED_AT = 20
"""Prompts of before."""
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
    refused: bool = False
    """The person stopped a call since their last prompt."""
    before: Sequence[str] = ()
    """What they asked for before in this session."""


def reminds(turn: Turn) -> bool:
    own = [one.text for one in sentences(turn.text[: LONGEST * 4]) if one.hand is Hand.OWN]
    text = " ".join(own)
    if not text or len(text) > LONGEST:
        return False
    if any(plain.is_plain(one) for one in own):
        return True
    score = _score(text)
    return score >= MUCH or (score >= ENOUGH and _is_pressed(text, turn))


def _is_pressed(text: str, turn: Turn) -> bool:
    says_no = turn.acted and len(text) < SHORT and _TURNS.match(text) is not None
    return turn.refused or says_no or any(_is_again(text, one) for one in turn.before)


def _is_again(text: str, before: str) -> bool:
    """The same was asked, in near-equal words."""
    words, others = quotes.telling(text), quotes.telling(before)
    shared = words & others
    return len(shared) >= LEAST_SHARED and len(shared) >= 0.6 * min(len(words), len(others))


def surest(turn: Turn) -> str:
    """The sentence for which a reminder was given: what waits in the review when nobody marked it."""
    own = [one.text for one in sentences(turn.text[: LONGEST * 4]) if one.hand is Hand.OWN]
    return max(own, key=lambda one: (plain.is_plain(one), _score(one), -len(one)), default="")


def _score(text: str) -> int:
    """Each place counts for one sign, its strongest: "we don't" is no wish twice over."""
    score, taken = 0, list[tuple[int, int]]()
    for pattern, weight in _SIGNS:
        places = ((match.start(), match.end()) for match in pattern.finditer(text))
        if new := next(
            (one for one in places if not any(one[0] < end and start < one[1] for start, end in taken)), None
        ):
            taken.append(new)
            score += weight
    return score


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
