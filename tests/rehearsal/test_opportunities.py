"""What counts as something that came back, kind by kind: as told by a session's own future and the strict past."""

from __future__ import annotations

from hardwon.rehearsal.opportunities import Kind, Opportunity, What
from hardwon.rehearsal.opportunities.words import holds
from tests.rehearsal.past import Told

REFUSED_FLAG = "Exit code 1\nunknown flag: --stat"


def only(found: list[Opportunity]) -> Opportunity:
    assert len(found) == 1, found
    return found[0]


def other_wording(told: Told, session: str) -> None:
    told.bash(session, "gh pr diff 7 --stat", REFUSED_FLAG, fails=True)
    told.bash(session, "gh pr diff 7 --name-only")


def test_another_wording_of_a_failed_call() -> None:
    """What the second session tries first fails, and what then passes stood in the first session."""
    told = Told()
    other_wording(told, "first")
    told.add("second", What.PROMPT, "what does the pull request change?")
    other_wording(told, "second")
    found = only(told.mined())
    assert (found.kind, found.session, found.cost, found.source) == (Kind.WORDING, "second", 1, "first")
    assert found.answer
    assert found.answer.token == "--name-only"


def test_an_answer_that_is_in_sight_is_no_opportunity() -> None:
    told = Told()
    other_wording(told, "first")
    told.add("second", What.PROMPT, "gh pr diff has `--name-only`")
    other_wording(told, "second")
    assert told.mined() == []


def test_what_was_in_sight_before_a_compaction_is_out_of_sight() -> None:
    told = Told()
    other_wording(told, "first")
    told.add("second", What.PROMPT, "gh pr diff has `--name-only`")
    told.add("second", What.COMPACTED, "a summary without it")
    other_wording(told, "second")
    assert only(told.mined()).window == 1


def test_instructions_are_in_sight_and_stay_so() -> None:
    told = Told()
    other_wording(told, "first")
    told.add("second", What.BEGAN, "Use gh pr diff --name-only.")
    told.add("second", What.COMPACTED, "a summary")
    other_wording(told, "second")
    assert told.mined() == []


def test_only_the_strict_past_counts() -> None:
    """Two sessions at the same time: the answer came in the other one, but later."""
    told = Told()
    told.bash("one", "gh pr diff 7 --stat", REFUSED_FLAG, fails=True)
    told.bash("other", "gh pr diff 8 --stat", REFUSED_FLAG, fails=True)
    told.bash("other", "gh pr diff 8 --name-only")
    told.bash("one", "gh pr diff 7 --name-only")
    assert told.mined() == []


def test_code_that_was_changed_meanwhile_is_no_other_wording() -> None:
    told = Told()
    for session in ("first", "second"):
        told.bash(session, "npm run report", "Exit code 1\nTypeError", fails=True)
        told.call(session, "Edit", "/shop/report.js", What.PASSED)
        told.bash(session, "npm run report --fast")
    assert told.mined() == []


def test_a_remedy_between_a_failure_and_the_same_call() -> None:
    told = Told()
    for session in ("first", "second"):
        told.bash(session, "git push", "Exit code 1\n! [rejected] main -> main (fetch first)", fails=True)
        told.bash(session, "git pull --rebase")
        told.bash(session, "git push")
    found = only(told.mined())
    assert found.answer
    assert found.answer.token in ("git pull", "--rebase")
    assert found.cost == 1  # the push in vain; the remedy was needed anyway


def test_an_answer_that_the_finding_itself_names_comes_too_late() -> None:
    """Who says it then says nothing new, though what it costs is still to come."""
    told = Told()
    lint(told, "first")
    lint(told, "second")
    found = only(told.mined())
    assert [found.left(number) for number in (0, found.number, found.number + 3)] == [2, 2, 0]


