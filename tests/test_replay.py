"""The replay benchmark: its scenarios are what they say, its judge is right, and it plays through the real hooks."""

from __future__ import annotations

import collections
import dataclasses
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from bench.replay import frozen, judge, plain, scenario
from bench.replay.judge import Figure, Heard, Moment, Said
from bench.replay.play import Player
from bench.replay.scenario import Kind, Scenario

SCENARIOS = scenario.load()
FIX = (("npm run gen",), ("openapi.yaml", "retries"))


def find(id: str) -> Scenario:
    return next(one for one in SCENARIOS if one.id == id)


def test_the_scenarios_are_as_they_were_frozen() -> None:
    """Nobody changes what is measured, or how, after tuning has begun."""
    assert frozen.matches(), "bench/replay: the scenarios, the unrelated texts or judge.py differ from FROZEN"


def test_there_is_enough_of_everything() -> None:
    """At least 80 scenarios over 10 ecosystems, and enough of each kind that a share means something."""
    kinds = collections.Counter(later.kind for one in SCENARIOS for later in one.later)
    assert len(SCENARIOS) >= 80
    assert len({one.ecosystem for one in SCENARIOS}) >= 10
    least = {Kind.REPEAT: 120, Kind.NEAR: 60, Kind.FLAKY: 40, Kind.PARAPHRASE: 40}
    assert {kind: kinds[kind] for kind in least if kinds[kind] < least[kind]} == {}
    assert sum(bool(one.locale) for one in SCENARIOS) >= 0.15 * len(SCENARIOS)


def test_unrelated_texts_have_a_source_and_are_all_different() -> None:
    """At least 300 prompts and commands, each from a named repository."""
    given = scenario.unrelated()
    assert len(given) >= 300
    assert len({one.source for one in given}) >= 20
    assert all(one.source and bool(one.prompt) != bool(one.command) for one in given)
    assert len({one.prompt or one.command for one in given}) == len(given)


def test_the_scenarios_are_well_written() -> None:
    """Flags agree with what happens, nothing is there twice, no error gives the fix away."""
    assert scenario.problems(SCENARIOS) == []


def _without_fix(one: Scenario) -> Scenario:
    return dataclasses.replace(one, first=tuple(dataclasses.replace(step, is_fix=False) for step in one.first))


def _without_flag(one: Scenario) -> Scenario:
    later = tuple(dataclasses.replace(each, stop_once=False) for each in one.later)
    return dataclasses.replace(one, later=later)


def _with_flag(one: Scenario) -> Scenario:
    return dataclasses.replace(one, later=tuple(dataclasses.replace(each, stop_once=True) for each in one.later))


@pytest.mark.parametrize(
    ("id", "spoil", "said"),
    [
        ("py-env-file", _without_fix, "has a fix"),
        ("py-env-file", _with_flag, "did not fail twice or has passed since"),
        ("docker-compose-v2", _without_flag, "the conditions of stop_once hold"),
        ("js-generated-edit", _without_flag, "the conditions of stop_once hold"),
        ("py-env-file", lambda one: dataclasses.replace(one, fix=(("KeyError",),)), "an echo would too"),
        ("py-env-file", lambda one: dataclasses.replace(one, later=one.later[:1]), "fewer than two"),
    ],
)
def test_a_badly_written_scenario_is_found(id: str, spoil: object, said: str) -> None:
    """Otherwise the figures would be about the scenario and not about the memory."""
    assert callable(spoil)
    assert any(said in problem for problem in scenario.problems([spoil(find(id))]))


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("`npm run gen` worked", True),
        ("it works after\n  npm   run\ngen", True),
        ("it works after 'npm' \"run\" gen", True),
        ("edited openapi.yaml (+ retries: integer)", True),
        ("edited openapi.yaml", False),
        ("retries were added", False),
        ("npm run generate-all", True),  # a part of it is enough: the ways are written so that it is none of another
        ("", False),
    ],
)
def test_a_fix_is_named(text: str, named: bool) -> None:
    """By one of its ways, with all parts of that way, however it is wrapped or quoted."""
    assert judge.names(FIX, text) is named


RIGHT = "do npm run gen"


