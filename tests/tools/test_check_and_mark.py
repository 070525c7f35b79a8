"""`check` and `mark` through the server: what is known about exactly this, and what has a kind of its own."""

from __future__ import annotations

from typing import Any

import pytest

from hardwon.memory import Anchor, AnchorKind, Kind, LinkKind, Memory, Status, Trust
from hardwon.store import changes
from hardwon.store.tables import memories
from tests.daemon.running import REFUSED, Daemon, keep, keep_fixed
from tests.support import now
from tests.tools.server import Server

NOTHING = "Nothing is known about this."


def kept(daemon: Daemon, kind: Kind) -> list[Memory]:
    with daemon.store() as store:
        return memories.listed(store, memories.Filter(kinds=(kind,)))[0]


def test_check_names_the_failure_and_what_worked(daemon: Daemon) -> None:
    """By the command, however it is typed, and by the error's text; the output is a quotation."""
    with daemon.store(write=True) as store:
        failure, fix = keep_fixed(store, daemon.folder, "make test", times=3)
    with Server(daemon, CLAUDE_CODE_SESSION_ID="s1") as server:
        for asked in ({"command": "cd . && make test"}, {"error": REFUSED}, {"command": "x", "error": REFUSED}):
            said, wrong = server.call("check", **asked)
            assert not wrong
            assert said.startswith('<hardwon moment="check">')
            assert '`make test` failed; its output said: "connection refused"' in said
            assert f"(seen 3 times). What worked: start the database first [{fix[-6:]}]" in said
        assert server.call("check", command="cargo build", symbol="nobody", file="none.py") == (NOTHING, False)
    with daemon.store() as store:
        assert store.rows("select distinct memory, moment from showings") == [(failure, "asked")]
    daemon.leave()


def test_check_says_what_was_tried_when_nothing_worked(daemon: Daemon) -> None:
    with daemon.store(write=True) as store:
        failed = keep(
            store, "`make` failed: boom", Kind.FAILURE, folder=daemon.folder, command="make", trust=Trust.AGENT
        )
        keep(store, "`make` failed: boom", Kind.FAILURE, folder=daemon.folder, command="make", trust=Trust.AGENT)
        tried = keep(store, "deleted the cache", Kind.FIX, folder=daemon.folder, subtype="failed", trust=Trust.VERIFIED)
        changes.link(store, tried, LinkKind.FIXES, failed, now())
    with Server(daemon) as server:
        said, _ = server.call("check", command="make")
    assert f"(seen 2 times, never fixed). Tried: deleted the cache [{tried[-6:]}]" in said
    daemon.leave()


def test_check_puts_the_target_before_its_family_and_folder(daemon: Daemon) -> None:
    """Exactly this first; then other calls of the same program, and the folder of a file."""
    with daemon.store(write=True) as store:
        keep(store, "Slow without xdist", folder=daemon.folder, command="pytest tests/slow")
        keep(store, "Needs Redis", folder=daemon.folder, command="pytest tests/api")
        folder = Anchor(AnchorKind.DIRECTORY, "src/api")
        keep(store, "Generated, see make api", folder=daemon.folder, anchors=(folder,))
        keep(store, "Keep it free of imports", Kind.CONSTRAINT, folder=daemon.folder, file="src/api/base.py")
    with Server(daemon) as server:
        said, _ = server.call("check", command="pytest tests/api", file="src/api/base.py")
    lines = [line for line in said.splitlines() if line.startswith("- ")]
    assert {"Needs Redis", "Keep it free of imports"} == {text for text in EXACT if text in "".join(lines[:2])}
    assert "Generated, see make api" in lines[2]
    assert lines[2].endswith("About its folder.")
    assert "Slow without xdist" in lines[3]
    assert lines[3].endswith("About `pytest tests/slow`.")
    daemon.leave()


EXACT = ("Needs Redis", "Keep it free of imports", "Slow without xdist", "Generated, see make api")


@pytest.mark.parametrize("status", [Status.ARCHIVED, Status.STALE, Status.SUPERSEDED])
def test_check_leaves_out_history(daemon: Daemon, status: Status) -> None:
    with daemon.store(write=True) as store:
        id = keep(store, "It was so once", folder=daemon.folder, command="make test")
        changes.move(store, id, status, now())
        keep(store, "From a page", folder=daemon.folder, command="make test", trust=Trust.UNTRUSTED)
    with Server(daemon) as server:
        assert server.call("check", command="make test") == (NOTHING, False)
    daemon.leave()


def test_a_decision_with_its_reason_and_what_was_rejected(daemon: Daemon) -> None:
    with Server(daemon, CLAUDE_CODE_SESSION_ID="s1") as server:
        said, wrong = server.call(
            "mark", kind="decision", text="PostgreSQL for sessions", because="one backup",
            rejected=["Redis: lost sessions", "files"], subject="Session Store", file="src/sessions.py",
        )  # fmt: skip
        told, _ = server.call("check", file="src/sessions.py")
    assert (wrong, said[:8]) == (False, "Kept as ")
    (memory,) = kept(daemon, Kind.DECISION)
    assert (memory.trust, memory.because, memory.evidence) == (Trust.AGENT, "one backup", ("session s1",))
    assert [(one.what, one.why) for one in memory.rejected] == [("Redis", "lost sessions"), ("files", "")]
    assert Anchor(AnchorKind.TOPIC, "subject:session store") in memory.anchors
    assert "PostgreSQL for sessions. Because: one backup. Rejected: Redis (lost sessions)." in told
    daemon.leave()


