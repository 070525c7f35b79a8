"""Signatures over pairs of error texts: equal for one mistake, unequal for two that look alike.

The pairs are data, in `signatures/`, and were written without looking at the recogniser. They decide whether the suite
passes once `signatures/.enforced` exists; until then `HARDWON_ALL_PAIRS=1` runs them. The count by ecosystem is printed
by `pytest -s -k how_many`.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from hardwon.text import errors

HERE = Path(__file__).parent
FOLDER = HERE / "signatures"
ENFORCED = (FOLDER / ".enforced").exists()
MOST_LINES = 25
FEWEST_PAIRS = 350
FEWEST_ECOSYSTEMS = 12
DIFFERENT_SHARE = 0.4
FEWEST_EXPECTED = 40

enforced = pytest.mark.skipif(
    not ENFORCED and os.environ.get("HARDWON_ALL_PAIRS") != "1",
    reason="tests/text/signatures/.enforced is not there; HARDWON_ALL_PAIRS=1 runs the pairs",
)


@dataclass(frozen=True)
class Pair:
    """Two texts, and whether they are one mistake."""

    name: str
    ecosystem: str
    same: bool
    one: str
    other: str

    def holds(self) -> bool:
        """Whether the signatures say what the label says."""
        one, other = errors.signature(self.one), errors.signature(self.other)
        return bool(one) and one == other if self.same else one != other


def _rows(file: Path, kind: str) -> list[dict[str, Any]]:
    return list(json.loads(file.read_text(encoding="utf-8"))[kind])


def _pairs() -> list[Pair]:
    return [
        Pair(f"{file.stem}:{kind}:{row['id']}:{number}", file.stem, kind == "same", one, other)
        for file in sorted(FOLDER.glob("*.json"))
        for kind in ("same", "different")
        for row in _rows(file, kind)
        for number, (one, other) in enumerate(row["texts"], 1)
    ]


PAIRS = _pairs()
SAME = [pytest.param(pair, id=pair.name) for pair in PAIRS if pair.same]
DIFFERENT = [pytest.param(pair, id=pair.name) for pair in PAIRS if not pair.same]


@enforced
@pytest.mark.parametrize("pair", SAME)
def test_one_mistake_has_one_signature(pair: Pair) -> None:
    """The same mistake in another place, at another time or in another language has the same signature, and has one."""
    assert errors.signature(pair.one)
    assert errors.signature(pair.one) == errors.signature(pair.other)


@enforced
@pytest.mark.parametrize("pair", DIFFERENT)
def test_two_mistakes_have_two_signatures(pair: Pair) -> None:
    """Two mistakes that look alike have different signatures."""
    assert errors.signature(pair.one) != errors.signature(pair.other)


def test_how_many_pairs_hold() -> None:
    """The pairs that hold are counted by ecosystem: a change of the recogniser shows where it helps or hurts."""
    held = {pair.name: pair.holds() for pair in PAIRS}
    print()
    for ecosystem in sorted({pair.ecosystem for pair in PAIRS}):
        counts = []
        for same in (True, False):
            results = [held[p.name] for p in PAIRS if p.ecosystem == ecosystem and p.same is same]
            counts.append(f"{sum(results):3} of {len(results):3}")
        print(f"{ecosystem:28} same {counts[0]}   different {counts[1]}")
    wrong = [name for name, holds in held.items() if not holds]
    print(f"{len(PAIRS) - len(wrong)} of {len(PAIRS)} pairs hold")
    assert len(held) == len(PAIRS), "two pairs have one name"
    assert not (ENFORCED and wrong), wrong


def test_the_pairs_are_many_and_of_both_sorts() -> None:
    """There are enough pairs from enough ecosystems, and enough of them are different mistakes that look alike."""
    assert len(PAIRS) >= FEWEST_PAIRS
    assert len({pair.ecosystem for pair in PAIRS}) >= FEWEST_ECOSYSTEMS
    assert len(DIFFERENT) >= DIFFERENT_SHARE * len(PAIRS)
    for file in sorted(FOLDER.glob("*.json")):
        assert _rows(file, "same"), file.name
        assert _rows(file, "different"), file.name


def test_each_row_says_what_it_is_and_where_it_is_from() -> None:
    """A row has a name of its own, a source, and pairs of two unequal texts as long as a tool's message."""
    for file in sorted(FOLDER.glob("*.json")):
        rows = _rows(file, "same") + _rows(file, "different")
        names = [row["id"] for row in rows]
        assert len(names) == len(set(names)), file.name
        for row in rows:
            assert set(row) == {"id", "source", "texts"}, row["id"]
            assert row["source"].strip(), row["id"]
            for one, other in row["texts"]:
                assert one != other, row["id"]
                assert all(1 <= len(text.splitlines()) <= MOST_LINES for text in (one, other)), row["id"]


def test_each_expected_failure_says_why() -> None:
    """A row of expected failures names command, status, output and verdict, and says why; both verdicts occur."""
    rows = json.loads((HERE / "expected_failures.json").read_text(encoding="utf-8"))
    assert len(rows) >= FEWEST_EXPECTED
    assert len({row["id"] for row in rows}) == len(rows)
    assert {row["is_lesson"] for row in rows} == {True, False}
    for row in rows:
        assert set(row) == {"id", "command", "exit_status", "output", "is_lesson", "why"}, row["id"]
        assert row["command"].strip(), row["id"]
        assert row["why"].strip(), row["id"]
        assert row["exit_status"] is None or isinstance(row["exit_status"], int), row["id"]
