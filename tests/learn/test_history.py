"""Learning from past sessions: into the journal once, in portions, and on from where it ended."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardwon.clients import past_sessions
from hardwon.clients.claude_code.transcript import Reading
from hardwon.event import Event, EventType, Tier
from hardwon.learn import history
from hardwon.learn.ahead import File
from hardwon.learn.history import Read, Wanted
from hardwon.learn.placing import Places
from hardwon.learn.transcripts import Portion, Taken, take_in
from hardwon.memory import Kind
from hardwon.settings import Control, Settings
from hardwon.store import projects
from hardwon.store.connection import Store
from hardwon.store.tables import journal, memories, transcripts
from tests.clients import sessions
from tests.clients.test_foreign_logs import trajectory
from tests.support import contents, now, opened

NOW = 1_800_000_000_000


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return opened(tmp_path / "home")


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    return folder


def learn(store: Store, *paths: Path, wanted: Wanted | None = None) -> Read:
    """Plan and read these files."""
    logs = [log for path in paths if (log := past_sessions.of_file(path))]
    result = Read()
    history.read(store, history.plan(store, logs, wanted or Wanted()).sessions, now, lambda _: None, result)
    return result


def kinds(store: Store) -> dict[str, int]:
    found: dict[str, int] = {}
    for memory in memories.all_memories(store):
        found[memory.kind] = found.get(memory.kind, 0) + 1
    return found


def test_a_past_session_teaches_what_a_live_one_would(store: Store, shop: Path, tmp_path: Path) -> None:
    """W22: A failure, and the fix that made it pass; results stand in the messages of the user."""
    path = sessions.claude(tmp_path / "s.jsonl", "s1", shop, *sessions.mended("one"))
    done = learn(store, path)
    assert (done.sessions, done.taken.kept) == (1, 3)
    assert kinds(store) == {Kind.FAILURE: 1, Kind.FIX: 1}


def test_reading_again_changes_nothing(store: Store, shop: Path, tmp_path: Path) -> None:
    """W40: A second run reads nothing; with `again`, and from a copy elsewhere, everything is known by its id."""
    path = sessions.claude(tmp_path / "s.jsonl", "s1", shop, *sessions.mended("one"))
    learn(store, path)
    known = contents(store)
    assert learn(store, path).sessions == 0
    assert learn(store, path, wanted=Wanted(again=True)).taken.kept == 0
    copy = tmp_path / "copy.jsonl"
    shutil.copy(path, copy)
    assert learn(store, copy).taken.kept == 0
    assert contents(store) == known


def test_a_session_that_grew_is_read_on(store: Store, shop: Path, tmp_path: Path) -> None:
    """W46: What failed before the last reading is fixed after it; a half-written line waits."""
    lines = sessions.claude_lines("s1", shop, *sessions.mended("one"))
    path = tmp_path / "s.jsonl"
    for cut in range(len(lines)):
        path.write_text("".join(lines[:cut]) + lines[cut][:40])
        learn(store, path)
        assert transcripts.read_to(store, str(path)) == len("".join(lines[:cut]))
    path.write_text("".join(lines))
    learn(store, path)
    assert kinds(store) == {Kind.FAILURE: 1, Kind.FIX: 1}
    assert journal.count(store) == 3


@pytest.mark.parametrize("first", ["parent", "fork"])
def test_a_forked_session_counts_once(store: Store, shop: Path, tmp_path: Path, first: str) -> None:
    """Its file repeats its parent's lines under its own session; what it goes on with is its own."""
    shared = [sessions.said("mend the parser", "11111111-2222-3333-4444-555555555555"), *sessions.mended("one")]
    parent = sessions.claude(tmp_path / "parent.jsonl", "parent", shop, *shared)
    fork = sessions.claude(tmp_path / "fork.jsonl", "fork", shop, *shared, *sessions.mended("two", "mailer"))
    both = (parent, fork) if first == "parent" else (fork, parent)
    for path in both:
        learn(store, path)
    assert journal.count(store) == 4 + 3
    assert kinds(store) == {Kind.FAILURE: 2, Kind.FIX: 2}
    assert set(memories.hits(store, [memory.id for memory in memories.all_memories(store)]).values()) <= {0}


def test_short_ids_of_two_sessions_are_two_things(store: Store, shop: Path) -> None:
    """Some servers count their calls from one: only an id that can't be there by chance tells of a fork."""
    events = [Event(EventType.TOOL_FINISHED, "codex", name, 1, cwd=str(shop), call="call_1", tool="Bash", target="ls")
              for name in ("s1", "s2")]  # fmt: skip
    places = Places(store)
    placed = [event for event in map(places.placed, events) if event]
    kept = [journal.append(store, event, Tier.OUTLINE) for event in placed]
    assert kept == [True, True]


