"""What a person said when the client asked them about a call."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from bench.heard.play import Person, Session

from hardwon.clients.claude_code.transcript import read
from hardwon.memory import Kind, Memory, Status, Trust
from hardwon.store.tables import memories

RECORDED = Path(__file__).parents[1] / "clients" / "claude_code"
PUSH = {"command": "git push origin main"}


@pytest.fixture
def person(tmp_path: Path) -> Iterator[Person]:
    with Person(tmp_path / "p") as one:
        yield one


def refused(person: Person) -> dict[str, Memory]:
    return {one.body: one for one in memories.all_memories(person.store) if one.source == "refused"}


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        (
            "answers",
            [
                ("Bash", "refused", "no files here, put it into tmp"),
                ("Write", "refused", "call it main.py, we name entry points main"),
                ("AskUserQuestion", "chosen", "duckdb, one file"),
                ("ExitPlanMode", "refused", ""),
            ],
        ),
        ("plan", [("ExitPlanMode", "refused", "no rust, we stay with go")]),
        ("answers-subagent", [("Bash", "refused", "never delete build, it takes an hour")]),
        (
            "approved",
            [
                ("Bash", "refused", ""),
                ("Bash", "approved", "fine, but lowercase names only"),
                ("AskUserQuestion", "refused", ""),
                ("ExitPlanMode", "refused", ""),
            ],
        ),
    ],
)
def test_a_real_terminals_answers_are_heard(file: str, expected: list[tuple[str, str, str]]) -> None:
    """With and without words, of a sub-agent's call too; what the client says in the person's place is not theirs."""
    events, _ = read(RECORDED / f"{file}.jsonl")
    assert [(one.tool, one.origin, one.text) for one in events if one.type == "call_answered"] == expected


def test_a_refusal_is_kept_with_its_call_and_waits(person: Person) -> None:
    """Most are for once: nothing is said of it yet."""
    session = person.session()
    session.types("ship it")
    session.refuses("Bash", PUSH, "not to main, open a pull request")
    session.says("ok")
    (one,) = refused(person).values()
    assert (one.status, one.trust, one.intent) == (Status.CANDIDATE, Trust.USER, "said to: git push origin main")
    person.later(1)
    assert person.session().calls("Bash", PUSH) == ""


def test_said_again_in_another_session_it_holds(person: Person) -> None:
    """The later word, before calls of the same family, with its day; it holds up none of them."""
    for words in ("not to main, open a pull request", "never to main! pull requests"):
        session = person.session()
        session.types("ship it")
        session.refuses("Bash", PUSH, words)
        session.says("ok")
        person.later(1)
    found = refused(person)
    assert found["not to main, open a pull request"].status is Status.SUPERSEDED
    said = person.session().calls("Bash", {"command": "git push -u origin feature"})
    assert "“never to main! pull requests” (said to: git push origin main)" in said
    assert "said by the user on 2026-" in said
    assert "STOP" not in said
    assert "ASK" not in said


def test_what_passes_later_in_that_session_was_for_once(person: Person) -> None:
    """ "Not now" is over when the like is let pass."""
    session = person.session()
    session.types("fix it")
    session.refuses("Bash", {"command": "make lint"}, "don't worry about linting for now")
    session.calls("Bash", {"command": "make lint"})
    session.says("ok")
    assert [one.status for one in refused(person).values()] == [Status.ARCHIVED]


def test_two_that_pass_later_end_it_and_so_does_time(person: Person) -> None:
    """What is let pass is not minded any more."""
    for words in ("no pushes to main please", "main gets no pushes"):
        session = person.session()
        session.types("ship it")
        session.refuses("Bash", PUSH, words)
        session.says("ok")
        person.later(1)
    session = person.session()
    session.types("ship it")
    session.refuses("Bash", {"command": "make lint"}, "later")
    session.calls("Bash", PUSH)
    session.calls("Bash", PUSH)
    session.says("ok")
    assert refused(person)["main gets no pushes"].status is Status.ARCHIVED


def test_an_agent_may_mark_a_refusals_words(person: Person) -> None:
    """Then they hold at once, as whatever else a person typed."""
    session = person.session()
    session.types("ship it")
    session.refuses("Bash", PUSH, "never to main, we review everything")
    told = session.mark("rule", "No pushes to main", "never to main, we review everything")
    assert "in the user's words" in told.text
    session.says("ok")
    person.later(1)
    assert "we review everything" in person.session().calls("Bash", PUSH)


def test_the_same_words_of_somebody_else_are_nobodys(person: Person) -> None:
    """A hook, an SDK's host or an MCP server can write the client's sentence, too."""
    session = person.session()
    session.types("ship it")
    text = "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nuse bun"
    session.denied("Bash", {"command": "npm test"}, text)
    session.refuses("Bash", {"command": "npm test"}, "always use bun here", entrypoint="sdk-cli")
    session.calls("mcp__x__y", {}, text, failed=True, permissionDecision=None)
    session.says("ok")
    assert [one for one in refused(person).values() if one.trust is Trust.USER] == []


PLAN = {"plan": "# Rewrite\n1. rewrite it in rust\n"}


def asked(session: Session, **answers: str) -> None:
    """The client's dialog, with its own mark of who answered."""
    questions = [
        {"question": f"Which {name}?", "options": [{"label": "Postgres"}, {"label": "yes"}]} for name in answers
    ]
    result = {"questions": questions, "answers": {f"Which {name}?": said for name, said in answers.items()}}
    decision = {"decision": "accept", "source": "user_temporary"}
    session.calls("AskUserQuestion", {"questions": questions}, "answered", toolUseResult=result,
                  permissionDecision=decision)  # fmt: skip
    session.says("ok")


