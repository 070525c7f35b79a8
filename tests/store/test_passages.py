"""What was said, cut and searchable: kept in step with the journal, and gone with it to the last byte."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardwon.embedding import packaged
from hardwon.embedding.sentences import MOST_TOKENS
from hardwon.event import Event, EventType, Tier
from hardwon.redact import border
from hardwon.settings import DEFAULTS
from hardwon.settings.keys import Vectors
from hardwon.store.connection import Store
from hardwon.store.maintenance import repair
from hardwon.store.tables import journal, passage_vectors, passages, vectors
from hardwon.store.tables.passage_vectors import Stored
from tests.commandline import Cli
from tests.support import files_with, note, opened

PROMPT = "shall the bassoon be tuned before the rehearsal"
ANSWER = "Yes, the xylophonist insists."
AFTER = "fine, then before noon"
WORDS = ("bassoon", "rehearsal")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with opened(tmp_path / "home") as store:
        yield store


def talk(store: Store, *turns: str, session: str = "s1", project: str | None = None) -> None:
    events = [
        (
            Event(
                EventType.TURN_ENDED if number % 2 else EventType.PROMPT_SUBMITTED,
                "claude-code", session, 1_000 + number, project, prompt=f"{session}-{number}", text=text,
            ),
            Tier.FULL,
        )
        for number, text in enumerate(turns)
    ]  # fmt: skip
    journal.append_many(store, [(border.clean_event(event, store.redactor), tier) for event, tier in events])


def texts(store: Store) -> list[str]:
    return [text for (text,) in store.rows("select text from passages order by row")]


def found(store: Store, word: str) -> int:
    return passages.rows_with(store, word, 100)


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("", []),
        ("one two three", ["one two three"]),
        ("one two. three four. five six.", ["one two. three four.", "five six."]),
        ("one two three four five six", ["one two three four five six"]),
        ("一二三四五六七八。九十一二。", ["一二三四五六七八。", "九十一二。"]),
        ("a b\nc d\ne f\n", ["a b\nc d", "e f"]),
    ],
)
def test_a_text_is_cut_at_the_ends_of_sentences(text: str, pieces: list[str]) -> None:
    """Into pieces of about so many words; a character of a script without blanks is half a word."""
    assert passages.cut(text, 4) == pieces


def test_what_was_said_is_searchable_with_what_it_answers(store: Store) -> None:
    """A passage has the end of what it answers, and of what stood before that; other events are no passages."""
    talk(store, PROMPT, ANSWER, AFTER)
    journal.append(
        store, Event(EventType.TOOL_FINISHED, "claude-code", "s1", 9_000, None, tool="Bash", text="bassoon"), Tier.FULL
    )
    assert passages.due(store) == 3
    assert passages.index_new(store) == 3
    assert (texts(store), passages.due(store)) == ([PROMPT, ANSWER, AFTER], 0)
    assert found(store, "bassoon") == 3
    assert passages.index_new(store) == 0


def test_a_word_of_its_own_or_of_what_it_answers(store: Store) -> None:
    talk(store, "which bassoon?", "The old one.", "Then the tuba.")
    passages.index_new(store)
    assert len(passages.having(store, "bassoon", 10)) == 3
    assert len(passages.having_itself(store, "bassoon", 10)) == 1


def test_a_portion_at_a_time(store: Store) -> None:
    talk(store, *(f"turn number {number}" for number in range(5)))
    assert [passages.index_new(store, 2) for _ in range(4)] == [2, 2, 1, 0]
    assert len(texts(store)) == 5


def test_what_goes_from_the_journal_goes_from_here(store: Store) -> None:
    """With its words, also those that stand beside the passages that answered it; these are cut anew."""
    talk(store, PROMPT, ANSWER, AFTER)
    passages.index_new(store)
    store.db.execute("delete from journal where text = ?", (PROMPT,))
    assert found(store, "bassoon") == 0
    passages.index_new(store)
    assert (texts(store), found(store, "bassoon"), found(store, "xylophonist")) == ([ANSWER, AFTER], 0, 2)


def test_what_is_reworded_is_cut_anew(store: Store) -> None:
    talk(store, PROMPT, ANSWER, AFTER)
    passages.index_new(store)
    store.db.execute("update journal set text = 'shall [forgotten]' where text = ?", (PROMPT,))
    assert found(store, "bassoon") == 0
    passages.index_new(store)
    assert (sorted(texts(store)), found(store, "bassoon")) == (sorted(["shall [forgotten]", ANSWER, AFTER]), 0)


def test_vectors_go_with_their_passages(store: Store) -> None:
    """Those of passages that are gone are not kept either, and a model that is let go takes them along."""
    talk(store, PROMPT, ANSWER)
    passages.index_new(store)
    waiting = passage_vectors.missing(store, "m", 10)
    assert [one.text for one in waiting] == [ANSWER, PROMPT]
    passage_vectors.put(
        store, "m", 2, [(one, Stored(one.passage, 1.0, b"\x01\x02", 1.0, b"\x03\x04")) for one in waiting]
    )
    assert (passage_vectors.count(store, "m"), passage_vectors.count_missing(store, "m")) == (2, 0)
    store.db.execute("delete from journal where text = ?", (ANSWER,))
    assert passage_vectors.count(store, "m") == 1
    passage_vectors.put(store, "m", 2, [(waiting[0], Stored(waiting[0].passage, 1.0, b"\x01\x02", 1.0, b"\x03\x04"))])
    assert passage_vectors.count(store, "m") == 1
    assert vectors.remove_model(store, "m") == 1
    assert passage_vectors.count(store, "m") == 0


def test_a_passage_is_also_seen_in_its_place(store: Store) -> None:
    """With the end of what it answers and of what stood before that, as far as there is room."""
    long = " ".join(first + second for first in "abcdefghij" for second in "klmnopqrst")
    talk(store, PROMPT, ANSWER, AFTER, long)
    passages.index_new(store)
    seen = {one.text: one.context for one in passage_vectors.missing(store, "m", 10)}
    assert seen[PROMPT] == PROMPT
    assert seen[AFTER] == f"{PROMPT} {ANSWER}\n{AFTER}"
    assert seen[long].endswith(f"fine, then before noon\n{long}")
    assert len(seen[long].split()) <= passage_vectors.CONTEXT
    full = passage_vectors.Unembedded(1, f"{long} {long}", ANSWER, PROMPT)
    assert full.context == full.text


RUSSIAN = "Сколько дней мы храним журналы на всех кластерах, если место на диске стоит так дорого каждый месяц? " * 4
LOGGED = " ".join(f"/srv/a{number}f/3e9c{number}d77b1/{number}.log:44:{number}" for number in range(40))


MARKED = (
    "| --- " * 60,
    "=" * 60 + " ",
    '{"a":[{"b":1},{"c":[]}],"d":{}} ' * 8,
    "....F..." * 8 + " ",
    "x[i]=f(a,b)->c; " * 12,
)
"""Marks, each of them a token: a table, a banner, JSON, a test run, code."""


@pytest.mark.parametrize("before", [RUSSIAN, LOGGED, *(text * 4 for text in MARKED)])
def test_what_stood_before_does_not_push_the_passage_out(before: str) -> None:
    """A model reads some 250 tokens, of a script that it hardly knows a letter each: two answers stay two."""
    answers = [passage_vectors.Unembedded(1, text, before, "").context for text in ("keep the second", "нет, первый")]
    cut = packaged.tokenizer()
    assert all(len(cut.encode(one).ids) <= MOST_TOKENS for one in answers)
    assert all(len(one) > 100 for one in answers)


def test_vectors_from_before_there_were_contexts_serve_until_they_are_made_anew(store: Store) -> None:
    talk(store, PROMPT, ANSWER)
    passages.index_new(store)
    (first, second) = passage_vectors.missing(store, "m", 10)
    passage_vectors.put(store, "m", 2, [(second, Stored(second.passage, 1.0, b"\x05\x06", 0.5, b"\x07\x08"))])
    store.db.execute(
        "insert into passage_vectors (model, passage, scale, vector) values (?, ?, 0.25, x'0102')",
        (vectors.number(store, "m"), first.passage),
    )
    found = {one.passage: one[1:5] for one in passage_vectors.everything(store, "m")}
    assert found == {
        first.passage: (0.25, b"\x01\x02", 0.25, b"\x01\x02"),
        second.passage: (1.0, b"\x05\x06", 0.5, b"\x07\x08"),
    }
    (again,) = passage_vectors.missing(store, "m", 10)
    assert (again.passage, again.own) == (first.passage, (0.25, b"\x01\x02"))
    assert (passage_vectors.count(store, "m"), passage_vectors.has_any(store, "m")) == (1, True)


def test_no_vector_is_kept_of_what_was_forgotten_meanwhile(store: Store) -> None:
    """A passage that is cut anew gets the number of one that went: neither it nor its neighbour, whose own text is the
    same, may have what was made of the old text."""
    talk(store, PROMPT, ANSWER)
    passages.index_new(store)
    waiting = passage_vectors.missing(store, "m", 10)
    store.db.execute("update journal set text = 'shall [forgotten]' where text = ?", (PROMPT,))
    passages.index_new(store)
    made = [(one, Stored(one.passage, 1.0, b"\x01\x02", 1.0, b"\x03\x04")) for one in waiting]
    passage_vectors.put(store, "m", 2, made)
    assert (passage_vectors.count(store, "m"), passage_vectors.count_missing(store, "m")) == (0, 2)


def test_only_the_newest_get_vectors(tmp_path: Path) -> None:
    """As many as the settings say."""
    settings = dataclasses.replace(DEFAULTS, vectors=Vectors(passages=2))
    with opened(tmp_path / "home", settings) as store:
        talk(store, *(f"turn {number}" for number in range(5)))
        passages.index_new(store)
        assert [one.text for one in passage_vectors.missing(store, "m", 10)] == ["turn 4", "turn 3"]


def test_a_repair_makes_them_anew(store: Store) -> None:
    talk(store, PROMPT, ANSWER)
    passages.index_new(store)
    store.db.execute("insert into passage_search (passage_search) values ('delete-all')")
    assert found(store, "bassoon") == 0
    repair.rebuild(store)
    assert (found(store, "bassoon"), texts(store)) == (2, [PROMPT, ANSWER])


def test_the_exchange_is_the_prompt_and_its_answer(store: Store) -> None:
    talk(store, PROMPT, ANSWER, AFTER)
    passages.index_new(store)
    read = {one.passage.text: one.passage for one in passages.by_rows(store, range(1, 9)).values()}
    assert [turn.text for turn in passages.exchange(store, read[PROMPT])] == [PROMPT, ANSWER]
    assert [turn.text for turn in passages.exchange(store, read[ANSWER])] == [PROMPT, ANSWER]
    assert [turn.text for turn in passages.exchange(store, read[AFTER])] == [AFTER]


def test_not_one_byte_stays_of_what_is_forgotten(cli: Cli) -> None:
    """A memory that a conversation quotes: neither the passage nor its neighbours keep a rare word of it."""
    text = "The xylophonist's bassoon must be tuned before the rehearsal"
    with opened(cli.home) as store:
        id = note(store, text)
        talk(store, f"remember: {text}", "Noted.", "thanks")
        passages.index_new(store)
        waiting = passage_vectors.missing(store, "m", 10)
        one = (1.0, b"\x11\x22\x33\x44")
        passage_vectors.put(store, "m", 4, [(of, Stored(of.passage, *one, *one)) for of in waiting])
        assert found(store, "bassoon") == 3
    cli.json("forget", id, "--yes")
    assert files_with(cli.home, *WORDS, "xylophonist") == {}
    with opened(cli.home) as store:
        passages.index_new(store)
        assert found(store, "bassoon") == 0
        assert found(store, "remember") == 3


def test_a_secret_is_not_among_them(store: Store) -> None:
    """They are made from the journal, which has it no more."""
    talk(store, "the token is ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8", "ok")
    passages.index_new(store)
    assert "a1B2c3D4" not in " ".join(texts(store))
