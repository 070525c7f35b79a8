"""`python -m bench histories`: packs inside a Go source file become repositories."""

from __future__ import annotations

import base64
import gzip
import subprocess
from pathlib import Path

import pytest
from bench.recall import histories
from bench.recall.histories import History, Unavailable

from hardwon.evaluation import commits

PACK = "a" * 40


def git(folder: Path, *arguments: str, given: bytes = b"") -> bytes:
    names = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    done = subprocess.run(["git", "-C", str(folder), *names, *arguments], input=given, capture_output=True, check=True)
    return done.stdout


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Three commits on main; a side branch that left after the first."""
    folder = tmp_path / "original"
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch=main")
    for number, subject in enumerate(["Begin", "Add a queue", "Name the queue"]):
        (folder / "queue.txt").write_text(f"line {number}\n")
        git(folder, "add", ".")
        git(folder, "commit", "--quiet", "-m", subject)
    git(folder, "checkout", "--quiet", "-b", "side", "main~2")
    git(folder, "commit", "--quiet", "--allow-empty", "-m", "Aside")
    return folder


def source(repository: Path, pack: str = PACK) -> str:
    """As the generator of the package writes it, with another file around it."""
    data = git(repository, "pack-objects", "--all", "--stdout", "--quiet")
    text = base64.encodebytes(gzip.compress(data)).decode()
    return (
        "package fixtures\n\nvar _escData = map[string]*_escFile{\n\n"
        '\t"/data/other.idx": {\n\t\tname: "other.idx",\n\t\tcompressed: `AAAA`,\n\t},\n\n'
        f'\t"/data/pack-{pack}.pack": {{\n\t\tname:    "pack-{pack}.pack",\n\t\tsize:    {len(data)},\n'
        f"\t\tcompressed: `\n{text}`,\n\t}},\n}}\n"
    )


def head(repository: Path) -> str:
    return git(repository, "log", "-1", "--format=%s", "HEAD").decode().strip()


def test_a_pack_becomes_a_repository_whose_commits_are_read(tmp_path: Path, repository: Path) -> None:
    """Without a known head it is the tip with the longest history; `--commits` takes the folder as it is."""
    history = History("made", PACK, histories.TUNING)
    made = histories.repositories(source(repository), tmp_path / "out", [history])
    assert made == {history: tmp_path / "out" / "made.git"}
    assert head(made[history]) == "Name the queue"
    questions = commits.load(made[history]).corpora[0].questions
    assert [one.text for one in questions] == ["Name the queue", "Add a queue", "Begin"]
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["made.git"]


def test_a_known_head_is_taken(tmp_path: Path, repository: Path) -> None:
    """Where the project's head is known, a longer branch does not count."""
    side = git(repository, "rev-parse", "side").decode().strip()
    history = History("made", PACK, histories.TUNING, side)
    made = histories.repositories(source(repository), tmp_path / "out", [history])
    assert head(made[history]) == "Aside"


def test_what_is_there_stays(tmp_path: Path, repository: Path) -> None:
    """A second run makes only what is missing."""
    history = History("made", PACK, histories.TUNING)
    made = histories.repositories(source(repository), tmp_path, [history])
    (made[history] / "mark").touch()
    assert histories.repositories("", tmp_path, [history]) == made
    assert (made[history] / "mark").exists()


def test_a_missing_or_broken_pack_is_named(tmp_path: Path, repository: Path) -> None:
    """The error says which history can't be had, and no half-made repository is left."""
    history = History("made", PACK, histories.TUNING)
    with pytest.raises(Unavailable, match="no pack for made"):
        histories.repositories(source(repository, "b" * 40), tmp_path / "out", [history])
    broken = f'"/data/pack-{PACK}.pack": {{ compressed: `{base64.b64encode(gzip.compress(b"no pack")).decode()}`, }}'
    with pytest.raises(Unavailable, match="git can't make the repository of made"):
        histories.repositories(broken, tmp_path / "out", [history])
    with pytest.raises(Unavailable, match=f"{PACK} in data.go can't be read"):
        histories.repositories(f'"/data/pack-{PACK}.pack": {{ compressed: `AAAA`, }}', tmp_path / "out", [history])
    assert list((tmp_path / "out").iterdir()) == []


def test_without_apt_get_the_error_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Elsewhere than on Debian the package can be given as a file."""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert histories.main([str(tmp_path / "out")]) == 1
    error = capsys.readouterr().err
    assert error.startswith("apt-get is not here")
    assert "--package" in error
    assert histories.main([str(tmp_path / "out"), "--package", str(tmp_path / "no.deb")]) == 1
    assert "no.deb is not a file" in capsys.readouterr().err


def test_the_halves_share_nothing() -> None:
    """Three histories are reported, and none of them is tuned on."""
    halves = {half: {one.name for one in histories.HISTORIES if one.half == half} for half in ("tuning", "reporting")}
    assert halves == {"tuning": {"desk", "storable"}, "reporting": {"go-git", "spinnaker", "rumprun-xen"}}
    assert len({one.pack for one in histories.HISTORIES}) == len(histories.HISTORIES)
