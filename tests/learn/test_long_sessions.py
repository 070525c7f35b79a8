"""Sessions of any length: derived from in one pass, with little in memory, kept in short transactions."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardwon.event import Event, EventType, Tier
from hardwon.learn.derive import derive, walk
from hardwon.learn.session import PORTION, learn
from hardwon.memory import Kind
from hardwon.store.connection import Store
from hardwon.store.tables import journal, memories, recurrences
from tests.learn.test_derive import AT, edited, failed, passed, said
from tests.support import contents, opened


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return opened(tmp_path / "home")


def error(number: int) -> str:
    return f"Exit code 1\nTraceback (most recent call last):\nKeyError: 'FIELD_{'abcdefghij'[number % 10] * 3}'"


def timed(events: Iterator[Event]) -> Iterator[Event]:
    """A second apart, each call with an id."""
    for number, event in enumerate(events):
        call = "" if event.type is EventType.PROMPT_SUBMITTED else f"toolu_{number:012}"
        yield dataclasses.replace(event, at=AT + number * 1000, call=call, prompt=f"prompt-{number:012}")


def work(rounds: int) -> Iterator[Event]:
    """Commands that fail and are never run again, edits, commands that pass, a word now and then."""
    for number in range(rounds):
        filler = f"{number} " + "x" * 4_000
        yield failed(f"pytest tests/test_{number}.py", error(number) + filler)
        yield edited(f"src/{number % 50}.py", f"- {filler}\n+ {filler}y")
        yield dataclasses.replace(passed(f"make step-{number}"), text=filler)
        if not number % 20:
            yield said(f"please look at step {number}")


def test_a_journal_is_read_once() -> None:
    """An iterator gives what a list gives."""
    events = list(timed(work(60)))
    assert derive(iter(events)) == derive(events)
    assert sum(one.draft.kind is Kind.FAILURE for one in derive(events)) == 60


def test_deriving_holds_little() -> None:
    """Ten times as long a session takes a few megabytes more: only what may still matter is held."""
    assert peak(2_500) - peak(250) < 24_000


def peak(rounds: int) -> int:
    """Kilobytes that a process takes which derives from so many rounds, 14 kB of text each."""
    script = (
        "import resource\n"
        "from hardwon.learn.derive import walk\n"
        "from tests.learn.test_long_sessions import timed, work\n"
        f"assert sum(1 for _ in walk(timed(work({rounds})))) > {rounds}\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    root = Path(__file__).parents[2]
    return int(subprocess.run([sys.executable, "-c", script], cwd=root, capture_output=True, check=True).stdout)


def test_a_change_long_ago_is_no_fix_of_a_late_pass() -> None:
    """What passes after hundreds of other changes passes because of these; the failure is fixed all the same."""
    many = [edited(f"conf/{number}.toml", f"- {number}\n+ {number}0") for number in range(600)]
    (_, fix) = derive(timed(iter([failed(), edited("first.toml"), *many, passed()])))
    assert fix.draft.kind is Kind.FIX
    assert "first.toml" not in fix.draft.body
    assert "conf/599.toml" in fix.draft.body


def test_a_session_of_many_steps_is_learned_in_several_transactions(store: Store) -> None:
    """It teaches what it would in one; a failure counts once for its day, and learning again changes nothing."""
    happened: list[Event] = []
    for number in range(PORTION):
        happened += [failed(f"make part-{number % 7}", error(number % 7)), edited(f"conf/{number}.toml"),
                     passed(f"make part-{number % 7}")]  # fmt: skip
    events = list(timed(iter(happened)))
    assert len(list(walk(events))) > 2 * PORTION
    for event in events:
        journal.append(store, event, Tier.FULL)
    assert learn(store, "claude-code", "s1", AT) > 7
    found = [one for one in memories.all_memories(store) if one.kind is Kind.FAILURE]
    assert len(found) == 7
    assert [recurrences.days(store, one.id) for one in found] == [{"2026-09-21": 1}] * 7
    known = contents(store)
    assert learn(store, "claude-code", "s1", AT) == 0
    assert contents(store) == known
    assert [recurrences.days(store, one.id) for one in found] == [{"2026-09-21": 1}] * 7


def test_events_come_in_order_across_portions(store: Store) -> None:
    """By time, and those of one moment as they were told, however many there are."""
    events = list(timed(iter([passed(f"make {number}") for number in range(3 * journal.PORTION + 7)])))
    told = [dataclasses.replace(event, at=AT + number // 5) for number, event in enumerate(events)]
    for event in reversed(told[300:]):
        journal.append(store, event, Tier.OUTLINE)
    for event in told[:300]:
        journal.append(store, event, Tier.OUTLINE)
    found = list(journal.of_session(store, "claude-code", "s1"))
    assert sorted(found, key=lambda event: event.at) == found
    assert [event.call for event in found[:300]] == [event.call for event in told[:300]]
    assert {event.call for event in found} == {event.call for event in told}
