"""What counts as something that came back: paths, look-ups, lint rules, and what a person says again; each as told by
a session's own future and the strict past."""

from __future__ import annotations

from hardwon.rehearsal.opportunities import Kind, What
from tests.rehearsal.past import Told, only

FINDING = "src/cart.go:12:3: Error return value of `os.Remove` is not checked (errcheck)"


def test_a_path_that_was_missing_and_then_found() -> None:
    told = Told()
    told.call("first", "Read", "/shop/.golangci.yaml", What.PASSED, "linters: all")
    told.call("second", "Read", "/shop/.golangci.yml", What.FAILED, "File does not exist.")
    told.call("second", "Glob", "**/.golangci*", What.PASSED, "/shop/.golangci.yaml")
    told.call("second", "Read", "/shop/.golangci.yaml", What.PASSED, "linters: all")
    found = only(told.mined())
    assert (found.kind, found.cost) == (Kind.PATH, 2)
    assert found.answer
    assert found.answer.token == ".golangci.yaml"


def test_a_path_that_no_session_had_seen_before() -> None:
    told = Told()
    told.call("first", "Read", "/shop/main.go", What.PASSED, "package main")
    told.call("second", "Read", "/shop/.golangci.yml", What.FAILED, "File does not exist.")
    told.call("second", "Read", "/shop/.golangci.yaml", What.PASSED, "linters: all")
    assert told.mined() == []


def look_up(told: Told, session: str) -> None:
    told.bash(session, "gh pr view --json baseRefName", "{}")
    told.bash(session, "gh pr view --json baseRefName", '{"baseRefName":"ana/new-states"}')
    told.bash(session, "git rebase origin/ana/new-states")


def test_a_look_up_whose_answer_stood_in_an_earlier_result() -> None:
    told = Told()
    look_up(told, "first")
    look_up(told, "second")
    found = only(told.mined())
    assert (found.kind, found.session, found.cost) == (Kind.LOOK_UP, "second", 2)
    assert found.answer
    assert found.answer.token == "ana/new-states"


def test_a_look_up_that_is_made_with_its_answer_in_sight_is_habit() -> None:
    """Once is enough, before or after: it is made anyway."""
    told = Told()
    for session in ("first", "second", "third", "fourth"):
        look_up(told, session)
    told.add("fifth", What.PROMPT, "rebase onto ana/new-states please")
    look_up(told, "fifth")
    assert told.mined() == []


def test_a_habit_of_asking_for_something_else_is_another_habit() -> None:
    told = Told()
    look_up(told, "first")
    look_up(told, "second")
    told.add("third", What.PROMPT, "is 7431 of ana/new-states merged?")
    told.bash("third", "gh pr view --json number", '{"number":7431}')
    told.bash("third", "gh pr checks 7431")
    assert only(told.mined()).kind is Kind.LOOK_UP


def test_the_file_of_a_name_is_a_look_up_and_a_folders_list_is_none() -> None:
    for pattern, count in (("**/*checkout*", 1), ("src/**/*.go", 0)):
        told = Told()
        for session in ("first", "second"):
            told.call(session, "Glob", f"old/{pattern}", What.PASSED, "No files found")
            told.call(session, "Glob", pattern, What.PASSED, "/shop/src/checkout.go")
            told.call(session, "Read", "/shop/src/checkout.go", What.PASSED, "package src")
        assert len(told.mined()) == count


def lint(told: Told, session: str) -> None:
    told.call(session, "Edit", "/shop/src/cart.go", What.PASSED)
    told.bash(session, "golangci-lint run", f"Exit code 1\n{FINDING}", fails=True)
    told.call(session, "Edit", "/shop/src/cart.go", What.PASSED)
    told.bash(session, "golangci-lint run", "0 issues.")


def test_a_lint_rule_that_was_met_before() -> None:
    """In time is before the edit that broke the rule, not before the run that found it."""
    told = Told()
    lint(told, "first")
    lint(told, "second")
    found = only(told.mined())
    assert (found.kind, found.cost, found.number) == (Kind.RULE, 2, 1)
    assert found.answer
    assert found.answer.token == "errcheck"


