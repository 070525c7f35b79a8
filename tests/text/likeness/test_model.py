"""Whether two failures are one: a table of pairs, and what holds for any."""

from __future__ import annotations

import pytest

from hardwon.text.likeness import At, Fix, Rarity, Tier, Trouble, probability, tier, trouble

PLAIN = Rarity()
LOGIN = "Exit code 1\nError: token of clerk@ledger.example has expired: run `ledger login`"

SAME = {
    "another command of the tool": (
        ("ledger push", LOGIN, "ledger login"),
        ("ledger pull --all", LOGIN.replace("clerk@", "teller@")),
    ),
    "inside another tool's output": (
        ("ledger push", LOGIN, "ledger login"),
        ("make release", f"> release\n> tsc && ledger push\n{LOGIN[12:]}\nmake: *** [release] Error 1"),
    ),
    "another port's address, the same in other words around it": (
        ("./stub", "INFO rules n=12\nERROR serve err='listen tcp :8099: bind: address already in use'", "./stub stop"),
        ("go run ./stub", "listen tcp :8099: bind: address already in use\nexit status 1"),
    ),
}  # fmt: skip
OTHER = {
    "the same command, another cause": (
        ("ledger push", LOGIN, "ledger login"),
        ("ledger push", "Exit code 1\nError: branch main is protected: open a request instead"),
    ),
    "the same sentence of another thing, which the fix names": (
        ("python a.py", "Exit code 1\nModuleNotFoundError: No module named 'redis'", "pip install redis"),
        ("python a.py", "Exit code 1\nModuleNotFoundError: No module named 'yaml'"),
    ),
    "only the runner's words in common": (
        ("make test", "FAILED tests/test_a.py::test_a - ConnectionError: refused by ledger\n1 failed", "./ledger up"),
        ("make test", "FAILED tests/test_a.py::test_a - assert 41 == 42\n1 failed"),
    ),
}


def _chance(first: tuple[str, str, str], later: tuple[str, str]) -> float:
    command, output, fix = first
    return probability(trouble(command, output), trouble(*later), PLAIN, Fix(fix))


@pytest.mark.parametrize("case", SAME)
def test_the_same_cause_is_told_in_other_clothes(case: str) -> None:
    """Whatever was run, and whatever else was printed."""
    assert tier(_chance(*SAME[case]), At.AFTER_FAILURE) is not None


@pytest.mark.parametrize("case", OTHER)
def test_another_cause_is_not_told(case: str) -> None:
    """However much of the words around it is the same."""
    assert tier(_chance(*OTHER[case]), At.AFTER_FAILURE) is None


def test_a_failure_is_itself() -> None:
    """Where it says anything."""
    same = trouble("ledger push", LOGIN)
    assert tier(probability(same, same, PLAIN), At.AFTER_FAILURE) is Tier.KNOWN


def test_an_output_without_words_is_nothing() -> None:
    """Two calls that end with `Exit code 1` have nothing in common."""
    empty = Trouble("a", ())
    assert probability(empty, empty, PLAIN) == 0.0
    assert probability(trouble("a", "Exit code 1"), trouble("a", "Exit code 1"), PLAIN) == 0.0


def test_what_every_failure_of_a_home_has_weighs_little() -> None:
    """The name of a project stands in each of its failures."""
    word = "osprey"
    assert PLAIN.of(word) > Rarity({word: 200}, 300).of(word) + 5
    assert Rarity({word: 1}, 300).of(word) == PLAIN.of(word)
