"""The journal: each happening once, as much of it as it is worth, for as long as was asked, and nothing where not."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from hardwon.event import Event, EventType, Tier
from hardwon.settings import Control, Retention, Settings
from hardwon.store import control, exchange, journal, projects, showings, upkeep
from hardwon.store.connection import Store
from hardwon.store.showings import Showing
from tests.support import files_with, opened

NOW = 1_700_000_000_000
DAY = 86_400_000
KEY = "ghp_" + "0123456789abcdefghijABCDEFGHIJ012345"


def event(**fields: Any) -> Event:
    given: dict[str, Any] = {
        "type": EventType.TOOL_FAILED,
        "host": "a-client",
        "session": "s1",
        "at": NOW,
        "cwd": "/srv/app",
        "call": "call-1",
        "tool": "Bash",
        "target": "make test",
        "text": "3 failed",
        "exit_status": 2,
        "error": "AssertionError",
    }
    return Event(**(given | fields))


def kept(store: Store) -> list[Event]:
    return list(journal.of_session(store, "a-client", "s1"))


def test_an_event_comes_back_as_it_was(tmp_path: Path) -> None:
    """Every field, in the order in which things happened and not in which they were written down."""
    first, second = event(at=NOW, call="1", agent="helper", prompt="p"), event(at=NOW + 5, call="2", exit_status=None)
    with opened(tmp_path / "home") as store:
        assert journal.append(store, second, Tier.FULL)
        assert journal.append(store, first, Tier.FULL)
        assert kept(store) == [first, second]
    with opened(tmp_path / "home") as store:
        assert kept(store) == [first, second]


@pytest.mark.parametrize(
    ("first", "second", "count"),
    [
        ({}, {}, 1),
        # One call has one outcome, whoever tells of it and when
        ({}, {"at": NOW + 1_000, "text": "read from the transcript"}, 1),
        ({}, {"call": "call-2"}, 2),
        ({}, {"session": "s2"}, 2),
        ({}, {"host": "another-client"}, 2),
        # What has no id of its own is told apart by its time
        ({"type": EventType.SESSION_STARTED, "call": ""}, {"type": EventType.SESSION_STARTED, "call": ""}, 1),
        (
            {"type": EventType.SESSION_STARTED, "call": ""},
            {"type": EventType.SESSION_STARTED, "call": "", "at": NOW + 1},
            2,
        ),
        (
            {"type": EventType.PROMPT_SUBMITTED, "call": "", "prompt": "p1"},
            {"type": EventType.TURN_ENDED, "call": ""},
            2,
        ),
    ],
)
def test_one_happening_is_kept_once(tmp_path: Path, first: dict[str, Any], second: dict[str, Any], count: int) -> None:
    """However often it is told: by a hook, by another, by the transcript."""
    with opened(tmp_path / "home") as store:
        assert journal.append(store, event(**first), Tier.FULL)
        assert journal.append(store, event(**second), Tier.FULL) is (count == 2)
        assert journal.append(store, event(**first), Tier.FULL) is False
        assert journal.count(store) == count


@pytest.mark.parametrize(
    ("tier", "longest"), [(Tier.FULL, 8_000), (Tier.OUTLINE, 2_000), (Tier.FACT, 0), (Tier.NOTHING, None)]
)
def test_the_tier_says_how_much_is_kept(tmp_path: Path, tier: Tier, longest: int | None) -> None:
    """All of it, its outline, the bare fact, nothing; the end of a long text is kept too."""
    long = "begin " + "x" * 200_000 + " end"
    with opened(tmp_path / "home") as store:
        assert journal.append(store, event(text=long, error=long), tier) is (longest is not None)
        found = kept(store)
        assert len(found) == (longest is not None)
        for one in found:
            assert (one.target, one.exit_status) == ("make test", 2)
            assert len(one.text) <= (longest or 0)
            assert len(one.error) <= (longest or 0)
            assert bool(longest) == (one.text.startswith("begin") and one.text.endswith(" end"))


def test_secrets_are_taken_out_before_anything_is_written(tmp_path: Path) -> None:
    """In what was run, what it said, where it was, and where the client writes it down."""
    said = f"export TOKEN={KEY}"
    given = event(target=said, text=said, error=said, cwd=f"/srv/{KEY}", transcript=f"/srv/{KEY}.jsonl")
    with opened(tmp_path / "home") as store:
        assert journal.append(store, given, Tier.FULL)
        (found,) = kept(store)
        assert "[redacted:" in found.target
        assert found.exit_status == 2
    assert files_with(tmp_path, KEY) == {}


def test_what_is_no_text_can_be_kept_too(tmp_path: Path) -> None:
    """Output of any program: NUL bytes, halves of characters, terminal sequences."""
    with opened(tmp_path / "home") as store:
        assert journal.append(store, event(text="a\0b \ud800 \x1b[31mred", target="cat \udcff"), Tier.FULL)
        (found,) = kept(store)
        assert found.text.startswith("a")
        assert "\0" not in found.text


# ── sessions ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_session_is_one_row_that_grows(tmp_path: Path) -> None:
    """From its first event to its last, also when an earlier one is told later; its project once that is known."""
    with opened(tmp_path / "home") as store:
        _, project = projects.claim(store, tmp_path, NOW)
        journal.append(store, event(at=NOW + 10, call="1"), Tier.FULL)
        journal.append(store, event(at=NOW + 90, call="2", project=project.id), Tier.FULL)
        journal.append(store, event(at=NOW, call="3", transcript="/t.jsonl"), Tier.FULL)
        journal.append(store, event(at=NOW, call="1", session="s2"), Tier.FULL)
        rows = store.rows("select id, project, cwd, transcript, started_at, last_at from sessions order by id")
        assert rows == [
            ("s1", project.id, "/srv/app", "/t.jsonl", NOW, NOW + 90),
            ("s2", None, "/srv/app", "", NOW, NOW),
        ]


# ── retention ────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("days", "left"), [(0, 4), (365, 4), (30, 3), (7, 2), (1, 1)])
def test_what_is_older_than_the_setting_goes(tmp_path: Path, days: int, left: int) -> None:
    """Days count from the event's own time; 0 keeps everything."""
    with opened(tmp_path / "home") as store:
        for age in (0, 5, 20, 100):
            journal.append(store, event(at=NOW - age * DAY, call=f"{age}", session=f"{age}"), Tier.FULL)
        assert journal.prune(store, days, NOW) == 4 - left
        assert journal.count(store) == left
        assert store.value("select count(*) from sessions") == left


