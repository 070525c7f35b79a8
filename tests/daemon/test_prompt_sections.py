"""A prompt through the real socket: sections, chains, intents, and what comes back after compaction."""

from __future__ import annotations

from hardwon.memory import Kind, LinkKind
from hardwon.store import changes
from tests.daemon.answers import ids_in, short
from tests.daemon.running import Daemon, keep
from tests.daemon.session import Session
from tests.support import now


def test_several_memories_come_in_sections(daemon: Daemon) -> None:
    """The constraint before the failure before the decision, the failure with what worked, each once."""
    with daemon.store(write=True) as store:
        decision = keep(store, "the ledger importer runs in one transaction", Kind.DECISION, folder=daemon.folder)
        failure = keep(store, "the ledger importer lost its connection", Kind.FAILURE, folder=daemon.folder)
        fix = keep(store, "start the database first", Kind.FIX, folder=daemon.folder)
        changes.link(store, fix, LinkKind.FIXES, failure, now())
        constraint = keep(store, "the ledger importer stays idempotent", Kind.CONSTRAINT, folder=daemon.folder)
    daemon.start()
    said = Session(daemon).prompt("rewrite the ledger importer")
    assert ids_in(said) == short(constraint, failure, fix, decision)
    headings = [line for line in said.splitlines() if line.endswith(":") and not line.startswith(("-", "From"))]
    assert headings == ["Constraints:", "Failed before:", "Decisions:"]
    assert "What worked: start the database first" in said


def test_a_decision_says_what_it_replaced(daemon: Daemon) -> None:
    """So that who remembers the old one knows that it is over."""
    with daemon.store(write=True) as store:
        old = keep(store, "sessions live in redis", Kind.DECISION, folder=daemon.folder)
        new = keep(store, "sessions live in signed cookies", Kind.DECISION, folder=daemon.folder)
        changes.supersede(store, old, new, now())
    daemon.start()
    said = Session(daemon).prompt("why did we put sessions there, where do they live?")
    assert ids_in(said) == short(new, old)
    assert "Replaced: sessions live in redis" in said


def test_unrelated_prompts_stay_silent_whatever_they_are_after(daemon: Daemon) -> None:
    """Asking for reasons, failing, being careful, deploying: an intent brings nothing back by itself."""
    with daemon.store(write=True) as store:
        for number in range(5):
            keep(store, f"the ledger importer decision {number}", Kind.DECISION, folder=daemon.folder)
            keep(store, f"the ledger importer failed with {number}", Kind.FAILURE, folder=daemon.folder)
            keep(store, f"the ledger importer must keep {number}", Kind.CONSTRAINT, folder=daemon.folder)
    daemon.start()
    session = Session(daemon)
    prompts = [
        "why did we choose this colour?",
        "the page is broken, fix it without breaking the menu this time",
        "deploy the website to production",
        "make the window larger",
        "为什么当初选择这个颜色？",
        "前回と同じ失敗をしないように画面を変更して",
    ]
    assert [session.prompt(prompt) for prompt in prompts] == [""] * len(prompts)


def test_what_was_said_in_a_session_comes_back_after_compaction(daemon: Daemon) -> None:
    """Its task, its constraint, its decision and the last request, learned from prompts alone."""
    daemon.start()
    session = Session(daemon)
    session.start()
    session.prompt("TODO: write the ledger exporter")
    session.prompt("Constraint: no new dependencies in the exporter")
    session.prompt("Decision: use Parquet for the export because it is typed")
    session.prompt("now please write the exporter as we said")
    session.stop()
    daemon.settle()
    said = session.start("compact")
    assert 'moment="after compaction"' in said
    for words in ("write the ledger exporter", "no new dependencies", "Parquet", "now please write the exporter"):
        assert words in said
