"""Past conversations, searched: what was said about this, the present state of it first.

Words and, where there is a model, meaning are blended by their scores: the best of each list counts 1, so that a clear
winner stays clear, which ranks alone would forget. A passage gains by what stands beside it, by the best of its talk,
and by being from the one whom the question names. In a talk something is brought up, discussed and settled, and who
asks later wants the last of these: so what a passage does in its talk counts, too. `rerank.py` says what became of it
in later talks. Nothing here is for the moment of a prompt: it is asked for, and may take its time.

Not every passage has a vector: new ones get theirs in the background, and of a long past only the newest ever do. The
others are weighed by their words, and don't stand back for it (`passage_rank.joined`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardwon.conversations import passage_rank, rerank
from hardwon.conversations.asked import SAME, Asked, by_words, is_the_same, read_question
from hardwon.conversations.passage_rank import Signs
from hardwon.conversations.rerank import Asking
from hardwon.memories.search import words
from hardwon.store.connection import Store
from hardwon.store.index import search_index
from hardwon.store.tables import passages
from hardwon.store.tables.passages import Around, Passage, Read
from hardwon.text.speech import discourse

if TYPE_CHECKING:
    from hardwon.conversations.passage_vectors import Looked
    from hardwon.memories.search.vectors import QueryVector

LOOKED_AT = 200
"""Passages that are read, of those with the words and of those with the meaning each."""
LEADING = 60
"""Of these the neighbours are looked at, too."""
SURE = 2.5
"""The odds from which on something takes the place of what was answered to the very same question."""
NEAR = 0.35
"""The cosine from which on a passage is about what is asked, also without a word of it: some passage is always the
nearest. Chosen on the sets for tuning, of whose questions hardly any lose by it."""
FAIRLY_NEAR = 0.2
"""The cosine from which on a talk is shown beside others that are about it: it may say the same in other words."""


@dataclass(frozen=True, slots=True)
class FoundPassage:
    passage: Passage
    score: float
    factors: Mapping[str, float]
    earlier: tuple[Passage, ...] = ()
    """What was said of the same before, and does not hold any more; the latest first."""


@dataclass(frozen=True, slots=True)
class Considered:
    """What a question found, before it is weighed."""

    asked: Asked
    read: dict[int, Read]
    lexical: Mapping[int, float]
    meaning: Mapping[int, float]
    blended: Mapping[int, float]
    signs: Mapping[int, Signs]
    around: Mapping[int, Around]
    """What stands beside the leading ones."""
    named: bool
    """The question names who said it."""
    looked: Looked | None = None
    """The question held against all vectors."""
    by_words: Considered | None = None
    """The same passages by their words alone, where some of them have no vector."""

    def asking(self) -> Asking:
        talks = passage_rank.talks_cover(self.read, self.asked)
        wants = rerank.of_question(self.asked.text)
        if self.looked is None:
            return Asking(self.asked.covered, talks, wants=wants)
        return Asking(self.asked.covered, talks, self.looked.near, wants)

    def weights(self, row: int) -> Mapping[str, float]:
        if self.read[row].answered:
            return passage_rank.BY_MEANING if self.meaning else passage_rank.BY_WORDS
        return passage_rank.ALONE_BY_MEANING if self.meaning else passage_rank.ALONE_BY_WORDS


def consider(store: Store, text: str, projects: Sequence[str], vector: QueryVector | None) -> Considered:
    """The passages that have the words or the meaning, those around the leading ones, and what speaks for each."""
    asked = read_question(store, text)
    lexical, looked = by_words(store, asked, projects, LOOKED_AT), _looked(store, vector, projects)
    meaning = dict(looked.nearest) if looked else {}
    blended = passage_rank.blend(lexical, meaning)
    leading = sorted(blended, key=blended.__getitem__, reverse=True)[:LEADING]
    around = {row: passages.around(store, row) for row in leading}
    beside = {other for one in around.values() for other in (*one.after, one.before) if other is not None}
    placed = {row for row, _ in looked.nearest_in_context} if looked else set()
    read = passages.by_rows(store, blended.keys() | beside | placed)
    authors = _named(store, asked, read.values())
    wanted = passage_rank.wanted(text)
    told = {row: passage_rank.told(one, wanted) if one.answered else passage_rank.alone() for row, one in read.items()}
    # Whoever is named is asked for what they said, wherever in a talk that was.
    does = {} if authors else {row: passage_rank.does(one) for row, one in read.items() if one.answered}
    either = (passage_rank.named(read, authors), told, does)

    def considered(by: Looked | None, *signs: Mapping[int, Signs], words: Considered | None = None) -> Considered:
        all_signs = {row: _together(row, (*signs, *either)) for row in read}
        found = meaning if by else {}
        return Considered(asked, read, lexical, found, blended, all_signs, around, bool(authors), by, words)

    if not looked or not meaning:
        return considered(None, passage_rank.by_words(read, lexical, asked, around))
    near = looked.near(read)
    scaled = passage_rank.scale(meaning.values())
    words = considered(None, passage_rank.by_words(read, lexical, asked, around)) if near.keys() < read.keys() else None
    # Where there is meaning, it tells better what stands beside a passage.
    signs = (passage_rank.by_words(read, lexical, asked, {}), passage_rank.by_meaning(near, around, scaled))
    return considered(looked, *signs, words=words)


def _together(row: int, several: Iterable[Mapping[int, Signs]]) -> Signs:
    return {name: sign for signs in several for name, sign in signs.get(row, {}).items()}


def weighed(one: Considered) -> dict[int, Signs]:
    """What speaks for each passage, in numbers whose sum is its score."""
    factors = {row: passage_rank.weighed(signs, one.weights(row)) for row, signs in one.signs.items()}
    if one.by_words is None:
        return factors
    seen = {row for row, signs in one.signs.items() if "near" in signs}
    return passage_rank.joined(factors, weighed(one.by_words), seen)


def search(
    store: Store, text: str, projects: Sequence[str], limit: int, *, vector: QueryVector | None = None
) -> list[FoundPassage]:
    """Best first; of two that tell the same story, the later one. What was said does not age by itself."""
    one = consider(store, text, projects, vector)
    asked, read = one.asked, one.read
    factors = weighed(one)
    answering = {row: sum(some.values()) for row, some in factors.items()}
    if asked.literal:
        factors = passage_rank.literal(factors, one.blended, asked)
    again = _asked_before(store, asked, read) & factors.keys()
    for row in again:
        factors[row]["again"] = passage_rank.AGAIN
    about = _about(read, asked, one.lexical, one.meaning)
    totals = {row: sum(some.values()) for row, some in factors.items()}
    scores = dict(sorted(totals.items(), key=lambda some: (-some[1], -read[some[0]].passage.at, some[0])))
    continued_by = _continuations(store, one, scores, answering, vector, SURE if again else 0.0)
    return [
        FoundPassage(
            read[row].passage,
            scores.get(row, 0.0),
            factors.get(row, {}),
            tuple(read[other].passage for other in earlier),
        )
        for row, earlier in current_first([row for row in scores if row in about], continued_by)[:limit]
    ]


def _continuations(
    store: Store,
    one: Considered,
    scores: Mapping[int, float],
    answering: Mapping[int, float],
    vector: QueryVector | None,
    least: float,
) -> Mapping[int, int]:
    """What became of the leading ones. Who asks what happened, or what somebody said, wants that, whatever became of
    it; and who looks for words, only what has them."""
    if one.named or discourse.asks_what_was(one.asked.text):
        return {}
    found = rerank.continuations(store, scores, answering, one.read, vector, one.asking(), least)
    if not one.asked.literal:
        return found
    return {earlier: later for earlier, later in found.items() if later in one.asked.itself}


def current_first(ranked: Sequence[int], continued_by: Mapping[int, int]) -> list[tuple[int, tuple[int, ...]]]:
    """In order, but each after what continues it; with what each continues, the latest of it first. Nothing is merged:
    the earlier ones stay, as history behind the later one."""
    history: dict[int, list[int]] = {}
    for row in ranked:
        for later in _line(row, continued_by):
            history.setdefault(later, []).append(row)
    placed = dict.fromkeys(one for row in ranked for one in (*reversed(_line(row, continued_by)), row))
    steps = {row: len(_line(row, continued_by)) for row in placed}
    return [(row, tuple(sorted(history.get(row, ()), key=steps.__getitem__))) for row in placed]


def _line(row: int, continued_by: Mapping[int, int]) -> list[int]:
    """What continues it, what continues that, and so on."""
    line: list[int] = []
    while row in continued_by and continued_by[row] not in line and len(line) < rerank.LONGEST:
        row = continued_by[row]
        line.append(row)
    return line


def _about(
    read: Mapping[int, Read], asked: Asked, lexical: Mapping[int, float], meaning: Mapping[int, float]
) -> set[int]:
    """The passages of talks that are about what is asked: they have a word of it, or come near to it. Where a word or
    two are looked for and stand somewhere, only what has them; where nothing is about it at all, nothing."""
    if asked.literal and (having := {row for row in read if asked.covered.get(row) or row in lexical}):
        return having
    near = lexical.keys() | {row for row, cosine in meaning.items() if cosine >= NEAR}
    if near:
        near |= {row for row, cosine in meaning.items() if cosine >= FAIRLY_NEAR}
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


def _looked(store: Store, vector: QueryVector | None, projects: Sequence[str]) -> Looked | None:
    if vector is None:
        return None
    from hardwon.conversations import passage_vectors  # numpy, which a search by words does without

    return passage_vectors.look(store, vector, projects, LOOKED_AT)
