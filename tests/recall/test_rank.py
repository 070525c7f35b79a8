from __future__ import annotations

import dataclasses

import pytest

from hardwon.memories.search.budget import fit, tokens
from hardwon.memories.search.gate import passes
from hardwon.memories.search.rank import DAY, Candidate, rank, recency, strength
from hardwon.memory import GLOBAL, Anchor, AnchorKind, Kind, Link, LinkKind, Memory, Scope, Status, Trust

NOW = 1_790_000_000_000


def memory(id: str, **changes: object) -> Memory:
    plain = Memory(
        id=id,
        kind=Kind.LESSON,
        body=f"text of {id}",
        scope=Scope("project"),
        trust=Trust.AGENT,
        source="agent",
        status=Status.ACTIVE,
        created_at=NOW,
        updated_at=NOW,
    )
    return dataclasses.replace(plain, **changes)  # type: ignore[arg-type]


def candidate(id: str, coverage: float = 0.5, **changes: object) -> Candidate:
    return Candidate(memory(id, **changes), coverage=coverage, lexical=coverage)


FILE = (Anchor(AnchorKind.FILE, "a.py"),)

# What is compared, the better one, the worse one.
PAIRS = [
    ("more words covered", candidate("a", 0.9), candidate("b", 0.4)),
    ("an exact file", dataclasses.replace(candidate("a", 0.1), anchors=FILE), candidate("b", 0.6)),
    ("newer", candidate("a"), candidate("b", updated_at=NOW - 100 * DAY)),
    (
        "pinned, though old",
        candidate("a", pinned=True, updated_at=NOW - 400 * DAY),
        candidate("b", updated_at=NOW - DAY),
    ),
    ("learned again", dataclasses.replace(candidate("a"), hits=5), candidate("b")),
    ("has helped", dataclasses.replace(candidate("a"), helped=2), candidate("b")),
    ("not ignored again and again", candidate("a"), dataclasses.replace(candidate("b"), ignored=3)),
    (
        "helped as often as ignored",
        dataclasses.replace(candidate("a"), helped=3, ignored=3),
        dataclasses.replace(candidate("b"), ignored=3),
    ),
    ("said by a person", candidate("a", trust=Trust.USER), candidate("b")),
    ("verified", candidate("a", trust=Trust.VERIFIED), candidate("b")),
    ("not from an untrusted place", candidate("a"), candidate("b", trust=Trust.UNTRUSTED)),
    ("active", candidate("a"), candidate("b", status=Status.RESOLVED)),
    ("resolved before superseded", candidate("a", status=Status.RESOLVED), candidate("b", status=Status.SUPERSEDED)),
    ("of this project", candidate("a"), candidate("b", scope=Scope(GLOBAL))),
    ("not called wrong", candidate("a"), candidate("b", complaints=("no",))),
    (
        "what replaced it, though it fits less",
        candidate("a", 0.35, trust=Trust.UNTRUSTED, updated_at=NOW - 900 * DAY),
        candidate("b", 1.0, trust=Trust.USER, status=Status.SUPERSEDED, superseded_by="a", pinned=True),
    ),
    (
        "the fix before the resolved failure",
        candidate("a", 0.35, links=(Link(LinkKind.FIXES, "b"),)),
        candidate("b", 1.0, status=Status.RESOLVED, trust=Trust.USER),
    ),
    (
        "the newer of two equal ones",
        candidate("a", pinned=True),
        candidate("b", pinned=True, updated_at=NOW - DAY),
    ),
]


@pytest.mark.parametrize(("better", "worse"), [pair[1:] for pair in PAIRS], ids=[pair[0] for pair in PAIRS])
def test_order(better: Candidate, worse: Candidate) -> None:
    """Each factor counts in its direction, and a replaced memory never stands before its replacement."""
    for candidates in ([better, worse], [worse, better]):
        assert [one.memory.id for one in rank(candidates, NOW, 60)] == ["a", "b"]


