"""The brief at a session's start, through the real socket: one order, one budget, this project only."""

from __future__ import annotations

import os
import subprocess
import time

import pytest

from hardwon.hook import mcp
from hardwon.memories.brief import BUDGET, Section, fitted
from hardwon.memories.search.budget import tokens
from hardwon.memory import Kind, Trust
from hardwon.moments import at_start
from hardwon.moments.answer import here
from hardwon.store import changes
from tests.daemon.answers import ids_in
from tests.daemon.running import Daemon, keep, project_of
from tests.daemon.session import Session
from tests.daemon.transcripts import call, transcript
from tests.support import draft, now


def test_sections_have_one_order_and_one_budget() -> None:
    """By priority, whoever gives them; the last ones find no room."""
    early = Section("early", 10, ("- first",))
    late = Section("late", 90, tuple(f"- {'word ' * 40}{number}" for number in range(40)))
    made = fitted([late, early])
    assert [one.section.name for one in made] == ["early", "late"]
    assert sum(one.tokens for one in made) <= BUDGET
    assert 0 < len(made[1].lines) < 40


def test_the_standing_instruction_is_a_row_of_the_same_budget(daemon: Daemon, brief: dict[str, str]) -> None:
    """The first one; the hook does not say it, for the client has it from the MCP server. Others lack that."""
    daemon.start()
    said = Session(daemon).start()
    assert mcp.INSTRUCTIONS.splitlines()[0] not in said
    daemon.settle()
    with daemon.store() as store:
        made = at_start.dry(store, here(store, str(daemon.folder)), str(daemon.folder), now(), lambda items: items)
    first = made.fitted[0]
    assert (first.section.name, first.section.by) == ("instruction", "server")
    assert first.lines == tuple(mcp.INSTRUCTIONS.splitlines())
    assert brief["task"] in {item.ranked.memory.id for one in made.fitted for item in one.items}
    long = Section("long", 50, tuple(f"- {'word ' * 20}{number}" for number in range(99)), most=BUDGET)
    (_, alone) = fitted([at_start.INSTRUCTION, long])
    assert first.tokens > 200
    assert alone.tokens <= BUDGET - first.tokens


def test_a_section_never_takes_more_than_its_own() -> None:
    """However much room the others leave."""
    (one,) = fitted([Section("files", 60, ("- a" * 20, "- b" * 20), most=20)])
    assert len(one.lines) == 1


@pytest.mark.parametrize("where", ["", "deep/down"])
def test_a_start_in_a_folder_below_is_one_of_the_project(daemon: Daemon, brief: dict[str, str], where: str) -> None:
    """From there and from a worktree the same is known; both hooks take the same project for the same folder."""
    (daemon.folder / where).mkdir(parents=True, exist_ok=True)
    daemon.start()
    session = Session(daemon, cwd=str(daemon.folder / where))
    said = session.start()
    assert brief["task"][-6:] in said
    daemon.settle()
    with daemon.store(write=True) as store:
        rule = keep(store, "always sign the commits", Kind.RULE, folder=daemon.folder)
    assert rule[-6:] in session.prompt("go on with the parser then")


def test_another_project_is_not_told_of(daemon: Daemon, brief: dict[str, str]) -> None:
    """A handoff of one project never reaches another."""
    other = daemon.folder.parent / "elsewhere"
    other.mkdir()
    with daemon.store(write=True) as store:
        keep(store, "a lesson of elsewhere", folder=other)
    daemon.start()
    said = Session(daemon, cwd=str(other)).start()
    assert brief["handoff"][-6:] not in said
    assert brief["task"][-6:] not in said


def test_files_of_the_project_that_a_person_named(daemon: Daemon) -> None:
    """Their first lines, in our fence; a name leads to no other folder."""
    (daemon.folder / "STATE.md").write_text("# State\n\nThe port is 6380 </hardwon>\n")
    (daemon.folder.parent / "secret.md").write_text("not yours\n")
    with daemon.store(write=True) as store:
        project_of(store, daemon.folder)
    daemon.home.settings.write_text('[recall]\ncontext_files = ["STATE.md", "../secret.md", "gone.md"]\n')
    daemon.start()
    said = Session(daemon).start()
    assert "- STATE.md: The port is 6380" in said
    assert said.count("</hardwon>") == 1
    assert "not yours" not in said


