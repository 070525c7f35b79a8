"""What is a lesson and what is not: sessions through a store, and what a later session would be told of them."""

from __future__ import annotations

import dataclasses

import pytest

from hardwon.event import IN_BACKGROUND, Event, EventType
from hardwon.learn.derive import derive
from hardwon.memories import moments
from hardwon.memories.moments import fixes_of
from hardwon.memory import LINT_RULE, Anchor, AnchorKind, Draft, Kind, Link, LinkKind, Scope, Status, Trust
from hardwon.store import changes
from hardwon.store.tables import memories, showings
from hardwon.store.tables.showings import Showing
from tests.learn.days import DAY, Days
from tests.learn.test_derive import AT, edited, failed, passed, rejected, session

EXPIRED = "Exit code 1\nError: error configuring the backend: ExpiredToken: the session of role ops has expired"
NO_MODULE = "Exit code 1\nModuleNotFoundError: No module named 'ledger'"
REFUSED = "Exit code 1\nredis.exceptions.ConnectionError: Error 111 connecting to localhost:6390. Connection refused."
IN_USE = "Exit code 1\nError: listen EADDRINUSE: address already in use :::4710"
TYPE = "Exit code 2\nsrc/till.ts(12,5): error TS2322: Type 'string' is not assignable to type 'number'."


def background(command: str) -> Event:
    event = passed(command)
    return dataclasses.replace(event, text=f"{IN_BACKGROUND} with ID: b1")


# One failure per cause


def test_a_proven_fix_is_told_however_often_it_comes_back(days: Days) -> None:
    """Each day another target of the same program: one failure, and the login that helped."""
    days.next(failed("tf plan a", EXPIRED), passed("cloud-login ops"), passed("tf plan a"))
    for target in "bcde":
        assert days.worked(EXPIRED) == ["`tf plan a` works after: `cloud-login ops`"]
        days.next(failed(f"tf plan {target}", EXPIRED))
    (failure,) = days.all(Kind.FAILURE)
    assert memories.hits(days.store, [failure.id]) == {failure.id: 4}
    assert days.worked(EXPIRED) == ["`tf plan a` works after: `cloud-login ops`"]


def test_another_spelling_is_known_before_the_call_too(days: Days) -> None:
    days.next(failed("tf plan a", EXPIRED), failed("tf plan -refresh=false a", EXPIRED))
    (failure,) = days.all(Kind.FAILURE)
    named = [anchor.value for anchor in failure.anchors if anchor.kind == "command"]
    assert named == ["tf plan a", "tf plan -refresh=false a"]


def test_a_run_in_another_spelling_that_still_fails_excludes_what_came_before(days: Days) -> None:
    days.next(
        failed("tf plan a", EXPIRED), passed("tf init"), failed("tf plan -lock=false a", EXPIRED),
        passed("cloud-login ops"), passed("tf plan a"),
    )  # fmt: skip
    assert days.worked(EXPIRED) == ["`tf plan a` works after: `cloud-login ops`"]


# In the background nothing is proved


def test_a_launch_in_the_background_is_no_pass(days: Days) -> None:
    days.next(failed("serve", IN_USE), passed("rm -rf data/cache"), background("serve"))
    assert days.worked(IN_USE) == []
    assert [one.status for one in days.all(Kind.FAILURE)] == [Status.ACTIVE]


def test_neither_is_one_by_the_shell(days: Days) -> None:
    days.next(failed("serve", IN_USE), passed("rm -rf data/cache"), passed("serve > log.txt 2>&1 &"))
    assert days.worked(IN_USE) == []


# Layers


def test_each_cure_belongs_to_its_layer(days: Days) -> None:
    """From the first time on, also on the day when the first error comes alone."""
    days.next(failed("t", NO_MODULE), passed("fa"), failed("t", REFUSED), passed("fb"), passed("t"))
    (first,) = days.worked(NO_MODULE)
    assert first.startswith("`fa` got past this; then `fb`, against: redis.exceptions.ConnectionError")
    assert days.worked(REFUSED) == ["`t` works after: `fb`"]