@pytest.mark.parametrize(
    ("helped", "ignored", "low", "high"),
    [(0, 0, 1.0, 1.0), (1, 0, 1.04, 1.06), (1000, 0, 1.2, 1.2), (0, 1, 1.0, 1.0), (0, 2, 0.9, 0.9), (0, 99, 0.6, 0.6)],
)
def test_outcomes_move_the_strength_a_little(helped: int, ignored: int, low: float, high: float) -> None:
    """By a fifth upwards at most, by two fifths downwards; one that was ignored once is as strong as before."""
    assert low <= strength(dataclasses.replace(candidate("a"), helped=helped, ignored=ignored)) <= high


def test_a_line_of_replacements_keeps_its_order() -> None:
    """Of a decision amended twice the last one stands first, then the one before."""
    line = [
        candidate("first", 1.0, status=Status.SUPERSEDED, superseded_by="second", trust=Trust.USER),
        candidate("second", 0.9, status=Status.SUPERSEDED, superseded_by="third"),
        candidate("third", 0.4),
    ]
    assert [one.memory.id for one in rank(line, NOW, 60)] == ["third", "second", "first"]


@pytest.mark.parametrize("status", [Status.CANDIDATE, Status.ARCHIVED, Status.STALE])
def test_not_brought_back(status: Status) -> None:
    """What nobody accepted, what was put away and what was called wrong is never said."""
    assert rank([candidate("a", status=status)], NOW, 60) == []


@pytest.mark.parametrize(("age_days", "expected"), [(0, 1.0), (60, 0.925), (120, 0.8875), (3650, 0.85), (-5, 1.0)])
def test_recency(age_days: int, expected: float) -> None:
    """W54: Time takes a seventh at most: a failure does not become untrue by waiting."""
    assert recency(memory("a", updated_at=NOW - age_days * DAY), NOW, 60) == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize(
    ("coverage", "anchors", "speaks"),
    [
        (0.34, (), True),
        (0.33, (), False),
        (0.0, FILE, True),
        (0.0, (Anchor(AnchorKind.COMMAND, "make test"),), True),
        (0.0, (Anchor(AnchorKind.ERROR, "boom"),), True),
        (0.1, (Anchor(AnchorKind.TOPIC, "redis"),), False),
        (0.1, (Anchor(AnchorKind.SYMBOL, "ValueError"),), False),
        (0.1, (Anchor(AnchorKind.DIRECTORY, "src"),), False),
        (1.0, (), True),
    ],
)
def test_gate(coverage: float, anchors: tuple[Anchor, ...], speaks: bool) -> None:
    """An exact file, command or error speaks, or enough of the question's words; a topic alone does not."""
    one = Candidate(memory("a"), coverage=coverage, lexical=1.0, anchors=anchors)
    assert passes(one, 0.34) is speaks


@pytest.mark.parametrize(
    ("text", "count"), [("", 0), ("abcd", 1), ("abcde", 2), ("数据库", 3), ("数据库 ab", 4), ("テスト", 3), ("한국", 2)]
)
def test_tokens(text: str, count: int) -> None:
    """Four characters make a token; a Chinese, Japanese or Korean one is a token by itself."""
    assert tokens(text) == count


def test_budget_and_limit_hold() -> None:
    """Never more items or tokens than allowed; what is too long is clipped and says so."""
    ranked = rank([candidate(id, body="word " * 400) for id in ("a", "b", "c")], NOW, 60)
    items = fit(ranked, limit=5, budget=600)
    assert [item.clipped for item in items] == [False, True]
    assert sum(item.tokens for item in items) <= 600 + 2
    assert items[1].body.endswith("[…]")
    assert len(fit(ranked, limit=1, budget=100_000)) == 1


def test_a_clipped_chinese_text_fits() -> None:
    """The budget holds for texts where one character is one token."""
    ranked = rank([candidate("a", body="数据库" * 1000)], NOW, 60)
    (item,) = fit(ranked, limit=5, budget=100)
    assert tokens(item.body) <= 104
