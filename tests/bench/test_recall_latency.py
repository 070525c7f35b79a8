"""The stores of `python -m bench recall-latency` are what they say, and its name is the one that people type."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from bench.recall import growing
from bench.store import build, opened
from bench.texts import Vocabulary, Writer

from bench import __main__ as bench
from hardwon.conversations import conversations
from hardwon.store.tables import passage_vectors, passages, vectors

ROOT = Path(__file__).resolve().parents[2]
WORDS = tuple(f"the {one} of the parser drops a blank line." for one in ("reader", "writer", "lexer", "printer"))


@pytest.fixture
def writer() -> Writer:
    symbols = ("parse_line", "read_all", "drop_blank", "write_out")
    return Writer(Vocabulary(WORDS, WORDS, symbols, ("ValueError",), ("src/parser.py",), ("parser",)))


def test_a_large_store_of_conversations_can_be_searched(tmp_path: Path, writer: Writer) -> None:
    """A passage for each turn, nothing left to be cut, in all projects."""
    home = growing.conversations(tmp_path, writer, 250)
    with opened(home.root) as store:
        assert passages.size(store) >= 250
        assert passages.due(store) == 0
        assert store.value("select count(distinct journal) from passages") == 250
        found = conversations.search(store, "lexer of the parser", (), 5)
    assert len(found) == 5


def test_made_up_vectors_are_as_many_as_memories(tmp_path: Path, writer: Writer) -> None:
    """One for each, as long as the model's."""
    with build(tmp_path, writer, 40) as store:
        count = store.value("select count(*) from memories")
        growing.made_up_vectors(store, "made", count)
        (held,) = vectors.held(store)
    assert (held.memories, held.vectors, held.dims) == (count, count, growing.DIMS)


def test_passages_get_two_made_up_vectors_each(tmp_path: Path, writer: Writer) -> None:
    """As many as the settings give any, and none is left to be made."""
    home = growing.conversations(tmp_path, writer, 60)
    growing.made_up_passage_vectors(home, "made")
    with opened(home.root) as store:
        assert passage_vectors.count(store, "made") == passages.size(store)
        assert passage_vectors.count_missing(store, "made") == 0
        one, *_ = passage_vectors.everything(store, "made")
    assert len(one.vector) == len(one.context) == growing.DIMS
    assert one.vector != one.context


def test_a_process_tells_what_it_takes_up(tmp_path: Path, writer: Writer) -> None:
    """Bare, with the model, and after some questions."""
    if not Path("/proc/self/status").exists():
        pytest.skip("this system has no /proc")
    home = growing.conversations(tmp_path / "home", writer, 50)
    questions = tmp_path / "questions.json"
    questions.write_text(json.dumps([["the lexer"], ["project-00"]]), "utf-8")
    command = [sys.executable, "-m", "bench.recall.resident", str(home.root), str(questions)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    taken = json.loads(done.stdout)
    assert taken["after"] > taken["bare"] > 5


def test_a_benchmark_is_called_with_a_dash(capsys: pytest.CaptureFixture[str]) -> None:
    """And listed so."""
    assert {"recall", "recall_latency"} <= set(bench.names())
    assert bench.main(["recall-nothing"]) == 2
    assert "recall-latency" in capsys.readouterr().err
