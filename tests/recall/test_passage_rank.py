"""The signs of a passage, number by number: tables without a store."""

from __future__ import annotations

import pytest

from hardwon.conversations import passage_rank as rank
from hardwon.conversations.asked import Asked, is_the_same
from hardwon.conversations.passage_vectors import Near
from hardwon.store.tables.passages import Around, Passage, Read


def asked(itself: dict[int, float] | None = None, standing: dict[str, set[int]] | None = None) -> Asked:
    shares = {stem: 1 / len(standing) for stem in standing} if standing else {}
    where = {stem: frozenset(rows) for stem, rows in (standing or {}).items()}
    covered = {1: 0.5}
    return Asked("the gateway?", frozenset({"gateway"}), ("gateway",), (), (), covered, itself or {}, shares, where)


def read(
    text: str,
    *,
    role: str = "agent",
    before: str = "",
    author: str = "",
    session: str = "s",
    row: int = 1,
    begins: bool = False,
    ends: bool = False,
) -> Read:
    passage = Passage(row, "claude-code", session, "shop", 0, author, role, text, row, 0)
    return Read(passage, text, before, "", begins, ends)


WORDS = "gateway memory flash disk"
NOTHING = rank.wanted("which disk")


@pytest.mark.parametrize(
    ("sign", "given", "missing"),
    [
        ("settles", read("gateway memory flash must"), read(WORDS)),
        ("changes", read("gateway memory moving disk"), read(WORDS)),
        ("lays down", read("never gateway memory disk"), read(WORDS)),
        ("figure", read("gateway memory 50 disk"), read(WORDS)),
        ("cause", read("because gateway memory disk"), read(WORDS)),
        ("opens", read(WORDS, role="user", begins=True), read(WORDS, begins=True)),
        ("first answer", read(WORDS, begins=True), read(WORDS, role="user", begins=True)),
        ("ends", read(WORDS, ends=True), read(WORDS)),
        ("goes on", read(WORDS, role="user", before="flash or tape"), read(WORDS, role="user", before="the linter")),
        ("goes on", read(WORDS, role="user", before="flash or tape"), read(WORDS, before="flash or tape")),
        (
            "goes on",
            read(WORDS, role="user", before="flash or tape"),
            read(f"is {WORDS}?", role="user", before="flash or tape"),
        ),
    ],
)
def test_what_a_passage_does_in_its_talk(sign: str, given: Read, missing: Read) -> None:
    assert (rank.does(given)[sign], rank.does(missing)[sign]) == (1.0, 0.0)


@pytest.mark.parametrize(
    ("sign", "question", "given", "missing"),
    [
        ("asks", "which disk", read(f"does {WORDS}?"), read(WORDS)),
        ("wanted figure", "how large is the disk", read("gateway disk 50"), read(WORDS)),
        ("wanted reason", "why the disk", read("gateway so disk"), read(WORDS)),
        ("wanted cause", "why the disk", read("because gateway"), read("so gateway")),
    ],
)
def test_what_the_question_wants(sign: str, question: str, given: Read, missing: Read) -> None:
    """A figure, a reason, a cause: only where they are asked for."""
    wanted = rank.wanted(question)
    assert (rank.told(given, wanted)[sign], rank.told(missing, wanted)[sign]) == (1.0, 0.0)
    assert sign == "asks" or rank.told(given, NOTHING)[sign] == 0.0


@pytest.mark.parametrize(
    ("words", "meaning", "seen", "expected"),
    [
        ({1: 3.0, 2: 1.0}, {1: 0.0, 2: 9.0}, set(), [1, 2]),
        ({1: 3.0, 2: 1.0}, {1: 0.0, 2: 9.0}, {1, 2}, [2, 1]),
        ({1: 9.0, 2: 1.0}, {2: 50.0}, {2}, [1, 2]),  # the best by meaning is not the best of all
        ({1: 1.0, 2: 5.0, 3: 5.0}, {2: 50.0, 3: 10.0}, {2, 3}, [2, 1, 3]),
        ({1: 4.0, 2: 1.0, 3: 5.0}, {2: 7.0, 3: 3.0}, {2, 3}, [2, 1, 3]),  # meaning says which of the seen ones
    ],
)
def test_passages_with_and_without_a_vector_stand_in_one_list(
    words: dict[int, float], meaning: dict[int, float], seen: set[int], expected: list[int]
) -> None:
    """Words say how likely it is one of those that have one, and meaning which of them."""
    by_meaning = {row: {"near": score} for row, score in meaning.items()}
    joined = rank.joined(by_meaning, {row: {"words": score} for row, score in words.items()}, seen)
    totals = {row: sum(signs.values()) for row, signs in joined.items()}
    assert sorted(totals, key=lambda row: -totals[row]) == expected
    assert all(joined[row] == {"words": words[row]} for row in words.keys() - seen)


