"""The past is played through the program's own code, and it knows at each moment what had happened by then."""

from __future__ import annotations

import dataclasses
import tempfile
from pathlib import Path
from typing import Any

import pytest

from hardwon.event import Moment
from hardwon.rehearsal import run
from hardwon.rehearsal.player import Player
from hardwon.rehearsal.run import Rehearsal, home_of_its_own
from hardwon.rehearsal.stream import Counts, merged, sources
from hardwon.settings import DEFAULTS
from tests.clients import sessions
from tests.rehearsal.past import id_of, logs, rehearsed, session, timed

ERROR = "redis.exceptions.ConnectionError: Error 111 connecting to localhost:6379. Connection refused."


def mended(mark: str) -> list[dict[str, Any]]:
    """The tests fail, a service is started, the tests pass."""
    return [
        sessions.said("run the tests", f"prompt-{mark}"),
        *sessions.failed(f"toolu_{mark}_failed_0001", "make test", ERROR),
        *sessions.passed(f"toolu_{mark}_remedy_0001", "docker compose up -d redis"),
        *sessions.passed(f"toolu_{mark}_passed_0001", "make test", "3 passed"),
        sessions.spoke("The tests pass.", "end_turn"),
    ]


def failing(mark: str) -> list[dict[str, Any]]:
    return [
        sessions.said("and now the cart, please", f"prompt-{mark}"),
        *sessions.failed(f"toolu_{mark}_failed_0001", "make test", ERROR),
    ]


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    return folder


@pytest.fixture
def past(tmp_path: Path) -> Path:
    folder = tmp_path / "projects"
    folder.mkdir()
    return folder


def said(made: Rehearsal, number: int) -> list[tuple[Moment, str]]:
    return [(one.moment, one.text) for one in made.score.sayings if one.session == id_of(number)]


def test_what_one_session_learned_is_told_in_the_next(past: Path, shop: Path) -> None:
    session(past, 1, 0, *mended("one"), cwd=shop)
    session(past, 2, 2, *failing("two"), cwd=shop)
    told = said(rehearsed(past), 2)
    assert any(moment in (Moment.BEFORE_ACTION, Moment.AFTER_FAILURE) for moment, _ in told)
    assert "docker compose up -d redis" in "".join(text for _, text in told)
    assert said(rehearsed(past), 1) == []


def test_what_another_session_had_not_learned_yet_is_not_told(past: Path, shop: Path) -> None:
    """They overlap: the second one fails while the first is still at it."""
    session(past, 1, 0, *mended("one"), cwd=shop)
    session(past, 2, 1.5 / 3600, *failing("two"), cwd=shop)
    assert said(rehearsed(past), 2) == []


def test_a_session_that_is_resumed_is_told_what_others_learned_meanwhile(past: Path, shop: Path) -> None:
    records = [*timed(0, [sessions.said("hello", "prompt-hello")]), *timed(24, failing("two"))]
    sessions.claude(past / f"{id_of(2)}.jsonl", id_of(2), shop, *records)
    session(past, 1, 2, *mended("one"), cwd=shop)
    assert "docker compose up -d redis" in "".join(text for _, text in said(rehearsed(past), 2))


def test_a_note_before_a_call_comes_with_its_result(past: Path, shop: Path) -> None:
    """So it is too late for that call, and counts from the next one on."""
    session(past, 1, 0, *mended("one"), cwd=shop)
    session(past, 3, 1, *mended("three"), cwd=shop)
    session(past, 2, 2, *failing("two"), *sessions.passed("toolu_two_again_00001", "make lint"), cwd=shop)
    notes = [one for one in rehearsed(past).score.sayings if one.moment is Moment.BEFORE_ACTION]
    assert notes
    assert all(one.delivered == one.number + 1 and one.stays == 1 for one in notes)


def interrupted(scratch: Path) -> None:
    with home_of_its_own(DEFAULTS):
        assert len(list(scratch.iterdir())) == 1
        raise KeyboardInterrupt