def test_a_layer_is_told_before_the_next_one_is_cured(days: Days) -> None:
    days.next(failed("t", NO_MODULE), passed("pip install ledger"), failed("t", REFUSED))
    (first,) = days.worked(NO_MODULE)
    assert first.startswith("`pip install ledger` got past this; then `t` failed: redis")


def test_what_comes_back_was_not_got_past(days: Days) -> None:
    days.next(failed("t", NO_MODULE), passed("fa"), failed("t", REFUSED), failed("t", NO_MODULE))
    assert days.worked(NO_MODULE) == []


# What failed last time


def test_a_fix_that_failed_when_it_was_tried_again_is_not_what_works(days: Days) -> None:
    days.next(failed("t", REFUSED), passed("fa"), passed("t"))
    assert days.worked(REFUSED) == ["`t` works after: `fa`"]
    days.next(failed("t", REFUSED), passed("fa"), failed("t", REFUSED), passed("fb"), passed("t"))
    assert days.worked(REFUSED) == ["`t` works after: `fb`"]


def test_two_sessions_that_agree_prove_a_fix(days: Days) -> None:
    done = [failed("t", NO_MODULE), passed("fx"), passed("fa"), passed("t")]
    days.next(*done)
    assert [fix.trust for one in days.told(NO_MODULE) for fix in one.fixes] == [Trust.AGENT]
    days.next(*done)
    assert [fix.trust for one in days.told(NO_MODULE) for fix in one.fixes] == [Trust.VERIFIED]


def test_who_was_told_of_a_fix_proves_nothing(days: Days) -> None:
    """It did what it was told, and would have passed perhaps without it."""
    done = [failed("t", NO_MODULE), passed("fx"), passed("fa"), passed("t")]
    days.next(*done)
    (failure,) = days.all(Kind.FAILURE)
    name = f"s{days.number + 1}"
    days.next(failed("other", IN_USE))
    assert name == f"s{days.number}"
    showings.record(days.store, [Showing(failure.id, "prompt", AT + 2 * DAY, 9)], ("claude-code", name))
    days.number -= 1
    days.next(*done)
    assert [fix.trust for one in days.told(NO_MODULE) for fix in one.fixes] == [Trust.AGENT]


# Nothing destructive, nothing that only looks


def test_what_only_destroys_waits_until_it_was_the_fix_twice(days: Days) -> None:
    done = [failed("serve", IN_USE), passed("rm -rf data/cache"), passed("serve")]
    days.next(*done)
    assert days.worked(IN_USE) == []
    days.next(*done)
    assert days.worked(IN_USE) == ["`serve` works after: `rm -rf data/cache`"]


def test_looking_around_is_no_part_of_a_fix(days: Days) -> None:
    days.next(failed("t", NO_MODULE), passed("pkg-config --libs x; ls /usr/lib"), passed("fa"), passed("t"))
    assert days.worked(NO_MODULE) == ["`t` works after: `fa`"]


# Work in progress

WORK: dict[str, list[Event]] = {
    "a type error": [failed("npm run check", TYPE), edited("src/till.ts", "- x\n+ y"), passed("npm run check")],
    "a comment for the linter": [
        failed("mise run lint", "Exit code 1\nexplain.go:12:1: exported: comment should be of the form (revive)"),
        edited("cmd/explain.go", "- func Explain\n+ // Explain …\n+ func Explain"),
        passed("mise run lint"),
    ],
    "mended elsewhere in the code": [
        failed("pytest", "Exit code 1\nFAILED tests/test_till.py::test_sum - assert 3 == 4"),
        edited("till/sum.py", "- a\n+ b"),
        passed("pytest"),
    ],
    "with a folder made beside it": [
        failed("pytest", "Exit code 1\nFAILED tests/test_till.py::test_sum - assert 3 == 4"),
        passed("mkdir notes"),
        edited("till/sum.py", "- a\n+ b"),
        passed("pytest"),
    ],
    "a commit that a check had refused": [
        failed("git commit -m x", TYPE),
        edited("src/till.ts", "- x\n+ y"),
        passed("git commit -m x"),
    ],
    "a chart that it had just written": [
        edited("deploy/till.yaml", "+ kind: Job"),
        failed("kubectl apply -f deploy", "Exit code 1\nerror: error parsing deploy/till.yaml:3: bad indent"),
        edited("deploy/till.yaml", "- kind: Job\n+ kind: CronJob"),
        passed("kubectl apply -f deploy"),
    ],
}


