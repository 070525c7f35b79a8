"""One memory, four clients: what was learned, noted or said in one is there in another."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pytest

from hardwon.paths import Home
from tests.commandline import Cli
from tests.live import claude_code, codex, opencode
from tests.live import pi as pi_client
from tests.live.chat_server import ChatServer as OpenCodeModel
from tests.live.claude_code import ClaudeCode, must_be_here
from tests.live.codex import Codex
from tests.live.live import Live
from tests.live.messages_server import ModelServer
from tests.live.openai_chat_server import ChatServer
from tests.live.opencode import OPENCODE, OpenCode
from tests.live.pi import NEWEST, Pi
from tests.live.responses_server import ResponsesServer, shell
from tests.live.steps import bash, say, tool, use
from tests.live.terminal import Terminal

CHECK = "test -f .ready || { echo 'fatal: .ready is missing'; exit 3; }\n"
TICKET = "Ask for the release ticket first"
DECISION = "decision: carts are stored in PostgreSQL, not in Redis"


class Installed(Protocol):
    home: Path
    config: Path
    project: Path


class Member(Live):
    """A client with a home folder of its own, and the memory that all of them share."""

    def __init__(self, client: Installed, name: str, memory: Home, project: Path) -> None:
        client.project = project
        self.claude = client
        self.home = memory
        self.variable = {"claude-code": "CLAUDE_CONFIG_DIR", "codex": "CODEX_HOME"}.get(name, "")
        self.cli = Cli(memory.root, project)
        self.hardwon("setup", name, "--yes")


@dataclass
class Relay:
    claude: ClaudeCode
    messages: ModelServer
    codex: Codex
    responses: ResponsesServer
    opencode: OpenCode
    chat: OpenCodeModel
    pi: Pi
    completions: ChatServer
    memory: Live
    project: Path


def _missing() -> str | None:
    reasons = (claude_code.client_missing(), codex.client_missing(), opencode.missing(OPENCODE))
    return next(filter(None, (*reasons, pi_client.client_missing(NEWEST))), None)


@pytest.fixture
def relay(tmp_path: Path) -> Iterator[Relay]:
    if (reason := _missing()) is not None:
        (pytest.fail if must_be_here() else pytest.skip)(reason)
    with ExitStack() as stack:
        messages, responses = stack.enter_context(ModelServer()), stack.enter_context(ResponsesServer())
        chat, completions = stack.enter_context(OpenCodeModel()), stack.enter_context(ChatServer())
        first = stack.enter_context(closing(ClaudeCode(tmp_path / "claude", messages)))
        second = stack.enter_context(closing(Codex(tmp_path / "codex", responses)))
        third = stack.enter_context(closing(OpenCode(tmp_path / "opencode", chat)))
        fourth = stack.enter_context(closing(Pi(tmp_path / "pi", completions)))
        memory, project = Home(tmp_path / "m"), first.project
        memory.root.mkdir(mode=0o700)
        memory.settings.write_text('[vectors]\nmodel = "off"\n')
        named: tuple[tuple[Installed, str], ...] = (
            (first, "claude-code"), (second, "codex"), (third, "opencode"), (fourth, "pi"),
        )  # fmt: skip
        members = [Member(client, name, memory, project) for client, name in named]
        second.agree()
        members[0].awake()
        stack.callback(members[0].close)
        yield Relay(first, messages, second, responses, third, chat, fourth, completions, members[0], project)


def test_one_memory_in_four_clients(relay: Relay) -> None:
    """A mistake made and mended in Claude Code is told in Codex; a lesson noted in OpenCode comes with the skill in Pi;
    a decision typed in Claude Code is back at a prompt in Pi."""
    (relay.project / "check.sh").write_text(CHECK)
    skill = relay.pi.add_skill("deploy", "Deploy with care.")
    check, mend = use(bash("sh check.sh")), use(bash("touch .ready"))
    relay.messages.script(check, mend, check, say("fixed"))
    assert relay.claude.run("make the check pass").code == 0
    relay.memory.wait_for("select 1 from memories where kind = 'fix'")
    (relay.project / ".ready").unlink()
    relay.responses.script(use(shell("sh check.sh")), say("it fails"))
    assert relay.codex.run("run the check").code == 0
    assert "touch .ready" in relay.responses.text_of(relay.responses.requests[-1])

    relay.chat.script(use(tool("skill_note", text=TICKET, skill="deploy")), say("noted"))
    assert relay.opencode.run("remember the ticket").code == 0
    relay.memory.wait_for("select 1 from memories where kind = 'lesson'")
    relay.completions.script(use(tool("read", path=str(skill))), say("read"))
    assert relay.pi.run("deploy it").code == 0
    assert TICKET in relay.completions.text_of(relay.completions.requests[-1])

    relay.messages.script(say("ALLDONE"))
    with Terminal(relay.claude) as terminal:
        terminal.types(DECISION, "ALLDONE")
    relay.memory.wait_for("select 1 from memories where kind = 'decision' and status = 'active'")
    relay.completions.script(say("no"))
    assert relay.pi.run("shall we keep the carts in Redis?").code == 0
    assert "PostgreSQL" in relay.completions.text_of(relay.completions.requests[-1])
