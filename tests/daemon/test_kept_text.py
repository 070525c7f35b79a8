"""What is kept of a text: no secret and no half of one, of a long one a part, and any letters."""

from __future__ import annotations

import pytest

from hardwon.event import Event, Tier
from hardwon.redact import border
from hardwon.store.tables import journal
from tests.daemon.calls import FAILED, SECRET
from tests.daemon.running import Daemon
from tests.daemon.session import Session
from tests.support import files_with


def test_secrets_never_reach_the_disk(daemon: Daemon) -> None:
    """In a prompt, a command, its output, an error, a file's content, a name; also one that is cut in two."""
    daemon.start()
    session = Session(daemon)
    session.prompt(f"use {SECRET} to log in")
    session.failed(f"curl -H 'Authorization: Bearer {SECRET}' x", f"Exit code 22\nbad token {SECRET}")
    session.passed("env", f"GITHUB_TOKEN={SECRET}")
    session.edited("config.py", "token = ''", f"token = '{SECRET}'")
    session.reads(f"/skills/{SECRET}/SKILL.md")
    session.send("UserPromptSubmit", prompt="x", cwd=f"{daemon.folder}/{SECRET}", prompt_id="p7")
    session.stop()
    daemon.leave()
    assert len(daemon.journal()) >= 6
    assert files_with(daemon.home.root, SECRET) == {}


def test_no_half_of_a_secret_is_kept_where_a_long_text_is_cut(daemon: Daemon) -> None:
    """The journal keeps a beginning and an end; a token across a cut must not leave a half that no rule knows."""
    words = "word " * 4_000
    places = (*range(2_600, 2_690, 4), *range(9_900, 10_090, 4))
    texts = [f"{words[:place]} {SECRET} {words[place:]}"[:15_350] for place in places]
    texts += [f"{'x' * 39_980} {SECRET} {'y' * 100_000}", f"{'x' * 100_000} {SECRET} {'y' * 39_980}"]
    with daemon.store(write=True) as store:
        for number, text in enumerate(texts):
            event = Event(FAILED, "claude-code", "s1", number, call=f"c{number}", tool="Bash", error=text)
            assert journal.append(store, border.clean_event(event, store.redactor), Tier.FULL)
    halves = [SECRET[at : at + 12] for at in range(4, len(SECRET) - 12)]
    assert [event.at for event in daemon.journal() if any(half in event.error for half in halves)] == []
    assert len(daemon.journal()) == len(texts)


@pytest.mark.parametrize("text", ["\ud800 alone", "nul \x00 here", "\x1b[31mred\x1b[0m", "𝕏" * 9_000, "\u202e\u200b"])
def test_any_text_can_be_kept(daemon: Daemon, text: str) -> None:
    """Half a surrogate, NUL, colours, astral letters: nothing makes an event disappear."""
    daemon.start()
    session = Session(daemon)
    session.prompt(f"fix {text}")
    session.failed(f"make {text}", f"Exit code 2\nboom {text}")
    session.stop()
    daemon.leave()
    assert [event.type for event in daemon.journal()] == ["prompt_submitted", "tool_failed", "turn_ended"]
    assert "keep:" not in daemon.log


def test_long_texts_are_kept_in_part(daemon: Daemon) -> None:
    """The beginning and the end of what failed; of a look only the fact."""
    daemon.start()
    session = Session(daemon)
    session.failed("make", "Exit code 2\n" + "x" * 100_000 + "\nfatal: the end")
    session.send("PostToolUse-Read", tool_use_id="c9", tool_response={"file": {"content": "y" * 100_000}})
    session.stop()
    daemon.leave()
    failure, look, _ = daemon.journal()
    assert len(failure.error) <= 8_000
    assert failure.error.startswith("Exit code 2")
    assert failure.error.endswith("fatal: the end")
    assert (look.tool, look.text) == ("Read", "")
