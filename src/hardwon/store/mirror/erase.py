"""Taking texts out of the files: what was forgotten, and what today's redaction rules find.

Whole files are gone through, prose as well: a file of ours under the home is no hiding place. Also what a killed
process has left half written. Files are changed inside the transaction that forgets, before it commits; who dies in
between has bullets missing, never texts left.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from hardwon.memory import Kind
from hardwon.store.connection import Store
from hardwon.store.errors import StoreBusy
from hardwon.store.mirror import disk, tables
from hardwon.store.mirror.settle import ATTEMPTS
from hardwon.store.mirror.tables import MirrorFile
from hardwon.text.skills import knowledge_entries
from hardwon.text.skills.knowledge_entries import Entry, Prose

Cut = Callable[[Entry | Prose], str]
"""What is left of a piece; its own text when nothing has to go."""


def alone(store: Store) -> AbstractContextManager[None]:
    """The lock of the files, if there are any; to be taken before the transaction is begun."""
    if not (store.home.skills.is_dir() or store.home.global_.is_dir()):
        return contextlib.nullcontext()
    return disk.alone(store.home, store.settings.store.busy_seconds)


def erase(store: Store, cut: Cut, *, dry_run: bool = False) -> None:
    """Go through every file."""
    for file in _files(store):
        path = file.path(store.home)
        if not dry_run:
            disk.draft_of(path).unlink(missing_ok=True)
        _erase(store, file, path, cut, dry_run)


def _erase(store: Store, file: MirrorFile, path: Path, cut: Cut, dry_run: bool) -> None:
    for _ in range(ATTEMPTS):
        seen = disk.read(path, any_bytes=True)
        if seen.text is None:
            return
        text = "".join(map(cut, knowledge_entries.parse(seen.text).pieces))
        if text == seen.text or dry_run:
            return
        stamp = disk.write(path, text, seen.stamp)
        if stamp:
            _remember(store, file, seen.stamp, stamp)
            return
    raise StoreBusy(f"{path} is written by another program all the time: close it there, then try again.")


def _remember(store: Store, file: MirrorFile, before: str, after: str) -> None:
    """A file that was as we left it is so again; one with hand edits still has them to be taken in."""
    if tables.base(store, file).stamp == before:
        tables.left(store, file, after)


def _files(store: Store) -> Iterator[MirrorFile]:
    """By the folders that are there, not by what the tables know."""
    yield from (MirrorFile("", kind, f"global/{name}") for kind, name in tables.NAMES.items())
    if not store.home.skills.is_dir():
        return
    by_name = dict(store.rows("select file, skill from mirror_files"))
    for place in sorted(one for one in store.home.skills.iterdir() if one.is_dir()):
        for kind, name in tables.NAMES.items():
            file = f"skills/{place.name}/{name}"
            yield MirrorFile(by_name.get(file, ""), Kind(kind), file)


def cutter(
    change: Callable[[str], str],
    *,
    prose: Callable[[str], str] | None = None,
    is_doomed: Callable[[str], bool] = lambda _: False,
) -> Cut:
    """Drops bullets whose text is doomed and changes the others, and prose in a way of its own if there is one."""

    def cut(piece: Entry | Prose) -> str:
        if isinstance(piece, Prose):
            return (prose or change)(piece.text)
        return "" if is_doomed(piece.text) else change(piece.source)

    return cut
