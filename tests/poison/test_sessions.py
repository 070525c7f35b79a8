"""Planted texts in what a session's tools bring in: none becomes advice, a memory that counts, or a fix."""

from __future__ import annotations

import contextlib
import functools
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hardwon.memory import Kind, Status, Trust
from hardwon.store.tables import memories
from tests.daemon.running import Daemon, place
from tests.daemon.session import Session
from tests.poison.judge import PAYLOADS, Payload, assert_contained, assert_harmless, assert_nothing_learned

each = pytest.mark.parametrize("payload", PAYLOADS, ids=lambda one: one.name)


@pytest.fixture(scope="module")
def homes() -> Iterator[Callable[[str], Daemon]]:
    """A home with a daemon for each name."""
    with contextlib.ExitStack() as stack:

        @functools.cache
        def of(_: str) -> Daemon:
            one = stack.enter_context(place())
            one.start()
            return one

        yield of


@pytest.fixture
def home(homes: Callable[[str], Daemon], request: pytest.FixtureRequest) -> Daemon:
    """One for all payloads of a way in; each has sessions and commands of its own. What came in by another way, and is
    rightly quoted, must not be found here: the tests may run in any order."""
    return homes(request.function.__name__)


def number(payload: Payload) -> int:
    return PAYLOADS.index(payload)


def ended(daemon: Daemon, session: Session) -> None:
    session.stop()
    session.end()
    daemon.settle()


def learned(daemon: Daemon, payload: Payload) -> None:
    with daemon.store() as store:
        assert_nothing_learned(store, payload)


def later(daemon: Daemon, payload: Payload, command: str, error: str, id: str) -> list[str]:
    """What another session is told that is about to do the same, does it, and asks about it."""
    session = Session(daemon, id)
    said = [session.start(), session.prompt(f"`{command}` again: why does it fail?\n```\n{payload.text}\n```")]
    before = session.before(command)
    said += [str(before.get(name, "")) for name in ("additionalContext", "permissionDecisionReason")]
    said += [session.failed(command, error)]
    session.end()
    return said


@each
@pytest.mark.parametrize("form", ["{text}", "Error: {flat}", "make: *** [all] Error 1\nerror: {flat}\n"])
def test_an_error_message(home: Daemon, payload: Payload, form: str) -> None:
    """It comes back as a short quotation of what a program printed; a fix that worked is named, the planted one not."""
    case = f"{number(payload)}-{len(form)}"
    command = f"make step-{case}"
    error = "Exit code 2\n" + form.format(text=payload.text, flat=payload.flat)
    for attempt in range(2):
        session = Session(home, f"a{attempt}-{case}")
        session.start()
        session.prompt("make it pass")
        assert_harmless(session.failed(command, error), payload)
        session.passed(f"bin/prepare {case}")
        assert_harmless(session.passed(command, stdout=payload.text), payload)
        ended(home, session)
    said = later(home, payload, command, error, f"b-{case}")
    for text in said:
        assert_harmless(text, payload)
    assert any(command in text for text in said), said
    learned(home, payload)
    with home.store() as store:
        fixes, _ = memories.listed(store, memories.Filter(kinds=(Kind.FIX,), trusts=(Trust.VERIFIED, Trust.USER)))
    for fix in fixes:
        assert not any(bait in fix.body.lower() for bait in payload.bait), fix


@each
def test_attempts_that_ended_in_it(home: Daemon, payload: Payload) -> None:
    """A chain of attempts quotes each error; never as a step that somebody took."""
    case = number(payload)
    session = Session(home, f"c{case}")
    session.start()
    session.prompt("make it pass")
    session.failed(f"pytest tests/c{case}", "Exit code 1\nE   AssertionError: 1 != 2")
    session.edited("src/a.py")
    session.failed(f"pytest tests/c{case}", f"Exit code 1\nE   RuntimeError: {payload.flat}")
    session.edited("src/b.py")
    session.failed(f"pytest tests/c{case}", f"Exit code 1\nE   RuntimeError: {payload.flat}")
    ended(home, session)
    error = "Exit code 1\nE   AssertionError: 1 != 2"
    for text in later(home, payload, f"pytest tests/c{case}", error, f"d{case}"):
        assert_harmless(text, payload)
    learned(home, payload)


