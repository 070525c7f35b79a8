"""Lessons that say nearly the same: which ones are linked, and what becomes of them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hardwon.memories.doubles import are_doubles
from hardwon.memories.search.batch import embed_missing
from hardwon.memories.skills import Wanted, lessons
from hardwon.memory import GLOBAL, Anchor, AnchorKind, Draft, Kind, LinkKind, Memory, Scope, Status, Trust
from hardwon.paths import Home
from hardwon.settings import DEFAULTS
from hardwon.store import changes
from hardwon.store.connection import Store, open_store
from hardwon.store.tables import memories
from tests.recall.models import real

NOW = 1_790_000_000_000
HELD = "Production holds a lock; a second deploy is refused"
AGAIN = "A second deploy is refused while production holds the lock"


def lesson(id: str, body: str, **fields: Any) -> Memory:
    made = Memory(
        id, Kind.LESSON, body, Scope("p", "deploy"), Trust.AGENT, "agent", Status.ACTIVE, created_at=1, updated_at=1
    )
    return dataclasses.replace(made, **fields)


PAIRS: list[tuple[str, str, str, dict[str, Any], bool]] = [
    ("in other words", HELD, AGAIN, {}, True),
    ("a negation", "Run the formatter on generated files", "Never run the formatter on generated files", {}, False),
    ("a number", "The pool holds 20 connections", "The pool holds 30 connections", {}, False),
    ("a flag", "Run helm with --atomic", "Run helm with --wait", {}, False),
    ("turned round", "Workers are deployed first, then the API", "The API is deployed first, then the workers", {},
     False),
    ("of another project", HELD, AGAIN, {"scope": Scope("q", "deploy")}, False),
    ("of another skill", HELD, AGAIN, {"scope": Scope("p", "build")}, False),
    ("about another file", HELD, AGAIN, {"anchors": (Anchor(AnchorKind.FILE, "a.sh"),)}, False),
    ("archived", HELD, AGAIN, {"status": Status.ARCHIVED}, False),
    ("from an untrusted place", HELD, AGAIN, {"trust": Trust.UNTRUSTED}, False),
    ("no lesson", HELD, AGAIN, {"kind": Kind.RULE}, False),
    ("for another reason", HELD, AGAIN, {"because": "of the audit"}, False),
]  # fmt: skip


@pytest.mark.parametrize(("what", "one", "other", "fields", "same"), PAIRS, ids=[pair[0] for pair in PAIRS])
def test_which_may_be_doubles(what: str, one: str, other: str, fields: dict[str, Any], same: bool) -> None:
    """P7: whatever the cosine says; in doubt they are two."""
    assert are_doubles(lesson("a", one), lesson("b", other, **fields)) is same, what


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(Home(tmp_path / "home"), DEFAULTS) as opened:
        yield opened


def note(store: Store, body: str, at: int) -> str:
    id = changes.note(store, Draft(Kind.LESSON, body, Scope("p", "deploy"), Trust.AGENT, "agent"), at).id
    assert id
    return id


@pytest.mark.parametrize("together", [True, False])
def test_a_double_is_linked_and_counted_and_keeps_its_text(store: Store, together: bool) -> None:
    """P7: the earlier one counts once more, the later one is linked to it, a loading skill is told one of them."""
    model = real()
    first = note(store, HELD, NOW)
    if not together:
        embed_missing(store, model)
    second, third = note(store, AGAIN, NOW + 1), note(store, "Announce it to the people on call", NOW + 2)
    while embed_missing(store, model):
        pass
    found = {one.id: one for one in memories.all_memories(store)}
    assert found[second].body == AGAIN
    assert [(link.kind, link.target) for link in found[second].links] == [(LinkKind.SAME_AS, first)]
    assert not found[first].links
    assert not found[third].links
    assert memories.hits(store, [first, second, third]) == {first: 1}
    said = [item.ranked.memory.id for item in lessons(store, Wanted("deploy", ("p", GLOBAL)), NOW).items]
    assert sorted(said) == sorted([first, third])
    store.db.execute("delete from vectors")  # another model: nothing is counted again
    while embed_missing(store, model):
        pass
    assert memories.hits(store, [first]) == {first: 1}
    changes.move(store, first, Status.ARCHIVED, NOW + 3)
    said = [item.ranked.memory.id for item in lessons(store, Wanted("deploy", ("p", GLOBAL)), NOW).items]
    assert second in said