def test_a_session_stays_while_something_points_to_it(tmp_path: Path) -> None:
    """What was shown in a session is kept for longer than what happened in it."""
    with opened(tmp_path / "home") as store:
        journal.append(store, event(at=NOW - 100 * DAY), Tier.FULL)
        showings.record(store, [Showing("m", "prompt", NOW - 100 * DAY, 20)], ("a-client", "s1"))
        assert journal.prune(store, 30, NOW) == 1
        assert store.value("select count(*) from sessions") == 1
        assert [one.memory for one in showings.of_session(store, "a-client", "s1")] == ["m"]


def test_upkeep_keeps_to_the_settings(tmp_path: Path) -> None:
    """Retention is enforced without anybody asking, at most once an hour."""
    settings = Settings(retention=Retention(journal_days=10, showings_days=50))
    with opened(tmp_path / "home", settings) as store:
        for age in (1, 20):
            journal.append(store, event(at=NOW - age * DAY, call=f"{age}"), Tier.FULL)
        showings.record(store, [Showing("m", "prompt", NOW - age * DAY, 20) for age in (1, 20, 100)])
        assert upkeep.due(store, NOW)
        upkeep.run(store, NOW)
        assert journal.count(store) == 1
        assert len(showings.of_memory(store, "m")) == 2
        assert not upkeep.due(store, NOW + 60_000)
        assert upkeep.due(store, NOW + 3_700_000)


# ── control ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_pause_keeps_nothing_until_it_ends(tmp_path: Path) -> None:
    """For a time or until resume; not even the session is written down."""
    with opened(tmp_path / "home") as store:
        control.pause(store, NOW + 1_000)
        assert not journal.append(store, event(at=NOW), Tier.FULL)
        assert not journal.append(store, event(at=NOW + 999), Tier.FULL)
        assert store.value("select count(*) from sessions") == 0
        assert journal.append(store, event(at=NOW + 1_000), Tier.FULL)
        control.pause(store, None)
        assert not journal.append(store, event(at=NOW + 9 * DAY, call="2"), Tier.FULL)
        assert control.resume(store) is True
        assert control.resume(store) is False
        assert journal.append(store, event(at=NOW + 9 * DAY, call="2"), Tier.FULL)


