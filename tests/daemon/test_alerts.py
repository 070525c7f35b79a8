"""The three levels before a call, each a setting: a note, stop once, and a guard for rules that the user approved."""

from __future__ import annotations

from typing import Any

import pytest

from hardwon.memory import Kind, Trust
from tests.daemon.running import Daemon, keep, keep_fixed, project_of
from tests.daemon.session import Session


def set_to(daemon: Daemon, **alerts: Any) -> None:
    lines = [
        f"{name} = {str(value).lower() if isinstance(value, bool) else repr(value)}" for name, value in alerts.items()
    ]
    daemon.home.settings.write_text("\n".join(["[alerts]", *lines, ""]).replace("'", '"'))


def test_a_stop_can_be_switched_off(daemon: Daemon) -> None:
    """Then the same is said with the result."""
    with daemon.store(write=True) as store:
        keep_fixed(store, daemon.folder, "make test", times=2)
    set_to(daemon, stop_once=False)
    daemon.start()
    answer = Session(daemon).before("make test")
    assert "permissionDecision" not in answer
    assert "start the database first" in answer["additionalContext"]


def test_notes_can_be_switched_off(daemon: Daemon) -> None:
    with daemon.store(write=True) as store:
        keep(store, "make lint needs node 20", folder=daemon.folder, command="make lint")
    set_to(daemon, note=False)
    daemon.start()
    assert Session(daemon).before("make lint") == {}


RULES = [
    # kind, trust, level of the guard, decision
    (Kind.RULE, Trust.USER, "ask", "ask"),
    (Kind.RULE, Trust.USER, "deny", "deny"),
    (Kind.CONSTRAINT, Trust.USER, "deny", "deny"),
    (Kind.RULE, Trust.USER, "off", None),
    (Kind.RULE, Trust.AGENT, "deny", None),
    (Kind.LESSON, Trust.USER, "deny", None),
]


@pytest.mark.parametrize(("kind", "trust", "level", "decision"), RULES)
def test_a_guard_holds_up_what_a_rule_of_the_user_names(
    daemon: Daemon, kind: Kind, trust: Trust, level: str, decision: str | None
) -> None:
    """Every time, and only for what a person said; off unless it is asked for."""
    with daemon.store(write=True) as store:
        keep(
            store, "never push to main by hand", kind, trust=trust, folder=daemon.folder, command="git push origin main"
        )
    set_to(daemon, guard=level)
    daemon.start()
    session = Session(daemon)
    for _ in range(2 if decision else 1):
        answer = session.before("git push origin main")
        assert answer.get("permissionDecision") == decision
    if decision:
        assert "never push to main by hand" in answer["permissionDecisionReason"]
    assert session.before("git push origin feature") == {}


def test_an_edit_that_went_wrong_twice_is_told(daemon: Daemon) -> None:
    """The very same change, each time followed by the same failure: with what was done instead. That worked once, which
    is not enough to stop it."""
    error = "Exit code 2\nMakefile:9: *** missing separator.  Stop."
    daemon.start()
    first = Session(daemon)
    for _ in range(2):
        first.edited("Makefile", "all: app", "all: app\nobjects:\n    cc -c x.c")
        first.failed("make objects", error)
    first.edited("Makefile", "    cc -c x.c", "\tcc -c x.c")
    first.passed("make objects")
    first.stop()
    daemon.settle()
    later = Session(daemon, "s2")
    answer = later.before_edit("Makefile", "all: app", "all: app\nobjects:\n    cc -c x.c")
    assert "permissionDecision" not in answer
    assert "+ cc -c x.c" in answer["additionalContext"]
    assert later.before_edit("Makefile", "all: app", "all: app\nobjects:\n    cc -c x.c") == {}
    assert later.before_edit("Makefile", "all: app", "all: app\nclean:\n\trm x.o") == {}


REFUSED = (
    'Exit code 1\npsycopg2.OperationalError: connection to server at "localhost", port 5432 failed: Connection refused'
)


