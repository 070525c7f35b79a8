"""The store against a model of it that fits on two pages: a list of commands, replayed."""

from __future__ import annotations

import dataclasses
import json
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from hardwon.memory import GLOBAL, Draft, Kind, Link, LinkKind, Memory, Scope, Status, Trust, normalise
from hardwon.paths import Home
from hardwon.settings import Settings
from hardwon.store import changes, projects
from hardwon.store.changes import Outcome, Refused
from hardwon.store.connection import Store
from hardwon.store.erasure import forget
from hardwon.store.log import copies, exchange
from hardwon.store.maintenance import repair
from hardwon.store.tables import memories
from tests.properties import examples
from tests.support import contents, draft, opened

TEXTS = [
    "The tests need a running Redis",
    "the tests need  a RUNNING redis",  # the same to us
    "Never rebase the release branch",
    "テストには Redis が必要です。先に起動すること",
    "Set FOO=1 before make, or it hangs",
    'As it says: "Never rebase the release branch", ever',
    "use tabs",
]
CUT = "[forgotten]"
MAY_BECOME = {
    Status.ACTIVE: {"candidate", "resolved", "superseded", "stale", "archived"},
    Status.RESOLVED: {"active", "stale"},
    Status.STALE: {"active", "resolved"},
    Status.ARCHIVED: {"candidate", "active", "resolved", "superseded", "stale"},
}
ASLEEP = {"archived", "stale", "resolved", "superseded"}


@dataclasses.dataclass(slots=True)
class Step:
    """One change to one memory."""

    memory: str
    change: dict[str, Any]
    at: int


@dataclasses.dataclass(slots=True)
class Command:
    steps: list[Step]
    undone: bool = False


class Model:
    """What should be remembered: the commands that were not undone, replayed one after the other."""

    def __init__(self) -> None:
        self.commands: list[Command] = []
        self.undos: list[Command] = []
        self.hits: dict[str, int] = {}
        self.buried: set[str] = set()
        self.forgotten: set[str] = set()
        self.merged: dict[str, str] = {}

    def state(self) -> dict[str, dict[str, Any]]:
        state: dict[str, dict[str, Any]] = {}
        for command in self.commands:
            for step in [] if command.undone else command.steps:
                if "created_at" in step.change or step.memory in state:
                    state[step.memory] = self._changed(state.get(step.memory), step)
        for memory in state.values():
            memory["project"] = self.canonical(memory["project"])
        return state

    def _changed(self, before: dict[str, Any] | None, step: Step) -> dict[str, Any]:
        change = dict(step.change)
        before = before or {"links": (), "complaints": ()}
        links = (*before["links"], *(one for one in change.pop("link", ()) if one not in before["links"]))
        complaints = (*before["complaints"], *change.pop("complaint", ()))
        return before | change | {"links": links, "complaints": complaints, "updated_at": step.at}

    def canonical(self, project: str) -> str:
        while project in self.merged:
            project = self.merged[project]
        return project

    def do(self, at: int, *steps: tuple[str, dict[str, Any]]) -> None:
        if steps:
            self.commands.append(Command([Step(memory, change, at) for memory, change in steps]))

    def undo(self, touching: str | None = None) -> bool:
        """Take back the last command that counts, or the last that touched a memory."""
        for command in reversed(self.commands):
            if not command.undone and any(touching in (None, step.memory) for step in command.steps):
                command.undone = True
                self.undos.append(command)
                return True
        return False

    def redo(self) -> bool:
        while self.undos:
            command = self.undos.pop()
            if command.steps:
                command.undone = False
                return True
        return False

    def texts_of(self, id: str) -> set[str]:
        steps = (step for command in self.commands for step in command.steps if step.memory == id)
        return {step.change["body"] for step in steps if "body" in step.change}

    def twins(self, body: str, scope: Scope) -> set[str]:
        wanted = (normalise(body), self.canonical(scope.project), scope.skill)
        return {id for id, one in self.state().items() if self._identity(one) == wanted}

    def _identity(self, one: dict[str, Any]) -> tuple[str, str, str | None]:
        return normalise(one["body"]), one["project"], one["skill"]

    def forget(self, id: str) -> set[str]:
        """It and all with its texts; what else quotes these texts loses the quotation."""
        same = {normalise(text) for text in self.texts_of(id)}
        doomed = {id, *(other for other, one in self.state().items() if normalise(one["body"]) in same)}
        texts = {text for one in doomed for text in self.texts_of(one)}
        self.buried |= {normalise(text) for text in texts}
        for command in self.commands:
            command.steps = [step for step in command.steps if step.memory not in doomed]
            for step in command.steps:
                step.change = {name: self._without(name, value, texts) for name, value in step.change.items()}
        self.commands = [command for command in self.commands if command.steps]
        self.forgotten |= doomed
        for one in doomed:
            self.hits.pop(one, None)
        return doomed

    def _without(self, name: str, value: Any, texts: set[str]) -> Any:
        if name not in ("body", "title"):
            return value
        if name == "body" and normalise(value) in {normalise(text) for text in texts}:
            return CUT
        for text in texts:
            value = value.replace(text, CUT) if len(text) >= 16 else value
        return value


