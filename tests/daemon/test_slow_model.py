"""A model that has become slow makes no answer late: what the words find is said in time, in a real daemon."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from hardwon.clients.claude_code import messages as claude_code
from hardwon.memory import Kind
from tests.daemon.running import Daemon, keep, keep_fixed, until
from tests.daemon.session import Session

SLOW = 5.0
"""Seconds; the client of the tests waits five in all, and an answer may take three of them."""
IN_TIME = 1.5
"""Seconds; the words and a fifth of a second for the meaning, on a machine that is busy with something else."""
PORT = "The staging database listens on port 5433"
BY_WORDS = "on which port does the staging database listen?"
BY_MEANING = "how can I connect to postgres?"
ABOUT_IT = ("database", "postgres")
LIMIT = next(hook.limit for hook in claude_code.HOOKS if hook.event == "UserPromptSubmit")
"""Milliseconds that the client really waits for the answer to a prompt."""


class Embeddings(ThreadingHTTPServer):
    """An endpoint that knows one subject, and answers as slowly as it is told."""

    daemon_threads = True
    seconds = 0.0
    dims = 2
    drips = False
    """Answers a byte at a time, each in time and all together never."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Request)
        self.asked: list[str] = []

    @property
    def environment(self) -> dict[str, str]:
        return {
            "HARDWON_VECTORS_MODEL": "endpoint",
            "HARDWON_VECTORS_URL": f"http://127.0.0.1:{self.server_port}/v1",
            "HARDWON_VECTORS_ENDPOINT_MODEL": "made-up",
        }

    def handle_error(self, *_: Any) -> None:
        """Who asked has given up, which is what is tested."""


class Request(BaseHTTPRequestHandler):
    server: Embeddings

    def do_POST(self) -> None:
        texts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["input"]
        self.server.asked.extend(texts)
        while self.server.drips:
            self.wfile.write(b"H")
            time.sleep(0.05)
        time.sleep(self.server.seconds)
        data = [
            {"index": index, "embedding": _vector(text) + [0.0] * (self.server.dims - 2)}
            for index, text in enumerate(texts)
        ]
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps({"data": data}).encode())

    def log_message(self, *_: Any) -> None: ...


def _vector(text: str) -> list[float]:
    return [1.0, 0.0] if any(word in text.lower() for word in ABOUT_IT) else [0.0, 1.0]


@pytest.fixture
def model() -> Iterator[Embeddings]:
    server = Embeddings()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def session(daemon: Daemon, model: Embeddings) -> Session:
    """Of a daemon whose model is loaded, and quick until now."""
    daemon.environment = model.environment
    with daemon.store(write=True) as store:
        keep(store, PORT, Kind.DECISION, folder=daemon.folder)
        for number in range(10):
            keep(store, f"Ordinary lesson {number} about thing{number}", folder=daemon.folder)
    daemon.start()
    session = Session(daemon)
    session.start()
    until(lambda: (daemon.status() or {})["vectors"]["state"] == "ready", "the model was ready")
    return session


def timed(session: Session, text: str) -> tuple[str, float]:
    began = time.monotonic()
    return session.prompt(text), time.monotonic() - began


def as_installed(session: Session, text: str) -> str:
    """What the model is told within the limit that the hooks are installed with."""
    message = session.message("UserPromptSubmit", prompt=text)
    answer = session.daemon.send("UserPromptSubmit", message, LIMIT)
    return str(answer.get("additionalContext", ""))


@pytest.mark.parametrize("seconds", [0.3, 2.0])
def test_with_the_installed_limits_the_words_are_in_time(
    daemon: Daemon, session: Session, model: Embeddings, seconds: float
) -> None:
    """However slow the server is, each prompt gets what its words find, and no answer is given up."""
    model.seconds = seconds
    for number in range(5):
        assert PORT in as_installed(Session(daemon, f"other{number}"), f"{BY_WORDS} ({number})")
    assert (daemon.status() or {})["late"] == 0


