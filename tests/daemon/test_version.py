"""Which of two versions is the newer one."""

from __future__ import annotations

import itertools

import pytest

from hardwon.daemon.version import is_newer

ORDER = [
    *("0.0.9", "0.1.0.dev1", "0.1.0a1", "0.1.0a2.dev3", "0.1.0a2", "0.1.0b1", "0.1.0rc1", "0.1.0rc1.post1", "0.1.0rc2"),
    *(
        "0.1.0rc10",
        "0.1.0",
        "0.1.0+corp",
        "0.1.0+corp.1",
        "0.1.0+corp.2",
        "0.1.0+corp.10",
        "0.1.0+1",
        "0.1.0.post1.dev2",
    ),
    *("0.1.0.post1", "0.1.0.post1+corp.1", "0.1.0.1", "0.1.1", "0.2.0rc1", "0.2", "0.9.0", "0.10.0", "1.0", "1!0.1"),
]
"""Oldest first."""


@pytest.mark.parametrize(("older", "newer"), list(itertools.combinations(ORDER, 2)))
def test_versions_are_in_pythons_order(older: str, newer: str) -> None:
    """Pre-releases come before what they lead to; what an organisation built from it, and post-releases, after it."""
    assert is_newer(newer, older)
    assert not is_newer(older, newer)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(("0.1", "0.1.0"), ("0.1.0rc1", "0.1.0-RC.1"), ("0.1.0c1", "0.1.0rc1"), ("0.1.0-1", "0.1.0.post1")),
        *(("0.1.0alpha", "0.1.0a0"), ("0.1.0+corp-1", "0.1.0+corp.1"), ("v0.1.0", "0.1.0"), ("0.1.0pre2", "0.1.0rc2")),
    ],
)
def test_two_spellings_of_a_version_are_one(one: str, other: str) -> None:
    """None of them drives out a daemon of the other."""
    assert not is_newer(one, other)
    assert not is_newer(other, one)


@pytest.mark.parametrize(
    "odd", ["", "x", "@VERSION@", "1.x", "0.2.0 ", "0.2.0\n", "²", "1" * 5_000, "1." * 5_000, "1+" + "a" * 9_000]
)
def test_what_is_no_version_is_neither_newer_nor_older(odd: str) -> None:
    """Whoever sends it is answered as any other, and nobody leaves for it."""
    assert not is_newer(odd, "0.1.0")
    assert not is_newer("0.1.0", odd)
