"""The matrix of passages: shared by all who read one database here, and gone with the last of them."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

import pytest

from hardwon.conversations import conversations, passage_rank, passage_vectors
from hardwon.conversations.passage_vectors import Held
from hardwon.memories.search.vectors import QueryVector
from hardwon.store.connection import Store
from hardwon.store.tables import vectors
from tests.recall.models import Made, real
from tests.recall.test_conversations import talk
from tests.support import opened

MODEL = Made()


def filled(folder: Path) -> Store:
    store = opened(folder)
    talk(store, "s1", 1, "where do backups go?", "To the second disk, every night.")
    passage_vectors.embed_missing(store, MODEL)
    return store


def search(store: Store, text: str = "To the second disk, every night.") -> weakref.ref[Held]:
    """Makes the matrix; tells of it without keeping it."""
    query = QueryVector(MODEL.name, MODEL.embed([text])[0])
    assert passage_vectors.look(store, query, (), 5).nearest
    (held,) = (one for one in store.beside.values() if isinstance(one, Held))
    assert len(held.rows) == 2
    return weakref.ref(held)


def is_gone(held: weakref.ref[Held]) -> bool:
    gc.collect()
    return held() is None


def test_it_goes_with_the_store(tmp_path: Path) -> None:
    """A process that opens one store after another holds the matrix of none that it has closed."""
    for name in ("one", "two", "three"):
        store = filled(tmp_path / name)
        held = search(store)
        store.close()
        assert is_gone(held)


def test_it_stays_as_long_as_anybody_has_the_store_open(tmp_path: Path) -> None:
    """The daemon opens a connection for each question of an agent; the matrix is not read anew for each."""
    first = filled(tmp_path / "home")
    with opened(tmp_path / "home") as second:
        held = search(second)
    assert not is_gone(held)
    assert search(first)() is held()
    first.close()
    assert is_gone(held)


def test_a_single_new_passage_is_found(tmp_path: Path) -> None:
    """The matrix is held, and has what was embedded since."""
    with filled(tmp_path / "home") as store:
        held = search(store)
        talk(store, "later", 9, "where does the bassoon go?")
        passage_vectors.embed_missing(store, MODEL)
        vector = QueryVector(MODEL.name, MODEL.embed(["where does the bassoon go?"])[0])
        ((row, cosine),) = passage_vectors.look(store, vector, (), 1).nearest
        assert store.value("select text from passages where row = ?", (row,)) == "where does the bassoon go?"
        assert cosine > 0.99
        assert not is_gone(held)


def test_another_model_takes_its_place(tmp_path: Path) -> None:
    """Whoever changes the model does not pay for both."""
    with filled(tmp_path / "home") as store:
        held = search(store)
        other = Made("other", 32)
        passage_vectors.embed_missing(store, other)
        assert passage_vectors.look(store, QueryVector("other", other.embed(["disk"])[0]), (), 5).nearest
        assert is_gone(held)


def test_a_talk_is_near_by_what_it_began_with_by_all_of_it_and_by_its_best(tmp_path: Path) -> None:
    """Whatever another session said right before; and what has no vector is left out."""
    with opened(tmp_path / "home") as store:
        talk(store, "s0", 1, "where do backups go?", "Done.")
        talk(store, "s1", 2, "flash or memory for the buffer?", "flash", "and where do backups go?", "nowhere")
        passage_vectors.embed_missing(store, MODEL)
        rows = {text: row for row, text in store.rows("select row, text from passages")}
        looked = passage_vectors.look(store, QueryVector(MODEL.name, MODEL.embed(["where do backups go?"])[0]), (), 10)
        alone = dict(looked.nearest)
        near = looked.near([rows["flash"], rows["Done."], 999])
        assert near.keys() == {rows["flash"], rows["Done."]}
        said = [row for text, row in rows.items() if text not in ("where do backups go?", "Done.")]
        opening = alone[rows["flash or memory for the buffer?"]]
        whole = sum(alone[row] for row in said) / len(said)
        best = max(alone[row] for row in said)
        assert near[rows["flash"]][:4] == pytest.approx((alone[rows["flash"]], opening, whole, best), abs=1e-5)
        assert near[rows["Done."]].opening == near[rows["Done."]].best == pytest.approx(1.0, abs=0.02)


def test_what_was_looked_at_stays_as_it_was(tmp_path: Path) -> None:
    """A passage that comes meanwhile does not shift the places of the others."""
    with filled(tmp_path / "home") as store:
        looked = passage_vectors.look(store, QueryVector(MODEL.name, MODEL.embed(["second disk"])[0]), (), 10)
        before = looked.near(dict(looked.nearest))
        talk(store, "s0", 0, "an earlier talk", "of which nobody knew")
        passage_vectors.embed_missing(store, MODEL)
        search_again = passage_vectors.look(store, QueryVector(MODEL.name, MODEL.embed(["disk"])[0]), (), 10)
        assert len(search_again.nearest) == 4
        assert looked.near(before) == before


def test_an_answer_is_ranked_with_its_talk(tmp_path: Path) -> None:
    """It means nothing by itself, and its talk is about the question."""
    question = "flash or memory for the buffer?"
    with opened(tmp_path / "home") as store:
        talk(store, "s0", 1, "where do backups of the disk go?", "tape it is then")
        talk(store, "s1", 2, question, "flash it is then")
        passage_vectors.embed_missing(store, MODEL)
        vector = QueryVector(MODEL.name, MODEL.embed([question])[0])
        found = conversations.consider(store, question, (), vector)
        signs = {one.passage.text: found.signs[row] for row, one in found.read.items()}
        right, wrong = signs["flash it is then"], signs["tape it is then"]
        assert right["opening"] == right["best of talk"] == right["led to"] == pytest.approx(1.0)
        assert all(wrong[sign] < 0.9 for sign in ("opening", "best of talk", "led to"))
        assert right["led to by words"] == 0  # meaning tells it better
        by_words = conversations.consider(store, question, (), None)
        assert any(one["led to by words"] == 1 for one in by_words.signs.values())
        assert found.weights(next(iter(found.read))) is passage_rank.BY_MEANING
        assert by_words.weights(next(iter(by_words.read))) is passage_rank.BY_WORDS


def test_a_terse_answer_is_found_by_what_led_to_it(tmp_path: Path) -> None:
    """By itself "sixty, printed on the slip" is about nothing; in its place it is as near as what it answers."""
    question = "how long may customers bring things back"
    with opened(tmp_path / "home") as store:
        talk(store, "s1", 1, "customers bring things back, how long may they", "sixty, printed on the slip")
        for number in range(3):
            talk(store, f"t{number}", 2 + number, f"the footer of page {number} is blue", "so it is")
        while passage_vectors.embed_missing(store, real()):
            pass
        vector = QueryVector(real().name, real().embed([question])[0])
        looked = passage_vectors.look(store, vector, (), 10)
        texts = dict(store.rows("select row, text from passages"))
        near = {texts[row]: one for row, one in looked.near(texts).items()}
        terse = near["sixty, printed on the slip"]
        assert terse.context > terse.itself + 0.2
        assert terse.best_context >= terse.context
        assert {texts[row] for row, _ in looked.nearest_in_context[:2]} == {
            "customers bring things back, how long may they",
            "sixty, printed on the slip",
        }


def test_what_is_near_only_in_its_place_is_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where nothing beside it leads."""
    monkeypatch.setattr(conversations, "LOOKED_AT", 2)
    monkeypatch.setattr(conversations, "LEADING", 0)
    with opened(tmp_path / "home") as store:
        for number in range(6):
            talk(
                store,
                f"t{number}",
                number,
                f"the footer of page {number}",
                f"blue {number}",
                "why",
                f"so it is {number}",
            )
        while passage_vectors.embed_missing(store, MODEL):
            pass
        vector = QueryVector(MODEL.name, MODEL.embed(["something else"])[0])
        looked = passage_vectors.look(store, vector, (), 2)
        itself, placed = dict(looked.nearest), dict(looked.nearest_in_context)
        assert placed.keys() - itself.keys()
        found = conversations.consider(store, "something else", (), vector)
        assert placed.keys() <= found.read.keys()