def test_sub_agents_come_with_their_session(store: Store, shop: Path, tmp_path: Path) -> None:
    """One session, whose sub-agent's calls are its own."""
    main = sessions.claude(tmp_path / "c" / "s1.jsonl", "s1", shop, sessions.said("go", "p-0123456789abcdef"))
    agent = [record | {"agentId": "a7", "isSidechain": True} for record in sessions.mended("sub")]
    sessions.claude(tmp_path / "c" / "s1" / "subagents" / "agent-a7.jsonl", "s1", shop, *agent)
    logs = list(past_sessions.below(tmp_path / "c"))
    assert [(log.path, len(log.sub_agents)) for log in logs] == [(main, 1)]
    assert learn(store, main).taken.kept == 4
    found = list(journal.of_session(store, "claude-code", "s1"))
    assert {event.agent for event in found if event.call} == {"a7"}


def test_a_large_payload_is_kept_cut_and_redacted(store: Store, shop: Path, tmp_path: Path) -> None:
    """200 KB of output, with a key at each end: neither is on the disk, and the entry is as long as its tier allows."""
    key = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
    text = f"token {key}\n" + "line of output\n" * 14_000 + f"again {key}"
    path = sessions.claude(tmp_path / "s.jsonl", "s1", shop, *sessions.failed("toolu_1", "make", text))
    assert len(text) > 200_000
    learn(store, path)
    (event,) = journal.of_session(store, "claude-code", "s1")
    assert len(event.error) <= 8_100
    assert event.error.count("[redacted:") == 2
    assert key not in event.error
    assert not any(key.encode() in file.read_bytes() for file in (tmp_path / "home").rglob("*") if file.is_file())


