"""What belongs to a memory that is said: two steps at most, each once, in a share of the budget."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from hardwon.memories.chains import SAME, Relation, Step, stitched
from hardwon.memories.search.budget import SMALLEST
from hardwon.memory import Anchor, AnchorKind, Kind, LinkKind, Memory, Status, Trust
from hardwon.store import changes
from hardwon.store.connection import Store
from hardwon.store.tables import memories
from tests.support import note, opened

AT = 1_790_000_000_000


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with opened(tmp_path / "home") as store:
        yield store


def learn(store: Store, body: str, kind: Kind, at: int = 0, **fields: Any) -> str:
    given = {"trust": Trust.VERIFIED, "source": "session", "project": "p"} | fields
    return note(store, body, at=AT + at, kind=kind, **given)


def fixed(store: Store, failure: str, body: str, at: int = 0, subtype: str = "") -> str:
    fix = learn(store, body, Kind.FIX, at, subtype=subtype)
    changes.link(store, fix, LinkKind.FIXES, failure, AT + at)
    return fix


def got(store: Store, id: str) -> Memory:
    found = memories.get(store, id)
    assert found is not None
    return found


def chain(store: Store, *ids: str, share: int = 200) -> list[tuple[Step, ...]]:
    found = stitched(store, [got(store, id) for id in ids], share)
    return [found.get(id, ()) for id in ids]


def said(steps: tuple[Step, ...]) -> list[tuple[str, str]]:
    return [(step.relation, step.memory.id) for step in steps]


def test_a_failure_comes_with_what_worked(store: Store) -> None:
    """And without what did not; where nothing did, with what was tried."""
    mended, open_ = (learn(store, f"`make {what}` failed: boom {what}", Kind.FAILURE) for what in ("test", "docs"))
    fixed(store, mended, "turned it off and on", 1, subtype="failed")
    fix = fixed(store, mended, "started the database", 2)
    vain = fixed(store, open_, "updated everything", 3, subtype="partial")
    assert [said(steps) for steps in chain(store, mended, open_)] == [[("what worked", fix)], [("tried", vain)]]


def test_a_decision_says_what_it_replaced_and_what_that_had_replaced(store: Store) -> None:
    """Two steps; what was before that is history."""
    ids = [learn(store, f"database number {n}", Kind.DECISION, n) for n in range(4)]
    for old, new in pairwise(ids):
        changes.supersede(store, old, new, AT + 9)
    assert [said(steps) for steps in chain(store, ids[3])] == [[("replaced", ids[2]), ("before that", ids[1])]]


def test_a_failure_says_what_caused_it_and_what_worked_there(store: Store) -> None:
    """Two steps along the links."""
    cause = learn(store, "`make up` failed: no space left", Kind.FAILURE)
    fix = fixed(store, cause, "emptied the cache")
    failure = learn(store, "`make test` failed: refused", Kind.FAILURE)
    changes.link(store, failure, LinkKind.CAUSED_BY, cause, AT)
    assert said(chain(store, failure)[0]) == [("caused by", cause), ("what worked there", fix)]


def test_a_fix_says_what_it_was_against(store: Store) -> None:
    """When it is said by itself."""
    failure = learn(store, "`make test` failed: refused", Kind.FAILURE)
    fix = fixed(store, failure, "started the database")
    assert said(chain(store, fix)[0]) == [("against", failure)]


def test_a_task_comes_with_its_constraints(store: Store) -> None:
    """Those of the same breath, and those about the same file; no others."""
    file = (Anchor(AnchorKind.FILE, "src/export.py"),)
    task = learn(store, "write the exporter", Kind.TASK, evidence=("claude-code:s1:p1",), anchors=file)
    breath = learn(store, "no new dependency", Kind.CONSTRAINT, 1, evidence=("claude-code:s1:p1",))
    learn(store, "answer in English", Kind.CONSTRAINT, 2, evidence=("claude-code:s1:p2",))
    about = learn(store, "it stays below 400 lines", Kind.CONSTRAINT, 3, anchors=file)
    gone = learn(store, "it must be in one function", Kind.CONSTRAINT, 4, anchors=file)
    changes.move(store, gone, Status.ARCHIVED, AT + 5)
    assert set(said(chain(store, task)[0])) == {("bound by", breath), ("bound by", about)}


@pytest.mark.parametrize("how", ["archived", "candidate", "another project"])
def test_what_does_not_hold_here_is_not_said_along(store: Store, how: str) -> None:
    """Neither what was put away, nor what waits for a person, nor what belongs elsewhere."""
    given: dict[str, Any] = {"project": "q"} if how == "another project" else {}
    given |= {"trust": Trust.UNTRUSTED} if how == "candidate" else {}
    cause = learn(store, "`make up` failed: no space left", Kind.FAILURE, **given)
    if how == "archived":
        changes.move(store, cause, Status.ARCHIVED, AT)
    failure = learn(store, "`make test` failed: refused", Kind.FAILURE)
    changes.link(store, failure, LinkKind.CAUSED_BY, cause, AT)
    assert chain(store, failure) == [()]


def test_each_is_said_once(store: Store) -> None:
    """What is said anyway is no step; one fix of two failures is named at both, with its words at the first."""
    one, two = (learn(store, f"`make {what}` failed: boom {what}", Kind.FAILURE) for what in ("test", "docs"))
    fix = fixed(store, one, "started the database")
    changes.link(store, fix, LinkKind.FIXES, two, AT)
    changes.link(store, two, LinkKind.CAUSED_BY, one, AT)
    first, second = chain(store, one, two)
    assert [(step.relation, step.text) for step in first] == [(Relation.WORKED, "started the database")]
    assert [(step.relation, step.text) for step in second] == [(Relation.WORKED, SAME)]


def test_a_fix_belongs_to_its_failure(store: Store) -> None:
    """Also where both fit: it is a step of the failure's, not the other way round."""
    failure = learn(store, "`make test` failed: refused", Kind.FAILURE)
    fix = fixed(store, failure, "started the database")
    assert [said(steps) for steps in chain(store, fix, failure)] == [[], [("what worked", fix)]]


@pytest.mark.parametrize("share", [30, 100, 200])
def test_all_of_it_stays_within_its_share(store: Store, share: int) -> None:
    """However long the fixes are; and none of five failures is left without what worked."""
    failures = [learn(store, f"`make job{n}` failed: boom {n}", Kind.FAILURE, n) for n in range(5)]
    for number, failure in enumerate(failures):
        fixed(store, failure, f"first fix {number} " + "long " * 200, 10)
        fixed(store, failure, f"second fix {number} " + "long " * 200, 20)
    found = chain(store, *failures, share=share)
    assert all(steps and steps[0].relation is Relation.WORKED for steps in found)
    assert sum(step.tokens for steps in found for step in steps) <= max(share, 5 * (SMALLEST + 2))


def test_a_circle_of_links_ends(store: Store) -> None:
    """Imported links may say anything."""
    one, two = (learn(store, f"`make {what}` failed: boom {what}", Kind.FAILURE) for what in ("test", "docs"))
    changes.link(store, one, LinkKind.CAUSED_BY, two, AT)
    changes.link(store, two, LinkKind.CAUSED_BY, one, AT)
    changes.link(store, one, LinkKind.CAUSED_BY, one, AT)
    assert [said(steps) for steps in chain(store, one)] == [[("caused by", two)]]
