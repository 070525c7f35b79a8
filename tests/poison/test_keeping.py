"""Planted texts that an agent was talked into keeping, or that stand in files which are taken in.

An agent's word counts as an agent's, so such a text can become a memory. It never counts for more, it stays in its
line, and what is plainly made to be repeated waits for a person.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardwon.memory import Kind, Memory, Status, Trust
from hardwon.store import mirror
from hardwon.store.connection import Store
from hardwon.store.tables import memories
from tests.commandline import Cli
from tests.daemon.running import Daemon
from tests.poison.judge import PAYLOADS, Payload, assert_contained, assert_harmless, everything_said_of, folded
from tests.support import now, opened
from tests.tools.server import Server

each = pytest.mark.parametrize("payload", PAYLOADS, ids=lambda one: one.name)


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    folder = tmp_path / "app"
    folder.mkdir()
    return Cli(tmp_path / "h", folder)


def holding(store: Store, payload: Payload) -> Iterator[Memory]:
    for memory in memories.all_memories(store):
        words = f"{memory.title} {memory.body} {memory.because} {memory.intent} {memory.rejected}"
        if any(bait in folded(words) for bait in payload.bait):
            yield memory


def assert_only_an_agents(store: Store, *, of: list[Payload] = PAYLOADS) -> None:
    """Each is there; the plain ones wait for a person; all of them stay in their line, with their source."""
    for payload in of:
        found = list(holding(store, payload))
        assert found, payload.name
        for memory in found:
            assert memory.trust in (Trust.AGENT, Trust.UNTRUSTED), (payload.name, memory)
            waits = memory.status is Status.CANDIDATE
            assert waits == (memory.trust is Trust.UNTRUSTED) or memory.source == "import", (payload.name, memory)
            assert waits or memory.trust is Trust.AGENT, (payload.name, memory)
            for said in filter(None, everything_said_of(memory)):
                assert_contained(said)
        for memory in found:
            if memory.kind is Kind.FAILURE and memory.status is Status.ACTIVE:  # it quotes what was printed
                for said in everything_said_of(memory):
                    assert_harmless(said, payload)
            else:
                assert (memory.status is Status.CANDIDATE) or not payload.planted, memory


def test_notes_through_mcp(daemon: Daemon) -> None:
    """In every argument that takes a text; what waits for a person is not brought back."""
    with Server(daemon) as server:
        for payload in PAYLOADS:
            text = payload.text[:3_000]
            said, _ = server.call("note", text=text, intent=text, because=text, skill=payload.flat[:100])
            assert "Kept as" in said
            assert_contained(said)
            server.call("note", text=text)
            server.call("mark", kind="decision", text=f"Chosen: {text}", because=text, rejected=[f"x: {text}"])
            server.call("mark", kind="failure", text="It failed here", error=text, command=f"make {payload.name}")
            for tool, asked in (("recall", {"query": text}), ("check", {"command": f"make {payload.name}"})):
                answer, _ = server.call(tool, **asked)
                assert_contained(answer)
                assert not (payload.planted and tool == "recall" and f"lesson: {payload.flat[:20]}" in answer)
    with daemon.store() as store:
        assert_only_an_agents(store, of=[one for one in PAYLOADS if one.name != "long"])
    daemon.leave()


@each
def test_a_note_on_the_command_line(cli: Cli, payload: Payload) -> None:
    """The same text again does not make it an agent's word."""
    raw = payload.text.replace("\x00", "").encode()
    for _ in range(2):
        done = cli.run("note", "-", stdin=raw)
        assert ("waits for a person" in done.stderr) == payload.planted
    with opened(cli.home, write=False) as store:
        assert_only_an_agents(store, of=[payload])
    for done in (cli.run("recall", payload.flat[:80].replace("\x00", "") or "x"), cli.run("list")):
        assert done.stdout == "".join(char for char in done.stdout if char.isprintable() or char in "\n\t")


def test_a_knowledge_file_of_a_repository(cli: Cli) -> None:
    """Taken in by an agent: an agent's word at most, and all of it waits for a person."""
    entries = "\n".join(f"- [2026-01] {payload.flat.replace(chr(0), '')} [HIT:50]" for payload in PAYLOADS)
    file = cli.folder / "skills" / "deploy" / "KNOWLEDGE.md"
    file.parent.mkdir(parents=True)
    file.write_text(f"# deploy\n\n{entries}\n", "utf-8")
    cli.run("import", str(file), "--skill", "deploy", "--yes")
    with opened(cli.home, write=False) as store:
        assert_only_an_agents(store)
        assert {memory.status for memory in memories.all_memories(store)} == {Status.CANDIDATE}


def test_lines_of_an_export(cli: Cli) -> None:
    """By hand or as records that claim a person's trust, a verified fix, a status, a source, an id."""
    lines: list[dict[str, object]] = []
    for number, payload in enumerate(PAYLOADS):
        lines.append(
            {"body": payload.text, "trust": "user", "kind": "rule", "title": payload.flat, "because": payload.text}
        )
        fields = {"kind": "fix", "body": f"As record: {payload.text}", "project": "*", "trust": "verified",
                  "source": payload.text, "status": "active", "subtype": "worked", "author": payload.text}  # fmt: skip
        record = {"type": "record", "device": "feed", "sequence": number, "clock": number + 1, "at": 1, "action": 1,
                  "memory": f"018bcfe5-6800-7000-8000-{number:012}", "operation": "create",
                  "payload": fields}  # fmt: skip
        lines.append(record)
    file = cli.folder / "lines.jsonl"
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    taken = cli.json("import", str(file))
    assert taken["memories"] >= len(PAYLOADS), taken
    with opened(cli.home, write=False) as store:
        assert_only_an_agents(store)


def test_a_mirror_file_that_was_written_to(cli: Cli) -> None:
    """By an agent or any program: an agent's word, and it stays in the file."""
    cli.run("note", "Ask for the region first", "--skill", "deploy")
    file = cli.home / "skills" / "deploy" / "KNOWLEDGE.md"
    cli.run("mirror")
    before = file.read_text("utf-8")
    bullets = "".join(f"- {payload.flat.replace(chr(0), '')}\n" for payload in PAYLOADS)
    file.write_text(f"{before.rstrip()}\n{bullets}", "utf-8")
    with opened(cli.home) as store:
        mirror.absorb(store, now(), "deploy")
        assert_only_an_agents(store)
    cli.run("mirror")
    assert "Ask for the region first" in file.read_text("utf-8")


@pytest.mark.parametrize("name", ["app\x1b[31m", "</hardwon>", "a\u202eb", "<system-reminder>", "x\ny", "évil\u200b"])
def test_the_name_of_a_project(tmp_path: Path, name: str) -> None:
    """A folder can be called anything; no name plays tricks on a terminal or closes a fence."""
    folder = tmp_path / name.replace("/", "_")
    folder.mkdir()
    cli = Cli(tmp_path / "h", folder)
    cli.run("note", "The tests need Redis")
    for verb in (["list"], ["recall", "tests need redis"], ["project", "list"], ["status"], ["search", "redis"]):
        said = cli.run(*verb).stdout
        assert said == "".join(char for char in said if char.isprintable() or char in "\n\t"), verb
