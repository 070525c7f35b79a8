"""What becomes of the earlier of two notes: hidden, or said as an equal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench import replacing
from hardwon.memory import Kind, Trust
from tests.support import note, opened


@pytest.mark.parametrize(
    ("later", "became"),
    [
        ("Cache TTL is 30 seconds", "hidden"),
        ("The TTL of the image cache was raised", "equal"),
        ("Invoices go out by mail", "equal"),
    ],
)
def test_what_becomes_of_it(tmp_path: Path, later: str, became: str) -> None:
    with opened(tmp_path / "home") as store:
        first = note(store, "Cache TTL is 90 seconds", 1_000, kind=Kind.DECISION, trust=Trust.USER)
        second = note(store, later, 2_000, kind=Kind.DECISION, trust=Trust.USER)
        assert replacing.became_of(store, first, second) == became


def test_the_pairs_are_whole() -> None:
    pairs = json.loads(replacing.PAIRS.read_text("utf-8"))
    assert [sum(pair["holds"] is holds for pair in pairs) for holds in (False, True)] == [50, 60]
    assert len({pair[which] for pair in pairs for which in ("earlier", "later")}) == 220
    assert {pair["kind"] for pair in pairs} == {"decision", "rule", "lesson"}
