"""What is known about a file: also what a fix did to it, or with it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hardwon.memories.check import Target, check
from hardwon.memory import Anchor, AnchorKind, Kind, LinkKind, Trust
from hardwon.store import changes
from hardwon.store.connection import Store
from tests.support import note, opened

AT = 1_790_000_000_000


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with opened(tmp_path / "home") as one:
        yield one


def learned(store: Store, steps: str, *files: str) -> str:
    """A failure with its fix; the fix's id."""
    given: dict[str, Any] = {"at": AT, "trust": Trust.VERIFIED, "source": "session", "project": "p"}
    failure = note(store, "`serve` failed: DATABASE_URL is not set", kind=Kind.FAILURE, **given)
    anchors = tuple(Anchor(AnchorKind.FILE, file) for file in files)
    fix = note(store, f"`serve` works after: {steps}", kind=Kind.FIX, anchors=anchors, **given)
    changes.link(store, fix, LinkKind.FIXES, failure, AT)
    return fix


@pytest.mark.parametrize(
    ("steps", "file", "found"),
    [
        ('edited conf/app.toml (change: "+ url")', "conf/app.toml", True),
        ("`cp .env.example .env`", ".env", True),
        ("`cp .env.example .env`", ".env.example", True),
        ("`cp .env.example api/.env`", "api/.env", True),
        ("`cp .env.example api/.env`", "web/.env", False),
        ("`cp .env.example .env.local`", ".env", False),
        ("`sed -i s/a/b/ /home/me/app/conf/app.toml`", "conf/app.toml", True),
        ("`touch myapp.toml`", "app.toml", False),
    ],
)
def test_a_file_that_a_fix_names_is_found(store: Store, steps: str, file: str, found: bool) -> None:
    fix = learned(store, steps, *(["conf/app.toml"] if "edited" in steps else []))
    said = check(store, Target(file=file), ("p",), "", "", AT)
    assert [one.memory.id for one in said] == ([fix] if found else [])
