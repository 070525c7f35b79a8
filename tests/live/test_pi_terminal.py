"""The real Pi in a terminal: what a person types there is theirs, and they can break off."""

from __future__ import annotations

from tests.live.openai_chat_server import ChatServer
from tests.live.pi import Pi, PiLive
from tests.live.pi_terminal import ENTER, ESCAPE, PiTerminal
from tests.live.steps import say, tool, use
from tests.live.test_pi import live as live  # the fixture


def test_what_is_typed_and_marked_is_the_persons_word(pi: Pi, chat: ChatServer, live: PiLive) -> None:
    """In the words that were typed, whatever the agent makes of them; `/hardwon` shows that it is there."""
    words = "please use pnpm, never npm, in this repository"
    mark = tool("memory_mark", kind="rule", text="Use pnpm", quote=words)
    chat.script(use(mark), say("ALLDONE"))
    with PiTerminal(pi) as terminal:
        terminal.types(words, "ALLDONE")
        terminal.types("/hardwon", "memories")
    ((body, trust),) = live.rows("select body, trust from memories where kind = 'rule'")
    assert (body, trust) == (words, "user")
    assert live.rows("select origin from journal where type = 'prompt_submitted'") == [("typed",)]


def test_breaking_off_is_no_failure(pi: Pi, chat: ChatServer, live: PiLive) -> None:
    """Esc ends a command and the turn; the next prompt goes on, and nothing was learned of it."""
    chat.script(use(tool("bash", command="sleep 60")), say("ALLDONE"))
    with PiTerminal(pi) as terminal:
        terminal.press("wait a minute", ENTER)
        terminal.sees("sleep 60")
        live.wait_for("select 1 from journal where type = 'prompt_submitted'")
        terminal.press(ESCAPE)
        terminal.sees("abort")
        terminal.types("go on", "ALLDONE")
    live.settled()
    assert live.rows("select text from journal where type = 'turn_ended'") == [("ALLDONE",)]
    assert live.rows("select count(*) from memories") == [(0,)]