def shape(memory: Memory) -> dict[str, Any]:
    """A memory of the store as the model has it."""
    return {
        "kind": memory.kind,
        "body": memory.body,
        "title": memory.title,
        "project": memory.scope.project,
        "skill": memory.scope.skill,
        "trust": memory.trust,
        "status": memory.status,
        "reason": memory.reason,
        "superseded_by": memory.superseded_by,
        "pinned": memory.pinned,
        "links": memory.links,
        "complaints": memory.complaints,
        "created_at": memory.created_at,
        "updated_at": memory.updated_at,
    }


class StoreMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="hardwon-model-"))
        self.model = Model()
        self.now = 1_700_000_000_000
        self.store: Store = opened(self.folder / "home")
        self.projects: list[str] = []

    @initialize()
    def three_projects(self) -> None:
        for name in ("one", "two", "three"):
            (self.folder / name).mkdir()
            _, project = projects.claim(self.store, self.folder / name, self.now)
            self.projects.append(project.id)

    def teardown(self) -> None:
        self.store.close()
        shutil.rmtree(self.folder)

    def later(self) -> int:
        self.now += 1_000
        return self.now

    def pick(self, data: st.DataObject) -> str:
        return data.draw(st.sampled_from(sorted(self.model.state())), "memory")

    @property
    def is_empty(self) -> bool:
        return not self.model.state()

    @rule(
        text=st.sampled_from(TEXTS),
        title=st.sampled_from(["", "A title", "Says: Never rebase the release branch"]),
        kind=st.sampled_from([Kind.LESSON, Kind.DECISION, Kind.TASK]),
        trust=st.sampled_from([Trust.UNTRUSTED, Trust.AGENT, Trust.USER]),
        place=st.integers(0, 3),
        skill=st.sampled_from([None, None, "deploy"]),
    )
    def note(self, text: str, title: str, kind: Kind, trust: Trust, place: int, skill: str | None) -> None:
        project = [GLOBAL, *self.projects][place]
        at = self.later()
        twins = self.model.twins(text, Scope(project, skill))
        given = draft(text, project=project, skill=skill, kind=kind, trust=trust, title=title)
        noted = changes.note(self.store, given, at)
        if normalise(text) in self.model.buried:
            assert (noted.id, noted.outcome) == (None, Outcome.FORGOTTEN)
        elif twins:
            assert noted.outcome is Outcome.REPEATED
            assert noted.id in twins
            self._repeated(noted.id, given, at)
        else:
            assert noted.outcome is Outcome.CREATED
            assert noted.id is not None
            self._created(noted.id, given, at)

    def _created(self, id: str, given: Draft, at: int) -> None:
        created = {
            "kind": given.kind,
            "body": given.body,
            "title": given.title,
            "project": self.model.canonical(given.scope.project),
            "skill": given.scope.skill,
            "trust": given.trust,
            "status": Status.CANDIDATE if given.trust is Trust.UNTRUSTED else Status.ACTIVE,
            "reason": "",
            "superseded_by": None,
            "pinned": False,
            "created_at": at,
        }
        self.model.do(at, (id, created))

    def _repeated(self, id: str, given: Draft, at: int) -> None:
        twin, trust = self.model.state()[id], given.trust
        candidate = twin["status"] == "candidate"
        # An agent's word changes nothing about what waits for a person; nor does another kind of memory.
        waits = candidate and (trust.rank <= Trust.AGENT.rank or given.kind != twin["kind"])
        self.model.hits[id] = self.model.hits.get(id, 0) + 1
        steps: list[tuple[str, dict[str, Any]]] = []
        if trust.rank > twin["trust"].rank and not waits:
            steps.append((id, {"trust": trust}))
        woken = twin["status"] in ASLEEP and trust.rank >= twin["trust"].rank
        if woken or (candidate and not waits):
            steps.append((id, {"status": Status.ACTIVE, "reason": "noted again", "superseded_by": None}))
        self.model.do(at, *steps)

    @precondition(lambda self: not self.is_empty)
    @rule(data=st.data(), text=st.sampled_from(TEXTS))
    def edit_text(self, data: st.DataObject, text: str) -> None:
        id = self.pick(data)
        before = self.model.state()[id]
        twins = self.model.twins(text, Scope(before["project"], before["skill"])) - {id}
        at = self.later()
        if normalise(text) in self.model.buried or (twins and normalise(before["body"]) != normalise(text)):
            with pytest.raises(Refused):
                changes.edit(self.store, id, {"body": text}, at)
        elif not twins:
            changes.edit(self.store, id, {"body": text}, at)
            self.model.do(at, (id, {"body": text}))

    @precondition(lambda self: not self.is_empty)
    @rule(
        data=st.data(),
        change=st.sampled_from([{"title": "Another title"}, {"pinned": True}, {"pinned": False}, {"kind": Kind.RULE}]),
    )
    def edit_fields(self, data: st.DataObject, change: dict[str, Any]) -> None:
        id, at = self.pick(data), self.later()
        changes.edit(self.store, id, change, at)
        self.model.do(at, (id, change))

    @precondition(lambda self: not self.is_empty)
    @rule(data=st.data(), status=st.sampled_from(sorted(MAY_BECOME)), reason=st.sampled_from(["", "because"]))
    def move(self, data: st.DataObject, status: Status, reason: str) -> None:
        id, at = self.pick(data), self.later()
        if self.model.state()[id]["status"] not in MAY_BECOME[status]:
            with pytest.raises(Refused):
                changes.move(self.store, id, status, at, reason=reason)
            return
        changes.move(self.store, id, status, at, reason=reason)
        self.model.do(at, (id, {"status": status, "reason": reason, "superseded_by": None}))

    @precondition(lambda self: not self.is_empty)
    @rule(data=st.data())
    def supersede(self, data: st.DataObject) -> None:
        old, new, at = self.pick(data), self.pick(data), self.later()
        state = self.model.state()
        heirs = set(self._heirs(state, new))
        if old in heirs or state[old]["status"] not in {"active", "resolved", "stale", "candidate"}:
            with pytest.raises(Refused):
                changes.supersede(self.store, old, new, at)
            return
        changes.supersede(self.store, old, new, at, reason="newer")
        moved = {"status": Status.SUPERSEDED, "reason": "newer", "superseded_by": new}
        self.model.do(at, (old, moved), (new, {"link": (Link(LinkKind.SUPERSEDES, old),)}))

    def _heirs(self, state: dict[str, dict[str, Any]], id: str | None) -> Iterator[str]:
        """It, what replaced it, and so on."""
        seen: set[str] = set()
        while id is not None and id not in seen:
            yield id
            seen.add(id)
            id = state[id]["superseded_by"] if id in state else None

    @precondition(lambda self: not self.is_empty)
    @rule(data=st.data(), who=st.sampled_from([Trust.AGENT, Trust.USER]))
    def complain(self, data: st.DataObject, who: Trust) -> None:
        id, at = self.pick(data), self.later()
        one = self.model.state()[id]
        changes.complain(self.store, id, who, "not so", at)
        steps: list[tuple[str, dict[str, Any]]] = [(id, {"complaint": ("not so",)})]
        if who.rank >= one["trust"].rank and one["status"] in MAY_BECOME[Status.STALE]:
            steps.append((id, {"status": Status.STALE, "reason": "wrong: not so", "superseded_by": None}))
        self.model.do(at, *steps)

    @rule(times=st.integers(1, 3))
    def undo(self, times: int) -> None:
        for _ in range(times):
            at = self.later()
            if self.model.undo():
                changes.undo(self.store, at)
            else:
                with pytest.raises(Refused):
                    changes.undo(self.store, at)

    @precondition(lambda self: not self.is_empty)
    @rule(data=st.data())
    def undo_one(self, data: st.DataObject) -> None:
        id = self.pick(data)
        assert self.model.undo(id)
        changes.undo(self.store, self.later(), id)

    @rule(times=st.integers(1, 3))
    def redo(self, times: int) -> None:
        for _ in range(times):
            at = self.later()
            if self.model.redo():
                changes.redo(self.store, at)
            else:
                with pytest.raises(Refused):
                    changes.redo(self.store, at)

    @precondition(lambda self: not self.is_empty)
    @rule(data=st.data())
    def forget(self, data: st.DataObject) -> None:
        id = self.pick(data)
        doomed = self.model.forget(id)
        assert forget.forget(self.store, [id], self.later()).memories == len(doomed)

    @precondition(lambda self: self.model.buried)
    @rule(data=st.data())
    def note_again(self, data: st.DataObject) -> None:
        """A person brings a forgotten text back."""
        text = data.draw(st.sampled_from([text for text in TEXTS if normalise(text) in self.model.buried]), "text")
        at = self.later()
        noted = changes.note(self.store, draft(text, trust=Trust.USER), at, again=True)
        assert noted.id is not None
        self.model.buried.discard(normalise(text))
        self._created(noted.id, draft(text, trust=Trust.USER), at)

    @rule(source=st.integers(0, 2), into=st.integers(0, 2))
    def merge_projects(self, source: int, into: int) -> None:
        one, other = (self.model.canonical(self.projects[number]) for number in (source, into))
        names = [project.name for id in (one, other) if (project := projects.get(self.store, id))]
        if one == other:
            with pytest.raises(ValueError, match="one project already"):
                projects.merge(self.store, *names)
            return
        projects.merge(self.store, *names)
        self.model.merged[one] = other

    @rule()
    def close_and_open(self) -> None:
        self.store.close()
        self.store = opened(self.folder / "home")

    @rule()
    def take_a_copy(self) -> None:
        copies.refresh(self.store)

    @rule()
    def lose_the_file(self) -> None:
        """The database is gone; the last copy and the redo log give back everything, also how to undo it."""
        self.store.close()
        for file in (self.folder / "home").glob("memory.db*"):
            file.unlink()
        repair.restore(Home(self.folder / "home"), Settings(), self.now)
        self.store = opened(self.folder / "home")

    @rule()
    def rebuild(self) -> None:
        assert repair.rebuild(self.store) == len(self.model.state())

    @rule()
    def export_and_import(self) -> None:
        """An equal store in an empty home, from text alone; taking it in again changes nothing."""
        lines = [json.dumps(line, ensure_ascii=False) for line in exchange.export(self.store)]
        with tempfile.TemporaryDirectory(dir=self.folder) as folder, opened(Path(folder) / "home") as other:
            merged = exchange.merge(other, map(json.loads, lines), self.now, Trust.USER)
            assert (merged.rejected, merged.set_aside) == ([], [])
            assert contents(other) == contents(self.store)
            assert repair.differences(other) == []
            again = exchange.merge(other, map(json.loads, lines), self.now, Trust.USER)
            assert again.memories == set()
            assert contents(other) == contents(self.store)

    @invariant()
    def store_is_as_the_model(self) -> None:
        found = {memory.id: shape(memory) for memory in memories.all_memories(self.store)}
        assert found == self.model.state()
        hits = memories.hits(self.store, list(found))
        assert hits == {id: count for id, count in self.model.hits.items() if id in found}

    @invariant()
    def tables_are_as_the_log(self) -> None:
        assert repair.differences(self.store) == []


TestModel = pytest.mark.slow(StoreMachine.TestCase)
TestModel.settings = examples(20, HealthCheck.data_too_large, stateful_step_count=30)
