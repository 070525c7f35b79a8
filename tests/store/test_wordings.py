"""The same lesson in other words is one lesson; two lessons that are nearly the same words are two (W4, W62)."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardwon.memory import Kind, Status, Trust
from hardwon.store import changes
from hardwon.store.changes import Outcome
from hardwon.store.connection import Store
from hardwon.store.erasure import forget
from hardwon.store.index import wordings
from hardwon.store.tables import memories
from hardwon.text.skills.wordings import are_same, may_be_same
from tests.support import draft, files_with, note, now, opened

SAME = [
    ("Run `make redis` before the tests", "Always run make redis before the tests."),
    ("Run `make redis` before the tests", "Before the tests, run make redis first"),
    ("Run make redis before testing", "You must run `make redis` before the test"),
    ("Never push to the main branch", "Don't push to the main branch!"),
    ("Never push to the main branch", "You should not push to the main branch"),
    ("The wiki API needs the scope wiki:write", "Note: the wiki API requires the scope `wiki:write`"),
    ("Uploading images fails behind the proxy", "Please note: an uploaded image fails behind the proxy"),
    ("If the cache is stale, delete build/", "Delete `build/` if the cache is stale."),
    ("Set TZ=UTC in the env of the worker", "Make sure to set TZ=UTC in the environment of the worker"),
    ("先上传图片,再写页面", "先上传图片, 再写页面。"),
    (
        "The client sends chunked bodies to the upload endpoint, which the proxy answers with 411",
        "The client sends chunked request bodies to the upload endpoint, which the proxy answers with 411",
    ),
]
DIFFERENT = [
    ("Use protobuf 3.1, not 3.2", "Use protobuf 3.2, not 3.1"),
    ("Use tabs, not spaces, in a Makefile", "Use spaces, not tabs, in a Makefile"),
    ("Always rebase before the merge", "Never rebase before the merge"),
    ("Run the migration before the deploy", "Run the deploy before the migration"),
    ("Run the migration before the deploy", "Run the migration after the deploy"),
    ("Before the deploy, run the migration", "After the deploy, run the migration"),
    ("Pass --force to the sync command", "Pass --no-force to the sync command"),
    ("Edit src/app.py when the port changes", "Edit src/api.py when the port changes"),
    ("The server listens on port 5432", "The server listens on port 5433"),
    (
        "Restart the worker after a change of the configuration",
        "Restart the server after a change of the configuration",
    ),
    ("Set API_KEY in the shell", "Set API_TOKEN in the shell"),
    ("The build works with the new linker", "The build works without the new linker"),
    ("Convert the PNG to WebP", "Convert the WebP to PNG"),
    ("The retry helps when the timeout > limit", "The retry helps when the timeout < limit"),
    ("Use tabs", "Use the tabs"),
    ("Delete *.log in the build folder", "Delete .log in the build folder"),
    ("The script must cd ../..", "The script must cd ../"),
    ("Does the worker need Redis here?", "The worker needs Redis here"),
    ("Read the token from x[0] first", "Read the token from x[1] first"),
    ("The limit was raised for the team", "The limit is raised for the team"),
    ("Send my token with the request", "Send their token with the request"),
    ("不要在写入前刷新令牌", "要在写入前刷新令牌"),
    ("写入前先上传图片", "写入前先上传文件"),
    (
        "Den Dienst nach einer langen Wartung mit dem alten Schluessel neu starten",
        "Den Dienst nach einer langen Wartung nicht mit dem alten Schluessel neu starten",
    ),
    (
        "The client sends chunked bodies to the upload endpoint of the service behind this proxy",
        "The client sends chunked bodies to the upload endpoint of the Frankfurt service behind this proxy",
    ),
    (
        "The client sends chunked bodies to the upload endpoint of the service behind this proxy",
        "The client rarely sends chunked bodies to the upload endpoint of the service behind this proxy",
    ),
]
FIRST = "Run `make redis` before the tests"
OTHER = "Before the tests, always run make redis"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return opened(tmp_path / "home")


def same(store: Store, one: str, other: str) -> bool:
    return are_same(wordings.pieces(store, one), wordings.pieces(store, other))


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_in_other_words(store: Store, one: str, other: str) -> None:
    """W62: filler, inflection, a clause in front, another word for "not" make no second lesson; in both directions."""
    assert same(store, one, other)
    assert same(store, other, one)
    assert may_be_same(one, other)
    first = note(store, one, skill="deploy")
    assert changes.note(store, draft(other, skill="deploy"), now()).id == first


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_nearly_the_same_words_and_another_lesson(store: Store, one: str, other: str) -> None:
    """W4: a number, a path, a flag, a name, an order, a negation, any other word: they stay two."""
    assert not same(store, one, other)
    assert not same(store, other, one)
    first, second = (changes.note(store, draft(text, skill="deploy"), now()) for text in (one, other))
    assert (first.outcome, second.outcome) == (Outcome.CREATED, Outcome.CREATED)


def test_a_paraphrase_is_a_hit_and_its_words_are_kept(store: Store) -> None:
    """W62: noted in other words, a lesson has a hit more, and the other words stand with it, once."""
    first = note(store, FIRST, skill="deploy")
    again = changes.note(store, draft(OTHER, skill="deploy", evidence=("session 7",), intent="ci"), now())
    assert (again.id, again.outcome, again.reworded) == (first, Outcome.REPEATED, True)
    changes.note(store, draft(OTHER, skill="deploy"), now())
    kept = memories.get(store, first)
    assert kept
    assert (kept.body, kept.wordings) == (FIRST, (OTHER,))
    assert kept.evidence[1:] == ("session 7", "intended for: ci")
    assert memories.hits(store, [first]) == {first: 2}


def test_letters_of_another_case_are_kept_where_they_mean_something(store: Store) -> None:
    """The case of a flag does not make a second memory, and the other one is not lost: `-p` and `-P`."""
    first = note(store, "Give the port with -p", skill="ssh")
    changes.note(store, draft("give the port with -P", skill="ssh"), now())
    changes.note(store, draft("GIVE the port with -p", skill="ssh"), now())
    kept = memories.get(store, first)
    assert kept
    assert kept.wordings == ("give the port with -P",)


def test_a_persons_words_are_the_lesson(store: Store) -> None:
    """What a person says in other words replaces an agent's wording, which stays with it; not the other way round."""
    first = note(store, FIRST, skill="deploy")
    changes.note(store, draft(OTHER, skill="deploy", trust=Trust.USER, source="user"), now())
    kept = memories.get(store, first)
    assert kept
    assert (kept.body, kept.trust, kept.wordings) == (OTHER, Trust.USER, (FIRST,))
    changes.note(store, draft(FIRST + "!", skill="deploy"), now())
    kept = memories.get(store, first)
    assert kept
    assert (kept.body, kept.trust) == (OTHER, Trust.USER)


