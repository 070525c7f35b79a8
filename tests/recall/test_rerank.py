"""Which later passage continues an earlier one: features and network as tables, and the line on a real store."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy
import pytest

from hardwon.conversations import conversations, passage_vectors, rerank
from hardwon.conversations.rerank import Asking, Cosines, Features, Follower, Network, Utterance, features
from hardwon.event import Event, EventType, Tier
from hardwon.memories.search.vectors import QueryVector
from hardwon.store.connection import Store
from hardwon.store.tables import journal, passages
from tests.recall.models import Made, real
from tests.recall.test_conversations import DAY, small_talk, talk
from tests.support import opened

if TYPE_CHECKING:
    from hardwon.embedding.model import Vectors

# --- the network -----------------------------------------------------------------------------------------------------

# One unit says 1 where both features are there and nothing where only one is; one adds half by itself.
BOTH = Network(0.5, {"why": 0.0, "found": 0.5}, ((-15.0, 0.5),), {"why": (10.0,), "found": (10.0,)})


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, 0.0),
        ({"why": 1.0}, 0.0),
        ({"found": 1.0}, 0.5),
        ({"why": 1.0, "found": 1.0}, 1.5),
        ({"why": 1.0, "found": 1.0, "unheard of": 9.0}, 1.5),
        ({"why": 1000.0}, 1.0),
        ({"why": -1000.0}, 0.0),
    ],
)
def test_features_mean_something_together(given: Features, expected: float) -> None:
    """What no weight of single ones could say; one that was not trained says nothing."""
    assert BOTH(given) == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize("name", [rerank.BY_MEANING, rerank.BY_WORDS])
def test_the_weights_that_are_there(name: str) -> None:
    """A number for every unit and every feature, none of them so large that a feature decides alone."""
    network = rerank.network(name)
    assert network.linear.keys() == network.inputs.keys()
    assert {len(row) for row in network.inputs.values()} == {len(network.units)}
    numbers = [*network.linear.values(), *(number for row in network.inputs.values() for number in row)]
    assert all(math.isfinite(number) for number in numbers)
    assert max(map(abs, numbers)) < 50
    assert max(abs(weight) for _, weight in network.units) < 5
    assert json.loads(rerank.WEIGHTS.read_text("utf-8")).keys() == {rerank.BY_MEANING, rerank.BY_WORDS}


# --- features --------------------------------------------------------------------------------------------------------

COMMON = {"release": 1.0, "day": 1.0, "run": 1.0}


def weight(stem: str) -> float:
    return COMMON.get(stem, 5.0)


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


EARLIER = Utterance(1, words("eu customer data frankfurt paris provider price"), words("frankfurt"), 6, answers=-0.2)
LATER = words("capacity spring problem paris customer latency same may there")
AMENDING = Utterance(2, LATER, words("paris may"), words=9, answers=-0.6, talk="later", at=60 * DAY)
OTHERS = [
    Utterance(row, words(f"lint{row} warning{row} release day"), words=8, talk=f"t{row}", at=DAY)
    for row in range(10, 20)
]


def amending(
    *others: Utterance, cosines: dict[int, float] | None = None, earlier: Utterance = EARLIER, **changed: object
) -> Features:
    """The features of the amending one, a little different, among others."""
    one = replace(AMENDING, **changed)  # type: ignore[arg-type]
    return features(earlier, [one, *others], weight, None if cosines is None else Cosines(cosines, {}))[one.row]


AS_IT_IS = amending(*OTHERS)


@pytest.mark.parametrize(
    ("feature", "of", "less"),
    [
        ("shared", AS_IT_IS, amending(*OTHERS, stems=words("release day run"))),
        ("talk shared", AS_IT_IS, amending(*OTHERS, stems=words("release day run"))),
        # What the talk shares counts, wherever in it.
        ("talk shared", amending(replace(AMENDING, row=3), stems=words("nothing")), amending(stems=words("nothing"))),
        # Everything is as much alike: no talk stands out.
        ("stands out", AS_IT_IS, amending(*(replace(AMENDING, row=row, talk=f"t{row}") for row in range(3, 14)))),
        ("own shared", amending(own=words("frankfurt")), AS_IT_IS),
        ("behind in shared", amending(replace(AMENDING, row=3), stems=words("lint")), AS_IT_IS),
        ("asked", amending(asked=True), AS_IT_IS),
        ("changes", amending(changes=True), AS_IT_IS),
        ("talk changes", amending(replace(AMENDING, row=3, changes=True)), AS_IT_IS),
        ("long ago", AS_IT_IS, amending(at=DAY)),
        ("long before", amending(earlier=replace(EARLIER, words=90)), AS_IT_IS),
        ("long", AS_IT_IS, amending(words=3)),
        ("answers", AS_IT_IS, amending(answers=rerank.NOT_FOUND)),
        ("answered", amending(earlier=replace(EARLIER, answers=0.0)), AS_IT_IS),
        ("replies", amending(features={"replies": 1.0}), amending(features={"replies": 0.0})),
        (
            "was: replies",
            amending(earlier=replace(EARLIER, features={"replies": 1.0})),
            amending(features={"was: replies": 0.0}),
        ),
        ("meaning", amending(cosines={2: 0.8}), amending(cosines={2: 0.4})),
        ("talk meaning", amending(replace(AMENDING, row=3), cosines={3: 0.8}), amending(cosines={2: 0.4})),
        ("behind in meaning", amending(*OTHERS, cosines={2: 0.4, 10: 0.8}), amending(cosines={2: 0.4})),
    ],
)
def test_what_speaks_for_and_against_that_it_continues_another(feature: str, of: Features, less: Features) -> None:
    assert of[feature] > less[feature]


def test_both_are_compared_in_their_places() -> None:
    """As they are themselves: how like, and how far behind the one that is most so."""
    earlier, one, other = (Utterance(row, words("thirty days")) for row in (1, 2, 3))
    found = features(earlier, [one, other], weight, Cosines({2: 0.1, 3: 0.2}, {2: 0.9, 3: 0.5}))
    assert [found[row]["meaning in place"] for row in (2, 3)] == [0.9, 0.5]
    assert [found[row]["behind in place"] for row in (2, 3)] == pytest.approx([0.0, 0.4])


def test_without_vectors_there_is_no_meaning() -> None:
    assert not {"meaning", "behind in meaning", "meaning in place"} & AS_IT_IS.keys()
    assert amending(cosines={})["meaning"] == 0.0


# --- on a real store -------------------------------------------------------------------------------------------------


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with opened(tmp_path / "home") as store:
        yield store


class ByFirstWord(Made):
    """Texts mean the same when they begin with the same word."""

    def _row(self, text: str) -> Vectors:
        return super()._row(text.split()[0])


def row(store: Store, text: str) -> int:
    return int(str(store.value("select row from passages where instr(text, ?) = 1", (text,))))


def embedded(store: Store, model: Made) -> QueryVector:
    while passage_vectors.embed_missing(store, model):
        pass
    return QueryVector(model.name, numpy.zeros(model.dims, dtype=numpy.float32))


def continuations(
    store: Store, scores: dict[str, float], model: Made | None = None, least: float = 0.0
) -> dict[str, str]:
    """From text to text; `scores` is what the search found."""
    by_row = {row(store, text): score for text, score in scores.items()}
    vector = embedded(store, model) if model else None
    read = passages.by_rows(store, by_row)
    found = rerank.continuations(store, by_row, by_row, read, vector, Asking(), least)
    return {read[one].passage.text: read[other].passage.text for one, other in found.items()}


BUILT = "Built: webhooks/delivery.py reads RETRY_LIMIT for deliver_webhook."
DONE = "Done: webhooks/delivery.py has no RETRY_LIMIT, deliver_webhook goes by age."


def decided(store: Store) -> None:
    talk(store, "s1", 1, "shops that are down", "They lose everything.", "only five attempts", BUILT)


@pytest.mark.parametrize(("least", "expected"), [(0.0, {"only five attempts": DONE}), (99.0, {})])
def test_a_decision_is_known_by_the_answer_to_it(store: Store, least: float, expected: dict[str, str]) -> None:
    """Neither of the two terse ones has a word of the other; where more is asked for than it has, nothing is told."""
    decided(store)
    talk(store, "s2", 60, "outage on saturday", "Thousands were given up.", "go on for three days", DONE)
    small_talk(store)
    assert continuations(store, {"only five attempts": 1.0}, least=least) == expected


def test_with_its_first_prompt_a_talk_only_brings_something_up(store: Store) -> None:
    """The prompt tells of a change and its answer does not, and yet the answer says how it is now."""
    decided(store)
    asked = "webhooks/delivery.py shall have no RETRY_LIMIT for deliver_webhook now"
    talk(store, "s2", 60, asked, "It goes by age.")
    small_talk(store)
    assert continuations(store, {BUILT: 1.0}) == {BUILT: "It goes by age."}


def test_what_is_about_something_else_continues_nothing(store: Store) -> None:
    decided(store)
    talk(store, "s2", 60, "colour of the logo", "Blue or green.", "green, as on the van", "Done, it is green.")
    small_talk(store)
    assert continuations(store, {"only five attempts": 1.0, "Done, it is green.": 0.5}) == {}


def test_a_line_goes_on(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """From what continues a passage to what continues that; the nearer in time, the likelier."""
    near = Network(9.0, {"long ago": -4.0}, (), {"long ago": ()})
    monkeypatch.setattr(rerank, "network", lambda _: near)
    texts = {1: "Five attempts for webhooks.", 2: "Nine attempts for webhooks.", 3: "Twelve attempts for webhooks."}
    for day, text in texts.items():
        talk(store, f"s{day}", day, "webhooks", text)
    first, second, third = texts.values()
    assert continuations(store, {first: 1.0, second: 0.9}) == {first: second, second: third}


def test_equals_are_told_apart_by_their_place(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The later row of two that are as likely, in every run."""
    monkeypatch.setattr(rerank, "network", lambda _: Network(1.0, {}, (), {}))
    for number, text in enumerate(("Five attempts.", "Nine attempts.", "Twelve attempts.")):
        talk(store, f"s{number}", 1 + min(number, 1), "webhooks", text)
    assert continuations(store, {"Five attempts.": 1.0}) == {"Five attempts.": "Twelve attempts."}