@pytest.mark.parametrize("text", ["x", "a line of a log\n"])
def test_so_are_those_of_a_prompt_with_a_megabyte(
    daemon: Daemon, session: Session, model: Embeddings, text: str
) -> None:
    model.seconds = 2.0
    long = f"{BY_WORDS}\n{text * (1_000_000 // len(text))}\n{BY_WORDS}"
    as_installed(Session(daemon, "first"), long)  # a daemon loads some of what it needs with its first long text
    assert PORT in as_installed(session, long)


def test_a_server_that_drips_holds_up_nobody(daemon: Daemon, session: Session, model: Embeddings) -> None:
    """Its answer never ends and never stands still; later prompts do not wait for it, and when it has stopped, a
    question is asked by meaning again."""
    model.drips = True
    for number in range(5):
        assert PORT in as_installed(Session(daemon, f"other{number}"), f"{BY_WORDS} ({number})")
    assert (daemon.status() or {})["late"] == 0
    model.drips = False
    until(lambda: PORT in Session(daemon, str(time.monotonic())).prompt(BY_MEANING), "it was asked by meaning")


def test_a_quick_model_is_listened_to(session: Session, model: Embeddings) -> None:
    """Without a word in common: the others below are silent only because there is no time."""
    assert PORT in session.prompt(BY_MEANING)
    assert BY_MEANING in model.asked


def test_over_the_budget_it_is_the_words_alone(session: Session, daemon: Daemon, model: Embeddings) -> None:
    """The prompt gets what has its words, as soon as the time for the meaning is over."""
    model.seconds = SLOW
    said, seconds = timed(session, BY_WORDS)
    assert PORT in said
    assert seconds < IN_TIME
    assert BY_WORDS in model.asked
    assert (daemon.status() or {})["late"] == 0


def test_questions_do_not_queue_behind_a_slow_one(session: Session, daemon: Daemon, model: Embeddings) -> None:
    """One question at a time becomes a vector; those behind it wait no longer than it did."""
    model.seconds = SLOW
    for number in range(4):
        said, seconds = timed(session, f"{BY_MEANING} ({number})")
        assert (said, seconds < IN_TIME) == ("", True), (number, said, seconds)
    said, seconds = timed(session, BY_WORDS)
    assert PORT in said
    assert seconds < IN_TIME
    assert (daemon.status() or {})["late"] == 0


def test_a_model_that_gives_other_vectors_than_before_is_not_stored(
    session: Session, daemon: Daemon, model: Embeddings
) -> None:
    """Their length says so: none of them is kept, the status names it, and prompts are answered by their words."""
    model.dims = 5
    with daemon.store(write=True) as store:
        keep(store, "Something new about the weather", folder=daemon.folder)
    assert PORT in session.prompt(BY_WORDS)
    until(lambda: (daemon.status() or {})["vectors"]["state"] == "failed", "it failed")
    assert "vectors of 5 numbers, and had 2" in (daemon.status() or {})["vectors"]["problem"]
    with daemon.store() as store:
        assert store.rows("select distinct length(vector) from vectors") == [(2,)]
        assert store.rows("select dims from vector_models") == [(2,)]
    assert PORT in Session(daemon, "later").prompt(BY_WORDS)
    daemon.leave()
    daemon.start()
    again = Session(daemon, "again")
    again.start()
    until(lambda: (daemon.status() or {})["vectors"]["state"] == "ready", "all were made anew")
    assert PORT in again.prompt(BY_MEANING)
    with daemon.store() as store:
        assert store.rows("select distinct length(vector) from vectors") == [(5,)]


def test_a_command_does_not_wait_behind_prompts(session: Session, daemon: Daemon, model: Embeddings) -> None:
    """Dozens of prompts of other sessions wait for their vectors; before a command nobody asks for one."""
    with daemon.store(write=True) as store:
        failure, _ = keep_fixed(store, daemon.folder, "make deploy", times=2)
    session.before("ls")
    model.seconds = SLOW
    others = [Session(daemon, f"other{number}") for number in range(40)]
    waiting = [threading.Thread(target=one.prompt, args=(BY_MEANING,)) for one in others]
    for thread in waiting:
        thread.start()
    began = time.monotonic()
    told = session.before("make deploy")
    assert time.monotonic() - began < IN_TIME
    assert failure[-6:] in json.dumps(told)
    assert any(thread.is_alive() for thread in waiting)
    for thread in waiting:
        thread.join()
