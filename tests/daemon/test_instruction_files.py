"""What the client's own files say, CLAUDE.md and its like, is not said again."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from hardwon.memory import Kind
from tests.daemon.answers import ids_in, short
from tests.daemon.health import status
from tests.daemon.running import Daemon, keep
from tests.daemon.session import Session


@pytest.mark.parametrize(
    "file",
    ["app/CLAUDE.md", "app/AGENTS.md", "app/CLAUDE.local.md", "app/.claude/CLAUDE.md", "app/sub/CLAUDE.md",
     "c/projects/p/memory/MEMORY.md", "c/CLAUDE.md"],
)  # fmt: skip
def test_what_the_clients_own_files_say_is_not_said_again(daemon: Daemon, file: str) -> None:
    """At no moment; in whatever case, with whatever blanks. What they don't say, is."""
    root = daemon.folder.parent
    with daemon.store(write=True) as store:
        keep(store, "Use pnpm, never npm, for widgets", Kind.RULE, folder=daemon.folder)
        keep(store, "Widgets are deployed on Fridays", folder=daemon.folder, skill="deploy")
        keep(store, "widget tests want the network", folder=daemon.folder, command="make widgets")
        keep(store, "The widget cache is in /tmp", folder=daemon.folder)
        unknown = keep(store, "The widget server listens on 8080", Kind.RULE, folder=daemon.folder)
    path = root / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        "# Rules\n\n- use **nothing** else\n- USE pnpm,\n  never npm, for widgets\n* the widget cache is in /tmp\n"
        "1. widgets are deployed on fridays\n- Widget tests  want the network\n",
        "utf-8",
    )
    (daemon.folder / "sub").mkdir(exist_ok=True)
    daemon.start()
    session = Session(daemon, cwd=str(daemon.folder / "sub"), transcript=str(root / "c/projects/p/s1.jsonl"))
    assert ids_in(session.start()) == short(unknown)
    assert session.prompt("where is the widget cache?") == ""
    assert session.skill("deploy") == ""
    assert session.before("make widgets") == {}


def test_a_changed_file_is_read_again(daemon: Daemon) -> None:
    """It is looked at each time, and read when it has changed."""
    with daemon.store(write=True) as store:
        keep(store, "Use pnpm, never npm", Kind.RULE, folder=daemon.folder)
    daemon.start()
    (daemon.folder / "CLAUDE.md").write_text("use pnpm, never npm")
    assert Session(daemon, "s1").start() == ""
    (daemon.folder / "CLAUDE.md").write_text("use whatever you like")
    assert Session(daemon, "s2").start()


def leads_to(path: str) -> Callable[[Path], None]:
    return lambda file: file.symlink_to(path)


@pytest.mark.parametrize(
    "make", [os.mkfifo, leads_to("/dev/ptmx"), leads_to("/dev/zero"), leads_to(".")], ids=["pipe", "tty", "zero", "dir"]
)
def test_what_is_no_file_holds_nobody_up(daemon: Daemon, make: Callable[[Path], None]) -> None:
    """A repository may bring a CLAUDE.md that never ends or never begins: it is passed over."""
    with daemon.store(write=True) as store:
        keep(store, "widget tests want the network", folder=daemon.folder, command="make widgets")
    make(daemon.folder / "CLAUDE.md")
    daemon.start()
    began = time.monotonic()
    for number in range(4):  # the first is answered in a thread, the later ones in the loop itself
        assert Session(daemon, f"s{number}").before("make widgets")
    assert status(daemon)["late"] == 0
    assert time.monotonic() - began < 3