def test_a_longer_passage_tells_more_up_to_a_point() -> None:
    counts = (3, rank.LONG, rank.LONGEST, 2 * rank.LONGEST)
    some = [rank.told(read("disk " * count), NOTHING) for count in counts]
    assert [one["length"] for one in some] == pytest.approx([some[0]["length"], 1.0, 1.0, 1.0])
    assert some[0]["whole"] < some[1]["whole"] < some[2]["whole"] == some[3]["whole"] == pytest.approx(1.0)
    person = [rank.does(read("disk " * count, role=role)) for count in (20, 80) for role in ("user", "agent")]
    assert [one["person tells"] for one in person] == pytest.approx([0.5, 0.0, 1.0, 0.0])


def test_signs_count_less_in_a_long_passage() -> None:
    assert rank.does(read("disk " * 10 + "must"))["settles"] == 1.0
    assert rank.does(read("disk " * 99 + "must"))["settles"] == pytest.approx(rank.SIGN / 100)


def test_what_stands_beside_a_leading_passage() -> None:
    """The best of those that led to it, and the next one."""
    around = {1: Around(before=9, after=(3, 4)), 2: Around(before=None, after=(4, 5))}
    led, leads = rank.beside({1: 1.0, 2: 0.5}, around)
    assert led == {3: 1.0, 4: 1.0, 5: 0.5}
    assert leads == {9: 1.0}


def test_the_words_of_a_passage_and_of_its_talk() -> None:
    """A talk has what any of its passages has: the name may be in one of them and the choice in another."""
    known = {row: read("disk", row=row, session="other" if row == 3 else "s") for row in (1, 2, 3)}
    question = asked({1: 0.4}, {"gateway": {1, 9}, "flash": {2, 3}})
    signs = rank.by_words(known, {1: 2.0, 2: 8.0}, question, {2: Around(before=1, after=(3,))})
    assert [signs[row]["words"] for row in known] == [0.25, 1.0, 0.0]
    assert [signs[row]["covers"] for row in known] == [0.5, 0.0, 0.0]
    assert [signs[row]["covers itself"] for row in known] == [0.4, 0.0, 0.0]
    assert [signs[row]["talk covers"] for row in known] == pytest.approx([1.0, 1.0, 0.5])
    assert (signs[3]["led to by words"], signs[1]["leads to words"]) == (1.0, 1.0)


def test_the_meaning_of_a_passage_and_of_its_talk() -> None:
    """Between the last and the first that was found; what is further away is not further than far."""
    near = {
        1: Near(0.6, 0.2, 0.4, 0.6, 0.5, 0.9),
        2: Near(0.4, 0.2, 0.4, 0.6, 0.9, 0.9),
        3: Near(-0.4, -0.4, 0.0, 0.2, 0.0, 0.0),
    }
    signs = rank.by_meaning(near, {1: Around(before=None, after=(2,))}, rank.Scale(0.2, 0.6))
    assert signs[1] == pytest.approx(
        {
            "near": 1.0,
            "opening": 0.0,
            "talk": 0.5,
            "best of talk": 1.0,
            "led to": 0.0,
            "leads to": 0.0,
        }
    )
    assert signs[2]["led to"] == pytest.approx(1.0)
    assert (signs[3]["near"], signs[3]["talk"]) == pytest.approx((rank.FAR, rank.FAR))


def test_every_sign_has_a_weight_and_every_weight_a_sign() -> None:
    """A sign that nothing weighs is work for nothing."""
    question = asked({1: 0.4}, {"gateway": {1}})
    one = {1: read(WORDS)}
    words = rank.by_words(one, {1: 1.0}, question, {})[1].keys()
    meaning = rank.by_meaning({1: Near(0.5, 0.5, 0.5, 0.5, 0.5, 0.5)}, {}, rank.Scale(0.2, 0.6))[1].keys()
    speech = rank.told(one[1], NOTHING).keys() | rank.does(one[1]).keys() | rank.named(one, ())[1].keys()
    by_words_alone = {"led to by words", "leads to words"}
    assert rank.BY_WORDS.keys() == words | speech
    assert rank.BY_MEANING.keys() == (words | speech | meaning) - by_words_alone
    assert rank.ALONE_BY_WORDS.keys() <= words | rank.alone().keys()
    assert rank.ALONE_BY_MEANING.keys() <= words | meaning | rank.alone().keys()


def test_signs_are_weighed() -> None:
    assert rank.weighed({"near": 0.5, "asks": 0.0, "unheard": 1.0}, {"near": 2.0, "asks": -1.0}) == {
        "near": 1.0,
        "unheard": 0.0,
    }


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
    strong, weak = {"talk covers": 3.0, "length": 2.5}, {"words": 1.3}
    factors = rank.literal({1: weak, 2: strong}, {1: 0.5, 2: 0.9}, asked({1: 1.0}))
    assert sum(factors[1].values()) > sum(factors[2].values())