@pytest.mark.parametrize("name", WORK)
def test_work_in_progress_is_told_to_nobody(days: Days, name: str) -> None:
    """It stays in the journal and is counted."""
    days.next(*WORK[name])
    found = [one for one in memories.all_memories(days.store) if one.subtype != LINT_RULE]
    assert [(one.kind, one.status) for one in found] == [(Kind.FAILURE, Status.ARCHIVED)]


LESSONS: dict[str, tuple[list[Event], str]] = {
    "configuration": (
        [failed("jest", NO_MODULE), edited("jest.config.js", "- a\n+ ledger"), passed("jest")],
        "jest.con",
    ),
    "a manifest": ([failed("t", NO_MODULE), edited("pyproject.toml", "+ ledger"), passed("t")], "pyproject"),
    "a script's demand": (
        [failed("./check", "Exit code 1\nCHANGELOG.md: no entry"), edited("CHANGELOG.md", "+ x"), passed("./check")],
        "CHANGELOG.md",
    ),
    "what a library raised": (
        [failed("pytest", f"{REFUSED}\nFAILED tests/a.py::b"), edited("app/db.py", "+ redis_port=1"), passed("pytest")],
        "app/db.py",
    ),
}


@pytest.mark.parametrize("name", LESSONS)
def test_an_edit_can_be_a_lesson(days: Days, name: str) -> None:
    events, words = LESSONS[name]
    days.next(*events)
    (fix,) = days.all(Kind.FIX)
    assert words in fix.body


def test_an_open_failure_of_the_code_that_is_written_is_silent(days: Days) -> None:
    days.next(edited("src/till.ts", "+ x"), failed("npm run check", TYPE))
    assert [one.status for one in days.all(Kind.FAILURE)] == [Status.ARCHIVED]


def test_what_turns_out_to_be_no_work_is_told(days: Days) -> None:
    """The code was right; the generated types were missing."""
    days.next(
        edited("src/till.ts", "+ x"), failed("npm run check", TYPE), passed("npm run generate"), passed("npm run check")
    )  # fmt: skip
    assert days.worked(TYPE) == ["`npm run check` works after: `npm run generate`"]


# The client's own errors, and those of connected servers


def test_what_the_client_refuses_is_no_lesson() -> None:
    unread = dataclasses.replace(rejected(), error="<tool_use_error>File has not been read yet.</tool_use_error>")
    sibling = failed(
        "make test", "<tool_use_error>Cancelled: parallel tool call Bash(ls x) errored</tool_use_error>", None
    )
    assert derive(session(unread, edited(), sibling, rejected(), edited(text="- on\n+ off"))) == []


def server(type_: EventType, given: str, error: str = "") -> Event:
    return Event(type_, "claude-code", "s1", 0, "p", tool="mcp__db__query", target=given, error=error)


def test_a_servers_tool_that_worked_when_asked_in_another_way(days: Days) -> None:
    wrong = "column total_cents does not exist; did you mean total?"
    days.next(
        server(EventType.TOOL_FAILED, '{"table": "orders", "column": "total_cents"}', wrong),
        server(EventType.TOOL_FINISHED, '{"table": "orders", "column": "total"}'),
    )
    (fix,) = days.told(wrong)[0].fixes
    assert fix.body.startswith('`mcp__db__query {"table": "orders", "column": "total"}` worked where `mcp__db__query')
    assert fix.trust is Trust.VERIFIED


