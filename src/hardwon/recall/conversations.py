"""Past conversations, searched: what was said about this, the present state of it first.

Words and, where there is a model, meaning are blended by their scores: the best of each list counts 1, so that a clear
winner stays clear, which ranks alone would forget. A passage gains by what stands beside it, by how well its whole
session fits, and by being from the one whom the question names; one that settles something goes before one that only
asks. Nothing here is for the moment of a prompt: it is asked for, and may take its time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hardwon.recall import lines, passage_lines, words
from hardwon.store import passages
from hardwon.store.connection import Store
from hardwon.store.passages import Around, Passage, Read
from hardwon.understand import speech

LOOKED_AT = 200
"""Passages that are read, of those with the words and of those with the meaning each."""
LEADING = 60
"""Of these the neighbours are looked at, too."""
MOST_POSTINGS = 20_000
PROBE = 5_000
"""A word that stands in more passages is not searched for."""

MEANING = 0.5
"""The share of the vectors in the blend."""
ANSWERS, SETTLES_IT, LEADS_TO = 0.1, 0.3, 0.1
"""Of the score of the one before, of the one before that (what follows an answer is what came of it), of the next."""
SESSION = 0.3
"""Of its session's score, the mean of the best three."""
ASKS = 0.3
"""Less for one that only asks: who asks the same question wants what was answered."""
CURT, CURT_WORDS = 0.4, 4
"""Less for "ok, do it"."""
SETTLES, REASON = 0.1, 0.1
"""For how something is done from now on, for a reason where one is asked for."""
NAMED = 0.5
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
    telling = words.telling(store, text)
    asked = _affordable(store, telling)
    lexical = {hit.row: hit.bm25 for hit in passages.best(store, asked, projects, LOOKED_AT)} if asked else {}
    blended = blend(lexical, _by_meaning(store, vector, projects))
    leading = sorted(blended, key=blended.__getitem__, reverse=True)[:LEADING]
    near = _near(blended, {row: passages.around(store, row) for row in leading})
    read = passages.by_rows(store, blended.keys() | near.keys())
    factors = _factors(read, blended, near, text, set(telling))
    scores = {row: sum(factors[row].values()) for row in read}
    ranked = sorted(scores, key=lambda row: (-scores[row], -read[row].passage.at, row))
    # Who asks what happened wants that, whatever became of it.
    continued_by = {} if speech.asks_what_was(text) else passage_lines.found(store, ranked, read, vector)
    return [
        FoundPassage(
            read[row].passage,
            scores.get(row, 0.0),
            factors.get(row, {}),
            tuple(read[other].passage for other in earlier),
        )
        for row, earlier in lines.current_first(ranked, continued_by)[:limit]
    ]


def _affordable(store: Store, telling: Mapping[str, str]) -> list[str]:
    """The words that are searched for: those that stand in few passages."""
    frequencies = {stem: passages.rows_with(store, word, PROBE + 1) for stem, word in telling.items()}
    rare = words.affordable({stem: df for stem, df in frequencies.items() if df <= PROBE}, MOST_POSTINGS)
    return [telling[stem] for stem in rare]


def _by_meaning(store: Store, vector: object | None, projects: Sequence[str]) -> dict[int, float]:
    if vector is None:
        return {}
    from hardwon.recall import passage_vectors  # numpy, which a search by words does without
    from hardwon.recall.vectors import QueryVector

    if not isinstance(vector, QueryVector):
        raise TypeError(f"a QueryVector is wanted, not a {type(vector).__name__}: `vectors.query_vector` makes one")
    return dict(passage_vectors.nearest(store, vector, projects, LOOKED_AT))


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


def _near(blended: Mapping[int, float], around: Mapping[int, Around]) -> dict[int, float]:
    """What each passage gains by the leading ones around it."""
    near: dict[int, float] = defaultdict(float)
    for row, place in around.items():
        for other, share in ((place.after, ANSWERS), (place.next, SETTLES_IT), (place.before, LEADS_TO)):
            if other is not None:
                near[other] += share * blended[row]
    return near


def _factors(
    read: Mapping[int, Read], blended: Mapping[int, float], near: Mapping[int, float], text: str, asked: set[str]
) -> dict[int, dict[str, float]]:
    sessions = _sessions(read, blended)
    why = speech.wants_reason(text)
    return {
        row: {
            "fit": blended.get(row, 0.0),
            "beside": near.get(row, 0.0),
            "session": SESSION * sessions[one.passage.host, one.passage.session],
            "named": NAMED if one.passage.author and _is_named(one.passage.author, asked) else 0.0,
            "said": _said(one.passage.text, why),
        }
        for row, one in read.items()
    }


def _said(text: str, why: bool) -> float:
    """For and against a passage by what it does."""
    found = SETTLES * speech.settles(text) - ASKS * speech.is_question(text)
    return found + REASON * (why and speech.gives_reason(text)) - CURT * (passages.length(text) < CURT_WORDS)


def _sessions(read: Mapping[int, Read], blended: Mapping[int, float]) -> dict[tuple[str, str], float]:
    """How well each session fits: its three best, against the best session."""
    scores: dict[tuple[str, str], list[float]] = defaultdict(list)
    for row, one in read.items():
        scores[one.passage.host, one.passage.session].append(blended.get(row, 0.0))
    means = {one: sum(sorted(all_, reverse=True)[:3]) / 3 for one, all_ in scores.items()}
    best = max(means.values(), default=0.0) or 1.0
    return {one: mean / best for one, mean in means.items()}


def _is_named(author: str, asked: set[str]) -> bool:
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
