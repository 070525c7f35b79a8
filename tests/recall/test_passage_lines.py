"""Which passages are followed into later talks, by what, and where the line then ends: on a real store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy
import pytest

from hardwon.event import Event, EventType, Tier
from hardwon.recall import lines, passage_lines, passage_vectors
from hardwon.recall.judge import Judge
from hardwon.recall.vectors import QueryVector
from hardwon.store import journal, passages
from hardwon.store.connection import Store
from tests.recall.models import Made
from tests.recall.test_conversations import DAY, small_talk, talk
from tests.support import opened

if TYPE_CHECKING:
    from hardwon.recall.embedding.model import Vectors


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


def continued(store: Store, scores: dict[str, float], model: Made | None = None) -> dict[str, str]:
    """From text to text; `scores` is what the search found."""
    return followed(store, scores, model)[0]


def followed(
    store: Store, scores: dict[str, float], model: Made | None = None, least: float = 0.0
) -> tuple[dict[str, str], dict[str, str]]:
    """The same, and what perhaps continues them."""
    by_row = {row(store, text): score for text, score in scores.items()}
    if model:
        while passage_vectors.embed_missing(store, model):
            pass
    vector = QueryVector(model.name, numpy.zeros(model.dims, dtype=numpy.float32)) if model else None
    read = passages.by_rows(store, by_row)
    found = passage_lines.found(store, list(by_row), by_row, read, vector, passage_lines.Asking(), least)
    sure, perhaps = (
        {read[one].passage.text: read[other].passage.text for one, other in some.items()} for some in found
    )
    return sure, perhaps


BUILT = "Built: webhooks/delivery.py reads RETRY_LIMIT for deliver_webhook."


def decided(store: Store) -> None:
    talk(store, "s1", 1, "shops that are down", "They lose everything.", "only five attempts", BUILT)


def test_a_decision_is_known_by_the_answer_to_it(store: Store) -> None:
    """Neither of the two terse ones has a word of the other."""
    decided(store)
    done = "Done: webhooks/delivery.py has no RETRY_LIMIT, deliver_webhook goes by age."
    talk(store, "s2", 60, "outage on saturday", "Thousands were given up.", "go on for three days", done)
    small_talk(store)
    assert continued(store, {"only five attempts": 1.0}) == {"only five attempts": done}


def test_with_its_first_prompt_a_talk_only_brings_something_up(store: Store) -> None:
    """The prompt tells of a change and its answer does not, and yet the answer says how it is now."""
    decided(store)
    asked = "webhooks/delivery.py shall have no RETRY_LIMIT for deliver_webhook now"
    talk(store, "s2", 60, asked, "It goes by age.")
    small_talk(store)
    assert continued(store, {BUILT: 1.0}) == {BUILT: "It goes by age."}


def test_what_is_not_sure_is_told_beside_it(store: Store) -> None:
    """What is sure enough takes the place of the earlier one; with more asked for, it is only named; and never both."""
    decided(store)
    done = "Done: webhooks/delivery.py has no RETRY_LIMIT, deliver_webhook goes by age."
    talk(store, "s2", 60, "outage on saturday", "Thousands were given up.", "go on for three days", done)
    small_talk(store)
    line = {"only five attempts": done}
    assert followed(store, {"only five attempts": 1.0}) == (line, {})
    assert followed(store, {"only five attempts": 1.0}, least=99.0) == ({}, line)


def test_what_is_named_is_the_last_of_its_line() -> None:
    """What may continue one passage may itself have been amended."""
    assert passage_lines._last(2, {2: 5, 5: 7}) == 7
    assert passage_lines._last(2, {2: 5, 5: 2}) in (2, 5)  # a circle ends
    assert passage_lines._last(2, {}) == 2


def test_what_was_amended_itself_is_not_named(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The nearer in time, the likelier: the first may be continued by the second, which the third does for certain."""
    monkeypatch.setattr(lines, "judge_of", lambda **_: Judge(1.2, {"long ago": -4.0}, (), {"long ago": ()}))
    texts = {1: "Five attempts for webhooks.", 41: "Nine attempts for webhooks.", 42: "Twelve attempts for webhooks."}
    for day, text in texts.items():
        talk(store, f"s{day}", day, "webhooks", text)
    first, second, third = texts.values()
    sure, perhaps = followed(store, {first: 1.0, second: 0.9})
    assert sure == {second: third}
    assert perhaps[first] == third


def test_what_hardly_continues_it_is_not_told(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    decided(store)
    talk(store, "s2", 60, "colour of the logo", "Blue or green.", "green, as on the van", "Done, it is green.")
    small_talk(store)
    found = {"only five attempts": 1.0, "Done, it is green.": 0.5}
    assert followed(store, found) == ({}, {})
    monkeypatch.setattr(passage_lines, "PERHAPS", -99.0)
    assert followed(store, found) == ({}, {"only five attempts": "Done, it is green."})


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
    assert continued(store, {"webhooks/delivery.py reads RETRY_LIMIT for": 1.0}) == {}
    assert continued(store, {BUILT: 1.0, "webhooks/delivery.py has no": 0.9}) == {}


def test_whole_exchanges_are_compared_by_meaning(store: Store) -> None:
    """No word is shared; the answers mean the same, the decisions by themselves do not."""
    talk(store, "s1", 1, "keep thirty", "so it is", "only quayside thirty", "so it is")
    talk(store, "s2", 60, "outage", "sorry", "harbour sixty now", "so it is")
    small_talk(store)
    earlier, later = row(store, "only quayside thirty"), row(store, "harbour sixty")
    model = ByFirstWord()
    while passage_vectors.embed_missing(store, model):
        pass
    vector = QueryVector(model.name, numpy.zeros(model.dims, dtype=numpy.float32))
    read = passages.by_rows(store, [earlier, later])
    follower = passage_lines.Follower(store, [earlier, later], {}, read, vector, passage_lines.Asking())
    found = follower.later_than(earlier)
    assert found is not None
    assert found.cosines is not None
    alone = passage_vectors.alike(store, model.name, [earlier], {later: [later]})
    assert alone is not None
    assert found.cosines[later] > alone[0][later] + 0.2


def test_a_later_passage_is_also_found_by_meaning(store: Store) -> None:
    """The words that both have are not among the rarest of the earlier one, and only these are looked for."""
    rare = " ".join(f"unheard{number}" for number in range(passage_lines.MOST_WORDS))
    earlier = f"north only tide wind gust {rare}"
    talk(store, "s1", 1, "north is open", "north is fine", earlier, "north it is")
    talk(store, "s2", 60, "north tide wind gust", "north it is now")
    for number in range(4):
        talk(store, f"t{number}", 10 + number, "bump it", "the tide, wind and gust are done")
    assert continued(store, {earlier: 1.0}, ByFirstWord()) == {earlier: "north it is now"}
    assert continued(store, {earlier: 1.0}) == {}