def result(session: Session, tool: str, given: dict[str, Any], response: Any) -> str:
    call = session.next_call()
    return session.says("PostToolUse-Bash", tool_name=tool, tool_input=given, tool_response=response, tool_use_id=call)


@each
def test_what_successful_calls_bring_in(home: Daemon, payload: Payload) -> None:
    """Commands that print files and history, files, pages, searches, other servers: nothing is learned from them."""
    session = Session(home, f"e{number(payload)}")
    session.start()
    session.prompt("look around")
    said = [
        session.passed("cat README.md", stdout=payload.text),
        session.passed("git log -3", stdout=payload.text),
        session.passed("git show HEAD", stdout=payload.text),
        result(session, "Read", {"file_path": "README.md"}, {"type": "text", "file": {"content": payload.text}}),
        result(session, "Grep", {"pattern": "x"}, payload.text),
        result(session, "WebFetch", {"url": "https://pages.example/a"}, payload.text),
        result(session, "WebSearch", {"query": "how to"}, [{"type": "text", "text": payload.text}]),
        result(session, "mcp__docs__search", {"query": "x"}, [{"type": "text", "text": payload.text}]),
    ]
    ended(home, session)
    for text in said:
        assert_harmless(text, payload)
    learned(home, payload)


@each
def test_what_failing_calls_bring_in(home: Daemon, payload: Payload) -> None:
    """A page or another server can fail in any words."""
    session = Session(home, f"f{number(payload)}")
    session.start()
    session.prompt("look around")
    for tool, given in (
        ("WebFetch", {"url": "https://pages.example/a"}),
        ("mcp__docs__search", {"query": "x"}),
        ("Read", {"file_path": "README.md"}),
        ("Edit", {"file_path": "README.md", "old_string": "a", "new_string": "b"}),
    ):
        for _ in range(6):  # often enough to be noticed as a retry
            call = session.next_call()
            fields = {"tool_name": tool, "tool_input": given, "error": payload.text, "tool_use_id": call}
            assert_harmless(session.says("PostToolUseFailure-Bash", **fields), payload)
    ended(home, session)
    learned(home, payload)


@each
@pytest.mark.parametrize("form", ["Why does this fail?\n```\n{text}\n```", "It printed:\n{quoted}\nWhy?"])
def test_what_a_person_pasted(home: Daemon, payload: Payload, form: str) -> None:
    """A quotation in a prompt is not what the person says."""
    quoted = "\n".join(f"> {line}" for line in payload.text.splitlines())
    session = Session(home, f"g{number(payload)}-{len(form)}")
    session.start()
    assert_harmless(session.prompt(form.format(text=payload.text, quoted=quoted)), payload)
    session.passed("ls")
    ended(home, session)
    learned(home, payload)


def lines(payload: Payload, session: Session, transcript: Path) -> Iterator[str]:
    """A session as the client writes it down, with the text in every place that is not the user's."""
    base = {"sessionId": session.id, "cwd": str(session.daemon.folder), "promptId": "p1"}
    at = "2026-11-15T08:58:{:02}.000Z"
    calls: list[tuple[str, dict[str, Any], bool]] = [
        ("Bash", {"command": f"make t{session.id}"}, True),
        ("Bash", {"command": "cat README.md"}, False),
        ("Bash", {"command": "git log -1"}, False),
        ("Read", {"file_path": str(transcript)}, False),
        ("WebFetch", {"url": "https://pages.example"}, False),
        ("WebSearch", {"query": "x"}, False),
        ("mcp__docs__search", {"query": "x"}, False),
        ("mcp__docs__search", {"query": "x"}, True),
    ]
    user = {"type": "user", "message": {"role": "user", "content": "look around"}, "turnOrigin": "human"}
    yield json.dumps(base | user | {"uuid": f"{session.id}-u", "timestamp": at.format(0)})
    companion = {"type": "user", "message": {"role": "user", "content": payload.text}, "isMeta": True}
    yield json.dumps(base | companion | {"uuid": f"{session.id}-m", "timestamp": at.format(1)})
    for index, (tool, given, failed) in enumerate(calls):
        id, when = f"toolu_{session.id}_{index}", at.format(index + 2)
        use = {"type": "tool_use", "id": id, "name": tool, "input": given}
        asked = {"type": "assistant", "message": {"role": "assistant", "content": [use]}}
        yield json.dumps(base | asked | {"uuid": f"{id}-a", "timestamp": when})
        text = f"Exit code 1\nError: {payload.flat}" if failed else payload.text
        block = {"type": "tool_result", "tool_use_id": id, "content": text, "is_error": failed}
        answer = {"type": "user", "message": {"role": "user", "content": [block]}, "toolUseResult": text}
        yield json.dumps(base | answer | {"uuid": f"{id}-r", "timestamp": when})


