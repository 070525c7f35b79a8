"""A model that is broken: questions by hand are answered by their words, in time, and doctor names what is wrong."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.commandline import Cli
from tests.recall.models import laid_out
from tests.recall.test_conversations import talk
from tests.support import opened

PORT = "The staging database listens on port 5433"
ASKED = "which port does the staging database listen on"


class Server(ThreadingHTTPServer):
    """An endpoint that can be broken."""

    daemon_threads = True
    dims = 3
    seconds = 0.0
    line = b""
    """What it says instead of an answer."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Request)
        self.leaving = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    def handle_error(self, *_: Any) -> None:
        """Who asked has given up."""


class Request(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        texts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["input"]
        self.server.leaving.wait(self.server.seconds)
        if self.server.line:
            self.wfile.write(self.server.line)
            return
        data = [{"index": index, "embedding": [1.0] * self.server.dims} for index, _ in enumerate(texts)]
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps({"data": data}).encode())

    def log_message(self, *_: Any) -> None: ...


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.leaving.set()
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def asked(cli: Cli, server: Server) -> Cli:
    """Of a home whose memories and passages have vectors of that endpoint."""
    cli.run("note", PORT, "-g")
    with opened(cli.home) as store:
        talk(store, "s1", 1, "where do backups go?", "To the second disk, every night.")
    cli.run("config", "set", "vectors.url", server.url)
    cli.run("config", "set", "vectors.model", "endpoint")
    cli.run("config", "set", "vectors.endpoint_model", "made-up")
    assert cli.json("vectors", "build")["passages"] == 2
    return cli


def words_answer(cli: Cli) -> None:
    assert PORT in cli.run("recall", ASKED).stdout
    assert "second disk" in cli.run("search", "--sessions", "where do backups go", "--all").stdout


def test_as_long_as_it_works_doctor_is_content(asked: Cli) -> None:
    words_answer(asked)
    assert "ok vectors: 1 of 1 memory" in asked.run("doctor").stdout


def test_a_server_that_is_no_web_server(asked: Cli, server: Server) -> None:
    server.line = b"nonsense\r\n\r\n"
    words_answer(asked)
    assert "did not answer as a web server does" in asked.run("doctor", code=1).stdout
    assert "did not answer as a web server does" in asked.run("vectors", "build", code=1).stderr


def test_a_server_that_sleeps(asked: Cli, server: Server) -> None:
    """Two seconds are the most that a question by hand waits for it."""
    server.seconds = 45
    began = time.monotonic()
    words_answer(asked)
    assert time.monotonic() - began < 15
    assert "did not answer within 10 s" in asked.run("doctor", code=1).stdout


def test_a_server_that_changes_the_length_of_its_vectors(asked: Cli, server: Server) -> None:
    """Then there is nothing to compare with, until all are made anew."""
    server.dims = 5
    words_answer(asked)
    assert "makes vectors of 5 numbers, those that are kept have 3" in asked.run("doctor", code=1).stdout
    made = asked.json("vectors", "build")
    assert (made["made"], made["passages"]) == (1, 2)
    assert [one["dimensions"] for one in asked.json("vectors", "status")["models"]] == [5]
    words_answer(asked)
    assert "ok vectors: 1 of 1 memory" in asked.run("doctor").stdout


def test_vectors_of_another_length_that_are_kept_already(asked: Cli) -> None:
    """As an earlier version has stored them: they are passed over, and made again."""
    asked.run("note", "another one", "-g")
    asked.run("vectors", "build")
    with opened(asked.home) as store:
        store.db.execute("update vectors set vector = zeroblob(5) where memory_row = 1")
        store.db.execute("update passage_vectors set vector = zeroblob(5) where passage = 1")
    words_answer(asked)
    made = asked.json("vectors", "build")
    assert (made["made"], made["passages"]) == (1, 1)


@pytest.mark.parametrize("url", ["http://127.0.0.1:abc/v1", "http://[::1/v1"])
def test_what_is_no_address(asked: Cli, server: Server, url: str) -> None:
    """It is refused, and where it is in the file by hand, it is named."""
    done = asked.run("config", "set", "vectors.url", url, code=1)
    assert "vectors.url must be an address with a host and, if it has a port, a number" in done.stderr
    file = asked.home / "hardwon.toml"
    file.write_text(file.read_text().replace(server.url, url))
    words_answer(asked)
    assert f'vectors.url is "{url}", which is no address' in asked.run("doctor", code=1).stdout
    asked.run("status")
    asked.run("config", "set", "vectors.url", server.url)
    assert "ok vectors: 1 of 1 memory" in asked.run("doctor").stdout


@pytest.mark.parametrize(
    ("file", "content", "says"),
    [
        ("tokenizer.json", b'{"model": {"type": "Nope"}}', "tokenizer.json is not a tokenizer"),
        (
            "tokenizer.json",
            b'{"version": "1.0", "model": {"type": "WordLevel", "vocab": {"one": 40000}, "unk_token": "one"}}',
            "up to number 40000",
        ),
        ("model.onnx", None, "can't be run as an ONNX model"),
    ],
)
def test_a_folder_with_a_broken_file(cli: Cli, tmp_path: Path, file: str, content: bytes | None, says: str) -> None:
    """Before it is mended, and after."""
    folder = laid_out(tmp_path / "mini")
    cli.run("note", PORT, "-g")
    cli.run("config", "set", "vectors.model", str(folder))
    cli.run("vectors", "build")
    whole = (folder / file).read_bytes()
    (folder / file).write_bytes(whole[:1_000_000] if content is None else content)
    assert PORT in cli.run("recall", ASKED).stdout
    assert says in cli.run("doctor", code=1).stdout
    assert says in cli.run("vectors", "build", code=1).stderr
    (folder / file).write_bytes(whole)
    assert "ok vectors: 1 of 1 memory" in cli.run("doctor").stdout
