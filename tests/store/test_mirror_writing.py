"""Which markdown files are written, where, when, and with how much in them."""

from __future__ import annotations

import dataclasses
import os
import stat
from pathlib import Path

from hardwon.memory import Kind
from hardwon.settings import Settings
from hardwon.store import changes, mirror
from tests.store.mirror_files import A, bodies, knowledge, told
from tests.support import note, now, opened


def test_files_are_private_and_where_they_are_said_to_be(tmp_path: Path) -> None:
    """0600 in folders of 0700; a file per skill, one for what holds everywhere, checkpoints beside."""
    with opened(tmp_path) as store:
        note(store, A, skill="team/git:push")
        note(store, "raw", skill="team/git:push", kind=Kind.CHECKPOINT)
        note(store, "A principle")
        note(store, "of one project only", project="p")
        mirror.refresh(store, now())
    found = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.md"))
    place = "skills/team__git%3Apush"
    assert found == ["global/KNOWLEDGE.md", f"{place}/CHECKPOINTS.md", f"{place}/KNOWLEDGE.md"]
    for name in found:
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600
        assert stat.S_IMODE((tmp_path / name).parent.stat().st_mode) == 0o700
    assert "] raw\n" in (tmp_path / place / "CHECKPOINTS.md").read_text()
    assert "of one project" not in (tmp_path / "global/KNOWLEDGE.md").read_text()


def test_only_so_many_are_shown_and_the_others_are_not_deleted(tmp_path: Path) -> None:
    """The most useful within `mirror.most`; the file says how many more there are."""
    settings = dataclasses.replace(Settings(), mirror=dataclasses.replace(Settings().mirror, most=5))
    with opened(tmp_path, settings) as store:
        ids = [note(store, f"Lesson {number} about the {number * 7}th thing", skill="git") for number in range(20)]
        for _ in range(3):
            changes.hit(store, ids[3])
        mirror.refresh(store, now())
        text = knowledge(tmp_path).read_text()
        assert text.count("\n- ") == 5
        assert "Lesson 3 about" in text
        assert "15 more are not in this file" in text
        for id in ids[10:15]:
            changes.hit(store, id)
        mirror.refresh(store, now())
        assert knowledge(tmp_path).read_text().count("more are not in this file") == 1
        assert len(bodies(store)) == 20
        shown = next(line for line in knowledge(tmp_path).read_text().splitlines() if line.startswith("- "))
        knowledge(tmp_path).write_text(knowledge(tmp_path).read_text().replace(shown + "\n", ""))
        assert told(mirror.absorb(store, now())) == ["archived"]


def test_a_file_is_written_only_when_something_changed(tmp_path: Path) -> None:
    """A note of a project touches no file, a showing neither; the second refresh has nothing to do."""
    with opened(tmp_path) as store:
        note(store, A, skill="git")
        mirror.refresh(store, now())
        before = knowledge(tmp_path).stat().st_ino
        note(store, "of one project", project="p")
        assert not mirror.is_due(store)
        note(store, A, skill="git")
        assert mirror.is_due(store)
        mirror.refresh(store, now())
        assert "[HIT:1]" in knowledge(tmp_path).read_text()
        assert knowledge(tmp_path).stat().st_ino != before


def test_switched_off_it_writes_and_reads_nothing(tmp_path: Path) -> None:
    """`mirror.enabled = false`."""
    settings = dataclasses.replace(Settings(), mirror=dataclasses.replace(Settings().mirror, enabled=False))
    with opened(tmp_path, settings) as store:
        note(store, A, skill="git")
        assert mirror.refresh(store, now()) == []
        knowledge(tmp_path).parent.mkdir(parents=True)
        knowledge(tmp_path).write_text("- hello there\n")
        assert mirror.absorb(store, now()) == []
        assert bodies(store) == [A]


def test_a_link_or_a_pipe_in_the_place_of_a_file_is_left_alone(tmp_path: Path) -> None:
    """What hardwon writes stays in its folder, whatever somebody put there; a pipe does not make it wait."""
    outside = tmp_path / "outside.md"
    outside.write_text("- from outside\n")
    with opened(tmp_path / "home") as store:
        for skill in ("linked", "piped", "folder"):
            (tmp_path / "home" / "skills" / skill).mkdir(parents=True)
        knowledge(tmp_path / "home", "linked").symlink_to(outside)
        os.mkfifo(knowledge(tmp_path / "home", "piped"))
        knowledge(tmp_path / "home", "folder").mkdir()
        (tmp_path / "home" / "skills" / "away").symlink_to(tmp_path)
        for skill in ("linked", "piped", "folder", "away"):
            note(store, f"for {skill}", skill=skill)
        done = mirror.refresh(store, now())
        assert sum(bool(each.problem) for each in done) >= 4
        assert "from outside" not in bodies(store)
        assert not (tmp_path / "KNOWLEDGE.md").exists()
    assert outside.read_text() == "- from outside\n"
