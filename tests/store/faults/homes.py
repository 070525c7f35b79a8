"""A home with memories in every place where they can be, and a writer that was killed."""

from __future__ import annotations

import shutil
from pathlib import Path

from hardwon.memory import Memory, Status
from hardwon.store import changes, projects
from hardwon.store.log import copies
from tests.support import contents, go, note, now, opened, ready, start


def killed_writer(home: Path, prefix: str, count: int) -> list[str]:
    """The ids that a writer was given before it was killed; what it wrote is still in the WAL."""
    with start("note_and_wait", home, prefix, count) as writer:
        ready(writer)
        go(writer)
        assert writer.stdout is not None
        ids = [writer.stdout.readline().strip() for _ in range(count)]
        writer.kill()
    return ids


def build(home: Path) -> dict[str, tuple[Memory, int]]:
    """A home with memories in a copy, in the redo log, and in the WAL of a writer that was killed; all of them."""
    with opened(home) as store:
        for name in ("one", "two", "three"):
            (home.parent / name).mkdir(exist_ok=True)
        places = [projects.claim(store, home.parent / name, now())[1] for name in ("one", "two", "three")]
        ids = [note(store, f"in the copy: lesson {number}", project=places[number % 3].id) for number in range(60)]
        copies.refresh(store)
        late = [note(store, f"in the redo log: lesson {number}", title=f"title {number}") for number in range(30)]
        for id in ids[:5]:
            changes.move(store, id, Status.ARCHIVED, now(), reason="enough")
        for _ in range(3):
            note(store, "in the redo log: lesson 3", title="title 3")
        changes.edit(store, late[7], {"body": "in the redo log: changed"}, now())
        changes.undo(store, now())
        projects.merge(store, places[0].name, places[1].name)
        projects.rename(store, places[2].name, "another name")
    killed_writer(home, "in the WAL", 5)
    shutil.copytree(home, home.with_name("spare"))
    with opened(home.with_name("spare"), write=False) as store:
        return contents(store)
