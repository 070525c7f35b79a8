"""Which memories may answer a question: by exact anchors, by words, and what replaced those."""

from __future__ import annotations

import dataclasses
import math
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardwon.embedding.model import is_mostly_cjk
from hardwon.memories.search import words
from hardwon.memories.search.gate import CERTAIN
from hardwon.memories.search.rank import Candidate
from hardwon.memory import Anchor, Memory
from hardwon.store.connection import Store
from hardwon.store.index import search_index
from hardwon.store.tables import memories, showings
from hardwon.store.tables.memories import Lesson
from hardwon.store.tables.showings import NEVER

if TYPE_CHECKING:
    from hardwon.memories.search.meaning import Asked

MOST = 24
SPARE = 12
"""More of each list than can be said: the rank may prefer one that is neither the newest nor the most used."""
LOOKED_AT = 8
"""Memories that are read to see whether they fit: those that can cover most of the question, the newest of them."""
PROBE_SHARE = 8
"""A word may use up to this part of the postings bound; a more common one is not searched for."""


MEANING = 0.2
"""Seconds at most that a question waits for its vector."""

Worth = Callable[[int, str], bool]


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    projects: tuple[str, ...]
    skill: str | None = None
    anchors: tuple[Anchor, ...] = ()
    until: float = math.inf
    """When its vector is too late for whoever waits for the answer, by the monotonic clock."""


@dataclass(frozen=True, slots=True)
class Found:
    candidates: list[Candidate]
    weights: dict[str, float]
    """The question's words and what each weighs, by stem."""
    words: dict[str, str]
    """The words behind these stems."""
    searched: tuple[str, ...]
    """The words that were looked up; the others were too common."""
    rung: str


def gather(store: Store, question: Question, most_postings: int, least: float = 0.0, alike: float = 0.0) -> Found:
    """Those that have an anchor or a word of the question; where there are vectors, also those that mean the same, as
    far as there is time for it.

    With `least`, only those that cover so much of it, are `alike`, or share an anchor. That is not only fewer, it is
    quicker: where the words stand tells who can't, and mostly that is everybody, so that nothing has to be read at all.
    """
    until = min(question.until, time.monotonic() + MEANING)
    asked = _ask(store, question)
    telling = words.telling(store, question.text)
    looked_up = _look_up(store, telling, most_postings)
    anchored = _by_anchors(store, question)
    gated = least > 0 and question.skill is None and bool(looked_up.postings)
    if gated:
        reaching = words.reaching(looked_up.postings, looked_up.weights, least)
        # An anchor that is not certain helps only who covers enough as well.
        anchored = {row: own for row, own in anchored.items() if row in reaching or _is_certain(own)}
        lexical = {}
        likely = {row: share for row, share in reaching.items() if row not in anchored}
        worth = words.worth_reading(likely, looked_up.weights, looked_up.postings, least)
        present = _likely(store, likely, question.projects, worth) | _present(store, anchored, question.projects)
    else:
        lexical = _by_words(store, telling, looked_up, question, most_postings)
        present = _present(store, lexical.keys() | anchored.keys(), question.projects)
    cosines = _cosines(store, question, asked, present, alike if gated else 0.0, until)
    coverage = {row: words.coverage(set(there), looked_up.weights) for row, there in present.items()}
    fitting = [
        row
        for row in present
        if coverage[row] >= least or cosines.get(row, -1.0) >= alike or _is_certain(anchored.get(row, ()))
    ]
    if gated:
        lexical = words.bm25({row: present[row] for row in fitting}, looked_up.weights)
    best = max(lexical.values(), default=0.0) or 1.0
    candidates = [
        Candidate(
            memory,
            coverage[row],
            lexical.get(row, 0.0) / best,
            tuple(anchored.get(row, ())),
            _matched(telling, set(present[row])),
            sum(rarity for stem, rarity in looked_up.rarity.items() if stem in present[row]),
            # A skill's lessons are all about the same.
            words.size(store, present[row]) if question.skill is None else 0,
            question.skill is not None or row in anchored or _is_headed(store, memory, telling),
            cosine=cosines.get(row),
        )
        for row, memory in (memories.by_rows(store, fitting) if fitting else {}).items()
        if question.skill is None or memory.scope.skill == question.skill
    ]
    rung = "words" if lexical else "anchors" if anchored else "vectors" if cosines else "nothing"
    found = _with_hits(store, _with_successors(store, candidates))
    return Found(found, looked_up.weights, telling, tuple(looked_up.searched), rung)


