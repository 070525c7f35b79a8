from __future__ import annotations

import pytest

from hardwon.understand.errors import headline, signature

PYTHON = "Exit code 1\nTraceback (most recent call last):\n  File \"{}\", line {}, in <module>\nKeyError: 'REDIS_URL'"

SAME = [
    (PYTHON.format("/home/ann/app/conftest.py", 9), PYTHON.format("/srv/ci/4711/conftest.py", 12)),
    ("Exit code 2\nmake: *** No rule to make target 'x'.\nboom: not found", "boom: not found"),
    ("error: connect ECONNREFUSED 127.0.0.1:5432", "error: connect ECONNREFUSED 127.0.0.1:6000"),
    ("\x1b[31mError:\x1b[0m Cannot find module 'left-pad'", "Error: Cannot find module ‘left-pad’"),
    ("panicked at /tmp/a/src/main.rs:10:5: index error", "panicked at /opt/b/src/main.rs:77:9: index error"),
    ("failed in 3.12s", "failed in 14 s"),
    ("Segmentation fault error at 0xdeadbeef", "Segmentation fault error at 0x00ff12"),
]
DIFFERENT = [
    ("KeyError: 'REDIS_URL'", "KeyError: 'DATABASE_URL'"),
    ("Cannot find module 'left-pad'", "Cannot find module 'right-pad'"),
    ("error TS2345: wrong argument", "error TS2322: wrong type"),
    ("ModuleNotFoundError: No module named 'x'", "ImportError: cannot import name 'x'"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_one_mistake_has_one_signature(one: str, other: str) -> None:
    """Paths, line numbers, ports, times, addresses, colours and quotes don't make another mistake."""
    assert signature(one) == signature(other) != ""


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_two_mistakes_have_two(one: str, other: str) -> None:
    """A different name or code is a different mistake."""
    assert signature(one) != signature(other)


def test_the_headline_is_the_cause_not_the_wrapper() -> None:
    """`make` and exit codes only say that something below them failed."""
    error = "Exit code 2\nKeyError: 'REDIS_URL'\nmake: *** [Makefile:4: test] Error 1"
    assert headline(error) == "KeyError: 'REDIS_URL'"


@pytest.mark.parametrize("nothing", ["", "\n\n", "Exit code 1"])
def test_an_error_without_words(nothing: str) -> None:
    """A bare exit status is kept as it is and breaks nothing."""
    assert headline(nothing) in ("", "Exit code 1")
