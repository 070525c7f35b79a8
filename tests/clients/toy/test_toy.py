"""A client that the registry does not know, from set up to taken out, with the real command line and daemon."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from hardwon import action
from hardwon.event import Event, EventType, Heard, Reply
from hardwon.store.tables import journal
from tests.clients.toy import messages
from tests.clients.toy.transcript import LOGS
from tests.commandline import Cli
from tests.daemon.running import PATIENCE, Daemon, place, until
from tests.support import now

ROOT = Path(__file__).parents[3]
SETTINGS = b'{\n\t"theme" : "dark", "hooks": {"said": [ {"hooks": [{"type": "command", "command": "true"}]} ]}\n}'
REFUSED = "connect: connection refused on /var/run/pg.sock\nmake: *** [Makefile:3: test] Error 1"
MENDED = "`make test` works after: `docker compose up -d db`"

Message = dict[str, Any]


@dataclass
class Toy:
    """The client as far as hardwon sees it: it runs the hooks in its settings, and writes its sessions down."""

    daemon: Daemon
    cli: Cli

    @property
    def folder(self) -> Path:
        return self.cli.home.parent / ".toy"

    @property
    def settings(self) -> Path:
        return self.folder / "toy.json"

    def hardwon(self, *words: str) -> str:
        return self.cli.run(*words, env=self.daemon.environment).stdout

    def starts(self) -> None:
        """Set up, and with a daemon. The one that hooks start has -E and no PYTHONPATH: it would not find the toy."""
        self.hardwon("setup", "toy", "--yes")
        self.daemon.start([sys.executable, "-P", "-m", "hardwon.daemon", str(self.daemon.home.root), "run"])

    def message(self, kind: str, run: str, at: int, **more: Any) -> Message:
        return {"kind": kind, "run": run, "dir": str(self.daemon.folder), "when": at, **more}

    def session(self, run: str) -> list[Message]:
        """Its tests failed, it started the database, they passed."""
        test, start = (
            {"tool": "shell.run", "with": {"line": line}} for line in ("make test", "docker compose up -d db")
        )
        happened: list[Message] = [
            {"kind": "opened"},
            {"kind": "said", "turn": f"{run}-t1", "gave": "make the tests pass"},
            {"kind": "wants", "step": f"{run}-1", **test},
            {"kind": "broke", "step": f"{run}-1", **test, "gave": REFUSED, "code": 2},
            {"kind": "done", "step": f"{run}-2", **start, "gave": "started"},
            {"kind": "done", "step": f"{run}-3", "tool": "file.patch", "with": {"path": "a.py"}, "gave": ""},
            {"kind": "done", "step": f"{run}-4", **test, "gave": "12 passed"},
            {"kind": "over", "turn": f"{run}-t1", "gave": "The database was down."},
            {"kind": "closed"},
        ]
        begun = now() - 60_000
        return [self.message(one.pop("kind"), run, begun + 1_000 * n, **one) for n, one in enumerate(happened)]

    def says(self, message: Message) -> dict[str, str]:
        """Run the hooks of an event, one after the other; what they answered."""
        answers: dict[str, str] = {}
        for group in json.loads(self.settings.read_bytes())["hooks"][message["kind"]]:
            done = subprocess.run(
                ["/bin/sh", "-c", group["hooks"][0]["command"]], input=json.dumps(message).encode(),
                env=self.daemon.environ(), stdout=subprocess.PIPE, check=True, timeout=PATIENCE,
            )  # fmt: skip
            answers |= json.loads(done.stdout) if done.stdout else {}
        return answers

    def writes(self, session: list[Message]) -> Path:
        """The record of a session."""
        folder = self.folder / "runs" / str(session[0]["run"])
        folder.mkdir(parents=True)
        head = "toylog 1\n" + "".join(f"{name}: {session[0][name]}\n" for name in ("run", "dir"))
        record = folder / "session.toylog"
        record.write_text("---\n".join((head, *map(_block, session), "")))
        return record

    def heard(self, run: str) -> list[Event]:
        with self.daemon.store() as store:
            return list(journal.of_session(store, "toy", run))

    def learned(self) -> list[Any]:
        """The fix, as far as it is known: each with what it was learned from."""
        known = self.cli.json("list", env=self.daemon.environment)["items"]
        return [(one["evidence"], one["hits"]) for one in known if one["body"] == MENDED]


def _block(message: Message) -> str:
    fields = {name: value for name, value in message.items() if name not in ("run", "dir", "with", "gave")}
    lines = [f"{name}: {value}" for name, value in (fields | message.get("with", {})).items()]
    return "\n".join((*lines, *(f"\t{line}" for line in message.get("gave", "").split("\n")), ""))


@pytest.fixture
def toy() -> Iterator[Toy]:
    with place() as daemon:
        daemon.environment |= {"HARDWON_CLIENTS": "tests.clients.toy", "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}"}
        daemon.environment |= {"HARDWON_VECTORS_MODEL": "off"}
        one = Toy(daemon, Cli(daemon.home.root, daemon.folder))
        one.folder.mkdir()
        one.settings.write_bytes(SETTINGS)
        yield one


def test_it_is_set_up_checked_and_taken_out(toy: Toy) -> None:
    """Our entries stand beside the person's, doctor says so and at which moments it is told; uninstall gives back the
    old bytes."""
    toy.hardwon("setup", "toy", "--yes")
    settings = json.loads(toy.settings.read_bytes())
    assert set(settings["hooks"]) == set(messages.TYPES)
    assert [len(groups) for groups in settings["hooks"].values()] == [2, 1, 1, 1, 1, 1, 1]
    assert settings["servers"]["hardwon"]["run"] == str(toy.daemon.home.hook / "mcp")
    assert "ok toy: Toy Agent is wired" in toy.cli.run("doctor", env=toy.daemon.environment, code=None).stdout
    table = toy.hardwon("doctor", "--clients").partition("Toy Agent\n")[2].splitlines()
    assert table[1].split() == ["after", "compaction", "impossible"]
    assert table[4].split() == ["before", "action", "with", "the", "result:", "tell", "of", "wants"]
    toy.hardwon("uninstall", "toy", "--yes")
    assert toy.settings.read_bytes() == SETTINGS


def test_what_the_person_changed_meanwhile_stays(toy: Toy) -> None:
    """A second setup finds our entries; uninstall takes out these and nothing else."""
    toy.hardwon("setup", "toy", "--yes")
    changed = toy.settings.read_bytes().replace(b"dark", b"light")
    toy.settings.write_bytes(changed)
    toy.hardwon("setup", "toy", "--yes")
    assert toy.settings.read_bytes() == changed
    toy.hardwon("uninstall", "toy", "--yes")
    assert toy.settings.read_bytes() == SETTINGS.replace(b"dark", b"light")


def test_its_messages_become_events(toy: Toy) -> None:
    """What its tools did stands in the journal by the names that all clients share, with outcome and exit status."""
    toy.starts()
    assert [toy.says(one) for one in toy.session("r1")] == [{}] * 9
    toy.daemon.settle()
    until(lambda: len(toy.heard("r1")) == 8, "all but the call's begin was kept")
    heard = toy.heard("r1")
    assert [event.tool for event in heard if event.tool] == [action.SHELL, action.SHELL, action.EDIT, action.SHELL]
    assert heard[1].text == "make the tests pass"
    failed = heard[2]
    assert (failed.type, failed.target, failed.exit_status) == (EventType.TOOL_FAILED, "make test", 2)
    assert failed.error == REFUSED


def test_a_failure_that_was_mended_is_told_when_it_comes_again(toy: Toy) -> None:
    """In another session, in the shape that the client takes."""
    toy.starts()
    for message in toy.session("r1"):
        toy.says(message)
    until(toy.learned, "the fix was learned")
    opened, _, _, broke, *_ = toy.session("r2")
    assert toy.says(opened) == {}
    answer = toy.says(broke)
    assert list(answer) == ["tell"]
    assert MENDED in answer["tell"]


def test_a_recipe_brings_its_lesson(toy: Toy) -> None:
    """Used or only read: as many of them as its file in the client's second folder of skills says."""
    recipe = toy.daemon.folder / ".toy" / "recipes" / "deploy" / "SKILL.md"
    recipe.parent.mkdir(parents=True)
    recipe.write_text("---\nname: deploy\nskill-memory: {top: 1}\n---\nPush the button.\n")
    toy.starts()
    toy.hardwon("note", "Production waits for the lock", "--skill", "deploy")
    toy.hardwon("note", "The staging certificate expires each month", "--skill", "deploy")
    use = {"step": "1", "tool": "recipe.use", "with": {"recipe": "deploy"}}
    show = {"step": "1", "tool": "file.show", "with": {"path": str(recipe)}}
    for run, call in (("r1", use), ("r2", show)):
        told = toy.says(toy.message("wants", run, now(), **call))["tell"]
        assert told.startswith('<skill-memory skill="deploy">')
        assert ("Production waits" in told) + ("staging certificate" in told) == 1


