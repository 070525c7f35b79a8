"""Past conversations, searched: what was said about this, the present state of it first.

Words and, where there is a model, meaning are blended by their scores: the best of each list counts 1, so that a clear
winner stays clear, which ranks alone would forget. A passage gains by what stands beside it, by the best of its talk,
and by being from the one whom the question names. In a talk something is brought up, discussed and settled, and who
asks later wants the last of these: so what a passage does in its talk counts, too. Nothing here is for the moment of a
prompt: it is asked for, and may take its time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardwon.recall import lines, passage_lines, passage_rank, words
from hardwon.recall.asked import SAME, Asked, by_words, is_the_same, read_question
from hardwon.store import passages, search_index
from hardwon.store.connection import Store
from hardwon.store.passages import Passage, Read
from hardwon.understand import speech

if TYPE_CHECKING:
    from hardwon.recall.vectors import QueryVector

LOOKED_AT = 200
"""Passages that are read, of those with the words and of those with the meaning each."""
LEADING = 60
"""Of these the neighbours are looked at, too."""
NEAR = 0.35
"""The cosine from which on a passage is about what is asked, also without a word of it: some passage is always the
nearest. Chosen on the sets for tuning, of whose questions hardly any lose by it."""


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
    lexical, meaning = by_words(store, asked, projects, LOOKED_AT), _by_meaning(store, vector, projects)
    blended = passage_rank.blend(lexical, meaning)
    leading = sorted(blended, key=blended.__getitem__, reverse=True)[:LEADING]
    beside = passage_rank.beside(blended, {row: passages.around(store, row) for row in leading})
    read = passages.by_rows(store, blended.keys() | beside.keys())
    replies = [row for row, one in read.items() if one.replies]
    fits = passage_rank.fit(blended, _together(store, vector, replies), LOOKED_AT)
    factors = passage_rank.factors(read, fits, blended, beside, asked, _named(store, asked, read.values()))
    answering = {row: sum(one.values()) for row, one in factors.items()}
    if asked.literal:
        factors = passage_rank.literal(factors, asked)
    for row in _asked_before(store, asked, read) & factors.keys():
        factors[row]["again"] = passage_rank.AGAIN
    about = _about(read, asked, lexical, meaning)
    totals = {row: sum(one.values()) for row, one in factors.items()}
    scores = dict(sorted(totals.items(), key=lambda one: (-one[1], -read[one[0]].passage.at, one[0])))
    # Who asks what happened wants that, whatever became of it.
    was = speech.asks_what_was(text)
    continued_by = {} if was else passage_lines.found(store, list(scores), answering, read, vector)
    if asked.literal:
        continued_by = {earlier: later for earlier, later in continued_by.items() if later in asked.itself}
    return [
        FoundPassage(
            read[row].passage,
            scores.get(row, 0.0),
            factors.get(row, {}),
            tuple(read[other].passage for other in earlier),
        )
        for row, earlier in lines.current_first([row for row in scores if row in about], continued_by)[:limit]
    ]


def _about(
    read: Mapping[int, Read], asked: Asked, lexical: Mapping[int, float], meaning: Mapping[int, float]
) -> set[int]:
    """The passages of talks that are about what is asked: they have a word of it, or come near to it. Where a word or
    two are looked for and stand somewhere, only what has them."""
    if asked.literal and (having := {row for row in read if asked.covered.get(row) or row in lexical}):
        return having
    near = lexical.keys() | {row for row, cosine in meaning.items() if cosine >= NEAR}
    talks = {(read[row].passage.host, read[row].passage.session) for row in near & read.keys()}
    return {row for row, one in read.items() if (one.passage.host, one.passage.session) in talks}


def _named(store: Store, asked: Asked, read: Iterable[Read]) -> set[str]:
    """The authors whom the question names, each with all words of what it is called: the code reviewer."""
    authors = {one.passage.author for one in read} - {""}
    return {author for author in authors if asked.stems.issuperset(search_index.stems(store, author))}


def _asked_before(store: Store, asked: Asked, read: Mapping[int, Read]) -> set[int]:
    """The prompts that asked the same, in a question's words, with the answers to them."""
    same = {
        row
        for row, one in read.items()
        if one.passage.role == "user"
        and (covered := asked.itself.get(row, 0.0)) >= SAME  # which spares cutting the others into words
        and is_the_same(asked.stems, words.telling(store, one.indexed), covered)
    }
    return same | set(passages.partners(store, same).values())


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
