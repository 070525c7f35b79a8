"""Secrets never reach the disk: two thousand canaries through every way in, then a search through every byte."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from hardwon.daemon import spool
from hardwon.daemon.message import Message
from hardwon.event import Event, EventType, Tier
from hardwon.memory import Anchor, AnchorKind, Kind, Rejected, Trust
from hardwon.redact import Redactor, border
from hardwon.store import changes, projects
from hardwon.store.connection import Store
from hardwon.store.index import search
from hardwon.store.log import copies, copy_file, exchange
from hardwon.store.maintenance import repair
from hardwon.store.tables import journal, memories, transcripts
from tests.commandline import HARDWON, Cli
from tests.redact.canaries import Canary, canaries
from tests.support import contents, draft, note, now, opened

CANARIES = canaries()
SOME = CANARIES[::7]
KEY = "ghp_" + "0123456789abcdefghijABCDEFGHIJ012345"
ID = "018bcfe5-6800-7000-8000-000000000"


def leaked(secrets: Iterable[Canary], *where: Path | str) -> list[Canary]:
    """The canaries whose secret is found, in any case, in a text or in any file below a folder."""
    pieces = [
        file.read_bytes()
        for place in where
        if isinstance(place, Path)
        for file in sorted(place.rglob("*"))
        if file.is_file()
    ]
    pieces += [place.encode() for place in where if isinstance(place, str)]
    haystack = b"\n".join(pieces).lower()
    return [one for one in secrets if one.secret.lower().encode() in haystack]


# ── ways in ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def as_note(store: Store, given: list[Canary]) -> None:
    for one in given:
        changes.note(store, changes.passed(store, draft(one.text)), now())


def as_every_field(store: Store, given: list[Canary]) -> None:
    for number, one in enumerate(given):
        fields = draft(
            f"lesson {number}",
            kind=Kind.DECISION,
            title=one.text,
            intent=one.text,
            because=one.text,
            rejected=(Rejected(one.text, one.text),),
            anchors=(Anchor(AnchorKind.COMMAND, one.text), Anchor(AnchorKind.ERROR, one.text)),
            evidence=(one.text,),
            author=one.text,
            skill=one.text,
        )
        changes.note(store, changes.passed(store, fields), now())


def as_changes(store: Store, given: list[Canary]) -> None:
    for number, one in enumerate(given):
        id = note(store, f"to be changed {number}")
        change = {"body": f"{number} {one.text}", "title": one.text, "anchors": [("file", one.text)]}
        changes.edit(store, id, border.clean(change, store.redactor), now())
        changes.complain(store, id, Trust.AGENT, border.clean(one.text, store.redactor), now())


def as_events(store: Store, given: list[Canary]) -> None:
    for number, one in enumerate(given):
        event = Event(
            EventType.TOOL_FAILED,
            "a-client",
            f"session {number % 5}",
            now(),
            cwd=f"/srv/{one.text}",
            call=str(number),
            target=one.text,
            text=one.text,
            error=one.text,
            transcript=one.text,
        )
        assert journal.append(store, border.clean_event(event, store.redactor), Tier.FULL)


def as_lines(store: Store, given: list[Canary]) -> None:
    """By hand, as records of another home (one from the future), and as lines that can't be read."""
    made = {"kind": "lesson", "project": "*", "trust": "agent", "source": "agent", "status": "active"}
    for number, one in enumerate(given):
        record = {"type": "record", "device": "feed", "memory": f"{ID}{number:03}", "action": 1, "operation": "create"}
        payload = made | {"body": one.text, "title": one.text, "unknown": [{"deep": one.text}], "created_at": 1}
        merged = exchange.merge(
            store,
            [
                {"body": one.text, "title": one.text, "intent": one.text, "because": one.text},
                record | {"sequence": 2 * number, "clock": now() << 16, "payload": payload},
                record | {"sequence": 2 * number + 1, "clock": (now() * 2) << 16, "payload": payload},
                {"body": "text", "kind": one.text},
                {"body": "text", "project": one.text},
                {"type": one.text},
                {"type": "project", "id": f"{ID}{number:03}", "name": one.text, "root": one.text, "created_at": 1,
                 "aliases": [["remote", one.text]]},
            ],
            now(),
            Trust.USER,
        )  # fmt: skip
        assert len(merged.set_aside) == 1
        assert len(merged.rejected) == 3
        assert leaked([one], *merged.rejected, *merged.set_aside) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("way", "given"),
    [(as_note, CANARIES), (as_events, CANARIES), (as_every_field, SOME), (as_changes, SOME), (as_lines, SOME)],
    ids=lambda value: value.__name__ if callable(value) else "",
)
def test_no_secret_reaches_the_disk(
    tmp_path: Path, way: Callable[[Store, list[Canary]], None], given: list[Canary]
) -> None:
    """Neither database, index, redo log, copy nor export holds one, whichever way it came in."""
    home = tmp_path / "home"
    with opened(home) as store:
        with store.transaction():  # one commit instead of thousands
            way(store, given)
        copy_file.take(store.db, store.home)
        (tmp_path / "export.jsonl").write_text("\n".join(map(json.dumps, exchange.export(store))))
        assert leaked(given, tmp_path) == [], "while the store is open, with its WAL"
    assert leaked(given, tmp_path) == []