def test_its_records_are_learned_from(toy: Toy) -> None:
    """What it wrote down before hardwon was there: once, of a named folder or where it keeps them."""
    toy.hardwon("learn", str(toy.writes(toy.session("r1")).parent), "--yes")
    assert len(toy.learned()) == 1
    assert "all of it was read before" in toy.hardwon("learn", "--yes")
    toy.writes(toy.session("r2"))
    assert "1 session" in toy.hardwon("learn", "--yes", "--client", "toy")
    assert [(event.type, event.target, event.text, event.error) for event in toy.heard("r2")] == [
        (event.type, event.target, event.text, event.error) for event in toy.heard("r1")
    ]


def test_what_a_hook_missed_stands_in_the_record(toy: Toy) -> None:
    """It is read when the session has ended, and what was heard already counts once: both have the same ids."""
    toy.starts()
    session = toy.session("r1")
    record = toy.writes(session)
    for message in session:
        if message.get("step") != "r1-2":
            toy.says(message | {"log": str(record)})
    until(toy.learned, "the fix was learned with the command that was not heard")
    toy.daemon.settle()
    heard, learned = toy.heard("r1"), toy.learned()
    toy.hardwon("learn", str(record), "--yes", "--again")
    assert (toy.heard("r1"), toy.learned()) == (heard, learned)
    assert len(heard) == 8


