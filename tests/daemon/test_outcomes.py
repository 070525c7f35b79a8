"""What came of what was said, through the real socket: told, followed or not, judged at the turn's end."""

from __future__ import annotations

import pytest

from hardwon.event import Moment
from hardwon.memory import Anchor, AnchorKind, Kind, LinkKind, Trust
from hardwon.store import changes
from hardwon.store.tables import recurrences, showings, skill_loads
from hardwon.store.tables.showings import Outcome
from hardwon.store.tables.skill_loads import day_of
from hardwon.text import errors
from tests.daemon.running import REFUSED, Daemon, keep
from tests.daemon.session import Session
from tests.support import now

HELPED, IGNORED, UNKNOWN = Outcome.HELPED, Outcome.IGNORED, Outcome.UNKNOWN


def keep_failure(daemon: Daemon, *, times: int = 1) -> str:
    """`make test` failed so often, and each time `make db` was what it needed; the failure's id."""
    about = (Anchor(AnchorKind.COMMAND, "make test"), Anchor(AnchorKind.ERROR, errors.signature(REFUSED)))
    with daemon.store(write=True) as store:
        for _ in range(times):
            failure = keep(
                store, "`make test` failed: connection refused", Kind.FAILURE, folder=daemon.folder,
                trust=Trust.VERIFIED, anchors=about,
            )  # fmt: skip
        works = "`make test` works after: `make db`"
        for _ in range(times):
            fix = keep(store, works, Kind.FIX, folder=daemon.folder, trust=Trust.VERIFIED, command="make test")
        changes.link(store, fix, LinkKind.FIXES, failure, now())
        return failure


def outcomes(daemon: Daemon, session: str = "s1") -> list[tuple[str, Outcome]]:
    daemon.settle()
    return [(one.moment, one.outcome) for one in daemon.shown(session)]


def test_told_after_failing_and_followed(daemon: Daemon) -> None:
    """The fix was named, done, and the command passed: it has helped. Before the turn ends nothing is said of it."""
    failure = keep_failure(daemon)
    daemon.start()
    session = Session(daemon)
    session.prompt("make the tests green")
    assert "make db" in session.failed("make test", REFUSED)
    assert outcomes(daemon) == [(Moment.AFTER_FAILURE, UNKNOWN)]
    session.passed("make db")
    session.passed("make test")
    session.stop()
    assert outcomes(daemon) == [(Moment.AFTER_FAILURE, HELPED)]
    with daemon.store() as store:
        assert showings.counts(store, [failure])[failure].helped == 1


def test_told_after_failing_and_ignored(daemon: Daemon) -> None:
    """The same again, with nothing done in between; what happens in the next turn does not change it."""
    keep_failure(daemon)
    daemon.start()
    session = Session(daemon)
    session.prompt("make the tests green")
    assert "make db" in session.failed("make test", REFUSED)
    session.failed("make test", REFUSED)
    session.stop()
    assert outcomes(daemon) == [(Moment.AFTER_FAILURE, IGNORED)]
    session.prompt("once more")
    session.passed("make db")
    session.passed("make test")
    session.stop()
    session.end()
    assert outcomes(daemon) == [(Moment.AFTER_FAILURE, IGNORED)]


@pytest.mark.parametrize(("prepared", "outcome"), [(True, HELPED), (False, UNKNOWN)])
def test_stopped_before_running(daemon: Daemon, prepared: bool, outcome: Outcome) -> None:
    """Helped when what was advised was done; a call that passes unchanged needed no stop."""
    keep_failure(daemon, times=2)
    daemon.start()
    session = Session(daemon)
    session.prompt("make the tests green")
    assert session.before("make test")["permissionDecision"] == "deny"
    if prepared:
        session.passed("make db")
    assert session.before("make test") == {}
    session.passed("make test")
    session.stop()
    assert outcomes(daemon) == [(Moment.BEFORE_ACTION, outcome)]


def test_what_one_session_learns_helps_the_next(daemon: Daemon) -> None:
    """From a failure and its fix in one session to a showing that helped in another; each counts the day once."""
    daemon.start()
    first = Session(daemon, "s1")
    first.prompt("make the tests green")
    first.failed("make test", REFUSED)
    first.failed("make test", REFUSED)
    first.passed("docker compose up -d db")
    first.passed("make test")
    first.stop()
    daemon.settle()
    second = Session(daemon, "s2")
    second.prompt("run everything")
    assert "docker compose up -d db" in second.before("make test")["additionalContext"]
    second.failed("make test", REFUSED)
    second.passed("docker compose up -d db")
    second.passed("make test")
    second.stop()
    second.stop()
    second.end()
    daemon.settle()
    (showing,) = daemon.shown("s2")
    assert (showing.moment, showing.outcome) == (Moment.BEFORE_ACTION, HELPED)
    with daemon.store() as store:
        assert recurrences.days(store, showing.memory) == {day_of(now()): 2}


def test_what_was_ignored_at_a_prompt_is_said_before_the_action(daemon: Daemon) -> None:
    """In the next session the prompt is answered with silence, and the command is not."""
    with daemon.store(write=True) as store:
        rule = keep(
            store, "never `npm install`; use `pnpm install` for the dependencies", Kind.LESSON, folder=daemon.folder,
            trust=Trust.AGENT, command="npm install",
        )  # fmt: skip
    daemon.start()
    first = Session(daemon, "s1")
    assert rule[-6:] in first.prompt("install the dependencies")
    first.passed("npm install")
    first.stop()
    assert outcomes(daemon, "s1") == [(Moment.PROMPT, IGNORED)]
    second = Session(daemon, "s2")
    assert second.prompt("install the dependencies") == ""
    assert rule[-6:] in str(second.before("npm install"))


def test_what_was_called_wrong_is_not_said_unasked(daemon: Daemon) -> None:
    """Neither at a prompt nor with its skill; before the very action it still is."""
    with daemon.store(write=True) as store:
        here, trust = daemon.folder, Trust.VERIFIED
        plain = keep(store, "the dependencies need pnpm", folder=here, trust=trust, command="npm install")
        taught = keep(store, "deploys need the dependencies first", folder=here, trust=trust, skill="deploy")
        for one in (plain, taught):
            changes.complain(store, one, Trust.AGENT, "no", now())
    daemon.start()
    session = Session(daemon)
    assert session.prompt("install the dependencies") == ""
    assert session.skill("deploy") == ""
    assert plain[-6:] in str(session.before("npm install"))


def test_a_lesson_of_a_skill_has_helped_when_it_was_followed(daemon: Daemon) -> None:
    """What it names was run with success in the same turn; the other lesson of the skill stays unknown."""
    with daemon.store(write=True) as store:
        done = keep(store, "run `make migrations` after a change", folder=daemon.folder, skill="models")
        other = keep(store, "names are singular", folder=daemon.folder, skill="models")
    daemon.start()
    session = Session(daemon)
    session.prompt("add a field")
    said = session.skill("models")
    assert done[-6:] in said
    assert other[-6:] in said
    session.passed("make migrations")
    session.stop()
    daemon.settle()
    assert {one.memory: one.outcome for one in daemon.shown()} == {done: HELPED, other: UNKNOWN}
    with daemon.store() as store:
        (use,) = skill_loads.uses(store, now())
        assert (use.shown, use.helped) == (2, 1)
