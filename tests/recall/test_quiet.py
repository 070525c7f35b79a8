"""What is no longer said unasked."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from hardwon.memories.search.quiet import is_quiet, reason, unspoken, waits_for_action
from hardwon.memory import Anchor, AnchorKind, Kind, Memory, Scope, Status, Trust
from hardwon.store import changes
from hardwon.store.tables import memories, showings
from hardwon.store.tables.showings import NEVER, Counts, Outcome, Showing
from tests.support import note, now, opened

PLAIN = Memory("m", Kind.LESSON, "text", Scope("p"), Trust.AGENT, "agent", Status.ACTIVE, 0, 0)
COMMAND = (Anchor(AnchorKind.COMMAND, "make test"),)


def memory(**fields: object) -> Memory:
    return dataclasses.replace(PLAIN, **fields)  # type: ignore[arg-type]


def fix(way: str, failed: str, **fields: object) -> Memory:
    return memory(kind=Kind.FIX, subtype="instead", body=f"`{way}` worked where `{failed}` failed", **fields)


QUIET: list[tuple[str, Counts, Memory, bool]] = [
    ("never shown", NEVER, memory(), False),
    ("shown often, nothing known", Counts(50), memory(), False),
    ("ignored three times of four", Counts(4, 0, 3), memory(), True),
    ("ignored each time, but only three", Counts(3, 0, 3), memory(), False),
    ("ignored twice of ten", Counts(10, 0, 2), memory(), False),
    ("helped once", Counts(10, 1, 9), memory(), False),
    ("called wrong", NEVER, memory(complaints=("no",)), True),
    ("called wrong, though it helped", Counts(5, 5), memory(complaints=("no",)), True),
    ("said by a person and ignored", Counts(9, 0, 9), memory(trust=Trust.USER), False),
    ("said by a person, called wrong by an agent", NEVER, memory(trust=Trust.USER, complaints=("no",)), False),
    ("pinned and ignored", Counts(9, 0, 9), memory(pinned=True), False),
    ("pinned and called wrong", NEVER, memory(pinned=True, complaints=("no",)), False),
    ("a way that is none", NEVER, fix("dropdb shop", "createdb shop"), True),
    ("a way that is one", NEVER, fix("pnpm install", "npm install"), False),
    ("a way that is none, accepted by a person", NEVER, fix("dropdb shop", "createdb shop", trust=Trust.USER), False),
    ("verified and ignored", Counts(4, 0, 4), memory(trust=Trust.VERIFIED, kind=Kind.FAILURE), True),
]


@pytest.mark.parametrize(("counts", "one", "quiet"), [row[1:] for row in QUIET], ids=[row[0] for row in QUIET])
def test_what_goes_quiet(counts: Counts, one: Memory, quiet: bool) -> None:
    """Four showings, three ignored, none that helped, or called wrong; what a person wants said is said."""
    assert is_quiet(counts, one) is quiet
    assert bool(reason(counts, one)) is quiet


LATER: list[tuple[str, Counts, Memory, bool]] = [
    ("never ignored", Counts(9, 3), memory(anchors=COMMAND), False),
    ("ignored elsewhere", Counts(2, 0, 1, 0), memory(anchors=COMMAND), False),
    ("ignored at a prompt", Counts(1, 0, 1, 1), memory(anchors=COMMAND), True),
    ("a failure", Counts(1, 0, 1, 1), memory(kind=Kind.FAILURE, anchors=COMMAND), True),
    ("nothing to be said before", Counts(1, 0, 1, 1), memory(), False),
    ("a topic is no action", Counts(1, 0, 1, 1), memory(anchors=(Anchor(AnchorKind.TOPIC, "x"),)), False),
    ("decisions are not said before actions", Counts(1, 0, 1, 1), memory(kind=Kind.DECISION, anchors=COMMAND), False),
    ("pinned", Counts(1, 0, 1, 1), memory(anchors=COMMAND, pinned=True), False),
]


@pytest.mark.parametrize(("counts", "one", "later"), [row[1:] for row in LATER], ids=[row[0] for row in LATER])
def test_what_is_said_nearer_to_the_action(counts: Counts, one: Memory, later: bool) -> None:
    """Ignored at a prompt, and it has a command, a file or an error before which it can be said."""
    assert waits_for_action(counts, one) is later


def test_which_of_some_are_not_said(tmp_path: Path) -> None:
    """Those that are quiet at any moment; at a prompt also those that wait for the action."""
    with opened(tmp_path) as store:
        plain, doubted = note(store, "plain"), note(store, "doubted", trust=Trust.VERIFIED)
        ignored = note(store, "ignored", anchors=COMMAND)
        changes.complain(store, doubted, Trust.AGENT, "no", now())
        showings.record(store, [Showing(ignored, "prompt", now(), 5, Outcome.IGNORED)])
        found = list(memories.all_memories(store))
        assert {one.id for one in found} == {plain, doubted, ignored}
        assert unspoken(store, found) == {doubted}
        assert unspoken(store, found, prompt=True) == {doubted, ignored}
        assert unspoken(store, []) == set()