def met_and_fixed(daemon: Daemon, name: str, command: str, error: str = REFUSED, fix: str = "docker start db") -> None:
    """A session in which a command fails, something is run, and it passes."""
    session = Session(daemon, name)
    session.failed(command, error)
    session.passed(fix)
    session.passed(command)
    session.stop()
    daemon.settle()


def test_another_command_of_the_family_is_told(daemon: Daemon) -> None:
    """What stands in the way of all of them and comes back: with the result, never as a stop; once per session, and
    not in a session in which one of them has passed."""
    daemon.start()
    met_and_fixed(daemon, "s1", "pytest tests/a.py -q")
    assert Session(daemon, "s2").before("pytest tests/b.py") == {}, "once is no habit"
    met_and_fixed(daemon, "s3", "pytest tests/a.py -q")
    later = Session(daemon, "s4")
    answer = later.before("pytest tests/b.py")
    assert "permissionDecision" not in answer
    assert "docker start db" in answer["additionalContext"]
    assert "pytest tests/a.py" in answer["additionalContext"]
    assert later.before("pytest tests/c.py") == {}
    assert Session(daemon, "s5").before("pytest --version") == {}
    assert Session(daemon, "s6").before("npm test") == {}
    passing = Session(daemon, "s7")
    passing.passed("pytest tests/z.py")
    passing.stop()
    daemon.settle()
    assert passing.before("pytest tests/b.py") == {}


def test_a_failure_of_another_target_says_nothing(daemon: Daemon) -> None:
    """However often it came: it is about that target."""
    error = "Exit code 1\nFAILED tests/test_a.py::test_total - AssertionError: assert 3 == 4"
    daemon.start()
    for number in range(3):
        met_and_fixed(daemon, f"s{number}", "pytest tests/test_a.py", error)
    assert Session(daemon, "later").before("pytest tests/test_b.py") == {}


def test_the_way_that_works_is_not_told(daemon: Daemon) -> None:
    """Who goes it already need not hear of it."""
    daemon.start()
    error = "Exit code 127\nbash: line 1: pytest: command not found"
    for name in ("s1", "s2"):
        session = Session(daemon, name)
        for _ in range(2):
            session.failed("pytest tests/a.py", error)
        session.passed("uv run pytest tests/a.py")
        session.stop()
        daemon.settle()
    assert "uv run pytest tests/a.py" in Session(daemon, "s3").before("pytest tests/b.py")["additionalContext"]
    assert Session(daemon, "s4").before("uv run pytest tests/b.py") == {}


def test_the_family_can_be_switched_off(daemon: Daemon) -> None:
    with daemon.store(write=True) as store:
        project_of(store, daemon.folder)
    set_to(daemon, family=False)
    daemon.start()
    for name in ("s1", "s2"):
        met_and_fixed(daemon, name, "pytest tests/a.py")
    assert Session(daemon, "s3").before("pytest tests/b.py") == {}


@pytest.mark.parametrize(
    ("failing", "between", "stopped"),
    [
        ("make test", (), True),
        ("make test", ("git status",), True),
        ("make test", ("docker compose up -d db",), False),
        ("make -C api test", ("docker compose up -d db",), False),
    ],
    ids=["nothing", "a look", "a remedy", "in another spelling"],
)
def test_who_did_something_about_it_is_not_stopped(
    daemon: Daemon, failing: str, between: tuple[str, ...], stopped: bool
) -> None:
    """It failed in this very session; run again after a remedy, it is to be seen whether that helped."""
    daemon.start()
    for name in ("s0", "s1"):
        met_and_fixed(daemon, name, "make test")
    session = Session(daemon, "s2")
    session.failed(failing, REFUSED)
    session.stop()
    daemon.settle()
    for command in between:
        session.before(command)
    assert (session.before("cd . && make test").get("permissionDecision") == "deny") is stopped