@pytest.mark.parametrize(
    "fields",
    [
        {"skill": "other"},
        {"project": "p-1"},
        {"skill": None},
        {"kind": Kind.CONSTRAINT},
        {"kind": Kind.CHECKPOINT},
        {"title": "another headline"},
        {"subtype": "workflow"},
        {"trust": Trust.UNTRUSTED},
        {"candidate": True},
        {"source": "session"},
    ],
)
def test_only_a_lesson_of_the_same_place_is_the_same(store: Store, fields: dict[str, object]) -> None:
    """Another skill, project, kind, title or sort stands for itself, and what nobody vouches for waits for a person."""
    note(store, FIRST, skill="deploy")
    given = {"skill": "deploy"} | fields
    assert changes.note(store, draft(OTHER, **given), now()).outcome is Outcome.CREATED  # type: ignore[arg-type]


def test_what_is_not_active_is_not_woken_by_other_words(store: Store) -> None:
    """A lesson that was put away stays there: the new words are a lesson of their own."""
    first = note(store, FIRST, skill="deploy")
    changes.move(store, first, Status.ARCHIVED, now())
    assert changes.note(store, draft(OTHER, skill="deploy"), now()).outcome is Outcome.CREATED


def test_undo_takes_the_other_words_back(store: Store) -> None:
    """undo after a paraphrase leaves the lesson as it was."""
    first = note(store, FIRST, skill="deploy")
    changes.note(store, draft(OTHER, skill="deploy"), now())
    changes.undo(store, now())
    kept = memories.get(store, first)
    assert kept
    assert (kept.body, kept.wordings) == (FIRST, ())


def test_forget_reaches_the_other_words(store: Store, tmp_path: Path) -> None:
    """No byte of any wording stays, and none of them brings the lesson back."""
    first = note(store, FIRST, skill="deploy")
    changes.note(store, draft(OTHER, skill="deploy"), now())
    forget.forget(store, [first], now())
    for text in (FIRST, OTHER):
        assert changes.note(store, draft(text, skill="deploy"), now()).outcome is Outcome.FORGOTTEN
        assert files_with(tmp_path / "home", text) == {}


def test_it_is_found_among_thousands(store: Store) -> None:
    """Also where all of its words are in a thousand others, the newest are looked at, and the cost stays bounded."""
    with store.transaction():
        for number in range(1_200):
            note(store, f"Run `make redis` before the tests of part {number}", skill="deploy")
    first = note(store, FIRST, skill="deploy")
    assert changes.note(store, draft(OTHER, skill="deploy"), now()).id == first