def test_a_record_is_read_on_from_where_it_ended(toy: Toy) -> None:
    """A block that is not whole yet is read later, a damaged one never."""
    record = toy.writes(toy.session("r1"))
    whole = record.read_bytes()
    rest = whole.index(b"12 passed")
    record.write_bytes(whole[:rest])
    log = LOGS.open(record)
    first = [event for portion in log.portions() for event in portion]
    assert [event.call for event in first if event.call] == ["r1-1", "r1-1", "r1-2", "r1-3"]
    record.write_bytes(whole + b"kind: done\nwhen: soon\n---\n")
    more = [event for portion in LOGS.open(record).portions(log.end) for event in portion]
    assert [event.type for event in more] == [EventType.TOOL_FINISHED, EventType.TURN_ENDED, EventType.SESSION_ENDED]


def test_a_message_of_no_known_event_is_nothing_and_a_broken_one_an_error() -> None:
    """A newer client may send what we don't know."""
    assert messages.hear("dreams", b"{}", 0) == Heard()
    for payload in (b"{", b"[]", b'{"kind": "said"}', b'{"run": "r1", "dir": "/", "tool": "shell.run"}'):
        with pytest.raises(ValueError):  # noqa: PT011
            messages.hear("done", payload, 0)


def test_it_is_answered_only_with_what_it_accepts() -> None:
    """A call can be stopped, or a person asked; other events take words, and the end of a turn none."""
    everything = Reply("words", stop="no", ask="really?", notice="look")
    shapes = {kind: json.loads(messages.speak(kind, everything) or b"{}") for kind in ("wants", "said", "over")}
    assert shapes["wants"] == {"tell": "words", "person": "look", "halt": "no", "check": "really?"}
    assert shapes["said"] == {"tell": "words", "person": "look"}
    assert shapes["over"] == {}
    assert messages.speak("wants", Reply()) == b""