def test_looking_for_a_secret_does_not_write_it_down(tmp_path: Path) -> None:
    """A query is not kept."""
    with opened(tmp_path / "home") as store:
        note(store, "something to find")
        for one in SOME:
            search.search(store, one.text, memories.Filter(), 5)
    assert leaked(SOME, tmp_path) == []


def commands() -> list[tuple[str, ...]]:
    """Commands that are given a secret, as `{}`, where they keep it or complain about it."""
    return [
        ("note", "{}", "-g"),
        ("note", "x", "-g", "--title", "{}", "--because", "{}", "--intent", "{}", "--skill", "{}"),
        ("note", "y", "-g", "--anchor", "command={}", "--anchor", "file={}", "--rejected", "{}"),
        ("recall", "{}", "--explain"),
        ("search", "{}"),
        ("note", "z", "--project", "{}"),
        ("note", "z", "--anchor", "{}"),
        ("note", "z", "--anchor", "smell={}"),
        ("list", "--project", "{}"),
        ("recall", "z", "--project", "{}"),
        ("show", "{}"),
        ("why", "{}"),
        ("edit", "{}", "new"),
        ("wrong", "{}"),
        ("undo", "{}"),
        ("supersede", "{}", "--by", "{}"),
        ("forget", "{}", "--yes"),
        ("pause", "--for", "{}"),
        ("config", "set", "recall.limit", "{}"),
        ("config", "set", "{}", "1"),
        ("import", "{}"),
        ("export", "/nowhere/{}"),
        ("project", "merge", "{}", "{}", "--yes"),
        ("project", "rename", "app", "{}"),
        ("{}",),
    ]


@pytest.mark.parametrize("command", commands(), ids=" ".join)
def test_no_command_keeps_or_repeats_a_secret(cli: Cli, command: tuple[str, ...]) -> None:
    """Whether it succeeds or complains: not under the home, not on stdout, not on stderr."""
    cli.run("note", "the first in this folder")
    given = SOME[len(" ".join(command)) % 11 :: 11]
    text = "\n\n".join(one.text for one in given)[:60_000]
    done = subprocess.run(
        [HARDWON, *(word.replace("{}", text) for word in command)],
        capture_output=True,
        text=True,
        cwd=cli.folder,
        env=cli.environment(),
        check=False,
    )
    assert "hardwon/cli" not in done.stderr, "a traceback"
    assert leaked(given, cli.home) == []
    if command[0] not in ("recall", "search"):
        assert leaked(given, done.stdout, done.stderr) == []


