"""The second look and the lines on a real store: which passages are judged, by which signs, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hardwon.event import Event, EventType, Tier
from hardwon.recall import closer_look, conversations, judge, lines, passage_vectors
from hardwon.recall.embedding.ready import READY
from hardwon.recall.passage_lines import Follower
from hardwon.recall.vectors import query_vector
from hardwon.settings.keys import Vectors
from hardwon.store import journal, passages
from hardwon.store.connection import Store
from tests.recall.models import real
from tests.recall.test_conversations import DAY, small_talk, talk
from tests.support import opened

QUESTION = "how long do we keep the raw pings?"
FIRST, LATER = "keep the raw pings 30 days, then drop them", "120 days for the raw pings from now on"
ALONE = "raw pings of a report that nobody asked for"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    folder: Path = tmp_path_factory.mktemp("home")
    with opened(folder / "home") as store:
        small_talk(store)
        talk(
            store,
            "one",
            2,
            "the disk is full of sonar pings",
            "Raw pings take 80 GB.",
            FIRST,
            "Done, a job drops them.",
        )
        talk(
            store, "two", 90, "biologists want old sonar data", "The pings of May are gone.", LATER, "Changed the job."
        )
        report = Event(EventType.TURN_ENDED, "claude-code", "r", 3 * DAY, "shop", prompt="r", text=ALONE)
        reviewed = Event(
            EventType.TURN_ENDED,
            "claude-code",
            "one",
            3 * DAY,
            "shop",
            prompt="one-9",
            tool="reviewer",
            text="Pings leak.",
        )
        journal.append_many(store, [(report, Tier.FULL), (reviewed, Tier.FULL)])
        passages.index_new(store)
        passage_vectors.embed_missing(store, real(), 256)
        READY.put(Vectors(), real())
        yield store
    READY.drop()


def considered(store: Store, text: str, *, vectors: bool = False) -> conversations.Considered:
    return conversations.consider(store, text, (), query_vector(store, text) if vectors else None)


def judged(store: Store, text: str) -> set[str]:
    """The passages to whose score the second look adds something."""
    one = considered(store, text)
    return {
        one.read[row].passage.text
        for row, some in conversations.weighed(store, text, one).items()
        if "closer look" in some
    }


def test_passages_of_talks_are_judged(store: Store) -> None:
    """What stands alone settles nothing, and keeps the score of the first look."""
    found = judged(store, QUESTION)
    assert {FIRST, LATER} <= found
    assert ALONE not in found
    assert ALONE in {one.passage.text for one in considered(store, QUESTION).read.values()}


@pytest.mark.parametrize("text", ["raw pings", "what did the reviewer say about pings"])
def test_who_looks_for_words_or_for_somebody_gets_what_the_first_look_found(store: Store, text: str) -> None:
    assert judged(store, text) == set()


def test_what_was_said_right_after_a_passage_is_looked_at(store: Store) -> None:
    one = considered(store, QUESTION)
    first = {row: 0.0 for row, some in one.read.items() if some.answered}
    signs = {
        one.read[row].passage.text: some for row, some in conversations.closer(store, QUESTION, one, first).items()
    }
    assert (signs[FIRST]["after carries out"], signs[FIRST]["nothing after"]) == (1.0, 0.0)
    assert signs["Changed the job."]["nothing after"] == 1.0
    assert signs[FIRST]["for a figure"] == 1.0


def test_scores_are_what_the_factors_add_up_to(store: Store) -> None:
    found = conversations.search(store, QUESTION, (), 0, 5)
    assert all(one.score == pytest.approx(sum(one.factors.values())) for one in found if one.factors)


@pytest.mark.parametrize("vectors", [True, False])
def test_lines_are_judged_by_every_sign_that_was_taught(store: Store, vectors: bool) -> None:
    """By what the two exchanges share, how both are said, and what the question has to do with each."""
    one = considered(store, QUESTION, vectors=vectors)
    rows = {some.passage.text: row for row, some in one.read.items()}
    vector = query_vector(store, QUESTION) if vectors else None
    follower = Follower(store, list(rows.values()), {}, one.read, vector, one.asking())
    found = follower.later_than(rows[FIRST])
    assert found is not None
    signs = follower.signs(found)[rows[LATER]]
    name = lines.BY_MEANING if vectors else lines.BY_WORDS
    assert signs.keys() == judge.taught(name).plain.keys()
    for sign in (
        "own shared",
        "covers",
        "talk covers",
        "was: covers",
        "by a person",
        "was: by a person",
        "for a figure",
    ):
        assert signs[sign] > 0, sign
    if vectors:
        near = one.asking().near([rows[LATER]])[rows[LATER]]
        assert (signs["near: talk"], signs["near: opening"]) == (near.talk, near.opening)
        assert signs["near"] >= near.itself > signs["near: talk"]


def test_what_is_in_force_comes_first(store: Store) -> None:
    """And what was before stands behind it."""
    for vector in (None, query_vector(store, QUESTION)):
        found = conversations.search(store, QUESTION, (), 0, 5, vector=vector)[0]
        assert found.passage.session == "two"
        assert "one" in {one.session for one in found.earlier}


def test_what_says_it_in_other_words_is_shown_beside_what_has_a_word(store: Store) -> None:
    """Where something is about the question, a talk that comes fairly near is shown, too; by itself it is not."""
    for text, shown in (("is there an echo history", set()), ("echo history for the linter?", {"two", "small-0"})):
        vector = query_vector(store, text)
        assert vector is not None
        near = passage_vectors.look(store, vector, (), 200).nearest
        cosine = max(value for row, value in near if passages.by_rows(store, [row])[row].passage.session == "two")
        assert conversations.FAIRLY_NEAR <= cosine < conversations.NEAR
        found = {one.passage.session for one in conversations.search(store, text, (), 0, 50, vector=vector)}
        assert found >= shown if shown else not found


def test_the_second_look_decides(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A judge that likes nothing but what carries out brings that to the top."""
    liked = judge.Judge(0.0, {"carries out": 50.0}, (), {"carries out": ()})
    monkeypatch.setattr(closer_look, "judge_of", lambda *, by_meaning: liked if not by_meaning else None)
    one = considered(store, QUESTION)
    scores = {row: sum(some.values()) for row, some in conversations.weighed(store, QUESTION, one).items()}
    best = max((row for row in scores if one.read[row].answered), key=scores.__getitem__)
    assert one.read[best].passage.text in ("Done, a job drops them.", "Changed the job.")
