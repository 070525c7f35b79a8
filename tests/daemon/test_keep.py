"""What happened is kept exactly once, however often, in whatever order and from wherever it is heard."""

from __future__ import annotations

import itertools
import json
import random
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from hardwon.event import Event, EventType, Tier
from hardwon.memory import Kind
from hardwon.store import control, journal, memories
from tests.daemon.running import Daemon, framed, until
from tests.daemon.session import Session
from tests.hosts.recorded import event_name
from tests.support import files_with

FAILED, FINISHED = EventType.TOOL_FAILED, EventType.TOOL_FINISHED
SECRET = "ghp_" + "x7Kq2" * 7 + "a"
Message = tuple[str, dict[str, Any]]
"""A recorded message's name, and what is different in it."""

LOST_EDIT = "<tool_use_error>String to replace not found in file.\nString: NOT THERE</tool_use_error>"
DENIAL = "Permission to use Bash with command rm -rf build has been denied."


def one_of_each() -> list[Message]:
    """A failing command, a rejected edit, an MCP error, a denied call, one that passed: as the client tells of them."""
    run, edit, mcp, denied, passed = (f"toolu_{name}" for name in ("run", "edit", "mcp", "denied", "passed"))
    test = {"command": "make test"}
    change = {"file_path": "calc.py", "old_string": "NOT THERE", "new_string": "x"}
    remove, look = {"command": "rm -rf build"}, {"command": "make lint"}
    error = "Exit code 2\nmake: *** [test] Error 1"
    blocks = [{"type": "text", "text": "BOOM-ERR"}]
    return [
        ("PreToolUse-Bash", {"tool_input": test, "tool_use_id": run}),
        ("PostToolUseFailure-Bash", {"tool_input": test, "tool_use_id": run, "error": error}),
        ("PostToolBatch-Bash", {"tool_calls": [told(run, "Bash", test, error)]}),
        ("PostToolBatch-Edit-error", {"tool_calls": [told(edit, "Edit", change, LOST_EDIT)]}),
        ("PreToolUse-mcp__mem__boom", {"tool_use_id": mcp}),
        ("PostToolUseFailure-mcp__mem__boom", {"tool_use_id": mcp}),
        ("PostToolBatch-mcp__mem__boom", {"tool_calls": [told(mcp, "mcp__mem__boom", {}, blocks)]}),
        ("PreToolUse-Bash", {"tool_input": remove, "tool_use_id": denied}),
        ("PostToolBatch-Bash", {"tool_calls": [told(denied, "Bash", remove, DENIAL)]}),
        ("PreToolUse-Bash", {"tool_input": look, "tool_use_id": passed}),
        ("PostToolUse-Bash", {"tool_input": look, "tool_use_id": passed, "tool_response": {"stdout": "fine"}}),
        ("PostToolBatch-Bash", {"tool_calls": [told(passed, "Bash", look, "fine")]}),
    ]  # fmt: skip


def told(call: str, tool: str, given: dict[str, Any], response: Any) -> dict[str, Any]:
    return {"tool_use_id": call, "tool_name": tool, "tool_input": given, "tool_response": response}


KEPT = {
    ("toolu_run", FAILED, "make test", "Exit code 2\nmake: *** [test] Error 1", 2),
    ("toolu_edit", FAILED, "calc.py", LOST_EDIT, None),
    ("toolu_mcp", FAILED, "", "BOOM-ERR", None),
    ("toolu_denied", FAILED, "rm -rf build", DENIAL, None),
    ("toolu_passed", FINISHED, "make lint", "", None),
}


def kept(daemon: Daemon, session: str = "s1") -> list[tuple[str, EventType, str, str, int | None]]:
    events = [event for event in daemon.journal(session) if event.type in (FAILED, FINISHED)]
    return [(event.call, event.type, event.target, event.error, event.exit_status) for event in events]


def send_all(session: Session, messages: list[Message]) -> None:
    for name, fields in messages:
        session.send(name, **fields)


def test_each_kind_of_failure_is_kept_once(daemon: Daemon) -> None:
    """A failing Bash, a rejected Edit (only a batch tells of it), an MCP error, a denied call; and what passed."""
    daemon.start()
    session = Session(daemon)
    session.start()
    send_all(session, one_of_each())
    session.stop()
    daemon.leave()
    assert len(kept(daemon)) == len(KEPT)
    assert set(kept(daemon)) == KEPT


