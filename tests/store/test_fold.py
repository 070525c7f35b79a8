"""The fold: a set of records is a memory, in whatever order and however often they arrive."""

from __future__ import annotations

import itertools
import json
import random
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardwon.memory import GLOBAL, Kind, Link, LinkKind, Memory, Rejected, Scope, Status, Trust
from hardwon.store import changes
from hardwon.store.clock import tick
from hardwon.store.connection import Store
from hardwon.store.erasure import forget
from hardwon.store.log import exchange, records
from hardwon.store.log.fold import fold
from hardwon.store.log.records import Record, clock_time
from hardwon.store.maintenance import repair
from hardwon.store.tables import memories
from tests.properties import examples
from tests.support import contents, draft, note, now, opened

MADE = {
    "kind": "lesson",
    "body": "the tests need Redis",
    "project": GLOBAL,
    "trust": "agent",
    "source": "agent",
    "status": "active",
    "created_at": 1_000,
}
CHANGES: list[tuple[str, dict[str, Any]]] = [
    (records.EDIT, {"body": "the tests need Redis 7"}),
    (records.EDIT, {"title": "Redis", "pinned": True}),
    (records.EDIT, {"skill": "testing", "kind": "rule"}),
    (records.STATUS, {"status": "resolved", "reason": "fixed"}),
    (records.STATUS, {"status": "superseded", "by": "another"}),
    (records.STATUS, {"status": "active"}),
    (records.LINK, {"kind": "fixes", "target": "another"}),
    (records.UNLINK, {"kind": "fixes", "target": "another"}),
    (records.COMPLAIN, {"who": "agent", "reason": "not so"}),
]


def record(sequence: int, operation: str, payload: dict[str, Any] | None, device: str = "a", clock: int = 0) -> Record:
    return Record(device, sequence, clock or tick(0, 1_000 + sequence), "m", operation, sequence, payload)


def made(*changes: tuple[str, dict[str, Any] | None]) -> list[Record]:
    """A log: the making of a memory, then these changes, numbered from 2."""
    return [
        record(number, *change) for number, change in enumerate([(records.CREATE, dict[str, Any](MADE)), *changes], 1)
    ]


def undo(sequence: int, device: str = "a") -> tuple[str, dict[str, Any]]:
    return records.UNDO, {"device": device, "sequence": sequence}


@st.composite
def logs(draw: st.DrawFn) -> list[Record]:
    """A log of two devices whose clocks may be equal, with undos of anything, also of undos."""
    log = [record(1, records.CREATE, MADE)]
    for sequence in range(2, draw(st.integers(2, 9))):
        device = draw(st.sampled_from("ab"))
        clock = tick(0, 1_000 + draw(st.integers(1, 6)))
        if draw(st.booleans()):
            target = draw(st.sampled_from(log))
            operation, payload = undo(target.sequence, target.device)
            clock = max(clock, target.clock + 1)  # nobody takes back what has not happened yet
        else:
            operation, payload = draw(st.sampled_from(CHANGES))
        log.append(record(sequence, operation, payload, device, clock))
    return log


@given(log=logs(), data=st.data())
@examples(150)
def test_order_and_repetition_do_not_matter(log: list[Record], data: st.DataObject) -> None:
    """The same set of records makes the same memory: shuffled, repeated, or both."""
    repeated = log + data.draw(st.lists(st.sampled_from(log)))
    assert fold(data.draw(st.permutations(repeated))) == fold(log)


@given(log=logs(), data=st.data())
@examples(150)
def test_a_part_of_a_log_makes_a_memory_or_none(log: list[Record], data: st.DataObject) -> None:
    """Whatever is missing, what is there can be folded, and what is missing can come later."""
    part = data.draw(st.lists(st.sampled_from(log), unique_by=lambda one: one.sequence))
    found = fold(part)
    is_made = any(one.operation == records.CREATE for one in part)
    assert found is None or is_made
    assert fold([*part, *log]) == fold(log)


