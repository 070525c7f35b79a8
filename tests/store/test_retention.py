"""How long the journal keeps what: by tier, age and size; never what is open, not learned from, or evidence."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hardwon.event import Event, EventType, Tier
from hardwon.learn import session as learn
from hardwon.memory import SAID, Status
from hardwon.settings import Retention, Settings
from hardwon.store import changes, projects
from hardwon.store.connection import Store
from hardwon.store.maintenance import retention, shrink, upkeep
from hardwon.store.maintenance.retention import OPEN, SLACK, Removed
from hardwon.store.tables import journal, memories, showings
from hardwon.store.tables.showings import Showing
from hardwon.text import tiers
from tests.support import opened

NOW = 1_800_000_000_000
DAY = 86_400_000
HOUR = 3_600_000
HOST = "a-client"
FULL, OUTLINE, FACT = Tier.FULL, Tier.OUTLINE, Tier.FACT


def event(session: str, at: int, tier: Tier, number: int = 0, **fields: Any) -> Event:
    """One that is worth this much."""
    about: dict[Tier, dict[str, Any]] = {
        FULL: {"type": EventType.TOOL_FAILED, "tool": "Bash", "target": "make test", "error": "boom", "exit_status": 2},
        OUTLINE: {"type": EventType.TOOL_FINISHED, "tool": "Bash", "target": f"make {number}", "text": "done"},
        FACT: {"type": EventType.TOOL_FINISHED, "tool": "Read", "target": f"{number}.py"},
    }
    common: dict[str, Any] = {"host": HOST, "session": session, "at": at, "cwd": "/srv/app"}
    return Event(**(common | {"call": f"{session}-{tier}-{number}-0123456789"} | about[tier] | fields))


def happened(store: Store, session: str, age: float, count: int = 1, *, learned: bool = True, **fields: Any) -> None:
    """A session that ended so many days ago, with so many events of each tier."""
    end = NOW - int(age * DAY)
    events = [event(session, end - number, tier, number, **fields) for number in range(count) for tier in tiers.LONGEST
              if tier is not Tier.NOTHING]  # fmt: skip
    assert len(journal.append_many(store, [(one, tiers.tier(one)) for one in events])) == 3 * count
    if learned:
        retention.learned(store, HOST, session, end)


def left(store: Store) -> dict[str, str]:
    """The tiers that each session still has."""
    sql = "select s.id, j.tier from journal j join sessions s on s.row = j.session order by s.id, j.tier"
    found: dict[str, str] = {}
    for session, tier in store.rows(sql):
        found[session] = found.get(session, "") + tier
    return found


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with opened(tmp_path / "home") as one:
        yield one


def with_settings(store: Store, **given: int) -> Store:
    store.settings = Settings(retention=Retention(**given))
    return store


# ── by age ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("given", "ages"),
    [
        ({}, (14, 45, 90)),
        ({"journal_days": 10}, (10, 10, 10)),
        ({"journal_days": 0}, (14, 45, 0)),
        ({"outline_days": 7}, (7, 7, 90)),
        ({"outline_days": 0}, (14, 90, 90)),
        ({"fact_days": 0}, (45, 45, 90)),
        ({"fact_days": 60}, (45, 45, 90)),
        ({"journal_days": 0, "outline_days": 0, "fact_days": 0}, (0, 0, 0)),
        ({"journal_days": 0, "outline_days": 0, "fact_days": 3}, (3, 0, 0)),
    ],
)
def test_what_is_worth_less_never_outlives_what_is_worth_more(given: dict[str, int], ages: tuple[int, ...]) -> None:
    """0 is for ever, or as long as the next tier."""
    assert tuple(retention.ages(Retention(**given)).values()) == ages


@pytest.mark.parametrize(
    ("age", "tiers_left"),
    [(0, "LMS"), (0.9, "LMS"), (13, "LMS"), (15, "MS"), (44, "MS"), (46, "S"), (89, "S"), (91, "")],
)
def test_each_tier_has_its_age(store: Store, age: float, tiers_left: str) -> None:
    """Facts go first, then outlines, at last what was said and what failed: by the end of their session."""
    happened(store, "s1", age)
    removed = retention.run(store, NOW)
    assert left(store).get("s1", "") == tiers_left
    assert removed.entries == 3 - len(tiers_left)
    assert retention.size(store).entries == len(tiers_left) == journal.count(store)
    assert retention.run(store, NOW).entries == 0, "once is enough"


@pytest.mark.parametrize(("days", "sessions"), [(0, 4), (365, 4), (30, 3), (7, 2), (2, 1)])
def test_what_is_older_than_the_setting_goes(store: Store, days: int, sessions: int) -> None:
    """0 keeps everything; of a session without an event not even the row is left."""
    for age in (0, 5, 20, 100):
        happened(store, f"{age}", age)
    retention.run(with_settings(store, journal_days=days, outline_days=0, fact_days=0), NOW)
    assert journal.count(store) == 3 * sessions
    assert store.value("select count(*) from sessions") == sessions


def test_a_session_stays_while_something_points_to_it(store: Store) -> None:
    """What was shown in a session is kept for longer than what happened in it."""
    happened(store, "s1", 100)
    showings.record(store, [Showing("m", "prompt", NOW - 100 * DAY, 20)], (HOST, "s1"))
    assert retention.run(store, NOW).entries == 3
    assert [one.memory for one in showings.of_session(store, HOST, "s1")] == ["m"]


# ── what stays ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_an_open_session_keeps_everything(store: Store) -> None:
    """However old its beginning is: something happened in it within the last day."""
    with_settings(store, journal_days=1, journal_mb=1)
    happened(store, "s1", 30)
    journal.append(store, event("s1", NOW - OPEN // 2, OUTLINE, 7), OUTLINE)
    big = "x" * 8_000
    many = [event("s1", NOW - number, FULL, number + 100, error=big) for number in range(200)]
    journal.append_many(store, [(one, FULL) for one in many])
    retention.learned(store, HOST, "s1", NOW)
    assert retention.size(store).bytes > 1_000_000
    assert retention.run(store, NOW).entries == 0
    assert retention.run(store, NOW + 2 * OPEN).entries == 204


def test_what_nobody_learned_from_stays(store: Store) -> None:
    """Until somebody has, as far as its last event."""
    happened(store, "s1", 100, learned=False)
    assert retention.run(store, NOW).entries == 0
    assert retention.unlearned(store, NOW, 10) == [(HOST, "s1")]
    learn.learn(store, HOST, "s1", NOW)
    assert retention.unlearned(store, NOW, 10) == []
    assert retention.run(store, NOW).entries == 3


def mended(store: Store, folder: Path, age: float, session: str = "s1") -> list[Event]:
    """A command fails for what is missing around the code, that is put right, the command passes; a look before it."""
    _, project = projects.claim(store, folder, NOW)
    at, error = NOW - int(age * DAY), "Traceback (most recent call last):\nKeyError: 'REDIS_URL'"
    common: dict[str, Any] = {"project": project.id, "target": "pytest tests/test_parser.py"}
    events = [
        event(session, at, FACT, 1, project=project.id),
        event(session, at + 1, FULL, 2, **common, text="", error=error),
        event(
            session, at + 2, OUTLINE, 3, project=project.id, tool="Edit", target=".env", text="+ REDIS_URL=localhost"
        ),
        event(session, at + 3, OUTLINE, 4, **common),
    ]
    journal.append_many(store, [(one, tiers.tier(one)) for one in events])
    return events


def test_what_a_living_memory_was_learned_from_stays(store: Store, tmp_path: Path) -> None:
    """The failure and the pass that proves its fix; the edit between them, which the fix quotes, may go."""
    mended(store, tmp_path, 100)
    assert learn.learn(store, HOST, "s1", NOW) == 2
    assert retention.run(store, NOW).entries == 2
    assert left(store) == {"s1": "MS"}
    assert {one.call for one in journal.of_session(store, HOST, "s1")} == {
        evidence.rpartition(":")[2]
        for memory in memories.all_memories(store)
        for evidence in memory.evidence
        if not evidence.startswith(SAID)
    }


@pytest.mark.parametrize(("status", "stays"), [(Status.STALE, True), (Status.RESOLVED, True), (Status.ARCHIVED, False)])
def test_a_memory_that_was_put_away_holds_nothing_back(
    store: Store, tmp_path: Path, status: Status, stays: bool
) -> None:
    """One that is only stale or resolved does."""
    mended(store, tmp_path, 100)
    learn.learn(store, HOST, "s1", NOW)
    for memory in [one for one in memories.all_memories(store) if one.status is not status]:
        changes.move(store, memory.id, status, NOW, reason="test")
    retention.run(store, NOW)
    assert journal.count(store) == (2 if stays else 0)


def test_a_prompt_that_became_a_rule_stays(store: Store, tmp_path: Path) -> None:
    """With an id from the client or without one; another prompt of the same session goes."""
    _, project = projects.claim(store, tmp_path, NOW)
    said = "From now on always use pnpm instead of npm in this repository."
    for number, ids in enumerate((("prompt-0123456789", "another-0123456789"), ("", ""))):
        at = NOW - 100 * DAY
        events = [
            Event(EventType.PROMPT_SUBMITTED, HOST, f"s{number}", at + place, project.id, prompt=id, text=text)
            for place, (id, text) in enumerate(zip(ids, (said, "go on"), strict=True))
        ]
        journal.append_many(store, [(one, FULL) for one in events])
        learn.learn(store, HOST, f"s{number}", NOW)
    assert list(memories.all_memories(store))
    retention.run(store, NOW)
    assert [one.text for number in (0, 1) for one in journal.of_session(store, HOST, f"s{number}")] == [said, said]


def test_the_windows_of_a_session_are_counted_as_long_as_it_can_go_on(store: Store) -> None:
    """How often its context was cleared decides whether something was said already."""
    started = event("s1", NOW - 50 * DAY, OUTLINE, type=EventType.SESSION_STARTED, text="compact", tool="")
    journal.append(store, started, OUTLINE)
    happened(store, "s1", 50)
    retention.run(store, NOW)
    assert left(store) == {"s1": "MS"}
    assert journal.windows(store, HOST, "s1") == 1


# ── it stays gone ────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("age", [20, 50, 100])
def test_what_was_removed_does_not_come_back(store: Store, tmp_path: Path, age: int) -> None:
    """Told again, also with the client's slightly other times: nothing is kept, nothing learned, nothing counted."""
    events = mended(store, tmp_path, age)
    learn.learn(store, HOST, "s1", NOW)
    retention.run(store, NOW)
    before = (left(store), memories.hits(store, [one.id for one in memories.all_memories(store)]), _recurrences(store))
    for shift in (0, 40, SLACK // 2):
        told = [
            Event(**{name: getattr(one, name) for name in one.__slots__} | {"at": one.at + shift}) for one in events
        ]
        assert journal.append_many(store, [(one, tiers.tier(one)) for one in told]) == []
        assert learn.learn(store, HOST, "s1", NOW) == 0
    assert before == (
        left(store), memories.hits(store, [one.id for one in memories.all_memories(store)]), _recurrences(store)
    )  # fmt: skip


def _recurrences(store: Store) -> list[tuple[Any, ...]]:
    return store.rows("select * from recurrences")


def test_a_session_that_goes_on_is_learned_from_where_it_went_on(store: Store, tmp_path: Path) -> None:
    """What is left of the time before is half a story: five failures whose passes are gone are no circle."""
    _, project = projects.claim(store, tmp_path, NOW)
    begin = NOW - 60 * DAY
    for number in range(6):
        for tier in (FULL, OUTLINE):
            at = begin + number * 10 + (tier is OUTLINE)
            journal.append(store, event("s1", at, tier, number, project=project.id, target="make test"), tier)
    learn.learn(store, HOST, "s1", NOW)
    known = {memory.id: memory.status for memory in memories.all_memories(store)}
    assert retention.run(store, NOW).entries > 0
    journal.append(store, event("s1", NOW, OUTLINE, 99, project=project.id, target="make lint"), OUTLINE)
    assert learn.learn(store, HOST, "s1", NOW) == 0
    assert {memory.id: memory.status for memory in memories.all_memories(store)} == known
    assert [one.call for one in journal.of_session(store, HOST, "s1")][-1] == "s1-M-99-0123456789"
    assert store.value("select thinned from sessions") == 0, "it is thinned again when it is over again"


# ── by size ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_above_the_bound_the_oldest_looks_go_first(store: Store) -> None:
    """Then the oldest outlines, then the oldest of the rest; and no more than is needed."""
    with_settings(store, journal_days=0, outline_days=0, fact_days=0, journal_mb=2)
    text = "x" * 400
    for age in (9, 8, 7, 6, 5):
        happened(store, f"s{age}", age, 300, text=text)
    assert retention.size(store).bytes > 2_000_000
    removed = retention.run(store, NOW)
    assert set(removed.by_size) == {FACT, OUTLINE}
    assert removed.by_age == {}
    assert 1_500_000 < retention.size(store).bytes <= 1_800_000
    found = {session: "".join(sorted(set(tiers))) for session, tiers in left(store).items()}
    assert found == {"s9": "S", "s8": "MS", "s7": "MS", "s6": "MS", "s5": "MS"}


def test_fifty_thousand_events_over_the_bound(tmp_path: Path) -> None:
    """A few at a time: each run ends soon, each transaction sooner, the file itself becomes smaller."""
    with opened(tmp_path / "home") as store:
        with_settings(store, journal_mb=4)
        for session in range(50):
            happened(store, f"s{session}", 2 + session / 10, 334, error="e" * 300)
        assert journal.count(store) == 50_100
        db = store.home.database
        store.rows("pragma wal_checkpoint(truncate)")
        whole, entries = db.stat().st_size, journal.count(store)
        first = retention.run(store, NOW)
        assert (first.entries, first.complete) == (retention.MOST, False)
        with opened(tmp_path / "home") as other:
            other.settings = store.settings
            longest, removed = _meanwhile(store, other)
        assert longest < 2.0
        assert retention.size(store).bytes <= 4_000_000
        assert journal.count(store) == entries - first.entries - removed
        assert shrink.shrink(store) > 0
        store.rows("pragma wal_checkpoint(truncate)")
        assert db.stat().st_size < whole / 2
        assert store.value("pragma integrity_check") == "ok"


def _meanwhile(store: Store, other: Store) -> tuple[float, int]:
    """The longest time that another writer had to wait while this store was thinned, and how many events went."""
    import threading

    removed: list[int] = []

    def thin() -> None:
        with opened(store.home.root) as own:
            own.settings = store.settings
            while count := retention.run(own, NOW).entries:
                removed.append(count)

    thread = threading.Thread(target=thin)
    thread.start()
    longest = 0.0
    while thread.is_alive():
        began = time.perf_counter()
        with other.transaction():
            other.set_meta("written", str(began))
        longest = max(longest, time.perf_counter() - began)
    thread.join()
    return longest, sum(removed)


def test_the_counted_size_is_near_the_true_one(store: Store) -> None:
    """Counted with every change, never by reading the journal; it is right again when all is gone."""
    happened(store, "s1", 100, 2_000, text="some words " * 20, prompt="9f1c2d3e-0123-4567-89ab-cdef01234567")
    pages = store.value("select sum(pgsize) from dbstat where name like '%journal%' and name not like '%size%'")
    assert 0.7 * pages < retention.size(store).bytes < 1.3 * pages
    store.db.execute("update journal set text = '', tier = 'S'")
    assert retention.size(store).entries == 6_000
    store.db.execute("delete from journal")
    assert retention.size(store) == retention.Size(0, 0)


# ── upkeep ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_upkeep_keeps_to_the_settings(tmp_path: Path) -> None:
    """Retention is enforced without anybody asking, at most once an hour, and it says what it did."""
    settings = Settings(retention=Retention(journal_days=10, showings_days=50))
    with opened(tmp_path / "home", settings) as store:
        for age in (1, 20):
            happened(store, f"{age}", age)
        showings.record(store, [Showing("m", "prompt", NOW - age * DAY, 20) for age in (1, 20, 100)])
        assert upkeep.due(store, NOW)
        assert upkeep.run(store, NOW).startswith("removed from the journal 1 by age (facts), 1 by age (outlines)")
        assert journal.count(store) == 3
        assert len(showings.of_memory(store, "m")) == 2
        assert not upkeep.due(store, NOW + 60_000)
        assert upkeep.due(store, NOW + 3_700_000)
        assert upkeep.run(store, NOW + 3_700_000) == ""


def test_what_was_too_much_for_once_is_done_soon(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not an hour later."""
    monkeypatch.setattr(retention.run, "__defaults__", (2,))
    happened(store, "s1", 100, 2)
    assert upkeep.run(store, NOW).endswith("more in the next run; 0.0 MB given back to the disk")
    assert not upkeep.due(store, NOW + 30_000)
    assert upkeep.due(store, NOW + 61_000)


@pytest.mark.parametrize(
    ("removed", "words"),
    [
        (Removed(), "removed from the journal nothing, 0.0 MB"),
        (Removed({FACT: 3}, {}, 1_200_000), "removed from the journal 3 by age (facts), 1.2 MB"),
        (
            Removed({}, {OUTLINE: 3, FULL: 1}, 0, False),
            "removed from the journal 3 by size (outlines), 1 by size (all), 0.0 MB; more in the next run",
        ),
    ],
)
def test_it_says_what_it_removed(removed: Removed, words: str) -> None:
    """A line for the log."""
    assert str(removed) == words
