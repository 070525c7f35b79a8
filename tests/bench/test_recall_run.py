"""`hardwon bench recall` from start to end: production search beside plain methods, silence, and the command."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hardwon.evaluation import command, loading, production, report, run, silence
from hardwon.evaluation.corpus import Asked, Corpus, DataSet, Document
from hardwon.evaluation.kept_vectors import KeptVectors
from hardwon.evaluation.own_sets import OwnSets, Prompt
from hardwon.evaluation.production import Embedding
from hardwon.settings.keys import Vectors
from tests.commandline import Cli
from tests.recall.models import Made

ROOT = Path(__file__).resolve().parents[2]
AT = 1_780_000_000_000


def turn(id: str, text: str, role: str = "user") -> Document:
    return Document(id, id.partition("/")[0], AT + int(id.partition("/")[2]) * 1000, role, text)


TURNS = (
    turn("one/0", "Which queue do we take for the invoices?"),
    turn("one/1", "We decided on RabbitMQ, because Kafka is too much for one host.", "agent"),
    turn("two/0", "The header needs a darker blue."),
    turn("two/1", "Done, the header is navy now.", "agent"),
)
CORPUS = Corpus(
    "made",
    TURNS,
    (
        Asked("q1", "why RabbitMQ and not Kafka?", frozenset({"one/1"}), "named"),
        Asked("q2", "colour of the header", frozenset({"two/1"}), "paraphrase", outdated=frozenset({"one/0"})),
    ),
)
DATA = DataSet("made", (CORPUS,), ("hit@5", "MRR", "before"))


def test_without_vectors_two_methods_are_compared() -> None:
    """Production on words, and plain BM25, with an interval each and the difference of the main figure."""
    told: list[str] = []
    result = run.measure(DATA, None, told.append)
    assert list(result.figures) == [run.OURS, run.BM25]
    assert result.figures[run.OURS]["hit@5"] == [1.0, 1.0]
    assert list(result.ahead()) == [run.BM25]
    assert result.as_json()["kinds"][run.OURS] == {
        "named": {"value": 1.0, "of": 1},
        "paraphrase": {"value": 1.0, "of": 1},
    }
    assert told == ["made: made (1 of 1)"]


def test_with_vectors_five_methods_are_compared() -> None:
    """Also vectors alone, their fusion, and production with both."""
    embedding = Embedding(Vectors(), KeptVectors(Made()))
    result = run.measure(DATA, embedding, lambda _: None)
    assert list(result.figures) == [run.OURS, run.OURS_MEANING, run.BM25, run.VECTORS, run.FUSED]
    assert all(len(values) == 2 for figures in result.figures.values() for values in figures.values())


def test_vectors_are_made_once_and_kept(tmp_path: Path) -> None:
    """A second run with the same file asks the model for nothing."""
    first, second = Made(), Made()
    once = KeptVectors(first, tmp_path / "vectors.db").embed(["a", "b", "a"])
    again = KeptVectors(second, tmp_path / "vectors.db").embed(["a", "b", "a"])
    assert first.seen == ["a", "b"]
    assert second.seen == []
    assert (once == again).all()
    other = KeptVectors(Made(name="other"), tmp_path / "vectors.db")
    other.embed(["a"])
    assert other._model.seen == ["a"]  # type: ignore[attr-defined]


def test_documents_become_passages_of_their_sessions() -> None:
    """Each turn is found again as the document that it was, also a long one that was cut."""
    long = Document("long/0", "long", AT, "agent", "".join(f"line {number} of the diff\n" for number in range(900)))
    corpus = Corpus("long", (long, *TURNS), (), long=True)
    with production.stores(None, production.load(corpus)) as opened:
        entries = opened.loaded.entries
        ranked = production.turns(opened.without, opened.loaded, corpus, Asked("q", "line 899", frozenset()))
        texts = opened.without.rows("select text from journal where text like 'line%'")
    assert set(entries.values()) == {one.id for one in corpus.documents}
    assert len(entries) > len(corpus.documents)
    assert "".join(text for (text,) in texts).count("\n") >= 880
    assert ranked.count("long/0") == 1
    assert all(len(text) <= loading.PIECE for (text,) in texts)


def note(id: str, title: str, body: str, project: str = "shop") -> Document:
    return Document(id, id, AT, "user", body, project=project, title=title)


NOTES = (
    note("n1", "Deploys need the tunnel", "Deploys to staging hang unless the wireguard tunnel is up."),
    note("n2", "Fixture order", "The ledger fixtures must be loaded before the invoice fixtures.", "*"),
)
SETS = OwnSets(
    data=(),
    notes=NOTES,
    prompts=(
        Prompt("why do deploys to staging hang without the wireguard tunnel?", "n1", "shop"),
        Prompt("rename the ledger page to accounts", None, "shop"),
    ),
    all_notes=NOTES,
    unrelated=("bump the version of the parser", "git status"),
)


def test_silence_is_counted_where_nothing_fits() -> None:
    """Said where a note answers, silent where none does; with the gate open, it is not."""
    measured = silence.measure(SETS, None, [0.01])
    figures = {name: one.value for name, one in measured.methods[run.OURS].figures().items()}
    assert figures["answered rightly"] == 1.0
    assert figures["unrelated silent"] == 1.0
    assert set(measured.methods) == {run.OURS, run.OURS + silence.AT_PROMPT}
    (low, opened), (default, _) = measured.curves[run.OURS]
    assert (low, default) == (0.01, measured.gate)
    assert opened["near misses answered wrongly"] == 1.0
    assert opened["precision"] == 0.5
    assert opened["share answered"] == 1.0
    (_, opened), (_, usual) = measured.curves[run.OURS + silence.AT_PROMPT]
    assert (opened["share answered"], usual["precision"]) == (1.0, 1.0)


def test_where_no_unrelated_texts_are_there_nothing_is_said_about_them() -> None:
    """Of none of them one can't say that it was met with silence, nor that it was not."""
    measured = silence.measure(dataclasses.replace(SETS, unrelated=()), None, [0.01])
    assert "unrelated silent" not in measured.methods[run.OURS].figures()
    assert "answered rightly" in report.of_silence(measured)


