"""Lessons of projects in a skill's markdown file: the headings that they stand under."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from hardwon.memory import GLOBAL
from hardwon.settings import Settings
from hardwon.store import mirror, projects
from tests.store.mirror_files import bodies, knowledge, line_of, one, told, without
from tests.support import note, now, opened


def test_lessons_of_projects_stand_under_their_names(tmp_path: Path) -> None:
    """First what holds everywhere, then a heading per project; a bullet there is a lesson of that project."""
    shop, other = tmp_path / "shop", tmp_path / "other"
    shop.mkdir()
    other.mkdir()
    with opened(tmp_path / "home") as store:
        here, there = projects.claim(store, shop, now())[1].id, projects.claim(store, other, now())[1].id
        note(store, "of the shop", skill="git", project=here)
        note(store, "of everything", skill="git")
        mirror.refresh(store, now())
        file = knowledge(tmp_path / "home")
        text = file.read_text()
        assert text.index("of everything") < text.index("## Project: shop\n") < text.index("of the shop")
        file.write_text(
            text + "- also of the shop\n\n## Project: other\n\n- of the other\n\n## Project: nowhere\n\n- x\n"
        )
        done = mirror.absorb(store, now())
        assert one(store, "also of the shop").scope.project == here
        assert one(store, "of the other").scope.project == there
        assert "x" not in bodies(store)
        assert 'no project is called "nowhere"' in " ".join(each.problem for each in done)
        assert "## Project: nowhere\n\n- x\n" in file.read_text()


def test_a_heading_has_a_blank_line_before_it(tmp_path: Path) -> None:
    """In whatever order the lessons came; and what a person wrote close together stays so."""
    shop = tmp_path / "shop"
    shop.mkdir()
    with opened(tmp_path / "home") as store:
        here = projects.claim(store, shop, now())[1].id
        for text, project in (("of the shop", here), ("of everything", GLOBAL), ("of the shop, too", here)):
            note(store, text, skill="git", project=project)
            mirror.refresh(store, now())
        file = knowledge(tmp_path / "home")
        text = file.read_text()
        assert text.count("\n\n## Project: shop\n\n- ") == 1
        assert "\n\n\n" not in text
        file.write_text(text.replace("\n\n## Project: shop", "\n## Project: shop"))
        mirror.absorb(store, now())
        assert "of everything  [HIT:0]\n## Project: shop\n" in file.read_text()


def test_a_bullet_under_another_heading_is_moved(tmp_path: Path) -> None:
    """From a project to everywhere: the same memory with its history, not a new one."""
    shop = tmp_path / "shop"
    shop.mkdir()
    with opened(tmp_path / "home") as store:
        here = projects.claim(store, shop, now())[1].id
        id = note(store, "of the shop", skill="git", project=here)
        note(store, "of everything", skill="git")
        mirror.refresh(store, now())
        file = knowledge(tmp_path / "home")
        line = line_of(file.read_text(), "of the shop")
        file.write_text(
            without(file.read_text(), "of the shop").replace("## Project: shop", f"{line}\n## Project: shop")
        )
        assert told(mirror.absorb(store, now())) == ["moved"]
        assert one(store, "of the shop").id == id
        assert one(store, "of the shop").scope.project == GLOBAL


def test_a_renamed_project_keeps_its_lessons(tmp_path: Path) -> None:
    """The heading in the file still has the old name: it means the project for which it was written."""
    shop = tmp_path / "shop"
    shop.mkdir()
    with opened(tmp_path / "home") as store:
        here = projects.claim(store, shop, now())[1].id
        note(store, "of the shop", skill="git", project=here)
        mirror.refresh(store, now())
        projects.rename(store, "shop", "store")
        file = knowledge(tmp_path / "home")
        file.write_text(file.read_text() + "- another\n")
        mirror.absorb(store, now())
        assert bodies(store) == ["another", "of the shop"]
        assert one(store, "another").scope.project == here
        assert "## Project: store\n" in file.read_text()
        assert "## Project: shop\n" not in file.read_text()


def test_an_excluded_project_keeps_nothing(tmp_path: Path) -> None:
    """A bullet under its heading stays a bullet."""
    shop = tmp_path / "shop"
    shop.mkdir()
    excluding = dataclasses.replace(Settings().control, exclude_projects=("shop",))
    with opened(tmp_path / "home", dataclasses.replace(Settings(), control=excluding)) as store:
        here = projects.claim(store, shop, now())[1].id
        note(store, "from before", skill="git", project=here)
        mirror.refresh(store, now())
        file = knowledge(tmp_path / "home")
        file.write_text(file.read_text() + "- not to be kept\n")
        assert told(mirror.absorb(store, now())) == ["left"]
        assert bodies(store) == ["from before"]
        assert "- not to be kept\n" in file.read_text()
