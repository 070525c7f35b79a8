"""A file of settings that can't be read: the daemon is there, keeps and says nothing, and somebody hears of it."""

from __future__ import annotations

import json
import os
import subprocess
import time

import pytest

from hardwon.clients.client import Hook
from hardwon.memory import Kind
from hardwon.paths import make
from hardwon.store import control
from tests.daemon.running import Daemon, framed, keep, until
from tests.daemon.session import Session
from tests.hook.runs import MARGIN, installed, prompt, run
from tests.hook.test_client_without_daemon import orphans
from tests.support import files_with
from tests.tools.server import Server

WRONG = '[recall]\nlimit = "five"\n'
UNFINISHED = '[control]\nexclude_projects = ["app\n'


def write(daemon: Daemon, settings: str) -> None:
    daemon.home.root.mkdir(mode=0o700, exist_ok=True)
    daemon.home.settings.write_text(settings)


def notice(daemon: Daemon, session: str = "s1") -> str:
    """What the person is told when a session starts; the model is told nothing."""
    message = Session(daemon, session).message("SessionStart-startup")
    reply = daemon.exchange(framed("SessionStart", json.dumps(message).encode()))
    answer = json.loads(reply) if reply else {}
    assert "additionalContext" not in answer.get("hookSpecificOutput", {})
    return str(answer.get("systemMessage", ""))


@pytest.mark.parametrize("settings", [WRONG, UNFINISHED, "\x00", '[control]\nenabled = "perhaps"\n'])
def test_hooks_are_answered_at_once_by_silence(daemon: Daemon, brief: dict[str, str], settings: str) -> None:
    """The first one starts a daemon, as ever; the next ones cost what they always cost, and leave nobody behind."""
    write(daemon, settings)
    run(installed(daemon, limit=0), prompt(daemon, "the first words"))
    until(daemon.status, "the daemon is there")
    for event in (Hook("UserPromptSubmit", 5_000), Hook("PreToolUse", 5_000), Hook("SessionStart", 5_000)):
        message = json.dumps(Session(daemon).message(NAMES[event.event])).encode()
        done = run(installed(daemon, event.event, event.limit), message)
        assert (done.code, done.stderr) == (0, b"")
        assert done.seconds < MARGIN
        assert bool(done.stdout) == (event.event == "SessionStart")
    until(lambda: not orphans(daemon), "nobody is left")
    daemon.leave()
    assert daemon.journal() == []
    assert daemon.log.count("settings: ") == 1
    assert daemon.log.count("\n") == 1


NAMES = {
    "UserPromptSubmit": "UserPromptSubmit",
    "PreToolUse": "PreToolUse-Bash",
    "SessionStart": "SessionStart-startup",
}


def test_whoever_starts_a_session_is_told(daemon: Daemon) -> None:
    """That nothing works, and what says where the mistake is; each time, for it is not to be overlooked."""
    write(daemon, WRONG)
    daemon.start()
    for session in ("s1", "s2"):
        assert "settings are wrong" in notice(daemon, session)
        assert "`hardwon doctor`" in notice(daemon, session)
    assert (daemon.status() or {})["settings"] == "wrong"


@pytest.mark.parametrize("running", [False, True])
def test_a_mended_file_counts_from_the_next_event_on(daemon: Daemon, brief: dict[str, str], running: bool) -> None:
    """No restart is needed, whether the daemon found the file wrong or it became so while it ran."""
    if not running:
        write(daemon, WRONG)
    pid = daemon.start()
    if running:
        assert Session(daemon, "s0").start()
        write(daemon, WRONG)
    assert "settings are wrong" in notice(daemon)
    assert Session(daemon).prompt("pnpm or npm?") == ""
    write(daemon, "[recall]\nlimit = 6\n")
    assert Session(daemon, "s2").start()
    daemon.settle()
    assert (daemon.status() or {})["pid"] == pid
    assert (daemon.status() or {})["settings"] == "ok"
    assert daemon.journal() == []
    assert [event.type for event in daemon.journal("s2")] == ["session_started"]


