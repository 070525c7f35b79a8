"""Playing scenarios: each in a project folder of its own, its sessions one after the other, in one home.

Whoever plays is told and listens: stopped with the right fix, they don't insist; when something fails, they do what
ended well in the first session. So later sessions find a memory as it would be at work.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.replay import plain
from bench.replay.client import Session, Wire
from bench.replay.judge import Heard, Moment, Said, Verdict, judge, names
from bench.replay.scenario import PROJECT, Act, Kind, Later, Scenario, Step, Unrelated
from hardwon.daemon import lifecycle
from hardwon.hook import install
from hardwon.memory import GLOBAL, Memory, Status, Trust
from hardwon.memory import Kind as MemoryKind
from hardwon.paths import Home, make
from hardwon.settings import DEFAULTS
from hardwon.store import projects
from hardwon.store.connection import open_store
from hardwon.store.tables import memories
from hardwon.store.tables.memories import Filter

PATIENCE = 60.0
NOT_WORKED = ("failed", "partial")
GONE = (Status.ARCHIVED, Status.FORGOTTEN, Status.SUPERSEDED)


@dataclass
class Played:
    """What came of it, for the product and for the plain memory beside it."""

    verdicts: list[Verdict] = field(default_factory=list)
    plain: list[Verdict] = field(default_factory=list)
    unrelated: list[tuple[Unrelated, tuple[Said, ...], tuple[Said, ...]]] = field(default_factory=list)
    """Each with what the product and what the plain memory said."""


class Player:
    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self.home = Home(self.root / "h")
        self.played = Played()

    def __enter__(self) -> Player:
        make(self.home)
        install.refresh(self.home)
        if lifecycle.start(self.home) is None:
            raise RuntimeError(f"the daemon of {self.home.root} did not start; see {self.home.log}")
        return self

    def __exit__(self, *_: object) -> None:
        lifecycle.stop(self.home)

    def scenario(self, one: Scenario, *, by_process: bool = False) -> None:
        folder = self._folder(one.id)
        wire = Wire(self.home, by_process)
        first, _, _ = self._session(wire, folder, one, one.first[0].target, one.first[1:])
        self._judge(one, Heard(one.id, "first", one.first[0].target, first, verified=self._verified(folder)))
        for number, later in enumerate(one.later):
            own = self._folder(f"{one.id}-{number}") if later.kind is Kind.FLAKY else folder
            self._later(wire, own, one, later)

    def _later(self, wire: Wire, folder: Path, one: Scenario, later: Later) -> None:
        about = (one.id, later.kind, later.prompt)
        if later.kind is not Kind.FLAKY:
            found = plain.best(self._texts(folder), later.prompt)
            beside = Heard(*about, (Said(Moment.PROMPT, found),) if found else (), later.stop_once, later.same_command)
            # A prompt is all that it ever sees: what cannot be told apart at the prompt is not held against it.
            self.played.plain.append(judge(beside, one.fix))
        then = one.ending if later.kind in (Kind.REPEAT, Kind.PARAPHRASE) else ()
        said, twice, hindered = self._session(wire, folder, one, later.prompt, later.steps, then)
        verified = self._verified(folder) if later.kind is Kind.FLAKY else ()
        self._judge(one, Heard(*about, said, later.stop_once, later.same_command, twice, hindered, verified))

    def unrelated(self, given: Sequence[Unrelated], among: Sequence[Scenario]) -> None:
        """Each in a session of its own, in the project of some scenario: where there is something to be said."""
        for number, one in enumerate(given):
            folder = self._folder(among[number % len(among)].id)
            beside: tuple[Said, ...] = ()
            session = Session(Wire(self.home), folder, self._transcripts(folder))
            said = [Said(Moment.START, session.start())]
            if one.prompt:
                found = plain.best(self._texts(folder), one.prompt)
                beside = (Said(Moment.PROMPT, found),) if found else ()
                said.append(Said(Moment.PROMPT, session.prompt(one.prompt)))
            else:
                _, text, reason = session.before("Bash", {"command": one.command})
                said += [Said(Moment.RESULT, text), Said(Moment.STOPPED, reason)]
            session.leave()
            self.played.unrelated.append((one, _spoken(said), beside))
        self._settle()

    def _judge(self, one: Scenario, heard: Heard) -> None:
        self.played.verdicts.append(judge(heard, one.fix))

    def _session(
        self, wire: Wire, folder: Path, one: Scenario, prompt: str, steps: Sequence[Step], then: Sequence[Step] = ()
    ) -> tuple[tuple[Said, ...], bool, bool]:
        """What was said in it, whether somebody who insisted was stopped again, and whether the fix was stopped."""
        session = Session(wire, folder, self._transcripts(folder))
        said = [Said(Moment.START, session.start()), Said(Moment.PROMPT, session.prompt(prompt))]
        twice = heeds = False
        for step in steps:
            if heeds and step.fails:
                continue  # known now to fail
            done = _do(session, step, folder)
            if done[-1].moment is Moment.STOPPED:
                heeds = names(one.fix, done[-1].text)
                done += [] if heeds else _do(session, step, folder)
                twice |= len(done) > 1 and done[-1].moment is Moment.STOPPED
            said += done
            self._settle()  # a model thinks for longer than keeping takes
        fixed = [spoken for step in then for spoken in _do(session, step, folder)]
        session.end()
        self._settle()
        hindered = any(spoken.moment is Moment.STOPPED for spoken in fixed)
        said += [Said(Moment.AFTERWARDS, spoken.text) for spoken in fixed]
        return _spoken(said), twice, hindered

    def _folder(self, name: str) -> Path:
        folder = self.root / name
        if not folder.exists():
            folder.mkdir()
            subprocess.run(["git", "init", "--quiet", str(folder)], check=True)
        return folder

    def _transcripts(self, folder: Path) -> Path:
        return self.root / "transcripts" / folder.name

    def _settle(self) -> None:
        """Until everything that was sent is kept and learned from."""
        until = time.monotonic() + PATIENCE
        while (lifecycle.status(self.home) or {}).get("waiting") != 0:
            if time.monotonic() > until:
                raise RuntimeError(f"after {PATIENCE:.0f} s the daemon had still not kept everything")
            time.sleep(0.005)

    def _known(self, folder: Path) -> list[Memory]:
        with open_store(self.home, DEFAULTS, write=False) as store:
            _, project = projects.look_up(store, folder)
            found, _ = memories.listed(store, Filter(projects=(project.id, GLOBAL) if project else (GLOBAL,)))
        return [memory for memory in found if memory.status not in GONE]

    def _texts(self, folder: Path) -> list[str]:
        return [f"{memory.title}\n{memory.body}".strip() for memory in self._known(folder)]

    def _verified(self, folder: Path) -> tuple[str, ...]:
        """What is kept as a fix that worked; an attempt of which it is known that it did not is something else."""
        fixes = [one for one in self._known(folder) if one.kind is MemoryKind.FIX and one.trust is Trust.VERIFIED]
        return tuple(f"{memory.title}\n{memory.body}" for memory in fixes if memory.subtype not in NOT_WORKED)


def _spoken(said: Sequence[Said]) -> tuple[Said, ...]:
    return tuple(one for one in said if one.text)


def _call(step: Step, folder: Path) -> tuple[str, dict[str, Any]]:
    """The tool of the client that does a step, and what it is given."""
    if step.act is Act.RUN:
        return "Bash", {"command": _here(step.target, folder)}
    file = str(folder / step.target)
    if step.act is Act.EDIT:
        return "Edit", {"file_path": file, "old_string": step.old, "new_string": step.new, "replace_all": False}
    if step.act is Act.WRITE:
        return "Write", {"file_path": file, "content": step.new}
    return "Read", {"file_path": file}


def _do(session: Session, step: Step, folder: Path) -> list[Said]:
    """One step, and what was said to it; the last one is a stop when it was not let through."""
    tool, given = _call(step, folder)
    call, text, reason = session.before(tool, given)
    if reason:
        return [Said(Moment.STOPPED, reason)]
    said = Said(Moment.RESULT, text)
    if step.fails:
        error = f"Exit code {step.status}\n{_here(step.error, folder)}".rstrip()
        return [said, Said(Moment.FAILURE, session.failed(tool, given, call, error))]
    shown, response = _result(step, folder)
    return [said, Said(Moment.RESULT, session.passed(tool, given, call, shown, response))]


def _result(step: Step, folder: Path) -> tuple[str, Any]:
    """What the model sees of a call that passed, and what the client keeps of it. Files are really written."""
    text = _here(step.new, folder)
    if step.act is Act.RUN:
        return text, {"stdout": text, "stderr": "", "interrupted": False, "isImage": False}
    file = folder / step.target
    if step.act is Act.READ:
        return "", {"type": "text", "file": {"filePath": str(file), "content": "", "numLines": 0}}
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    if step.act is Act.WRITE:
        return f"File created successfully at: {file}", {"type": "create", "filePath": str(file), "content": text}
    edited = {"filePath": str(file), "oldString": step.old, "newString": step.new, "originalFile": step.old}
    return f"The file {file} has been updated successfully.", {**edited, "userModified": False, "replaceAll": False}


def _here(text: str, folder: Path) -> str:
    return text.replace(PROJECT, str(folder))