def test_the_same_messages_again_change_nothing(daemon: Daemon) -> None:
    """Twice in one daemon, and once more in the next."""
    session = Session(daemon)
    for _ in range(2):
        daemon.start()
        for _ in range(2):
            send_all(session, one_of_each())
        session.stop()
        daemon.leave()
    assert len(kept(daemon)) == len(KEPT)
    assert set(kept(daemon)) == KEPT


@pytest.mark.parametrize("seed", range(6))
def test_the_order_of_arrival_does_not_matter(daemon: Daemon, seed: int) -> None:
    """Async hooks overtake each other, also the batch the message that says how a call ended."""
    messages = one_of_each()
    random.Random(seed).shuffle(messages)
    daemon.start()
    session = Session(daemon)
    send_all(session, messages)
    session.stop()
    daemon.leave()
    assert len(kept(daemon)) == len(KEPT)
    assert set(kept(daemon)) == KEPT


def test_an_outcome_that_comes_after_the_end_of_the_turn_still_counts(daemon: Daemon) -> None:
    """The batch came first and the turn ended: the call was believed to be denied. Its own message knows better."""
    daemon.start()
    session = Session(daemon)
    given = {"command": "make lint"}
    session.batch(("c1", "Bash", given, "fine"), ("c2", "Bash", {"command": "make test"}, "Exit code 2\nboom"))
    session.stop()
    session.passed("make lint", call="c1")
    session.failed("make test", "Exit code 2\nboom", call="c2")
    daemon.leave()
    assert set(kept(daemon)) == {
        ("c1", FINISHED, "make lint", "", None),
        ("c2", FAILED, "make test", "Exit code 2\nboom", 2),
    }


# What the transcript makes up for