@pytest.mark.parametrize(
    ("kind", "same", "said", "told", "wrong", "stopped"),
    [
        ("repeat", False, [], None, None, False),
        ("repeat", False, [(Moment.START, RIGHT)], None, None, False),
        ("repeat", False, [(Moment.AFTERWARDS, RIGHT)], None, None, False),
        ("repeat", False, [(Moment.PROMPT, "x"), (Moment.FAILURE, RIGHT)], Moment.FAILURE, None, False),
        ("repeat", False, [(Moment.RESULT, RIGHT), (Moment.FAILURE, RIGHT)], Moment.RESULT, None, False),
        ("repeat", False, [(Moment.STOPPED, RIGHT)], Moment.STOPPED, None, True),
        ("repeat", False, [(Moment.STOPPED, "x")], None, None, False),
        ("near", False, [(Moment.PROMPT, RIGHT)], Moment.PROMPT, Moment.PROMPT, False),
        ("near", False, [(Moment.FAILURE, "x")], None, None, False),
        ("near", True, [(Moment.PROMPT, RIGHT), (Moment.RESULT, RIGHT)], Moment.PROMPT, None, False),
        ("near", True, [(Moment.FAILURE, RIGHT)], Moment.FAILURE, Moment.FAILURE, False),
    ],
)
def test_what_was_said_is_judged(
    kind: str, same: bool, said: list[tuple[Moment, str]], told: Moment | None, wrong: Moment | None, stopped: bool
) -> None:
    """Told is when the fix was named first; on a near one it is wrong, unless nobody could know yet."""
    spoken = tuple(Said(*each) for each in said)
    verdict = judge.judge(Heard("s", kind, "p", spoken, same_command=same), FIX)
    assert (verdict.told, verdict.wrong, verdict.stopped_rightly) == (told, wrong, stopped)


@pytest.mark.parametrize(
    ("kind", "verified", "false"),
    [("first", (RIGHT,), 0), ("first", (RIGHT, "x"), 1), ("flaky", (RIGHT,), 1), ("flaky", (), 0), ("near", ("x",), 0)],
)
def test_a_verified_fix_that_is_none_is_counted(kind: str, verified: tuple[str, ...], false: int) -> None:
    """After a flaky session every one, after the first session those that name something else."""
    assert judge.judge(Heard("s", kind, "p", (), verified=verified), FIX).false_verified == false


@pytest.mark.parametrize(
    ("figure", "missed"),
    [
        (Figure("a", 95, 100, least=0.95), False),
        (Figure("a", 94, 100, least=0.95), True),
        (Figure("a", 5, 100, most=0.05), False),
        (Figure("a", 6, 100, most=0.05), True),
        (Figure("a", 1, 100, most=0.0), True),
        (Figure("a", 0, 0, least=0.95), False),
        (Figure("a", 0, 100), False),
    ],
)
def test_a_goal_is_missed(figure: Figure, missed: bool) -> None:
    """By the share; where there is nothing to count there is no goal."""
    assert figure.missed is missed


@pytest.mark.parametrize(("text", "count"), [("", 0), ("abcd", 1), ("abcde", 2), ("编译错误", 4), ("ab编译", 3)])
def test_tokens_are_counted_as_the_product_does(text: str, count: int) -> None:
    """Four characters are one, of Chinese and Japanese each is."""
    assert judge.tokens(text) == count


def test_the_plain_memory_says_the_five_best() -> None:
    """Whatever they are worth; it is silent only when no word occurs."""
    texts = [f"the {word} build failed" for word in ("red", "green", "blue", "grey", "pink", "white")]
    assert len(plain.best(texts, "why did the build fail?").split("\n\n")) == 5
    assert plain.best(texts, "the blue one").startswith("the blue")
    assert plain.best(texts, "zzz") == plain.best([], "build") == ""


@pytest.fixture
def player() -> Iterator[Player]:
    with tempfile.TemporaryDirectory(prefix="hw-") as root, Player(Path(root)) as one:
        yield one


def test_scenarios_are_played_through_the_real_hooks(player: Player) -> None:
    """Every session is judged, what failed in the first one is known after it, and the unrelated ones were asked."""
    chosen = [find("py-env-file"), find("docker-compose-v2"), find("js-generated-edit")]
    for one in chosen:
        player.scenario(one)
    player.unrelated(scenario.unrelated()[:3] + scenario.unrelated()[-3:], chosen)
    kinds = [verdict.heard.kind for verdict in player.played.verdicts]
    assert kinds == [kind for one in chosen for kind in ("first", *(later.kind for later in one.later))]
    assert len(player.played.plain) == sum(later.kind is not Kind.FLAKY for one in chosen for later in one.later)
    assert len(player.played.unrelated) == 6
    for one in chosen:
        known = "\n".join(player._texts(player.root / one.id))
        assert any(word in known for word in one.failure.target.split()), f"nothing of {one.id} was learned"


def test_the_installed_command_and_the_socket_are_the_same(player: Player) -> None:
    """A scenario through processes, as the client starts them, hears what it hears through the socket."""
    one = find("py-env-file")
    player.scenario(one, by_process=True)
    by_process = [(verdict.told, verdict.wrong) for verdict in player.played.verdicts]
    with tempfile.TemporaryDirectory(prefix="hw-") as root, Player(Path(root)) as other:
        other.scenario(one)
    assert [(verdict.told, verdict.wrong) for verdict in other.played.verdicts] == by_process
    assert any(verdict.heard.said for verdict in player.played.verdicts), "nothing was said at all"
