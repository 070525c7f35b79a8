"""Which line is quoted and by what a failing test is known: by why it failed, not by its name or by what ran it."""

from __future__ import annotations

import pytest

from hardwon.text import errors

VITEST = """Exit code 1
 FAIL  tests/till.test.ts > till > opens
{why}
 ❯ src/env.ts:9:21
"""
CARGO = """Exit code 101
running 1 test
test ledger::sums ... FAILED

failures:

---- ledger::sums stdout ----
thread 'ledger::sums' panicked at src/ledger.rs:40:9:
{why}
note: run with `RUST_BACKTRACE=1`
"""
ZOD = 'ZodError: TILL_URL is required at path "TILL_URL"'
DIFFERS = "AssertionError: expected 41 to be 42 // Object.is equality"
UNREACHED = 'called `Result::unwrap()` on an `Err` value: Io(Kind(ConnectionRefused), "till.local:4100")'
UNEQUAL = "assertion `left == right` failed"


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (VITEST.format(why=ZOD), ZOD),
        (VITEST.format(why=DIFFERS), DIFFERS),
        (CARGO.format(why=UNREACHED), UNREACHED),
        (CARGO.format(why=UNEQUAL), UNEQUAL),
        ("Exit code 1\n$ biome check --error-on-warnings\na.ts: unknown rule noTill", "a.ts: unknown rule noTill"),
        (
            "Exit code 1\nnpm error code EUNSUPPORTEDPROTOCOL\nnpm error Unsupported URL Type \"workspace:\": x",
            'Unsupported URL Type "workspace:": x',
        ),
        (
            "Exit code 1\njava.lang.IllegalStateException: no context\nTillTest > opens() FAILED\n"
            "    java.lang.IllegalStateException: no context\n    Caused by: java.net.UnknownHostException: till.local",
            "java.net.UnknownHostException: till.local",
        ),
    ],
)  # fmt: skip
def test_the_line_that_says_why_is_quoted(error: str, line: str) -> None:
    assert line in errors.headline(error)


@pytest.mark.parametrize(("form", "cause", "assertion"), [(VITEST, ZOD, DIFFERS), (CARGO, UNREACHED, UNEQUAL)])
def test_a_test_that_fails_for_another_reason_is_another_failure(form: str, cause: str, assertion: str) -> None:
    """An assertion is known by its test, whatever the values; anything else by itself, whichever test met it."""
    one, other = errors.signature(form.format(why=cause)), errors.signature(form.format(why=assertion))
    assert one != other
    elsewhere = form.replace("opens", "closes").replace("::sums", "::totals").format(why=cause)
    assert errors.signature(elsewhere) == one
    changed = form.format(why=assertion.replace("41", "7"))
    assert errors.signature(changed) == other


LABELLED = """Exit code 1
[lint:till] $ golangci-lint run
[lint:till] till/sum.go:41:6: func `addUp` is unused (unused)
[lint:till] func addUp(items []Item) int {
[lint:till]      ^
[lint:till] 1 issues:
[lint:till] ERROR task failed
"""
SHOWN = """Exit code 1
checking till/sum.go: the error is not wrapped
func Fetch(ctx context.Context) error {
^
ERROR task failed
"""


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (LABELLED, "till/sum.go:41:6: func `addUp` is unused (unused)"),
        (SHOWN, "checking till/sum.go: the error is not wrapped"),
        (SHOWN.replace("^\n", "     ^~~~~ here\n"), "checking till/sum.go: the error is not wrapped"),
    ],
)
def test_code_that_is_shown_is_no_line_to_quote(error: str, line: str) -> None:
    """A caret points into it from below; and what a task runner puts before each line are not its program's words."""
    assert errors.headline(error) == line


def test_a_label_before_every_line_changes_no_signature() -> None:
    """The same linter by hand and by the task runner: one mistake."""
    alone = "\n".join(line.removeprefix("[lint:till] ") for line in LABELLED.splitlines())
    assert errors.signature(LABELLED) == errors.signature(alone)