def transcript(path: Path, session: str, folder: Path, *records: dict[str, Any]) -> None:
    """Lines as the client writes them."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = []
    for number, record in enumerate(records):
        at = f"2026-11-15T08:59:{number:02}.000Z"
        common = {"sessionId": session, "cwd": str(folder), "timestamp": at, "isSidechain": False}
        lines.append(json.dumps(common | record, separators=(",", ":")))
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")


def call(id: str, tool: str, given: dict[str, Any], result: str, *, wrong: bool = False) -> list[dict[str, Any]]:
    use = {"type": "tool_use", "id": id, "name": tool, "input": given}
    back = {"type": "tool_result", "tool_use_id": id, "content": result, "is_error": wrong}
    structured = f"Error: {result}" if wrong else {"stdout": result, "stderr": ""}
    return [
        {"type": "assistant", "message": {"role": "assistant", "content": [use]}},
        {"type": "user", "message": {"role": "user", "content": [back]}, "toolUseResult": structured},
    ]


def said(words: str, prompt: str) -> dict[str, Any]:
    return {"type": "user", "message": {"content": words}, "turnOrigin": "human", "promptId": prompt}


def whole(path: Path, session: str, folder: Path) -> None:
    """The transcript of the session that `one_of_each` tells of."""
    edit = {"file_path": "calc.py", "old_string": "NOT THERE", "new_string": "x"}
    test = {"command": "make test"}
    transcript(
        path, session, folder,
        *call("toolu_run", "Bash", test, "Exit code 2\nmake: *** [test] Error 1", wrong=True),
        *call("toolu_edit", "Edit", edit, LOST_EDIT, wrong=True),
        *call("toolu_mcp", "mcp__mem__boom", {}, "BOOM-ERR", wrong=True),
        *call("toolu_denied", "Bash", {"command": "rm -rf build"}, DENIAL, wrong=True),
        *call("toolu_passed", "Bash", {"command": "make lint"}, "fine"),
    )  # fmt: skip


@pytest.mark.parametrize("heard", [0, 4, 12], ids=["nothing", "some", "everything"])
def test_the_next_session_makes_up_for_what_the_hooks_missed(daemon: Daemon, heard: int) -> None:
    """A crash, a missing daemon: the last transcript is read at the next start, and nothing counts twice."""
    old = daemon.folder.parent / "projects" / "p" / "s1.jsonl"
    daemon.start()
    session = Session(daemon, transcript=str(old))
    session.start()
    send_all(session, one_of_each()[:heard])
    daemon.kill()
    whole(old, "s1", daemon.folder)

    daemon.start()
    for number in range(3):
        later = Session(daemon, f"later{number}", transcript=str(old.with_name(f"later{number}.jsonl")))
        later.start()
    daemon.leave()
    assert len(kept(daemon)) == len(KEPT)
    assert set(kept(daemon)) == KEPT


def test_the_transcript_is_read_after_the_turn_was_believed_to_be_denied(daemon: Daemon) -> None:
    """A batch alone made a denial of a call that passed; the transcript says how it was."""
    old = daemon.folder.parent / "projects" / "p" / "s1.jsonl"
    daemon.start()
    session = Session(daemon, transcript=str(old))
    session.batch(("toolu_passed", "Bash", {"command": "make lint"}, "fine"))
    session.stop()
    daemon.settle()
    whole(old, "s1", daemon.folder)
    Session(daemon, "s2", transcript=str(old.with_name("s2.jsonl"))).start()
    daemon.leave()
    assert set(kept(daemon)) == KEPT


def test_what_was_learned_late_is_what_would_have_been_learned_live(daemon: Daemon) -> None:
    """The same failure and the same fix, from hooks in one home and from the transcript in another project."""
    old = daemon.folder.parent / "projects" / "p" / "s1.jsonl"
    edit = {"file_path": str(daemon.folder / "calc.py"), "old_string": "a - b", "new_string": "a + b"}
    error = "Exit code 1\nTraceback (most recent call last):\nAssertionError: 1 + 2"
    records = (
        *call("c1", "Bash", {"command": "make test"}, error, wrong=True),
        *call("c2", "Edit", edit, "The file has been updated."),
        *call("c3", "Bash", {"command": "make test"}, "ok"),
    )
    transcript(old, "s1", daemon.folder, *records)
    daemon.start()
    Session(daemon, "s2", transcript=str(old.with_name("s2.jsonl"))).start()
    daemon.settle()
    late = learned(daemon)
    live = Session(daemon, "s3")
    live.failed("make test", error, call="c1")
    live.edited(str(daemon.folder / "calc.py"), "a - b", "a + b")
    live.passed("make test", call="c3")
    live.stop()
    daemon.leave()
    assert [kind for kind, _ in late] == [Kind.FAILURE, Kind.FIX]
    assert learned(daemon) == late


def learned(daemon: Daemon) -> list[tuple[Kind, str]]:
    with daemon.store() as store:
        return sorted((memory.kind, memory.body) for memory in memories.all_memories(store))


def test_prompts_are_kept_once_from_hooks_and_transcript(daemon: Daemon) -> None:
    """By the prompt's own id."""
    old = daemon.folder.parent / "projects" / "p" / "s1.jsonl"
    daemon.start()
    session = Session(daemon, transcript=str(old))
    session.prompt("fix the parser")
    daemon.settle()
    transcript(old, "s1", daemon.folder, said("fix the parser", session.prompt_id), said("now the tests", "p2"))
    Session(daemon, "s2", transcript=str(old.with_name("s2.jsonl"))).start()
    daemon.leave()
    prompts = [event.text for event in daemon.journal() if event.type is EventType.PROMPT_SUBMITTED]
    assert sorted(prompts) == ["fix the parser", "now the tests"]


def test_what_happened_in_a_pause_is_not_made_up_for(daemon: Daemon) -> None:
    """The client goes on writing its transcript; at the next start, when the pause is over, those lines stay unread."""
    old = daemon.folder.parent / "projects" / "p" / "s1.jsonl"
    whole(old, "s1", daemon.folder)
    first, last = 1_794_733_140_000, 1_794_733_149_000  # as in the transcript
    with daemon.store(write=True) as store:
        control.pause(store, None, first + 3_500)
        assert control.resume(store, last - 1_000)
    daemon.start()
    Session(daemon, "s2", transcript=str(old.with_name("s2.jsonl"))).start()
    daemon.leave()
    assert {call for call, *_ in kept(daemon)} == {"toolu_run", "toolu_edit", "toolu_passed"}


# When the database can't be written

HOLDER = """
import apsw, sys
db = apsw.Connection(sys.argv[1])
db.execute("pragma busy_timeout = 5000")
db.execute("begin exclusive")
print("held", flush=True)
sys.stdin.read()
db.execute("rollback")
"""


