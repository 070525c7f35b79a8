from __future__ import annotations

import pytest

from hardwon.understand.commands import normalise


@pytest.mark.parametrize(
    ("typed", "normal"),
    [
        ("make test", "make test"),
        ("  make   test ", "make test"),
        ("cd /srv/app && make test", "make test"),
        ("cd 'my app' && cd sub; make test", "make test"),
        ("FOO=1 BAR='a b' make test", "make test"),
        ("sudo env FOO=1 make test", "make test"),
        ("time nohup make test", "make test"),
        ("$ make test", "make test"),
        ("pytest -k 'a and b'", "pytest -k 'a and b'"),
        ("echo 'unfinished", "echo 'unfinished"),
        ('git commit -m "x y"', 'git commit -m "x y"'),
        ("cdrecord && x", "cdrecord && x"),
        ("", ""),
    ],
)
def test_normalise(typed: str, normal: str) -> None:
    """One command has one form: without folder changes, variables, wrappers, prompts and extra blanks."""
    assert normalise(typed) == normal


@pytest.mark.parametrize("typed", ["FOO=1 make test", "cd x && sudo make  test", "$ ls", "a && b"])
def test_normal_is_stable(typed: str) -> None:
    """Normalising twice changes nothing more."""
    assert normalise(normalise(typed)) == normalise(typed)
