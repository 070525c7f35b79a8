"""What the packaged model was taught: additions to its matrices, put into its bytes."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy
import pytest
from bench.recall import lessons
from numpy.typing import NDArray

from hardwon.recall.embedding import batch, packaged, taught
from hardwon.recall.embedding.model import NoModel
from hardwon.recall.embedding.taught import Addition
from hardwon.store import vectors
from hardwon.surfaces.cli import doctor_vectors
from tests.recall.models import Made, real
from tests.support import note, opened

ROWS, COLUMNS = 4, 3
WHOLE = numpy.arange(-6, 6, dtype=numpy.int8).reshape(ROWS, COLUMNS)
SCALES = numpy.array([0.5, 1.0, 2.0], dtype=numpy.float32)
BEFORE, BETWEEN, AFTER = b"before", b"..", b"after"
MODEL = BEFORE + WHOLE.tobytes() + BETWEEN + SCALES.tobytes() + AFTER
PLACES = (len(BEFORE), len(BEFORE) + WHOLE.nbytes + len(BETWEEN))


def matrix(model: bytes) -> NDArray[numpy.float32]:
    whole = numpy.frombuffer(model, numpy.int8, WHOLE.size, PLACES[0]).reshape(WHOLE.shape)
    scaled: NDArray[numpy.float32] = whole.astype(numpy.float32) * numpy.frombuffer(
        model, numpy.float32, COLUMNS, PLACES[1]
    )
    return scaled


def test_an_addition_is_added_and_nothing_else_is_touched() -> None:
    """Within what whole numbers can say: half of the new scale."""
    down = numpy.array([[1.0], [0.0], [2.0], [0.0]], dtype=numpy.float32)
    up = numpy.array([[3.0, 0.0, -1.0]], dtype=numpy.float32)
    changed = taught.with_additions(MODEL, taught.as_bytes([Addition(*PLACES, down, up)]))
    wanted = WHOLE * SCALES + down @ up
    scales = numpy.abs(wanted).max(axis=0) / taught.MOST
    assert (numpy.abs(matrix(changed) - wanted) <= scales / 2 + 1e-6).all()
    assert len(changed) == len(MODEL)
    assert changed.startswith(BEFORE)
    assert changed.endswith(AFTER)
    assert changed[PLACES[0] + WHOLE.size : PLACES[1]] == BETWEEN


def test_without_additions_it_is_the_same() -> None:
    assert taught.with_additions(MODEL, b"") == MODEL


def test_what_is_written_is_read_again() -> None:
    some = [
        Addition(7, 99, numpy.ones((4, 2), dtype=numpy.float32), numpy.full((2, 3), 0.5, dtype=numpy.float32)),
        Addition(8, 50, numpy.zeros((1, 1), dtype=numpy.float32), numpy.ones((1, 5), dtype=numpy.float32)),
    ]
    again = list(taught.read(taught.as_bytes(some)))
    assert [(one.matrix, one.scales) for one in again] == [(7, 99), (8, 50)]
    assert all((one.down == two.down).all() and (one.up == two.up).all() for one, two in zip(some, again, strict=True))


def test_the_file_is_the_one_that_is_named() -> None:
    """Its hash is part of the model's name: vectors of a model that was taught otherwise are not mixed with these."""
    assert hashlib.sha256(taught.FILE.read_bytes()).hexdigest() == taught.SHA256
    assert packaged.NAME not in packaged.FORMER


def test_a_damaged_file_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bad = tmp_path / "taught.bin"
    bad.write_bytes(taught.FILE.read_bytes()[:-1])
    monkeypatch.setattr(taught, "FILE", bad)
    with pytest.raises(NoModel, match=r"taught\.bin is not as it was written .* install hardwon anew"):
        taught.checked()


def test_every_matrix_of_the_model_has_one() -> None:
    """Six layers with six matrices each, at places that hold matrices of these sides."""
    content = packaged.checked(packaged.found())
    additions = list(taught.read(taught.checked()))
    assert len(additions) == 36
    for one in additions:
        scales = numpy.frombuffer(content, numpy.float32, one.up.shape[1], one.scales)
        assert ((scales > 0) & (scales < 0.1)).all()
        assert one.down.shape[1] == one.up.shape[0]


def test_the_model_knows_what_it_was_taught() -> None:
    """Questions in other words are nearer to what was settled, beside all else that was said, than they were before."""
    plain = packaged.PackagedModel(packaged.checked(packaged.found()), "plain")
    (talks, *_) = lessons.of_set("talks_1")
    some = talks.lessons
    questions = [lesson.questions[-1] for lesson in some]
    said = [talks.said[place].itself for lesson in some for place in lesson.answers[:1]]

    def stands_out(model: packaged.PackagedModel) -> float:
        cosines = model.embed(questions) @ model.embed(said).T
        return float(numpy.mean(numpy.diag(cosines) - cosines.mean(axis=1)))

    assert stands_out(real()) > stands_out(plain) + 0.02


def test_what_it_made_before_goes_once_all_is_made_anew(tmp_path: Path) -> None:
    """Nobody asks for these any more; another model's stay, and so do all as long as something is missing."""
    former, other = Made(packaged.FORMER[0]), Made("somebody's")
    with opened(tmp_path / "home") as store:
        note(store, "Backups go to the second disk")
        for model in (former, other):
            batch.embed_missing(store, model)
        batch.let_go_of_former(store, other.name)
        batch.let_go_of_former(store, packaged.NAME)
        assert {one.model for one in vectors.held(store)} == {former.name, other.name}
        batch.embed_missing(store, Made(packaged.NAME))
        batch.let_go_of_former(store, packaged.NAME)
        assert {one.model for one in vectors.held(store)} == {packaged.NAME, other.name}


def test_doctor_looks_at_it_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A question goes on by words where it is damaged or gone, and doctor says why."""
    monkeypatch.setattr(taught, "FILE", tmp_path / "gone.bin")
    with pytest.raises(NoModel, match=r"gone\.bin can't be read .* install hardwon anew"):
        taught.checked()
    with opened(tmp_path / "home") as store:
        assert "gone.bin can't be read" in repr(doctor_vectors.finding(store))
