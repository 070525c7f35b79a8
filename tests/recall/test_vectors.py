"""The search by meaning: scopes, incremental reading, the plain cosine, and never waiting for a model."""

from __future__ import annotations

import gc
import shutil
import weakref
from collections.abc import Iterator
from pathlib import Path

import numpy
import pytest

from hardwon.embedding.ready import READY
from hardwon.memories.search import vectors
from hardwon.memories.search.batch import embed, embed_missing, quantised
from hardwon.memories.search.vectors import QueryVector, nearest, query_vector
from hardwon.memory import GLOBAL, Trust
from hardwon.settings.keys import Settings, Vectors
from hardwon.store import changes
from hardwon.store.connection import Store
from hardwon.store.erasure import forget
from hardwon.store.tables import vectors as stored
from hardwon.store.tables.vectors import Placed
from tests.recall.models import Made, real
from tests.support import note, now, opened

MODEL = Made()
SCOPES = ("p1", GLOBAL)


@pytest.fixture(autouse=True)
def nothing_loaded() -> Iterator[None]:
    yield
    READY.drop()
    READY.when_wanted(None)


def query(text: str) -> QueryVector:
    return QueryVector(MODEL.name, MODEL.embed([text])[0])


def found(store: Store, text: str, scopes: tuple[str, ...] = SCOPES, **more: object) -> list[str]:
    rows = [row for row, _ in nearest(store, query(text), scopes, 50, **more)]  # type: ignore[arg-type]
    ids = dict(store.db.execute("select row, body from memories"))
    return [ids[row] for row in rows]


def test_the_same_text_has_cosine_one(tmp_path: Path) -> None:
    """Best first, each memory once, with a number that means the same for every question."""
    with opened(tmp_path) as store:
        note(store, "alpha", intent="beta")
        note(store, "gamma")
        embed_missing(store, MODEL)
        hits = nearest(store, query("beta"), SCOPES, 10)
        assert len(hits) == 2
        assert hits[0][1] == pytest.approx(1, abs=0.01)
        assert abs(hits[1][1]) < 0.5
        assert nearest(store, query("beta"), SCOPES, 1) == hits[:1]


def test_only_what_may_be_seen_is_found(tmp_path: Path) -> None:
    """By project, by skill, by facet."""
    with opened(tmp_path) as store:
        note(store, "everywhere")
        note(store, "of one", project="p1")
        note(store, "of two", project="p2")
        note(store, "of a skill", skill="voice", intent="speaking")
        embed_missing(store, MODEL)
        assert set(found(store, "x")) == {"everywhere", "of one", "of a skill"}
        assert set(found(store, "x", ("p2",))) == {"of two"}
        assert found(store, "x", ("p3",)) == []
        assert found(store, "x", skill="voice") == ["of a skill"]
        assert found(store, "x", skill="none") == []
        assert found(store, "x", facets=("intent",)) == ["of a skill"]


def test_a_chunk_is_enough(tmp_path: Path) -> None:
    """What stands in the third hundred words of a long text is found by it."""
    with opened(tmp_path) as store:
        note(store, "one " * 200 + "needle " * 100)
        embed_missing(store, MODEL)
        ((_, cosine),) = nearest(store, query("needle " * 99 + "needle"), SCOPES, 5)
        assert cosine == pytest.approx(1, abs=0.01)


def test_changes_are_taken_in_one_by_one(tmp_path: Path) -> None:
    """New, edited, moved and forgotten memories, from this connection and from another; nothing else is read again."""
    with opened(tmp_path) as store:
        ids = {name: note(store, name) for name in ("stays", "goes", "changes", "moves")}
        embed_missing(store, MODEL)
        assert set(found(store, "x")) == set(ids)
        with opened(tmp_path) as other:
            note(other, "new")
            changes.edit(other, ids["changes"], {"body": "changed"}, now(), Trust.USER)
            other.db.execute("update memories set project = 'p9' where id = ?", (ids["moves"],))
            forget.forget(other, [ids["goes"]], now())
            assert set(found(store, "x")) == {"stays"}
            embed_missing(other, MODEL)
        assert set(found(store, "x")) == {"stays", "new", "changed"}
        assert found(store, "x", ("p9",)) == ["moves"]
        assert found(store, "changed")[0] == "changed"


