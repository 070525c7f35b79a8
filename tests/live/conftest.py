from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.live.claude_code import ClaudeCode, client_missing, must_be_here
from tests.live.messages_server import ModelServer
from tests.live.openai_chat_server import ChatServer
from tests.live.pi import NEWEST, Pi
from tests.live.pi import client_missing as pi_missing
from tests.live.recorder import Recorder


@pytest.fixture
def model() -> Iterator[ModelServer]:
    """A model without a script yet."""
    with ModelServer() as server:
        yield server


@pytest.fixture
def claude(tmp_path: Path, model: ModelServer) -> Iterator[ClaudeCode]:
    """Claude Code without hooks yet. At the end no process of it may be left."""
    if (reason := client_missing()) is not None:
        (pytest.fail if must_be_here() else pytest.skip)(reason)
    client = ClaudeCode(tmp_path, model)
    yield client
    client.close()


@pytest.fixture
def recorder(tmp_path: Path) -> Recorder:
    return Recorder(tmp_path / "recorded.jsonl")


@pytest.fixture
def chat() -> Iterator[ChatServer]:
    """A model without a script yet, for clients that speak OpenAI's protocol."""
    with ChatServer() as server:
        yield server


@pytest.fixture
def pi(tmp_path: Path, chat: ChatServer, request: pytest.FixtureRequest) -> Iterator[Pi]:
    """The newest Pi, or the one that the test names, without hardwon yet. At the end no process of it may be left."""
    version = getattr(request, "param", NEWEST)
    if (reason := pi_missing(version)) is not None:
        (pytest.fail if must_be_here() else pytest.skip)(reason)
    client = Pi(tmp_path, chat, version)
    yield client
    client.close()
