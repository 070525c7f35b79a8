"""Which memories may answer a question: by exact anchors, by words, and what replaced those."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from hardwon.memory import Anchor, Memory
from hardwon.recall import words
from hardwon.recall.rank import Candidate
from hardwon.store import memories, search_index, showings
from hardwon.store.connection import Store
from hardwon.store.memories import Lesson
from hardwon.store.showings import NEVER

MOST = 24
SPARE = 12
"""More of each list than can be said: the rank may prefer one that is neither the newest nor the most used."""
PROBE_SHARE = 8
"""A word may use up to this part of the postings bound; a more common one is not searched for."""


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    projects: tuple[str, ...]
    skill: str | None = None
    anchors: tuple[Anchor, ...] = ()


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


def gather(store: Store, question: Question, most_postings: int) -> Found:
    telling = words.telling(store, question.text)
    weighed, searched, hits = _by_words(store, telling, question, most_postings)
    anchored = _by_anchors(store, question)
    found = memories.by_rows(store, {hit.row for hit in hits} | anchored.keys())
    best = max((hit.bm25 for hit in hits), default=0.0)
    lexical = {hit.row: hit.bm25 / best if best > 0 else 0.0 for hit in hits}
    candidates = [
        _candidate(store, memory, telling, weighed, lexical.get(row, 0.0), tuple(anchored.get(row, ())))
        for row, memory in found.items()
        if question.skill is None or memory.scope.skill == question.skill
    ]
    rung = "words" if hits else "anchors" if anchored else "nothing"
    return Found(_with_hits(store, _with_successors(store, candidates)), weighed, telling, tuple(searched), rung)


def flat(store: Store, question: Question, limit: int) -> Found:
    """No question, only a skill: its lessons, to be ranked by use and recency alone."""
    lessons = memories.lessons(store, question.skill or "", question.projects, limit + SPARE)
    return Found(loaded(store, lessons), {}, {}, (), "flat")


def loaded(store: Store, lessons: Sequence[Lesson]) -> list[Candidate]:
    """Lessons with their texts; nothing was asked, so each of them fits."""
    hits = {lesson.row: lesson.hits for lesson in lessons}
    found = memories.by_rows(store, hits) if hits else {}
    return [Candidate(memory, coverage=1.0, lexical=1.0, hits=hits[row]) for row, memory in found.items()]


def among(store: Store, question: Question, lessons: Sequence[Lesson]) -> Found:
    """The question asked of these few lessons alone: no index is needed, and a word weighs by how rare it is here."""
    telling = words.telling(store, question.text)
    own = loaded(store, lessons)
    present = [set(search_index.stems(store, "\n".join(search_index.index_text(one.memory)))) for one in own]
    weighed = words.weights({stem: sum(stem in there for there in present) for stem in telling}, len(own))
    candidates = [
        Candidate(one.memory, share, share, _shared(question.anchors, one.memory), _matched(telling, there), one.hits)
        for one, there in zip(own, present, strict=True)
        for share in [words.coverage(there, weighed)]
    ]
    return Found(candidates, weighed, telling, tuple(telling), "words")


def _shared(anchors: Sequence[Anchor], memory: Memory) -> tuple[Anchor, ...]:
    return tuple(anchor for anchor in anchors if anchor in memory.anchors)


def _matched(telling: dict[str, str], present: set[str]) -> tuple[str, ...]:
    return tuple(word for stem, word in telling.items() if stem in present)


def _by_words(
    store: Store, telling: dict[str, str], question: Question, most_postings: int
) -> tuple[dict[str, float], list[str], list[search_index.Hit]]:
    probe = max(1, most_postings // PROBE_SHARE)
    frequencies = {stem: search_index.frequency(store, word, probe + 1) for stem, word in telling.items()}
    weighed = words.weights(frequencies, search_index.size(store))
    rare = words.affordable({stem: df for stem, df in frequencies.items() if df <= probe}, most_postings)
    scopes, skill = question.projects, question.skill
    if rare:
        asked = [telling[stem] for stem in rare]
        if skill is None:
            return weighed, rare, search_index.best(store, asked, scopes, MOST)
        return weighed, rare, search_index.best_of_skill(store, asked, skill, scopes, MOST)
    common = [stem for stem, df in frequencies.items() if df]
    if not common:
        return weighed, [], []
    asked = [telling[stem] for stem in common]
    if skill is None:
        return weighed, common, search_index.newest(store, asked, scopes, MOST)
    return weighed, common, search_index.newest_of_skill(store, asked, skill, scopes, MOST, most_postings)


def _by_anchors(store: Store, question: Question) -> dict[int, list[Anchor]]:
    found: dict[int, list[Anchor]] = defaultdict(list)
    for row, anchor in memories.anchored(store, question.anchors, question.projects, MOST):
        found[row].append(anchor)
    return found


def _candidate(
    store: Store,
    memory: Memory,
    telling: dict[str, str],
    weighed: dict[str, float],
    lexical: float,
    anchors: tuple[Anchor, ...],
) -> Candidate:
    present = set(search_index.stems(store, "\n".join(search_index.index_text(memory))))
    return Candidate(memory, words.coverage(present, weighed), lexical, anchors, _matched(telling, present))


def _with_successors(store: Store, candidates: Sequence[Candidate]) -> list[Candidate]:
    """Where something replaced a candidate, that answers the question as well as the candidate did."""
    known = {candidate.memory.id: candidate for candidate in candidates}
    for candidate in candidates:
        for memory in _line(store, candidate.memory):
            heir = known.get(memory.id, Candidate(memory))
            known[memory.id] = dataclasses.replace(
                heir,
                coverage=max(heir.coverage, candidate.coverage),
                lexical=max(heir.lexical, candidate.lexical),
                anchors=heir.anchors or candidate.anchors,
                words=heir.words or candidate.words,
            )
    return list(known.values())


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
    ids = [candidate.memory.id for candidate in candidates]
    hits, counts = memories.hits(store, ids), showings.counts(store, ids)
    return [
        dataclasses.replace(one, hits=hits.get(one.memory.id, 0), helped=came.helped, ignored=came.ignored)
        for one in candidates
        for came in [counts.get(one.memory.id, NEVER)]
    ]
