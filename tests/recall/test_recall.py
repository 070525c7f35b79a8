"""Recall on a real store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hardwon.memories import Question, Recollection, recall
from hardwon.memory import GLOBAL, Anchor, AnchorKind, Draft, Kind, Scope, Status, Trust
from hardwon.paths import home
from hardwon.settings import DEFAULTS
from hardwon.store import changes
from hardwon.store.connection import Store, open_store

NOW = 1_790_000_000_000


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(home({"HARDWON_HOME": str(tmp_path / "home")}), DEFAULTS) as opened:
        yield opened


def keep(store: Store, body: str, project: str = "p", trust: Trust = Trust.AGENT, **fields: object) -> str:
    draft = Draft(Kind.LESSON, body, Scope(project), trust, "test", **fields)  # type: ignore[arg-type]
    id = changes.note(store, draft, NOW).id
    assert id is not None
    return id


def ask(
    store: Store, text: str, *anchors: Anchor, projects: tuple[str, ...] = ("p", GLOBAL), explain: bool = False
) -> Recollection:
    return recall(store, Question(text, projects, None, anchors), NOW, limit=5, budget=600, explain=explain)


def bodies(found: Recollection) -> list[str]:
    return [item.ranked.memory.body for item in found.items]


def test_anchors_before_words(store: Store) -> None:
    """A memory about exactly this file comes first, though its words don't fit."""
    keep(store, "the parser is slow with large files")
    keep(store, "never touch it", anchors=(Anchor(AnchorKind.FILE, "src/parser.py"),))
    found = ask(store, "make the parser faster", Anchor(AnchorKind.FILE, "src/parser.py"))
    assert bodies(found)[0] == "never touch it"


def test_untrusted_texts_wait_for_a_person(store: Store) -> None:
    """What comes from an untrusted place is a candidate and never said."""
    id = keep(store, "always run the installer as root", trust=Trust.UNTRUSTED)
    assert ask(store, "how to run the installer").silent
    changes.move(store, id, Status.ACTIVE, NOW)
    assert not ask(store, "how to run the installer").silent


def test_other_projects_are_out_of_sight(store: Store) -> None:
    """However well it fits, another project's memory is not said, nor does it crowd out this one's."""
    for number in range(200):
        keep(store, f"the deploy needs a VPN tunnel number {number}", project="other")
    keep(store, "deploy with a VPN")
    assert bodies(ask(store, "deploy VPN tunnel")) == ["deploy with a VPN"]


def test_stop_words_alone_are_silence(store: Store) -> None:
    """A question without a telling word brings nothing back."""
    keep(store, "you should do it like this and not like that")
    assert ask(store, "what should you do with it?").silent


@pytest.mark.parametrize(
    "hostile", ['" OR 1', "a AND (b", "NEAR(x y)", "title:x", "x*", "'; drop table memories; --", "\x00", "^x"]
)
def test_queries_are_words_not_syntax(store: Store, hostile: str) -> None:
    """No character of a question means anything to the search engine."""
    keep(store, "something")
    assert isinstance(ask(store, hostile), Recollection)


def test_words_that_stand_everywhere_still_find_the_newest(store: Store) -> None:
    """When every word is too common to search by, the newest memories that have all of them answer."""
    with store.transaction():
        for number in range(3000):
            changes.note(
                store, Draft(Kind.LESSON, f"build number {number}", Scope("p"), Trust.AGENT, "t"), NOW + number
            )
    found = ask(store, "build number")
    assert bodies(found)[0] == "build number 2999"


def test_a_replacement_that_shares_no_word_answers(store: Store) -> None:
    """Asked with the old words, the memory that replaced them is said."""
    old = keep(store, "sessions live in redis")
    new = keep(store, "state is held in signed cookies")
    changes.supersede(store, old, new, NOW)
    assert bodies(ask(store, "are sessions in redis?")) == ["state is held in signed cookies"]


def test_a_skill_without_a_question_lists_its_lessons(store: Store) -> None:
    """By use and recency alone, most useful first."""
    for body in ("first", "second"):
        changes.note(store, Draft(Kind.LESSON, body, Scope("p", "deploy"), Trust.AGENT, "test"), NOW)
    changes.note(store, Draft(Kind.LESSON, "first", Scope("p", "deploy"), Trust.AGENT, "test"), NOW)
    found = recall(store, Question("", ("p",), "deploy"), NOW, limit=20, budget=600)
    assert bodies(found) == ["first", "second"]
    assert found.found.rung == "flat"


# Explaining


def test_explaining_changes_nothing_of_what_is_said(store: Store) -> None:
    """In a memory in which the index's own best are others than those that cover most of the question."""
    for number in range(40):
        keep(store, f"redis port {number}")
    for number in range(10):
        keep(store, f"the redis of the staging cluster has another port {number}, which the timeout of 30 s hides")
    question = "redis port staging timeout"
    assert bodies(ask(store, question))
    assert bodies(ask(store, question, explain=True)) == bodies(ask(store, question))


def reasons(store: Store, question: str) -> dict[str, str]:
    return {one.memory.body: one.reason for one in ask(store, question, explain=True).held_back}


def test_what_is_held_back_says_what_it_lacks(store: Store) -> None:
    """What it covers and what is asked for; by one word that is more."""
    keep(store, "the gleam compiler")
    keep(store, "the erlang port of the parser")
    assert reasons(store, "gleam parser test hang port") == {
        "the gleam compiler": "covers 20% by one word (needs 49%, 1.45 × 34%)",
    }
    assert reasons(store, "erlang parser in the test of the release with a hook and a lock at night") == {
        "the erlang port of the parser": "covers 29% (needs 34%)",
    }


def test_what_is_held_back_for_common_words_says_how_common(store: Store) -> None:
    """Two words of a long memory, which others have as well."""
    long = (
        "the deploy of a worker waits for the lock that a nightly backup of our main database holds until early morning"
    )
    keep(store, f"{long}, which nobody at the office saw coming in winter")
    for number in range(3):
        keep(store, f"worker {number}, deploy {number}: other{number} matter{number} in place{number}")
    for number in range(16):
        keep(store, f"another thing{number}")
    reason = reasons(store, "deploy the worker to berlin tokyo")[
        f"{long}, which nobody at the office saw coming in winter"
    ]
    assert reason == "covers 37% (needs 50%, for its words count 1.5 rare ones and not 1.9)"


@pytest.mark.parametrize(
    ("status", "reason"),
    [(Status.STALE, "is stale: it was called wrong"), (Status.ARCHIVED, "is archived")],
)
def test_what_fits_and_is_not_said_says_why(store: Store, status: Status, reason: str) -> None:
    """Its words are all there, but it does not hold any more."""
    id = keep(store, "the port is 5432")
    if status is Status.STALE:
        changes.complain(store, id, Trust.USER, "it is 5433", NOW)
    else:
        changes.move(store, id, status, NOW)
    assert ask(store, "the port is 5432").silent
    assert reasons(store, "the port is 5432") == {"the port is 5432": reason}
