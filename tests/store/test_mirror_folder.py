"""From a skill's name to its folder and back, whatever the name is (W13)."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardwon.memory import Kind
from hardwon.store import mirror
from hardwon.store.mirror.folder import LONGEST, folder, same, skill_of
from hardwon.store.tables import memories
from tests.support import note, now, opened

NAMES = {
    "git": "git",
    "lark-sync": "lark-sync",
    "plugin:skill": "plugin%3Askill",
    "team/deploy": "team__deploy",
    "a//b": "a____b",
    "a__b": "a%5F%5Fb",
    "a/_b": "a__%5Fb",
    "snake_case": "snake_case",
    "_": "_",
    "/": "__",
    "..": "%2E%2E",
    ".": "%2E",
    ".hidden": "%2Ehidden",
    "../../etc/passwd": "%2E.__..__etc__passwd",
    "-rf": "%2Drf",
    "ends.": "ends%2E",
    "two words": "two words",
    " blank": "%20blank",
    "back\\slash": "back%5Cslash",
    "nul\0l": "nul%00l",
    "new\nline": "new%0Aline",
    "50%": "50%25",
    "~root": "%7Eroot",
    "$HOME": "%24HOME",
    "技能": "技能",
    "emoji😀": "emoji%F0%9F%98%80",
    "e\u0301": "e%CC%81",
    "PDF": "PDF",
}


@pytest.mark.parametrize(("name", "place"), NAMES.items())
def test_a_name_has_one_folder(name: str, place: str) -> None:
    """Readable, and read back to the same name."""
    assert folder(name) == place
    assert skill_of(place) == name


@given(st.text(min_size=1, max_size=300).filter(lambda text: text.encode("utf-8", "ignore").decode() == text))
def test_no_name_leaves_the_folder(name: str) -> None:
    """One path component, not hidden, never too long; two names never share one."""
    place = folder(name)
    assert Path("/home/skills", place).parent == Path("/home/skills")
    assert not place.startswith((".", "-", " "))
    assert "/" not in place
    assert "\0" not in place
    assert 0 < len(place.encode()) <= LONGEST
    assert skill_of(place) in (name, None)
    if "%~" not in place:
        assert skill_of(place) == name


def test_long_names_stay_apart() -> None:
    """Cut, with a tail that tells them apart."""
    one, other = folder("x" * 500), folder("x" * 501)
    assert one != other
    assert skill_of(one) is None


def test_names_that_a_file_system_takes_for_one() -> None:
    """`Git` and `git` are two skills, also where folders have no case."""
    taken = {same("git"): "git"}
    assert folder("git", taken) == "git"
    assert same(folder("Git", taken)) != same("git")


@pytest.mark.parametrize("place", ["", ".git", "a%zz", "a%2", "%FF", "a:b", "%41"])
def test_what_is_no_folder_of_a_skill(place: str) -> None:
    """A name that we would never give is nobody's."""
    assert skill_of(place) is None


def test_skills_with_such_names_keep_their_lessons_apart(tmp_path: Path) -> None:
    """Each has a file of its own below the home, and what is added there becomes its lesson."""
    names = [*NAMES, "Git", "GIT", "x" * 500, "x" * 501]
    names.remove("nul\0l")
    with opened(tmp_path / "home") as store:
        for name in names:
            note(store, f"lesson of {len(name)} {name!r}", skill=name)
        mirror.refresh(store, now())
        files = sorted((tmp_path / "home" / "skills").rglob("KNOWLEDGE.md"))
        assert len(files) == len(names)
        for file in files:
            file.write_text(file.read_text() + f"- added {files.index(file)}\n")
        mirror.absorb(store, now())
        found = [memory for memory in memories.all_memories(store) if memory.body.startswith("added")]
        assert {memory.scope.skill for memory in found} == set(names)
        assert all(memory.kind is Kind.LESSON for memory in found)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["home"]
