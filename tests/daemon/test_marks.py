"""What is marked in a session: on its branch's card, in its summary and handoff, and news for the other windows."""

from __future__ import annotations

import subprocess

from hardwon.learn import handoff
from hardwon.memory import Kind, Status, Trust
from hardwon.store import changes
from hardwon.store.tables import memories, session_notes
from hardwon.store.tables.session_notes import NoteKind
from hardwon.text.handover import Handover
from tests.daemon.running import Daemon, project_of, until
from tests.daemon.session import Session
from tests.support import now
from tests.tools.server import Server


def on_a_branch(daemon: Daemon, name: str = "fix/ledger") -> None:
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.invalid"]
    subprocess.run(["git", "init", "-q", "-b", "main"], cwd=daemon.folder, check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "x"], cwd=daemon.folder, check=True)
    switch(daemon, "-c", name)


def switch(daemon: Daemon, *to: str) -> None:
    subprocess.run(["git", "switch", "-q", *to], cwd=daemon.folder, check=True)


def marks(daemon: Daemon, session: str, **given: str) -> None:
    with Server(daemon, CLAUDE_CODE_SESSION_ID=session) as server:
        said, wrong = server.call("mark" if given.get("kind") != "lesson" else "note", **given)
        assert not wrong, said


def working(daemon: Daemon, session: str = "s1") -> Session:
    one = Session(daemon, session)
    one.start()
    one.prompt("make the ledger round to whole cents, half to even")
    return one


def test_marks_stand_on_the_card_of_their_branch(daemon: Daemon) -> None:
    """Names decided, open tasks and traps in the words that were kept, of that branch, while they hold."""
    on_a_branch(daemon)
    daemon.start()
    working(daemon).stop()
    daemon.settle()
    marks(daemon, "s1", kind="decision", text="The rounding lives in Money.rounded")
    marks(daemon, "s1", kind="task", text="Port the tax table to Money")
    marks(daemon, "s1", kind="lesson", type="gotcha", text="The ledger fixture writes to the real clock")
    session = Session(daemon, "s2")
    assert session.start().count("Port the tax table") == 1  # in what the session before left
    session.prompt("explain how the ledger finds its accounts")
    session.stop()
    session.end()
    daemon.settle()
    said = Session(daemon, "s3").start()
    assert '- decided on this branch: "The rounding lives in Money.rounded" (an agent\'s note)' in said
    assert '- open on this branch: "Port the tax table to Money"' in said
    assert '- traps on this branch: "The ledger fixture writes to the real clock"' in said
    assert said.count("Port the tax table") == 1
    with daemon.store(write=True) as store:
        (task,) = memories.listed(store, memories.Filter(kinds=(Kind.TASK,)))[0]
        changes.move(store, task.id, Status.RESOLVED, now())
    said = Session(daemon, "s4").start()
    assert "decided on this branch" in said
    assert "open on this branch" not in said
    switch(daemon, "-c", "other")
    assert "decided on this branch" not in Session(daemon, "s5").start()


def test_marks_stand_in_the_summary_and_in_the_handoff(daemon: Daemon) -> None:
    """In place of what phrases would make of the agent's messages."""
    daemon.start()
    session = working(daemon)
    session.says("Stop", last_assistant_message="I decided against floats. Next I will look at the tax table.")
    daemon.settle()
    marks(daemon, "s1", kind="decision", text="Amounts are integers of cents")
    marks(daemon, "s1", kind="task", text="Port the tax table to Money")
    marks(daemon, "s1", kind="failure", text="The ledger fixture writes to the real clock")
    session.end()
    until(lambda: summary(daemon, "s1"), "the summary was kept")
    left = summary(daemon, "s1")[0].content
    assert left.decisions == ("Amounts are integers of cents",)
    assert left.open == ("Port the tax table to Money",)
    assert left.traps == ("The ledger fixture writes to the real clock",)
    assert left.next == ()
    assert left.said == ("I decided against floats. Next I will look at the tax table.",)
    with daemon.store(write=True) as store:
        given = Handover(next=("load test",))
        made = handoff.make(store, given, "", project_of(store, daemon.folder), now(), trust=Trust.AGENT,
                            session=("claude-code", "s1"))  # fmt: skip
        assert made.id
        body = memories.by_ids(store, [made.id])[made.id].body
    assert "Decided:\n- Amounts are integers of cents" in body
    assert "Next:\n- load test" in body


def summary(daemon: Daemon, session: str) -> list[session_notes.Note]:
    with daemon.store() as store:
        found = session_notes.of_session(store, "claude-code", session)
    return [one for one in found if one.kind is NoteKind.SUMMARY]


def test_what_another_window_measured_is_news_where_it_was_marked(daemon: Daemon) -> None:
    """At the prompt that names its branch, once, and not to the session that marked it; a number alone is none."""
    on_a_branch(daemon)
    daemon.start()
    other = working(daemon, "s2")
    session = working(daemon)
    session.passed("pytest --durations=1", "12.3s call test_ledger.py::test_year")
    daemon.settle()
    measured = "The year test of the ledger takes 12.3 s, 11 of them in the fixture"
    marks(daemon, "s1", kind="lesson", type="discovery", text=measured)
    said = other.prompt("what is left on fix/ledger before I merge it?")
    assert f'lesson marked on fix/ledger: "{measured}"' in said or measured in said
    assert said.count("takes 12.3 s") == 1
    assert "12.3" not in other.prompt("and what else is left on fix/ledger?")
    assert "another window" not in session.prompt("what is left on fix/ledger before I merge it?")