def test_a_later_decision_about_the_same_subject_replaces_the_earlier(daemon: Daemon) -> None:
    with Server(daemon) as server:
        server.call("mark", kind="decision", text="npm", subject="package manager")
        server.call("mark", kind="decision", text="vitest", subject="tests")
        said, _ = server.call("mark", kind="decision", text="pnpm", subject="Package  Manager")
        server.call("mark", kind="decision", text="pnpm", subject="package manager")
    found = {memory.body: memory for memory in kept(daemon, Kind.DECISION)}
    assert f"It replaces {found['npm'].short_id}." in said
    assert found["npm"].superseded_by == found["pnpm"].id
    assert (found["npm"].status, found["pnpm"].status) == (Status.SUPERSEDED, Status.ACTIVE)
    assert found["vitest"].status is Status.ACTIVE
    daemon.leave()


def test_an_agent_can_not_replace_what_a_person_decided(daemon: Daemon) -> None:
    """Nothing is kept, and it is told who can."""
    subject = Anchor(AnchorKind.TOPIC, "subject:database")
    with daemon.store(write=True) as store:
        keep(store, "PostgreSQL", Kind.DECISION, folder=daemon.folder, anchors=(subject,))
    with Server(daemon) as server:
        said, wrong = server.call("mark", kind="decision", text="SQLite is enough", subject="database")
    assert wrong
    assert 'A person decided about "database"' in said
    assert [(one.body, one.status) for one in kept(daemon, Kind.DECISION)] == [("PostgreSQL", Status.ACTIVE)]
    daemon.leave()


def test_a_failure_is_found_by_its_error_again(daemon: Daemon) -> None:
    """The output is quoted, not told."""
    error = 'Traceback (most recent call last):\nKeyError: "REDIS_URL"'
    with Server(daemon) as server:
        server.call("mark", kind="failure", text="The worker does not start.", error=error, command="make worker")
        for asked in ({"error": error}, {"command": "make worker"}):
            assert (
                "The worker does not start; output said: \"KeyError: 'REDIS_URL'\"" in server.call("check", **asked)[0]
            )
    assert [str(one) for one in kept(daemon, Kind.FAILURE)[0].anchors if one.kind is AnchorKind.COMMAND] == [
        "command=make worker"
    ]
    daemon.leave()


@pytest.mark.parametrize("kind", [Kind.CONSTRAINT, Kind.TASK])
def test_constraints_and_tasks(daemon: Daemon, kind: Kind) -> None:
    with Server(daemon) as server:
        assert server.call("mark", kind=kind, text="Nothing older than 3.11")[0].startswith("Kept as ")
    assert [one.body for one in kept(daemon, kind)] == ["Nothing older than 3.11"]
    daemon.leave()


@pytest.mark.parametrize(
    ("tool", "arguments", "names"),
    [
        ("check", {}, 'Nothing to check: give a "file"'),
        ("check", {"file": " ", "error": "\n"}, "Nothing to check"),
        ("check", {"file": 3}, '"file" must be a text; it is 3.'),
        ("check", {"command": ["make"]}, '"command" must be a text'),
        ("mark", {"text": "a"}, '"kind" is missing; known are failure, decision, constraint, task, rule.'),
        ("mark", {"text": "a", "kind": "lesson"}, '"kind" is "lesson"; known are failure, decision'),
        ("mark", {"kind": "task"}, '"text" must be a text that is not empty; it is missing.'),
        ("mark", {"kind": "task", "text": "x" * 5_000}, "5000 characters, 4000 at most"),
        ("mark", {"kind": "decision", "text": "a", "rejected": "b: c"}, '"rejected" must be a list of up to 10 texts'),
        ("mark", {"kind": "decision", "text": "a", "rejected": [1]}, '"rejected" must be a list'),
        ("mark", {"kind": "decision", "text": "a", "rejected": ["b"] * 11}, '"rejected" must be a list'),
        ("mark", {"kind": "decision", "text": "a", "because": {}}, '"because" must be a text; it is {}.'),
    ],
)
def test_bad_arguments_get_a_sentence(daemon: Daemon, tool: str, arguments: dict[str, Any], names: str) -> None:
    """An agent can act on it; nothing is kept."""
    daemon.start()
    with Server(daemon) as server:
        said, wrong = server.call(tool, **arguments)
    assert wrong
    assert names in said
    with daemon.store() as store:
        assert not store.on_disk or not memories.listed(store, memories.Filter(), 1)[0]
    daemon.leave()


def test_an_error_of_any_length_is_checked(daemon: Daemon) -> None:
    """A whole log is taken; what tells stands at its end."""
    with daemon.store(write=True) as store:
        keep_fixed(store, daemon.folder, "make test", times=1)
    with Server(daemon) as server:
        said, wrong = server.call("check", error="noise\n" * 200_000 + REFUSED)
    assert not wrong
    assert "start the database first" in said
    daemon.leave()


def test_marking_a_known_decision_again_adds_its_reason(daemon: Daemon) -> None:
    """What is new beside the text is kept with it, and what says otherwise is not taken."""
    with Server(daemon) as server:
        server.call("mark", kind="decision", text="Sessions are stored in Redis")
        said, wrong = server.call("mark", kind="decision", text="Sessions are stored in Redis", because="one backup")
        assert not wrong
        assert 'Added: reason "one backup".' in said
        said, _ = server.call("mark", kind="decision", text="Sessions are stored in Redis", because="it is fast")
        assert 'Not taken, for it says otherwise or is a person\'s: reason "it is fast".' in said
        server.call("note", text="`make test` needs Redis")
        said, _ = server.call("note", text="`make test` needs Redis", intent="testing")
        assert 'Added: intent "testing".' in said
    (memory,) = kept(daemon, Kind.DECISION)
    assert memory.because == "one backup"
    daemon.leave()
