"""What the tests of the store share: opening a home, a draft to note, looking for bytes, other processes."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hardwon.memory import GLOBAL, Draft, Kind, Memory, Scope, Trust
from hardwon.paths import Home
from hardwon.settings import Settings
from hardwon.store import changes
from hardwon.store.connection import Store, open_store
from hardwon.store.tables import memories

WORKERS = str(Path(__file__).with_name("store") / "workers.py")


def now() -> int:
    return int(time.time() * 1000)


def opened(root: Path, settings: Settings | None = None, *, write: bool = True) -> Store:
    """The store of the home in this folder."""
    return open_store(Home(root), settings or Settings(), write=write)


def draft(body: str, *, project: str = GLOBAL, skill: str | None = None, **fields: Any) -> Draft:
    """A lesson that an agent wants kept everywhere, unless said otherwise."""
    given = {"kind": Kind.LESSON, "trust": Trust.AGENT, "source": "agent"} | fields
    return Draft(body=body, scope=Scope(project, skill), **given)


def note(store: Store, body: str, at: int | None = None, **fields: Any) -> str:
    """Keep a text that is new or known; its id."""
    noted = changes.note(store, changes.passed(store, draft(body, **fields)), now() if at is None else at)
    assert noted.id is not None, "the text was forgotten"
    return noted.id


def contents(store: Store) -> dict[str, tuple[Memory, int]]:
    """Every memory with its hits, by id: two stores with equal contents remember the same."""
    found = {memory.id: memory for memory in memories.all_memories(store)}
    hits = memories.hits(store, list(found))
    return {id: (memory, hits.get(id, 0)) for id, memory in found.items()}


def bodies(root: Path) -> list[str]:
    """The texts of all memories in a home, sorted; looks without writing."""
    with opened(root, write=False) as store:
        return sorted(memory.body for memory in memories.all_memories(store))


def files_with(folder: Path, *texts: str) -> dict[str, list[str]]:
    """The files below a folder that hold one of these texts, in any case and any encoding that we write."""
    found: dict[str, list[str]] = {}
    for path in sorted(folder.rglob("*")):
        raw = path.read_bytes().lower() if path.is_file() else b""
        held = [text for text in texts if any(form in raw for form in _forms(text))]
        if held:
            found[str(path.relative_to(folder))] = held
    return found


def _forms(text: str) -> set[bytes]:
    plain = (text, text.lower(), text.casefold())
    escaped = json.dumps(text)[1:-1]
    return {form.encode().lower() for form in (*plain, escaped)} | {form.encode("utf-16-le").lower() for form in plain}


def start(what: str, *arguments: object, **options: Any) -> subprocess.Popen[str]:
    """A process of its own that does one of the things in workers.py."""
    command = [sys.executable, WORKERS, what, *map(str, arguments)]
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)},
        **options,
    )


def ready(*processes: subprocess.Popen[str]) -> None:
    """Wait until each has loaded everything and waits for `go`."""
    for process in processes:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line == "ready\n", process.communicate()


def go(*processes: subprocess.Popen[str]) -> None:
    """Let them begin at the same moment."""
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()


def output(process: subprocess.Popen[str]) -> list[str]:
    """What it printed, when it has ended well."""
    stdout, stderr = process.communicate(timeout=120)
    assert process.returncode == 0, stderr
    return stdout.splitlines()


@contextlib.contextmanager
def meanwhile(what: str, *arguments: object) -> Iterator[subprocess.Popen[str]]:
    """A worker that goes on until the block ends; the end of its input tells it to stop."""
    process = start(what, *arguments)
    ready(process)
    go(process)
    try:
        yield process
    finally:
        if process.poll() is None:
            process.communicate(timeout=120)
