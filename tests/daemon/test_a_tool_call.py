"""docs/a-tool-call.md walks one tool call through the files; this walks it through the daemon."""

from __future__ import annotations

import ast
import datetime
import re
import sys
from pathlib import Path

import pytest

import hardwon
from tests.daemon.running import Daemon
from tests.daemon.session import Session
from tests.daemon.transcripts import call, transcript

PAGE = Path(__file__).resolve().parents[2] / "docs" / "a-tool-call.md"
SOURCE = Path(hardwon.__file__).parent
STEP = re.compile(r"`([\w/]+\.py): ([\w.]+)`")
"""How the page names a function: the file below src/hardwon, and the name in it."""
ELSEWHERE = ("hook/",)
"""What runs in the client's process and not in the daemon."""
ERROR = "Exit code 2\nconnect ECONNREFUSED 127.0.0.1:5432\nmake: *** [test] Error 2"
FAILING, MENDING = {"command": "make test"}, {"command": "docker compose up -d db"}


@pytest.fixture(scope="module")
def page() -> str:
    return PAGE.read_text("utf-8")


def test_every_function_on_the_page_is_there(page: str) -> None:
    """Under the name and in the file that the page says."""
    named = set(STEP.findall(page))
    assert len(named) > 20
    assert {(file, name) for file, name in named if name not in functions(SOURCE / file)} == set()


def functions(file: Path) -> set[str]:
    found = set()
    for node in ast.parse(file.read_text("utf-8")).body:
        inside = node.body if isinstance(node, ast.ClassDef) else ()
        prefix = f"{node.name}." if isinstance(node, ast.ClassDef) else ""
        for one in (node, *inside):
            if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef):
                found.add(f"{prefix if one is not node else ''}{one.name}")
    return found


def test_the_page_tells_what_happens(daemon: Daemon, tmp_path: Path, page: str) -> None:
    """Each function that it names is called by the call that it walks with, and what it quotes is what is said. A turn
    is learned from once."""
    traced = tmp_path / "called"
    start(daemon, traced)
    assert a_day(daemon, "monday") == ""
    assert without_ids(a_day(daemon, "tuesday")) in quoted(page)

    wednesday = Session(daemon, "wednesday")
    wednesday.start()
    assert without_ids(wednesday.before("make test")["additionalContext"]) in quoted(page)
    wednesday.before("git status")  # answered at once also where the first one took longer than a project is remembered
    daemon.settle()
    daemon.leave()

    called = dict(line.rsplit(" ", 1) for line in traced.read_text().splitlines())
    named = {f"{file}: {name}" for file, name in STEP.findall(page) if not file.startswith(ELSEWHERE)}
    assert named - called.keys() == set()
    assert called["learn/session.py: report"] == "2"


def a_day(daemon: Daemon, day: str) -> str:
    """The call fails, is mended, and passes: what is said to the failure."""
    path = daemon.folder.parent / "projects" / "p" / f"{day}.jsonl"
    session = Session(daemon, day, transcript=str(path))
    session.start()
    session.prompt("run the tests")
    assert session.before("make test") == {}
    said = session.failed("make test", ERROR, call=f"toolu_{day}_1")
    daemon.settle()
    as_the_client_writes(path, day, daemon.folder)
    session.stop()
    daemon.settle()
    return said


def start(daemon: Daemon, file: Path) -> None:
    """The real daemon, and which functions were called in it."""
    script = Path(__file__).with_name("traced.py")
    daemon.start([sys.executable, "-P", str(script), str(file), "hardwon.daemon", str(daemon.home.root), "run"])


def as_the_client_writes(path: Path, day: str, folder: Path) -> None:
    """The turn in the transcript when it ends: the call that failed, what was done, the call that passed."""
    records = [
        *call(f"toolu_{day}_1", "Bash", FAILING, ERROR, wrong=True),
        *call(f"toolu_{day}_2", "Bash", MENDING, "Container db started"),
        *call(f"toolu_{day}_3", "Bash", FAILING, "14 passed"),
    ]
    began = datetime.datetime.now(datetime.UTC)
    times = [(began + datetime.timedelta(milliseconds=number)).isoformat() for number in range(len(records))]
    timed = [record | {"timestamp": at} for record, at in zip(records, times, strict=True)]
    transcript(path, day, folder, *timed)


def quoted(page: str) -> list[str]:
    """What stands in the page's fenced blocks, with any id."""
    blocks = re.findall(r"^```\n(.*?)\n```$", page, re.DOTALL | re.MULTILINE)
    return [without_ids(block) for block in blocks]


def without_ids(text: str) -> str:
    return re.sub(r"\[[0-9a-f]{6}\]", "[ID]", text)