def test_a_link_that_is_mended_counts(daemon: Daemon, brief: dict[str, str]) -> None:
    """It leads to itself at first: there is something, and nobody can read it."""
    file = daemon.home.settings
    file.symlink_to(file)
    daemon.start()
    assert "settings are wrong" in notice(daemon)
    file.unlink()
    assert Session(daemon, "s2").start()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_be_read_again_counts(daemon: Daemon, brief: dict[str, str]) -> None:
    """Its time and its size are the same; only who may read it has changed."""
    write(daemon, "[recall]\nlimit = 6\n")
    daemon.home.settings.chmod(0)
    daemon.start()
    assert "settings are wrong" in notice(daemon)
    daemon.home.settings.chmod(0o600)
    assert Session(daemon, "s2").start()


@pytest.mark.parametrize("running", [False, True])
def test_nothing_is_kept_where_it_is_not_known_what_may_be_kept(daemon: Daemon, running: bool) -> None:
    """A typing error in what excludes a project: not a word of it reaches the disk, not even its name."""
    daemon.home.root.mkdir(mode=0o700)
    if not running:
        write(daemon, UNFINISHED)
    daemon.start()
    if running:
        write(daemon, UNFINISHED)
    session = Session(daemon)
    session.start()
    session.prompt("the merger is secret")
    session.failed("make", "Exit code 2\nboom")
    session.send("UserPromptSubmit", prompt="the merger is secret", cwd="")
    session.stop()
    session.end()
    daemon.leave()
    assert files_with(daemon.home.root, "merger", str(daemon.folder)) == {}


def test_what_waits_to_be_kept_waits_on(daemon: Daemon) -> None:
    """It was written down under settings that allowed it, and is taken in under those that hold then."""
    message = framed("UserPromptSubmit", prompt(daemon, "from before"), 0)
    make(daemon.home)  # the hook that runs this lies in it
    subprocess.run(daemon.command("spool"), input=message, env=daemon.environ(), check=True, timeout=60)
    write(daemon, WRONG)
    daemon.start()
    assert notice(daemon)
    time.sleep(0.3)  # a daemon looks at the spool soon after it has come
    daemon.leave()
    assert not daemon.home.database.exists()
    assert len(list(daemon.home.spool.glob("*.json"))) == 1
    daemon.start()
    write(daemon, "")
    Session(daemon).stop()
    daemon.leave()
    assert daemon.journal()[0].text == "from before"


def test_what_was_heard_before_is_kept(daemon: Daemon) -> None:
    """The settings became wrong after it, while it waited to be written."""
    daemon.start()
    session = Session(daemon)
    session.start()
    daemon.settle()
    with daemon.store(write=True) as store, store.transaction():
        session.prompt("heard in time")
        write(daemon, WRONG)
        session.prompt("heard too late")
    daemon.leave()
    assert [event.text for event in daemon.journal()][1:] == ["heard in time"]


def test_an_agent_is_told_that_nothing_was_done(daemon: Daemon) -> None:
    write(daemon, WRONG)
    daemon.start()
    with Server(daemon) as server:
        for tool, asked in (("note", {"text": "x"}), ("recall", {"query": "x"})):
            said, wrong = server.call(tool, **asked)
            assert wrong
            assert "settings are wrong" in said
            assert "`hardwon doctor`" in said
        write(daemon, "")
        assert server.call("note", text="x")[0].startswith("Kept as ")
    daemon.leave()


def test_without_a_daemon_it_is_in_the_log(daemon: Daemon) -> None:
    """What can't be delivered is not written down either, and the log says why."""
    write(daemon, WRONG)
    message = framed("UserPromptSubmit", prompt(daemon, "hello"), 0)
    subprocess.run(daemon.command("spool"), input=message, env=daemon.environ(), check=True, timeout=60)
    assert not daemon.home.spool.exists()
    assert "settings: hardwon.toml line 2: recall.limit" in daemon.log


def test_other_troubles_do_not_hide_it(daemon: Daemon) -> None:
    """Paused as well: the settings come first, for nobody can tell what else holds."""
    with daemon.store(write=True) as store:
        keep(store, "a rule", Kind.RULE, folder=daemon.folder)
        control.pause(store, None)
    write(daemon, WRONG)
    daemon.start()
    assert "settings are wrong" in notice(daemon)