@given(log=logs(), data=st.data())
@examples(50)
def test_a_forgotten_memory_is_nothing_whatever_else_arrives(log: list[Record], data: st.DataObject) -> None:
    """One record of forgetting anywhere in the log, and no undo or edit brings the memory back."""
    forgetting = record(
        99, records.FORGET, {"key_id": "k", "hash": []}, clock=tick(0, data.draw(st.integers(1, 3_000)))
    )
    undoing = record(100, *undo(99))
    assert fold(data.draw(st.permutations([*log, forgetting, undoing]))) is None


START = {"body": "the tests need Redis", "title": "", "status": "active", "pinned": False}
EDIT_1 = (records.EDIT, {"title": "one"})
EDIT_2 = (records.EDIT, {"title": "two"})
RESOLVED = (records.STATUS, {"status": "resolved"})


@pytest.mark.parametrize(
    ("log", "expected"),
    [
        ([EDIT_1, EDIT_2], {"title": "two"}),
        # Undo: the last, the one before, both, something in the middle
        ([EDIT_1, EDIT_2, undo(3)], {"title": "one"}),
        ([EDIT_1, EDIT_2, undo(3), undo(2)], {"title": ""}),
        ([EDIT_1, EDIT_2, undo(2)], {"title": "two"}),
        ([EDIT_1, RESOLVED, undo(2)], {"title": "", "status": "resolved"}),
        # Undo of an undo, and of that
        ([EDIT_1, undo(2), undo(3)], {"title": "one"}),
        ([EDIT_1, undo(2), undo(3), undo(4)], {"title": ""}),
        ([EDIT_1, undo(2), undo(3), undo(2)], {"title": ""}),
        # Twice the same undo, one of them taken back: still undone
        ([EDIT_1, undo(2), undo(2), undo(4)], {"title": ""}),
        # The making itself
        ([undo(1)], None),
        ([EDIT_1, undo(1)], None),
        ([EDIT_1, undo(1), undo(3)], {"title": "one"}),
        # An undo of what is not in this log
        ([EDIT_1, undo(77), undo(2, device="b")], {"title": "one"}),
        # Erased payloads
        ([EDIT_1, (records.EDIT, None)], {"title": "one"}),
        ([EDIT_1, (records.UNDO, None)], {"title": "one"}),
    ],
)
def test_undo(log: Sequence[tuple[str, dict[str, Any] | None]], expected: dict[str, Any] | None) -> None:
    """An undo takes back one record; what took back an undo brings it back."""
    memory = fold(made(*log))
    found = memory and {name: getattr(memory, name) for name in START}
    assert found == (None if expected is None else START | expected)


@pytest.mark.parametrize(
    ("change", "field", "value"),
    [
        ((records.EDIT, {"skill": "testing"}), "scope", Scope(GLOBAL, "testing")),
        ((records.EDIT, {"project": "p"}), "scope", Scope("p")),
        ((records.EDIT, {"kind": "rule"}), "kind", Kind.RULE),
        ((records.EDIT, {"rejected": [["Mongo", "slow"]]}), "rejected", (Rejected("Mongo", "slow"),)),
        ((records.STATUS, {"status": "stale", "reason": "old"}), "reason", "old"),
        ((records.STATUS, {"status": "superseded", "by": "x"}), "superseded_by", "x"),
        ((records.LINK, {"kind": "fixes", "target": "x"}), "links", (Link(LinkKind.FIXES, "x"),)),
        ((records.UNLINK, {"kind": "fixes", "target": "x"}), "links", ()),
        ((records.COMPLAIN, {"who": "agent", "reason": "no"}), "complaints", ("no",)),
        # What a newer hardwon adds is passed over
        ((records.EDIT, {"mood": "sunny", "title": "new"}), "title", "new"),
        ((records.STATUS, {"status": "stale", "until": 5}), "status", Status.STALE),
        ((records.LINK, {"kind": "fixes", "target": "x", "weight": 2}), "links", (Link(LinkKind.FIXES, "x"),)),
        ((records.COMPLAIN, {"who": "agent", "reason": "no", "votes": 3}), "complaints", ("no",)),
    ],
)
def test_each_change_sets_its_field(change: tuple[str, dict[str, Any]], field: str, value: object) -> None:
    """Every operation, and fields that this version does not know."""
    memory = fold(made(change))
    assert memory is not None
    assert getattr(memory, field) == value
    assert memory.updated_at == 1_002


