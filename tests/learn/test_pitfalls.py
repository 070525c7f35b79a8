"""Going round in circles: tries without success, and edits that were taken back."""

from __future__ import annotations

import pytest

from hardwon.event import Event, EventType
from hardwon.learn.pitfalls import walk
from hardwon.memory import AnchorKind, Kind
from tests.learn.test_prompts import BOOM, call, edited, failed, ran, said, session

OTHER = "Exit code 2\nmake: *** No rule to make target 'x'. Stop."
NOT_FOUND = "<tool_use_error>String to replace not found in file.</tool_use_error>"


def rejected(file: str = "conf.py") -> Event:
    return call(EventType.TOOL_FAILED, "Edit", file, error=NOT_FOUND)


def found(*events: Event) -> list[str]:
    return [step.draft.body for step in walk(session(*events))]


def test_five_tries_without_success_are_a_pitfall() -> None:
    """It names the command and the error, and says it once."""
    steps = list(walk(session(*[failed()] * 7)))
    assert [step.draft.body for step in steps] == [
        "`make test` was tried 5 times and more without success: KeyError: 'REDIS_URL' in conf.py"
    ]
    draft = steps[0].draft
    assert (draft.kind, draft.subtype) == (Kind.LESSON, "gotcha")
    assert {anchor.kind for anchor in draft.anchors} == {AnchorKind.COMMAND, AnchorKind.ERROR}


NO_CIRCLE = {
    "four tries": [failed()] * 4,
    "passed between": [*[failed()] * 3, ran("make test"), *[failed()] * 3],
    "five commands": [failed(f"make t{number}") for number in range(5)],
    "a search": [failed("grep x y", "Exit code 1")] * 6,
    "reading": [call(EventType.TOOL_FAILED, "Read", "a.py", error="File does not exist.")] * 6,
    "denied": [call(EventType.TOOL_FAILED, "Bash", "rm -rf x", error="denied")] * 6,
    "edits that worked": [edited("a.py", f"- {number}\n+ {number + 1}") for number in range(6)],
    "announced as red": [said("write a failing test first"), *[failed("pytest -q")] * 6],
    "one way": [edited(text="- a\n+ b"), failed(), edited(text="- b\n+ c")],
    "back without a failure": [edited(text="- a\n+ b"), edited(text="- b\n+ a")],
    "failed before": [failed(), edited(text="- a\n+ b"), edited(text="- b\n+ a")],
    "two files": [edited("a.py", "- a\n+ b"), failed(), edited("b.py", "- b\n+ a")],
}


@pytest.mark.parametrize("name", NO_CIRCLE)
def test_what_is_no_circle_is_no_pitfall(name: str) -> None:
    """A look, a denial, a test that is meant to fail, a change of mind without a failure."""
    assert found(*NO_CIRCLE[name]) == []


def test_what_the_client_refuses_is_no_pitfall() -> None:
    """ "String to replace not found" is between the agent and its client, and no error of what was changed."""
    assert found(*[rejected()] * 5) == []
    assert found(edited(text="- off\n+ on"), rejected(), edited(text="- on\n+ off")) == []


def test_work_in_progress_goes_back_and_forth() -> None:
    """In the code that is being written; and who edits it between two tries tries something else."""
    assert found(edited("cart.py", "- off\n+ on"), failed(), edited("cart.py", "- on\n+ off")) == []
    assert found(*[one for number in range(6) for one in (failed(), edited("cart.py", f"- {number}\n+ x"))]) == []


def test_typing_a_command_in_another_way_is_the_same_try() -> None:
    """W25: A target with colons in it, too."""
    (body,) = found(failed("cd a && docker run x:1"), *[failed("docker run x:1")] * 4)
    assert body.startswith("`docker run x:1` was tried 5 times")


def test_an_edit_that_failed_and_was_taken_back_is_a_pitfall() -> None:
    """It tells both texts and the error that came between."""
    (step,) = walk(session(edited(text="- off\n+ on"), failed(), edited(text="- on\n+ off")))
    assert step.draft.body == (
        'conf.py was changed from "off" to "on" and back; what failed: KeyError: \'REDIS_URL\' in conf.py'
    )
    assert "file=conf.py" in map(str, step.draft.anchors)


def test_two_circles_with_different_errors_are_two_pitfalls() -> None:
    """W25: What counts is the error, not that there was one."""
    bodies = found(
        edited(text="- a\n+ b"), failed(error=BOOM), edited(text="- b\n+ a"),
        edited(text="- a\n+ b"), failed(error=OTHER), edited(text="- b\n+ a"),
    )  # fmt: skip
    assert len(set(bodies)) == 2
