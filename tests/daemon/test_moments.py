"""What is said when: through the real socket, with messages of the shape that Claude Code sends."""

from __future__ import annotations

import json
import re
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from hardwon.memory import GLOBAL, Kind, Rejected, Status, Trust
from hardwon.recall.budget import tokens
from hardwon.store import changes, control
from hardwon.store.connection import Store
from tests.daemon.running import REFUSED, Daemon, framed, keep, keep_fixed, project_of
from tests.daemon.session import Session
from tests.support import files_with, now


def ids_in(text: str) -> list[str]:
    """The short ids that a text carries, in order."""
    return re.findall(r"\[([0-9a-f]{6})[],]", text)


def short(*ids: str) -> list[str]:
    return [id[-6:] for id in ids]


def other_project(daemon: Daemon) -> Path:
    folder = daemon.folder.parent / "other"
    folder.mkdir(exist_ok=True)
    return folder


# Session start


@pytest.fixture
def brief(daemon: Daemon) -> dict[str, str]:
    """One memory of each kind here, one of each in another project: the ids of those that are here."""
    with daemon.store(write=True) as store:
        for kind in (Kind.HANDOFF, Kind.TASK, Kind.RULE, Kind.CONSTRAINT, Kind.DECISION):
            keep(store, f"the other project's {kind}", kind, folder=other_project(daemon))
        return {
            "handoff": keep(store, "the parser is half done, see branch x", Kind.HANDOFF, folder=daemon.folder),
            "task": keep(store, "write the release notes", Kind.TASK, folder=daemon.folder),
            "rule": keep(store, "use pnpm, never npm", Kind.RULE, folder=daemon.folder),
            "everywhere": keep(store, "answer in English", Kind.RULE, project=GLOBAL),
            "constraint": keep(store, "Python 3.11 must work", Kind.CONSTRAINT, folder=daemon.folder),
            "decision": keep(store, "SQLite, not Postgres", Kind.DECISION, folder=daemon.folder, because="no server",
                             rejected=(Rejected("Postgres", "needs a server"),)),
            "lesson": keep(store, "the tests need Redis", folder=daemon.folder),
        }  # fmt: skip


def test_a_session_begins_with_handoff_tasks_and_rules_of_this_project(daemon: Daemon, brief: dict[str, str]) -> None:
    """And with the rules that hold everywhere; nothing of another project, no lesson that nobody asked for."""
    daemon.start()
    said = Session(daemon).start()
    assert set(ids_in(said)) == set(short(*(brief[kind] for kind in ("handoff", "task", "rule", "everywhere"))))
    assert said.startswith('<hardwon moment="session start">\n')
    assert said.endswith("\n</hardwon>")
    assert "the other project's" not in said


def test_after_compaction_what_holds_is_said_too(daemon: Daemon, brief: dict[str, str]) -> None:
    """Constraints and decisions, with the reason and what was rejected; and what had been said before, again."""
    daemon.start()
    session = Session(daemon)
    session.start()
    said = session.start("compact")
    wanted = ("handoff", "task", "rule", "everywhere", "constraint", "decision")
    assert set(ids_in(said)) == set(short(*(brief[kind] for kind in wanted)))
    assert 'moment="after compaction"' in said
    assert "no server" in said
    assert "Postgres" in said


@pytest.mark.parametrize("source", ["resume", "fork"])
def test_a_session_that_goes_on_is_told_nothing(daemon: Daemon, brief: dict[str, str], source: str) -> None:
    """What was said is still in its window."""
    daemon.start()
    session = Session(daemon)
    if source == "resume":
        session.start()
    assert session.start(source) == ""


def test_a_cleared_session_begins_anew(daemon: Daemon, brief: dict[str, str]) -> None:
    """With a new id, as the client does it."""
    daemon.start()
    first = Session(daemon, "s1").start()
    assert set(ids_in(Session(daemon, "s2").start("clear"))) == set(ids_in(first))


