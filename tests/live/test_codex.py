"""The real Codex with hardwon: it is seen, it is spoken to, and nobody notices a cost."""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hardwon.clients.codex.messages import UNASKED
from hardwon.memory import Anchor, AnchorKind, Kind
from tests.daemon.running import until
from tests.live.claude_code import must_be_here
from tests.live.codex import Codex, client_missing, complaints, session_of
from tests.live.codex_terminal import ENTER, CodexTerminal
from tests.live.live import Live
from tests.live.responses_server import ResponsesServer, patch, shell
from tests.live.session import Run
from tests.live.steps import Request, Step, say, tool, use


@pytest.fixture
def model() -> Iterator[ResponsesServer]:
    with ResponsesServer() as server:
        yield server


@pytest.fixture
def codex(tmp_path: Path, model: ResponsesServer) -> Iterator[Codex]:
    """Codex without hooks yet. At the end no process of it may be left."""
    if (reason := client_missing()) is not None:
        (pytest.fail if must_be_here() else pytest.skip)(reason)
    client = Codex(tmp_path, model)
    yield client
    client.close()


@pytest.fixture
def live(codex: Codex) -> Iterator[Live]:
    wired = Live(codex, "codex")
    codex.agree()
    wired.awake()
    yield wired
    wired.close()


def unharmed(run: Run) -> None:
    """The session ended well and its user was told nothing."""
    assert run.code == 0, run.stderr
    assert complaints(run) == []


def said_to(model: ResponsesServer, request: Request, text: str) -> int:
    return model.text_of(request).count(text)


CHECK = "test -f .ready || { echo 'fatal: .ready is missing'; exit 3; }\n"


def test_learned_in_one_session_and_told_in_the_next(codex: Codex, model: ResponsesServer, live: Live) -> None:
    """What mended a failure comes with the same failure, once, before the model goes on; each event is kept once."""
    live.keep("Write the migration guide", Kind.TASK)
    (codex.project / "check.sh").write_text(CHECK)
    mending = (use(shell("sh check.sh")), use(shell("touch .ready")), use(shell("sh check.sh")), say("fixed"))
    model.script(*mending)
    first = codex.run("make the check pass")
    unharmed(first)
    assert said_to(model, model.requests[0], "Write the migration guide") == 1
    live.wait_for("select 1 from memories where kind = 'fix'")
    (codex.project / ".ready").unlink()
    model.script(*mending)
    second = codex.run("check again")
    unharmed(second)
    begun, failed, *_, ended = model.requests[4:]
    assert said_to(model, begun, "touch .ready") == 0
    assert "touch .ready" in model.text_of(failed).partition("exited with code 3")[0]
    assert said_to(model, ended, 'moment="after failure"') == 1
    calls = [row[1] for row in live.journal(session_of(second), "tool_failed", "tool_finished")]
    assert calls == ["sh check.sh", "touch .ready", "sh check.sh"]
    assert live.rows("select count(*) from journal where type = 'turn_ended'") == [(2,)]
    assert live.rows("select count(*) from journal where type = 'prompt_submitted'") == [(2,)]


