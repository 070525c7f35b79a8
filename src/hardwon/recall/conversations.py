"""Past conversations, searched: what was said about this, the present state of it first.

Words and, where there is a model, meaning are blended by their scores: the best of each list counts 1, so that a clear
winner stays clear, which ranks alone would forget. A passage gains by what stands beside it, by the best of its talk,
and by being from the one whom the question names. In a talk something is brought up, discussed and settled, and who
asks later wants the last of these: so what a passage does in its talk counts, too. Nothing here is for the moment of a
prompt: it is asked for, and may take its time. `closer_look.py` judges what leads by all its signs together.

Not every passage has a vector: new ones get theirs in the background, and of a long past only the newest ever do. The
others are weighed by their words, and don't stand back for it (`passage_rank.joined`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardwon.recall import closer_look, lines, passage_lines, passage_rank, words
from hardwon.recall.asked import SAME, Asked, by_words, is_the_same, read_question
from hardwon.recall.passage_lines import Asking, Lines
from hardwon.recall.passage_rank import Signs
from hardwon.store import passages, search_index
from hardwon.store.connection import Store
from hardwon.store.passages import Around, Passage, Read
from hardwon.understand import speech

if TYPE_CHECKING:
    from hardwon.recall.passage_vectors import Looked
    from hardwon.recall.vectors import QueryVector

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
    perhaps_since: Passage | None = None
    """What was said later, and may be of the same: whoever reads both will see."""


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
        wants = closer_look.of_question(self.asked.text)
        if self.looked is None:
            return Asking(self.asked.covered, talks, wants=wants)
        return Asking(self.asked.covered, talks, self.looked.near, wants)

    def weights(self, row: int) -> Mapping[str, float]:
        if self.read[row].answered:
            return passage_rank.BY_MEANING if self.meaning else passage_rank.BY_WORDS
        return passage_rank.ALONE_BY_MEANING if self.meaning else passage_rank.ALONE_BY_WORDS


def consider(store: Store, text: str, projects: Sequence[str], vector: object | None) -> Considered:
    """The passages that have the words or the meaning, those around the leading ones, and what speaks for each."""
    asked = read_question(store, text)
    lexical, looked = by_words(store, asked, projects, LOOKED_AT), _looked(store, vector, projects)
    meaning = dict(looked.nearest) if looked else {}
    blended = passage_rank.blend(lexical, meaning)
    leading = sorted(blended, key=blended.__getitem__, reverse=True)[:LEADING]
    around = {row: passages.around(store, row) for row in leading}
    beside = {other for one in around.values() for other in (*one.after, one.before) if other is not None}
    placed = dict(looked.nearest_in_context) if looked else {}
    read = passages.by_rows(store, blended.keys() | beside | placed.keys())
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
    scales = (passage_rank.scale(some.values()) for some in (meaning, placed))
    words = considered(None, passage_rank.by_words(read, lexical, asked, around)) if near.keys() < read.keys() else None
    # Where there is meaning, it tells better what stands beside a passage.
    signs = (passage_rank.by_words(read, lexical, asked, {}), passage_rank.by_meaning(near, around, *scales))
    return considered(looked, *signs, words=words)


def _together(row: int, several: Iterable[Mapping[int, Signs]]) -> Signs:
    return {name: sign for signs in several for name, sign in signs.get(row, {}).items()}


def weighed(store: Store, text: str, one: Considered) -> dict[int, Signs]:
    """What speaks for each passage, in numbers whose sum is its score."""
    factors = _weighed(store, text, one)
    if one.by_words is None:
        return factors
    seen = {row for row, signs in one.signs.items() if "near" in signs}
    return passage_rank.joined(factors, _weighed(store, text, one.by_words), seen)


def _weighed(store: Store, text: str, one: Considered) -> dict[int, Signs]:
    factors = {row: passage_rank.weighed(signs, one.weights(row)) for row, signs in one.signs.items()}
    first = {row: sum(some.values()) for row, some in factors.items() if one.read[row].answered}
    # Who looks for words, or for what somebody said, does not ask what was settled.
    if one.named or one.asked.literal:
        return factors
    by = closer_look.judge_of(by_meaning=bool(one.meaning))
    for row, more in closer_look.corrected(closer(store, text, one, first), first, by).items():
        factors[row]["closer look"] = more
    return factors


def closer(store: Store, text: str, one: Considered, first: Mapping[int, float]) -> dict[int, Signs]:
    """All signs of the passages that lead by their first score."""
    leading = sorted(first, key=lambda row: (-first[row], -one.read[row].passage.at, row))[: closer_look.JUDGED]
    beside = {row: one.around[row] if row in one.around else passages.around(store, row) for row in leading}
    after = {row: some.after[0] for row, some in beside.items() if some.after}
    read = one.read | passages.by_rows(store, set(after.values()) - one.read.keys())
    asked = closer_look.of_question(text)
    return {
        row: one.signs[row]
        | asked
        # What came after it may be gone meanwhile: nothing keeps others from forgetting during a search.
        | closer_look.of_passage(one.read[row], read[after[row]].passage.text if after.get(row) in read else "")
        | closer_look.beside_others(one.signs[row])
        for row in leading
    }


def search(
    store: Store, text: str, projects: Sequence[str], now: int, limit: int, *, vector: object | None = None
) -> list[FoundPassage]:
    """Best first; of two that tell the same story, the later one."""
    del now  # what was said does not age; what was said later about the same does count
    one = consider(store, text, projects, vector)
    asked, read = one.asked, one.read
    factors = weighed(store, text, one)
    answering = {row: sum(some.values()) for row, some in factors.items()}
    if asked.literal:
        factors = passage_rank.literal(factors, one.blended, asked)
    again = _asked_before(store, asked, read) & factors.keys()
    for row in again:
        factors[row]["again"] = passage_rank.AGAIN
    about = _about(read, asked, one.lexical, one.meaning)
    totals = {row: sum(some.values()) for row, some in factors.items()}
    scores = dict(sorted(totals.items(), key=lambda some: (-some[1], -read[some[0]].passage.at, some[0])))
    followed = _followed(store, one, list(scores), answering, vector, SURE if again else 0.0)
    return [
        FoundPassage(
            read[row].passage,
            scores.get(row, 0.0),
            factors.get(row, {}),
            tuple(read[other].passage for other in earlier),
            read[followed.perhaps[row]].passage if row in followed.perhaps else None,
        )
        for row, earlier in lines.current_first([row for row in scores if row in about], followed.continued_by)[:limit]
    ]


def _followed(
    store: Store,
    one: Considered,
    ranked: Sequence[int],
    answering: Mapping[int, float],
    vector: object | None,
    least: float,
) -> Lines:
    """What became of the leading ones. Who asks what happened, or what somebody said, wants that, whatever became of
    it; and who looks for words, only what has them."""
    if one.named or speech.asks_what_was(one.asked.text):
        return Lines({}, {})
    found = passage_lines.found(store, ranked, answering, one.read, vector, one.asking(), least)
    if not one.asked.literal:
        return found
    having = one.asked.itself
    return Lines(*({earlier: later for earlier, later in some.items() if later in having} for some in found))


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


def _looked(store: Store, vector: object | None, projects: Sequence[str]) -> Looked | None:
    if vector is None:
        return None
    from hardwon.recall import passage_vectors  # numpy, which a search by words does without

    return passage_vectors.look(store, _query(vector), projects, LOOKED_AT)


def _query(vector: object) -> QueryVector:
    from hardwon.recall.vectors import QueryVector

    if not isinstance(vector, QueryVector):
        raise TypeError(f"a QueryVector is wanted, not a {type(vector).__name__}: `vectors.query_vector` makes one")
    return vector
