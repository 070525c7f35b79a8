"""A call that failed, and the other wording or the remedy with which it passed; and what an agent had in sight, for
which these are the examples."""

from __future__ import annotations

from hardwon.rehearsal.opportunities import Kind, What
from hardwon.rehearsal.opportunities.words import holds
from tests.rehearsal.past import Told, only

REFUSED_FLAG = "Exit code 1\nunknown flag: --stat"


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


def test_a_call_that_never_ran_is_no_failure() -> None:
    told = Told()
    for session in ("first", "second"):
        told.bash(session, "gh pr diff 7 --stat", "Cancelled: parallel tool call Bash(gh pr view) errored", fails=True)
        told.bash(session, "gh pr diff 7 --name-only")
    assert told.mined() == []


def test_an_error_that_names_its_remedy_needs_no_memory() -> None:
    told = Told()
    for session in ("first", "second"):
        told.bash(session, "git push", "! [rejected] (fetch first)\nhint: use 'git pull' before pushing", fails=True)
        told.bash(session, "git pull --rebase")
        told.bash(session, "git push")
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