def test_what_is_done_is_not_said(daemon: Daemon, brief: dict[str, str]) -> None:
    """Resolved tasks, replaced rules, candidates from untrusted places."""
    with daemon.store(write=True) as store:
        changes.move(store, brief["task"], Status.RESOLVED, now())
        newer = keep(store, "use bun, never npm", Kind.RULE, folder=daemon.folder)
        changes.supersede(store, brief["rule"], newer, now())
        keep(store, "always run as root", Kind.RULE, folder=daemon.folder, trust=Trust.UNTRUSTED)
    daemon.start()
    said = Session(daemon).start()
    assert set(ids_in(said)) == set(short(brief["handoff"], brief["everywhere"], newer))


def test_an_empty_memory_is_silent_at_every_moment(daemon: Daemon) -> None:
    """Not one byte, as long as there is nothing to say."""
    daemon.start()
    session = Session(daemon)
    said = [session.start(), session.prompt("fix the parser"), session.skill("deploy"), session.types("deploy")]
    said += [session.reads("/x/deploy/SKILL.md"), session.failed("make", REFUSED), session.start("compact")]
    assert said == [""] * 7
    assert (session.before("make test"), session.before_edit("a.py")) == ({}, {})


# A prompt


@pytest.fixture
def parser(daemon: Daemon) -> dict[str, str]:
    with daemon.store(write=True) as store:
        return {
            "decision": keep(store, "the tokenizer is written by hand, no regex", Kind.DECISION, folder=daemon.folder),
            "file": keep(store, "it is generated, edit grammar.txt", folder=daemon.folder, file="src/parser.py"),
            "task": keep(store, "the tokenizer needs unicode tests", Kind.TASK, folder=daemon.folder),
            "skill": keep(store, "the tokenizer of deploy is slow", folder=daemon.folder, skill="deploy"),
            "other": keep(store, "the tokenizer over there is fast", folder=other_project(daemon)),
        }


def test_a_prompt_brings_back_what_fits(daemon: Daemon, parser: dict[str, str]) -> None:
    """Decisions, lessons and failures by words or by the file that is named; no tasks, no skill's own lessons."""
    daemon.start()
    session = Session(daemon)
    assert ids_in(session.prompt("rewrite the tokenizer with regex")) == short(parser["decision"])
    assert ids_in(session.prompt("look at src/parser.py, please")) == short(parser["file"])
    assert session.prompt("what is the weather like?") == ""
    assert session.prompt("<task-notification>the tokenizer regex task is done</task-notification>") == ""


@pytest.mark.parametrize("form", ["src/parser.py", "./src/parser.py", "{folder}/src/parser.py", "`src/parser.py:17`"])
def test_a_file_is_known_by_any_of_its_names(daemon: Daemon, parser: dict[str, str], form: str) -> None:
    """From the project's root, from here, from the root of the disk."""
    daemon.start()
    said = Session(daemon).prompt(f"fix {form.format(folder=daemon.folder)}")
    assert ids_in(said) == short(parser["file"])


# Skills


@pytest.fixture
def lessons(daemon: Daemon) -> list[str]:
    """30 lessons of the skill deploy, the last one learned three times; one of another skill."""
    with daemon.store(write=True) as store:
        found = [keep(store, f"deploy lesson number {n}", folder=daemon.folder, skill="deploy") for n in range(29)]
        for _ in range(3):
            most_used = keep(store, "deploys to production wait for the lock", folder=daemon.folder, skill="deploy")
        keep(store, "build lesson", folder=daemon.folder, skill="build")
        return [*found, most_used]


@pytest.mark.parametrize(
    ("how", "most"),
    [
        (lambda session: session.skill("deploy"), 20),
        (lambda session: session.types("deploy"), 20),
        (lambda session: session.reads("/home/u/.claude/skills/deploy/SKILL.md"), 5),
    ],
    ids=["the Skill tool", "a typed /deploy", "reading its file"],
)
def test_a_skill_comes_with_its_lessons(daemon: Daemon, lessons: list[str], how: Any, most: int) -> None:
    """The most useful first: 20 when it is used, 5 when its file is only read."""
    daemon.start()
    said = how(Session(daemon))
    assert len(ids_in(said)) == most
    assert set(ids_in(said)) <= set(short(*lessons))
    assert ids_in(said)[0] == lessons[-1][-6:]
    assert said.startswith('<skill-memory skill="deploy">\n')
    assert said.endswith("\n</skill-memory>")


