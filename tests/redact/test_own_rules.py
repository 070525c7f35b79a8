"""A rule of the user's that can't be used is refused before it is written; in the spool it counts all the same."""

from __future__ import annotations

from time import thread_time

import pytest

from hardwon.redact import Redactor

SLOW = ["(a+)+$", "([a-z]+ ?)+!", r"([A-Z]+-?)+[0-9]{4}", "a*a*a*a*a*b"]
ORDINARY = "make test failed in app/models.py: expected 3 rows, got 4\n" * 20


@pytest.mark.parametrize("source", SLOW)
def test_a_refused_rule_is_quick_in_the_spool(source: str) -> None:
    """Neither a hostile text nor an ordinary one holds up the thread that keeps events."""
    with pytest.raises(ValueError, match="takes far too long"):
        Redactor(own_rules=[("x", source)])
    redactor = Redactor(own_rules=[("x", source)], slow_too=True)
    for text in ("a" * 20_000, "A-" * 10_000, "aaaa " * 4_000, ORDINARY):
        began = thread_time()
        redactor.text(text)
        assert thread_time() - began < 10


def test_a_refused_rule_hides_what_it_is_for() -> None:
    """Wherever it stands in a line, also across two windows; and the rest of the text stays."""
    redactor = Redactor(own_rules=[("badge", r"([A-Z]+-?)+[0-9]{4}")], slow_too=True)
    for before in range(0, 60, 3):
        text = "." * before + " AB-4711 did it, " + "and so on" * 9
        assert redactor.text(text) == text.replace("AB-4711", "[redacted:badge]")


def test_the_end_of_a_window_is_not_the_end_of_a_line() -> None:
    """A rule with `$` finds what ends a line, and no letter in the middle of one."""
    text = "a banana and a papaya at a bar, again and again" * 3
    assert Redactor(own_rules=[("x", "(a+)+$")], slow_too=True).text(text + " baa") == text + " b[redacted:x]"


def test_a_rule_without_a_proper_name_counts_there_too() -> None:
    assert Redactor(own_rules=[("x y", "BADGE-[0-9]+")], slow_too=True).text("BADGE-1") == "[redacted:own-rule]"