@pytest.mark.parametrize(
    ("command", "secret"),
    [
        (("note", "TENCENT token: zuMdOqDL9D6qoYra8ZW3jug0fAQGBVFo", "-g"), "zuMdOqDL9D6qoYra8ZW3jug0fAQGBVFo"),
        (("note", "run `deploy hunter2hunter2 now`, password: hunter2hunter2", "-g"), "hunter2hunter2"),
        (("note", "password: hunter2hunter2", "-g", "--title", "why hunter2hunter2 fails"), "hunter2hunter2"),
        (("note", "it fails", "-g", "-a", "symbol=hunter2hunter2", "--because", "password: hunter2hunter2"), "hunter2"),
    ],
)
def test_what_one_field_gives_away_is_a_secret_in_all(cli: Cli, command: tuple[str, ...], secret: str) -> None:
    """A secret that only its surroundings show is not kept where it stands alone: as an anchor, in a title."""
    cli.run(*command)
    assert leaked([Canary("", secret, "", "")], cli.home) == []
    id = cli.json("list", "-g")["items"][0]["id"]
    cli.run("supersede", id, f"{command[1]}, since today")
    assert leaked([Canary("", secret, "", "")], cli.home) == []


def test_bad_lines_of_an_import_are_named_without_their_secrets(cli: Cli) -> None:
    """The complaint about a line must not repeat what is wrong in it."""
    lines = [json.dumps({"body": "text", "kind": one.text}) for one in SOME[:20]]
    done = cli.run("import", "-", "--json", stdin="\n".join(lines).encode(), code=1)
    assert "line 1:" in done.stdout
    assert leaked(SOME[:20], done.stdout, done.stderr, cli.home) == []


def test_a_folder_that_is_named_like_a_key_is_one_project(cli: Cli, tmp_path: Path) -> None:
    """Its name, its root, its remote and its parent's name are kept without the secret, and it is found again."""
    first, second = tmp_path / "app-2" / "app", tmp_path / f"token={KEY}" / "app"
    for folder in (first, second):
        folder.mkdir(parents=True)
    subprocess.run(["git", "init", "-q"], cwd=second, check=True, env=cli.environment())
    remote = f"https://ann:{KEY}@git.corp.dev/team/app.git"
    subprocess.run(["git", "remote", "add", "origin", remote], cwd=second, check=True, env=cli.environment())
    cli.run("note", "in the first", cwd=first)
    cli.run("note", "in the second", cwd=second)
    cli.run("note", "in the second, too", cwd=second)
    found = cli.json("list", cwd=second)
    assert sorted(item["body"] for item in found["items"]) == ["in the second", "in the second, too"]
    assert cli.json("project", "list")["total"] == 2
    assert leaked([Canary("", KEY, "", "")], cli.home) == []


# ── scrub ────────────────────────────────────────────────────────────────────────────────────────────────────────────


class Blind(Redactor):
    """Finds nothing: as if the rules that know these secrets came with the next version."""

    def text(self, value: str) -> str:
        return value


@pytest.fixture
def careless(cli: Cli, tmp_path: Path) -> list[Canary]:
    """A home in which secrets were written down wherever text can be."""
    given = SOME[:40]
    with opened(cli.home) as store:
        store.redactor = Blind()
        note(store, "an ordinary lesson")
        for way in (as_note, as_every_field, as_events):
            way(store, given)
        payload = {"kind": "lesson", "project": "*", "trust": "agent", "source": "agent", "status": "active"}
        line = {"type": "record", "device": "feed", "sequence": 1, "clock": (now() * 2) << 16, "memory": f"{ID}000"}
        line |= {"operation": "create", "action": 1, "payload": payload | {"body": given[0].text}}
        assert exchange.merge(store, [line], now(), Trust.USER).set_aside
        for name in ("one", "two"):
            (tmp_path / f"{name} {KEY}").mkdir()
            _, project = projects.claim(store, tmp_path / f"{name} {KEY}", now())
            projects.rename(store, project.name, f"{name}")
            projects.rename(store, name, KEY if name == "one" else f" {KEY} ".replace("j", "k"))
        copies.refresh(store)
        note(store, "one more for the redo log")
    assert len(leaked(given, cli.home)) == len(given)
    return [*given, Canary("github-token", KEY, "", ""), Canary("github-token", KEY.replace("j", "k"), "", "")]


def test_scrub_says_what_it_would_do(cli: Cli, careless: list[Canary]) -> None:
    """--dry-run reports and changes nothing, and never shows a secret."""
    with opened(cli.home) as store:
        before = contents(store)
    done = cli.run("scrub", "--dry-run")
    assert "would be redacted" in done.stdout
    assert leaked(careless, done.stdout, done.stderr) == []
    with opened(cli.home) as store:
        assert contents(store) == before
    assert len(leaked(careless, cli.home)) == len(careless)


