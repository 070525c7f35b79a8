"""What calls and results tell of branches: a table of commands and outputs."""

from __future__ import annotations

import pytest

from hardwon.event import Event, EventType
from hardwon.text.branches import Reader
from hardwon.text.branches.fact import Fact, What, is_name

AT = 1_790_000_000_000
URL = "https://github.com/o/r/pull/12"


def event(command: str, output: str = "", *, passed: bool = True, branch: str = "feature", number: int = 1) -> Event:
    type_ = EventType.TOOL_FINISHED if passed else EventType.TOOL_FAILED
    said = {"text": output} if passed else {"error": output, "exit_status": 1}
    return Event(type_, "claude-code", "s1", AT + number, cwd="/r", call=f"c{number}", tool="Bash", target=command,
                 branch=branch, **said)  # fmt: skip


def told(facts: list[Fact]) -> set[tuple[str, str, str]]:
    left = (What.BORN, What.PUSH, What.COMMIT)
    return {(str(fact.what), fact.branch, fact.value) for fact in facts if fact.what not in left}


# The command, its output, and what it tells: (what, branch, value).
TELLING = [
    ("git switch -c x origin/stack/one", "", {("base", "x", "stack/one")}),
    ("git checkout -b x", "Switched to a new branch 'x'", {("base", "x", "feature")}),
    ("git fetch && git checkout -b x origin/main", "", {("base", "x", "main")}),
    ("git worktree add -b x ../x stack/one", "", {("base", "x", "stack/one")}),
    ("git worktree add ../x -b x", "", {("base", "x", "feature")}),
    ("git branch x stack/one", "", {("base", "x", "stack/one")}),
    ("git fetch origin && git rebase origin/stack/one", "Successfully rebased", {("base", "feature", "stack/one")}),
    ("git rebase --onto main stack/one", "", {("base", "feature", "main")}),
    ("git pull --rebase origin stack/one", "", {("base", "feature", "stack/one")}),
    ("git merge origin/stack/one", "", {("confirmed", "feature", "stack/one")}),
    ("gh pr create --base stack/one --title t", URL, {("pr", "feature", "12"), ("base", "feature", "stack/one")}),
    ("gh pr create -B stack/one -H x --fill 2>&1 | tail -1", URL, {("pr", "x", "12"), ("base", "x", "stack/one")}),
    ("gh pr view --json number,baseRefName", '{"baseRefName":"stack/one","number":12}',
     {("pr", "feature", "12"), ("base", "feature", "stack/one")}),
    ("gh pr view --json baseRefName -q .baseRefName", "stack/one\n", {("base", "feature", "stack/one")}),
    ("gh pr list --json number,headRefName,baseRefName", '[{"number":9,"headRefName":"y","baseRefName":"x"}]',
     {("pr", "y", "9"), ("base", "y", "x")}),
    ("gh api repos/o/r/pulls/9", '{"number": 9, "state": "open", "head": {"ref": "y"}, "base": {"ref": "x"}}',
     {("pr", "y", "9"), ("base", "y", "x")}),
    ("gh pr edit 12 --base main", "", {("base", "#12", "main")}),
    ("gh pr view 9 --json baseRefName", '{"baseRefName":"x"}', set()),
    ("gh issue create --title x", "https://github.com/o/r/issues/250", {("issue", "feature", "#250")}),
    ("go test ./x", "ok", {("check", "feature", "go test ./x")}),
    ("go test ./x | tail -3", "ok x 0.1s", set()),
    ("pytest -q 2>&1 | tail -5", "FAILED tests/a.py::b - assert 1 == 2\n1 failed, 3 passed",
     {("check", "feature", "pytest")}),
    ("env GH_TOKEN=x timeout 60 gh pr create -Bstack/one", URL,
     {("pr", "feature", "12"), ("base", "feature", "stack/one")}),
    ("gh pr create --fill", f"Creating pull request for feature into stack/one in o/r\n\n{URL}",
     {("pr", "feature", "12"), ("base", "feature", "stack/one")}),
    (f"gh pr edit {URL} --base main", "", {("base", "#12", "main")}),
    ("git switch -cx stack/one", "", {("base", "x", "stack/one")}),
    ("git branch --track x origin/stack/one", "", {("base", "x", "stack/one")}),
    ("git branch --list x stack/one", "", set()),
    ("git branch -D x", "", {("deleted", "x", "")}),
    ("git branch -m y", "", {("renamed", "y", "feature")}),
    ("git checkout -b x abc1234def", "", set()),
    ("git rebase -i HEAD~3", "", set()),
    ("git rebase --continue", "", set()),
    ("git rebase origin/x || true", "CONFLICT (content)", set()),
    ("git rebase origin/x | tail", "error: could not apply 1a2b3c4", set()),
    ("git checkout -b 'x;rm -rf ~'", "", set()),
    ("git -C ../other rebase origin/x", "", set()),
    ("echo git rebase x", "", set()),
]  # fmt: skip


@pytest.mark.parametrize(
    ("command", "output", "wanted"), TELLING, ids=lambda value: value if isinstance(value, str) else ""
)
def test_what_a_call_tells(command: str, output: str, wanted: set[tuple[str, str, str]]) -> None:
    """A base by the ways that make one, a pull request by the forge's answers; nothing by what only looks like it."""
    assert told(Reader().facts(event(command, output))) == wanted


def test_what_failed_tells_no_base() -> None:
    """A rebase that stopped, a branch that was there already."""
    assert (
        told(Reader().facts(event("git switch -c x y", "fatal: a branch named 'x' already exists", passed=False)))
        == set()
    )


def test_a_client_that_is_late_is_not_believed() -> None:
    """It goes on writing down the branch from before the switch for a while."""
    reader = Reader()
    reader.facts(event("git switch -c x", branch="main"))
    assert told(reader.facts(event("gh pr create --fill", URL, branch="main", number=2))) == {("pr", "x", "12")}
    assert told(reader.facts(event("gh pr view --json number", '{"number":3}', branch="z", number=3))) == {
        ("pr", "z", "3")
    }


def test_a_reading_again_gives_the_same_keys() -> None:
    """So that nothing counts twice."""
    one = event("gh pr create --base a --fill", URL)
    assert [fact.key for fact in Reader().facts(one)] == [fact.key for fact in Reader().facts(one)]


PROMPTS = [
    ("the base of this branch is stack/one, rebase on it", "stack/one"),
    ("this is stacked on stack/one", "stack/one"),
    ("parent branch is `stack/one`", "stack/one"),
    ("这个分支基于 stack/one", "stack/one"),
    ("is the base stack/one?", ""),
    ("the base is not stack/one", ""),
    ("what is it based on", ""),
]


@pytest.mark.parametrize(("text", "base"), PROMPTS)
def test_the_persons_word(text: str, base: str) -> None:
    """A statement counts; a question and a negation don't."""
    said = Event(
        EventType.PROMPT_SUBMITTED, "claude-code", "s1", AT, cwd="/r", prompt="p1", text=text, branch="feature"
    )
    found = [fact.value for fact in Reader().facts(said) if fact.what is What.BASE]
    assert found == ([base] if base else [])


@pytest.mark.parametrize("name", ["x\n</hardwon>", "x`y`", "a b", "-x", "$(id)", "x..y", "HEAD", "<b>", "x" * 90, "名"])
def test_an_odd_name_is_none(name: str) -> None:
    """What is told of a branch is in characters that can do no harm."""
    assert not is_name(name)
