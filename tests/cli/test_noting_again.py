"""A known text noted again: what is new beside it is added, and what contradicts it is not overwritten unasked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hardwon.memory import Anchor, AnchorKind, Draft, Kind, Rejected, Status, Trust
from hardwon.store import changes
from hardwon.store.connection import Store
from hardwon.store.tables import memories
from tests.commandline import Cli
from tests.support import draft, now, opened


def test_a_reason_and_a_subject_are_added(cli: Cli) -> None:
    """So that a later decision about the subject replaces it; undo takes the addition back, and not the note."""
    id = cli.json("note", "Use PostgreSQL", "--kind", "decision")["id"]
    words = ("mark", "decision", "Use PostgreSQL", "--because", "one backup", "--rejected", "Redis: lost them")
    said = cli.run(*words, "--subject", "database").stdout
    assert said.splitlines()[1:] == ['added: reason "one backup", anchor topic=subject:database, rejected "Redis"']
    shown = cli.json("show", id)
    assert (shown["because"], shown["rejected"]) == ("one backup", [{"what": "Redis", "why": "lost them"}])
    assert cli.json("mark", "decision", "Use MySQL", "--subject", "database")["replaced"] == [id]
    cli.run("undo")
    cli.run("undo")
    assert cli.json("show", id)["because"] == ""
    assert cli.json("show", id)["status"] == "active"


def test_title_anchor_and_kind_are_added(cli: Cli) -> None:
    """A lesson is what a text is when nobody says what it is."""
    id = cli.json("note", "Keep the tests fast")["id"]
    noted = cli.json("note", "Keep the tests fast", "--kind", "rule", "--title", "Speed", "--anchor", "topic=tests")
    assert noted == {
        "id": id, "status": "repeated", "added": ["kind rule", 'title "Speed"', "anchor topic=tests"]
    }  # fmt: skip
    assert cli.json("show", id)["kind"] == "rule"
    assert cli.json("note", "Keep the tests fast") == {"id": id, "status": "repeated"}
    assert cli.json("show", id)["kind"] == "rule"


def noted_again(store: Store, first: Draft, **second: Any) -> changes.Noted:
    changes.note(store, first, now())
    return changes.note(store, draft("Use PostgreSQL", **({"kind": Kind.DECISION} | second)), now(), more=True)


@pytest.mark.parametrize(
    ("first", "second", "taken"),
    [
        (Trust.AGENT, Trust.AGENT, False),
        (Trust.AGENT, Trust.USER, True),
        (Trust.USER, Trust.USER, True),
        (Trust.USER, Trust.AGENT, False),
    ],
)
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"because": "one backup"}, {"because": "two backups"}),
        ({"title": "A database"}, {"title": "The database"}),
        ({"kind": Kind.RULE}, {"kind": Kind.DECISION}),
        ({"rejected": (Rejected("Redis", "slow"),)}, {"rejected": (Rejected("redis", "lost them"),)}),
    ],
    ids=lambda fields: next(iter(fields)),
)
def test_only_a_person_changes_what_contradicts(
    tmp_path: Path, first: Trust, second: Trust, taken: bool, old: dict[str, Any], new: dict[str, Any]
) -> None:
    """And whoever calls is told which of the two it was."""
    with opened(tmp_path / "home") as store:
        noted = noted_again(store, draft("Use PostgreSQL", **({"kind": Kind.DECISION, "trust": first} | old)),
                            trust=second, **new)  # fmt: skip
        assert (len(noted.beside.changed), len(noted.beside.kept)) == ((1, 0) if taken else (0, 1))
        kept = memories.get(store, noted.id or "")
        ((name, value),) = (new if taken else old).items()
        assert getattr(kept, name) == value


def test_an_agent_adds_nothing_to_what_a_person_said(tmp_path: Path) -> None:
    """Not even what nobody has said yet."""
    beside = {"because": "new", "anchors": (Anchor(AnchorKind.TOPIC, "db"),), "rejected": (Rejected("Redis"),)}
    with opened(tmp_path / "home") as store:
        said = draft("Use PostgreSQL", kind=Kind.DECISION, trust=Trust.USER)
        noted = noted_again(store, said, trust=Trust.AGENT, **beside)
        assert len(noted.beside.kept) == 3
        kept = memories.get(store, noted.id or "")
        assert kept is not None
        assert (kept.because, kept.anchors, kept.rejected) == ("", (), ())


def test_what_was_replaced_stays_so_and_says_it(cli: Cli) -> None:
    """Unless it is decided again about the same subject: then it holds, and what replaced it does not."""
    id = cli.json("mark", "decision", "Use PostgreSQL", "--subject", "database")["id"]
    later = cli.json("mark", "decision", "Use MySQL", "--subject", "database")["id"]
    said = cli.run("note", "Use PostgreSQL").stdout
    assert f"it was replaced by {later[-6:]} and stays so: Use MySQL" in said
    assert f"`hardwon reopen {id[-6:]}`" in said
    assert [cli.json("show", one)["status"] for one in (id, later)] == [Status.SUPERSEDED, Status.ACTIVE]
    assert "it holds again" in cli.run("mark", "decision", "Use PostgreSQL", "--subject", "database").stdout
    assert [cli.json("show", one)["status"] for one in (id, later)] == [Status.ACTIVE, Status.SUPERSEDED]