def test_of_a_passage_that_has_its_own_vector_only_the_other_is_made(tmp_path: Path) -> None:
    """From before there were two: a server is not sent again what it has seen."""
    model = Made()
    with filled(tmp_path / "home") as store:
        before = dict(store.rows("select passage, vector from passage_vectors"))
        store.db.execute("update passage_vectors set context = null, context_scale = null")
        assert passage_vectors.embed_missing(store, model) == 2
        answer, prompt = "To the second disk, every night.", "where do backups go?"
        assert model.seen == [f"{prompt}\n{answer}"]
        assert dict(store.rows("select passage, vector from passage_vectors")) == before
        assert passage_vectors.embed_missing(store, model) == 0


def test_its_own_vector_is_made_again_where_a_model_gives_longer_ones_now(tmp_path: Path) -> None:
    """A server was given another model under the same name before all passages had been seen in their places."""
    with filled(tmp_path / "home") as store:
        store.db.execute("update passage_vectors set context = null, context_scale = null")
        longer = Made(dims=128)
        assert passage_vectors.embed_missing(store, longer) == 2
        query = QueryVector(longer.name, longer.embed(["where do backups go?"])[0])
        assert len(passage_vectors.look(store, query, (), 5).nearest) == 2


KEPT = [f"the {what} is kept for {days} days, as agreed" for days, what in enumerate(("tape", "disk", "log", "card"))]


