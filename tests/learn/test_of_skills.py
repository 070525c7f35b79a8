"""What a session taught, by the journal and `learn`: put to its skill, and everywhere when two projects agree."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from bench.skill_set import events

from hardwon.learn import session as learning
from hardwon.memories.skills import Wanted, lessons
from hardwon.memory import GLOBAL, Kind, Memory, Trust
from hardwon.paths import Home
from hardwon.settings import DEFAULTS
from hardwon.store import projects
from hardwon.store.connection import Store, open_store
from hardwon.store.tables import journal, memories
from hardwon.text import tiers

NOW = 1_790_000_000_000
REFUSED = "Exit code 1\nError: connect ECONNREFUSED 127.0.0.1:5432"
SKILL = "---\nname: deploy\ndescription: Checks a deploy\n---\n1. `make check`\n"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(Home(tmp_path / "home"), DEFAULTS) as opened:
        yield opened


def learn(store: Store, folder: Path, given: list[dict[str, object]], name: str = "s1", skill: str = SKILL) -> str:
    """The project's id."""
    file = folder / ".claude" / "skills" / "deploy" / "SKILL.md"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(skill)
    project = projects.claim(store, folder, NOW)[1].id
    for event, _ in events({"name": name, "events": given}, str(folder), project):
        journal.append(store, event, tiers.tier(event))
    learning.learn(store, "claude-code", name, NOW)
    return project


def kept(store: Store, skill: str | None = "deploy") -> list[Memory]:
    return [one for one in memories.all_memories(store) if one.scope.skill == skill]


MENDED: list[dict[str, object]] = [
    {"prompt": "deploy it"},
    {"skill": "deploy"},
    {"run": "make check", "output": REFUSED, "ok": False},
    {"run": "docker compose up -d db", "output": "started"},
    {"run": "make check", "output": "ok"},
]


def test_a_failure_and_its_fix_belong_to_the_skill(store: Store, tmp_path: Path) -> None:
    """F15, F16: and the fix is what the next load says; with the mark of the skill's text."""
    project = learn(store, tmp_path / "shop", MENDED)
    assert {one.kind for one in kept(store)} == {Kind.FAILURE, Kind.FIX}
    assert all(one.skill_mark for one in kept(store))
    said = lessons(store, Wanted("deploy", (project, GLOBAL)), NOW).items
    assert [item.ranked.memory.kind for item in said] == [Kind.FIX]
    assert "docker compose up -d db" in said[0].body


NOTHING = [
    ("a session that only talks (F18)", [{"skill": "deploy"}, {"prompt": "what does it do?"}, {"turn": "It checks."}]),
    ("calls that passed (F18)", [{"skill": "deploy"}, {"run": "make check", "output": "0 errors, no failure"}]),
    ("tools of lists and tasks (F15)", [{"skill": "deploy"}, {"call": "TodoWrite", "output": "error", "ok": False}]),
]


@pytest.mark.parametrize(("what", "given"), NOTHING, ids=[one[0] for one in NOTHING])
def test_what_teaches_a_skill_nothing(store: Store, tmp_path: Path, what: str, given: list[dict[str, object]]) -> None:
    """Words that sound like an error are none: a call has to fail."""
    learn(store, tmp_path / "shop", given)
    assert not kept(store), what


def test_a_skill_that_is_off_learns_nothing(store: Store, tmp_path: Path) -> None:
    """What failed is kept, as of no skill."""
    learn(store, tmp_path / "shop", MENDED, skill=SKILL.replace("---\n1.", "skill-memory: off\n---\n1."))
    assert not kept(store)
    assert kept(store, None)


def test_learned_again_it_counts(store: Store, tmp_path: Path) -> None:
    """F20: the same of another session is not kept twice; and nothing comes of reading a session twice."""
    learn(store, tmp_path / "shop", MENDED)
    before = {one.id for one in kept(store)}
    learn(store, tmp_path / "shop", MENDED)
    assert {one.id for one in kept(store)} == before
    assert not any(memories.hits(store, list(before)).values())
    learn(store, tmp_path / "shop", MENDED, "s2")
    assert {one.id for one in kept(store)} == before
    assert memories.hits(store, list(before))


def test_evidence_is_cut(store: Store, tmp_path: Path) -> None:
    """F19: of an output of megabytes a line is kept."""
    long = [{**one, "output": REFUSED + "\nx" * 200_000} if one.get("ok") is False else one for one in MENDED]
    learn(store, tmp_path / "shop", long)
    assert kept(store)
    assert all(len(one.body) < 2_000 for one in kept(store))


def test_two_projects_make_it_hold_everywhere(store: Store, tmp_path: Path) -> None:
    """F21: once both have it; a third project is told, and the first one hears it once."""
    first = learn(store, tmp_path / "shop", MENDED)
    assert not [one for one in kept(store) if one.scope.project == GLOBAL]
    learn(store, tmp_path / "blog", MENDED, "s2")
    (everywhere,) = [one for one in kept(store) if one.scope.project == GLOBAL]
    assert everywhere.kind is Kind.LESSON
    assert everywhere.trust is Trust.VERIFIED
    assert len({one.split(":")[1] for one in everywhere.evidence}) == 2
    for projects_ in (("third", GLOBAL), (first, GLOBAL)):
        assert len(lessons(store, Wanted("deploy", projects_), NOW).items) == 1


def test_a_mended_skill_file_is_a_lesson_of_that_skill(store: Store, tmp_path: Path) -> None:
    """After something had gone wrong at it; what it says now, and what it said before."""
    edit: dict[str, object] = {
        "edit": ".claude/skills/deploy/SKILL.md",
        "old": "1. `make check`",
        "new": "1. `make verify`",
    }
    learn(store, tmp_path / "shop", [*MENDED, edit])
    (lesson,) = [one for one in kept(store) if one.kind is Kind.LESSON]
    assert lesson.body.startswith("1. `make verify`")
    assert "make check" in lesson.body
