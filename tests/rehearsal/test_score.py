"""What sayings are worth, as tables; and the score's four checks on itself."""

from __future__ import annotations

import dataclasses

import pytest

from hardwon.event import Moment
from hardwon.rehearsal.opportunities import Kind, Opportunity
from hardwon.rehearsal.opportunities.opportunity import MOST, Candidate, Form, worth
from hardwon.rehearsal.saying import Saying
from hardwon.rehearsal.score import CALL, estimate, placebo, price, score

SESSIONS = [f"s{number}" for number in range(20)]
ANSWERS = (("--name-only", Form.OPTION), ("src/cart/state.go", Form.PATH), ("ana/new-states", Form.BRANCH),
           ("errcheck", Form.RULE), ("#4711", Form.ID))  # fmt: skip


def opportunity(session: str, token: str, form: Form, number: int = 10, cost: int = 4, **more: object) -> Opportunity:
    answer = Candidate(token, form, "")
    made = Opportunity(
        Kind.LOOK_UP,
        session,
        "",
        number,
        0,
        number + 6,
        0,
        cost,
        (number, number + 1, number + 3, number + 5),
        (),
        answer=answer,
    )
    return dataclasses.replace(made, **more)  # type: ignore[arg-type]


def saying(session: str, text: str, delivered: int | None = 5, **more: object) -> Saying:
    made = Saying(session, "", 5, 0, Moment.PROMPT, text, len(text) // 4, 0, kinds=("lesson",), delivered=delivered)
    return dataclasses.replace(made, **more)  # type: ignore[arg-type]


RULES = ("errcheck", "goconst", "noctx", "dupl")
PAST = [opportunity(session, f"{token}{number}" if form is not Form.RULE else token, form)
        for number, session in enumerate(SESSIONS) for token, form in [ANSWERS[number % 5]]]  # fmt: skip
"""In each session one thing came back."""


def oracle() -> list[Saying]:
    """A memory that knows the future: right before each first cost, the answer and nothing else."""
    return [saying(one.session, f"- {one.answer.token}", one.number - 1) for one in PAST if one.answer]


def test_silence_is_zero() -> None:
    made = score(SESSIONS, PAST, [])
    assert (made.net, made.credit, made.price) == (0, 0, 0)
    assert made.ceiling == 80
    assert made.per_hundred().value == 0


def test_everything_at_once_is_below_zero() -> None:
    everything = "\n".join(f"- {one.answer.token}" for one in PAST if one.answer)
    made = score(SESSIONS, PAST, [saying(session, everything, 0, stays=100) for session in SESSIONS])
    assert len(made.earned) == len(PAST)
    assert made.net < 0


def test_a_placebo_is_at_most_zero() -> None:
    told = oracle()
    permuted = placebo(told)
    assert len(permuted) >= len(told) / 2
    assert score(SESSIONS, PAST, permuted).net <= 0


def test_a_memory_that_knows_the_future_comes_to_the_ceiling() -> None:
    made = score(SESSIONS, PAST, oracle())
    assert made.credit == made.ceiling
    assert made.net > 0.9 * made.ceiling


@pytest.mark.parametrize(
    ("text", "delivered", "more", "earned"),
    [
        ("- use --name-only", 5, {}, 4.0),
        ("- use --name-only", 10, {}, 3.0),  # with the first call that was in vain: the rest can be saved
        ("- use --name-only", 13, {}, 1.0),
        ("- use --name-only", 15, {}, 0.0),  # too late
        ("- use --name-only", 9, {}, 4.0),
        ("- use --name-only", None, {}, 0.0),  # it never came into the window
        ("- use --name-only", 5, {"window": 1}, 0.0),  # another window: it was compacted away
        ("- use --name-only", 5, {"agent": "reviewer"}, 0.0),
        ("- use --name-onlyx", 5, {}, 0.0),
        ("- use --name-only\n- or --stat", 5, {}, 2.0),  # one of two
        ("- use --NAME-ONLY", 5, {}, 4.0),
    ],
)
def test_credit(text: str, delivered: int | None, more: dict[str, object], earned: float) -> None:
    """In time, in the same window of the same agent, and 1/k for an answer among k of its form."""
    made = score(["s0"], [opportunity("s0", "--name-only", Form.OPTION)], [saying("s0", text, delivered, **more)])
    assert made.credit == earned


def test_a_rule_among_rules_earns_its_share() -> None:
    past = [opportunity("s0", rule, Form.RULE, 10 + place, kind=Kind.RULE) for place, rule in enumerate(RULES)]
    made = score(["s0"], past, [saying("s0", "- errcheck, goconst and noctx bite here")])
    assert made.credit == pytest.approx(3 * 4 / 3)


def test_an_opportunity_is_earned_once() -> None:
    twice = [saying("s0", "- use --name-only"), saying("s0", "- --name-only works", 6)]
    made = score(["s0"], [opportunity("s0", "--name-only", Form.OPTION)], twice)
    assert made.credit == 4


@pytest.mark.parametrize(
    ("text", "tokens", "stays", "delivered", "cost"),
    [
        ("- a line", 0, 0, 5, 0.25),
        ("- a line\n- another", 0, 0, 5, 0.5),
        ('<hardwon moment="prompt">\nFrom earlier sessions:\n- a line\n</hardwon>', 0, 0, 5, 0.25),
        ("- a line", 880, 100, 5, 0.25 + 880 * 100 / CALL),
        ("- a line", 880, 100, None, 0.0),
    ],
)
def test_price(text: str, tokens: int, stays: int, delivered: int | None, cost: float) -> None:
    """Each line, and its tokens in every call for which they stay; the fence and headings are only tokens."""
    assert price(saying("s0", text, delivered, tokens=tokens, stays=stays)) == pytest.approx(cost)


def test_a_contradicted_saying_costs_three_calls() -> None:
    made = score(["s0"], [], [saying("s0", "- `make` fails", contradicted=True)])
    assert made.penalty == 3
    assert made.net == pytest.approx(-3.25)


def test_sessions_that_do_not_count_are_left_out() -> None:
    made = score(["s0"], PAST, oracle())
    assert {one.opportunity.session for one in made.earned} == {"s0"}
    assert made.ceiling == 4


@pytest.mark.parametrize(("calls", "turns", "cost"), [(1, 0, 1), (0, 0, 0), (3, 1, 13), (9, 2, MOST)])
def test_worth(calls: int, turns: int, cost: int) -> None:
    """A turn of the person is worth ten calls, and one episode at most fifteen."""
    assert worth(calls, turns) == cost


def test_intervals_are_by_session_and_the_same_each_time() -> None:
    values = [0.0] * 15 + [10.0] * 5
    made = estimate(values)
    assert made == estimate(values)
    assert made.low < made.value == 2.5 < made.high