def test_a_test_that_fails_for_its_surroundings() -> None:
    """Nothing in the code was changed, so what was started in between is what it wanted."""
    told = Told()
    for session in ("first", "second"):
        told.bash(session, "make test", "Exit code 1\nConnection refused: localhost:6379", fails=True)
        told.bash(session, "docker ps")
        told.bash(session, "docker compose up -d redis")
        told.bash(session, "make test")
    found = only(told.mined())
    assert found.answer
    assert found.answer.token in ("docker compose up", "redis", "compose")
    assert (found.cost, found.left(0), found.left(found.number + 1)) == (2, 2, 1)


def test_a_test_that_fails_twice_in_other_words_is_work() -> None:
    told = Told()
    for session in ("first", "second"):
        told.bash(session, "go test ./cart", "--- FAIL: TestTotals", fails=True)
        told.bash(session, "go test ./cart -run TestOther")
    assert told.mined() == []


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


def test_a_call_that_never_ran_is_no_failure() -> None:
    told = Told()
    for session in ("first", "second"):
        told.bash(session, "gh pr diff 7 --stat", "Cancelled: parallel tool call Bash(gh pr view) errored", fails=True)
        told.bash(session, "gh pr diff 7 --name-only")
    assert told.mined() == []


FINDING = "src/cart.go:12:3: Error return value of `os.Remove` is not checked (errcheck)"


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


def test_an_error_that_names_its_remedy_needs_no_memory() -> None:
    told = Told()
    for session in ("first", "second"):
        told.bash(session, "git push", "! [rejected] (fetch first)\nhint: use 'git pull' before pushing", fails=True)
        told.bash(session, "git pull --rebase")
        told.bash(session, "git push")
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


def refused_push(told: Told, session: str, said: str) -> None:
    told.call(session, "Bash", "git push", What.REFUSED, said)
    told.bash(session, "git fetch")
    told.bash(session, "git pull --rebase")
    told.bash(session, "git push")


def test_a_refused_call_and_what_the_person_named_instead() -> None:
    """As after a failure; of all that was done differently, what the person said counts."""
    told = Told()
    told.bash("first", "git push", "Exit code 1\n! [rejected] main -> main (fetch first)", fails=True)
    told.bash("first", "git pull --rebase")
    told.bash("first", "git push")
    refused_push(told, "second", "pull rebase first")
    found = only(told.mined())
    assert (found.kind, found.cost) == (Kind.WORDING, 12)
    assert found.answer
    assert found.answer.token in ("git pull", "--rebase")


def test_a_refused_call_for_reasons_of_the_moment() -> None:
    told = Told()
    refused_push(told, "first", "wait, I have another question")
    refused_push(told, "second", "hold on a second please")
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


def test_a_search_that_fails_as_a_tool_and_is_made_in_the_shell() -> None:
    told = Told()
    for session in ("first", "second"):
        told.call(session, "Grep", "func Total|/shop||", What.FAILED, "ENOENT: posix_spawn '/opt/client'")
        told.call(session, "Grep", "func Total|/shop/src||", What.FAILED, "ENOENT: posix_spawn '/opt/client'")
        told.bash(session, 'grep -rn "func Total" .')
    found = only(told.mined())
    assert (found.kind, found.cost) == (Kind.WORDING, 2)
    assert found.answer
    assert found.answer.token == "grep"


def test_a_tool_of_a_server_that_wanted_other_arguments() -> None:
    told = Told()
    for session in ("first", "second"):
        for given, outcome in (("title", What.FAILED), ("title\nplatform-team", What.PASSED)):
            told.add(session, What.CALL, given, call=f"{session}{given}", tool="mcp__tracker__create", target="title")
            told.add(session, outcome, "Argument Validation Error" if outcome is What.FAILED else "ok",
                     call=f"{session}{given}", tool="mcp__tracker__create", target="title")  # fmt: skip
    found = only(told.mined())
    assert found.answer
    assert (found.kind, found.answer.token) == (Kind.WORDING, "platform-team")