def test_what_a_skill_is_wanted_for_chooses_its_lessons(daemon: Daemon, lessons: list[str]) -> None:
    """By the arguments, when there are any that fit; else as without."""
    daemon.start()
    assert ids_in(Session(daemon, "s1").skill("deploy", "to production")) == short(lessons[-1])
    assert len(ids_in(Session(daemon, "s2").skill("deploy", "zzz"))) == 20


def test_what_is_read_after_reading_adds_the_rest(daemon: Daemon, lessons: list[str]) -> None:
    """Five when the file was read; the skill itself then brings others, none of them twice."""
    daemon.start()
    session = Session(daemon)
    first = ids_in(session.reads("/home/u/.claude/skills/deploy/SKILL.md"))
    second = ids_in(session.skill("deploy"))
    assert not set(first) & set(second)


@pytest.mark.parametrize("path", ["/x/SKILL.md.bak", "/x/deploy/SKILLS.md", "/x/deploy/skill.txt", "SKILL.md"])
def test_other_files_are_no_skills(daemon: Daemon, lessons: list[str], path: str) -> None:
    """Only a file called SKILL.md in a folder of the skill's name."""
    daemon.start()
    assert Session(daemon).reads(path) == ""


# Before a call


def test_a_command_that_failed_once_is_noted(daemon: Daemon) -> None:
    """With the result of the call, whichever way it was typed."""
    with daemon.store(write=True) as store:
        failure, fix = keep_fixed(store, daemon.folder, "make test", times=1)
    daemon.start()
    answer = Session(daemon).before(f"cd {daemon.folder} && CI=1  make test")
    assert "permissionDecision" not in answer
    assert ids_in(answer["additionalContext"]) == short(failure, fix)
    assert "start the database first" in answer["additionalContext"]


@pytest.mark.parametrize("other", ["make tests", "make", "echo make test", "make test && rm x"])
def test_another_command_is_another_command(daemon: Daemon, other: str) -> None:
    """Only exactly this one."""
    with daemon.store(write=True) as store:
        keep_fixed(store, daemon.folder, "make test", times=3)
    daemon.start()
    assert Session(daemon).before(other) == {}


def test_what_failed_again_is_stopped_once(daemon: Daemon) -> None:
    """Denied with the reason and the fix; issued again, it runs, and nothing more is said."""
    with daemon.store(write=True) as store:
        failure, fix = keep_fixed(store, daemon.folder, "make test", times=2)
    daemon.start()
    session = Session(daemon)
    answer = session.before("make test")
    assert answer["permissionDecision"] == "deny"
    reason = answer["permissionDecisionReason"]
    assert ids_in(reason) == short(failure, fix)
    assert "seen 2 times" in reason
    assert "start the database first" in reason
    assert [session.before("make test") for _ in range(3)] == [{}] * 3
    assert Session(daemon, "s2").before("make test")["permissionDecision"] == "deny", "another session, once too"


@pytest.mark.parametrize("lacking", ["a second time", "a fix", "proof", "being open"])
def test_without_reason_nothing_is_stopped(daemon: Daemon, lacking: str) -> None:
    """Twice, a fix, proof that it worked, and not mended since: one of them missing, and it is a note at most."""
    with daemon.store(write=True) as store:
        failure, fix = keep_fixed(store, daemon.folder, "make test", times=1 if lacking == "a second time" else 2)
        if lacking == "a fix":
            changes.move(store, fix, Status.ARCHIVED, now())
        elif lacking == "proof":
            changes.edit(store, fix, {"trust": Trust.AGENT}, now())
        elif lacking == "being open":
            changes.move(store, failure, Status.RESOLVED, now())
    daemon.start()
    answer = Session(daemon).before("make test")
    assert "permissionDecision" not in answer
    assert ids_in(answer["additionalContext"])[0] == failure[-6:]


