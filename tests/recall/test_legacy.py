"""Lessons in the folders of an earlier tool: where they are looked for, and that each is said once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hardwon.memories import legacy
from hardwon.memories.skills import Wanted, lessons
from hardwon.memory import GLOBAL, Draft, Kind, Scope, Status, Trust
from hardwon.paths import Home
from hardwon.settings import DEFAULTS
from hardwon.store import changes
from hardwon.store.connection import Store, open_store
from hardwon.store.erasure import forget

NOW = 1_790_000_000_000
ENTRY = "- [2026-03] [lock] production waits for the lock  [HIT:4]\n"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(Home(tmp_path / "home"), DEFAULTS) as opened:
        yield opened


PLACES = [
    # Which variables are set, and where the lessons lie, below the person's home.
    ("its own home", {}, ".ai-memory/skills/deploy"),
    ("Codex's", {}, ".codex/memories/fireworks-skill-memory/skills/deploy"),
    ("Codex's, elsewhere", {"CODEX_HOME": "other"}, "other/memories/fireworks-skill-memory/skills/deploy"),
    ("a home that is named", {"AI_MEMORY_HOME": "mine"}, "mine/skills/deploy"),
    ("a folder of skills that is named", {"AI_MEMORY_SKILLS_DIR": "shared"}, "shared/deploy"),
    ("the folder from before", {"SKILLS_KNOWLEDGE_DIR": "before"}, "before/deploy"),
    ("the usual one from before", {}, ".claude/skills/deploy"),
]


@pytest.mark.parametrize(("what", "variables", "place"), PLACES, ids=[one[0] for one in PLACES])
def test_where_they_may_lie(tmp_path: Path, store: Store, what: str, variables: dict[str, str], place: str) -> None:
    """F2: every place that the tool knew, by its variables or by custom."""
    user = tmp_path / "user"
    (user / place).mkdir(parents=True)
    (user / place / "KNOWLEDGE.md").write_text(ENTRY)
    environ = {"HOME": str(user)} | {name: str(user / value) for name, value in variables.items()}
    found = legacy.lessons(store, "deploy", legacy.files("deploy", "", "", environ))
    assert [(memory.body, hits) for memory, hits in found] == [("production waits for the lock", 4)], what


@pytest.mark.parametrize("there", [(".claude/skills", ".ai-memory/skills"), (".ai-memory/skills",)])
def test_which_counts(tmp_path: Path, store: Store, there: tuple[str, ...]) -> None:
    """F3: the legacy file where there is one, else the shared one; never both."""
    for place in there:
        (tmp_path / place / "deploy").mkdir(parents=True)
        (tmp_path / place / "deploy" / "KNOWLEDGE.md").write_text(f"- from {place}\n")
    found = legacy.lessons(store, "deploy", legacy.files("deploy", "", "", {"HOME": str(tmp_path)}))
    assert [memory.body for memory, _ in found] == [f"from {there[0]}"]


@pytest.mark.parametrize("name", ["..", "../x", "/etc", "a/../b", ""])
def test_a_name_leads_nowhere_else(tmp_path: Path, name: str) -> None:
    """W13: what a model typed is compared with folders' names, and is no path."""
    found = legacy.files(name, "", "", {"HOME": str(tmp_path)})
    assert all(".." not in file for file in found)
    assert not [file for file in found if not file.startswith(str(tmp_path))]


def test_a_file_of_the_project_is_not_looked_at(tmp_path: Path) -> None:
    """A repository is somebody's."""
    skill = tmp_path / "shop" / ".claude" / "skills" / "deploy" / "SKILL.md"
    assert legacy.files("deploy", str(skill), str(tmp_path / "shop"), {}) == ()


def knowledge(tmp_path: Path) -> tuple[str, ...]:
    file = tmp_path / "KNOWLEDGE.md"
    file.write_text(ENTRY + "- purge the cache\n")
    return (str(file),)


def note(store: Store, body: str) -> str:
    id = changes.note(store, Draft(Kind.LESSON, body, Scope("p", "deploy"), Trust.AGENT, "agent"), NOW).id
    assert id
    return id


def ask(store: Store, files: tuple[str, ...], intent: str = "") -> list[str]:
    found = lessons(store, Wanted("deploy", ("p", GLOBAL), intent, files=files), NOW)
    return [item.ranked.memory.body for item in found.items]


def test_each_lesson_is_said_once(store: Store, tmp_path: Path) -> None:
    """One that the memory has, in whatever case, comes from there; the others of the file beside it."""
    files = knowledge(tmp_path)
    note(store, "Production waits for the lock")
    assert sorted(ask(store, files)) == ["Production waits for the lock", "purge the cache"]
    assert ask(store, files, "cache")[0] == "purge the cache"


@pytest.mark.parametrize("gone", ["archived", "called wrong", "forgotten"])
def test_what_was_given_up_stays_away(store: Store, tmp_path: Path, gone: str) -> None:
    """What a person decided of a lesson holds for the file, too."""
    files = knowledge(tmp_path)
    id = note(store, "production waits for the lock")
    if gone == "archived":
        changes.move(store, id, Status.ARCHIVED, NOW)
    elif gone == "called wrong":
        changes.complain(store, id, Trust.USER, "no", NOW)
    else:
        forget.forget(store, [id], NOW)
    assert ask(store, files) == ["purge the cache"]


def test_nothing_is_written(store: Store, tmp_path: Path) -> None:
    """The file stays as it is, byte for byte, and so does its time."""
    (file,) = knowledge(tmp_path)
    before = Path(file).read_bytes(), Path(file).stat().st_mtime_ns
    ask(store, (file,), "cache")
    assert (Path(file).read_bytes(), Path(file).stat().st_mtime_ns) == before
    assert not list(store.rows("select 1 from memories"))


def test_a_key_in_a_file_is_not_said(store: Store, tmp_path: Path) -> None:
    """W10: what comes from elsewhere passes the border."""
    key = "sk-ant-api03-" + "a1B2c3D4" * 11 + "-xyzAA"
    file = tmp_path / "KNOWLEDGE.md"
    file.write_text(f"- log in with {key}\n")
    assert key not in str(ask(store, (str(file),)))