def test_a_made_memory_ignores_unknown_fields_and_a_second_making() -> None:
    """A record of a newer hardwon folds; of two records that make one memory the first counts."""
    newer = record(1, records.CREATE, MADE | {"colour": "red", "anchors": [["file", "a.py"]]})
    second = record(2, records.CREATE, MADE | {"body": "something else"})
    memory = fold([second, newer])
    assert memory is not None
    assert memory.body == MADE["body"]
    assert [str(anchor) for anchor in memory.anchors] == ["file=a.py"]


@pytest.mark.parametrize(
    ("last", "now", "expected"),
    [
        (0, 5, 5 << 16),
        (5 << 16, 6, 6 << 16),
        (5 << 16, 5, (5 << 16) + 1),  # twice in one millisecond
        ((5 << 16) + 1, 5, (5 << 16) + 2),
        (9 << 16, 5, (9 << 16) + 1),  # the wall clock jumped back
        ((5 << 16) + 0xFFFF, 5, 6 << 16),  # 65,536 in one millisecond: the next one begins early
    ],
)
def test_a_clock_only_moves_on(last: int, now: int, expected: int) -> None:
    """The next clock is the wall's, or one more than the last."""
    assert tick(last, now) == expected
    assert clock_time(expected) >= now


def test_changes_keep_their_order_when_the_wall_clock_jumps_back(tmp_path: Path) -> None:
    """A machine whose clock is set back an hour still has the last edit as the last."""
    hour = 3_600_000
    with opened(tmp_path / "home") as store:
        id = note(store, "the first text of it", 10 * hour)
        changes.edit(store, id, {"body": "the second text of it"}, 9 * hour)
        changes.edit(store, id, {"body": "the third text of it"}, 1)
        assert existing(store, id).body == "the third text of it"
        assert existing(store, id).updated_at == 10 * hour
        changes.undo(store, 2)
        assert existing(store, id).body == "the second text of it"
        assert repair.differences(store) == []


def existing(store: Store, id: str) -> Memory:
    memory = memories.get(store, id)
    assert memory is not None
    return memory


# ── two homes ────────────────────────────────────────────────────────────────────────────────────────────────────────


def lines(store: Store) -> list[dict[str, Any]]:
    return [json.loads(json.dumps(line)) for line in exchange.export(store)]


def take_in(store: Store, given: Iterable[dict[str, Any]], at: int | None = None) -> exchange.Merged:
    return exchange.merge(store, given, now() if at is None else at, Trust.USER)


@pytest.mark.parametrize("seed", range(4))
def test_two_homes_that_exchange_everything_remember_the_same(tmp_path: Path, seed: int) -> None:
    """Each changes what both have, then takes in the other's lines in any order, several times over."""
    chance = random.Random(seed)
    with opened(tmp_path / "one") as one, opened(tmp_path / "two") as two:
        shared = [note(one, f"lesson {number} that both know") for number in range(6)]
        take_in(two, lines(one))
        for name, store in (("one", one), ("two", two)):
            note(store, f"something only {name} has learned")
            for id in shared:
                busy(store, id, name, chance)
            note(store, "lesson 0 that both know")  # a hit, where it is still there
        changes.undo(two, now())

        for _ in range(2):
            from_one, from_two = lines(one), lines(two)
            for store, incoming in ((one, from_two * 2), (two, from_one)):
                chance.shuffle(incoming)
                assert take_in(store, incoming).rejected == []
        assert contents(one) == contents(two)
        assert repair.differences(one) == repair.differences(two) == []


def busy(store: Store, id: str, name: str, chance: random.Random) -> None:
    if memories.get(store, id) is None:
        return
    match chance.randrange(5):
        case 0:
            changes.edit(store, id, {"title": f"as {name} sees it", "pinned": chance.random() < 0.5}, now())
        case 1:
            changes.edit(store, id, {"body": f"{id} in the words of {name}"}, now())
        case 2:
            changes.move(store, id, Status.ARCHIVED, now(), reason=name)
        case 3:
            changes.complain(store, id, Trust.AGENT, name, now())
        case 4:
            forget.forget(store, [id], now())