def alone(store: Store, session: str, day: int, text: str) -> None:
    event = Event(EventType.TURN_ENDED, "claude-code", session, day * DAY, "shop", prompt=session, text=text)
    journal.append_many(store, [(event, Tier.FULL)])
    passages.index_new(store)


def test_what_nobody_asked_for_continues_nothing_and_is_continued_by_nothing(store: Store) -> None:
    """Texts that stand alone, as imported ones do, are no talk in which something is settled."""
    alone(store, "s0", 0, "webhooks/delivery.py reads RETRY_LIMIT for deliver_webhook")
    decided(store)
    alone(store, "s2", 60, "webhooks/delivery.py has no RETRY_LIMIT for deliver_webhook")
    small_talk(store)
    assert continuations(store, {"webhooks/delivery.py reads RETRY_LIMIT for": 1.0}) == {}
    assert continuations(store, {BUILT: 1.0, "webhooks/delivery.py has no": 0.9}) == {}


def test_whole_exchanges_are_compared_by_meaning(store: Store) -> None:
    """No word is shared; the answers mean the same, the decisions by themselves do not."""
    talk(store, "s1", 1, "keep thirty", "so it is", "only quayside thirty", "so it is")
    talk(store, "s2", 60, "outage", "sorry", "harbour sixty now", "so it is")
    small_talk(store)
    earlier, later = row(store, "only quayside thirty"), row(store, "harbour sixty")
    vector = embedded(store, ByFirstWord())
    read = passages.by_rows(store, [earlier, later])
    found = Follower(store, [earlier, later], {}, read, vector, Asking()).candidates(earlier)
    alone = passage_vectors.alike(store, vector.model, [earlier], {later: [later]})
    assert alone is not None
    assert found[later]["meaning"] > alone[0][later] + 0.2


