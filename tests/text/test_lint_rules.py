"""The names of lint rules in findings, whichever linter made them."""

from __future__ import annotations

import pytest

from hardwon.text.errors.lint_rules import found

OUTPUTS: list[tuple[str, list[tuple[str, str]]]] = [
    ("cmd/till.go:12:2: missing cases in switch (exhaustive)", [("cmd/till.go", "exhaustive")]),
    ("cmd/a.go:1:2: x (errcheck)\ncmd/b.go:3:4: y (errcheck)", [("cmd/a.go", "errcheck"), ("cmd/b.go", "errcheck")]),
    ("till/a.py:3:1: error: Missing annotation  [no-untyped-def]", [("till/a.py", "no-untyped-def")]),
    ("till/a.py:3:80: E501 Line too long (99 > 88)", [("till/a.py", "E501")]),
    ("till/a.py:1:8: F401 `os` imported but unused", []),
    (
        "/srv/till/src/a.tsx\n  12:5  error  Use a stable key  react/no-array-index-key\n",
        [("/srv/till/src/a.tsx", "react/no-array-index-key")],
    ),
    ("src/a.ts:3:5: error TS2322: not assignable", []),
    ("cmd/a.go:9:1: undefined: total (typecheck)", []),
    ("the total is (ok)", []),
    ("Error: boom (again)\n    at run (/srv/a.js:3:1)", []),
]


@pytest.mark.parametrize(("output", "rules"), OUTPUTS)
def test_which_rules_a_linter_names(output: str, rules: list[tuple[str, str]]) -> None:
    """With the files; what a compiler says, and what is only left over, is none."""
    assert list(found(output)) == rules