def test_an_answer_that_the_finding_itself_names_comes_too_late() -> None:
    """Who says it then says nothing new, though what it costs is still to come."""
    told = Told()
    lint(told, "first")
    lint(told, "second")
    found = only(told.mined())
    assert [found.left(number) for number in (0, found.number, found.number + 3)] == [2, 2, 0]


def test_words_behind_a_refusal_that_were_said_before() -> None:
    told = Told()
    told.add("first", What.PROMPT, "file an issue for the cart")
    told.add("first", What.PROMPT, "make sure it's in Project: Troy")
    told.add("second", What.PROMPT, "file an issue for the login")
    told.call("second", "mcp__tracker__create", "login", What.REFUSED, "this is wrong, it must be Project: Troy")
    found = only(told.mined())
    assert (found.kind, found.cost, found.source) == (Kind.STATEMENT, 11, "first")
    assert found.answer
    assert {found.answer.token, *found.answer.along} == {"project", "troy"}


def test_one_look_that_finds_it_costs_nothing() -> None:
    told = Told()
    for session in ("first", "second"):
        told.bash(session, "gh pr view --json baseRefName", '{"baseRefName":"ana/new-states"}')
        told.bash(session, "git rebase origin/ana/new-states")
    assert told.mined() == []


def test_what_is_said_along_with_a_request_costs_nothing() -> None:
    """The turn would be there anyway."""
    told = Told()
    told.add("first", What.PROMPT, "hello")
    told.add("first", What.PROMPT, "make sure it's in Project: Troy")
    told.add("second", What.PROMPT, "hello")
    told.add("second", What.PROMPT, "file an issue for the login in Project: Troy please")
    assert told.mined() == []


def linted(told: Told, session: str, *findings: str) -> None:
    told.call(session, "Edit", "/shop/src/cart.go", What.PASSED)
    told.bash(session, "golangci-lint run", "\n".join(("Exit code 1", *findings)), fails=True)
    told.call(session, "Edit", "/shop/src/cart.go", What.PASSED)
    told.bash(session, "golangci-lint run", "0 issues.")


def test_a_rule_that_says_something_else_is_another_one() -> None:
    told = Told()
    linted(told, "first", "src/cart.go:12:3: exported: comment on type Cart should be of the form (revive)")
    linted(told, "second", "src/order.go:9:1: redefines-builtin-id: redefinition of the function max (revive)")
    assert told.mined() == []
    told = Told()
    for session, name in (("first", "Cart"), ("second", "Total")):
        linted(told, session, f"src/cart.go:12:3: exported: comment on type {name} should be of the form (revive)")
    assert only(told.mined()).source == "first"


def test_one_of_many_rules_is_not_what_a_run_was_about() -> None:
    told = Told()
    linted(told, "first", FINDING)
    others = [
        f"src/cart.go:{place}:1: something is wrong here ({rule})" for place, rule in enumerate(("gosec", "lll"), 1)
    ]
    linted(told, "second", FINDING, *others)
    assert told.mined() == []


def test_what_stops_a_call_names_what_an_earlier_session_had() -> None:
    """The person points at it; the agent could have known it."""
    told = Told()
    told.call("first", "mcp__tracker__create", "silent drop", What.PASSED, '{"identifier":"SHOP-250"}')
    told.add("second", What.PROMPT, "tell the others of it")
    told.call("second", "Bash", "gh pr comment 7 --body x", What.REFUSED, "read SHOP-250 first, I wrote it just now")
    found = only(told.mined())
    assert (found.kind, found.cost, found.source) == (Kind.STATEMENT, 11, "first")
    assert found.answer
    assert found.answer.token == "SHOP-250"


def test_hyphens_in_prose_name_nothing() -> None:
    told = Told()
    told.bash("first", "cat notes.md", "the re-use of long-lived sessions")
    told.call("second", "Bash", "make", What.REFUSED, "no re-use here, nothing long-lived")
    assert told.mined() == []


def test_a_first_prompt_is_no_repetition() -> None:
    """Before it nothing can have gone wrong, and nothing could have been said."""
    told = Told()
    told.add("first", What.PROMPT, "hello")
    told.add("first", What.PROMPT, "the parent of this branch is ana/new-states, not main")
    told.add("second", What.PROMPT, "the parent of this branch is ana/new-states, not main")
    assert told.mined() == []
