"""What a passage does, by its words: tables."""

from __future__ import annotations

import pytest

from hardwon.understand import speech


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("which queue do we use?", True),
        ("why is the build red", True),
        ("缓存用什么？", True),
        ("ログの保存期間はどのくらいですか", True),
        ("It is slow. We measured it. It was the disk. Shall I change it?", False),
        ("We use Postgres.", False),
        ("what we do is keep three steps", False),
        ("", False),
        ("tokio or threads for the decoder", False),
    ],
)
def test_whether_it_only_asks(text: str, asks: bool) -> None:
    assert speech.is_question(text) is asks


@pytest.mark.parametrize(
    ("text", "anew"),
    [
        ("windows?", True),
        ("and the web client", True),
        ("for plugin callbacks", True),
        ("capacity problems there all spring", False),
        ("and then everything fell over because the disk was full", False),
    ],
)
def test_whether_it_carries_a_question_over(text: str, anew: bool) -> None:
    assert speech.asks_anew(text) is anew


@pytest.mark.parametrize(
    ("text", "settles", "states", "changes", "reason"),
    [
        ("keep three steps, one page was worse", True, True, False, False),
        ("Paris since the migration in May", False, False, True, True),
        ("Because the token is in the path", False, True, False, True),
        ("缓存改用本地文件", True, False, True, False),
        ("Redis をやめて Postgres に変更した", False, False, True, False),
        ("bump the linter", False, False, False, False),
        ("shall we use it now?", False, False, True, False),
    ],
)
def test_what_it_tells(text: str, settles: bool, states: bool, changes: bool, reason: bool) -> None:
    found = (speech.settles(text), speech.states(text), speech.tells_change(text), speech.gives_reason(text))
    assert found == (settles, states, changes, reason)


@pytest.mark.parametrize(
    ("question", "past", "why"),
    [
        ("where were the data at first?", True, False),
        ("why did inserts degrade", True, True),
        ("which broker do we run", False, False),
        ("cause of the mismatch?", False, True),
        ("当初为什么用 Redis", True, True),
    ],
)
def test_what_a_question_is_after(question: str, past: bool, why: bool) -> None:
    """What happened, or how things are; a reason, or a fact."""
    assert (speech.asks_what_was(question), speech.wants_reason(question)) == (past, why)
