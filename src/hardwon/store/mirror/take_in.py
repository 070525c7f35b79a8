"""What a person or an agent did to a file, done to the memories: each change through `changes`, with its redaction.

A file says no more than an agent does: it can't overrule what a person said. Who runs `hardwon mirror` in a terminal of
their own vouches for what the files say, and can.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field

from hardwon.memory import GLOBAL, Draft, Kind, Memory, Scope, Status, Trust
from hardwon.redact import Redactor, border
from hardwon.store import changes, control, projects
from hardwon.store.changes import Outcome, Refused
from hardwon.store.connection import Store
from hardwon.store.mirror.layout import Document, line_of
from hardwon.store.mirror.merge import Merge
from hardwon.store.mirror.tables import MirrorFile
from hardwon.store.tables import memories
from hardwon.text.skills import knowledge_entries
from hardwon.text.skills.knowledge_entries import Entry

LONGEST = 64_000
"""Characters of one memory."""


@dataclass(frozen=True, slots=True)
class Change:
    what: str
    """added, edited, moved, archived; beside (a second lesson, the first stays), refused, forgotten, left."""
    text: str
    id: str = ""


@dataclass(slots=True)
class TakenIn:
    owners: dict[int, str] = field(default_factory=dict)
    """Which memory each bullet is."""
    left: set[int] = field(default_factory=set)
    """Bullets that are not taken in and stay as they are."""
    changes: list[Change] = field(default_factory=list)


def entry_of(memory: Memory, hits: int, redactor: Redactor) -> Entry:
    """A memory as its file says it, in the very form in which it is read again; without what redaction finds today."""
    import datetime

    form = "%Y-%m-%d %H:%M:%S" if memory.kind is Kind.CHECKPOINT else "%Y-%m"
    at = datetime.datetime.fromtimestamp(memory.created_at / 1000, datetime.UTC).strftime(form)
    body, title = border.clean([memory.body, memory.title], redactor)
    body = body.replace("\r\n", "\n").replace("\r", "\n")
    return knowledge_entries.read(line_of(Entry(body, title, at, hits)))


@dataclass(frozen=True, slots=True)
class Taker:
    """Takes in what one file says, on behalf of somebody."""

    store: Store
    file: MirrorFile
    who: Trust
    now: int

    def take_in(self, document: Document, merged: Merge) -> TakenIn:
        done = TakenIn(owners=dict(merged.same))
        for index, id in merged.edited.items():
            self._edit(done, index, self._entry(document, index), self._memory(id))
        for index, id in merged.moved.items():
            self._move(done, index, document, self._memory(id))
        for index in (*merged.both, *merged.new):
            self._note(done, index, document, "beside" if index in merged.both else "added")
        for id in merged.deleted:
            self._archive(done, self._memory(id))
        return done

    def _entry(self, document: Document, index: int) -> Entry:
        """The border: a bullet without its secrets. The file is written again without them, too."""
        entry = document.entry(index)
        text, title = border.clean([entry.text, entry.title], self.store.redactor)
        return dataclasses.replace(entry, text=text, title=title)

    def _memory(self, id: str) -> Memory:
        found = memories.get(self.store, id)
        assert found is not None, id
        return found

    def _may_change(self, memory: Memory) -> bool:
        return memory.trust.rank <= max(self.who.rank, Trust.VERIFIED.rank)

    def _edit(self, done: TakenIn, index: int, entry: Entry, memory: Memory) -> None:
        was = entry_of(memory, 0, self.store.redactor)
        fields: dict[str, str] = {}
        if entry.title != was.title:
            fields["title"] = entry.title
        if entry.text != was.text:
            fields["body"] = entry.text
        if self.who is Trust.USER or memory.trust is Trust.VERIFIED:
            fields["trust"] = self.who  # who wrote these words vouches for them
        try:
            if not self._may_change(memory) or not entry.text or len(entry.text) > LONGEST:
                raise Refused
            changes.edit(self.store, memory.id, fields, self.now, self.who)
        except Refused:
            self._keep(done, index, entry, memory.scope.project, "beside")
            return
        done.owners[index] = memory.id
        done.changes.append(Change("edited", entry.text, memory.id))

    def _move(self, done: TakenIn, index: int, document: Document, memory: Memory) -> None:
        project = document.project(index)
        there = memories.same_text(self.store, Scope(project, memory.scope.skill), memory.body, memory.kind)
        if there or not self._may_change(memory) or self._closed(project):
            self._note(done, index, document, "beside")
            return
        changes.edit(self.store, memory.id, {"project": project}, self.now)
        done.owners[index] = memory.id
        done.changes.append(Change("moved", memory.body, memory.id))

    def _note(self, done: TakenIn, index: int, document: Document, what: str) -> None:
        self._keep(done, index, self._entry(document, index), document.project(index), what)

    def _keep(self, done: TakenIn, index: int, entry: Entry, project: str, what: str) -> None:
        body, title = (entry.text, entry.title) if entry.text else (entry.title, "")
        if not body or len(body) > LONGEST or self._closed(project):
            done.left.add(index)
            done.changes.append(Change("left", body))
            return
        draft = Draft(
            kind=self.file.kind,
            body=body,
            title=title,
            scope=Scope(project, self.file.skill or None),
            trust=self.who,
            source="user" if self.who is Trust.USER else "agent",
        )
        draft = changes.passed(self.store, draft)
        twin = memories.same_text(self.store, draft.scope, body, draft.kind)
        if twin and twin.status is Status.ACTIVE and twin.trust.rank >= self.who.rank:
            done.owners[index] = twin.id  # it was there all the time: nobody has learned it again
            return
        written_at = knowledge_entries.moment(entry.date) or self.now
        noted = changes.note(self.store, draft, min(written_at, self.now), apart=what == "beside")
        if noted.id is None:
            done.changes.append(Change("forgotten", ""))
            return
        done.owners[index] = noted.id
        done.changes.append(Change(what if noted.outcome is Outcome.CREATED else "added", body, noted.id))

    def _closed(self, project: str) -> bool:
        """What is excluded is kept by nobody."""
        found = None if project == GLOBAL else projects.get(self.store, project)
        return bool(found and control.excluded(self.store.settings, found.name, found.root))

    def _archive(self, done: TakenIn, memory: Memory) -> None:
        if not self._may_change(memory):
            done.changes.append(Change("refused", memory.body, memory.id))
            return
        reason = f"deleted from {self.file.name.rpartition('/')[2]}"
        changes.move(self.store, memory.id, Status.ARCHIVED, self.now, reason=reason)
        done.changes.append(Change("archived", memory.body, memory.id))