def test_a_file_is_noted_and_stopped_like_a_command(daemon: Daemon) -> None:
    """By its path in the project, from whichever folder it is named."""
    with daemon.store(write=True) as store:
        lesson = keep(store, "it is generated, edit grammar.txt", folder=daemon.folder, file="src/parser.py")
        keep_fixed(store, daemon.folder, "", times=2, file="src/lexer.py")
    daemon.start()
    session = Session(daemon)
    noted = session.before_edit(f"{daemon.folder}/src/parser.py")
    assert ids_in(noted["additionalContext"]) == short(lesson)
    assert session.before_edit("src/lexer.py")["permissionDecision"] == "deny"
    assert session.before_edit("src/lexer.py") == {}
    assert session.before_edit("src/other.py") == {}


def test_a_command_with_a_secret_in_it_is_known_again(daemon: Daemon) -> None:
    """It was kept without the secret, so it is looked up without it."""
    secret = "ghp_" + "x7Kq2" * 7 + "a"
    command = f"curl -H 'Authorization: Bearer {secret}' https://api/x"
    daemon.start()
    for session in (Session(daemon), Session(daemon, "s2")):
        session.failed(command, "Exit code 22\ncurl: (22) The requested URL returned error: 401 for acme")
        session.stop()
        daemon.settle()
    assert "additionalContext" in Session(daemon, "s3").before(command)


WAL_OFF = "Exit code 2\nFATAL: wal_level is off in pg.conf"


def test_what_was_learned_by_hooks_alone_stops_the_next_session(daemon: Daemon) -> None:
    """Failed, mended, failed again: from the wire to the memory and back. Once it works again, it is not stopped."""
    daemon.start()
    first = Session(daemon, "s1")
    first.failed("make test", WAL_OFF)
    first.edited(f"{daemon.folder}/pg.conf", "off", "on")
    first.passed("make test")
    first.stop()
    daemon.settle()
    assert "permissionDecision" not in Session(daemon, "s2").before("make test")
    third = Session(daemon, "s3")
    told = third.failed("make test", WAL_OFF)
    assert "pg.conf" in told
    third.stop()
    daemon.settle()
    stopped = Session(daemon, "s4").before("make test")
    assert stopped["permissionDecision"] == "deny"
    assert "pg.conf" in stopped["permissionDecisionReason"]
    third.edited(f"{daemon.folder}/pg.conf", "on", "really on")
    third.passed("make test")
    third.stop()
    daemon.settle()
    assert "permissionDecision" not in Session(daemon, "s5").before("make test")


# After a failure


def test_a_known_fix_is_told_after_the_failure(daemon: Daemon) -> None:
    """Another command, the same error: what worked then. An error that nobody has mended yet is no news."""
    with daemon.store(write=True) as store:
        failure, fix = keep_fixed(store, daemon.folder, "make test", times=1)
    daemon.start()
    session = Session(daemon)
    said = session.failed("pytest -x", REFUSED)
    assert ids_in(said) == short(failure, fix)
    assert session.failed("pytest -x", REFUSED) == "", "once"
    assert session.failed("pytest -x", "Exit code 1\nSyntaxError: invalid syntax") == ""


def test_an_error_without_words_is_no_error_signature(daemon: Daemon) -> None:
    """`Exit code 1` alone says nothing about what went wrong: another command's fix does not apply."""
    daemon.start()
    session = Session(daemon, "s1")
    session.failed("./check.sh", "Exit code 1")
    session.edited("check.cfg")
    session.passed("./check.sh")
    session.stop()
    daemon.settle()
    assert Session(daemon, "s2").failed("terraform plan", "Exit code 1") == ""


def test_esc_is_no_failure(daemon: Daemon) -> None:
    """Nothing is said to it."""
    with daemon.store(write=True) as store:
        keep_fixed(store, daemon.folder, "make test", times=1)
    daemon.start()
    given = {"tool_input": {"command": "make test"}, "error": REFUSED, "is_interrupt": True}
    assert Session(daemon).says("PostToolUseFailure-Bash", **given) == ""


# Once