def test_events_during_a_locked_database_are_kept_once(daemon: Daemon) -> None:
    """Another process holds it for longer than we wait: events go to the spool, redacted, and from there home."""
    daemon.start(HARDWON_STORE_BUSY_SECONDS="1")
    session = Session(daemon)
    session.start()
    daemon.settle()
    command = [sys.executable, "-c", HOLDER, str(daemon.home.database)]
    holder = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"held\n"
    for number in range(3):
        session.failed(f"make {number} TOKEN={SECRET}", f"Exit code 2\nno rule for {number}", call=f"c{number}")
    session.send("PostToolBatch-Edit-error", tool_calls=[told("c3", "Edit", {"file_path": "a.py"}, LOST_EDIT)])
    assert until(lambda: (daemon.status() or {})["spooled"] == 4, "they are spooled", 30)
    status = daemon.status() or {}
    assert (status["lost"], status["waiting"]) == (0, 0)
    assert files_with(daemon.home.root, SECRET) == {}
    holder.communicate(timeout=20)
    session.passed("make lint", call="c4")  # the next event takes the others along
    until(lambda: len(kept(daemon)) == 5, "all are kept")
    daemon.leave()
    assert sorted(call for call, *_ in kept(daemon)) == ["c0", "c1", "c2", "c3", "c4"]
    assert list(daemon.home.spool.iterdir()) == []
    assert files_with(daemon.home.root, SECRET) == {}


def test_a_batch_in_the_spool_does_not_make_failures_of_what_passed(daemon: Daemon) -> None:
    """There, too, the batch may stand before the message that says how the call ended."""
    daemon.start()
    session = Session(daemon)
    session.start()
    daemon.leave()
    given = {"command": "make lint"}
    batch = session.message("PostToolBatch-Bash", tool_calls=[told("c1", "Bash", given, "fine")])
    passed = session.message("PostToolUse-Bash", tool_use_id="c1", tool_input=given)
    for name, payload in (("PostToolBatch", batch), ("PostToolUse", passed)):
        spooled(daemon, framed(name, json.dumps(payload).encode(), 0))
    daemon.start()
    session.stop()
    daemon.leave()
    assert kept(daemon) == [("c1", FINISHED, "make lint", "", None)]


def spooled(daemon: Daemon, message: bytes) -> None:
    """What the hook client does when no daemon can be had."""
    subprocess.run(daemon.command("spool"), input=message, env=daemon.environ(), check=True, timeout=60)


def test_a_message_that_nobody_can_read_does_not_block_the_spool(daemon: Daemon) -> None:
    """It is recorded and dropped; those before and after it, and all later events, are kept."""
    daemon.start()
    session = Session(daemon)
    session.start()
    daemon.leave()
    differences: list[dict[str, Any]] = [{}, {"error": None}, {"session_id": None}, {"tool_input": "text"}, {}]
    for number, fields in enumerate(differences):
        message = session.message("PostToolUseFailure-Bash", **{"tool_use_id": f"c{number}"} | fields)
        spooled(daemon, framed("PostToolUseFailure", json.dumps(message).encode(), 0))
    daemon.home.spool.joinpath("garbage.json").write_bytes(b"\xff\xfe garbage")
    daemon.home.spool.joinpath("other.json").write_text("[]")
    daemon.start()
    session.passed("make lint", call="c9")
    daemon.leave()
    assert sorted(call for call, *_ in kept(daemon)) == ["c0", "c4", "c9"]
    assert list(daemon.home.spool.iterdir()) == []
    assert daemon.log.count("PostToolUseFailure") == 3


def test_the_spool_keeps_what_it_needs_and_no_secret(daemon: Daemon) -> None:
    """Ids are not taken for secrets, secrets are; and it can be read by its owner alone."""
    session = Session(daemon, "0e6e2a4c-97f2-4c8e-9d0b-4f1f3e0f6a11")
    message = session.message("PostToolUseFailure-Bash", tool_input={"command": f"curl -H 'Authorization: {SECRET}'"})
    spooled(daemon, framed("PostToolUseFailure", json.dumps(message).encode(), 0))
    (file,) = daemon.home.spool.iterdir()
    assert (file.stat().st_mode & 0o777, daemon.home.spool.stat().st_mode & 0o777) == (0o600, 0o700)
    line = json.loads(file.read_text())
    for field in ("session_id", "tool_use_id", "cwd", "transcript_path", "prompt_id", "tool_name"):
        assert line["payload"].get(field) == message.get(field)
    assert files_with(daemon.home.root, SECRET) == {}


