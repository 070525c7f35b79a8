"""The journal: each happening once, as much of it as it is worth, for as long as was asked, and nothing where not."""

from __future__ import annotations

import dataclasses
import itertools
import random
from pathlib import Path
from typing import Any

import pytest

from hardwon.event import Event, EventType, Tier
from hardwon.redact import border
from hardwon.settings import Control, Settings
from hardwon.store import control, projects
from hardwon.store.connection import Store
from hardwon.store.log import exchange
from hardwon.store.tables import journal
from hardwon.text import tiers
from tests.support import files_with, opened

NOW = 1_700_000_000_000
DAY = 86_400_000
MINUTE = 60_000
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
            assert len(one.error) <= (longest or 0)
            if longest:
                assert len(one.text) <= longest
                assert one.text.startswith("begin")
                assert one.text.endswith(" end")
            else:
                assert one.text == "1 line, 200010 bytes"


def test_secrets_are_taken_out_before_anything_is_written(tmp_path: Path) -> None:
    """In what was run, what it said, where it was, and where the client writes it down."""
    said = f"export TOKEN={KEY}"
    given = event(target=said, text=said, error=said, cwd=f"/srv/{KEY}", transcript=f"/srv/{KEY}.jsonl")
    with opened(tmp_path / "home") as store:
        assert journal.append(store, border.clean_event(given, store.redactor), Tier.FULL)
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


# ── looking again ────────────────────────────────────────────────────────────────────────────────────────────────────


def look(minute: float, **fields: Any) -> Event:
    given: dict[str, Any] = {"type": EventType.TOOL_FINISHED, "tool": "Read", "target": "a.py", "text": ""}
    given |= {"at": NOW + int(minute * MINUTE), "call": f"look-at-minute-{minute}", "error": "", "exit_status": None}
    return event(**(given | fields))


def looks(store: Store) -> list[str]:
    return [one.call for one in kept(store)]


@pytest.mark.parametrize(
    ("other", "is_kept"),
    [
        ({}, False),
        ({"target": "b.py"}, True),
        ({"tool": "Grep"}, True),
        ({"agent": "helper"}, True),
        ({"session": "s2"}, True),
        ({"host": "another-client"}, True),
        # What failed is always kept
        ({"type": EventType.TOOL_FAILED, "error": "no such file"}, True),
    ],
)
def test_a_second_look_at_the_same_is_not_kept(tmp_path: Path, other: dict[str, Any], is_kept: bool) -> None:
    """Within half an hour, by the same agent of the same session."""
    with opened(tmp_path / "home") as store:
        assert append(store, look(0))
        assert append(store, look(10, **other)) is is_kept
        assert append(store, look(10, **other)) is False, "told again"
        assert append(store, look(31)), "half an hour is over"
        assert journal.count(store) == 2 + is_kept


def append(store: Store, one: Event) -> bool:
    return journal.append(store, one, tiers.tier(one))


def test_a_failed_look_does_not_hide_the_one_that_succeeds(tmp_path: Path) -> None:
    """Only what was seen was explored."""
    with opened(tmp_path / "home") as store:
        assert append(store, look(0, type=EventType.TOOL_FAILED, error="no such file", exit_status=1))
        assert append(store, look(1))
        assert looks(store) == ["look-at-minute-0", "look-at-minute-1"]


def test_when_it_happened_decides_and_not_when_it_is_told(tmp_path: Path) -> None:
    """An older look that comes late takes the place of the one that had come first. What that one had kept out is back
    when the log is read once more; then all orders have come to the same."""
    for number, told in enumerate(itertools.permutations([look(0), look(20), look(31), look(62)])):
        with opened(tmp_path / f"home-{number}") as store:
            for one in (*told, *told):
                append(store, one)
            assert looks(store) == ["look-at-minute-0", "look-at-minute-31", "look-at-minute-62"], told


def test_one_by_one_and_all_at_once_is_the_same(tmp_path: Path) -> None:
    """Live hooks, a late transcript and a second reading leave the same lines."""
    chance = random.Random(5)
    minutes = sorted(chance.uniform(0, 300) for _ in range(200))
    events = [look(minute, target=f"{int(minute * 1000) % 7}.py") for minute in minutes]
    with opened(tmp_path / "live") as live, opened(tmp_path / "late") as late:
        for one in events:
            append(live, one)
        tiered = [(one, tiers.tier(one)) for one in events]
        assert journal.append_many(late, tiered) == kept(live)
        assert journal.append_many(late, tiered) == []
        assert kept(late) == kept(live)
        assert 7 * 5 <= journal.count(late) <= 7 * 11


def test_a_second_look_that_was_believed_denied_leaves_no_failure(tmp_path: Path) -> None:
    """Once it is known that it succeeded it is a look like any other."""
    with opened(tmp_path / "home") as store:
        append(store, look(0))
        append(store, look(5, type=EventType.TOOL_FAILED))
        assert journal.count(store) == 2
        assert append(store, look(5)) is False
        assert looks(store) == ["look-at-minute-0"]


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
        tiered = [(border.clean_event(event, store.redactor), Tier.OUTLINE) for event in events]
        kept = journal.append_many(store, [*tiered, *tiered[:10]])
        assert [event.call for event in kept] == [f"toolu_{number}" for number in range(40)]
        assert journal.append_many(store, tiered) == []
        found = [*journal.of_session(store, "claude-code", "s0"), *journal.of_session(store, "claude-code", "s1")]
        assert len(found) == 40
        assert not any(key in event.target + event.text for event in found)
        assert journal.append_many(store, []) == []


@pytest.mark.parametrize("at_once", [True, False])
def test_what_two_sessions_tell_is_kept_once(tmp_path: Path, at_once: bool) -> None:
    """A fork repeats its parent's calls with the same ids, whether both are written together or one after the other;
    a short id may be there twice by chance."""
    told = [event(call=call, session=session) for call in ("toolu_0123456789abc", "3") for session in ("s1", "s2")]
    with opened(tmp_path / "home") as store:
        portions = [told] if at_once else [[one] for one in told]
        new = [one for some in portions for one in journal.append_many(store, [(each, Tier.FULL) for each in some])]
        assert [(one.call, one.session) for one in new] == [("toolu_0123456789abc", "s1"), ("3", "s1"), ("3", "s2")]
        assert journal.count(store) == 3
