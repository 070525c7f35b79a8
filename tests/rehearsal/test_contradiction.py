"""A saying is contradicted when the session does the opposite, and it passes."""

from __future__ import annotations

import dataclasses

import pytest

from hardwon.event import Event, EventType
from hardwon.memory import GLOBAL, Anchor, AnchorKind, Kind, Memory, Rejected, Scope, Status, Trust
from hardwon.rehearsal.contradiction import against, contradicts

BARE = Memory("m1", Kind.FAILURE, "text", Scope(GLOBAL), Trust.VERIFIED, "test", Status.ACTIVE, 0, 0)
TEST, CART = Anchor(AnchorKind.COMMAND, "make test"), Anchor(AnchorKind.FILE, "src/cart.ts")
FAILED = dataclasses.replace(BARE, anchors=(TEST, CART))
MISSING = dataclasses.replace(BARE, anchors=(CART,))
RULE = dataclasses.replace(BARE, kind=Kind.RULE, body="Use pnpm", rejected=(Rejected("npm install"),))
CHOICE = dataclasses.replace(BARE, kind=Kind.DECISION, rejected=(Rejected("Redis", "one more thing to run"),))
TALE = dataclasses.replace(
    BARE, kind=Kind.DECISION, rejected=(Rejected("to keep all of it in the session's own state"),)
)


@pytest.mark.parametrize(
    ("memory", "tool", "given", "target", "is_against"),
    [
        (FAILED, "Bash", "make test", TEST, True),
        (FAILED, "Bash", "make lint", Anchor(AnchorKind.COMMAND, "make lint"), False),
        (FAILED, "Read", "/shop/src/cart.ts", CART, False),  # where the error was
        (MISSING, "Read", "/shop/src/cart.ts", CART, True),
        (MISSING, "Read", "/shop/src/order.ts", Anchor(AnchorKind.FILE, "src/order.ts"), False),
        (RULE, "Bash", "cd web && npm install left-pad", None, True),
        (RULE, "Bash", "pnpm install left-pad", None, False),
        (RULE, "Bash", "npm run build", None, False),
        (CHOICE, "Bash", "pip install redis", None, True),
        (CHOICE, "Bash", "grep -rn redis src", None, False),  # a look takes no side
        (CHOICE, "Bash", 'git commit -m "not redis after all"', None, False),
        (TALE, "Bash", "make state", None, False),
    ],
)
def test_what_was_said_and_what_then_passed(
    memory: Memory, tool: str, given: str, target: Anchor | None, is_against: bool
) -> None:
    event = Event(EventType.TOOL_FINISHED, "claude-code", "s1", 0, tool=tool, target=given)
    assert contradicts(event, target, against([memory])) is is_against
