from __future__ import annotations

import re

import pytest

from hardwon.memory import Trust, new_id, normalise, short_id

NOW = 1_790_000_000_000


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Use tabs", "use  TABS"),
        ("Use tabs", "- use tabs"),
        ("Use tabs", "* Use tabs\n"),
        ("Use tabs", "1. Use tabs"),
        ("Use tabs", "• use tabs"),
        ("Use tabs", "- [2026-11] use tabs"),
        ("Use tabs", "[2026-10-31] Use tabs  [HIT:7]"),
        ("Use tabs", "- [2026-10-31 12:00:00] use tabs [hit:12]"),
        ("[title] text", "- [2026-11] [title] text  [HIT:3]"),
        ("Café", "cafe\u0301".replace("e\u0301", "é")),
        ("数据库端口", " 数据库端口 "),
    ],
)
def test_the_same_text(one: str, other: str) -> None:
    """Case, blanks, a list marker, a date prefix and a HIT suffix don't make another memory."""
    assert normalise(one) == normalise(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("port 5432", "port 5433"),
        ("use X", "don't use X"),
        ("[2026-11] [authentication flow] keep the token", "[2026-11] [authentication flow] drop the token"),
        ("the first thirty-two characters are the same: a", "the first thirty-two characters are the same: b"),
        ("x²", "x2"),
        ("-1 is returned", "1 is returned"),
        ("[HIT:3] is a suffix", "is a suffix"),
        ("version 2.0", "version 2"),
    ],
)
def test_different_texts(one: str, other: str) -> None:
    """A different text is never taken for the same one, however alike (W4)."""
    assert normalise(one) != normalise(other)


def test_a_text_that_is_only_a_mark_is_itself() -> None:
    """Nothing normalises to the empty text."""
    assert normalise("[2026-11]") == "[2026-11]"


def test_ids_are_uuids_of_version_7() -> None:
    """An id sorts by time and its last characters are chance."""
    ids = [new_id(NOW + i) for i in range(500)]
    assert ids == sorted(ids)
    assert all(re.fullmatch(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", id) for id in ids)
    assert len({short_id(id) for id in ids}) > 490
    assert int(ids[0].replace("-", "")[:12], 16) == NOW


def test_trust_is_ordered() -> None:
    """A person's word counts most, a foreign text least."""
    assert [trust.rank for trust in (Trust.USER, Trust.VERIFIED, Trust.AGENT, Trust.UNTRUSTED)] == [3, 2, 1, 0]