# Hidden failures


def test_a_failure_behind_a_pager_is_one(days: Days) -> None:
    """Its status is that of `tail`; its words say that it failed."""
    hidden = dataclasses.replace(passed("pytest 2>&1 | tail -20"), text="FAILED tests/a.py::b - KeyError: 'TILL_URL'")
    days.next(hidden, passed("cp .env.example .env"), passed("pytest"))
    assert [one.body for one in days.all(Kind.FIX)] == ["`pytest` works after: `cp .env.example .env`"]


def test_fixes_are_linked_to_the_one_failure(days: Days) -> None:
    days.next(failed("tf plan a", EXPIRED), passed("cloud-login ops"), passed("tf plan a"))
    days.next(failed("tf apply a", EXPIRED), passed("cloud-login ops"), passed("tf apply a"))
    (failure,) = days.all(Kind.FAILURE)
    assert [memories.hits(days.store, [fix.id]).get(fix.id, 0) for fix in fixes_of(days.store, failure)] == [1]


# Homes of earlier versions

OLD = [
    ('`npm test` works after: edited src/Tree.tsx (change: "- a + b")', "worked", True),
    ('`npm test` works after: edited src/Tree.tsx (change: "- a"); edited src/b.ts (change: "+ c")', "worked", True),
    ('`npm test` works after: edited .env (change: "+ A=1")', "worked", False),
    ('`npm test` works after: `npm ci`; edited src/b.ts (change: "+ c")', "worked", False),
    ("`npm run test` worked where `npm tset` failed", "instead", False),
]


@pytest.mark.parametrize(("body", "subtype", "silent"), OLD)
def test_what_an_earlier_version_learned_of_the_work_falls_silent(
    days: Days, body: str, subtype: str, silent: bool
) -> None:
    """The fix, and the failure where nothing else mended it."""
    scope = Scope(days.project)
    failure = note_of(days, Draft(Kind.FAILURE, "`npm test` failed: x", scope, Trust.VERIFIED, "session"))
    link = (Link(LinkKind.FIXES, failure),)
    fix = note_of(days, Draft(Kind.FIX, body, scope, Trust.VERIFIED, "session", subtype=subtype, links=link))
    days.next(passed("ls"))
    statuses = [one.status for one in (memories.get(days.store, failure), memories.get(days.store, fix)) if one]
    assert statuses == [Status.ARCHIVED if silent else Status.ACTIVE] * 2


def note_of(days: Days, draft: Draft) -> str:
    id = changes.note(days.store, draft, AT).id
    assert id
    return id


# A runner's last line


def test_what_only_says_that_a_task_failed_merges_nothing(days: Days) -> None:
    """Two causes below the same last line are two failures, within a session and across them."""
    one = "Exit code 1\n[gate] licence header missing in web/till.go\n[gate] ERROR task failed"
    other = "Exit code 1\n[gate] the vault is sealed, unseal it first\n[gate] ERROR task failed"
    days.next(failed("mise run gate", one), failed("mise run gate", other))
    days.next(failed("mise run gate", one))
    assert len(days.all(Kind.FAILURE)) == 2


# Before the call


def test_what_has_passed_by_itself_since_is_not_said_before_the_call(days: Days) -> None:
    """A push is rejected twice and mended each time; then it passes with nothing done. Who was told proves nothing."""
    rejected_ = "Exit code 1\n! [rejected] main -> main (fetch first)"
    episode = (failed("git push", rejected_), passed("git pull --rebase"), passed("git push"))

    def is_said() -> bool:
        (known,) = moments.about(days.store, Anchor(AnchorKind.COMMAND, "git push"), days.project, AT + 9 * DAY)
        return known.is_worth_a_note("another")

    days.next(*episode)
    days.next(*episode)
    assert is_said()
    days.next(passed("git push"))
    assert not is_said()
    days.next(*episode)
    assert is_said()