OWN_RULE = '[redact]\nrules = [{ name = "badge", pattern = "BADGE-[0-9]+" }]\n'


@pytest.mark.parametrize(
    ("settings", "spools"),
    [
        (OWN_RULE, True),
        (OWN_RULE + '[control]\nexclude_paths = ["/elsewhere"]\n', True),
        (OWN_RULE + '[control]\nexclude_paths = ["{folder}"]\n', False),
        (OWN_RULE + "[control]\nenabled = false\n", False),
        (OWN_RULE + "[control]\nenabled = maybe\n", False),
    ],
    ids=["own rules", "another path", "this path", "switched off", "unreadable"],
)
def test_the_spool_obeys_the_settings(daemon: Daemon, settings: str, spools: bool) -> None:
    """Own redaction rules count there too, and where nothing may be kept nothing is written, not even for a while."""
    daemon.home.root.mkdir(mode=0o700)
    daemon.home.settings.write_text(settings.replace("{folder}", str(daemon.folder)))
    message = Session(daemon).message("UserPromptSubmit", prompt="I am BADGE-4711 and BADGE-4712")
    raw = framed("UserPromptSubmit", json.dumps(message).encode(), 0)
    subprocess.run(daemon.command("spool"), input=raw, env=daemon.environ(), capture_output=True, check=False)
    assert len(list(daemon.home.spool.glob("*"))) == spools
    assert files_with(daemon.home.root, "BADGE-4711", "BADGE-4712") == {}


NO_SPACE = """
import os, resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
os.execv(sys.argv[1], sys.argv[1:])
"""


@pytest.mark.parametrize("full", ["from the start", "later"])
def test_a_full_disk_loses_events_and_says_so(daemon: Daemon, full: str) -> None:
    """Neither the database nor the spool can be written: counted as lost, and the daemon lives on."""
    daemon.start()
    session = Session(daemon)
    session.start()
    daemon.leave()
    if full == "later":
        pid = daemon.start()
        session.failed("make", "Exit code 2\nboom", call="c0")
        daemon.settle()
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
    else:
        pid = daemon.start([sys.executable, "-c", NO_SPACE, *daemon.command()])
    before = len(kept(daemon))
    for number in range(1, 4):
        session.failed("make", "Exit code 2\nboom", call=f"c{number}")
    until(lambda: (daemon.status() or {})["waiting"] == 0, "it gave up on them")
    status = daemon.status() or {}
    assert (status["lost"], status["spooled"], status["pid"]) == (3, 0, pid)
    assert len(kept(daemon)) == before

    resource.prlimit(pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))  # space again
    session.failed("make", "Exit code 2\nboom", call="c9")
    daemon.leave()
    assert [call for call, *_ in kept(daemon)][before:] == ["c9"]


def test_a_damaged_database_loses_events_and_says_so(daemon: Daemon) -> None:
    """It is `doctor`'s to mend; meanwhile the daemon lives, the log says why, and what can be is spooled."""
    daemon.start()
    session = Session(daemon)
    session.start()
    daemon.leave()
    daemon.home.database.write_bytes(b"not a database at all" * 1_000)
    pid = daemon.start()
    for number in range(3):
        session.failed("make", "Exit code 2\nboom", call=f"c{number}")
    until(lambda: (daemon.status() or {})["waiting"] == 0, "it gave up on them")
    status = daemon.status() or {}
    assert status["lost"] + status["spooled"] == 3
    assert status["pid"] == pid
    assert "doctor --fix" in daemon.log


# What is kept of it


def test_secrets_never_reach_the_disk(daemon: Daemon) -> None:
    """In a prompt, a command, its output, an error, a file's content, a name; also one that is cut in two."""
    daemon.start()
    session = Session(daemon)
    session.prompt(f"use {SECRET} to log in")
    session.failed(f"curl -H 'Authorization: Bearer {SECRET}' x", f"Exit code 22\nbad token {SECRET}")
    session.passed("env", f"GITHUB_TOKEN={SECRET}")
    session.edited("config.py", "token = ''", f"token = '{SECRET}'")
    session.reads(f"/skills/{SECRET}/SKILL.md")
    session.send("UserPromptSubmit", prompt="x", cwd=f"{daemon.folder}/{SECRET}", prompt_id="p7")
    session.stop()
    daemon.leave()
    assert len(daemon.journal()) >= 6
    assert files_with(daemon.home.root, SECRET) == {}