def test_a_job_that_fails_again_and_again_is_one_episode() -> None:
    """Lines that go on behind a backslash are one call; looks in between don't end it."""
    told = Told()
    told.bash("first", "gh api repos/x/pulls/7/comments -F in_reply_to=11 -f body=done")
    for _ in range(2):
        told.bash(
            "second", "gh api repos/x/pulls/7/comments/11 --method POST \\\n  -f body=done", "gh: Not Found", fails=True
        )
        for number in range(5):
            told.bash("second", f"gh api repos/x/pulls/{number}", "{}")
    told.bash("second", "gh api repos/x/pulls/7/comments \\\n  -F in_reply_to=11 -f body=done")
    found = only(told.mined())
    assert found.answer
    assert (found.kind, found.answer.token, found.cost) == (Kind.WORDING, "in_reply_to", 12)


def test_what_only_looks_at_the_same_thing_is_no_other_wording() -> None:
    told = Told()
    told.bash("first", "git checkout ana/new-states", "fatal: already used by worktree", fails=True)
    told.bash("first", "git log --oneline ana/new-states")
    told.bash("second", "git checkout ana/new-states", "fatal: already used by worktree", fails=True)
    told.bash("second", "git log --oneline ana/new-states")
    assert told.mined() == []


def test_a_remedy_of_three_words_can_be_said() -> None:
    told = Told()
    for session in ("first", "second"):
        told.bash(session, "go vet ./cart", "go: updates to go.mod needed; to update it", fails=True)
        told.bash(session, "go mod tidy")
        told.bash(session, "go vet ./cart")
    found = only(told.mined())
    assert found.answer
    assert found.answer.token == "go mod tidy"
    assert holds("first run `go mod tidy`, then vet", found.answer.token)


def test_a_first_prompt_is_no_repetition() -> None:
    """Before it nothing can have gone wrong, and nothing could have been said."""
    told = Told()
    told.add("first", What.PROMPT, "hello")
    told.add("first", What.PROMPT, "the parent of this branch is ana/new-states, not main")
    told.add("second", What.PROMPT, "the parent of this branch is ana/new-states, not main")
    assert told.mined() == []


def test_a_cost_counts_once() -> None:
    """The same failure and the person's word in the midst of it are one episode."""
    told = Told()
    told.bash("first", "git status", "Exit code 128\nfatal: unable to read e53647", fails=True)
    told.bash("first", "git read-tree HEAD")
    told.bash("first", "git status")
    told.add("first", What.PROMPT, "good: the cure is not a new clone but git read-tree HEAD here")
    told.add("second", What.PROMPT, "status is broken")
    told.bash("second", "git status", "Exit code 128\nfatal: unable to read e53647", fails=True)
    told.call(
        "second", "Bash", "git fsck", What.REFUSED, "not that: the cure is not a new clone but git read-tree HEAD"
    )
    told.bash("second", "git read-tree HEAD")
    told.bash("second", "git status")
    found = only(told.mined())
    assert found.kind is Kind.WORDING
    assert found.cost == 12


def test_a_sub_agent_has_a_window_of_its_own() -> None:
    told = Told()
    other_wording(told, "first")
    told.add("second", What.PROMPT, "gh pr diff has `--name-only`")
    for line, fails in (("gh pr diff 7 --stat", True), ("gh pr diff 7 --name-only", False)):
        outcome = What.FAILED if fails else What.PASSED
        told.call("second", "Bash", line, outcome, REFUSED_FLAG if fails else "ok", agent="reviewer")
    assert only(told.mined()).agent == "reviewer"


def test_a_fork_finds_nothing_in_what_it_repeats() -> None:
    told = Told()
    other_wording(told, "first")
    told.add("second", What.PROMPT, "go on", is_repeat=True)
    for line, outcome in (("gh pr diff 7 --stat", What.FAILED), ("gh pr diff 7 --name-only", What.PASSED)):
        about = {"call": line, "tool": "Bash", "target": line, "is_repeat": True}
        told.add("second", What.CALL, line, **about)
        told.add("second", outcome, REFUSED_FLAG if outcome is What.FAILED else "ok", **about)
    assert told.mined() == []
