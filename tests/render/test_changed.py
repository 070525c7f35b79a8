"""The line at a session's start that says what changed since the last one."""

from __future__ import annotations

import pytest

from hardwon.memories import Item
from hardwon.memories.changed import MOST, TOKENS, Changed
from hardwon.memories.search.budget import tokens
from hardwon.memory import Kind, Status
from hardwon.render import context
from tests.render.test_context import item, memory

A = item(memory("the tests need Redis"))
B = item(memory("write the release notes", Kind.TASK))
C = item(memory("write the changelog", Kind.TASK, status=Status.RESOLVED))
D = item(memory("`make` failed: no rule", Kind.FAILURE, title="make has no rule"))
LONG = [item(memory(f"{number} " + "word " * 100)) for number in range(3)]
WIDE = [item(memory("数据库" * 100)) for _ in range(3)]
SINCE = "new since the last session here"


def said(changed: Changed, *told: Item) -> str:
    """The line without its fence and the items before it, and without ids."""
    text = context.brief(told, changed)
    line = text.splitlines()[2 + len(told)]
    for one in (A, B, C, D):
        line = line.replace(f" [{one.ranked.memory.short_id}]", "")
    return line.removeprefix("- ")


@pytest.mark.parametrize(
    ("changed", "told", "line"),
    [
        (Changed(1, (A,)), [], f"{SINCE}: lesson: the tests need Redis"),
        (Changed(2, (A, B)), [], f"{SINCE}: lesson: the tests need Redis; task: write the release notes"),
        (Changed(4, (C, D, A, B)), [], f"{SINCE} (4): resolved task: write the changelog; "
         "failure: make has no rule; lesson: the tests need Redis"),
        (Changed(2, (A, B)), [B], f"{SINCE} (2): lesson: the tests need Redis"),
        (Changed(MOST, (A,)), [], f"{SINCE} (1,000 or more): lesson: the tests need Redis"),
    ],
)  # fmt: skip
def test_the_line(changed: Changed, told: list[Item], line: str) -> None:
    """At most three by name that are not told in full above, and how many there are if that is not all."""
    assert said(changed, *told) == line


def test_a_bare_number_is_not_said() -> None:
    """What is new and told in full needs no line more; a count alone helps nobody."""
    assert "since" not in context.brief([B], Changed(1, (B,)))
    assert context.brief([], Changed(3)) == ""


@pytest.mark.parametrize("newest", [LONG, WIDE], ids=["long", "Chinese"])
def test_it_has_a_budget(newest: list[Item]) -> None:
    """Names are clipped; those that don't fit are left out, and at least one is named."""
    line = said(Changed(3, tuple(newest)))
    assert tokens(line) <= TOKENS
    assert "…" in line
    assert newest[0].ranked.memory.short_id in line


def test_nothing_changed_is_not_said() -> None:
    """No line of its own, and no fence without one."""
    assert context.brief([], Changed()) == ""
    assert "since" not in context.brief([A], Changed())
