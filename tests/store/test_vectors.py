"""Vectors are made from memories and go with them: in no log, in no export, and not a byte after forgetting."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hardwon.memories.search.batch import embed_missing
from hardwon.memory import Status, Trust
from hardwon.settings.keys import Redact, Settings
from hardwon.settings.kinds import RedactRule
from hardwon.store import changes
from hardwon.store.connection import Store
from hardwon.store.erasure import forget, scrub
from hardwon.store.log import copies, exchange
from hardwon.store.maintenance import repair
from hardwon.store.tables import vectors
from tests.recall.models import Made, real
from tests.support import note, now, opened

TEXT = "The bassoon must be tuned before the rehearsal"


def blobs(store: Store) -> list[bytes]:
    return [blob for (blob,) in store.rows("select vector from vectors order by memory_row, facet, chunk")]


def facets(store: Store) -> list[tuple[str, int]]:
    return store.rows("select facet, chunk from vectors order by memory_row, facet, chunk")


def files_with(folder: Path, blob: bytes) -> list[str]:
    return sorted(file.name for file in folder.rglob("*") if file.is_file() and blob in file.read_bytes())


def test_missing_memories_are_embedded_newest_first(tmp_path: Path) -> None:
    """A few at a time, until none is left; then there is nothing to do."""
    model = Made()
    with opened(tmp_path) as store:
        for number in range(5):
            note(store, f"lesson number {number}")
        assert vectors.count_missing(store, "made") == 5
        assert [embed_missing(store, model, 2) for _ in range(4)] == [2, 2, 1, 0]
        assert model.seen == [f"lesson number {number}" for number in (4, 3, 2, 1, 0)]
        assert vectors.count_missing(store, "made") == 0


def test_body_and_intent_have_vectors_of_their_own(tmp_path: Path) -> None:
    """The title goes with the body; a long body is cut."""
    model = Made()
    with opened(tmp_path) as store:
        note(store, "short", title="a title", intent="what for")
        note(store, "word " * 250)
        embed_missing(store, model)
        assert facets(store) == [("body", 0), ("intent", 0), ("body", 0), ("body", 1), ("body", 2)]
        assert {"a title short", "what for"} <= set(model.seen)


def test_several_models_stand_side_by_side(tmp_path: Path) -> None:
    """Each sees what it lacks; one goes without the other."""
    with opened(tmp_path) as store:
        note(store, TEXT)
        embed_missing(store, Made("one", 64))
        assert vectors.count_missing(store, "two") == 1
        embed_missing(store, Made("two", 128))
        assert [(one.model, one.dims, one.memories, one.bytes) for one in vectors.held(store)] == [
            ("one", 64, 1, 64),
            ("two", 128, 1, 128),
        ]
        assert vectors.remove_model(store, "one") == 1
        assert [one.model for one in vectors.held(store)] == ["two"]
        assert vectors.count_missing(store, "two") == 0


def test_vectors_of_another_length_are_made_again(tmp_path: Path) -> None:
    """A server that answers under the same name with longer vectors is another model: none of the old ones stays."""
    with opened(tmp_path) as store:
        note(store, "one")
        embed_missing(store, Made("same", 64))
        note(store, "two")
        embed_missing(store, Made("same", 128), 1)
        assert [len(blob) for blob in blobs(store)] == [128]
        assert vectors.count_missing(store, "same") == 1


def test_a_text_that_changed_meanwhile_gets_no_old_vector(tmp_path: Path) -> None:
    """Embedding takes a while; what was edited or forgotten in that time is left for the next round."""
    with opened(tmp_path) as store:
        kept, edited, gone = (note(store, f"lesson {name}") for name in ("kept", "edited", "gone"))
        waiting = vectors.missing(store, "made", 10)
        changes.edit(store, edited, {"body": "something else"}, now(), Trust.USER)
        forget.forget(store, [gone], now())
        made = [(memory, [vectors.Stored(memory.row, "body", 0, 0.1, b"\1" * 64)]) for memory in waiting]
        assert vectors.put(store, "made", 64, made) == 1
        assert vectors.count_missing(store, "made") == 1
        assert kept


def test_an_edit_takes_the_old_vector_away(tmp_path: Path) -> None:
    """And the new text waits for its own; a change of standing leaves it."""
    with opened(tmp_path) as store:
        id = note(store, TEXT)
        embed_missing(store, Made())
        changes.edit(store, id, {"body": "a new text"}, now(), Trust.USER)
        assert blobs(store) == []
        embed_missing(store, Made())
        (before,) = blobs(store)
        changes.move(store, id, Status.ARCHIVED, now())
        assert blobs(store) == [before]


def _forgotten(store: Store, id: str) -> None:
    forget.forget(store, [id], now())


def _scrubbed(store: Store, _: str) -> None:
    root = store.home.root
    store.close()
    rules = Settings(redact=Redact(rules=(RedactRule("music", "bassoon"),)))
    with opened(root, rules) as other:
        scrub.scrub(other)


@pytest.mark.parametrize("erase", [_forgotten, _scrubbed])
def test_no_byte_of_a_vector_stays(tmp_path: Path, erase: Callable[[Store, str], None]) -> None:
    """Of a real vector: a text can be guessed from it. Not in the file, its WAL or its copies."""
    with opened(tmp_path) as store:
        id = note(store, TEXT)
        note(store, "another lesson that stays")
        embed_missing(store, real())
        blob = blobs(store)[0]
        copies.refresh(store)
        assert "memory.db" in " ".join(files_with(tmp_path, blob[:64]) + files_with(tmp_path, blob[64:96]))
        erase(store, id)
    assert files_with(tmp_path, blob[:64]) == []
    assert files_with(tmp_path, blob[-64:]) == []


def test_they_are_in_no_log_and_no_export(tmp_path: Path) -> None:
    """Derived: another device makes its own."""
    with opened(tmp_path) as store:
        note(store, TEXT)
        before = store.value("select count(*) from records")
        exported = list(exchange.export(store))
        embed_missing(store, Made())
        assert list(exchange.export(store)) == exported
        assert store.value("select count(*) from records") == before


def test_a_rebuild_keeps_the_vectors_that_still_fit(tmp_path: Path) -> None:
    """What the log says otherwise than the table loses its vector, and what is gone; the rest is not made again."""
    with opened(tmp_path) as store:
        ids = [note(store, f"lesson {name}") for name in ("kept", "wrong", "gone")]
        embed_missing(store, Made())
        rows = dict(store.db.execute("select id, row from memories"))
        store.db.execute("update memories set body = 'not in the log' where id = ?", (ids[1],))
        store.db.execute("delete from records where memory = ?", (ids[2],))
        repair.rebuild(store)
        assert [row for (row,) in store.rows("select memory_row from vectors")] == [rows[ids[0]]]
