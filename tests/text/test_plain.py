"""What people say in so many words: kept without a model; everything else is left to the agent."""

from __future__ import annotations

import time

import pytest

from hardwon.memory import Kind
from hardwon.text.speech import plain
from hardwon.text.speech.plain import Statement, read
from hardwon.text.speech.subjects import subject
from tests.text.wishes import ordinary, statements

PLAIN = [
    "always use UTC for timestamps",
    "Please always build at the end of your work.",
    "never use wildcard imports",
    "Never commit directly, ask me first",
    "dont ever run prettier on the vendored files",
    "From now on, don't add type: ignore",
    "use conventional commits from now on",
    "remember: the staging database is shared",
    "We use pnpm in this repo, always.",
    "以后都用中文写注释",
    "千万别用 root 用户运行",
    "今後はpnpmを使ってください",
]


@pytest.mark.parametrize("prompt", PLAIN)
def test_a_plain_form_is_the_persons_sentence(prompt: str) -> None:
    """Whole, as it was typed."""
    assert [one.said for one in read(f"fix the parser\n{prompt}").statements] == [prompt]


NOT_PLAIN = [
    "it always crashes when I open the file",
    "why is it always red?",
    "if we never close it, does it leak?",
    "the test never passes",
    "I have always wondered how this works",
    'add a checkbox "always show this"',
    "`never` is a type",
    "never mind, leave it as it is",
    "ok, nevermind, we do that tomorrow",
    "dude we use pnpm",
    "> always use tabs",
    "```\nalways use tabs\n```",
    "look at this:\nalways use tabs",
]


@pytest.mark.parametrize("prompt", NOT_PLAIN)
def test_what_describes_asks_or_quotes_is_none(prompt: str) -> None:
    """Nor what is only said in passing: that is for the agent to mark."""
    assert read(prompt).statements == ()


MARKED = [
    ("TODO: clean up the fixtures", Statement(Kind.TASK, "clean up the fixtures")),
    ("Constraint: no network access in tests", Statement(Kind.CONSTRAINT, "no network access in tests")),
    ("rule: squash before you merge", Statement(Kind.RULE, "squash before you merge")),
    ("待办：补充单元测试", Statement(Kind.TASK, "补充单元测试")),
]


@pytest.mark.parametrize(("prompt", "found"), MARKED)
def test_a_mark_says_what_it_is(prompt: str, found: Statement) -> None:
    """Of a sentence with a mark before it, what follows."""
    assert read(prompt).statements == (found,)


def test_a_marked_decision_has_its_reason_and_what_was_turned_down() -> None:
    """On the same line or on the next ones."""
    (one,) = read("Decision: use uv because it is fast rejected: poetry: slow; pip: no lock file").statements
    assert (one.said, one.because, one.subject) == ("use uv", "it is fast", "python package manager")
    assert [(no.what, no.why) for no in one.rejected] == [("poetry", "slow"), ("pip", "no lock file")]
    (two,) = read("Decision: keep the monolith\nBecause: the team is small\nRejected: microservices").statements
    assert (two.said, two.because, two.rejected[0].what) == ("keep the monolith", "the team is small", "microservices")


@pytest.mark.parametrize("prompt", statements.FIXED)
def test_a_person_says_that_it_works(prompt: str) -> None:
    """In a whole sentence."""
    assert read(prompt).says_fixed


@pytest.mark.parametrize("prompt", statements.NOT_FIXED)
def test_praise_and_half_a_sentence_fix_nothing(prompt: str) -> None:
    """Nor does "resolved" in the middle of something else."""
    assert not read(prompt).says_fixed


@pytest.mark.parametrize("prompt", statements.RED)
def test_a_test_that_is_meant_to_fail_is_announced(prompt: str) -> None:
    """Then its failure is no lesson."""
    assert read(prompt).expects_red


@pytest.mark.parametrize("prompt", statements.NOT_RED)
def test_a_test_that_happens_to_fail_is_not_announced(prompt: str) -> None:
    """Speaking of failing tests is not yet wanting one."""
    assert not read(prompt).expects_red


def test_ordinary_prompts_say_nothing_plainly() -> None:
    """Few: "never block the event loop in the handler" may be about this handler alone."""
    wrong = [prompt for prompt in ordinary.ALL if read(prompt).statements]
    assert len(wrong) * 40 <= len(ordinary.ALL), wrong


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("let's use Postgres", "we decided to use SQLite", True),
        ("use pnpm", "use uv", False),
        ("use SQLite for the tests", "use Postgres for production", False),
        ("use Redis for the cache", "use Memcached as the cache", True),
        ("use React.js", "use Vue", True),
        ("决定用 PostgreSQL", "データベースはMySQLにしよう", True),
        ("use the importer", "use the exporter", False),
    ],
)
def test_the_subject_tells_whether_two_decisions_are_about_the_same(one: str, other: str, same: bool) -> None:
    """Tools of one category are; the same tool for two purposes is not."""
    assert (subject(one) == subject(other)) is same


@pytest.mark.parametrize(
    "prompt",
    [
        "no, " + "use " * 4_000,
        "always " * 5_000,
        "`" * 20_000,
        '"' * 20_001,
        "必须" * 5_000,
        "decision: x " + "because " * 4_000,
        "decision: " + "rejected: " * 3_000,
        "\n".join(["from now on " + "very " * 60] * 60),
        "x" * 1_000_000,
    ],
)
def test_no_prompt_takes_long_to_read(prompt: str) -> None:
    """Whatever is pasted: reading is bounded."""
    begun = time.process_time()
    plain.read(prompt)
    assert time.process_time() - begun < 1.0
