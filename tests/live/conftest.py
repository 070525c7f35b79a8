from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.live.claude_code import ClaudeCode, client_missing, must_be_here
from tests.live.messages_server import ModelServer
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
