"""A memory from before a rule existed does not leave with its secret, whichever way it goes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardwon.memory import GLOBAL
from hardwon.store import mirror
from hardwon.store.maintenance import upgrade
from hardwon.store.tables import memories
from tests.commandline import Cli
from tests.daemon.running import Daemon, framed, place
from tests.daemon.session import Session
from tests.store.test_old_homes import KEY, PASSWORD, Blind, plant
from tests.support import files_with, note, now, opened

OWN = '[[redact.rules]]\nname = "code-name"\npattern = "lesson [0-9]"\n'


def keep_old(home: Path) -> list[str]:
    """The home counts as done, so that what is planted stays there; the ids of its memories."""
    with opened(home) as store:
        store.set_meta(upgrade.EDITION, upgrade.edition())
        return [memory.id for memory in memories.all_memories(store)]


@pytest.fixture
def old(cli: Cli) -> tuple[Cli, list[str]]:
    plant(cli.home, cli.folder)
    return cli, keep_old(cli.home)


def commands(id: str) -> list[tuple[str, ...]]:
    return [
        ("list", "--all", "--every-status"),
        ("show", id),
        ("why", id),
        ("search", "lesson", "--all"),
        ("search", "look", "--sessions", "--all"),
        ("recall", "which lesson says what?", "-g"),
        ("recall", "which lesson says what?", "-g", "--explain"),
        ("recall", "--skill", "deploy"),
        ("check", "--command", f"login {PASSWORD}", "-g"),
        ("check", "--symbol", KEY, "-g"),
        ("show", "--skill", "deploy", "-g"),
        ("inject", "deploy"),
        ("status",),
        ("status", "--skills"),
        ("review", "list"),
        ("project", "list"),
        ("doctor",),
        ("scrub",),
        ("pin", id),
        ("wrong", id, "it is no longer so"),
        ("edit", id, "--title", "another one"),
        ("archive", id),
        ("forget", id),
        ("mirror", "--dry-run"),
    ]


@pytest.mark.parametrize("json", [(), ("--json",)], ids=["plain", "JSON"])
def test_no_command_shows_it(old: tuple[Cli, list[str]], json: tuple[str, ...]) -> None:
    """Also where a line is cut, on both streams, and whether the command ends well or not."""
    cli, ids = old
    shown = 0
    for id in ids[:6]:
        for command in commands(id) if id == ids[0] else commands(id)[1:3]:
            done = cli.run(*command, *json, code=None)
            said = done.stdout + done.stderr
            assert "Traceback" not in said, command
            assert not any(secret[:20] in said for secret in (KEY, PASSWORD)), command
            shown += "[redacted:" in said
    assert shown > 10


def test_the_log_of_the_daemon_is_shown_without_it(old: tuple[Cli, list[str]]) -> None:
    cli, _ = old
    said = cli.run("daemon", "log").stdout
    assert "failed at [redacted:github-token]" in said


def test_no_export_holds_it(old: tuple[Cli, list[str]], tmp_path: Path) -> None:
    """As a file and on standard output; another home can take it in."""
    cli, ids = old
    cli.run("export", str(tmp_path / "out.jsonl"))
    printed = cli.run("export", "-").stdout
    assert files_with(tmp_path, KEY, PASSWORD).keys() & {"out.jsonl"} == set()
    assert KEY not in printed
    assert PASSWORD not in printed
    other = cli.elsewhere(tmp_path / "other")
    assert other.json("import", str(tmp_path / "out.jsonl"))["memories"] == len(ids)


def test_no_markdown_file_holds_it(old: tuple[Cli, list[str]]) -> None:
    cli, _ = old
    file = cli.home / "skills" / "deploy" / "KNOWLEDGE.md"
    file.unlink()
    with opened(cli.home) as store:
        store.db.execute("insert or ignore into mirror_due (skill) values ('deploy')")
        mirror.refresh(store, now())
    assert "[redacted:github-token]" in file.read_text()
    assert KEY not in file.read_text()


def test_a_rule_of_ones_own_counts_for_what_is_shown_at_once(old: tuple[Cli, list[str]]) -> None:
    """Before anything is scrubbed."""
    cli, ids = old
    (cli.home / "hardwon.toml").write_text(OWN)
    for command in (("list", "--all"), ("show", ids[0]), ("list", "--all", "--json"), ("why", ids[0])):
        said = cli.run(*command).stdout
        assert "[redacted:code-name]" in said
        assert "lesson 0" not in said


@pytest.fixture
def daemon() -> Iterator[Daemon]:
    with place() as one:
        yield one


def test_no_client_is_told_it(daemon: Daemon) -> None:
    """At the start of a session, at a prompt, before a command, after a failure, when a skill loads, by a tool."""
    plant(daemon.home.root, daemon.folder)
    keep_old(daemon.home.root)
    daemon.start()
    session = Session(daemon)
    said = [
        session.start(),
        session.prompt("which lesson says what, and what does lesson 1 say?"),
        json.dumps(session.before(f"login {PASSWORD}")),
        session.failed(f"login {PASSWORD}", "Exit code 1\nlogin: lesson 1 says no"),
        session.skill("deploy", "lesson"),
    ]
    for tool, arguments in (
        ("recall", {"query": "which lesson says what?"}),
        ("recall", {"skill": "deploy"}),
        ("recall", {"query": "look at it", "conversations": True}),
        ("check", {"symbol": KEY, "command": f"login {PASSWORD}"}),
        ("note", {"text": f"lesson 1 of a skill: {KEY}", "everywhere": True, "skill": "deploy"}),
    ):
        asked = {"arguments": arguments, "client": "claude-code", "session": "s1", "cwd": str(daemon.folder)}
        said.append(daemon.exchange(framed(tool, json.dumps(asked).encode(), host="mcp")).decode())
    assert sum("[redacted:" in one for one in said) >= 4
    assert not any(secret in "".join(said) for secret in (KEY, PASSWORD))
    daemon.leave()


def test_what_is_cut_is_redacted_first(cli: Cli) -> None:
    """Half a secret no rule would know."""
    with opened(cli.home) as store:
        store.is_strict, store.redactor = False, Blind()
        for at in range(100, 156, 5):
            note(store, f"{'word ' * (at // 5)}{KEY} after it all", project=GLOBAL)
    keep_old(cli.home)
    said = cli.run("list", "-g").stdout
    assert "ghp_" not in said
