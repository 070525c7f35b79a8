"""The rank of a passage of a past conversation: what speaks for it and against it, each in numbers, by pure functions.

In a talk something is brought up, discussed and settled, and who asks later wants the last of these: so what a passage
does in its talk counts beside how well it fits. `python -m bench recall-parts` says what each number is worth.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Mapping

from hardwon.recall.asked import Asked
from hardwon.store import passages
from hardwon.store.passages import Around, Read
from hardwon.understand import speech

MEANING = 0.5
"""The share of the vectors in the blend."""
COVERS = 0.65
"""For the words of the question that a passage has, together with what it answers, by their weight."""
LED_TO, LEADS_TO = 0.42, 0.3
"""Of the best score among the three before it, which led to it, and of the next."""
SESSION = 0.75
"""Of the best score in its session."""
LENGTH, LONG = 0.8, 25
"""For words, up to so many: a longer passage tells more."""
DECIDES = 0.3
"""For a prompt that goes on with what was said and asks nothing: there the person says how it shall be."""
BEGINS = 0.2
"""Less for what a talk begins with, if it goes on: there something is brought up and looked at; what came of it stands
further on."""
ASKS = 0.4
"""Less for one that only asks: who asks the same question wants what was answered."""
CURT, CURT_WORDS = 0.12, 4
"""Less for "ok, do it"."""
SETTLES, CHANGES, REASON = 0.2, 0.1, 0.2
"""For how something is done from now on, for what has changed, for a reason where one is asked for."""
CAUSE = 0.15
"""For a passage that opens with the cause, where one is asked for."""
SIGN = 30
"""Words of a passage in which such signs count: in a longer one they stand by chance, and count by as much less."""
NAMED = 0.65
"""For who is named in the question."""
AGAIN = 0.7
"""For a prompt that asked the same in the same words, and for what was answered."""
ITSELF, BESIDES = 1.0, 0.2
"""Where words are looked for as they are: for having them itself, and how much of what else speaks for a passage."""


def blend(lexical: Mapping[int, float], meaning: Mapping[int, float], share: float = MEANING) -> dict[int, float]:
    """Words as a part of the best, meaning between the worst and the best of those that were found."""
    best = max(lexical.values(), default=0.0) or 1.0
    if not meaning:
        return {row: score / best for row, score in lexical.items()}
    low, high = min(meaning.values()), max(meaning.values())
    span = (high - low) or 1.0
    return {
        row: (1 - share) * lexical.get(row, 0.0) / best + share * (meaning.get(row, low) - low) / span
        for row in lexical.keys() | meaning.keys()
    }


def fit(blended: Mapping[int, float], together: Mapping[int, float], most: int) -> dict[int, float]:
    """A passage by itself and, where it replies to somebody, with what it answers, half and half."""
    values = sorted(together.values(), reverse=True)[:most]
    low, high = (values[-1], values[0]) if values else (0.0, 0.0)
    span = (high - low) or 1.0
    replies = {row: 0.5 * blended.get(row, 0.0) + 0.5 * max(0.0, one - low) / span for row, one in together.items()}
    return {**blended, **replies}


def beside(blended: Mapping[int, float], around: Mapping[int, Around]) -> dict[int, float]:
    """What each passage gains by the leading ones around it."""
    led: dict[int, float] = defaultdict(float)
    leads: dict[int, float] = {}
    for row, place in around.items():
        for other in place.after:
            led[other] = max(led[other], blended[row])
        if place.before is not None:
            leads[place.before] = blended[row]
    return {row: LED_TO * led.get(row, 0.0) + LEADS_TO * leads.get(row, 0.0) for row in led.keys() | leads.keys()}


def factors(
    read: Mapping[int, Read],
    fits: Mapping[int, float],
    blended: Mapping[int, float],
    gained: Mapping[int, float],
    asked: Asked,
    named: Collection[str] = (),
) -> dict[int, dict[str, float]]:
    """What speaks for each passage as an answer to a question; `named` are the authors whom that names."""
    fitting = sessions(read, blended)
    why = speech.wants_reason(asked.text)
    return {
        row: {
            "fit": fits.get(row, 0.0),
            "covers": COVERS * asked.covered.get(row, 0.0),
            "beside": gained.get(row, 0.0),
            "session": SESSION * fitting[one.passage.host, one.passage.session],
            "named": NAMED if one.passage.author in named else 0.0,
            "said": said(one, why),
        }
        for row, one in read.items()
    }


def literal(factors: Mapping[int, Mapping[str, float]], asked: Asked) -> dict[int, dict[str, float]]:
    """The same where words are looked for: what has them comes first, and not what was made of it in the end."""
    return {
        row: {
            "fit": one["fit"],
            "covers": ITSELF * asked.itself.get(row, 0.0),
            "session": BESIDES * one["session"],
            "named": one["named"],
            "said": BESIDES * one["said"],
        }
        for row, one in factors.items()
    }


def said(one: Read, why: bool) -> float:
    """For and against a passage by what it does in its talk."""
    text = one.passage.text
    size = passages.length(text)
    sign = min(1.0, SIGN / size) if size else 1.0
    told = LENGTH * math.log1p(min(size, LONG)) / math.log1p(LONG) - CURT * (size < CURT_WORDS) - BEGINS * one.begins
    if speech.is_question(text):
        return told - ASKS * sign
    told += sign * (SETTLES * speech.settles(text) + CHANGES * speech.tells_change(text))
    if why:
        told += sign * REASON * speech.gives_reason(text) + CAUSE * speech.opens_with_cause(text)
    goes_on = one.passage.role == "user" and speech.follows_up(text, f"{one.earlier}\n{one.before}".strip())
    return told + DECIDES * (goes_on and size >= CURT_WORDS)


def sessions(read: Mapping[int, Read], blended: Mapping[int, float]) -> dict[tuple[str, str], float]:
    """How well each session fits: its best passage."""
    best: dict[tuple[str, str], float] = defaultdict(float)
    for row, one in read.items():
        session = (one.passage.host, one.passage.session)
        best[session] = max(best[session], blended.get(row, 0.0))
    return best
