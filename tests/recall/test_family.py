"""What is said of another command of the same family, and mostly is not."""

from __future__ import annotations

import dataclasses

import pytest

from hardwon.memories.family import Prior, is_of_the_surroundings, is_worth_a_note
from hardwon.memories.moments import Known
from hardwon.memories.search.budget import Item
from hardwon.memories.search.rank import Candidate, Ranked
from hardwon.memory import Anchor, AnchorKind, Kind, Memory, Scope, Status, Trust

SURROUNDINGS: list[tuple[str, tuple[str, ...], bool]] = [
    # signature, the commands that met it, whether it is about what is around them
    ("shell not found pytest", ("pytest tests/a.py",), True),
    ("python ModuleNotFoundError requests", ("pytest tests/a.py",), True),
    ("python ModuleNotFoundError shop.models", ("pytest tests/a.py",), False),
    ("python KeyError DATABASE_URL", ("pytest tests/a.py",), True),
    ("python KeyError name", ("pytest tests/a.py",), False),
    ("ECONNREFUSED localhost:5432", ("pytest tests/a.py",), True),
    ("raised ConnectionError connecting to localhost. Connection refused", ("pytest tests/a.py",), True),
    ("raised Exception environment variable API_KEY is not set", ("pytest tests/a.py",), True),
    ("EADDRINUSE 3000", ("npm run dev -- --open",), True),
    ("docker daemon", ("docker compose up -d db",), True),
    ("git publickey github.com", ("git push origin main",), True),
    # about the target
    ("ECONNREFUSED localhost:8000", ("curl http://localhost:8000/health",), False),
    ("EADDRINUSE 5432", ("docker run -p 5432:5432 postgres",), False),
    ("EACCES report.txt", ("pytest tests/report.txt",), False),
    ("python ModuleNotFoundError shop", ("pytest shop/tests",), False),
    # nothing tells
    ("pytest test_total AssertionError", ("pytest tests/a.py",), False),
    ("raised ValueError bad row", ("pytest tests/a.py",), False),
    ("AssertionError", ("pytest tests/a.py", "pytest tests/b.py"), False),
    ("", ("pytest tests/a.py", "pytest tests/b.py"), False),
    # met with targets that have nothing in common
    ("raised ValueError bad row", ("pytest tests/a.py", "pytest tests/b.py"), True),
    ("raised ValueError bad row", ("pytest", "pytest tests/b.py"), False),
    ("raised ValueError bad row", ("pytest tests/b.py", "pytest tests/b.py -k one"), False),
    ("raised ValueError bad row", ("eslint src", "eslint ./src --fix"), False),
    ("raised ValueError bad row", ("gzip logs/*.log", "gzip -9 logs/2026-*.log"), False),
    ("cargo test b::one", ("cargo test a", "cargo test b"), False),
]


@pytest.mark.parametrize(("signature", "met", "expected"), SURROUNDINGS)
def test_what_is_not_about_the_target(signature: str, met: tuple[str, ...], expected: bool) -> None:
    """A program, package, variable, port or permission, or an error that different targets met; never their names."""
    assert is_of_the_surroundings(Prior(signature, met)) is expected


FAILURE = Memory(
    "f", Kind.FAILURE, "`pytest tests/a.py` failed: refused", Scope("p"), Trust.VERIFIED, "session", Status.RESOLVED,
    0, 0, evidence=("claude-code:earlier:call",),
)  # fmt: skip
FIX = dataclasses.replace(FAILURE, id="x", kind=Kind.FIX, status=Status.ACTIVE, subtype="worked")
EDIT = dataclasses.replace(FIX, anchors=(Anchor(AnchorKind.FILE, "src/db.py"),))
GUESS = dataclasses.replace(FIX, trust=Trust.AGENT)
OPEN = dataclasses.replace(FAILURE, status=Status.ACTIVE)


def known(failure: Memory, *fixes: Memory) -> Known:
    return Known(Item(Ranked(Candidate(failure), 1.0), failure.body, 10), fixes)


WORTH: list[tuple[str, Known, int, bool]] = [
    ("met in two sessions", known(FAILURE, FIX), 2, True),
    ("met once and fixed", known(FAILURE, FIX), 1, False),
    ("open, but met in one session only", known(OPEN, FIX), 1, False),
    ("still open", known(OPEN, FIX), 2, True),
    ("nothing helps", known(OPEN), 5, False),
    ("what helped was an edit", known(OPEN, EDIT), 5, False),
    ("nobody knows whether it helped", known(OPEN, GUESS), 5, False),
    ("called wrong", known(dataclasses.replace(OPEN, complaints=("no",)), FIX), 5, False),
    ("an attacker's", known(dataclasses.replace(OPEN, trust=Trust.UNTRUSTED), FIX), 5, False),
    ("of this session", known(dataclasses.replace(OPEN, evidence=("claude-code:s1:call",)), FIX), 5, False),
]


@pytest.mark.parametrize(("case", "sessions", "expected"), [row[1:] for row in WORTH], ids=[row[0] for row in WORTH])
def test_what_is_worth_a_note(case: Known, sessions: int, expected: bool) -> None:
    """It comes back, and something proven helps that was done to the surroundings."""
    prior = Prior("ECONNREFUSED localhost:5432", ("pytest tests/a.py",), sessions)
    assert is_worth_a_note(prior, case, "s1") is expected
