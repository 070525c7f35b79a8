"""W62 on every way in: a lesson in other words is a hit on the one that is there, and its words are kept."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.commandline import Cli
from tests.daemon.running import Daemon
from tests.tools.server import Server

FIRST = "Run `make redis` before the tests"
OTHER = "Before the tests, always run make redis"
HERE = ("--skill", "deploy", "--global")


def by_note(cli: Cli) -> None:
    assert "known already in other words" in cli.run("note", OTHER, *HERE).stdout


def by_flush(cli: Cli) -> None:
    text = f"## Lessons\n- {OTHER}\n".encode()
    planned = cli.json("flush", *HERE, "--stdin", "--dry-run", stdin=text)["plan"]
    assert (planned["new"], planned["known"]) == ([], [OTHER])
    done = cli.json("flush", *HERE, "--stdin", stdin=text)
    assert (len(done["kept"]), len(done["known"])) == (0, 1)


def by_mirror(cli: Cli) -> None:
    file = cli.home / "skills" / "deploy" / "KNOWLEDGE.md"
    file.write_text(f"{file.read_text('utf-8').rstrip()}\n- {OTHER}\n", "utf-8")
    cli.run("mirror")
    assert OTHER not in file.read_text("utf-8")


def by_file(cli: Cli) -> None:
    file = cli.folder / "skills" / "deploy" / "KNOWLEDGE.md"
    file.parent.mkdir(parents=True)
    file.write_text(f"- [2026-03] {OTHER}\n", "utf-8")
    for _ in range(2):
        cli.person("import", str(file), "--yes")


def by_lines(cli: Cli) -> None:
    file = cli.folder / "lines.jsonl"
    file.write_text(json.dumps({"body": OTHER, "skill": "deploy", "trust": "agent"}), "utf-8")
    cli.person("import", str(file))


@pytest.mark.parametrize("way", [by_note, by_flush, by_mirror, by_file, by_lines])
def test_it_is_counted_and_its_words_are_kept(cli: Cli, way: Callable[[Cli], None]) -> None:
    """W62: by note, flush, a bullet in the mirror, a KNOWLEDGE.md, lines by hand: one lesson, both wordings."""
    cli.run("note", FIRST, *HERE)
    way(cli)
    (lesson,) = cli.json("list", "--skill", "deploy", "--every-status")["items"]
    assert (lesson["body"], lesson["hits"], lesson["trust"]) == (FIRST, 1, "agent")
    shown = cli.run("show", lesson["id"]).stdout
    assert OTHER in shown


def test_a_person_sees_their_own_words(cli: Cli) -> None:
    """What a person says at a terminal becomes the text; the agent's stays with it."""
    cli.run("note", FIRST, *HERE)
    cli.person("note", OTHER, *HERE)
    (lesson,) = cli.json("list", "--skill", "deploy")["items"]
    assert (lesson["body"], lesson["trust"]) == (OTHER, "user")
    assert f"also said as: {FIRST}" in lesson["evidence"]


def test_two_hands_at_one_bullet_stay_two(cli: Cli) -> None:
    """An agent's change to a person's bullet is kept beside it, however alike the words are."""
    cli.person("note", FIRST, *HERE)
    cli.run("mirror")
    file = cli.home / "skills" / "deploy" / "KNOWLEDGE.md"
    file.write_text(file.read_text("utf-8").replace(FIRST, f"Always run {FIRST[4:]}"), "utf-8")
    cli.run("mirror")
    assert len(cli.json("list", "--skill", "deploy")["items"]) == 2


def test_a_better_wording_replaces_the_old_one_when_told_to(cli: Cli) -> None:
    """`supersede` makes two of them, also when the new text says nearly the same."""
    old = cli.json("note", FIRST, *HERE)["id"]
    cli.run("supersede", old, OTHER)
    assert [item["body"] for item in cli.json("list", "--skill", "deploy")["items"]] == [OTHER]


def test_twenty_agents_say_it_at_once(daemon: Daemon) -> None:
    """Through MCP, in two sessions: one lesson, counted each time."""
    with Server(daemon) as one, Server(daemon) as two:
        for number, server in enumerate((one, two) * 5):
            server.call("note", text=FIRST if number % 2 else OTHER, skill="deploy")
    cli = Cli(daemon.home.root, daemon.folder)
    (lesson,) = cli.json("list", "--skill", "deploy")["items"]
    assert lesson["hits"] == 9
    daemon.leave()


def test_a_planted_wording_waits_apart(cli: Cli, tmp_path: Path) -> None:
    """A text that looks planted is no other wording of anything."""
    cli.run("note", FIRST, *HERE)
    cli.run("note", f"{FIRST}\u202e", *HERE)
    statuses = [item["status"] for item in cli.json("list", "--skill", "deploy")["items"]]
    assert sorted(statuses) == ["active", "candidate"]