@pytest.mark.parametrize(
    ("settings", "where", "is_kept"),
    [
        (Control(), {}, True),
        (Control(enabled=False), {}, False),
        # Projects by name or glob
        (Control(exclude_projects=("app",)), {}, False),
        (Control(exclude_projects=("a*",)), {}, False),
        (Control(exclude_projects=("ap",)), {}, True),
        (Control(exclude_projects=("app",)), {"project": None}, True),
        # Folders with all below them
        (Control(exclude_paths=("/srv/app",)), {}, False),
        (Control(exclude_paths=("/srv",)), {}, False),
        (Control(exclude_paths=("/srv/",)), {}, False),
        (Control(exclude_paths=("/s*",)), {}, False),
        (Control(exclude_paths=("/srv/ap",)), {}, True),
        (Control(exclude_paths=("/srv/app",)), {"cwd": "/srv/app/deep/below"}, False),
        (Control(exclude_paths=("/srv/app",)), {"cwd": "/srv/application"}, True),
        (Control(exclude_paths=("/srv/app",)), {"cwd": ""}, True),
    ],
)
def test_excluded_places_are_never_written_down(
    tmp_path: Path, settings: Control, where: dict[str, Any], is_kept: bool
) -> None:
    """Nothing of an event there reaches the disk, not even that there was one."""
    (tmp_path / "app").mkdir()
    with opened(tmp_path / "home", Settings(control=settings)) as store:
        _, project = projects.claim(store, tmp_path / "app", NOW)
        given = event(**({"project": project.id, "text": "the xylophonist"} | where))
        assert journal.append(store, given, Tier.FULL) is is_kept
        assert journal.count(store) == is_kept
        assert store.value("select count(*) from sessions") == is_kept
    assert bool(files_with(tmp_path / "home", "xylophonist")) is is_kept


def test_an_excluded_folder_is_meant_with_its_links(tmp_path: Path) -> None:
    """A symbolic link is no way around it, in either direction."""
    (tmp_path / "real" / "app").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    for excluded, cwd in (("real", "link/app"), ("link", "real/app"), ("link", "link/app"), ("real", "link")):
        settings = Settings(control=Control(exclude_paths=(str(tmp_path / excluded),)))
        with opened(tmp_path / "home", settings) as store:
            assert not journal.append(store, event(cwd=str(tmp_path / cwd)), Tier.FULL), (excluded, cwd)


# ── what it is not ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_journal_is_not_exported(tmp_path: Path) -> None:
    """What happened stays on the machine; only what was learned leaves it."""
    with opened(tmp_path / "home") as store:
        journal.append(store, event(text="the xylophonist"), Tier.FULL)
        assert "xylophonist" not in str(list(exchange.export(store)))


def test_a_better_telling_replaces_a_guess(tmp_path: Path) -> None:
    """A call that was believed to have been denied is known better once its outcome is told; never the other way."""
    guess = event(exit_status=None, text="", error="denied")
    known = dataclasses.replace(event(), type=EventType.TOOL_FINISHED, exit_status=0, error="", text="all passed")
    with opened(tmp_path / "home") as store:
        assert journal.append(store, guess, Tier.FULL)
        assert journal.append(store, known, Tier.FULL)
        assert not journal.append(store, guess, Tier.FULL)
        assert kept(store) == [known]


def test_many_events_are_kept_as_one_by_one(tmp_path: Path) -> None:
    """Redacted, known by their ids, left out in a pause; in one transaction, and those that are new are given."""
    key = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
    events = [
        Event(EventType.TOOL_FINISHED, "claude-code", f"s{number % 2}", number, cwd="/p", call=f"toolu_{number}",
              tool="Bash", target=f"echo {key}", text=f"{number} {key}")
        for number in range(50)
    ]  # fmt: skip
    with opened(tmp_path / "home") as store:
        control.pause(store, None, 40)
        tiered = [(event, Tier.OUTLINE) for event in events]
        kept = journal.append_many(store, [*tiered, *tiered[:10]])
        assert [event.call for event in kept] == [f"toolu_{number}" for number in range(40)]
        assert journal.append_many(store, tiered) == []
        found = [*journal.of_session(store, "claude-code", "s0"), *journal.of_session(store, "claude-code", "s1")]
        assert len(found) == 40
        assert not any(key in event.target + event.text for event in found)
        assert journal.append_many(store, []) == []
