"""The table of several people's sessions: got out of a repository, played, and sheets for readers."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from docs import past

from bench import measure, public_sessions, rehearsal
from tests.hosts import sessions

ID = "00000000-0000-4000-8000-000000000001"


def git(folder: Path, *words: str) -> None:
    settings = ["-c", "user.name=Ana", "-c", "user.email=ana@example.org", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", "-C", str(folder), *settings, *words], check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """With a session at two checkpoints, and something that is no session."""
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "-q")
    git(folder, "checkout", "-q", "-b", public_sessions.BRANCH)
    records = [
        *sessions.passed("toolu_one_passed_0001", "make"),
        *sessions.passed("toolu_two_passed_0001", "make test"),
    ]
    sessions.claude(folder / "00" / "a" / "0" / "full.jsonl", ID, "/home/ana/shop", *records[:2])
    sessions.claude(folder / "01" / "b" / "0" / "full.jsonl", ID, "/home/ana/shop", *records)
    (folder / "02").mkdir()
    (folder / "02" / "full.jsonl").write_text('{"info": {}}\n')
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "checkpoints")
    return folder


def test_of_each_session_the_largest_checkpoint_is_taken(
    repository: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert public_sessions.main([str(repository), str(tmp_path / "out")]) == 0
    (file,) = (tmp_path / "out").rglob("*.jsonl")
    assert file == tmp_path / "out" / "1" / f"{ID}.jsonl"
    assert len(file.read_text().splitlines()) == 4
    assert "3 files read, 0 missing in the clone, 1 that hardwon can't read" in capsys.readouterr().out


def rows(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def test_the_table_and_the_sheets(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A sheet has what a reader needs, and not what the rehearsal made of it."""
    monkeypatch.setattr(measure, "OUT", tmp_path / "figures")
    past.main(str(tmp_path / "people"), "/home/ana/shop")
    sheets = {name: tmp_path / f"{name}.jsonl" for name in rehearsal.SHEETS}
    asked = [word for name, file in sheets.items() for word in ("--sheet", name, "5", str(file))]
    assert rehearsal.main([f"{tmp_path / 'people'}={repository}", *asked]) == 0
    told = capsys.readouterr().out
    assert "Kinds" in told
    assert "placebo" in told
    opportunities, sayings = rows(sheets["opportunities"]), rows(sheets["sayings"])
    assert len(opportunities) == len(sayings) == 5
    assert all(one["what"] and one["answer"] and one["earlier"] and one["after"] for one in opportunities)
    assert {one["real"] for one in opportunities} == {None}
    assert all(one["said"] and one["before"] for one in sayings)
    assert "contradicted" not in sayings[0]
    figures = json.loads((tmp_path / "figures" / "rehearsal.json").read_text())
    assert json.dumps(figures).count("miner") == 2


def test_a_sheet_of_something_else_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SystemExit):
        rehearsal.main([f"{tmp_path}={tmp_path}", "--sheet", "memories", "5", "x"])