def test_a_file_has_one_name_relative_and_absolute(store: Store, shop: Path, tmp_path: Path) -> None:
    """W43: As the project knows it, from whatever folder the agent named it."""
    (shop / "src").mkdir()
    below = {"cwd": str(shop / "src")}
    records = [
        *sessions.edited("toolu_1", "src/a.py", "x", "y"),
        *sessions.edited("toolu_2", str(shop / "src" / "a.py"), "x", "y"),
        *(record | below for record in sessions.edited("toolu_3", "a.py", "x", "y")),
    ]
    (shop / ".git").mkdir()
    (shop / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    for name in ("objects", "refs"):
        (shop / ".git" / name).mkdir()
    learn(store, sessions.claude(tmp_path / "s.jsonl", "s1", shop, *records))
    assert [event.target for event in journal.of_session(store, "claude-code", "s1")] == ["src/a.py"] * 3


def test_one_relative_path_in_two_repositories_is_two_files(store: Store, shop: Path, tmp_path: Path) -> None:
    """W43: The same failure in each is learned for each."""
    other = tmp_path / "other"
    other.mkdir()
    for name, folder in (("s1", shop), ("s2", other)):
        learn(store, sessions.claude(tmp_path / f"{name}.jsonl", name, folder, *sessions.mended(name)))
    found = [memory for memory in memories.all_memories(store) if memory.kind is Kind.FAILURE]
    assert len({memory.scope.project for memory in found}) == len(found) == 2
    assert {project.name for project in projects.listed(store)} == {"shop", "other"}


@pytest.mark.parametrize("portions", [0, 1, 2])
def test_who_is_interrupted_goes_on(store: Store, shop: Path, tmp_path: Path, portions: int) -> None:
    """After any portion, and before anything was learned: the next run reads the rest and learns from all of it."""
    calls = [record for number in range(500) for record in sessions.passed(f"toolu_{number}", f"make {number}")]
    path = sessions.claude(tmp_path / "s.jsonl", "s1", shop, *calls, *sessions.mended("one"))
    reading = take_in(store, Places(store), Reading(path), 0, NOW, Taken())
    for _ in range(portions):
        next(reading)
    del reading
    assert kinds(store) == {}
    done = learn(store, path)
    assert done.sessions == 1
    assert journal.count(store) == 503
    assert kinds(store) == {Kind.FAILURE: 1, Kind.FIX: 1}
    assert transcripts.read_to(store, str(path)) == path.stat().st_size


def test_who_was_interrupted_before_learning_learns_later(store: Store, shop: Path, tmp_path: Path) -> None:
    """All of it is in the journal already; that it was read is only remembered with what it taught."""
    path = sessions.claude(tmp_path / "s.jsonl", "s1", shop, *sessions.mended("one"))
    for _ in take_in(store, Places(store), Reading(path), 0, NOW, Taken()):
        pass
    assert journal.count(store) == 3
    assert learn(store, path).sessions == 1
    assert kinds(store) == {Kind.FAILURE: 1, Kind.FIX: 1}


def test_an_excluded_project_stays_out(shop: Path, tmp_path: Path) -> None:
    """By its path or its name; it does not even become known."""
    path = sessions.claude(tmp_path / "s.jsonl", "s1", shop, *sessions.mended("one"))
    for number, control in enumerate((Control(exclude_paths=(str(shop),)), Control(exclude_projects=("sh*",)))):
        store = opened(tmp_path / f"home{number}", Settings(control=control))
        log = past_sessions.of_file(path)
        assert log
        made = history.plan(store, [log], Wanted())
        assert made.sessions == []
        (reason,) = made.excluded
        assert "excluded" in reason
        assert projects.listed(store) == []
        assert journal.count(store) == 0


def test_what_was_done_elsewhere_in_a_session_is_judged_by_its_own_folder(shop: Path, tmp_path: Path) -> None:
    """A session that began in one project and went into an excluded one."""
    secret = tmp_path / "secret"
    secret.mkdir()
    store = opened(tmp_path / "home", Settings(control=Control(exclude_paths=(str(secret),))))
    there = [record | {"cwd": str(secret)} for record in sessions.passed("toolu_2", "cat plan.txt")]
    learn(store, sessions.claude(tmp_path / "s.jsonl", "s1", shop, *sessions.passed("toolu_1", "ls"), *there))
    assert [event.target for event in journal.of_session(store, "claude-code", "s1")] == ["ls"]


def test_garbage_and_nothing(store: Store, tmp_path: Path) -> None:
    """Files that are nobody's session, empty ones, an empty folder."""
    folder = tmp_path / "logs"
    folder.mkdir()
    assert list(past_sessions.below(folder)) == []
    for name, content in (("a.jsonl", b""), ("b.jsonl", b"\x00\xff" * 500), ("c.jsonl", b'{"body":"x"}\n'),
                          ("d.traj", b"[]"), ("e.md", b"# aider chat started at")):  # fmt: skip
        (folder / name).write_bytes(content)
    assert list(past_sessions.below(folder)) == []
    (folder / "f.jsonl").write_bytes(b'{"sessionId":"s","type":"user","message":7}\n' + b"garbage\n" * 50)
    (log,) = past_sessions.below(folder)
    made = history.plan(store, [log], Wanted())
    assert made.sessions == []
    assert made.excluded == {"nothing in them says in which folder they were": 1}


def test_the_plan_takes_only_what_is_wanted(store: Store, shop: Path, tmp_path: Path) -> None:
    """By client, by project, by time; the oldest first."""
    other = tmp_path / "other"
    other.mkdir()
    old = sessions.claude(tmp_path / "l" / "old.jsonl", "s1", shop, *sessions.mended("one"))
    young = sessions.claude(tmp_path / "l" / "young.jsonl", "s2", other, *sessions.mended("two"))
    os.utime(old, (1_700_000_000, 1_700_000_000))
    logs = list(past_sessions.below(tmp_path / "l"))

    def planned(wanted: Wanted) -> list[Path]:
        return [session.log.path for session in history.plan(store, logs, wanted).sessions]

    assert planned(Wanted()) == [old, young]
    assert planned(Wanted(client="codex")) == []
    assert planned(Wanted(project="shop")) == [old]
    assert planned(Wanted(since=1_750_000_000_000)) == [young]


def test_logs_from_elsewhere_belong_to_the_project_that_is_named(store: Store, shop: Path, tmp_path: Path) -> None:
    """A trajectory ran in a container: its files are the project's."""
    _, project = projects.claim(store, shop, NOW)
    log = past_sessions.of_file(trajectory(tmp_path / "task-1.traj"))
    assert log
    made = history.plan(store, [log], Wanted(project="shop"), home=str(shop))
    history.read(store, made.sessions, now, lambda _: None, Read())
    rows = store.rows("select s.project, j.target from journal j join sessions s on s.row = j.session order by j.at")
    assert {row[0] for row in rows} == {project.id}
    assert [row[1] for row in rows] == ["ls -F", "pytest -q", "src/a.py", "src/a.py", "src/b.py", "pytest -q"]


def test_the_most_repeated_mistakes(store: Store, shop: Path, tmp_path: Path) -> None:
    """Those that were made more than once, the most often first."""
    for number, package in enumerate(("parser", "parser", "parser", "mailer", "mailer", "queue")):
        name = f"s{number}"
        learn(store, sessions.claude(tmp_path / f"{name}.jsonl", name, shop, *sessions.mended(name, package)))
    _, project = projects.look_up(store, shop)
    assert project
    found = [(body.split("`")[1], times) for _, body, times in history.repeated(store, [project.id])]
    assert found == [("pytest tests/test_parser.py", 3), ("pytest tests/test_mailer.py", 2)]


def test_portions_that_are_ready_at_once_leave_others_time_to_write(store: Store, tmp_path: Path) -> None:
    """A second process may have read far ahead; a live session's events must get in between."""
    path = tmp_path / "log.jsonl"
    path.touch()

    class Ready:
        def read(self, _: File) -> Iterator[Portion | int]:
            yield from (Portion([], 0, number, 0, 0, ()) for number in range(40))
            yield 40

    began = time.monotonic()
    file = File("claude-code", path, 0, str(tmp_path))
    assert history._take_in(store, Ready(), file, lambda: NOW, lambda _: None, Taken()) == 40
    assert time.monotonic() - began >= 39 * history.PAUSE
