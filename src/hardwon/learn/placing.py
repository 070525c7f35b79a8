"""Where an event belongs; asked before anything of it is written."""

from __future__ import annotations

import dataclasses
import functools
from pathlib import Path

from hardwon.clients.speech import without_ours
from hardwon.event import Event
from hardwon.git import resolve
from hardwon.store import control, projects
from hardwon.store.connection import Store
from hardwon.store.projects import Seen
from hardwon.text import tiers

MOST_TARGETS, MOST_FOLDERS = 20_000, 2_000


@dataclasses.dataclass(slots=True)
class _Folder:
    seen: Seen
    excluded: str | None
    project: str = ""
    """Its project, from its first event on: one that is excluded does not even become known."""

    @property
    def name(self) -> str:
        return self.seen.project.name if self.seen.project else self.seen.place.name


class Places:
    """Each folder is looked at once, and its project made known with its first event."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._keeping = control.keeping(store)
        self._folders: dict[str, _Folder] = {}
        self._targets: dict[tuple[str, str], str] = {}
        self._is_plain = functools.lru_cache(MOST_FOLDERS)(_is_plain)
        self._real = functools.lru_cache(MOST_FOLDERS)(resolve)

    def placed(self, event: Event) -> Event | None:
        """With its project, and its file as the project knows it; None where and when nothing is to be kept. What
        hardwon itself said, and the event only quotes, is left out: it must not be learned again."""
        text, error = without_ours(event.text), without_ours(event.error)
        if not event.cwd:
            return dataclasses.replace(event, text=text, error=error)
        folder = self._folder(event.cwd)
        if folder.excluded or not self._keeping(event.at):
            return None
        if not folder.project:
            folder.project = projects.claim(self._store, event.cwd, event.at, folder.seen)[1].id
        target = self._target(event, folder.seen.place.root)
        return dataclasses.replace(event, project=folder.project, target=target, text=text, error=error)

    def _target(self, event: Event, root: str) -> str:
        """To find a file among links means asking the disk: once for each."""
        if event.tool not in tiers.FILE_TOOLS:
            return tiers.target(event, root)
        said = (event.cwd, event.target)
        if said not in self._targets:
            if len(self._targets) > MOST_TARGETS:
                self._targets.clear()
            self._targets[said] = self._below(event.target, root) or tiers.target(event, root, self._real)
        return self._targets[said]

    def _below(self, path: str, root: str) -> str:
        """A plain path in a folder that is no link, from the root; empty for any other, which takes many times as long
        to tell."""
        folder, _, name = path.rpartition("/")
        if not root or name in ("", ".", "..") or not f"{folder}/".startswith(f"{root}/") or not path.isascii():
            return ""
        if "\0" in path or not (self._is_plain(root) and self._is_plain(folder)):
            return ""
        return path[len(root) + 1 :]

    def name(self, folder: str) -> str:
        """What the project of a folder is called, or would be."""
        return self._folder(folder).name

    def why_not(self, folder: str) -> str | None:
        """Why nothing is kept there, whenever it happened."""
        return self._folder(folder).excluded

    def _folder(self, folder: str) -> _Folder:
        if folder not in self._folders:
            found = _Folder(projects.look(self._store, folder), None)
            reasons = (
                control.excluded(self._store.settings, found.name, each) for each in (folder, found.seen.place.root)
            )
            found.excluded = next(filter(None, reasons), None)
            self._folders[folder] = found
        return self._folders[folder]


def _is_plain(folder: str) -> bool:
    """Whether it is written as the disk has it."""
    return str(resolve(Path(folder))) == folder
