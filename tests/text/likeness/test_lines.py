"""Which lines of an output say what went wrong."""

from __future__ import annotations

import pytest

from hardwon.text.likeness import key_lines
from hardwon.text.likeness.lines import LONGEST, MOST

CASES = {
    "a traceback": (
        'Exit code 1\nTraceback (most recent call last):\n  File "/srv/app/run.py", line 3, in <module>\n'
        "    import ledger\nModuleNotFoundError: No module named 'ledger'",
        "ModuleNotFoundError: No module named 'ledger'",
        ("Traceback", "run.py", "import ledger", "Exit code"),
    ),
    "a runner": (
        "Exit code 1\n> shop@1.0.0 build\n> vite build\n\nError: Port 6006 is taken\n"
        "    at listen (node_modules/x/index.cjs:37214:11)\nerror Command failed with exit code 1.",
        "Error: Port 6006 is taken",
        ("shop@1.0.0", "index.cjs", "exit code"),
    ),
    "headings": (
        "Exit code 2\n* Where:\nBuild file '/srv/shop/build.gradle' line: 4\n* What went wrong:\n"
        "Unsupported class file major version 65",
        "Unsupported class file major version 65",
        ("Exit code",),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_lines_that_say_why_are_kept(case: str) -> None:
    """Without stack frames, code, and what a runner says of what it runs."""
    output, why, others = CASES[case]
    found = key_lines(output)
    assert why in found
    assert not [line for line in found for other in others if other in line]


def test_an_output_that_says_nothing_has_none() -> None:
    """An exit status is no line of it."""
    assert key_lines("Exit code 1") == ()


def test_a_long_output_gives_few_lines() -> None:
    """However much is printed, and however long a line is."""
    lines = [f"warning of step {'x' * 900}{number}: it failed with {number}" for number in range(500)]
    found = key_lines("\n".join([*lines, "fatal: the ledger is locked by clerk"]))
    assert len(found) <= MOST
    assert max(map(len, found)) <= LONGEST
    assert found[-1] == "fatal: the ledger is locked by clerk"
