"""Starter lessons: ours are in order, and adding them never touches what is there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hardwon.learn import starters
from hardwon.learn.starters import SOURCE, shipped
from hardwon.memory import GLOBAL, Memory, Status, Trust
from hardwon.redact import Redactor
from hardwon.store import changes
from hardwon.store.connection import Store
from hardwon.store.erasure import forget
from hardwon.store.tables import memories
from hardwon.text.skills.starters import check
from tests.support import note, now, opened

NAMED = {
    *("find-skills", "skills-updater", "voice", "browser-use", "skill-adoption-planner", "skill-knowledge-extractor"),
    *("skill-roi-calculator", "hookify", "superpowers"),
}
FILES = sorted(Path(starters.__file__).parent.parent.joinpath("starters").glob("*.md"))
VOICE = shipped()["voice"]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with opened(tmp_path / "home") as store:
        yield store


def lessons(store: Store, skill: str = "voice") -> list[Memory]:
    return memories.listed(store, memories.Filter(skill=skill))[0]


def add(store: Store, *, asked: bool = True) -> int:
    return starters.add(store, starters.plan(store, VOICE, asked=asked), now())


def test_the_nine_skills_have_starters() -> None:
    """Each of the skills has two to five documented lessons."""
    assert set(shipped()) == NAMED
    assert {len(one.lessons) for one in shipped().values()} <= {2, 3, 4, 5}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_ours_pass_the_check(file: Path) -> None:
    """What we ask of contributions holds for our own; a file is named after its skill."""
    text = file.read_text("utf-8")
    assert check(text, Redactor()) == []
    assert f"\nskill: {file.stem}\n" in text


def test_they_hold_everywhere_and_claim_little(store: Store) -> None:
    """A starter is an agent's lesson for one skill in every project, with its title and its source."""
    assert add(store) == len(VOICE.lessons)
    found = lessons(store)
    assert {(one.scope.project, one.trust, one.source, one.status) for one in found} == {
        (GLOBAL, Trust.AGENT, SOURCE, Status.ACTIVE)
    }
    assert {(one.title, one.body, one.evidence) for one in found} == {
        (one.title, one.text, (one.source,)) for one in VOICE.lessons
    }


def test_adding_again_changes_nothing(store: Store) -> None:
    """No second row, no hit."""
    add(store)
    assert add(store) == 0
    assert len(lessons(store)) == len(VOICE.lessons)
    assert memories.hits(store, [one.id for one in lessons(store)]) == {}


def test_a_skill_with_lessons_gets_none_unless_asked(store: Store) -> None:
    """What was learned is not mixed with starters; by its name a skill gets them beside it."""
    own = note(store, "Speak slowly", skill="voice", project="p")
    assert add(store, asked=False) == 0
    assert [one.id for one in lessons(store)] == [own]
    assert add(store, asked=True) == len(VOICE.lessons)
    assert memories.get(store, own) is not None


def test_a_text_that_is_there_is_not_added(store: Store) -> None:
    """Neither one that somebody noted, nor one that was archived, nor a starter that was edited since."""
    mine = note(store, VOICE.lessons[0].text.upper(), skill="voice", trust=Trust.USER, source="user")
    assert add(store) == len(VOICE.lessons) - 1
    edited, archived = (one for one in lessons(store) if one.title in [VOICE.lessons[n].title for n in (1, 2)])
    changes.edit(store, edited.id, {"body": "In our own words"}, now())
    changes.move(store, archived.id, Status.ARCHIVED, now())
    assert add(store) == 0
    assert memories.hits(store, [mine]) == {}
    still = memories.get(store, archived.id)
    assert still is not None
    assert still.status is Status.ARCHIVED


def test_forgotten_stays_forgotten(store: Store) -> None:
    """A starter that a person forgot does not come back, whatever is asked for."""
    add(store)
    gone = lessons(store)[0]
    forget.forget(store, [gone.id], now())
    assert add(store) == 0
    assert gone.body not in [one.body for one in lessons(store)]


def test_other_names_get_them_too(store: Store) -> None:
    """A plugin's skill loads under another name: its lessons are there, too."""
    hookify = shipped()["hookify"]
    starters.add(store, starters.plan(store, hookify, asked=True), now())
    assert len(lessons(store, "hookify:writing-rules")) == len(lessons(store, "hookify")) == len(hookify.lessons)


def test_only_untouched_ones_are_taken_back(store: Store) -> None:
    """Edited, judged, pinned, archived, learned again: each stays; the others go and can be added again."""
    add(store)
    changed = lessons(store)[:4]
    changes.edit(store, changed[0].id, {"body": "In our own words"}, now())
    changes.edit(store, changed[1].id, {"pinned": True}, now())
    changes.move(store, changed[2].id, Status.ARCHIVED, now())
    note(store, changed[3].body, skill="voice")
    gone = starters.removable(store, VOICE)
    starters.remove(store, gone, now())
    assert {one.id for one in lessons(store)} == {one.id for one in changed}
    assert len(gone) == len(VOICE.lessons) - 4
    assert add(store) == len(gone)


def test_what_was_noted_by_somebody_is_never_taken_back(store: Store) -> None:
    """Only what came as a starter goes."""
    mine = note(store, "Speak slowly", skill="voice")
    add(store)
    starters.remove(store, starters.removable(store, VOICE), now())
    assert [one.id for one in lessons(store)] == [mine]