def test_one_session_through_all_moments(codex: Codex, model: ResponsesServer, live: Live) -> None:
    """Start, prompt, a skill that is read, our tools unasked, patches, a compaction, a sub-agent, the end: each thing
    reaches the model once and in its place, what was sent before stays as it was, and each event is kept once."""
    codex.add_skill("deploy-check", "Check the deploy.")
    live.keep("Ask for the release ticket first", skill="deploy-check")
    live.keep("Half of the parser is rewritten; lexer next", Kind.HANDOFF)
    live.keep("The staging deploy needs the VPN", Kind.LESSON)
    live.keep("Sessions are kept in PostgreSQL", Kind.CONSTRAINT)
    codex.settings.write_text("model_auto_compact_token_limit = 5000\n" + codex.settings.read_text())
    model.script(
        use(shell("cat .agents/skills/deploy-check/SKILL.md")),
        use(tool("mcp__hardwon__recall", query="staging deploy")),
        use(tool("mcp__hardwon__note", text="The deploy script wants bash 5")),
        use(patch("*** Begin Patch\n*** Add File: a.txt\n+one\n*** Add File: b.txt\n+two\n*** End Patch\n")),
        use(patch("*** Begin Patch\n*** Update File: nope.txt\n@@\n-one\n+three\n*** End Patch\n")),
        _longer(model, use(shell("echo full"))),
        _longer(model, say("SUMMED UP"), tokens=100),
        use(tool("multi_agent_v1__spawn_agent", message="SUBTASK list", agent_type="explorer")),
        _kept_then(live, "turn_ended", say("ok")),
    )
    model.script(use(shell("exit 4")), say("sub done"), marker="SUBTASK")
    run = codex.run("deploy to staging please")
    unharmed(run)
    own = [request for request in model.requests if "SUBTASK" not in _asked(request)]
    before, after = own[:7], own[7:]
    _grows(before[:-1])
    assert [said_to(model, before[0], text) for text in ("lexer next", "needs the VPN")] == [1, 1]
    assert said_to(model, before[1], "Ask for the release ticket first") == 1
    assert said_to(model, before[5], "Ask for the release ticket first") == 1
    assert said_to(model, before[2], 'moment="recall"') == 1
    assert "Kept as" in model.text_of(before[3])
    assert said_to(model, after[0], 'moment="after compaction"') == 1
    assert said_to(model, after[0], "Sessions are kept in PostgreSQL") == 1
    kept = live.journal(session_of(run), "tool_failed", "tool_finished", "skill_loaded", "compacting", "compacted")
    assert sorted((row[0], row[1]) for row in kept) == sorted(
        [
            ("", ""), ("", ""),
            ("Bash", "cat .agents/skills/deploy-check/SKILL.md"), ("Skill", "deploy-check"),
            ("mcp__hardwon__recall", "staging deploy"), ("mcp__hardwon__note", "The deploy script wants bash 5"),
            ("Write", "a.txt"), ("Write", "b.txt"), ("Edit", "nope.txt"), ("Bash", "echo full"), ("Bash", "exit 4"),
        ]
    )  # fmt: skip
    assert [row[3] != "" for row in kept if row[1] in ("exit 4", "echo full")] in ([False, True], [True, False])
    assert live.rows("select text from journal where type = 'prompt_submitted'") == [("deploy to staging please",)]


def _longer(model: ResponsesServer, step: Step, tokens: int = 20_000) -> Callable[[Request], Step]:
    """An answer with which the conversation is as long as that."""

    def answer(_: Request) -> Step:
        model.tokens = tokens
        return step

    return answer


def _kept_then(live: Live, type_: str, step: Step) -> Callable[[Request], Step]:
    """An answer that comes when something was kept: no model is so quick that it comes before."""

    def answer(_: Request) -> Step:
        live.wait_for("select 1 from journal where type = ?", type_)
        return step

    return answer


def _asked(request: Request) -> str:
    first = [item for item in request["input"] if item.get("role") == "user"][1:2]
    return str(first)


def _grows(requests: list[Request]) -> None:
    """Each request begins with all of the one before: the model's cache holds."""
    inputs: list[list[Any]] = [request["input"] for request in requests]
    for one, following in itertools.pairwise(inputs):
        assert following[: len(one)] == one


def test_a_person_trusts_and_is_heard(codex: Codex, model: ResponsesServer) -> None:
    """With the keys that setup names, at the terminal; what is typed there is the user's own word, and a skill that is
    named comes with its lessons. Taken out after that, nothing of ours is left in the client's files."""
    live = Live(codex, "codex")
    live.awake()
    codex.add_skill("deploy-check", "Check the deploy.")
    live.keep("Ask for the release ticket first", skill="deploy-check")
    quote = "never deploy on Fridays"
    marked = tool("mcp__hardwon__mark", kind="rule", text="No deploys on Fridays", quote=quote)
    model.script(_kept_then(live, "prompt_submitted", use(marked)), say("noted"))
    with CodexTerminal(codex) as terminal:
        terminal.answer("Trust", ENTER)
        terminal.answer("Hooks need review", "2", ENTER)
        terminal.answer("Use existing model", "2", ENTER)
        terminal.see("? for shortcuts")
        until(lambda: terminal.takes(f"$deploy-check and {quote}"), "the prompt was typed")
        terminal.press(ENTER, ENTER)
        live.wait_for("select 1 from journal where type = 'turn_ended'")
    assert said_to(model, model.requests[0], "Ask for the release ticket first") == 1
    assert live.rows("select trust, status from memories where source = 'marked'") == [("user", "active")]
    live.settled()
    live.hardwon("uninstall", "codex", "--yes")
    left = "".join(path.read_text() for path in (codex.settings, codex.config / "hooks.json") if path.exists())
    assert "hardwon" not in left
    assert "hooks" not in left


