"""Which tests `make check` takes for near a change."""

from __future__ import annotations

import pytest

from tests.near import files, near

TESTS = [
    "tests/clients/test_claude_code.py",
    "tests/clients/test_claude_code_answers.py",
    "tests/learn/test_causes.py",
    "tests/learn/test_learn.py",
    "tests/live/test_claude_code.py",
    "tests/setup/test_opencode.py",
    "tests/text/test_forms.py",
]


@pytest.mark.parametrize(
    ("changed", "found"),
    [
        ("src/hardwon/learn/causes.py", ["tests/learn/test_causes.py"]),
        (
            "src/hardwon/clients/claude_code/messages.py",
            ["tests/clients/test_claude_code.py", "tests/clients/test_claude_code_answers.py"],
        ),
        ("integrations/opencode/src/index.ts", ["tests/setup/test_opencode.py"]),
        ("tests/live/test_claude_code.py", ["tests/live/test_claude_code.py"]),
        ("tests/text/test_forms.py", ["tests/text/test_forms.py"]),
        ("src/hardwon/learn/__init__.py", []),
        ("docs/index.md", []),
    ],
)
def test_tests_are_near_what_they_are_named_after(changed: str, found: list[str]) -> None:
    """A changed test is near, and so is one named after a changed module or its folder; a whole package is not."""
    assert near([changed], TESTS) == found


def test_every_test_can_be_near() -> None:
    """A file that was changed itself is run, wherever it is."""
    assert near(files(), files()) == files()