def test_a_refused_plan_is_kept_with_the_plan_and_waits(person: Person) -> None:
    """The next plan, let pass, is another plan: it does not take the words back. Said twice, they hold."""
    for words in ("no rust, we stay with go", "go it is, I said no rust"):
        session = person.session()
        session.types("plan it")
        session.refuses("ExitPlanMode", PLAN, words)
        session.calls("ExitPlanMode", {"plan": "# Mend it\n1. in go"})
        session.says("ok")
        one = refused(person)[words]
        assert one.intent == "said to: Rewrite / 1. rewrite it in rust"
        person.later(1)
    assert refused(person)["no rust, we stay with go"].status is Status.SUPERSEDED
    assert refused(person)["go it is, I said no rust"].status is Status.ACTIVE


def test_an_answer_is_kept_with_its_question_and_waits(person: Person) -> None:
    """Each of several by itself, also where two are the same word."""
    session = person.session()
    session.types("set it up")
    asked(session, database="duckdb, one file", cache="none at all")
    asked(session, queue="none at all")
    found = sorted((one.body, one.kind, one.status) for one in memories.all_memories(person.store))
    assert found == [
        ("Which cache? “none at all”", Kind.DECISION, Status.CANDIDATE),
        ("Which database? “duckdb, one file”", Kind.DECISION, Status.CANDIDATE),
        ("Which queue? “none at all”", Kind.DECISION, Status.CANDIDATE),
    ]


def test_the_same_question_answered_again_holds(person: Person) -> None:
    """The later answer, said where what it names is at hand."""
    for answer in ("duckdb, one file", "duckdb again"):
        session = person.session()
        session.types("set it up")
        asked(session, database=answer)
        person.later(1)
    found = {one.body: one.status for one in memories.all_memories(person.store)}
    assert found == {
        "Which database? “duckdb, one file”": Status.SUPERSEDED,
        "Which database? “duckdb again”": Status.ACTIVE,
    }


def test_an_answer_that_no_person_gave_is_nobodys(person: Person) -> None:
    """A hook or an SDK's host may answer in the person's place."""
    session = person.session()
    session.types("set it up")
    result = {"questions": [], "answers": {"Which database?": "oracle please"}}
    for source in ("hook", "config"):
        session.calls("AskUserQuestion", {}, "answered", toolUseResult=result,
                      permissionDecision={"decision": "accept", "source": source})  # fmt: skip
    session.says("ok")
    assert list(memories.all_memories(person.store)) == []
