"""What the transcript makes up for: what the hooks missed is kept too, and nothing twice."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from hardwon.event import EventType
from hardwon.memory import Kind
from hardwon.store import control
from hardwon.store.tables import memories
from tests.daemon.calls import DENIAL, KEPT, LOST_EDIT, kept, one_of_each, send_all
from tests.daemon.health import status
from tests.daemon.running import Daemon
from tests.daemon.session import Session
from tests.daemon.transcripts import call, transcript
from tests.support import opened


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


def test_what_a_turn_taught_is_counted(daemon: Daemon) -> None:
    """Also what only the transcript told, at the end of the turn."""
    path = daemon.folder.parent / "projects" / "p" / "s1.jsonl"
    daemon.start()
    session = Session(daemon, transcript=str(path))
    session.start()
    whole(path, "s1", daemon.folder)
    session.stop()
    daemon.settle()
    with opened(daemon.home.root, write=False) as store:
        taught = len(list(memories.all_memories(store)))
    assert taught > 0
    assert (daemon.status() or {})["learned"] == taught


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
    edit = {"file_path": str(daemon.folder / ".env"), "old_string": "A=1", "new_string": "A=1\nTOKEN=x"}
    error = "Exit code 1\nTraceback (most recent call last):\nKeyError: 'TOKEN'"
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
    live.edited(str(daemon.folder / ".env"), "A=1", "A=1\nTOKEN=x")
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


def test_what_is_no_transcript_is_no_reason_to_stop(daemon: Daemon) -> None:
    """A link that leads nowhere, a folder, a pipe beside the transcripts and among a sub-agent's: the last session is
    read all the same, nothing counts as lost, and the user hears of nothing."""
    old = daemon.folder.parent / "projects" / "p" / "s1.jsonl"
    whole(old, "s1", daemon.folder)
    for folder in (old.parent, old.with_suffix("") / "subagents"):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "dead.jsonl").symlink_to("/nonexistent")
        (folder / "folder.jsonl").mkdir()
        os.mkfifo(folder / "pipe.jsonl")
    daemon.start()
    for id in ("s2", "s3"):
        assert "hardwon doctor" not in Session(daemon, id, transcript=str(old.with_name(f"{id}.jsonl"))).start()
        daemon.settle()
    assert status(daemon)["lost"] == 0
    daemon.leave()
    assert set(kept(daemon)) == KEPT
    assert daemon.log == ""