def test_each_thing_is_said_once_in_a_window(daemon: Daemon, parser: dict[str, str]) -> None:
    """Again after compaction, and to a sub-agent, which sees another window."""
    daemon.start()
    session = Session(daemon)
    asked = "rewrite the tokenizer with regex"
    assert ids_in(session.prompt(asked))
    assert session.prompt(asked) == ""
    sub = Session(daemon, agent="a1")
    assert ids_in(sub.prompt(asked)) == short(parser["decision"])
    assert sub.prompt(asked) == ""
    session.start("compact")
    session.prompt("go on")
    said = session.prompt(asked)
    assert ids_in(said) in ([], short(parser["decision"])), "a brief after compaction may have said it already"
    assert Session(daemon, "s2").prompt(asked)


def test_a_brief_is_not_repeated_by_a_prompt(daemon: Daemon, brief: dict[str, str]) -> None:
    """Whatever the moment: each thing once."""
    daemon.start()
    session = Session(daemon)
    assert brief["rule"][-6:] in ids_in(session.start())
    assert brief["rule"][-6:] not in ids_in(session.prompt("should I use pnpm or npm?"))


@pytest.mark.parametrize("round", range(5))
def test_of_ten_calls_at_once_one_is_told(daemon: Daemon, round: int) -> None:
    """Decided before the reply, also when the session is new to the daemon: parallel calls don't repeat it."""
    with daemon.store(write=True) as store:
        keep_fixed(store, daemon.folder, "make test", times=1)
    daemon.start()
    for number in range(6):
        session = Session(daemon, f"r{number}")
        barrier = threading.Barrier(10)

        def call(session: Session = session, barrier: threading.Barrier = barrier) -> dict[str, Any]:
            message = session.message("PreToolUse-Bash", tool_input={"command": "make test"})
            with daemon.connect() as connection:
                barrier.wait()
                connection.sendall(framed("PreToolUse", json.dumps(message).encode()))
                connection.shutdown(1)
                reply = b"".join(iter(lambda: connection.recv(65536), b""))
            return dict(json.loads(reply)) if reply else {}

        with ThreadPoolExecutor(10) as pool:
            answers = [future.result() for future in [pool.submit(call) for _ in range(10)]]
        assert sum(bool(answer) for answer in answers) == 1


def test_of_ten_stops_at_once_one_is_given(daemon: Daemon) -> None:
    """The other nine of the same command pass."""
    with daemon.store(write=True) as store:
        keep_fixed(store, daemon.folder, "make test", times=2)
    daemon.start()
    session = Session(daemon)
    with ThreadPoolExecutor(10) as pool:
        answers = list(pool.map(lambda _: session.before("make test"), range(10)))
    assert sum(answer.get("permissionDecision") == "deny" for answer in answers) == 1


def test_a_restart_in_mid_session_repeats_nothing(daemon: Daemon, parser: dict[str, str]) -> None:
    """What was shown is in the store: after a killed daemon, too, and for a stop."""
    with daemon.store(write=True) as store:
        keep_fixed(store, daemon.folder, "make test", times=2)
    session = Session(daemon)
    asked = "rewrite the tokenizer with regex"
    daemon.start()
    assert session.prompt(asked)
    assert session.before("make test")["permissionDecision"] == "deny"
    for end in (daemon.leave, daemon.kill):
        daemon.settle()
        end()
        daemon.start()
        assert session.prompt(asked) == ""
        assert session.before("make test") == {}


def test_a_restart_after_a_compaction_does_not_forget_it(daemon: Daemon) -> None:
    """A new window has begun, though nothing was said in it yet."""
    with daemon.store(write=True) as store:
        keep_fixed(store, daemon.folder, "make test", times=1)
    session = Session(daemon)
    daemon.start()
    assert session.before("make test")
    assert session.start("compact") == ""
    daemon.leave()
    daemon.start()
    assert session.before("make test")
    assert session.before("make test") == {}


def test_a_restart_right_after_the_first_call_repeats_nothing(daemon: Daemon) -> None:
    """The first thing that a daemon hears of a session may be a call that is about to run."""
    with daemon.store(write=True) as store:
        keep_fixed(store, daemon.folder, "make test", times=1)
    session = Session(daemon)
    daemon.start()
    assert session.before("make test")
    daemon.leave()
    daemon.start()
    assert session.before("make test") == {}


