from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType

import pytest

from hardwon import project
from hardwon.event import Event, EventType
from hardwon.learn.placing import Places
from hardwon.paths import home
from hardwon.project import relative_file
from hardwon.settings import DEFAULTS
from hardwon.store import projects
from hardwon.store.connection import open_store

OURS = '<hardwon moment="prompt">\n- lesson: use tabs [abcdef]\n</hardwon>'


def test_what_hardwon_said_is_not_learned_again(tmp_path: Path) -> None:
    """A command that prints one of our blocks, or fails with it, is kept without the block."""
    event = Event(
        EventType.TOOL_FAILED,
        "claude-code",
        "s",
        1,
        cwd=str(tmp_path),
        text=f"before {OURS} after",
        error=f"{OURS}boom",
    )
    with open_store(home({"HARDWON_HOME": str(tmp_path / "home")}), DEFAULTS) as store:
        kept = Places(store).placed(event)
    assert kept is not None
    assert (kept.text, kept.error) == ("before  after", "boom")


@pytest.mark.parametrize(
    "said",
    [
        "{root}/src/a.py",
        "{root}/src/../b.py",
        "{root}//src/a.py",
        "{root}/./src/a.py",
        "{root}/src/",
        "{root}/src/.",
        "{root}/src/..",
        "{root}/link/a.py",
        "{root}/out/a.py",
        "{root}/AGENTS.md",
        "{root}/new/folder/c.py",
        "{root}/sr\u00e7/\udce9.py",
        "{root}/src/a\0.py",
        "{root}",
        "{root}x/a.py",
        "{root}/../root/src/a.py",
        "{other}/root/src/a.py",
        "src/a.py",
        "/etc/hosts",
        "~/a.py",
        "C:\\work\\a.py",
    ],
)
def test_a_file_has_one_name_however_it_is_found(tmp_path: Path, said: str) -> None:
    """Most paths are told by their beginning alone; none may become another than it is by the long way."""
    root, other = tmp_path / "root", tmp_path / "other"
    (root / "src").mkdir(parents=True)
    (root / ".git").mkdir()
    (root / "src" / "a.py").touch()
    (root / "link").symlink_to(root / "src")
    (root / "out").symlink_to(tmp_path)
    (root / "AGENTS.md").symlink_to(root / "src" / "a.py")
    other.symlink_to(tmp_path)
    path = said.replace("{root}", str(root)).replace("{other}", str(other))
    with open_store(home({"HARDWON_HOME": str(tmp_path / "home")}), DEFAULTS) as store:
        places = Places(store)
        for top in (root, other / "root"):
            event = Event(EventType.TOOL_FINISHED, "claude-code", "s", 1, cwd=str(top), tool="Read", target=path)
            kept = places.placed(event)
            assert kept is not None
            assert kept.target == relative_file(path, places._folder(str(top)).seen.place.root, str(top))


def test_a_folder_is_looked_at_once(tmp_path: Path) -> None:
    """To find its repository takes longer than all else about an event: once says whether it is excluded, and which
    project it is."""
    looks = 0

    def count(frame: FrameType, what: str, _: object) -> None:
        nonlocal looks
        looks += what == "call" and frame.f_code is project.locate.__code__

    with open_store(home({"HARDWON_HOME": str(tmp_path / "home")}), DEFAULTS) as store:
        _, known = projects.claim(store, tmp_path, 1)
        places = Places(store)
        sys.setprofile(count)
        try:
            kept = [places.placed(Event(EventType.TURN_ENDED, "a", "s", at, cwd=str(tmp_path))) for at in (1, 2)]
        finally:
            sys.setprofile(None)
    assert [one and one.project for one in kept] == [known.id, known.id]
    assert looks == 1


def test_a_project_that_changed_since_it_was_looked_at(tmp_path: Path) -> None:
    """Another process may have joined it with another one: what was seen does not count then."""
    folder = tmp_path / "shop"
    folder.mkdir()
    with open_store(home({"HARDWON_HOME": str(tmp_path / "home")}), DEFAULTS) as store:
        projects.claim(store, folder, 1)
        _, other = projects.claim(store, tmp_path, 1)
        places = Places(store)
        assert places.why_not(str(folder)) is None
        projects.merge(store, "shop", other.name)
        kept = places.placed(Event(EventType.TURN_ENDED, "a", "s", 2, cwd=str(folder)))
    assert kept is not None
    assert kept.project == other.id


def test_a_plain_path_is_told_by_its_beginning(tmp_path: Path) -> None:
    """Where a link or a dot is in it, the long way has to be gone."""
    root = tmp_path.resolve() / "root"
    (root / "src").mkdir(parents=True)
    (root / "link").symlink_to(root / "src")
    with open_store(home({"HARDWON_HOME": str(tmp_path / "home")}), DEFAULTS) as store:
        places = Places(store)
        assert places._below(f"{root}/src/a.py", str(root)) == "src/a.py"
        assert [places._below(f"{root}/{one}", str(root)) for one in ("link/a.py", "./a.py", "src/../a.py")] == [""] * 3