def test_a_flood_of_changes_is_left_to_the_background(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search takes in some of them and answers; `warm` takes in all."""
    monkeypatch.setattr(vectors, "AT_ONCE", 3)
    with opened(tmp_path) as store:
        note(store, "first")
        embed_missing(store, MODEL)
        assert len(found(store, "x")) == 1
        for number in range(8):
            note(store, f"lesson {number}")
        # As from another process: the one that embeds looks for doubles, and has read them all by then.
        stored.put(store, MODEL.name, MODEL.dims, embed(MODEL, stored.missing(store, MODEL.name, 20)))
        assert [len(found(store, "x")) for _ in range(3)] == [4, 7, 9]
        assert vectors.warm(store, MODEL.name) == 9


def test_the_matrix_goes_with_the_last_who_has_the_store_open(tmp_path: Path) -> None:
    """It may be hundreds of MB; a process that opens one store after another holds that of none that it has closed."""
    first = opened(tmp_path)
    note(first, "alpha")
    embed_missing(first, MODEL)
    with opened(tmp_path, write=False) as second:
        matrix = weakref.ref(vectors.matrix_of(second, MODEL.name))
        assert found(second, "x") == ["alpha"]
    assert matrix() is vectors.matrix_of(first, MODEL.name)
    first.close()
    gc.collect()
    assert matrix() is None


def test_a_restored_database_is_read_anew(tmp_path: Path) -> None:
    """Another file in the same place: nothing of the one before is found."""
    with opened(tmp_path) as store:
        note(store, "old")
        embed_missing(store, MODEL)
        assert found(store, "x") == ["old"]
    shutil.rmtree(tmp_path)
    with opened(tmp_path) as store:
        note(store, "new")
        embed_missing(store, MODEL)
        assert found(store, "x") == ["new"]


def test_a_copy_from_before_is_read_anew(tmp_path: Path) -> None:
    """It has the same device and fewer changes: what was embedded after it is not found in it."""
    with opened(tmp_path) as store:
        note(store, "old")
        embed_missing(store, MODEL)
        store.db.execute("pragma wal_checkpoint(truncate)").fetchall()
        before = (tmp_path / "memory.db").read_bytes()
        note(store, "later")
        embed_missing(store, MODEL)
        assert set(found(store, "x")) == {"old", "later"}
    (tmp_path / "memory.db").write_bytes(before)
    with opened(tmp_path, write=False) as store:
        assert found(store, "x") == ["old"]


def test_a_model_whose_vectors_grew_is_read_anew(tmp_path: Path) -> None:
    """A server changed its model under the same name: the new vectors are found, the old ones are gone."""
    with opened(tmp_path) as store:
        note(store, "one")
        embed_missing(store, Made("same", 64))
        short, long = (QueryVector("same", Made("same", dims).embed(["one"])[0]) for dims in (64, 128))
        assert len(nearest(store, short, SCOPES, 5)) == 1
        note(store, "two")
        while embed_missing(store, Made("same", 128)):
            pass
        assert len(nearest(store, long, SCOPES, 5)) == 2
        assert nearest(store, short, SCOPES, 5) == []


@pytest.mark.parametrize("dims", [64, 100, 384])
def test_many_vectors_are_searched_by_their_signs_first(dims: int) -> None:
    """And what comes back is what multiplying everything finds, for nine of ten at least."""
    chance = numpy.random.default_rng(7)
    centres = chance.normal(size=(50, dims))
    rows = centres[chance.integers(0, 50, 6_000)] + chance.normal(size=(6_000, dims))
    rows = (rows / numpy.linalg.norm(rows, axis=1, keepdims=True)).astype(numpy.float32)
    matrix = vectors.Matrix("made")
    placed = [Placed(row, "body", *one, "p1" if row % 2 else "p2", None) for row, one in enumerate(quantised(rows))]
    matrix._add(placed)
    same = 0
    for question in rows[:20]:
        exact = set(numpy.argsort(-(rows @ question))[:10].tolist())
        best = matrix.nearest(question, ("p1", "p2"), 10, None, ("body", "intent"))
        same += len(exact & {row for row, _ in best})
        assert best[0][1] == pytest.approx(1, abs=0.01)
    assert same >= 180


# --- the question ----------------------------------------------------------------------------------------------------


def test_a_question_does_not_wait_for_a_model(tmp_path: Path) -> None:
    """None at once, and whoever loads models is told; with the model there, it is a vector."""
    told: list[int] = []
    READY.when_wanted(lambda: told.append(1))
    with opened(tmp_path) as store:
        assert query_vector(store, "which port?") is None
        assert told == [1]
        READY.put(store.settings.vectors, real())
        note(store, "The staging database listens on port 5433")
        note(store, "Install dependencies with pnpm")
        embed_missing(store, real())
        made = query_vector(store, "where does postgres run?")
        assert made is not None
        (best, second) = nearest(store, made, SCOPES, 2)
        assert best[1] > second[1]
        assert store.value("select body from memories where row = ?", (best[0],)).startswith("The staging")
        assert query_vector(store, "数据库端口是什么") is None, "a language that it does not know"
        assert query_vector(store, "  ") is None
        assert told == [1]


def test_another_model_in_the_settings_is_another_model(tmp_path: Path) -> None:
    """The one that is loaded is not asked for it."""
    READY.put(Vectors(), MODEL)
    with opened(tmp_path, Settings(vectors=Vectors(model="/somewhere"))) as store:
        assert query_vector(store, "x") is None
    with opened(tmp_path, Settings(vectors=Vectors(model="off"))) as store:
        assert query_vector(store, "x") is None
    with opened(tmp_path) as store:
        assert query_vector(store, "x") is not None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("  why does it fail?\n", "why does it fail?"),
        ("x" * 400, "x" * 400),
        ("x" * 401, "x" * 200 + " " + "x" * 200),
        ("数" * 1_000, "数" * 200 + " " + "数" * 200),
        (
            "why? " + "noise " * 10_000 + "KeyError: 'total'",
            "why? " + "noise " * 32 + "noise " * 30 + "KeyError: 'total'",
        ),
    ],
)
def test_a_long_question_is_its_beginning_and_its_end(text: str, expected: str) -> None:
    """Whole words, as far as there are any: a prompt does not wait for a vector of all that was pasted."""
    assert vectors.ends(text) == expected
    assert len(vectors.ends(text)) <= 2 * vectors.ENDS + 1


def test_a_question_is_embedded_once(tmp_path: Path) -> None:
    """It is asked at several moments; of a long one only its ends count."""
    model = Made("counts")
    READY.put(Vectors(), model)
    with opened(tmp_path) as store:
        first = query_vector(store, "word " * 500)
        assert query_vector(store, "word " * 400) is first
    assert model.seen == ["word " * 77 + "word"]


def test_what_means_most_nearly_the_same_as_a_memory(tmp_path: Path) -> None:
    """In its project, without itself."""
    with opened(tmp_path) as store:
        own = note(store, "alpha", project="p1")
        note(store, "beta", project="p1", intent="alpha")
        note(store, "gamma", project="p1")
        note(store, "alpha", project="p2")
        assert vectors.like(store, MODEL.name, own, "p1", 10) == {}
        embed_missing(store, MODEL)
        ids = dict(store.db.execute("select row, body from memories"))
        alike = vectors.like(store, MODEL.name, own, "p1", 10)
        assert [ids[row] for row in alike] == ["beta", "gamma"]
        assert max(alike.values()) == pytest.approx(1, abs=0.01)
