"""A server that makes vectors: what it is asked, what is believed of its answers, and how long it is waited for."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any, ClassVar

import numpy
import pytest

from hardwon.embedding import choose, endpoint
from hardwon.embedding.endpoint import NotAnswered
from hardwon.embedding.model import NoModel
from hardwon.redact import DEFAULT
from hardwon.settings.keys import Vectors

SECRET = "ghp_" + "x7Kq2" * 7 + "a"


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