def test_scrub_takes_nothing_out_that_nobody_said_yes_to(cli: Cli, careless: list[Canary]) -> None:
    """By itself it lists; without a terminal and without --yes nothing is changed, and it says that it is for good."""
    done = cli.run("scrub")
    assert "would be redacted" in done.stdout
    assert "for good" in done.stderr
    assert "--yes" in cli.run("scrub", "--apply", code=1).stderr
    assert "exclude each other" in cli.run("scrub", "--apply", "--dry-run", "--yes", code=2).stderr
    assert len(leaked(careless, cli.home)) == len(careless)


def test_scrub_leaves_no_byte(cli: Cli, careless: list[Canary], tmp_path: Path) -> None:
    """Records, tables, index, journal, sessions, projects, copies and redo log; then there is nothing left to do."""
    expected = cli.json("scrub", "--dry-run")
    done = cli.json("scrub", "--apply", "--yes")
    assert done | {"dry_run": True} == expected
    assert done["memories"] >= 80
    assert done["rows"] >= 40
    assert {one.rule for one in careless[:5]} <= done["findings"].keys()
    assert leaked(careless, cli.home) == []

    with opened(cli.home) as store:
        assert repair.differences(store) == []
        assert repair.damage(store) == []
        assert "an ordinary lesson" in {memory.body for memory, _ in contents(store).values()}
        _, found = projects.look_up(store, tmp_path / f"one {KEY}")
        assert found is not None, "the folder is still known"
    again = cli.json("scrub", "--apply", "--yes")
    assert (again["memories"], again["rows"], again["findings"]) == (0, 0, {})


def test_scrub_reaches_names_of_skills_and_files(cli: Cli) -> None:
    """A skill, its folder, a transcript and an event that waits, each called like a code name; lessons stay."""
    cli.run("note", "a lesson of this skill", "-g", "--skill", "aurora-nine")
    cli.run("note", "a lesson of another one", "-g", "--skill", "more/aurora-ten")
    with opened(cli.home) as store:
        transcripts.remember(store, "/srv/aurora-nine.jsonl", 10, now())
        payload = {"session_id": "s", "prompt": "aurora-nine", "cwd": "/srv"}
        message = Message("", "claude-code", "UserPromptSubmit", 0, json.dumps(payload).encode())
        assert spool.put(store.home, message, store.settings, now())
    file = cli.home / "skills" / "aurora-nine" / "KNOWLEDGE.md"
    file.write_text(file.read_text() + "\n- typed by hand\n")
    (cli.home / "hardwon.toml").write_text('[[redact.rules]]\nname = "code-name"\npattern = "aurora-\\\\w+"\n')
    expected = cli.json("scrub", "--dry-run")
    assert cli.json("scrub", "--apply", "--yes") | {"dry_run": True} == expected
    names = [Canary("", name, "", "") for name in ("aurora-nine", "aurora-ten")]
    assert leaked(names, cli.home, *(str(path) for path in cli.home.rglob("*"))) == []
    with opened(cli.home) as store:
        found = {memory.body: memory.scope.skill for memory, _ in contents(store).values()}
    hidden = "[redacted:code-name]"
    assert found == {
        "a lesson of this skill": hidden, "typed by hand": hidden, "a lesson of another one": f"more/{hidden}"
    }  # fmt: skip


def test_a_rule_of_ones_own_reaches_what_is_already_kept(cli: Cli) -> None:
    """What the user declares a secret today goes from what was kept yesterday."""
    cli.run("note", "the code name is Aurora-Nine, tell nobody", "-g")
    (cli.home / "hardwon.toml").write_text('[[redact.rules]]\nname = "code-name"\npattern = "Aurora-\\\\w+"\n')
    assert cli.json("scrub", "--apply", "--yes")["findings"] == {"code-name": 1}
    assert leaked([Canary("", "aurora-nine", "", "")], cli.home / "copies", cli.home) == []
    assert cli.json("list", "-g")["items"][0]["body"] == "the code name is [redacted:code-name], tell nobody"
