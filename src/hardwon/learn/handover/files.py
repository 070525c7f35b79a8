"""Which files a session has changed, and not taken back."""

from __future__ import annotations

from dataclasses import dataclass, field

from hardwon import action
from hardwon.event import Event, EventType
from hardwon.learn.handover.checks import SHELLS
from hardwon.text import guards
from hardwon.text.guards.git_command import Ground, of_run

EDITS = action.EDITS | {"edit", "write", "apply_patch", "write_file", "replace"}
MOST = 500


@dataclass(slots=True)
class Files:
    changed: dict[str, None] = field(default_factory=dict)
    committed: set[str] = field(default_factory=set)

    def saw(self, event: Event) -> None:
        if event.type is not EventType.TOOL_FINISHED:
            return
        if event.tool in EDITS:
            self._add(event.target)
        elif event.tool in SHELLS:
            self._ran(event.target)

    def _add(self, file: str) -> None:
        if file and not file.startswith(("/", "~", "..")) and len(self.changed) < MOST:
            self.changed.pop(file, None)
            self.changed[file] = None

    def _ran(self, command: str) -> None:
        if not guards.may_matter(command) and "rm " not in command:
            return
        line = guards.runs(command)
        for one in guards.written(line):
            if "." in one.file and "*" not in one.file:
                self._add(one.file)
        ground = Ground()
        for run in line:
            if run.words and run.name == "rm":
                self._take_back(run.texts[1:])
            for git in of_run(run, ground):
                if git.name == "commit":
                    self.committed |= set(self.changed)
                elif git.name == "rm" or git.name == "restore" or (git.name == "checkout" and "--" in git.texts):
                    self._take_back(git.texts)
                elif git.name in ("reset",) and "--hard" in git.texts:
                    self._take_back(["."])

    def _take_back(self, names: tuple[str, ...] | list[str]) -> None:
        for name in names:
            folder = name.removeprefix("./").rstrip("/")
            for file in list(self.changed):
                if name == "." and file in self.committed:
                    continue
                if name == "." or file == folder or file.startswith(f"{folder}/"):
                    del self.changed[file]

    def all(self) -> tuple[str, ...]:
        """The last one first."""
        return tuple(reversed(self.changed))
