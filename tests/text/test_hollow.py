"""Lines that only say that what was run failed: they tell no two failures apart."""

from __future__ import annotations

import pytest

from hardwon.text import errors
from hardwon.text.errors.hollow import is_hollow

HOLLOW = """
[lint:go] ERROR task failed
make: *** [Makefile:12: lint] Error 1
code 1
 ELIFECYCLE  Command failed with exit code 1.
error: Recipe `lint` failed on line 12 with exit code 1
task: Failed to run task "test": exit status 1
Execution failed for task ':app:test'.
ninja: build stopped: subcommand failed.
error: command 'npm run build && x' failed with exit status 2
husky - pre-commit hook exited with code 1 (error)
mise ERROR task failed
""".strip().split("\n")
TELLING = """
Error: DATABASE_URL is missing
psql: error: connection refused
Makefile:3: *** missing separator.  Stop.
make: *** No rule to make target 'foo'.  Stop.
npm ERR! missing script: lint
--- FAIL: TestFoo (0.00s)
test failed: expected 3 got 4
Error: listen EADDRINUSE: address already in use :::4710
exit status 127: foo: command not found
错误: 失败
""".strip().split("\n")


@pytest.mark.parametrize(("line", "hollow"), [*((one, True) for one in HOLLOW), *((one, False) for one in TELLING)])
def test_a_line_is_hollow_when_it_names_nothing_but_what_was_run(line: str, hollow: bool) -> None:
    assert is_hollow(line) is hollow


@pytest.mark.parametrize("last", HOLLOW)
def test_a_line_that_says_why_goes_before_it(last: str) -> None:
    """Whichever program runs the others: it is quoted, and makes the signature."""
    output = f"web/till.go:3:1: the licence header is missing\n{last}"
    assert "licence header" in errors.headline(output)
    assert "licence header" in errors.signature(output)


@pytest.mark.parametrize("line", [one for one in HOLLOW if "pre-commit" not in one])  # a form of its own
def test_alone_it_says_nothing_by_itself(line: str) -> None:
    assert errors.generic(errors.signature(line))
