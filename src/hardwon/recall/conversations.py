"""Past conversations, searched: what was said about this, the present state of it first.

Words and, where there is a model, meaning are blended by their scores: the best of each list counts 1, so that a clear
winner stays clear, which ranks alone would forget. A passage gains by what stands beside it, by the best of its talk,
and by being from the one whom the question names. In a talk something is brought up, discussed and settled, and who
asks later wants the last of these: so what a passage does in its talk counts, too. Nothing here is for the moment of a
prompt: it is asked for, and may take its time.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardwon.recall import lines, passage_lines
from hardwon.recall.asked import Asked, by_words, read_question
from hardwon.store import passages
from hardwon.store.connection import Store
from hardwon.store.passages import Around, Passage, Read
from hardwon.understand import speech

if TYPE_CHECKING:
    from hardwon.recall.vectors import QueryVector

LOOKED_AT = 200
"""Passages that are read, of those with the words and of those with the meaning each."""
LEADING = 60
"""Of these the neighbours are looked at, too."""
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
OPENS = 0.08
"""Less for a prompt that brings something up: what came of it stands further on."""
ASKS = 0.4
"""Less for one that only asks: who asks the same question wants what was answered."""
CURT, CURT_WORDS = 0.12, 4
"""Less for "ok, do it"."""
SETTLES, CHANGES, REASON = 0.2, 0.1, 0.2
"""For how something is done from now on, for what has changed, for a reason where one is asked for."""
SIGN = 30
"""Words of a passage in which such signs count: in a longer one they stand by chance, and count by as much less."""
NAMED = 0.65
"""For who is named in the question."""


@dataclass(frozen=True, slots=True)
class FoundPassage:
    passage: Passage
    score: float
    factors: Mapping[str, float]
    earlier: tuple[Passage, ...] = ()
    """What was said of the same before, and does not hold any more; the latest first."""


def search(
    store: Store, text: str, projects: Sequence[str], now: int, limit: int, *, vector: object | None = None
) -> list[FoundPassage]:
    """Best first; of two that tell the same story, the later one."""
    del now  # what was said does not age; what was said later about the same does count
    asked = read_question(store, text)
    blended = blend(by_words(store, asked, projects, LOOKED_AT), _by_meaning(store, vector, projects))
    leading = sorted(blended, key=blended.__getitem__, reverse=True)[:LEADING]
    beside = _beside(blended, {row: passages.around(store, row) for row in leading})
    read = passages.by_rows(store, blended.keys() | beside.keys())
    replies = [row for row, one in read.items() if one.replies]
    factors = _factors(read, _fit(blended, _together(store, vector, replies)), blended, beside, asked)
    totals = {row: sum(factors[row].values()) for row in read}
    scores = dict(sorted(totals.items(), key=lambda one: (-one[1], -read[one[0]].passage.at, one[0])))
    # Who asks what happened wants that, whatever became of it.
    continued_by = {} if speech.asks_what_was(text) else passage_lines.found(store, scores, read, vector)
    return [
        FoundPassage(
            read[row].passage,
            scores.get(row, 0.0),
            factors.get(row, {}),
            tuple(read[other].passage for other in earlier),
        )
        for row, earlier in lines.current_first(list(scores), continued_by)[:limit]
    ]


def _by_meaning(store: Store, vector: object | None, projects: Sequence[str]) -> dict[int, float]:
    if vector is None:
        return {}
    from hardwon.recall import passage_vectors  # numpy, which a search by words does without

    return dict(passage_vectors.nearest(store, _query(vector), projects, LOOKED_AT))


def _together(store: Store, vector: object | None, rows: Iterable[int]) -> dict[int, float]:
    """By the meaning of each with what stood before it."""
    if vector is None:
        return {}
    from hardwon.recall import passage_vectors

    return passage_vectors.together(store, _query(vector), rows)


def _query(vector: object) -> QueryVector:
    from hardwon.recall.vectors import QueryVector

    if not isinstance(vector, QueryVector):
        raise TypeError(f"a QueryVector is wanted, not a {type(vector).__name__}: `vectors.query_vector` makes one")
    return vector


def _fit(blended: Mapping[int, float], together: Mapping[int, float]) -> dict[int, float]:
    """A passage by itself and, where it replies to somebody, with what it answers, half and half."""
    values = sorted(together.values(), reverse=True)[:LOOKED_AT]
    low, high = (values[-1], values[0]) if values else (0.0, 0.0)
    span = (high - low) or 1.0
    replies = {row: 0.5 * blended.get(row, 0.0) + 0.5 * max(0.0, one - low) / span for row, one in together.items()}
    return {**blended, **replies}


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


def _beside(blended: Mapping[int, float], around: Mapping[int, Around]) -> dict[int, float]:
    """What each passage gains by the leading ones around it."""
    led: dict[int, float] = defaultdict(float)
    leads: dict[int, float] = {}
    for row, place in around.items():
        for other in place.after:
            led[other] = max(led[other], blended[row])
        if place.before is not None:
            leads[place.before] = blended[row]
    return {row: LED_TO * led.get(row, 0.0) + LEADS_TO * leads.get(row, 0.0) for row in led.keys() | leads.keys()}


def _factors(
    read: Mapping[int, Read],
    fit: Mapping[int, float],
    blended: Mapping[int, float],
    beside: Mapping[int, float],
    asked: Asked,
) -> dict[int, dict[str, float]]:
    sessions = _sessions(read, blended)
    why = speech.wants_reason(asked.text)
    return {
        row: {
            "fit": fit.get(row, 0.0),
            "covers": COVERS * asked.covered.get(row, 0.0),
            "beside": beside.get(row, 0.0),
            "session": SESSION * sessions[one.passage.host, one.passage.session],
            "named": NAMED if one.passage.author and _is_named(one.passage.author, asked.stems) else 0.0,
            "said": _said(one, why),
        }
        for row, one in read.items()
    }


def _said(one: Read, why: bool) -> float:
    """For and against a passage by what it does in its talk."""
    text = one.passage.text
    size = passages.length(text)
    sign = min(1.0, SIGN / size) if size else 1.0
    told = LENGTH * math.log1p(min(size, LONG)) / math.log1p(LONG) - CURT * (size < CURT_WORDS)
    if speech.is_question(text):
        return told - ASKS * sign
    told += sign * (SETTLES * speech.settles(text) + CHANGES * speech.tells_change(text))
    told += sign * REASON * (why and speech.gives_reason(text))
    if one.passage.role != "user":
        return told
    if not speech.follows_up(text, f"{one.earlier}\n{one.before}".strip()):
        return told - OPENS
    return told + DECIDES * (size >= CURT_WORDS)


def _sessions(read: Mapping[int, Read], blended: Mapping[int, float]) -> dict[tuple[str, str], float]:
    """How well each session fits: its best passage."""
    best: dict[tuple[str, str], float] = defaultdict(float)
    for row, one in read.items():
        session = (one.passage.host, one.passage.session)
        best[session] = max(best[session], blended.get(row, 0.0))
    return best


def _is_named(author: str, asked: frozenset[str]) -> bool:
    return author.lower() in asked or author.lower().rstrip("aeiouy") in {word.rstrip("aeiouy") for word in asked}


def with_history(found: Sequence[FoundPassage]) -> list[FoundPassage]:
    """Without those that another one, further up, shows as its history."""
    shown: set[int] = set()
    kept = []
    for one in found:
        if one.passage.row in shown:
            continue
        shown |= {earlier.row for earlier in one.earlier}
        kept.append(one)
    return kept
