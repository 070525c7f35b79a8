"""A skill comes with its lessons: how many, which of them, and none for other files."""

from __future__ import annotations

from typing import Any

import pytest

from tests.daemon.answers import ids_in, short
from tests.daemon.running import Daemon, keep
from tests.daemon.session import Session


@pytest.fixture
def lessons(daemon: Daemon) -> list[str]:
    """30 lessons of the skill deploy, the last one learned three times; one of another skill."""
    with daemon.store(write=True) as store:
        found = [keep(store, f"deploy lesson number {n}", folder=daemon.folder, skill="deploy") for n in range(29)]
        for _ in range(3):
            most_used = keep(store, "deploys to production wait for the lock", folder=daemon.folder, skill="deploy")
        keep(store, "build lesson", folder=daemon.folder, skill="build")
        return [*found, most_used]


@pytest.mark.parametrize(
    ("how", "most"),
    [
        (lambda session: session.skill("deploy"), 20),
        (lambda session: session.types("deploy"), 20),
        (lambda session: session.reads("/home/u/.claude/skills/deploy/SKILL.md"), 5),
    ],
    ids=["the Skill tool", "a typed /deploy", "reading its file"],
)
def test_a_skill_comes_with_its_lessons(daemon: Daemon, lessons: list[str], how: Any, most: int) -> None:
    """The most useful first: 20 when it is used, 5 when its file is only read."""
    daemon.start()
    said = how(Session(daemon))
    assert len(ids_in(said)) == most
    assert set(ids_in(said)) <= set(short(*lessons))
    assert ids_in(said)[0] == lessons[-1][-6:]
    assert said.startswith('<skill-memory skill="deploy">\n')
    assert said.endswith("\n</skill-memory>")


def test_what_a_skill_is_wanted_for_orders_its_lessons(daemon: Daemon, lessons: list[str]) -> None:
    """By the arguments, what fits first; nothing is left out for it."""
    daemon.start()
    wanted = ids_in(Session(daemon, "s1").skill("deploy", "to production"))
    assert (wanted[0], len(wanted)) == (short(lessons[-1])[0], 20)
    assert len(ids_in(Session(daemon, "s2").skill("deploy", "zzz"))) == 20


def test_what_is_read_after_reading_adds_the_rest(daemon: Daemon, lessons: list[str]) -> None:
    """Five when the file was read; the skill itself then brings others, none of them twice."""
    daemon.start()
    session = Session(daemon)
    first = ids_in(session.reads("/home/u/.claude/skills/deploy/SKILL.md"))
    second = ids_in(session.skill("deploy"))
    assert not set(first) & set(second)


@pytest.mark.parametrize("path", ["/x/SKILL.md.bak", "/x/deploy/SKILLS.md", "/x/deploy/skill.txt", "SKILL.md"])
def test_other_files_are_no_skills(daemon: Daemon, lessons: list[str], path: str) -> None:
    """Only a file called SKILL.md in a folder of the skill's name."""
    daemon.start()
    assert Session(daemon).reads(path) == ""
