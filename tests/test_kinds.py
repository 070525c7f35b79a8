"""The table of kinds."""

from __future__ import annotations

import pytest

from hardwon import kinds
from hardwon.memory import Kind


def test_each_kind_has_its_row_in_order() -> None:
    """A kind without a row would be said nowhere, and nobody would notice."""
    assert [row.kind for row in kinds.ROWS] == list(Kind)


def test_each_kind_stands_under_one_heading_at_a_prompt() -> None:
    """None is lost where several kinds are told together, and none is told twice."""
    found = [kind for heading in kinds.HEADINGS for kind in kinds.under(heading)]
    assert sorted(found) == sorted(Kind)


@pytest.mark.parametrize("compacted", [False, True])
def test_a_start_is_told_in_the_order_of_the_table(compacted: bool) -> None:
    """What is said at the start has one order, whatever was found first."""
    wanted = kinds.at_start(compacted=compacted)
    assert [kind for kind, _ in wanted] == sorted((kind for kind, _ in wanted), key=lambda kind: kinds.of(kind).order)
    assert wanted[0] == ((Kind.RULE, 5) if compacted else (Kind.TASK, 5))


def test_an_agent_may_call_done_what_it_can_find_done() -> None:
    """A failure or a task; a rule or a decision is a person's."""
    assert kinds.having("settled") == {Kind.FAILURE, Kind.TASK}
