"""What fits a prompt: the intent chooses among what fits, the gate alone says what does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hardwon.memories.at_prompt import CHAIN_SHARE, Fitting, fitting
from hardwon.memory import Anchor, AnchorKind, Kind, LinkKind, Trust
from hardwon.store import changes
from hardwon.store.connection import Store
from hardwon.text.anchors import at_prompt
from tests.support import note, opened

AT = 1_790_000_000_000
WORDS = "the importer reads the ledger in batches"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with opened(tmp_path / "home") as store:
        with store.transaction():
            for number in range(60):  # among others, so that the words of the few are rare
                note(store, f"other{number} matter{number} of place{number}", at=AT, project="p")
        yield store


def learn(store: Store, body: str, kind: Kind, **fields: Any) -> str:
    given = {"trust": Trust.USER, "source": "user", "project": "p"} | fields
    return note(store, body, at=AT, kind=kind, **given)


def ask(store: Store, text: str, session: str = "") -> Fitting:
    return fitting(store, text, "p", at_prompt(text), AT, session)


def ids(found: Fitting) -> list[str]:
    return [item.ranked.memory.id for item in found.items]


LONG = (
    "No patient names anywhere: the planner is not a medical system, beds are numbers. A free text field needs a "
    "sign-off by the data officer, who wants to see where it is printed and who can read it"
)


@pytest.mark.parametrize(
    ("prompt", "told"),
    [
        ("patient, please wait: loading text should be friendlier", False),
        ("may the printed plan have patient names in a text field?", True),
        ("patient names", True),
    ],
)
def test_two_words_of_a_long_memory_are_shared_by_chance(store: Store, prompt: str, told: bool) -> None:
    """Three are not, nor is most of the prompt."""
    kept = learn(store, LONG, Kind.CONSTRAINT)
    assert ids(ask(store, prompt)) == ([kept] if told else [])


def test_what_took_the_place_of_a_short_memory_is_told_for_its_words(store: Store) -> None:
    """However long it is itself, and though it has none of them."""
    short = learn(store, "the importer reads the ledger in batches", Kind.DECISION)
    long = learn(store, f"Each row is taken by itself. {LONG}", Kind.DECISION)
    changes.supersede(store, short, long, AT)
    assert ids(ask(store, "shall the nightly importer of invoices from the bank read the ledger")) == [long]


def test_so_is_one_that_shares_too_few_itself(store: Store) -> None:
    """The two words are a third of the short one, and nothing of the long one."""
    short = learn(store, "patient names are in the ledger", Kind.DECISION)
    prompt = "may the patient see the names of all nurses"
    assert ids(ask(store, prompt)) == [short]
    long = learn(store, LONG, Kind.DECISION)
    assert ids(ask(store, prompt)) == [short]
    changes.supersede(store, short, long, AT)
    assert ids(ask(store, prompt)) == [long]


@pytest.mark.parametrize(
    ("prompt", "first"),
    [
        ("why did we let the importer read the ledger in batches?", Kind.DECISION),
        ("the importer fails when it reads the ledger in batches", Kind.FAILURE),
        ("rewrite how the importer reads the ledger in batches, last time it broke", Kind.FAILURE),
        ("为什么 importer 当初 ledger batches", Kind.DECISION),
        ("importer ledger batches 落ちる", Kind.FAILURE),
    ],
)
def test_among_what_fits_alike_the_kind_that_is_wanted_comes_first(store: Store, prompt: str, first: Kind) -> None:
    """A decision for who asks why, a failure for whom something fails; the others are not lost."""
    for number, kind in enumerate((Kind.LESSON, Kind.DECISION, Kind.FAILURE)):
        learn(store, f"{WORDS}, {('always', 'mostly', 'never')[number]}", kind)
    found = ask(store, prompt)
    assert found.items[0].ranked.memory.kind is first
    assert len(found.items) == 3


@pytest.mark.parametrize(
    "prompt",
    [
        "why did we decide to paint the office green?",
        "the coffee machine fails again, fix it without breaking the cups this time",
        "why do we do this?",
        "deploy the website to production",
        "当初为什么决定用绿色？",
        "前回と同じ失敗をしないように変更して",
    ],
)
def test_no_intent_makes_an_unfitting_memory_fit(store: Store, prompt: str) -> None:
    """However much decisions or failures are wanted: what covers nothing of the question stays unsaid."""
    for number in range(10):
        learn(store, f"{WORDS}, decision {number}", Kind.DECISION)
        learn(store, f"{WORDS}, failure {number}", Kind.FAILURE)
    assert ask(store, prompt).items == []


def test_a_command_named_without_quotes_brings_back_what_is_known_of_it(store: Store) -> None:
    """Like one in back quotes; "make the" brings nothing."""
    known = learn(store, "it needs Node 20", Kind.CONSTRAINT, anchors=(Anchor(AnchorKind.COMMAND, "npm test"),))
    learn(store, "never on Fridays", Kind.CONSTRAINT, anchors=(Anchor(AnchorKind.COMMAND, "make the"),))
    assert ids(ask(store, "please run npm test for me")) == [known]
    assert ids(ask(store, "please make the window larger")) == []


def test_a_question_of_no_weight_gets_less(store: Store) -> None:
    """Three memories for a mere question, five where something is changed."""
    for number in range(8):
        learn(store, f"the ledger importer has quirk number{number}", Kind.LESSON)
    assert len(ask(store, "the ledger importer quirk").items) == 3
    assert len(ask(store, "rewrite the ledger importer quirk").items) == 5


def test_a_task_is_said_when_it_is_plainly_meant(store: Store) -> None:
    """With what binds it; not at a passing word, and not to the session that it was said in."""
    task = learn(store, "export the ledger as a spreadsheet", Kind.TASK, evidence=("claude-code:s1:p1",))
    bound = learn(store, "only the standard library", Kind.CONSTRAINT, evidence=("claude-code:s1:p1",))
    found = ask(store, "export the ledger as a spreadsheet now", "s2")
    assert ids(found) == [task]
    assert [step.memory.id for step in found.chains[task]] == [bound]
    assert ids(ask(store, "print the ledger in the hall of mirrors", "s2")) == []
    assert ids(ask(store, "export the ledger as a spreadsheet now", "s1")) == []


def test_items_and_what_belongs_to_them_share_one_budget(store: Store) -> None:
    """A third of it at most is for chains, and together they are no more than there was before."""
    budget = store.settings.recall.budget_tokens
    for number in range(5):
        failure = learn(store, f"`import ledger {number}` failed: " + f"ledger {number} " * 60, Kind.FAILURE)
        fix = learn(store, f"remedy {number} " + "long " * 150, Kind.FIX)
        changes.link(store, fix, LinkKind.FIXES, failure, AT)
    found = ask(store, "import of the ledger failed")
    along = sum(step.tokens for item in found.items for step in found.chains[item.ranked.memory.id])
    assert len(found.items) > 1
    assert 0 < along <= budget // CHAIN_SHARE + 5
    assert sum(item.tokens for item in found.items) + along <= budget + 10


def test_a_fix_that_fits_too_is_said_with_its_failure(store: Store) -> None:
    """Not a second time by itself."""
    failure = learn(store, "`import ledger` failed: refused", Kind.FAILURE)
    fix = learn(store, "import of the ledger works after starting the database", Kind.FIX)
    changes.link(store, fix, LinkKind.FIXES, failure, AT)
    found = ask(store, "import ledger failed")
    assert ids(found) == [failure]
    assert [step.memory.id for step in found.chains[failure]] == [fix]


OVERWRITTEN = "`git stash pop` failed: error: your changes would be overwritten, commit or push them"


@pytest.mark.parametrize(
    ("prompt", "mended", "told"),
    [
        ("commit this", True, False),
        ("commit and push", True, False),
        ("what to do when `git stash pop` would have changes overwritten?", True, True),
        ("what to do when `git stash pop` would have changes overwritten?", False, False),
    ],
)
def test_what_a_command_did_is_told_where_a_prompt_is_about_it(
    store: Store, prompt: str, mended: bool, told: bool
) -> None:
    """Not because a word of an everyday request stands in its output, and not when nobody knows what helps."""
    given: dict[str, Any] = {"trust": Trust.VERIFIED, "source": "session"}
    anchors = (Anchor(AnchorKind.COMMAND, "git stash pop"),)
    failure = learn(store, OVERWRITTEN, Kind.FAILURE, anchors=anchors, **given)
    if mended:
        fix = learn(store, "`git stash pop` works after: `git checkout -- a.lock`", Kind.FIX, **given)
        changes.link(store, fix, LinkKind.FIXES, failure, AT)
    assert (failure in ids(ask(store, prompt))) is told
