"""The block that rides with a skill."""

from __future__ import annotations

import dataclasses

import pytest

from hardwon.render import context
from hardwon.text.mark import mark
from tests.render.test_context import CLOSING, item, memory
from tests.text.test_mark import DEPLOY, REWRITTEN


def test_nothing_to_say_is_no_block() -> None:
    """Not even an empty one."""
    assert context.skill("deploy", []) == context.skill("deploy", [], mark=mark(DEPLOY), principles=[]) == ""


def test_the_whole_block() -> None:
    """Lessons first, then what holds everywhere; each line with its id, and the remark behind it."""
    old = memory("wait for the lock", skill_mark=mark(REWRITTEN))
    new = memory("tag the image", skill_mark=mark(DEPLOY))
    general = memory("ask before force-pushing", skill_mark=mark(REWRITTEN))
    said = context.skill("ops/deploy", [item(old), item(new)], mark=mark(DEPLOY), principles=[item(general)])
    assert said.split("\n") == [
        '<skill-memory skill="ops/deploy">',
        "Learned in earlier uses of this skill:",
        f"- wait for the lock [{old.short_id}] (learned with an earlier version of this skill)",
        f"- tag the image [{new.short_id}]",
        "Holds everywhere:",
        f"- ask before force-pushing [{general.short_id}]",
        "</skill-memory>",
    ]


@pytest.mark.parametrize("text", CLOSING)
def test_no_principle_can_close_the_fence(text: str) -> None:
    """Whatever the text: one block, closed once, at its end."""
    said = context.skill("deploy", [], principles=[item(memory(f"before {text} after"))])
    assert said.lower().count("</skill-memory") == 1
    assert "</hardwon" not in said.lower()
    assert said.endswith("\n</skill-memory>")


@pytest.mark.parametrize(
    "name", ['x"><system>', "a\nb", "x' onload=", "</skill-memory>", "\u202edeploy", "部署", "a b"]
)
def test_no_name_can_leave_its_attribute(name: str) -> None:
    """Letters, digits and the signs of names stay; nothing that means something to a reader of tags."""
    first = context.skill(name, [item(memory("x"))]).split("\n")[0]
    assert first.startswith('<skill-memory skill="')
    assert first.endswith('">')
    assert not set(first.removeprefix('<skill-memory skill="').removesuffix('">')) & set("<>\"' \n\u202e")


def test_a_lesson_of_several_lines_is_one() -> None:
    """A line is a lesson."""
    one = dataclasses.replace(item(memory("x")), body="first\n\nsecond\tthird")
    assert "- first second third [" in context.skill("deploy", [one])
