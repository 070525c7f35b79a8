"""The lint rules of a repository: what they cost is counted, and the few that cost most are said."""

from __future__ import annotations

import dataclasses

from hardwon.memories import lint
from hardwon.memories.search import quiet
from hardwon.memories.search.budget import tokens
from hardwon.memory import Kind
from hardwon.render import context
from hardwon.store.tables import memories, showings
from hardwon.store.tables.showings import Showing
from tests.learn.days import DAY, Days
from tests.learn.test_derive import AT, edited, failed, passed

FINDINGS = "Exit code 1\ncmd/till.go:12:2: missing cases (exhaustive)\ncmd/till.go:14:2: unchecked (errcheck)"


WRITTEN, MENDED = edited("cmd/till.go", "+ a"), edited("cmd/till.go", "- a\n+ b")
RUN, CLEAN = failed("mise run lint", FINDINGS), passed("mise run lint")


def rules(days: Days, file: str = "cmd/other.go", later: int = 0) -> list[str]:
    now = AT + (days.number + later) * DAY
    return [lint.rule(item.ranked.memory) for item in lint.rules(days.store, file, days.project, now)]


def test_a_lint_rule_that_cost_two_sessions_is_said_before_the_first_edit(days: Days) -> None:
    """The finding itself is work in progress."""
    days.next(RUN, MENDED, CLEAN)  # what was there before
    days.next(WRITTEN, *[RUN] * 2, MENDED, CLEAN)
    assert rules(days) == []
    once = failed("mise run lint", FINDINGS.replace("errcheck", "goconst"))
    days.next(WRITTEN, once, MENDED, CLEAN)
    assert rules(days) == ["exhaustive"]
    assert rules(days, "web/a.ts") == []
    assert quiet.unspoken(days.store, days.all(Kind.LESSON)) == {one.id for one in days.all(Kind.LESSON)}


def test_what_nobody_mended_cost_nothing(days: Days) -> None:
    """The session ends, or goes on, with its findings."""
    for _ in range(3):
        days.next(WRITTEN, RUN, MENDED, RUN)
    assert rules(days) == []


def test_the_dearest_rules_come_first_however_its_output_was_cut(days: Days) -> None:
    """By failing runs until it was clean; a run through `tail`, which passes, is one."""
    tail = dataclasses.replace(passed("mise run lint 2>&1 | tail -5"), text="cmd/till.go:14:2: unchecked (errcheck)")
    for _ in range(2):
        days.next(WRITTEN, RUN, MENDED, tail, MENDED, tail, MENDED, CLEAN)
    assert rules(days) == ["errcheck", "exhaustive"]
    assert memories.hits(days.store, [one.id for one in days.all(Kind.LESSON)]) == {
        one.id: {"errcheck": 5, "exhaustive": 1}[lint.rule(one)] for one in days.all(Kind.LESSON)
    }


def test_a_rule_is_forgotten_about_when_it_is_kept(days: Days) -> None:
    """Not met for weeks, or said to two sessions that did not meet it; once it is met again it is said again."""
    episode = (WRITTEN, RUN, MENDED, CLEAN)
    days.next(*episode)
    days.next(*episode)
    assert rules(days, later=60) == []
    for number in (1, 2):
        assert rules(days) == ["errcheck", "exhaustive"]
        name = days.next(WRITTEN)
        told = [Showing(one.id, "before action", AT + days.number * DAY, 9) for one in days.all(Kind.LESSON)]
        showings.record(days.store, told, ("claude-code", name))
        assert number < 2 or rules(days) == []
    days.next(*episode)
    assert rules(days) == ["errcheck", "exhaustive"]


def test_only_what_a_line_holds_is_said(days: Days) -> None:
    findings = "\n".join(f"cmd/till.go:{at}:2: it is bad (some-long-rule-{at})" for at in range(8))
    for _ in range(2):
        days.next(WRITTEN, failed("mise run lint", f"Exit code 1\n{findings}"), MENDED, CLEAN)
    now = AT + days.number * DAY
    said = lint.rules(days.store, "cmd/other.go", days.project, now)
    line = next(one for one in context.lint_rules(said).splitlines() if one.startswith("- "))
    assert 0 < len(said) <= lint.MOST
    assert tokens(line) <= lint.TOKENS