def test_the_home_is_gone_afterwards(past: Path, shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also when it is interrupted in the midst of it."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "scratch"))
    (tmp_path / "scratch").mkdir()
    session(past, 1, 0, *mended("one"), cwd=shop)
    rehearsed(past)
    assert list((tmp_path / "scratch").iterdir()) == []
    with pytest.raises(KeyboardInterrupt):
        interrupted(tmp_path / "scratch")
    assert list((tmp_path / "scratch").iterdir()) == []


def test_an_excluded_folder_stays_out(past: Path, shop: Path) -> None:
    """Nothing of it is kept, so nothing of it is told."""
    session(past, 1, 0, *mended("one"), cwd=shop)
    session(past, 2, 2, *failing("two"), cwd=shop)
    closed = dataclasses.replace(DEFAULTS.control, exclude_paths=(str(shop),))
    assert rehearsed(past, dataclasses.replace(DEFAULTS, control=closed)).score.sayings == []


def test_a_session_in_which_the_program_had_spoken_is_set_apart(past: Path, shop: Path) -> None:
    """It was another session than it would have been; it is learned from all the same."""
    hook = {"type": "attachment", "attachment": {"type": "hook_additional_context", "content": '<hardwon moment="x">'}}
    session(past, 1, 0, hook, *mended("one"), cwd=shop)
    session(past, 2, 2, *failing("two"), cwd=shop)
    made = rehearsed(past)
    assert made.apart == {run.SPOKE: 1}
    assert made.counted == [id_of(2)]
    assert "docker compose up -d redis" in "".join(text for _, text in said(made, 2))


def test_a_call_that_passes_against_what_was_said_is_a_contradiction(past: Path, shop: Path) -> None:
    session(past, 1, 0, *mended("one"), cwd=shop)
    session(past, 3, 1, *mended("three"), cwd=shop)
    start = sessions.said("hello", "prompt-two")
    session(past, 2, 2, start, *sessions.passed("toolu_two_passed_0001", "make test", "3 passed"), cwd=shop)
    made = rehearsed(past)
    notes = [one for one in made.score.sayings if one.moment is Moment.BEFORE_ACTION]
    assert [one.contradicted for one in notes] == [True]
    assert made.score.penalty == 3


def test_each_session_begins_as_the_client_would_tell_it(past: Path, shop: Path) -> None:
    """A new one is a start, also where the client puts something in before anybody says a word; a fork is none."""
    meta = {"type": "user", "isMeta": True, "message": {"role": "user", "content": "Caveat: local commands"}}
    first = timed(0, [meta, sessions.said("hello", "prompt-one"), *sessions.passed("toolu_one_passed_0001", "ls")])
    own = timed(1, [sessions.said("go on", "prompt-two"), *sessions.passed("toolu_two_passed_0001", "ls")])
    sessions.claude(past / f"{id_of(1)}.jsonl", id_of(1), shop, *first)
    sessions.claude(past / f"{id_of(2)}.jsonl", id_of(2), shop, *first, *own)
    with home_of_its_own(DEFAULTS) as store:
        player = Player(store)
        for told in merged(sources(logs(past), Counts()), Counts()):
            player.play(told)
        told_of = store.rows("select s.id, j.text from journal j join sessions s on s.row = j.session"
                             " where j.type = 'session_started' order by j.at")  # fmt: skip
    assert told_of == [(id_of(1), "startup"), (id_of(2), "fork")]


def test_the_same_past_gives_the_same_figures(past: Path, shop: Path) -> None:
    session(past, 1, 0, *mended("one"), cwd=shop)
    session(past, 2, 2, *failing("two"), cwd=shop)
    one, other = rehearsed(past), rehearsed(past)
    assert [each.text[:40] for each in one.score.sayings] == [each.text[:40] for each in other.score.sayings]
    assert one.score.net == other.score.net
    assert one.miner == other.miner