def test_no_half_of_a_secret_is_kept_where_a_long_text_is_cut(daemon: Daemon) -> None:
    """The journal keeps a beginning and an end; a token across a cut must not leave a half that no rule knows."""
    words = "word " * 4_000
    places = (*range(2_600, 2_690, 4), *range(9_900, 10_090, 4))
    texts = [f"{words[:place]} {SECRET} {words[place:]}"[:15_350] for place in places]
    texts += [f"{'x' * 39_980} {SECRET} {'y' * 100_000}", f"{'x' * 100_000} {SECRET} {'y' * 39_980}"]
    with daemon.store(write=True) as store:
        for number, text in enumerate(texts):
            event = Event(FAILED, "claude-code", "s1", number, call=f"c{number}", tool="Bash", error=text)
            assert journal.append(store, event, Tier.FULL)
    halves = [SECRET[at : at + 12] for at in range(4, len(SECRET) - 12)]
    assert [event.at for event in daemon.journal() if any(half in event.error for half in halves)] == []
    assert len(daemon.journal()) == len(texts)


@pytest.mark.parametrize("text", ["\ud800 alone", "nul \x00 here", "\x1b[31mred\x1b[0m", "𝕏" * 9_000, "\u202e\u200b"])
def test_any_text_can_be_kept(daemon: Daemon, text: str) -> None:
    """Half a surrogate, NUL, colours, astral letters: nothing makes an event disappear."""
    daemon.start()
    session = Session(daemon)
    session.prompt(f"fix {text}")
    session.failed(f"make {text}", f"Exit code 2\nboom {text}")
    session.stop()
    daemon.leave()
    assert [event.type for event in daemon.journal()] == ["prompt_submitted", "tool_failed", "turn_ended"]
    assert "keep:" not in daemon.log


def test_long_texts_are_kept_in_part(daemon: Daemon) -> None:
    """The beginning and the end of what failed; of a look only the fact."""
    daemon.start()
    session = Session(daemon)
    session.failed("make", "Exit code 2\n" + "x" * 100_000 + "\nfatal: the end")
    session.send("PostToolUse-Read", tool_use_id="c9", tool_response={"file": {"content": "y" * 100_000}})
    session.stop()
    daemon.leave()
    failure, look, _ = daemon.journal()
    assert len(failure.error) <= 8_000
    assert failure.error.startswith("Exit code 2")
    assert failure.error.endswith("fatal: the end")
    assert (look.tool, look.text) == ("Read", "")


def test_messages_of_every_event_at_once(daemon: Daemon) -> None:
    """Every recorded message of one session, three times over, from 8 connections: the journal holds each key once."""
    from concurrent.futures import ThreadPoolExecutor

    from tests.hosts.recorded import PAYLOADS

    daemon.start()
    session = Session(daemon)
    names = [name for name in PAYLOADS if not name.startswith("SessionStart")] * 3
    random.Random(7).shuffle(names)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda name: daemon.send(event_name(name), session.message(name)), names))
    session.stop()
    daemon.settle()
    time.sleep(0.05)
    daemon.leave()
    outcomes = [call for call, *_ in kept(daemon)]
    assert len(outcomes) == len(set(outcomes)) > 10
    status = [event.key for event in daemon.journal()]
    assert len(status) == len(set(status))
    assert "keep:" not in daemon.log, daemon.log


def test_events_of_many_projects_stay_apart(daemon: Daemon) -> None:
    """A session belongs to the folder it was started in; files are kept relative to that project."""
    daemon.start()
    for name, number in itertools.product(("one", "two"), range(2)):
        folder = daemon.folder.parent / name
        folder.mkdir(exist_ok=True)
        Session(daemon, f"{name}{number}", cwd=str(folder)).edited(str(folder / "src" / "a.py"))
    daemon.leave()
    projects = {name: {daemon.journal(f"{name}{number}")[0].project for number in range(2)} for name in ("one", "two")}
    assert [len(found) for found in projects.values()] == [1, 1]
    assert projects["one"] != projects["two"]
    assert daemon.journal("one0")[0].target == "src/a.py"
