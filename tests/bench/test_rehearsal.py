"""The table of several people's sessions: got out of a repository, played, and sheets for readers."""

from __future__ import annotations

import hashlib
import json
import subprocess
from pathlib import Path

import pytest
from docs import past

from bench import measure, public_sessions, rehearsal, rehearsal_continuations, rehearsal_sheets
from tests.clients import sessions

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


def test_the_table_and_the_sheets(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A sheet has what a reader needs, and not what the rehearsal made of it; the key stands apart."""
    monkeypatch.setattr(measure, "OUT", tmp_path / "figures")
    past.main(str(tmp_path / "people"), "/home/ana/shop")
    asked = ["--readers", str(tmp_path / "readers"), "--number", "5", "--continuations", str(tmp_path / "on")]
    assert rehearsal.main([f"{tmp_path / 'people'}={repository}", *asked]) == 0
    told = capsys.readouterr().out
    assert "Kinds" in told
    assert "placebo" in told
    for name, wanted in (("opportunities", "**The answer**"), ("sayings", "**Said**")):
        sheet = (tmp_path / "readers" / f"{name}.md").read_text("utf-8")
        assert [sheet.count(word) for word in ("\n## ", wanted, "- ▶ ")] == [5, 5, 5]
        assert not any(word in sheet for word in ("contradicted", "cost", "lint rule"))
    key = json.loads((tmp_path / "readers" / "key.json").read_text())
    assert [len(key[name]) for name in ("opportunities", "sayings")] == [5, 5]
    figures = json.loads((tmp_path / "figures" / "rehearsal.json").read_text())
    assert json.dumps(figures).count("miner") == 2
    continued(tmp_path / "on", capsys)


def continued(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each place is once in each file, each time with another arm; answers are scored by the key."""
    key = json.loads((folder / "key.json").read_text())
    places = key["places"]
    assert places
    assert all(sorted(one["arms"].values()) == sorted(rehearsal_continuations.ARMS) for one in places.values())
    for name in rehearsal_continuations.FILES:
        text = (folder / f"{name}.md").read_text("utf-8")
        assert key[name] == hashlib.sha256(text.encode()).hexdigest()
        pieces = dict(enumerate(text.split("\n## ")[1:], 1))
        assert len(pieces) == len(places)
        for number, piece in pieces.items():
            place = places[str(number)]
            assert ("<hardwon" in piece) == bool(place["texts"][place["arms"][name]])
        known = {number: one["arms"][name] == "with" for number, one in places.items()}
        answers = {number: [f"Bash: {' '.join((one['answer'], *one['along'])) if known[number] else 'true'}"]
                   for number, one in places.items()}  # fmt: skip
        (folder / f"{name}.answers.json").write_text(json.dumps(answers))
    assert rehearsal.main(["--score", str(folder)]) == 0
    told = " ".join(capsys.readouterr().out.split())
    count = len(places)
    assert f"| all | with | {count} | {count} | 0 | {count} |" in told
    assert f"| all | without | {count} | 0 | 0 | 0 |" in told


def test_an_answer_behind_the_wrong_call_came_too_late() -> None:
    def right(*calls: str) -> bool:
        return rehearsal_continuations.judge(calls, ["--name-only"], ["--stat"])["right"]

    assert right("Bash: git status", "Bash: gh pr diff 7 --name-only")
    assert right("Bash: gh pr diff 7 --name-only", "Bash: git diff --stat")
    assert not right("Bash: gh pr diff 7 --stat", "Bash: gh pr diff 7 --name-only")
    assert not right("Bash: git status")


def test_a_remedy_is_known_by_its_verbs() -> None:
    held = rehearsal_continuations.judge(["Bash: git -C /shop read-tree HEAD"], ["git read-tree"], ["git status"])
    assert held == {"held": True, "wrong": False, "right": True}


def test_a_sample_is_the_same_each_time_and_has_something_of_each_group() -> None:
    found = [("many", number) for number in range(50)] + [("few", 1), ("two", 1), ("two", 2)]
    some = rehearsal_sheets.spread(found, 10, lambda one: one[0])
    assert some == rehearsal_sheets.spread(found, 10, lambda one: one[0])
    assert {name for name, _ in some} == {"many", "few", "two"}
    assert len(set(some)) == 10
