"""Memories about the same subject, in the order of time: which one tells the present state, and what was before it.

A link that says so counts most, then a subject that both are kept under. Without either, what both say is judged
(`memories/replacing.py`), also of later ones that have no word of the question: the leading memories are followed to
them by their own rare words, by what they are about, and by meaning. Nothing is merged, and what nobody vouches for
takes no place of what somebody does.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping, Sequence

from hardwon import kinds
from hardwon.memories import replacing
from hardwon.memories.replacing import Said
from hardwon.memories.search import words
from hardwon.memories.search.candidates import heir
from hardwon.memories.search.gate import CERTAIN
from hardwon.memories.search.rank import Candidate, Ranked
from hardwon.memory import Anchor, AnchorKind, Kind, LinkKind, Memory, Status
from hardwon.store.connection import Store
from hardwon.store.index import search_index
from hardwon.store.tables import memories
from hardwon.store.tables import vectors as vectors_table
from hardwon.text.speech import statements

DECIDING = kinds.having("decides")
STATING = kinds.having("states")
"""And what is a lesson only because nobody said what it is, "the API listens on port 8080": another lesson may say
otherwise, but none overturns a decision."""
FOLLOWED = 3
"""Of the leading memories, those that are followed to later ones."""
LONGEST = 4
"""Steps from one to the next."""
LOOKED_AT = 8
"""Memories that are read for each of them."""
COMPARED = 8
"""Of the leading memories, those that are compared with each other."""
PROBE = 100
"""A word that stands in more memories is not rare, and nobody counts in how many."""
FEW = 300
"""In fewer memories a word is weighed as if there were so many: of four notes about ports, "port" is not common."""
SHARED = 0.3
"""Of its words, by weight, a later memory must have so much to be read."""
MOST = 24
"""Memories of a line."""
MOST_WORDS = 12
"""Of a memory, by which others are looked for."""
MOST_ROWS = 64
"""Of the index, of which it is looked up what they are."""

_WORDS = re.compile(r"[a-z0-9]+")
_KINDS = ", ".join(f"'{kind}'" for kind in sorted(STATING))
_DECIDING = ", ".join(f"'{kind}'" for kind in sorted(DECIDING))
_ABOUT = f"""
select m.row
from (select memory_row from anchors where kind = ? and value = ? order by memory_row desc limit ?) a
join memories m on m.row = a.memory_row where m.project = ? and m.kind in ({_DECIDING})
"""


def current(store: Store, ranked: Sequence[Ranked], *, past: bool = False) -> list[Ranked]:
    """In order, but each that a later one took the place of is history behind that. Who asks about the `past` is told
    what was then, too."""
    stating = [one.memory for one in ranked if one.memory.kind in STATING][:COMPARED]
    if not stating:
        return list(ranked)
    judge = _Judge(store)
    instead = {memory.id: later for memory in stating if (later := judge.latest(memory, stating))}
    for memory in list({last.id: last for last in (_last(one, instead) for one in stating)}.values())[:FOLLOWED]:
        _follow(judge, memory, instead)
    told = _replaced(ranked, instead)
    return _side_by_side(told, ranked) if past else told


def holding(store: Store, listed: Sequence[Memory]) -> list[Memory]:
    """Without those whose place another of these took."""
    stating = [one for one in listed if one.kind in STATING]
    judge = _Judge(store)
    return [one for one in listed if one.kind not in STATING or judge.latest(one, stating) is None]


def about_the_same(store: Store, memory: Memory) -> list[Memory]:
    """The others of its line, oldest first."""
    found = _linked(store, memory)
    judge, waiting = _Judge(store, patient=True), [memory]
    while waiting and len(found) <= MOST:
        one = waiting.pop()
        for other in judge.near(one) if one.kind in STATING else ():
            first, last = sorted((one, other), key=lambda memory: memory.created_at)
            if other.id not in found and judge.replaces(last, first):
                found[other.id] = other
                waiting.append(other)
    found.pop(memory.id, None)
    return sorted(found.values(), key=lambda one: (one.created_at, one.id))


def _follow(judge: _Judge, memory: Memory, instead: dict[str, Memory]) -> None:
    """Add to `instead` what took the place of this memory, what took the place of that, and so on."""
    for _ in range(LONGEST):
        later = judge.latest(memory, judge.near(memory, since=memory.created_at))
        if later is None:
            return
        instead[memory.id] = memory = later


def _last(memory: Memory, instead: Mapping[str, Memory]) -> Memory:
    while memory.id in instead:  # each is later than the one before: it ends
        memory = instead[memory.id]
    return memory


def _replaced(ranked: Sequence[Ranked], instead: Mapping[str, Memory]) -> list[Ranked]:
    """The last of each line in the place of the first that fits, with the others behind it, the latest first."""
    known = {one.memory.id: one for one in ranked}
    placed: dict[str, Ranked] = {}
    for one in ranked:
        last = _last(one.memory, instead)
        own = placed.get(last.id) or known.get(last.id) or dataclasses.replace(one, candidate=Candidate(last))
        if last.id != one.memory.id:
            before = sorted((*own.before, one.memory), key=lambda memory: memory.created_at, reverse=True)
            candidate = heir(own.candidate, one.candidate)
            own = dataclasses.replace(own, candidate=candidate, score=max(own.score, one.score), before=tuple(before))
        placed[last.id] = own
    return list(placed.values())


def _side_by_side(told: Sequence[Ranked], ranked: Sequence[Ranked]) -> list[Ranked]:
    """With their history as memories of their own."""
    known = {one.memory.id: one for one in ranked}
    return [
        each
        for one in told
        for each in (dataclasses.replace(one, before=()), *(known[memory.id] for memory in one.before))
    ]


def _linked(store: Store, memory: Memory) -> dict[str, Memory]:
    """What it replaced and what replaced it, along the whole line."""
    known = {memory.id: memory}
    waiting = [memory]
    while waiting and len(known) <= MOST:
        one = waiting.pop()
        before = [link.target for link in one.links if link.kind in (LinkKind.SUPERSEDES, LinkKind.FIXES)]
        before += [id for (id,) in store.rows("select id from memories where superseded_by = ?", (one.id,))]
        ids = [id for id in (*before, one.superseded_by) if id and id not in known]
        for other in memories.by_ids(store, ids).values() if ids else ():
            known[other.id] = other
            waiting.append(other)
    return known


def _subjects(memory: Memory) -> set[Anchor]:
    return {one for one in memory.anchors if one.kind is AnchorKind.TOPIC and one.value.startswith("subject:")}


def _things(memory: Memory) -> set[Anchor]:
    return {one for one in memory.anchors if one.kind in CERTAIN}


class _Judge:
    """Judges pairs of memories; what it looks up for that, it looks up once."""

    def __init__(self, store: Store, *, patient: bool = False) -> None:
        self.store = store
        self.patient = patient
        # A longer, later one has few words of what it took the place of.
        self.shared, self.looked_at = (SHARED / 3, 3 * LOOKED_AT) if patient else (SHARED, LOOKED_AT)
        self.total = max(search_index.size(store), FEW)
        self._rows: dict[str, list[int] | None] = {}
        self._weights: dict[str, float] = {}
        self._said: dict[str, Said] = {}
        self._spelled: dict[str, str] = {}
        self._cosines: dict[tuple[str, str], float] = {}

    def latest(self, earlier: Memory, others: Iterable[Memory]) -> Memory | None:
        """The latest of these that took its place."""
        later = [one for one in others if one.status is Status.ACTIVE and self.replaces(one, earlier)]
        return max(later, default=None, key=lambda one: (one.created_at, one.id))

    def replaces(self, later: Memory, earlier: Memory) -> bool:
        if not _may_continue(earlier, later):
            return False
        if _subjects(later) & _subjects(earlier):
            return True
        if later.complaints or (earlier.pinned and not later.pinned):  # nothing to be guessed about
            return False
        cosine = self._cosines.get((earlier.id, later.id))
        return replacing.took_its_place(self._read(earlier), self._read(later), self._weight, cosine)

    def near(self, memory: Memory, since: int = 0) -> list[Memory]:
        """Others of its project that may be about the same, by its rare words, by what it is about and by meaning; only
        those that were kept `since`."""
        about = [
            row
            for anchor in sorted(_things(memory) | _subjects(memory), key=str)
            for row in self._deciders(anchor, memory)
        ]
        alike = self._alike(memory)
        rows = dict.fromkeys((*alike, *about[:MOST_ROWS], *self._worded(memory)))
        found = memories.by_rows(self.store, kept) if (kept := self._deciding(rows, memory, since)) else {}
        self._cosines |= {(memory.id, found[row].id): cosine for row, cosine in alike.items() if row in found}
        return [one for one in found.values() if one.id != memory.id]

    def _worded(self, memory: Memory) -> list[int]:
        """The memories that may have enough of the words of what it says, those with most of them first."""
        stems = sorted(self._read(memory).head)[:MOST_WORDS]
        weighed = {stem: self._weight(stem) for stem in stems}
        postings = {stem: rows for stem in stems if (rows := self._rows[stem]) is not None}
        covered = words.reaching(postings, weighed, self.shared) if postings else {}
        return sorted(covered, key=lambda row: (covered[row], row), reverse=True)[:MOST_ROWS]

    def _deciding(self, rows: Iterable[int], memory: Memory, since: int) -> list[int]:
        """Those of these rows that decide something where this memory does, the first of them."""
        wanted = list(rows)
        marks = ", ".join("?" * len(wanted))
        sql = f"""
            select row from memories
            where row in ({marks}) and project = ? and created_at > ? and kind in ({_KINDS})
        """
        here = {row for (row,) in self.store.rows(sql, (*wanted, memory.scope.project, since))} if wanted else set()
        return [row for row in wanted if row in here][: self.looked_at]

    def _deciders(self, anchor: Anchor, memory: Memory) -> list[int]:
        """What was decided about a thing."""
        given = (anchor.kind, anchor.value, MOST_ROWS, memory.scope.project)
        return [row for (row,) in self.store.rows(_ABOUT, given)]

    def _alike(self, memory: Memory) -> dict[int, float]:
        """By their rows, with the cosine; empty where there are no vectors."""
        model = self._model()
        if not model or not vectors_table.has_any(self.store, model):
            return {}
        from hardwon.memories.search import vectors

        return vectors.like(self.store, model, memory.id, memory.scope.project, LOOKED_AT)

    def _model(self) -> str:
        """Whose vectors there are: those of the loaded model, or when there is time, of the one to be loaded."""
        wanted = self.store.settings.vectors
        if wanted.model == "off":
            return ""
        from hardwon.embedding.ready import READY

        if model := READY.model(wanted):
            return model.name
        if not self.patient:
            return ""
        from hardwon.embedding import choose

        return choose.name(wanted) if choose.is_possible(wanted) else ""

    def _read(self, memory: Memory) -> Said:
        if memory.id not in self._said:
            text = f"{memory.title.rstrip('.')}. {memory.body}" if memory.title else memory.body
            self._said[memory.id] = self._parted(text[: statements.LONGEST])
        return self._said[memory.id]

    def _parted(self, text: str) -> Said:
        stems = words.stem_of_each(self.store, text)
        self._spelled |= {stem: word for word, stem in stems.items()}

        def of(part: str) -> frozenset[str]:
            if not part.isascii():  # other letters are cut in other ways
                return frozenset(words.telling(self.store, part))
            return frozenset(stems[word] for word in _WORDS.findall(part.lower()) if word in stems)

        return replacing.said(text, of)

    def _weight(self, stem: str) -> float:
        if stem not in self._weights:
            rows = search_index.rows_with(self.store, self._spelled[stem], PROBE + 1)
            self._rows[stem] = rows
            frequency = PROBE + 1 if rows is None else len(rows)
            self._weights |= words.weights({stem: frequency}, self.total)
        return self._weights[stem]


def _may_continue(earlier: Memory, later: Memory) -> bool:
    return (
        later.created_at > earlier.created_at
        and later.scope == earlier.scope
        and ({later.kind, earlier.kind} <= DECIDING or later.kind is earlier.kind is Kind.LESSON)
        and later.trust.rank >= earlier.trust.rank
    )
