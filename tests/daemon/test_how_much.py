"""How much is said, to a session and at one moment, and what is on record of it."""

from __future__ import annotations

from hardwon.memories.search.budget import tokens
from hardwon.memory import Kind, Rejected
from hardwon.store import changes
from tests.daemon.answers import ids_in
from tests.daemon.running import REFUSED, Daemon, keep, keep_fixed
from tests.daemon.session import Session
from tests.support import now


def test_a_session_is_told_no_more_than_its_cap(daemon: Daemon) -> None:
    """All moments together, fences and all; another session has its own."""
    with daemon.store(write=True) as store:
        for number in range(40):
            keep(store, f"widget{number} " + "needs care " * 30, folder=daemon.folder)
    daemon.start(HARDWON_RECALL_SESSION_TOKENS="500")
    session = Session(daemon)
    said = "".join(session.prompt(f"change widget{number}") for number in range(40))
    assert 250 < tokens(said) <= 500 + 100, "the last fence may go over it"
    assert session.prompt("change widget39") == ""
    assert Session(daemon, "s2").prompt("change widget39")


def test_one_prompt_brings_back_five_things_and_600_tokens_at_most(daemon: Daemon) -> None:
    """Of forty that fit."""
    with daemon.store(write=True) as store:
        for number in range(40):
            keep(store, f"the widget number {number} " + "needs care " * 50, folder=daemon.folder)
    daemon.start()
    said = Session(daemon).prompt("which widget needs care?")
    assert 1 <= len(ids_in(said)) <= 5
    assert tokens(said) < 700


def test_long_reasons_stay_within_what_the_client_takes(daemon: Daemon) -> None:
    """A decision's because and rejected are part of what is said: of a reasonable length, the fence closed."""
    with daemon.store(write=True) as store:
        keep(
            store, "the tokenizer is written by hand", Kind.DECISION, folder=daemon.folder, because="why " * 10_000,
            rejected=(Rejected("regex " * 3_000, "slow " * 3_000),),
        )  # fmt: skip
        _, fix = keep_fixed(store, daemon.folder, "make test", times=2)
        changes.edit(store, fix, {"body": "start it " * 5_000}, now())
    daemon.start()
    session = Session(daemon)
    said = session.prompt("rewrite the tokenizer")
    assert said.endswith("\n</hardwon>")
    assert tokens(said) < 1_000
    assert tokens(session.before("make test")["permissionDecisionReason"]) < 1_000
    assert tokens(session.failed("pytest", REFUSED)) < 1_000


def test_what_was_shown_is_on_record(daemon: Daemon, parser: dict[str, str]) -> None:
    """When, to whom, in which window, at which moment, and how many tokens it took."""
    with daemon.store(write=True) as store:
        failure, _ = keep_fixed(store, daemon.folder, "make test", times=2)
    daemon.start()
    began = now()
    session, sub = Session(daemon), Session(daemon, agent="a1")
    prompted = session.prompt("rewrite the tokenizer with regex")
    stopped = session.before("make test")["permissionDecisionReason"]
    sub.before("make test")
    session.start("compact")
    session.prompt("rewrite the tokenizer with regex")
    daemon.leave()
    shown = daemon.shown()
    assert [(one.memory, one.moment, one.agent, one.context) for one in shown][:3] == [
        (parser["decision"], "prompt", "", 0),
        (failure, "before action", "", 0),
        (failure, "before action", "a1", 0),
    ]
    assert {one.context for one in shown[3:]} == {1}
    assert all(began <= one.at <= now() for one in shown)
    assert [one.tokens for one in shown][:2] == [tokens(prompted), tokens(stopped)]
