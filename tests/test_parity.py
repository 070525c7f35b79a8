"""The page that compares hardwon with the earlier tools names every behaviour and defect once, and tests that exist."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent
PAGE = TESTS.parent / "docs" / "parity.md"


def numbered(letter: str, *spans: tuple[int, int]) -> list[str]:
    return [f"{letter}{number}" for first, last in spans for number in range(first, last + 1)]


BEHAVIOURS = [
    *numbered("F", (1, 30)),
    *numbered("P", (1, 15)),
    *numbered("M", (1, 35)),
    *numbered("C", (1, 40)),
]
DEFECTS = numbered("W", (1, 13), (20, 31), (40, 55), (60, 67))


def rows() -> list[list[str]]:
    """The cells of each row that begins with an id."""
    lines = PAGE.read_text("utf-8").splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")]
    return [row for row in cells if re.fullmatch(r"[FPMCW]\d+", row[0])]


def named(row: list[str]) -> list[str]:
    return re.findall(r"`([\w/]+\.py::\w+)`", row[-1])


@cache
def defined(path: Path) -> frozenset[str]:
    tree = ast.parse(path.read_text("utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def test_each_behaviour_and_defect_has_one_row() -> None:
    """Nothing that the earlier tools did is passed over in silence, and nothing is answered twice."""
    assert sorted(row[0] for row in rows()) == sorted([*BEHAVIOURS, *DEFECTS])


@pytest.mark.parametrize("row", rows(), ids=lambda row: row[0])
def test_the_tests_of_a_row_exist(row: list[str]) -> None:
    """A test that was renamed or removed is renamed or removed on the page, too."""
    missing = [test for test in named(row) if not exists(test)]
    assert missing == []


def exists(test: str) -> bool:
    path, _, name = test.partition("::")
    return (TESTS / path).is_file() and name in defined(TESTS / path)


@pytest.mark.parametrize("row", [row for row in rows() if row[0] in DEFECTS], ids=lambda row: row[0])
def test_a_defect_has_a_test(row: list[str]) -> None:
    """A defect is a regression that waits to happen; without a test nobody would notice it."""
    assert named(row)


@pytest.mark.parametrize("row", [row for row in rows() if row[0] in BEHAVIOURS], ids=lambda row: row[0])
def test_a_behaviour_without_a_test_says_so(row: list[str]) -> None:
    """Silence would look like an oversight: it has a test, has none, or is not there (yet)."""
    assert named(row) or row[-1] == "no test" or re.search(r"\bnot\b", row[-2])
