"""What failed before: noted or stopped once before the call, and the known fix told after the next failure."""

from __future__ import annotations

import pytest

from hardwon.memory import Kind, Status, Trust
from hardwon.store import changes
from tests.daemon.answers import ids_in, short
from tests.daemon.running import REFUSED, Daemon, keep, keep_fixed, project_of
from tests.daemon.session import Session
from tests.support import now

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


@pytest.mark.parametrize("lacking", ["a second time", "a fix", "proof", "a second proof", "being open"])
def test_without_reason_nothing_is_stopped(daemon: Daemon, lacking: str) -> None:
    """Twice, a fix, proof that it worked, and not mended since: one of them missing, and it is a note at most."""
    with daemon.store(write=True) as store:
        failure, fix = keep_fixed(store, daemon.folder, "make test", times=1 if lacking == "a second time" else 2)
        if lacking == "a fix":
            changes.move(store, fix, Status.ARCHIVED, now())
        elif lacking == "proof":
            changes.edit(store, fix, {"trust": Trust.AGENT}, now())
        elif lacking == "a second proof":
            store.db.execute("delete from counts where memory = ?", (fix,))
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
    """Mended twice by the same, failed again: from the wire to the memory and back. Then, once it works, no more."""
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
    third.edited(f"{daemon.folder}/pg.conf", "off", "on")
    third.passed("make test")
    third.failed("make test", WAL_OFF)
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


def test_the_path_that_is_there_is_named(daemon: Daemon) -> None:
    """From the disk, right after the miss; of another folder than the project's nothing is said."""
    (daemon.folder / ".lint.yaml").write_text("rules: []\n")
    with daemon.store(write=True) as store:
        project_of(store, daemon.folder)
    daemon.start()
    said = Session(daemon).failed("cat .lint.yml", "Exit code 1\ncat: .lint.yml: No such file or directory")
    assert "- .lint.yml is not there; .lint.yaml is." in said
    assert Session(daemon).failed("cat x.yml", "Exit code 1\ncat: x.yml: No such file or directory") == ""


def test_what_somebody_marked_is_said_before_it_is_tried_again(daemon: Daemon) -> None:
    """Once is enough where a person or an agent has kept it: nobody marks what does not matter."""
    with daemon.store(write=True) as store:
        failure = keep(store, "The import runs out of memory above 2 GB", Kind.FAILURE, folder=daemon.folder,
                       command="make import")  # fmt: skip
    daemon.start()
    session = Session(daemon)
    session.start()
    assert failure[-6:] in str(session.before("make import"))
    assert session.before("make docs") == {}