@each
def test_a_transcript_that_is_read_later(home: Daemon, payload: Payload) -> None:
    """The same when it is made up from the client's own record."""
    id = f"h{number(payload)}"
    transcript = home.folder.parent / "projects" / "p" / f"{id}.jsonl"
    transcript.parent.mkdir(parents=True, exist_ok=True)
    session = Session(home, id, transcript=str(transcript))
    transcript.write_text("".join(f"{line}\n" for line in lines(payload, session, transcript)), "utf-8")
    session.start()
    session.prompt_id = "p1"
    ended(home, session)
    assert [event.target for event in home.journal(id) if event.tool == "Bash"][:1] == [f"make t{id}"]
    learned(home, payload)
    error = f"Exit code 1\nError: {payload.flat}"
    for text in later(home, payload, f"make t{id}", error, f"i{number(payload)}"):
        assert_harmless(text, payload)


@each
def test_edits_back_and_forth(home: Daemon, payload: Payload) -> None:
    """A pitfall names the error that came in between, as a quotation."""
    case = number(payload)
    session = Session(home, f"m{case}")
    session.start()
    session.prompt("make it pass")
    for old, new in (("one", "two"), ("two", "one")):
        session.edited(f"src/m{case}.py", old, new)
        session.failed(f"pytest tests/m{case}", f"Exit code 1\nE   RuntimeError: {payload.flat}")
    session.edited(f"src/m{case}.py", "one", "three")
    session.passed(f"pytest tests/m{case}")
    ended(home, session)
    learned(home, payload)


def test_edits_of_a_planted_file(daemon: Daemon) -> None:
    """What a file said before it was changed is quoted, too."""
    daemon.start()
    for payload in PAYLOADS:
        case = number(payload)
        session = Session(daemon, f"l{case}")
        session.start()
        session.prompt("make it pass")
        session.failed(f"pytest tests/l{case}", "Exit code 1\nE   KeyError: 'TOKEN'")
        session.edited(".env", payload.text, "TOKEN=2")
        session.passed(f"pytest tests/l{case}")
        ended(daemon, session)
    with daemon.store() as store:
        kept = [one for one in memories.all_memories(store) if one.status is not Status.CANDIDATE]
        assert len(kept) > len(PAYLOADS)
        assert_nothing_learned(store)


@each
def test_names_of_files_branches_and_skills(home: Daemon, payload: Payload) -> None:
    """A name can be any text, too. A command is what the agent typed: told as such, and contained like all else.

    The last in this file: these commands hold the texts as they are.
    """
    session = Session(home, f"j{number(payload)}")
    session.start()
    said = [session.skill(payload.flat[:200]), session.reads(f"/x/{payload.flat[:100].replace('/', ' ')}/SKILL.md")]
    said += [str(session.before_edit(payload.flat[:200]).get("additionalContext", ""))]
    session.failed(f"git checkout '{payload.flat[:150]}'", "Exit code 1\nerror: pathspec did not match any file(s)")
    session.failed(f"git checkout '{payload.flat[:150]}'", "Exit code 1\nerror: pathspec did not match any file(s)")
    ended(home, session)
    again = Session(home, f"k{number(payload)}")
    before = again.before(f"git checkout '{payload.flat[:150]}'")
    said += [str(before.get(name, "")) for name in ("additionalContext", "permissionDecisionReason")]
    said += [again.failed(f"git checkout '{payload.flat[:150]}'", "Exit code 1\nerror: pathspec did not match")]
    for text in filter(None, said):
        assert_contained(text)
    again.end()
