"""What came of a showing, told from what was done after it."""

from __future__ import annotations

import dataclasses
import itertools
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardwon.event import Event, EventType, Moment
from hardwon.learn.outcomes import follow, judge
from hardwon.memory import Anchor, AnchorKind, Kind, LinkKind, Memory, Scope, Status, Trust
from hardwon.store import changes
from hardwon.store.connection import Store
from hardwon.store.tables import journal, memories, showings
from hardwon.store.tables.showings import Outcome, Showing
from hardwon.text import errors, tiers
from tests.support import note, opened

AT = 1_790_000_000_000
HELPED, IGNORED = Outcome.HELPED, Outcome.IGNORED

REFUSED = "Exit code 2\npsql: error: connection to server on socket failed: connection refused"
OTHER = "Exit code 2\nModuleNotFoundError: No module named 'yaml'"
SIGNATURE = Anchor(AnchorKind.ERROR, errors.signature(REFUSED))
TEST = Anchor(AnchorKind.COMMAND, "make test")


def memory(kind: Kind, body: str, *anchors: Anchor) -> Memory:
    return Memory("m", kind, body, Scope("p"), Trust.VERIFIED, "session", Status.ACTIVE, AT, AT, anchors=anchors)


def event(type_: EventType, tool: str = "", target: str = "", **fields: object) -> Event:
    made = Event(type_, "claude-code", "s1", AT, "p", tool=tool, target=target)
    return dataclasses.replace(made, **fields)  # type: ignore[arg-type]


def ran(command: str, agent: str = "") -> Event:
    return event(EventType.TOOL_FINISHED, "Bash", command, exit_status=0, agent=agent)


def failed(command: str, error: str = REFUSED, agent: str = "") -> Event:
    return event(EventType.TOOL_FAILED, "Bash", command, error=error, exit_status=2, agent=agent)


def denied(command: str) -> Event:
    return event(EventType.TOOL_FAILED, "Bash", command, error="hardwon: this command has failed here before")


def edited(file: str) -> Event:
    return event(EventType.TOOL_FINISHED, "Edit", file)


def asked(text: str) -> Event:
    return event(EventType.PROMPT_SUBMITTED, text=text)


TURN_ENDED = event(EventType.TURN_ENDED)

FAILURE = memory(Kind.FAILURE, "`make test` failed: connection refused", TEST, SIGNATURE)
START = memory(Kind.FIX, "`make test` works after: `docker compose up -d db`", TEST)
EDIT = memory(
    Kind.FIX, "`make test` works after: edited config/db.toml (port)", TEST, Anchor(AnchorKind.FILE, "config/db.toml")
)
INSTEAD = memory(
    Kind.FIX, "`make check` worked where `make test` failed", TEST, Anchor(AnchorKind.COMMAND, "make check")
)
WORDS = memory(Kind.FIX, "start the database first", TEST)
AROUND = memory(Kind.FIX, "`PGHOST=localhost make test` worked where `make test` failed", TEST)
BARE = memory(
    Kind.FAILURE,
    "`pytest a.py` failed: AssertionError",
    Anchor(AnchorKind.COMMAND, "pytest a.py"),
    Anchor(AnchorKind.ERROR, errors.signature("AssertionError")),
)
BROKEN_EDIT = memory(Kind.FAILURE, "a.lock failed: generated", Anchor(AnchorKind.FILE, "a.lock"))

BEFORE, AFTER, PROMPT = Moment.BEFORE_ACTION, Moment.AFTER_FAILURE, Moment.PROMPT
UP, PASS, FAIL, STOP = ran("docker compose up -d db"), ran("make test"), failed("make test"), denied("make test")
NEXT = (TURN_ENDED, asked("go on"))

