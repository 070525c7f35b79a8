"""The figures of `hardwon bench recall`: what each counts, and that an interval is the same in every run."""

from __future__ import annotations

import pytest

from hardwon.evaluation import bootstrap, metrics, plain
from hardwon.evaluation.corpus import Asked, Corpus, DataSet, Document, at_most

RANKED = ["a", "b", "c", "d", "e", "f"]
SESSIONS = {"a": "one", "b": "one", "c": "two", "d": "three", "e": "three", "f": "two"}


def asked(*gold: str, outdated: tuple[str, ...] = (), sessions: tuple[str, ...] = ()) -> Asked:
    return Asked("q", "where?", frozenset(gold), sessions=frozenset(sessions), outdated=frozenset(outdated))


@pytest.mark.parametrize(
    ("name", "question", "value"),
    [
        ("R@1", asked("a"), 1.0),
        ("R@2", asked("a", "f"), 0.5),
        ("R@6", asked("a", "f", "never found"), 2 / 3),
        ("hit@1", asked("b"), 0.0),
        ("hit@2", asked("b", "f"), 1.0),
        ("MRR", asked("c", "d"), 1 / 3),
        ("MRR", asked("never found"), 0.0),
        ("nDCG@10", asked("a"), 1.0),
        ("nDCG@10", asked("b"), 0.6309),
        ("nDCG@10", asked("a", "c"), (1 + 0.5) / (1 + 0.6309)),
        ("nDCG@2", asked("c"), 0.0),
        ("before", asked("a", outdated=("b",)), 1.0),
        ("before", asked("b", outdated=("a",)), 0.0),
        ("before", asked("b", outdated=("f", "c")), 1.0),
        ("before", asked("never found", outdated=("never found either",)), 0.0),
        ("session R@1", asked("a", "f"), 0.5),
        ("session R@2", asked("a", "f"), 1.0),
        ("session hit@1", asked("f"), 0.0),
        ("session MRR", asked("d"), 1 / 3),
        ("session before", asked("f", outdated=("d",)), 1.0),
        ("session before", asked("d", outdated=("c",)), 0.0),
        ("session R@1", asked(sessions=("one",)), 1.0),
        ("R@1", asked(sessions=("one",)), None),
        ("session R@5", asked(), None),
    ],
)
def test_a_figure(name: str, question: Asked, value: float | None) -> None:
    """R is the share of what is right, hit whether any is; a session stands where its best document does."""
    found = metrics.figure(name, question, RANKED, SESSIONS)
    assert found == (None if value is None else pytest.approx(value, abs=1e-4))


def test_nothing_found_is_nothing_right() -> None:
    """A method that stays silent has the figure 0, not none."""
    figures = [metrics.figure(name, asked("a"), [], SESSIONS) for name in ("R@5", "hit@1", "MRR", "nDCG@10", "before")]
    assert figures == [0.0] * 5


def test_an_interval_is_the_same_in_every_run() -> None:
    """The draws have a fixed seed, and lie around the mean."""
    values = [float(number % 3 == 0) for number in range(90)]
    one = bootstrap.estimate(values)
    bootstrap._draws.cache_clear()
    assert bootstrap.estimate(values) == one
    assert one.value == pytest.approx(1 / 3)
    assert one.low == pytest.approx(0.233, abs=0.02)
    assert one.high == pytest.approx(0.433, abs=0.02)


def test_an_interval_shrinks_with_more_questions() -> None:
    """Ten times the questions, about a third of the width."""
    few, many = (bootstrap.estimate([0.0, 1.0] * count) for count in (20, 200))
    assert (few.high - few.low) / (many.high - many.low) == pytest.approx(10**0.5, rel=0.2)


def test_a_difference_is_of_the_same_questions() -> None:
    """A method that is always a little better is better beyond doubt, however the questions differ."""
    theirs = [float(number % 2) for number in range(60)]
    ahead = bootstrap.difference([value + 0.1 for value in theirs], theirs)
    assert ahead.low == pytest.approx(0.1)
    assert ahead.high == pytest.approx(0.1)


def test_no_questions_make_no_figure() -> None:
    """An empty set is not an error."""
    assert bootstrap.estimate([]) == bootstrap.Estimate(0.0, 0.0, 0.0)


def test_plain_bm25_finds_other_forms_of_a_word_and_drops_the_commonest() -> None:
    """As everybody would do it: stems, any word, no stop words."""
    texts = ["The builds are failing", "What is it that you were doing there", "Nothing of the kind"]
    words = plain.Words([Document(str(number), "s", 0, "user", text) for number, text in enumerate(texts)])
    assert words.rank("Why did the build fail?") == ["0"]
    assert words.rank("what is it?") == []
    assert words.rank('a "quote" OR NEAR(') == []


def test_fusion_by_rank_prefers_what_both_have() -> None:
    """One that is second in both lists goes before those that are first in one."""
    assert plain.fused(["a", "b", "c"], ["d", "b", "e"])[0] == "b"
    assert plain.fused(["a"], []) == ["a"]


def test_fewer_questions_are_spread_over_all_corpora() -> None:
    """A short run sees each part of a data set, and all of its documents."""
    documents = (Document("a", "s", 0, "user", "text"),)
    corpora = tuple(
        Corpus(str(corpus), documents, tuple(Asked(f"{corpus}.{one}", "?", frozenset({"a"})) for one in range(10)))
        for corpus in range(3)
    )
    data = at_most(DataSet("made", corpora, ("MRR",)), 6)
    assert [len(corpus.questions) for corpus in data.corpora] == [2, 2, 2]
    assert data.documents == 3
    assert at_most(data, None) is data