def test_an_answer_that_came_too_late_is_given_another_time(daemon: Daemon, parser: dict[str, str]) -> None:
    """The client had left by then: it was not said, so it is neither on record nor used up."""
    daemon.start()
    for number in range(10):
        session = Session(daemon, f"s{number}")
        message = session.message("UserPromptSubmit", prompt="rewrite the tokenizer with regex", prompt_id="p0")
        hurried = daemon.exchange(framed("UserPromptSubmit", json.dumps(message).encode(), 1))
        daemon.settle()
        time.sleep(0.05)
        assert bool(daemon.shown(session.id)) == bool(hurried)
        assert bool(session.prompt("rewrite the tokenizer with regex")) != bool(hurried)
    assert (daemon.status() or {})["late"] > 0


# How much


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


# What the client says itself


@pytest.mark.parametrize(
    "file",
    ["app/CLAUDE.md", "app/AGENTS.md", "app/CLAUDE.local.md", "app/.claude/CLAUDE.md", "app/sub/CLAUDE.md",
     "c/projects/p/memory/MEMORY.md", "c/CLAUDE.md"],
)  # fmt: skip
def test_what_the_clients_own_files_say_is_not_said_again(daemon: Daemon, file: str) -> None:
    """At no moment; in whatever case, with whatever blanks. What they don't say, is."""
    root = daemon.folder.parent
    with daemon.store(write=True) as store:
        keep(store, "Use pnpm, never npm, for widgets", Kind.RULE, folder=daemon.folder)
        keep(store, "Widgets are deployed on Fridays", folder=daemon.folder, skill="deploy")
        keep(store, "widget tests want the network", folder=daemon.folder, command="make widgets")
        keep(store, "The widget cache is in /tmp", folder=daemon.folder)
        unknown = keep(store, "The widget server listens on 8080", Kind.RULE, folder=daemon.folder)
    path = root / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        "# Rules\n\n- use **nothing** else\n- USE pnpm,\n  never npm, for widgets\n* the widget cache is in /tmp\n"
        "1. widgets are deployed on fridays\n- Widget tests  want the network\n",
        "utf-8",
    )
    (daemon.folder / "sub").mkdir(exist_ok=True)
    daemon.start()
    session = Session(daemon, cwd=str(daemon.folder / "sub"), transcript=str(root / "c/projects/p/s1.jsonl"))
    assert ids_in(session.start()) == short(unknown)
    assert session.prompt("where is the widget cache?") == ""
    assert session.skill("deploy") == ""
    assert session.before("make widgets") == {}


def test_a_changed_file_is_read_again(daemon: Daemon) -> None:
    """It is looked at each time, and read when it has changed."""
    with daemon.store(write=True) as store:
        keep(store, "Use pnpm, never npm", Kind.RULE, folder=daemon.folder)
    daemon.start()
    (daemon.folder / "CLAUDE.md").write_text("use pnpm, never npm")
    assert Session(daemon, "s1").start() == ""
    (daemon.folder / "CLAUDE.md").write_text("use whatever you like")
    assert Session(daemon, "s2").start()


# Where nothing is to be kept or said


def paused(daemon: Daemon, store: Store) -> dict[str, str]:
    control.pause(store, None)
    return {}


def excluded(daemon: Daemon, store: Store) -> dict[str, str]:
    return {"HARDWON_CONTROL_EXCLUDE_PROJECTS": "ap*"}


def excluded_path(daemon: Daemon, store: Store) -> dict[str, str]:
    return {"HARDWON_CONTROL_EXCLUDE_PATHS": str(daemon.folder)}


def excluded_part(daemon: Daemon, store: Store) -> dict[str, str]:
    return {"HARDWON_CONTROL_EXCLUDE_PATHS": str(daemon.folder / "secret")}


def switched_off(daemon: Daemon, store: Store) -> dict[str, str]:
    return {"HARDWON_CONTROL_ENABLED": "false"}