FAILURES: list[tuple[str, Moment, Memory, list[Memory], list[Event], Outcome | None]] = [
    ("nothing happened", AFTER, FAILURE, [START], [], None),
    ("followed, not run again", AFTER, FAILURE, [START], [UP], None),
    ("followed, then passed", AFTER, FAILURE, [START], [UP, PASS], HELPED),
    ("followed in the same line", AFTER, FAILURE, [START], [ran("docker compose up -d db && make test")], HELPED),
    ("followed with one more word", AFTER, FAILURE, [START], [ran("docker compose up -d db cache"), PASS], HELPED),
    ("followed, a run that covers it", AFTER, BARE, [START], [UP, ran("pytest")], HELPED),
    ("followed, but its status is hidden", AFTER, FAILURE, [START], [UP, ran("make test || true")], None),
    ("passed without it", AFTER, FAILURE, [START], [PASS], None),
    ("passed after something else", AFTER, FAILURE, [START], [edited("a.py"), PASS], None),
    ("back at once", AFTER, FAILURE, [START], [FAIL], IGNORED),
    ("back after something else", AFTER, FAILURE, [START], [edited("a.py"), FAIL], IGNORED),
    ("back with another command", AFTER, FAILURE, [START], [failed("make e2e")], IGNORED),
    ("back after it passed by itself", AFTER, FAILURE, [START], [PASS, FAIL], IGNORED),
    ("back although it was followed", AFTER, FAILURE, [START], [UP, FAIL], None),
    ("followed, back, followed again, passed", AFTER, FAILURE, [START], [UP, FAIL, UP, PASS], HELPED),
    ("followed, back, passed by itself", AFTER, FAILURE, [START], [UP, FAIL, PASS], None),
    ("tried in vain, then back", AFTER, FAILURE, [START], [failed("docker compose up -d db", OTHER), FAIL], None),
    ("another error", AFTER, FAILURE, [START], [failed("make test", OTHER)], None),
    ("another error, then followed", AFTER, FAILURE, [START], [failed("make test", OTHER), UP, PASS], HELPED),
    ("nothing was advised", AFTER, FAILURE, [], [FAIL], None),
    ("nothing was advised, passed", AFTER, FAILURE, [], [edited("a.py"), PASS], None),
    ("the file was edited", AFTER, FAILURE, [EDIT], [edited("config/db.toml"), PASS], HELPED),
    ("another file was edited", AFTER, FAILURE, [EDIT], [edited("config/app.toml"), PASS], None),
    ("one of two fixes", AFTER, FAILURE, [START, EDIT], [edited("config/db.toml"), PASS], HELPED),
    ("the other way was taken", AFTER, FAILURE, [INSTEAD], [ran("make check")], HELPED),
    ("the other way failed, too", AFTER, FAILURE, [INSTEAD], [failed("make check")], None),
    ("advice in words, back at once", AFTER, FAILURE, [WORDS], [ran("ls"), FAIL], IGNORED),
    ("advice in words, back after something", AFTER, FAILURE, [WORDS], [ran("systemctl start pg"), FAIL], None),
    ("run with the variable", AFTER, FAILURE, [AROUND], [ran("PGHOST=localhost make test")], HELPED),
    ("run without the variable", AFTER, FAILURE, [AROUND], [PASS], None),
    ("refused by a person", AFTER, FAILURE, [START], [STOP], None),
    (
        "a sub-agent does it",
        AFTER,
        FAILURE,
        [START],
        [ran("docker compose up -d db", "a1"), ran("make test", "a1")],
        None,
    ),
    ("a sub-agent fails", AFTER, FAILURE, [START], [failed("make test", agent="a1")], None),
    ("a bare error of another call", AFTER, BARE, [START], [failed("pytest b.py", "AssertionError")], None),
    ("a bare error of the same call", AFTER, BARE, [START], [failed("pytest a.py", "AssertionError")], IGNORED),
    ("told before: it failed with the note", BEFORE, FAILURE, [START], [FAIL], None),
    ("told before: it failed, and again", BEFORE, FAILURE, [START], [FAIL, FAIL], IGNORED),
    ("told before: it failed, then followed", BEFORE, FAILURE, [START], [FAIL, UP, PASS], HELPED),
    ("told before: it passed by itself", BEFORE, FAILURE, [START], [PASS], None),
    ("stopped: run again, failed", BEFORE, FAILURE, [START], [STOP, FAIL], IGNORED),
    ("stopped: run again, passed", BEFORE, FAILURE, [START], [STOP, PASS], None),
    ("stopped: followed, passed", BEFORE, FAILURE, [START], [STOP, UP, PASS], HELPED),
    ("stopped: something else, passed", BEFORE, FAILURE, [START], [edited("a.py"), PASS], HELPED),
    ("stopped: a person saw to it", BEFORE, FAILURE, [START], [STOP, asked("up"), PASS], HELPED),
    ("stopped: only looked, passed", BEFORE, FAILURE, [START], [STOP, ran("ls"), PASS], None),
    ("stopped: replaced", BEFORE, FAILURE, [INSTEAD], [STOP, ran("make check")], HELPED),
    ("stopped: something else, failed", BEFORE, FAILURE, [START], [edited("a.py"), FAIL], IGNORED),
    ("stopped: no fix known, prepared", BEFORE, FAILURE, [], [edited("a.py"), PASS], HELPED),
    ("told at the prompt, never came up", PROMPT, FAILURE, [START], [edited("a.py"), ran("make")], None),
    ("told at the prompt, came back", PROMPT, FAILURE, [START], [FAIL], IGNORED),
    ("told at the prompt, done first", PROMPT, FAILURE, [START], [UP, PASS], HELPED),
    ("told at the prompt, a turn later", PROMPT, FAILURE, [START], [*NEXT, UP, PASS], HELPED),
    ("a fix alone, done", PROMPT, START, [], [UP, PASS], HELPED),
    ("a fix alone, not done", PROMPT, START, [], [FAIL], None),
    ("an edit that fails, done otherwise", BEFORE, BROKEN_EDIT, [START], [denied("x"), UP, edited("a.lock")], HELPED),
]