def _ask(store: Store, question: Question) -> Asked | None:
    """Begin with what takes longest: the vector of the question, where there is a model."""
    if store.settings.vectors.model == "off":
        return None
    from hardwon.embedding.ready import READY

    model = READY.model(store.settings.vectors)
    if model is None:  # the usual case, which must cost nothing
        READY.want()
        return None
    from hardwon.memories.search import meaning

    return meaning.ask(store, question.text, question.projects, model.name)


def _cosines(
    store: Store,
    question: Question,
    asked: Asked | None,
    present: dict[int, list[str]],
    alike: float,
    until: float,
) -> dict[int, float]:
    """How near the meaning of each is; those that are near and have no word of the question are added to `present`."""
    if asked is None:
        return {}
    from hardwon.memories.search import meaning

    near = meaning.near(store, asked, question.projects, until - time.monotonic(), question.skill)
    more = [row for row, cosine in near.found.items() if cosine >= alike and row not in present]
    present |= _present(store, more, question.projects)
    return near.of(store, present)


def flat(store: Store, question: Question, limit: int) -> Found:
    """No question, only a skill: its lessons, to be ranked by use and recency alone."""
    lessons = memories.lessons(store, question.skill or "", question.projects, limit + SPARE)
    return Found(loaded(store, lessons), {}, {}, (), "flat")


def loaded(store: Store, lessons: Sequence[Lesson]) -> list[Candidate]:
    """Lessons with their texts; nothing was asked, so each of them fits."""
    hits = {lesson.row: lesson.hits for lesson in lessons}
    found = memories.by_rows(store, hits) if hits else {}
    return [Candidate(memory, coverage=1.0, lexical=1.0, hits=hits[row]) for row, memory in found.items()]


def among(store: Store, question: Question, lessons: Sequence[Lesson], also: Sequence[Candidate] = ()) -> Found:
    """The question asked of these few lessons alone: no index is needed, and a word weighs by how rare it is here.
    `also` are in no table."""
    until = min(question.until, time.monotonic() + MEANING)
    asked = _ask(store, question)
    telling = words.telling(store, question.text)
    hits = {lesson.row: lesson.hits for lesson in lessons}
    kept = memories.by_rows(store, hits) if hits else {}
    own = [*((row, Candidate(memory, hits=hits[row])) for row, memory in kept.items()), *((-1, one) for one in also)]
    present = [set(search_index.stems(store, "\n".join(search_index.index_text(one.memory)))) for _, one in own]
    weighed = words.weights({stem: sum(stem in there for there in present) for stem in telling}, len(own))
    cosines = _cosines(store, question, asked, {row: [] for row in kept}, UNLIKE_ANYTHING, until) if kept else {}
    found = [
        dataclasses.replace(
            one,
            coverage=share,
            lexical=share,
            anchors=_shared(question.anchors, one.memory),
            words=_matched(telling, there),
            cosine=cosines.get(row),
        )
        for (row, one), there in zip(own, present, strict=True)
        for share in [words.coverage(there, weighed)]
    ]
    return Found(found, weighed, telling, tuple(telling), "words")


UNLIKE_ANYTHING = 2.0
"""No cosine is that high: only those that are asked about get one."""


def _shared(anchors: Sequence[Anchor], memory: Memory) -> tuple[Anchor, ...]:
    return tuple(anchor for anchor in anchors if anchor in memory.anchors)


def _matched(telling: dict[str, str], present: set[str]) -> tuple[str, ...]:
    return tuple(word for stem, word in telling.items() if stem in present)


def _is_headed(store: Store, memory: Memory, telling: Mapping[str, str]) -> bool:
    """Whether a word of the question stands where the memory says what it is about: in its title or, without one, its
    first line, or in its intent. Nobody can tell where that says nothing, or where either is written without blanks:
    two texts about the same hardly ever have the same pairs."""
    text = f"{memory.headline}\n{memory.intent}"
    if is_mostly_cjk(text) or is_mostly_cjk(" ".join(telling.values())):
        return True
    heading = words.telling(store, text)
    return not heading or not heading.keys().isdisjoint(telling)


@dataclass(frozen=True, slots=True)
class LookedUp:
    """The question's words in the index, by stem."""

    weights: dict[str, float]
    rarity: dict[str, float]
    searched: list[str]
    postings: dict[str, list[int]]
    """The rows of those that are rare enough to be read."""


