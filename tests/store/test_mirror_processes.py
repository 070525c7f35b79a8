"""Several processes on one markdown file, and processes that die while they write it."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from hardwon.memory import Status
from hardwon.store import mirror
from hardwon.store.tables import memories
from tests.support import now, opened

WORKERS = str(Path(__file__).with_name("mirror_workers.py"))


def started(what: str, home: Path, *arguments: object) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent.parent)}
    command = [sys.executable, WORKERS, what, str(home), *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)


def lines(process: subprocess.Popen[str]) -> list[str]:
    said, _ = process.communicate(timeout=120)
    return said.splitlines()


def by_status(home: Path, status: Status) -> set[str]:
    with opened(home) as store:
        return {memory.body for memory in memories.all_memories(store) if memory.status is status}


def test_writers_and_an_editor_at_once(tmp_path: Path) -> None:
    """Four processes note for one skill while an editor saves old copies of its file: every lesson and
    every bullet stays, none is taken for deleted, and the file says in the end what the memory says."""
    writers = [started("notes", tmp_path, f"writer-{number}", 15) for number in range(4)]
    editor = started("edits", tmp_path, "editor", 15)
    noted = {line for process in writers for line in lines(process)}
    typed = set(lines(editor))
    assert len(noted) == 60
    with opened(tmp_path) as store:
        mirror.absorb(store, now())
        mirror.refresh(store, now())
    active = by_status(tmp_path, Status.ACTIVE)
    assert noted <= active
    assert typed <= active
    assert active <= noted | typed
    assert by_status(tmp_path, Status.ARCHIVED) == set()
    text = (tmp_path / "skills" / "git" / "KNOWLEDGE.md").read_text()
    assert all(f"] {body}  [HIT:0]\n" in text for body in active)
    assert sorted(path.name for path in (tmp_path / "skills" / "git").iterdir()) == ["KNOWLEDGE.md"]


def test_a_process_killed_while_it_writes(tmp_path: Path) -> None:
    """Wherever it dies: the file is whole, nothing that was kept is lost, nothing is taken for deleted."""
    moments = random.Random(4)
    file = tmp_path / "skills" / "git" / "KNOWLEDGE.md"
    noted: set[str] = set()
    for number in range(12):
        process = started("notes", tmp_path, f"writer-{number}", 1_000)
        assert process.stdout is not None
        noted.add(process.stdout.readline().rstrip("\n"))
        time.sleep(moments.uniform(0, 0.06))
        process.send_signal(signal.SIGKILL)
        noted |= {line for line in lines(process) if line}
        if file.exists():
            assert file.read_text().rstrip("\n").endswith("-->")
    with opened(tmp_path) as store:
        mirror.absorb(store, now())
        mirror.refresh(store, now())
    active = by_status(tmp_path, Status.ACTIVE)
    assert noted <= active
    assert len(active - noted) <= 12  # kept, and killed before it could say so
    assert by_status(tmp_path, Status.ARCHIVED) == set()
    assert all(body in file.read_text() for body in active)
