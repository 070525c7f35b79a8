"""The second look: the signs that it adds, and what becomes of the scores of the first."""

from __future__ import annotations

import pytest

from hardwon.recall import closer_look as look
from hardwon.recall import judge, passage_rank
from hardwon.recall.judge import Judge
from hardwon.recall.passage_vectors import Near
from tests.recall.test_passage_rank import asked, read

PLAIN = read("gateway memory disk")


@pytest.mark.parametrize(
    ("sign", "given", "missing"),
    [
        ("for a cause", "what was wrong with the gateway", "which port has the gateway"),
        ("for a reason", "why port 80", "which port"),
        ("for a figure", "how many disks", "which disk"),
        ("for what was", "which port did we use", "which port do we use"),
    ],
)
def test_what_the_question_asks_for(sign: str, given: str, missing: str) -> None:
    assert (look.of_question(given)[sign], look.of_question(missing)[sign]) == (1.0, 0.0)


@pytest.mark.parametrize(
    ("sign", "text"),
    [
        ("finds cause", "turns out the disk was full"),
        ("carries out", "Renamed in 6 files."),
        ("replies", "no, port 80"),
        ("turns to another", "thanks. and the search: port 80"),
        ("has a colon", "port: 80"),
        ("names code", "see src/main"),
        ("has a question", "port 80? and then"),
        ("sentences", "One. Two. Three. Four. Five."),
    ],
)
def test_how_a_passage_is_said(sign: str, text: str) -> None:
    assert (look.of_passage(read(text), "")[sign], look.of_passage(PLAIN, "")[sign]) == (1.0, 0.0)


@pytest.mark.parametrize(
    ("sign", "after"),
    [
        ("after carries out", "Done, 80."),
        ("after replies", "no, 81"),
        ("after asks", "and then?"),
        ("long after", "x " * 60),
    ],
)
def test_what_was_said_after_it(sign: str, after: str) -> None:
    """A prompt that was carried out settled something."""
    signs = look.of_passage(PLAIN, after)
    assert (signs[sign], signs["nothing after"]) == (1.0, 0.0)
    nothing = look.of_passage(PLAIN, "")
    assert (nothing[sign], nothing["nothing after"]) == (0.0, 1.0)


def test_who_says_it_and_whether_it_answers_anything() -> None:
    person = look.of_passage(read("port 80", role="user", before="which?"), "")
    agent = look.of_passage(read("port 80"), "")
    assert [(one["by a person"], one["answers nothing"]) for one in (person, agent)] == [(1.0, 0.0), (0.0, 1.0)]


def test_nothing_in_its_talk_is_nearer() -> None:
    """Neither itself nor in its place; without vectors nobody knows."""
    both = ("nearest of talk", "nearest in place")

    def nearest(**signs: float) -> tuple[float, ...]:
        found = look.beside_others({name.replace("_", " "): value for name, value in signs.items()})
        assert found.keys() == set(both)
        return tuple(found[name] for name in both)

    assert nearest(near=0.9, best_of_talk=0.9, in_place=0.5, best_in_place=0.6) == (1.0, 0.0)
    assert nearest(near=0.8, best_of_talk=0.9, in_place=0.6, best_in_place=0.6) == (0.0, 1.0)
    assert nearest() == (0.0, 0.0)


GOOD = Judge(7.0, {"good": 3.0}, (), {"good": ()})


def test_the_order_of_those_that_are_judged() -> None:
    """The best of them scores what the best did, so that it can stand beside what nobody judged."""
    first = {1: 10.0, 2: 9.0}
    more = look.corrected({1: {}, 2: {"good": 1.0}}, first, GOOD)
    assert {row: first[row] + more[row] for row in first} == pytest.approx({1: 8.0, 2: 10.0})


def test_what_was_not_judged_stays_behind() -> None:
    """And keeps its place among the others of its kind."""
    first = {1: 10.0, 2: 9.0, 3: 8.5, 4: 2.0}
    more = look.corrected({1: {}, 2: {"good": 1.0}}, first, GOOD)
    assert first[3] + more[3] == pytest.approx(8.0)
    assert more[4] == 0.0
    assert look.corrected({}, {}, GOOD) == {}


@pytest.mark.parametrize("by_meaning", [True, False])
def test_every_sign_was_taught_and_every_taught_one_is_there(by_meaning: bool) -> None:
    """A sign that no judge knows is work for nothing; one that is gone would be missed."""
    one, question = {1: PLAIN}, asked({1: 0.4}, {"gateway": {1}})
    signs = passage_rank.by_words(one, {1: 1.0}, question, {})[1] | passage_rank.named(one, ())[1]
    if by_meaning:
        signs = {name: sign for name, sign in signs.items() if name not in ("led to by words", "leads to words")}
        signs |= passage_rank.by_meaning({1: Near(*[0.5] * 6)}, {}, *(passage_rank.Scale(0.2, 0.6),) * 2)[1]
    signs |= passage_rank.told(PLAIN, passage_rank.wanted("")) | passage_rank.does(PLAIN)
    signs |= look.of_question("") | look.of_passage(PLAIN, "") | look.beside_others(signs)
    known = judge.taught(look.BY_MEANING if by_meaning else look.BY_WORDS).plain.keys()
    # Whoever is named is not judged, and without vectors nothing is near: no choice could teach these.
    assert signs.keys() - known == ({"named"} if by_meaning else {"named", "nearest of talk", "nearest in place"})
    assert known <= signs.keys()
