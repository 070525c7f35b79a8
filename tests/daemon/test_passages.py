"""What is said in a session is searchable soon after, and an agent can ask for it."""

from __future__ import annotations

from hardwon.recall.embedding import packaged
from hardwon.store import passage_vectors, passages
from tests.daemon.running import Daemon, until
from tests.daemon.session import Session
from tests.tools.server import Server

PROMPT = "the walrus exporter writes to which bucket?"


def searchable(daemon: Daemon, word: str) -> int:
    with daemon.store() as store:
        return passages.rows_with(store, word, 10)


def test_what_was_said_is_searchable_after_the_reply(daemon: Daemon) -> None:
    """Without a command, and without being asked for; the list of what waits is empty then."""
    daemon.start()
    Session(daemon).prompt(PROMPT)
    daemon.settle()
    assert searchable(daemon, "walrus") == 1
    with daemon.store() as store:
        assert passages.due(store) == 0


def test_passages_get_vectors_by_and_by(daemon: Daemon) -> None:
    daemon.environment = {"HARDWON_VECTORS_MODEL": "packaged"}
    daemon.start()
    Session(daemon).prompt(PROMPT)

    def embedded() -> bool:
        with daemon.store() as store:
            return passage_vectors.count(store, packaged.NAME) == 1

    until(embedded, "the passage has a vector", 30.0)


def test_an_agent_asks_for_conversations(daemon: Daemon) -> None:
    """It reads quotations of this project's sessions; what is not there is said to be missing."""
    daemon.start()
    Session(daemon).prompt(PROMPT)
    daemon.settle()
    with Server(daemon) as server:
        answer, wrong = server.call("recall", query="walrus bucket", conversations=True)
        assert not wrong
        assert f'you: "{PROMPT}"' in answer
        assert "not asked for now" in answer
        nothing, _ = server.call("recall", query="giraffes", conversations=True)
        assert nothing == "Nothing was said about this in the conversations that are kept."
    daemon.leave()
