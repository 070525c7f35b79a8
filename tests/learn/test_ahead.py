"""Reading ahead in a second process: the same is learned as by one, and nothing of it is left behind."""

from __future__ import annotations

import itertools
import os
import signal
from pathlib import Path

import pytest

from hardwon.clients import past_sessions
from hardwon.event import Event
from hardwon.learn import ahead, history
from hardwon.learn.ahead import Ended, File
from hardwon.learn.history import Read, Wanted
from hardwon.learn.transcripts import Portion
from hardwon.memory import Memory
from hardwon.store.connection import Store
from hardwon.store.tables import journal, memories, transcripts
from tests.clients import sessions
from tests.support import now, opened

KEY = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
NAMES = ("s1", "s2", "s3")


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """Three sessions, one with a sub-agent, one of several portions, one that printed a key."""
    shop = tmp_path / "shop"
    shop.mkdir()
    folder = tmp_path / "logs"
    many = [record for number in range(450) for record in sessions.passed(f"toolu_{number}", f"make {number}")]
    sessions.claude(folder / "s1.jsonl", "s1", shop, *sessions.mended("one"), *many)
    agent = [record | {"agentId": "a7", "isSidechain": True} for record in sessions.mended("sub", "mailer")]
    sessions.claude(folder / "s2.jsonl", "s2", shop, sessions.said("go", "p-0123456789abcdef"))
    sessions.claude(folder / "s2" / "subagents" / "agent-a7.jsonl", "s2", shop, *agent)
    sessions.claude(folder / "s3.jsonl", "s3", shop, *sessions.failed("toolu_k", f"echo {KEY}", f"token {KEY}"))
    return folder


def learn(store: Store, logs: Path, *, apart: bool) -> Read:
    result = Read()
    made = history.plan(store, past_sessions.below(logs), Wanted())
    history.read(store, made.sessions, now, lambda _: None, result, apart=apart)
    return result


def told(store: Store) -> list[tuple[str, str, str]]:
    found: list[Event] = [event for name in NAMES for event in journal.of_session(store, "claude-code", name)]
    return [(event.key, event.target, event.text or event.error) for event in found]


def remembered(store: Store) -> list[tuple[str, str | None, str, int]]:
    def plainly(one: Memory) -> tuple[str, str | None, str, int]:
        return one.body, one.origin_key, one.status, len(one.links)

    return sorted(map(plainly, memories.all_memories(store)))


def readers() -> list[int]:
    """The processes that this one has started to read."""
    found = [int(word) for task in Path("/proc/self/task").iterdir()
             for word in (task / "children").read_text().split()]  # fmt: skip
    return [pid for pid in found if b"hardwon.learn.ahead" in Path(f"/proc/{pid}/cmdline").read_bytes()]


def test_two_processes_learn_what_one_does(logs: Path, tmp_path: Path) -> None:
    """The same events, memories and figures; how far each file was read is known, and nobody is left."""
    with opened(tmp_path / "one") as one, opened(tmp_path / "two") as two:
        alone, both = learn(one, logs, apart=False), learn(two, logs, apart=True)
        assert (alone.sessions, alone.size) == (both.sessions, both.size)
        assert (alone.taken.events, alone.taken.kept, alone.taken.text) == (
            both.taken.events,
            both.taken.kept,
            both.taken.text,
        )
        assert told(one) == told(two)
        assert len(told(two)) == 3 + 450 + 1 + 3 + 1
        assert remembered(one) == remembered(two)
        for file in logs.rglob("*.jsonl"):
            assert transcripts.read_to(two, str(file)) == file.stat().st_size
        assert learn(two, logs, apart=True).sessions == 0
    assert readers() == []


def test_what_comes_through_the_pipe_is_redacted(logs: Path, tmp_path: Path) -> None:
    """A secret does not leave the process that read it."""
    file = File("claude-code", logs / "s3.jsonl", 0, str(tmp_path / "shop"))
    with opened(tmp_path / "home") as store, ahead.reader(store, [file], apart=True) as reader:
        portion, end = reader.read(file)
    assert isinstance(portion, Portion)
    (entry,) = portion.entries
    assert "[redacted:" in entry.event.target
    assert "[redacted:" in entry.event.error
    assert KEY not in repr(portion)
    assert end == file.path.stat().st_size


def test_what_goes_wrong_there_is_told_here(logs: Path, tmp_path: Path) -> None:
    """A file that is gone is the error that it would be without another process."""
    file = File("claude-code", logs / "gone.jsonl", 0, str(tmp_path / "shop"))
    for apart in (False, True):
        with (
            opened(tmp_path / "home") as store,
            ahead.reader(store, [file], apart=apart) as reader,
            pytest.raises(FileNotFoundError, match=r"gone\.jsonl"),
        ):
            list(reader.read(file))
    assert readers() == []


def test_a_reader_that_dies_is_no_end_of_a_file(logs: Path, tmp_path: Path) -> None:
    """What it read before is kept; the error says how to go on."""
    files = [File("claude-code", logs / f"{name}.jsonl", 0, str(tmp_path / "shop")) for name in NAMES] * 400
    with opened(tmp_path / "home") as store, ahead.reader(store, files, apart=True) as reader:
        assert len(list(reader.read(files[0]))) > 2
        (pid,) = readers()
        os.kill(pid, signal.SIGKILL)
        with pytest.raises(Ended, match="`hardwon learn` goes on"):
            list(itertools.chain.from_iterable(map(reader.read, files[1:])))


@pytest.mark.parametrize(
    ("processors", "load", "free"),
    [(1, 0.0, False), (2, 0.4, True), (2, 2.0, False), (8, 5.0, True), (8, 9.5, False), (None, 0.0, False)],
)
def test_a_second_process_reads_only_where_a_processor_is_free(
    monkeypatch: pytest.MonkeyPatch, processors: int | None, load: float, free: bool
) -> None:
    """Else the two only take each other's time."""
    monkeypatch.setattr(os, "cpu_count", lambda: processors)
    monkeypatch.setattr(os, "getloadavg", lambda: (load, 0.0, 0.0))
    assert ahead.one_is_free() is free


@pytest.mark.parametrize("apart", [False, True])
def test_a_session_that_the_client_deletes_meanwhile(tmp_path: Path, logs: Path, apart: bool) -> None:
    """It was planned and is gone when it is its turn, or a sub-agent's file is: the others are read, and it is told."""
    result = Read()
    with opened(tmp_path / "home") as store:
        made = history.plan(store, past_sessions.below(logs), Wanted())
        for name in ("s1.jsonl", "s2/subagents/agent-a7.jsonl"):
            (logs / name).unlink()
        history.read(store, made.sessions, now, lambda _: None, result, apart=apart)
        assert not list(journal.of_session(store, "claude-code", "s1"))
        assert list(journal.of_session(store, "claude-code", "s3"))
    assert result.sessions == 2
    assert sorted(result.unread) == [
        f"{logs}/{name}: No such file or directory" for name in ("s1.jsonl", "s2/subagents/agent-a7.jsonl")
    ]