def later(events: list[Event]) -> Iterator[Event]:
    """Each a second after the one before."""
    for number, one in enumerate(events, 1):
        yield dataclasses.replace(one, at=AT + 1_000 * number)


@pytest.mark.parametrize("row", FAILURES, ids=[row[0] for row in FAILURES])
def test_what_came_of_a_failure(row: tuple[str, Moment, Memory, list[Memory], list[Event], Outcome | None]) -> None:
    """Helped when what was advised was done and it passed; ignored when it came back and nothing had been tried."""
    _, moment, shown, fixes, events, outcome = row
    said_to = dataclasses.replace(failed("make test"), at=AT) if moment is AFTER else None
    assert judge(Showing("m", moment, AT, 10), shown, fixes, list(later(events)), said_to) is outcome


@pytest.mark.parametrize("row", FAILURES, ids=[row[0] for row in FAILURES])
def test_what_is_decided_stays_decided(
    row: tuple[str, Moment, Memory, list[Memory], list[Event], Outcome | None],
) -> None:
    """The first event that tells is the last that counts: a session that goes on does not change it."""
    _, moment, shown, fixes, events, outcome = row
    if outcome is None:
        assert judge(Showing("m", moment, AT, 10), shown, fixes, []) is None
        return
    said_to = dataclasses.replace(failed("make test"), at=AT) if moment is AFTER else None
    for more in ([failed("make test")], [UP, ran("make test")]):
        told = list(later([*events, *more]))
        assert judge(Showing("m", moment, AT, 10), shown, fixes, told, said_to) is outcome


PNPM = memory(Kind.RULE, "never `npm install`, use `pnpm install`")
MIGRATE = memory(Kind.LESSON, "After a change of the models run `make migrations`; the list is in db/models.py")
COMMIT = memory(Kind.LESSON, "Write a body with `git commit`")
ABOUT = memory(Kind.LESSON, "`make test` is slow: `make quick` is enough", TEST)
NAMELESS = memory(Kind.LESSON, "the tests need Redis")
SKILL, START_UP = Moment.SKILL, Moment.SESSION_START

ADVICE: list[tuple[str, Moment, Memory, str, list[Event], Outcome | None]] = [
    ("names nothing", PROMPT, NAMELESS, "", [edited("a.py"), ran("make test")], None),
    ("did what it says", PROMPT, PNPM, "", [ran("pnpm install")], HELPED),
    ("did it with more words", PROMPT, PNPM, "", [ran("cd web && pnpm install lodash")], HELPED),
    ("tried what it says, in vain", PROMPT, PNPM, "", [failed("pnpm install", OTHER)], None),
    ("did what it warns against", PROMPT, PNPM, "", [ran("npm install")], IGNORED),
    ("did what it warns against, in vain", PROMPT, PNPM, "", [failed("npm install", OTHER)], IGNORED),
    ("was refused what it warns against", PROMPT, PNPM, "", [denied("npm install")], None),
    ("the person asked for it", PROMPT, PNPM, "run `pnpm install`", [ran("pnpm install")], None),
    ("after the turn", PROMPT, PNPM, "", [*NEXT, ran("pnpm install")], None),
    ("after the turn, warned against", PROMPT, PNPM, "", [*NEXT, ran("npm install")], None),
    ("said at the beginning, later", START_UP, PNPM, "", [*NEXT, ran("pnpm install")], HELPED),
    ("with a skill", SKILL, MIGRATE, "", [edited("a.py"), ran("make migrations")], HELPED),
    ("with a skill, nothing of it", SKILL, MIGRATE, "", [edited("a.py"), ran("make")], None),
    ("the file it names", SKILL, MIGRATE, "", [edited("db/models.py")], HELPED),
    ("the file, which the person named", SKILL, MIGRATE, "change models.py", [edited("db/models.py")], None),
    ("what is done anyway", SKILL, COMMIT, "", [ran("git commit -m x")], None),
    ("the call it was said to", BEFORE, ABOUT, "", [ran("make test")], None),
    ("another call than that", BEFORE, ABOUT, "", [ran("make test"), ran("make quick")], HELPED),
    ("a sub-agent", PROMPT, PNPM, "", [ran("pnpm install", "a1")], None),
    ("nothing at all", PROMPT, PNPM, "", [], None),
]