@pytest.mark.parametrize("embedded", range(0, 9, 2))
def test_what_has_no_vector_yet_is_found_by_its_words(tmp_path: Path, embedded: int) -> None:
    """However many others have one: new ones get theirs in the background, and of a long past only the newest do."""
    with opened(tmp_path / "home") as store:
        for number, text in enumerate(KEPT):
            talk(store, f"s{number}", number, f"how long is number {number} kept?", text)
        for _ in range(embedded):
            passage_vectors.embed_missing(store, MODEL, 1)
        question = "how many days is the tape kept"
        vector = QueryVector(MODEL.name, MODEL.embed([question])[0])
        first, *_ = conversations.search(store, question, (), 5, vector=vector)
        assert first.passage.text == KEPT[0]


def test_exchanges_are_alike_as_wholes(tmp_path: Path) -> None:
    """Two decisions in other words, about the same thing; one without a vector is no reason to guess."""
    with opened(tmp_path / "home") as store:
        talk(store, "s1", 1, "five attempts", "the webhook delivery retry limit is set")
        talk(store, "s2", 2, "go on for days", "the webhook delivery retry limit is set")
        talk(store, "s3", 3, "go on for days", "the footer of the invoice is blue")
        passage_vectors.embed_missing(store, MODEL)
        rows = [row for (row,) in store.rows("select row from passages order by at")]
        alone = passage_vectors.alike(store, MODEL.name, rows[:1], {2: rows[2:3], 3: rows[4:5]})
        whole = passage_vectors.alike(store, MODEL.name, rows[:2], {2: rows[2:4], 3: rows[4:6], 9: [999]})
        assert alone is not None
        assert whole is not None
        assert whole[0].keys() == whole[1].keys() == {2, 3}
        assert alone[0][2] == pytest.approx(alone[0][3], abs=0.02)
        assert whole[0][2] > whole[0][3] + 0.2
        assert passage_vectors.alike(store, MODEL.name, [999], {2: rows[2:4]}) is None


def alike_now(store: Store, text: str) -> dict[str, float]:
    """The texts of all passages, each with how much it is like this one."""
    query = QueryVector(MODEL.name, MODEL.embed([text])[0])
    texts = dict(store.rows("select row, text from passages"))
    return {texts[row]: cosine for row, cosine in passage_vectors.look(store, query, (), 100).nearest}


def test_a_passage_never_has_the_vector_of_one_that_is_gone(tmp_path: Path) -> None:
    """The newest ones go, others come in their places and take their numbers: there are as many as before."""
    with filled(tmp_path / "home") as store:
        talk(store, "s2", 2, "which queue do we use?", "The one on the second broker.")
        passage_vectors.embed_missing(store, MODEL)
        assert alike_now(store, "which queue do we use?")["which queue do we use?"] > 0.99
        before = store.rows("select max(row), count(*) from passages")
        with store.transaction():
            store.db.execute("delete from journal where row in (select row from journal order by row desc limit 2)")
        talk(store, "s3", 3, "what colour has the footer?", "Blue, since the spring.")
        passage_vectors.embed_missing(store, MODEL)
        assert store.rows("select max(row), count(*) from passages") == before
        for text in ("what colour has the footer?", "Blue, since the spring.", "where do backups go?"):
            assert alike_now(store, text)[text] > 0.99
        assert alike_now(store, "which queue do we use?").keys() == alike_now(store, "backups").keys()


def test_what_is_new_is_taken_in_alone(tmp_path: Path) -> None:
    """The matrix then holds what a new reading would; what was there is not read again."""
    with filled(tmp_path / "home") as store:
        held = search(store)()
        assert held
        read: list[str] = []

        def trace(_: object, sql: str, __: object) -> bool:
            read.append(sql)
            return True

        store.db.set_exec_trace(trace)
        for number in range(3):
            talk(store, f"more{number}", 10 + number, f"question {number}?", f"answer {number}")
            passage_vectors.embed_missing(store, MODEL)
            read.clear()
            assert len(alike_now(store, "x")) == 4 + 2 * number
            assert [sql for sql in read if "v.vector" in sql and "v.passage in" not in sql] == []
        anew = Held(MODEL.name)
        anew.refresh(store)
        assert _content(held) == _content(anew)


def _content(held: Held) -> list[tuple[int, float, bytes, int, int]]:
    columns = zip(held.rows, held.scales, held.vectors, held.sessions, held.times, strict=True)
    return sorted((int(a), float(b), c.tobytes(), int(d), int(e)) for a, b, c, d, e in columns)


def test_one_of_another_length_is_passed_over_and_made_again(tmp_path: Path) -> None:
    """As an endpoint may have left it that changed the length of its vectors."""
    with filled(tmp_path / "home") as store:
        store.db.execute("update passage_vectors set vector = zeroblob(5) where passage = 1")
        assert len(alike_now(store, "x")) == 1
        vectors.remove_misfits(store, MODEL.name, MODEL.dims)
        assert passage_vectors.embed_missing(store, MODEL) == 1
        assert len(alike_now(store, "x")) == 2
