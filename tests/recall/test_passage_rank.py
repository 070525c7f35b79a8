"""The rank of a passage, number by number: tables without a store."""

from __future__ import annotations

import pytest

from hardwon.recall import passage_rank as rank
from hardwon.recall.asked import Asked, is_the_same
from hardwon.store.passages import Around, Passage, Read

ASKED = Asked("what does the gateway keep?", frozenset({"gateway"}), ("gateway",), (), (), {1: 0.5}, {})


def read(
    text: str,
    *,
    role: str = "agent",
    before: str = "",
    author: str = "",
    session: str = "s",
    row: int = 1,
    begins: bool = False,
) -> Read:
    passage = Passage(row, "claude-code", session, "shop", 0, author, role, text, row, 0)
    return Read(passage, text, before, "", bool(before), begins)


def said(text: str, *, why: bool = False, role: str = "agent", before: str = "", begins: bool = False) -> float:
    return rank.said(read(text, role=role, before=before, begins=begins), why)


@pytest.mark.parametrize(
    ("more", "less", "by"),
    [
        # As long, and each differs by one sign from the other.
        (said("gateway memory flash disk"), said("does gateway memory flash?"), rank.ASKS),
        (said("gateway memory flash must"), said("gateway memory flash disk"), rank.SETTLES),
        (said("gateway memory moving disk"), said("gateway memory flash disk"), rank.CHANGES),
        (said("gateway memory so disk", why=True), said("gateway memory flash disk", why=True), rank.REASON),
        (said("because gateway memory", why=True), said("so gateway memory", why=True), rank.CAUSE),
        (said("disk " * 40 + "so"), said("disk " * 40 + "because"), 0.0),
        (said("because gateway memory disk"), said("gateway memory flash disk"), 0.0),  # nobody asked why
        (
            said("gateway memory flash disk", role="user", before="flash or tape"),
            said("gateway memory flash disk", role="user", before="the linter complains"),
            rank.DECIDES,
        ),
        (said("gateway memory flash disk"), said("gateway memory flash disk", begins=True), rank.BEGINS),
        (
            said("gateway memory flash disk", role="user", before="flash or tape"),
            said("gateway memory flash disk"),
            rank.DECIDES,
        ),
    ],
)
def test_what_a_passage_does_in_its_talk(more: float, less: float, by: float) -> None:
    assert more - less == pytest.approx(by)


def test_a_longer_passage_tells_more_up_to_a_point() -> None:
    words = [said("disk " * count) for count in (3, 4, 10, rank.LONG, 2 * rank.LONG)]
    assert words == sorted(words)
    assert words[-1] == words[-2] == pytest.approx(rank.LENGTH)
    assert words[1] - words[0] > rank.CURT


def test_signs_count_less_in_a_long_passage() -> None:
    short, long = (said("disk " * count + "must") - said("disk " * count + "disk") for count in (10, 99))
    assert short == pytest.approx(rank.SETTLES)
    assert long == pytest.approx(rank.SETTLES * rank.SIGN / 100)


def test_what_stands_beside_a_leading_passage_gains() -> None:
    """The best of those that led to it, and the next one."""
    gained = rank.beside({1: 1.0, 2: 0.5}, {1: Around(before=9, after=(3, 4)), 2: Around(before=None, after=(4, 5))})
    assert gained == pytest.approx({9: rank.LEADS_TO, 3: rank.LED_TO, 4: rank.LED_TO, 5: 0.5 * rank.LED_TO})


@pytest.mark.parametrize(
    ("together", "expected"),
    [
        ({}, {1: 0.8, 2: 0.4}),  # nothing is known of what they answer
        ({2: 0.6, 3: 0.2}, {1: 0.8, 2: 0.7, 3: 0.0}),  # the first replies to nobody, and stays as it is
        ({2: 0.6}, {1: 0.8, 2: 0.2}),  # nothing to compare with
    ],
)
def test_a_reply_fits_by_itself_and_with_what_it_answers(
    together: dict[int, float], expected: dict[int, float]
) -> None:
    assert rank.fit({1: 0.8, 2: 0.4}, together, 200) == pytest.approx(expected)


def test_what_else_speaks_for_it() -> None:
    """The words it covers, the best of its session, and who is named in the question."""
    known = {1: read("disk", row=1, author="gateway"), 2: read("disk", row=2), 3: read("disk", row=3, session="other")}
    found = rank.factors(known, {1: 0.2}, {1: 0.2, 2: 1.0}, {3: 0.25}, ASKED, {"gateway"})
    assert found[1] == pytest.approx(found[1] | {"fit": 0.2, "covers": rank.COVERS * 0.5, "named": rank.NAMED})
    assert [found[row]["session"] for row in (1, 2, 3)] == pytest.approx([rank.SESSION, rank.SESSION, 0.0])
    assert [found[row]["beside"] for row in (1, 2, 3)] == pytest.approx([0.0, 0.0, 0.25])


@pytest.mark.parametrize(
    ("prompt", "covered", "again"),
    [
        ({"gateway", "memory"}, 1.0, True),
        ({"gateway", "memory", "flash", "disk", "tape"}, 0.95, True),
        ({"gateway", "memory"}, 0.8, False),  # the question asks for more
        ({"gateway", "memory", "linter", "footer"}, 1.0, False),  # the prompt is about something else, too
        (set(), 1.0, False),
    ],
)
def test_whether_a_prompt_asked_the_same(prompt: set[str], covered: float, again: bool) -> None:
    question = {"gateway", "memory", "flash", "disk"}
    assert is_the_same(question, prompt, covered) is again


def test_words_that_are_looked_for_count_most_in_the_passage_itself() -> None:
    asked = Asked("gateway", frozenset({"gateway"}), ("gateway",), (), (), {1: 1.0, 2: 1.0}, {1: 1.0})
    strong = {"fit": 0.6, "covers": 0.65, "beside": 0.5, "session": 0.75, "named": 0.0, "said": 1.2}
    weak = {"fit": 0.9, "covers": 0.65, "beside": 0.0, "session": 0.4, "named": 0.0, "said": 0.2}
    factors = rank.literal({1: weak, 2: strong}, asked)
    assert sum(factors[1].values()) > sum(factors[2].values())