@pytest.mark.parametrize("how", [paused, excluded, excluded_path, excluded_part, switched_off])
def test_where_it_must_be_still_nothing_is_said_or_kept(daemon: Daemon, brief: dict[str, str], how: Any) -> None:
    """Paused, excluded by name or by path, switched off: no word, no line in the journal, no showing."""
    subprocess.run(["git", "init", "-q"], cwd=daemon.folder, check=True)
    folder = daemon.folder / "secret"
    folder.mkdir()
    with daemon.store(write=True) as store:
        keep_fixed(store, daemon.folder, "make test", times=2)
        keep(store, "deploy lesson", folder=daemon.folder, skill="deploy")
        environment = how(daemon, store)
    daemon.start(**environment)
    session = Session(daemon, cwd=str(folder))
    said = [session.start(), session.prompt("pnpm or npm?"), session.skill("deploy"), session.failed("x", REFUSED)]
    assert said == [""] * 4
    assert session.before("make test") == {}
    session.batch(("c1", "Bash", {"command": "rm"}, "denied"))
    session.stop()
    session.end()
    daemon.leave()
    assert daemon.journal() == []
    assert daemon.shown() == []


def test_after_resume_it_speaks_and_keeps_again(daemon: Daemon, brief: dict[str, str]) -> None:
    """A pause is looked up each time: no restart is needed."""
    daemon.start()
    session = Session(daemon)
    with daemon.store(write=True) as store:
        control.pause(store, None)
    assert session.start() == ""
    daemon.settle()
    with daemon.store(write=True) as store:
        control.resume(store)
    assert session.prompt("pnpm or npm?")
    daemon.leave()
    assert [event.type for event in daemon.journal()] == ["prompt_submitted"]


@pytest.mark.parametrize("how", [paused, excluded, excluded_path, excluded_part, switched_off])
def test_where_it_must_be_still_no_trace_is_left(daemon: Daemon, how: Any) -> None:
    """Not even the name of the folder: a project that is excluded does not become known. Also from a transcript."""
    subprocess.run(["git", "init", "-q"], cwd=daemon.folder, check=True)
    folder = daemon.folder / "secret"
    folder.mkdir()
    with daemon.store(write=True) as store:
        environment = how(daemon, store)
    daemon.start(**environment)
    transcript = daemon.folder.parent / "projects" / "p" / "s1.jsonl"
    transcript.parent.mkdir(parents=True)
    line = {"type": "user", "message": {"content": "hello"}, "turnOrigin": "human", "sessionId": "s0",
            "cwd": str(folder), "timestamp": "2026-11-15T08:59:00.000Z"}  # fmt: skip
    transcript.with_name("s0.jsonl").write_text(json.dumps(line, separators=(",", ":")) + "\n")
    session = Session(daemon, cwd=str(folder), transcript=str(transcript))
    session.start()
    session.failed("make", REFUSED)
    session.edited(f"{folder}/a.py")
    session.stop()
    daemon.leave()
    with daemon.store() as store:
        assert store.value("select count(*) from projects") == 0
        assert store.value("select count(*) from sessions") == 0
    assert files_with(daemon.home.root, str(folder)) == {}


def test_a_changed_setting_counts_from_the_next_event_on(daemon: Daemon, brief: dict[str, str]) -> None:
    """Who switches it off, or excludes a project, means now; a file that can't be read changes nothing."""
    steps = [
        ("", True),
        ("[control]\nenabled = false\n", False),
        ('[control]\nexclude_projects = ["app"]\n', False),
        ('[control]\nexclude_projects = "unfinished\n', False),
        ("# nothing is set\n", True),
    ]
    daemon.start()
    for number, (settings, speaks) in enumerate(steps):
        daemon.home.settings.write_text(settings)
        assert bool(Session(daemon, f"s{number}").start()) == speaks
        daemon.settle()
        assert bool(daemon.journal(f"s{number}")) == speaks
    assert daemon.log.count("settings:") == 1


def test_other_projects_are_not_excluded(daemon: Daemon) -> None:
    """Only what was named."""
    with daemon.store(write=True) as store:
        here = project_of(store, daemon.folder)
        keep(store, "a rule", Kind.RULE, project=here)
    daemon.start(HARDWON_CONTROL_EXCLUDE_PROJECTS="other", HARDWON_CONTROL_EXCLUDE_PATHS=str(other_project(daemon)))
    assert Session(daemon).start()
    assert Session(daemon, "s2", cwd=str(other_project(daemon))).start() == ""
