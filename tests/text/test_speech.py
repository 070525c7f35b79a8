"""What a passage does, by its words: tables."""

from __future__ import annotations

import pytest

from hardwon.text.speech import discourse


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
    assert discourse.is_question(text) is asks


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
    assert discourse.asks_anew(text) is anew


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
    found = (
        discourse.settles(text),
        discourse.states(text),
        discourse.tells_change(text),
        discourse.gives_reason(text),
    )
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
    assert (discourse.asks_what_was(question), discourse.wants_reason(question)) == (past, why)


@pytest.mark.parametrize(
    ("text", "before", "goes_on"),
    [
        ("no pixels. our privacy page promises it", "customers ask for open tracking pixels in mails", True),
        ("put it on flash, ring of 7 days", "Its buffer is RAM only.", True),
        ("agreed, make it so", "Phone alone never merges.", True),
        ("deleting them is fine", "Deleted rows come back.", True),
        ("teaser text for the careers page", "Out of memory on the small runner. It uses the large one.", False),
        ("we need a new logo for the shop", "What should happen then? They should have more of these.", False),
        ("缓存只保留三天", "缓存用什么？", True),
        ("写一份周报", "缓存用什么？", False),
        ("typesense, self hosted", "", False),
    ],
)
def test_whether_it_goes_on_with_what_was_said(text: str, before: str, goes_on: bool) -> None:
    """Words that stand everywhere don't count, and another form of a word does."""
    assert discourse.follows_up(text, before) is goes_on


@pytest.mark.parametrize(
    ("text", "opens"),
    [
        ("Found it: the rename event passes the filter.", True),
        ("Root cause: the key has the set id in it.", True),
        ("Only their file has no offset, because it is written by hand.", True),
        ("原因是缓存没有上限", True),
        ("There are 61 double rows for this harbour.", False),
        ("row " * discourse.OPENING + "because", False),  # further on it explains something else
    ],
)
def test_whether_it_opens_with_the_cause(text: str, opens: bool) -> None:
    assert discourse.opens_with_cause(text) is opens


@pytest.mark.parametrize(
    ("text", "does"),
    [
        ("what was wrong with the meter", {"asks_for_cause"}),
        ("为什么缓存会丢失", {"asks_for_cause"}),
        ("found it: the token is empty", {"finds_cause"}),
        ("Renamed in 6 files, build is clean", {"carries_out"}),
        ("ok, done in two files", {"carries_out", "replies"}),
        ("then we take the second one", {"replies"}),
        ("thanks. and the search stays as it was", {"turns_to_another"}),
        ("second, language models", {"turns_to_another"}),
        ("Kafka is gone, NATS carries it", {"replaces"}),
        ("the limit goes up to 22000", {"replaces"}),
        ("缓存改用本地文件", {"replaces"}),
        ("gateway memory disk", set()),
        ("", set()),
    ],
)
def test_how_it_is_said(text: str, does: set[str]) -> None:
    """What begins a passage, and what stands in it, by which its place in a talk is known."""
    told = ("asks_for_cause", "finds_cause", "carries_out", "replies", "turns_to_another", "replaces")
    assert {name for name in told if getattr(discourse, name)(text)} == does