def test_a_later_passage_is_also_found_by_meaning(store: Store) -> None:
    """The words that both have are not among the rarest of the earlier one, and only these are looked for."""
    rare = " ".join(f"unheard{number}" for number in range(rerank.RAREST))
    earlier = f"north only tide wind gust {rare}"
    talk(store, "s1", 1, "north is open", "north is fine", earlier, "north it is")
    talk(store, "s2", 60, "north tide wind gust", "north it is now")
    for number in range(4):
        talk(store, f"t{number}", 10 + number, "bump it", "the tide, wind and gust are done")
    assert continuations(store, {earlier: 1.0}, ByFirstWord()) == {earlier: "north it is now"}
    assert continuations(store, {earlier: 1.0}) == {}


QUESTION = "how long do we keep the raw pings?"
FIRST, SECOND = "keep the raw pings 30 days, then drop them", "120 days for the raw pings from now on"


@pytest.mark.parametrize("vectors", [True, False])
def test_every_feature_was_trained_and_every_trained_one_is_there(store: Store, vectors: bool) -> None:
    """What the two exchanges share, how both are said, and what the question has to do with each."""
    small_talk(store)
    talk(store, "one", 2, "the disk is full of sonar pings", "Raw pings take 80 GB.", FIRST, "Done, a job drops them.")
    talk(store, "two", 90, "biologists want sonar data", "The pings of May are gone.", SECOND, "Changed the job.")
    vector = None
    if vectors:
        passage_vectors.embed_missing(store, real(), 256)
        vector = QueryVector(real().name, real().embed([QUESTION])[0])
    one = conversations.consider(store, QUESTION, (), vector)
    rows = {some.passage.text: row for row, some in one.read.items()}
    follower = Follower(store, list(rows.values()), {}, one.read, vector, one.asking())
    found = follower.candidates(rows[FIRST])[rows[SECOND]]
    trained = rerank.network(rerank.BY_MEANING if vectors else rerank.BY_WORDS).linear.keys()
    assert trained == found.keys() - (set() if vectors else {"talk meaning"})
    for name in ("own shared", "covers", "talk covers", "was: covers", "by a person", "was: by a person"):
        assert found[name] > 0, name
    assert found["for a figure"] == 1.0
    if vectors:
        near = one.asking().near([rows[SECOND]])[rows[SECOND]]
        assert (found["near: talk"], found["near: opening"]) == (near.talk, near.opening)
        assert found["near"] >= near.itself > found["near: talk"]
    current = conversations.search(store, QUESTION, (), 5, vector=vector)[0]
    assert current.passage.session == "two"
    assert "one" in {some.session for some in current.earlier}