def _look_up(store: Store, telling: dict[str, str], most_postings: int) -> LookedUp:
    probe = max(1, most_postings // PROBE_SHARE)
    rows = {stem: search_index.rows_with(store, word, probe + 1) for stem, word in telling.items()}
    frequencies = {stem: probe + 1 if found is None else len(found) for stem, found in rows.items()}
    known = {stem: found for stem, found in rows.items() if found is not None}
    rare = words.affordable({stem: len(found) for stem, found in known.items()}, most_postings)
    searched = rare or [stem for stem, df in frequencies.items() if df]
    total = search_index.size(store)
    nowhere = [stem for stem, found in known.items() if not found]
    return LookedUp(
        words.weights(frequencies, total),
        words.rarity(frequencies, total),
        searched,
        {stem: known[stem] for stem in (*rare, *nowhere)} if rare else {},
    )


def _by_words(
    store: Store, telling: dict[str, str], looked_up: LookedUp, question: Question, most_postings: int
) -> dict[int, float]:
    """By the index's own rank, or the newest if the words are too common for that."""
    asked = [telling[stem] for stem in looked_up.searched]
    scopes, skill = question.projects, question.skill
    if not asked:
        return {}
    if looked_up.postings and skill is None:
        hits = search_index.best(store, asked, scopes, MOST)
    elif looked_up.postings:
        hits = search_index.best_of_skill(store, asked, skill or "", scopes, MOST)
    elif skill is None:
        hits = search_index.newest(store, asked, scopes, MOST)
    else:
        hits = search_index.newest_of_skill(store, asked, skill, scopes, MOST, most_postings)
    return {hit.row: hit.bm25 for hit in hits}


def _by_anchors(store: Store, question: Question) -> dict[int, list[Anchor]]:
    found: dict[int, list[Anchor]] = defaultdict(list)
    for row, anchor in memories.anchored(store, question.anchors, question.projects, MOST):
        found[row].append(anchor)
    return found


def _is_certain(anchors: Collection[Anchor]) -> bool:
    return any(anchor.kind in CERTAIN for anchor in anchors)


def _likely(store: Store, reaching: Mapping[int, float], projects: Sequence[str], worth: Worth) -> dict[int, list[str]]:
    """The words of those that can cover most, the newest first where they can cover the same."""
    ordered = [row for _, row in sorted(zip(reaching.values(), reaching, strict=True), reverse=True)]
    present: dict[int, list[str]] = {}
    here = 0
    for start in range(0, len(ordered), LOOKED_AT):
        texts = memories.texts(store, ordered[start : start + LOOKED_AT], projects, worth)
        present |= {row: search_index.stems_of(store, text) for row, text in texts.items() if text}
        here += len(texts)
        if here >= LOOKED_AT:  # of these projects; the others were not asked for
            break
    return present


def _present(store: Store, rows: Collection[int], projects: Sequence[str]) -> dict[int, list[str]]:
    """The words of these memories, as far as they belong to these projects."""
    texts = memories.texts(store, rows, projects, lambda *_: True) if rows else {}
    return {row: search_index.stems_of(store, text) for row, text in texts.items() if text}


def _with_successors(store: Store, candidates: Sequence[Candidate]) -> list[Candidate]:
    """Where something replaced a candidate, that answers the question as well as the candidate did."""
    known = {candidate.memory.id: candidate for candidate in candidates}
    for candidate in candidates:
        for memory in _line(store, candidate.memory):
            known[memory.id] = heir(known.get(memory.id, Candidate(memory, headed=False)), candidate)
    return list(known.values())


def heir(own: Candidate, replaced: Candidate) -> Candidate:
    """A memory with what spoke for the one whose place it took."""
    return dataclasses.replace(
        own,
        coverage=max(own.coverage, replaced.coverage),
        lexical=max(own.lexical, replaced.lexical),
        cosine=_greater(own.cosine, replaced.cosine),
        anchors=own.anchors or replaced.anchors,
        words=own.words or replaced.words,
        shared=max(own.shared, replaced.shared),
        size=min(own.size or replaced.size, replaced.size),
        headed=own.headed or replaced.headed,
    )


def _greater(one: float | None, other: float | None) -> float | None:
    return max((each for each in (one, other) if each is not None), default=None)


def _line(store: Store, memory: Memory) -> list[Memory]:
    """What replaced this memory, what replaced that, and so on."""
    line: list[Memory] = []
    seen = {memory.id}
    while memory.superseded_by and memory.superseded_by not in seen:
        successor = memories.get(store, memory.superseded_by)
        if successor is None:
            break
        seen.add(successor.id)
        line.append(successor)
        memory = successor
    return line


def _with_hits(store: Store, candidates: list[Candidate]) -> list[Candidate]:
    """And with what came of their showings."""
    if not candidates:
        return []
    ids = [candidate.memory.id for candidate in candidates]
    hits, counts = memories.hits(store, ids), showings.counts(store, ids)
    return [
        dataclasses.replace(one, hits=hits.get(one.memory.id, 0), helped=came.helped, ignored=came.ignored)
        for one in candidates
        for came in [counts.get(one.memory.id, NEVER)]
    ]