def test_a_rule_that_came_meanwhile_is_heard_of_once(daemon: Daemon) -> None:
    """Wherever in the memory it stands, and however much was there before."""
    daemon.start()
    with daemon.store(write=True) as store:
        project_of(store, daemon.folder)
    session = Session(daemon)
    session.start()
    daemon.settle()
    with daemon.store(write=True) as store:
        rule = keep(store, "never push on Fridays", Kind.RULE, folder=daemon.folder)
    assert "since this session began: rule: never push on Fridays" in session.prompt("what colour should it be")
    assert rule[-6:] not in session.prompt("and what size should it be")


def test_what_waits_for_a_persons_word_is_told_once(daemon: Daemon) -> None:
    """Not at each start: they know."""
    with daemon.store(write=True) as store:
        keep(store, "somebody said so", folder=daemon.folder, trust=Trust.UNTRUSTED)
    daemon.start()
    first = Session(daemon, "s1").start()
    assert "1 thing waits for the person's word: `hardwon review list`" in first
    daemon.settle()
    assert "waits for" not in Session(daemon, "s2").start()


def test_ten_thousand_changed_memories_are_as_fast_as_ten(daemon: Daemon) -> None:
    """And no more is said: a count, some names."""
    daemon.start()
    session = Session(daemon, "s1")
    session.start()
    session.prompt("make it work")
    session.end()
    daemon.settle()
    with daemon.store(write=True) as store:
        project = project_of(store, daemon.folder)
        for number in range(2_000):
            changes.note(store, changes.passed(store, draft(f"lesson number {number}", project=project)), now())
    began = time.monotonic()
    said = Session(daemon, "s2").start()
    assert time.monotonic() - began < 2.0
    assert tokens(said) < BUDGET + 50
    assert "- new since the last session here (1,000 or more): " in said


def on_a_branch(daemon: Daemon) -> None:
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.invalid"]
    subprocess.run(["git", "init", "-q", "-b", "main"], cwd=daemon.folder, check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "x"], cwd=daemon.folder, check=True)
    long_ago = {**os.environ, "GIT_COMMITTER_DATE": "2026-11-01T00:00:00", "GIT_COMMITTER_NAME": "a",
                "GIT_COMMITTER_EMAIL": "a@example.invalid"}  # fmt: skip
    subprocess.run(["git", "switch", "-qc", "feature"], cwd=daemon.folder, env=long_ago, check=True)


def test_the_card_is_told_in_each_window_and_gone_with_its_session(daemon: Daemon) -> None:
    """Two windows at once are both told; a resumed one is not told again; a forgotten session's facts are gone."""
    on_a_branch(daemon)
    path = daemon.folder.parent / "projects" / "p" / "s1.jsonl"
    daemon.start()
    first = Session(daemon, "s1", transcript=str(path))
    first.start()
    url = "https://github.com/o/r/pull/12"
    records = call("toolu_pull_request_1", "Bash", {"command": "gh pr create --fill"}, url)
    transcript(path, "s1", daemon.folder, *(record | {"gitBranch": "feature"} for record in records))
    first.stop()
    daemon.settle()
    card = "- branch feature: PR #12"
    second, third = Session(daemon, "s2"), Session(daemon, "s3")
    assert card in second.start()
    assert card in third.start()
    daemon.settle()
    daemon.leave()
    daemon.start()
    assert second.start("resume") == ""
    assert card in second.start("compact")
    with daemon.store(write=True) as store:
        assert not store.row("select 1 from branch_facts where session <> 's1'")
        from hardwon.store.erasure import forget_session

        forget_session.forget_session(store, forget_session.find(store, "claude-code:s1"), now())
        assert not store.row("select 1 from branch_facts")
    assert ids_in(Session(daemon, "s4").start()) == []


def test_a_list_that_two_sessions_left_alone_is_told_to_no_third(daemon: Daemon) -> None:
    """It was done without a word, or nobody wants it any more; the branch's other lines are told as before."""
    on_a_branch(daemon)
    path = daemon.folder.parent / "projects" / "p" / "s1.jsonl"
    daemon.start()
    first = Session(daemon, "s1", transcript=str(path))
    first.start()
    todo = {"todos": [{"content": "write the docs", "status": "pending", "activeForm": "Writing the docs"}]}
    records = [
        *call("toolu_pull_request_1", "Bash", {"command": "gh pr create --fill"}, "https://github.com/o/r/pull/12"),
        *call("toolu_list_1", "TodoWrite", todo, "Todos have been modified"),
    ]
    transcript(path, "s1", daemon.folder, *(record | {"gitBranch": "feature"} for record in records))
    first.stop()
    daemon.settle()
    for name, told in (("s2", True), ("s3", True), ("s4", False)):
        said = Session(daemon, name).start()
        assert "PR #12" in said
        assert ("write the docs" in said) is told
        daemon.settle()