@pytest.mark.parametrize("row", ADVICE, ids=[row[0] for row in ADVICE])
def test_what_came_of_advice(row: tuple[str, Moment, Memory, str, list[Event], Outcome | None]) -> None:
    """A lesson has helped when a command or file that it names, and nobody else did, was used; never by a guess."""
    _, moment, shown, prompt, events, outcome = row
    assert judge(Showing("m", moment, AT, 10), shown, (), list(later(events)), asked(prompt)) is outcome


# Through the store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with opened(tmp_path / "home") as store:
        yield store


def kept(store: Store, *events: Event) -> list[Event]:
    """In the journal, a second apart, each call with an id of its own."""
    calls = itertools.count()
    for one in later(list(events)):
        placed = dataclasses.replace(one, call=f"c{next(calls)}")
        assert journal.append(store, placed, tiers.tier(placed))
    return list(journal.of_session(store, "claude-code", "s1"))


def known(store: Store, at: int = AT - 1_000) -> str:
    """A failure and what worked against it; the failure's id."""
    id = note(store, FAILURE.body, at, kind=Kind.FAILURE, project="p", trust=Trust.VERIFIED, anchors=FAILURE.anchors)
    fix = note(store, START.body, at, kind=Kind.FIX, project="p", trust=Trust.VERIFIED, anchors=START.anchors)
    changes.link(store, fix, LinkKind.FIXES, id, at)
    return id


def shown(store: Store, id: str, moment: Moment, number: int) -> None:
    """As the answer to the event of this number."""
    showings.record(store, [Showing(id, moment, AT + 1_000 * number, 10)], ("claude-code", "s1"))


def test_a_session_is_followed_once(store: Store) -> None:
    """What was decided is counted once, however often the session is read; other sessions' are left alone."""
    id = known(store)
    events = kept(store, failed("make test"), UP, ran("make test"))
    shown(store, id, AFTER, 1)
    showings.record(store, [Showing(id, AFTER, AT + 1_000, 10)])
    assert [follow(store, "claude-code", "s1", events) for _ in range(3)] == [1, 0, 0]
    assert [one.outcome for one in showings.of_memory(store, id)] == [HELPED, Outcome.UNKNOWN]
    assert showings.counts(store, [id])[id] == showings.Counts(2, 1, 0, 0)


def test_the_call_that_failed_counts_though_the_memory_names_another(store: Store) -> None:
    """The same error with another command: that command passing is what the fix was for."""
    id = known(store)
    events = kept(store, failed("make e2e"), UP, ran("make e2e"))
    shown(store, id, AFTER, 1)
    assert follow(store, "claude-code", "s1", events) == 1
    assert [one.outcome for one in showings.of_memory(store, id)] == [HELPED]


def test_what_the_session_found_out_itself_was_not_shown_to_it(store: Store) -> None:
    """A fix that was learned after the showing is no advice that was followed."""
    id = known(store, AT + 2_500)
    events = kept(store, failed("make test"), UP, ran("make test"))
    shown(store, id, AFTER, 1)
    assert follow(store, "claude-code", "s1", events) == 0


def test_a_fix_that_was_shown_alone_is_followed(store: Store) -> None:
    """By what its failure is about."""
    known(store)
    (fix,) = [one.id for one in memories.all_memories(store) if one.kind is Kind.FIX]
    events = kept(store, asked("make it green"), failed("make test"))
    shown(store, fix, PROMPT, 1)
    assert follow(store, "claude-code", "s1", events) == 1
    assert [one.outcome for one in showings.of_memory(store, fix)] == [IGNORED]


def test_a_long_session_is_followed_soon(store: Store) -> None:
    """Forty showings and three thousand calls are no reason to wait."""
    id = known(store)
    calls = [ran(f"make part-{number % 700}") for number in range(3_000)]
    events = kept(store, *calls)
    for number in range(40):
        shown(store, id, PROMPT, number)
    begin = time.process_time()
    assert follow(store, "claude-code", "s1", events) == 0
    assert time.process_time() - begin < 2