def test_a_clock_more_than_a_day_ahead_is_set_aside(tmp_path: Path) -> None:
    """A record from the future would win over everything for ever; it waits outside, and the others come in."""
    day = 86_400_000
    with opened(tmp_path / "one") as one, opened(tmp_path / "two") as two:
        note(one, "from the present", now())
        note(one, "from later today", now() + day - 60_000)
        note(one, "from next week", now() + 7 * day)
        merged = take_in(two, lines(one))
        assert len(merged.set_aside) == 1
        assert "more than a day ahead" in merged.set_aside[0]
        assert sorted(memory.body for memory, _ in contents(two).values()) == ["from later today", "from the present"]
        assert two.value("select count(*) from set_aside") == 1
        assert take_in(two, lines(one), now() + 8 * day).set_aside == []
        assert contents(two) == contents(one)


def test_a_copied_home_gets_a_device_of_its_own(tmp_path: Path) -> None:
    """`cp -r` of a home: both go on writing, and what each has learned can be merged without a collision."""
    with opened(tmp_path / "one") as store:
        first, device = note(store, "learned before the copy"), store.device
    shutil.copytree(tmp_path / "one", tmp_path / "two")
    with opened(tmp_path / "one") as one, opened(tmp_path / "two") as two:
        assert one.device == device
        assert two.device not in (device, "")
        ids = {first, note(one, "learned in the first"), note(two, "learned in the second")}
        changes.edit(two, first, {"title": "as the second has it"}, now())
        take_in(one, lines(two))
        take_in(two, lines(one))
        assert contents(one).keys() == ids
        assert contents(one) == contents(two)
        assert existing(one, first).title == "as the second has it"


def test_a_copied_home_can_undo_what_was_done_before_the_copy(tmp_path: Path) -> None:
    """The device is new, the home is not."""
    with opened(tmp_path / "one") as store:
        first = note(store, "learned before the copy")
    shutil.copytree(tmp_path / "one", tmp_path / "two")
    with opened(tmp_path / "two") as two:
        changes.undo(two, now())
        assert memories.get(two, first) is None
        changes.redo(two, now())
        assert memories.get(two, first) is not None


def test_a_renamed_home_keeps_its_device(tmp_path: Path) -> None:
    """Moving the folder is not copying it."""
    with opened(tmp_path / "one") as store:
        device = store.device
    (tmp_path / "one").rename(tmp_path / "two")
    with opened(tmp_path / "two") as store:
        assert store.device == device


def test_hits_of_two_homes_add_up_and_merging_again_adds_nothing(tmp_path: Path) -> None:
    """Each device counts for itself; a merge takes the larger number of each, so nothing counts twice."""
    with opened(tmp_path / "one") as one, opened(tmp_path / "two") as two:
        id = note(one, "learned again and again")
        take_in(two, lines(one))
        for store, times in ((one, 3), (two, 2)):
            for _ in range(times):
                note(store, "learned again and again")
        for _ in range(3):
            take_in(one, lines(two))
            take_in(two, lines(one))
        assert memories.hits(one, [id]) == memories.hits(two, [id]) == {id: 5}


def test_lines_in_every_order_make_the_same_store(tmp_path: Path) -> None:
    """All orders of a handful of lines, one home each: a record that comes before its memory waits for it."""
    with opened(tmp_path / "one") as store:
        id = note(store, "the tests need Redis")
        changes.edit(store, id, {"title": "Redis"}, now())
        changes.undo(store, now())
        note(store, "the tests need Redis")
        given = [line for line in lines(store) if line["type"] in ("record", "hits")]
        expected = contents(store)
    for number, order in enumerate(itertools.permutations(given)):
        with opened(tmp_path / f"other {number}") as other:
            take_in(other, order)
            assert contents(other) == expected
            assert repair.differences(other) == []


def test_a_repeated_note_makes_no_record_of_its_own(tmp_path: Path) -> None:
    """Counts are not in the log: learning something a thousand times does not make it grow."""
    with opened(tmp_path / "home") as store:
        for _ in range(5):
            changes.note(store, draft("the same lesson as before"), now())
        assert store.value("select count(*) from records") == 1
