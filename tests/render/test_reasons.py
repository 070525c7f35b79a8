"""A decision is told with its reason and what was turned down, and with neither twice."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hardwon.memories.changed import Changed
from hardwon.memories.check import Finding, Near
from hardwon.memories.moments import Known
from hardwon.memory import Anchor, AnchorKind, Kind, Memory, Rejected, Trust
from hardwon.render import context
from tests.render.test_context import item, memory

ANCHOR = Anchor(AnchorKind.FILE, "db.py")
SAID = "Let's go with Postgres, not MySQL, because we need JSONB"

RENDERED: list[tuple[str, Callable[[Memory], str]]] = [
    ("at a prompt", lambda one: context.prompt([item(one)])),
    ("beside others", lambda one: context.prompt([item(one), item(memory("another"))])),
    ("at the start", lambda one: context.brief([item(one)], Changed())),
    ("after compaction", lambda one: context.started("after compaction", [item(one)])),
    ("to an agent that asks", lambda one: context.recalled([item(one)])),
    ("to whoever checks", lambda one: context.findings([Finding(Known(item(one)), ANCHOR, Near.EXACT)])[0]),
]


def decision(body: str, because: str = "", *rejected: Rejected, source: str = "prompt") -> Memory:
    return memory(body, Kind.DECISION, because=because, rejected=rejected, source=source, trust=Trust.USER)


@pytest.mark.parametrize("render", [row[1] for row in RENDERED], ids=[row[0] for row in RENDERED])
def test_what_a_sentence_says_is_not_said_again(render: Callable[[Memory], str]) -> None:
    text = render(decision(SAID, "we need JSONB", Rejected("MySQL")))
    assert f"{SAID} [" in text
    assert text.count("JSONB") == text.count("MySQL") == 1


MORE: list[tuple[Memory, str]] = [
    (decision("Use Postgres", "we need JSONB"), "Use Postgres. Because: we need JSONB."),
    (decision("Use Postgres.", "We need JSONB."), "Use Postgres. Because: We need JSONB."),
    (decision("Use Postgres!", "", Rejected("MySQL")), "Use Postgres! Rejected: MySQL."),
    (
        decision("Use Postgres, not MySQL", "", Rejected("MySQL", "no JSONB")),
        "Use Postgres, not MySQL. Rejected: MySQL (no JSONB).",
    ),
    (decision("Use Postgres, not MySQL", "", Rejected("SQL")), "Use Postgres, not MySQL. Rejected: SQL."),
    (
        decision("Move MySQL to Postgres", "", Rejected("MySQL"), source="note"),
        "Move MySQL to Postgres. Rejected: MySQL.",
    ),
    (decision("Postgres over MySQL", "", Rejected("mysql"), source="note"), "Postgres over MySQL"),
    (decision("数据库就用Postgres，因为要支持JSONB", "要支持JSONB"), "数据库就用Postgres，因为要支持JSONB"),
    (decision("就用Postgres。", "要支持JSONB"), "就用Postgres。 Because: 要支持JSONB."),
]


@pytest.mark.parametrize(("one", "told"), MORE)
def test_what_it_does_not_say_is_added_as_a_sentence(one: Memory, told: str) -> None:
    assert f"- decision: {told} [" in context.prompt([item(one)])