def test_what_is_known_of_a_call(codex: Codex, model: ResponsesServer, live: Live) -> None:
    """A note comes with the result; what the person wants to be asked about is not run, and the model is told why."""
    live.hardwon("config", "set", "alerts.guard", "ask")
    live.keep("`make all` is slow", anchors=(Anchor(AnchorKind.COMMAND, "make all"),))
    live.keep("Never run `make deploy`", Kind.RULE, anchors=(Anchor(AnchorKind.COMMAND, "make deploy"),))
    (codex.project / "Makefile").write_text("all:\n\t@echo fine\ndeploy:\n\t@touch deployed\n")
    model.script(use(shell("make all")), use(shell("make deploy")), say("ok"))
    assert codex.run("go").code == 0
    assert said_to(model, model.requests[1], "`make all` is slow") == 1
    assert "Never run `make deploy`" in model.text_of(model.requests[2])
    assert UNASKED in model.text_of(model.requests[2])
    assert not (codex.project / "deployed").exists()


def test_what_is_interrupted_is_learned_from(codex: Codex, model: ResponsesServer, live: Live) -> None:
    """A turn that a person ends has no other end."""
    live.keep("a lesson")
    model.script(use(shell("exit 6")), use(shell("sleep 60")))
    session = codex.start("go")
    until(lambda: len(model.requests) == 2, "the second command runs")
    live.wait_for("select 1 from journal where target = 'exit 6'")
    os.kill(session.pid, signal.SIGINT)
    session.wait()
    live.wait_for("select 1 from journal where type = 'turn_ended'")


@pytest.mark.parametrize("fault", ["down", "hung", "garbage", "server off"])
def test_a_daemon_at_fault_is_not_noticed(codex: Codex, model: ResponsesServer, fault: str) -> None:
    """The session completes, its user sees nothing, and the skill's text is whole."""
    live = Live(codex, "codex")
    codex.agree()
    codex.add_skill("deploy-check", "Check the deploy.")
    model.script(use(shell("cat .agents/skills/deploy-check/SKILL.md")), use(shell("exit 3")), say("ok"))
    if fault == "down":
        (live.home.hook / "start").unlink()
    if fault == "server off":
        settings = codex.settings.read_text()
        codex.settings.write_text(settings.replace('args = ["codex"]', 'args = ["codex"]\nenabled = false'))
    with _answering(live.home.socket, fault) if fault in ("hung", "garbage") else contextlib.nullcontext():
        run = codex.run("go")
    unharmed(run)
    assert said_to(model, model.requests[-1], "Check the deploy.") == 1
    assert said_to(model, model.requests[-1], "hardwon moment") == 0
    assert said_to(model, model.requests[-1], "not json") == 0
    if fault == "server off":
        assert ("Bash", "exit 3") in [row[:2] for row in live.journal(session_of(run), "tool_failed")]
    until(lambda: live.processes() == [], "nothing of ours runs any more")


@contextlib.contextmanager
def _answering(path: Path, fault: str) -> Iterator[None]:
    """What stands in the daemon's place, and says nothing, or nonsense."""
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        listening.listen(64)
        held: list[socket.socket] = []

        def serve() -> None:
            with contextlib.suppress(OSError):
                while True:
                    connection, _ = listening.accept()
                    held.append(connection)
                    if fault == "garbage":
                        with contextlib.suppress(OSError):
                            connection.sendall(b"\x00\xff{not json\n" * 100)
                        connection.close()

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield
        listening.shutdown(socket.SHUT_RDWR)
        thread.join(5)
        for connection in held:
            connection.close()