def test_notes_are_asked_with_the_gate_and_without() -> None:
    """What the gate holds back is not counted as not found."""
    corpus = Corpus("notes", NOTES, (Asked("q", "fixtures of the accounts receivable", frozenset({"n2"})),), notes=True)
    result = run.measure(DataSet("notes", (corpus,), ("hit@1",)), None, lambda _: None)
    assert result.figures[run.OURS + run.OPEN]["hit@1"] == [1.0]
    assert list(result.ahead()) == [run.BM25]


def test_what_was_missed_is_told_on_request() -> None:
    """Each question whose main figure is not full, with the place of the right document."""
    corpus = Corpus("made", TURNS, (Asked("q", "navy header", frozenset({"one/0"})),))
    measured = command.Measured("", [run.measure(DataSet("made", (corpus,), ("hit@1",)), None, lambda _: None)])
    (miss,) = measured.as_json(misses=True)["data"][0]["misses"]
    assert (miss["question"], miss["gold"], miss["method"]) == ("navy header", ["one/0"], run.OURS)
    assert miss["first"][0] == "two/1"
    assert "misses" not in measured.as_json()["data"][0]


@pytest.fixture
def questions(cli: Cli) -> tuple[str, ...]:
    from tests.clients import sessions

    sessions.claude(
        cli.folder / "logs" / "a.jsonl",
        "0b5e7f7e-0000-4000-8000-000000000001",
        cli.folder,
        sessions.said("Which database do we take?", "prompt-0123456789-1"),
        sessions.spoke("We decided on PostgreSQL because of its row locks.", "end_turn"),
    )
    asked = {"question": "why PostgreSQL?", "session": "0b5e7f7e", "contains": "row locks"}
    (cli.folder / "questions.jsonl").write_text(json.dumps(asked), "utf-8")
    return ("bench", "recall", "--no-vectors", "--transcripts", "logs", "--questions", "questions.jsonl")


def test_the_command_prints_a_table_and_leaves_the_home_alone(cli: Cli, questions: tuple[str, ...]) -> None:
    """Everything happens in a temporary folder."""
    printed = cli.run(*questions, "--write", "figures.json").stdout
    assert "transcripts in logs: 1 questions, 2 documents" in printed
    assert "| hardwon, words | 100.0 [100.0, 100.0]" in printed
    assert not (cli.home / "memory.db").exists()
    figures: dict[str, Any] = json.loads((cli.folder / "figures.json").read_text("utf-8"))
    assert figures["data"][0]["methods"]["FTS5 BM25"]["hit@1"]["value"] == 1.0


def test_the_command_gives_json(cli: Cli, questions: tuple[str, ...]) -> None:
    """The same figures for a program."""
    figures = cli.json(*questions)
    assert figures["data"][0]["questions"] == 1
    assert figures["silence"] is None
    assert figures["model"] == ""


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--locomo", "nothing.json"), "nothing.json can't be read (No such file or directory)."),
        (("--transcripts", "."), "--transcripts needs --questions"),
        (("--conversations", "x", "--locomo", "a"), "Try 6-10"),
        (("--commits", "."), "can't be read by git"),
        (("--sets", "elsewhere"), "has none of the sets"),
    ],
)
def test_the_command_says_what_is_wrong(cli: Cli, arguments: tuple[str, ...], says: str) -> None:
    """In one sentence."""
    failed = cli.run("bench", "recall", "--no-vectors", *arguments, code=1)
    assert says in failed.stderr
    assert failed.stderr.count("\n") == 1


def test_the_benchmark_measures_with_the_model_of_the_settings(tmp_path: Path) -> None:
    """`python -m bench recall`, as the docs name it, has vectors in it; the other benchmarks switch them off."""
    turns = [{"role": one.role, "text": one.text, "at": "2026-05-04T10:00:00Z"} for one in TURNS[:2]]
    talk = {"id": "one", "project": "shop", "started": "2026-05-04T10:00:00Z", "turns": turns}
    asked = {"id": "q1", "kind": "named", "question": "why RabbitMQ?", "answer": {"conversation": "one", "turn": 1}}
    (tmp_path / "decisions.json").write_text(json.dumps({"conversations": [talk], "questions": [asked]}), "utf-8")
    arguments = ["-m", "bench", "recall", "--sets", str(tmp_path), "--write", str(tmp_path / "figures.json")]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("HARDWON_")}
    environment |= {"HOME": str(tmp_path)}
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True, cwd=ROOT, env=environment)
    figures = json.loads((tmp_path / "figures.json").read_text("utf-8"))
    assert "MiniLM" in figures["model"]
    assert run.OURS_MEANING in figures["data"][0]["methods"]
