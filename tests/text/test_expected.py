from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hardwon.text.errors.expected import no_lesson

ROWS: list[dict[str, Any]] = json.loads((Path(__file__).parent / "expected_failures.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_what_is_a_lesson(row: dict[str, Any]) -> None:
    """An answer, an interruption, a denial and an allowed failure teach nothing; everything else does."""
    reason = no_lesson(row["command"], row["exit_status"], row["output"])
    assert bool(reason) is not row["is_lesson"], row["why"]


@pytest.mark.parametrize(
    ("command", "status", "output", "reason"),
    [
        ("grep x f", 1, "", "it only said no"),
        ("! grep x f", 1, "", "it only said no"),
        ("cd gone && grep x f", 1, "bash: line 1: cd: gone: No such file or directory", ""),
        ("make && grep x f", 1, "", ""),
        ("grep x f; make", 1, "", ""),
        ("pytest | grep FAIL", 1, "", "it only said no"),
        ("npm test", None, "", "it was denied or interrupted"),
        ("timeout 60 pytest", 124, "", ""),
        ("timeout 5 npm run dev", 124, "", "its time was up, as it was told"),
        ("npm run build", 137, "Killed", ""),
        ("make", 1, 'He said "permission denied"', ""),
        ("make || echo broken", 1, "", "the command allows for it"),
    ],
)
def test_why_it_is_none(command: str, status: int | None, output: str, reason: str) -> None:
    """The reason is that of the part which can have failed."""
    assert no_lesson(command, status, output) == reason
