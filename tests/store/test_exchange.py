"""Lines that come in: one that can't be read stops no other, and nothing claims more than the caller may."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hardwon.memory import Trust
from hardwon.store import changes, exchange, memories, repair
from tests.commandline import Cli
from tests.support import bodies, contents, note, now, opened

RECORD: dict[str, Any] = {
    "type": "record",
    "device": "feedbeef",
    "sequence": 1,
    "clock": 1_700_000_000_000 << 16,
    "memory": "018bcfe5-6800-7000-8000-000000000001",
    "operation": "create",
    "action": 1,
    "payload": {
        "kind": "lesson",
        "body": "taken in",
        "project": "*",
        "trust": "user",
        "source": "user",
        "status": "active",
        "created_at": 1_700_000_000_000,
    },
}


def payload(**changes: Any) -> dict[str, Any]:
    return RECORD | {"payload": RECORD["payload"] | changes}


def without(*names: str) -> dict[str, Any]:
    kept = {name: value for name, value in RECORD["payload"].items() if name not in names}
    return RECORD | {"payload": kept}


BAD_LINES: list[dict[str, Any]] = [
    {"type": "weather"},
    {"type": "hardwon", "format": 99},
    {"type": "hardwon", "format": "new"},
    # Records that no version could read, or only a newer one
    {"type": "record"},
    RECORD | {"sequence": "first"},
    RECORD | {"sequence": 10**30},
    RECORD | {"clock": float("inf")},
    RECORD | {"operation": "paint"},
    RECORD | {"payload": "text"},
    RECORD | {"payload": [1]},
    payload(kind="song"),
    payload(status="asleep"),
    payload(trust="total"),
    payload(anchors=[["file"]]),
    payload(anchors=[["smell", "a.py"]]),
    payload(links=7),
    payload(created_at="yesterday"),
    without("body"),
    without("project"),
    without("status"),
    RECORD | {"operation": "status", "payload": {"status": "asleep"}},
    RECORD | {"operation": "status", "payload": {}},
    RECORD | {"operation": "link", "payload": {"kind": "likes", "target": "x"}},
    RECORD | {"operation": "edit", "payload": {"kind": "song"}},
    RECORD | {"operation": "undo", "payload": {}},
    RECORD | {"operation": "forget", "payload": {"hash": ["not hex"]}},
    RECORD | {"operation": "forget", "payload": {}},
    # Everything else
    {"type": "hits", "memory": "m"},
    {"type": "hits", "memory": "m", "device": "d", "hits": "many"},
    {"type": "hits", "memory": "m", "device": "d", "hits": 10**30},
    {"type": "key", "id": "k", "key": "not hex"},
    {"type": "project", "id": "p"},
    {"type": "project", "id": "p", "name": "n", "root": "/", "created_at": 1, "aliases": [["path"]]},
    {"type": "memory"},
    {"type": "memory", "body": ""},
    {"type": "memory", "body": 7},
    {"type": "memory", "body": "text", "kind": "song"},
    {"type": "memory", "body": "text", "trust": "total"},
    {"type": "memory", "body": "text", "project": "no such project"},
]


@pytest.mark.parametrize("bad", BAD_LINES, ids=lambda line: json.dumps(line)[:60])
def test_a_line_that_cannot_be_read_stops_no_other(tmp_path: Path, bad: dict[str, Any]) -> None:
    """It is named by its number; what stands before and after it is taken in, and the tables fit the log."""
    good = [{"body": "before it"}, bad, {"body": "after it"}]
    with opened(tmp_path / "home") as store:
        merged = exchange.merge(store, good, now(), Trust.USER)
        assert [problem.partition(":")[0] for problem in merged.rejected] == ["line 2"]
        assert sorted(memory.body for memory, _ in contents(store).values()) == ["after it", "before it"]
        assert repair.differences(store) == []
    assert bodies(tmp_path / "home") == ["after it", "before it"]


def test_a_good_record_is_taken_in(tmp_path: Path) -> None:
    """The line that the bad ones above were made from is not at fault."""
    with opened(tmp_path / "home") as store:
        assert exchange.merge(store, [RECORD], now(), Trust.USER).rejected == []
        assert contents(store).keys() == {RECORD["memory"]}


def test_a_file_with_bad_lines_is_told_and_the_rest_taken_in(cli: Cli, tmp_path: Path) -> None:
    """The command names the lines, leaves with 1, and keeps the others."""
    file = tmp_path / "lines.jsonl"
    file.write_text('{"body": "one"}\nnot json\n[1, 2]\n\n{"body": ""}\n{"body": "two"}\n')
    said = cli.run("import", str(file), code=1).stderr
    assert [text for text in ("line 2: not JSON", "line 3: not a JSON object", "3 lines") if text not in said] == []
    assert bodies(cli.home) == ["one", "two"]


@pytest.mark.parametrize(
    ("caller", "claimed", "kept"),
    [
        (Trust.USER, "user", Trust.USER),
        (Trust.USER, "untrusted", Trust.UNTRUSTED),
        (Trust.AGENT, "user", Trust.AGENT),
        (Trust.AGENT, "verified", Trust.AGENT),
        (Trust.AGENT, "agent", Trust.AGENT),
        (Trust.UNTRUSTED, "user", Trust.UNTRUSTED),
    ],
)
def test_nothing_claims_more_trust_than_the_caller_has(
    tmp_path: Path, caller: Trust, claimed: str, kept: Trust
) -> None:
    """Neither a record nor a line written by hand."""
    given = [payload(trust=claimed), {"body": "by hand", "trust": claimed}]
    with opened(tmp_path / "home") as store:
        exchange.merge(store, given, now(), caller)
        assert {memory.trust for memory, _ in contents(store).values()} == {kept}


def test_an_agent_takes_in_no_change_to_what_a_person_said(tmp_path: Path) -> None:
    """The records of a file are changes like any other: a person's words are changed by a person."""
    with opened(tmp_path / "one") as one, opened(tmp_path / "two") as two:
        id = note(one, "always squash before merging", trust=Trust.USER)
        exchange.merge(two, exchange.export(one), now(), Trust.USER)
        changes.edit(two, id, {"body": "never squash before merging"}, now())
        refused = exchange.merge(one, exchange.export(two), now(), Trust.AGENT)
        assert len(refused.rejected) == 1
        assert "only a person" in refused.rejected[0]
        assert memories.by_ids(one, [id])[id].body == "always squash before merging"
        assert exchange.merge(one, exchange.export(two), now(), Trust.USER).rejected == []
        assert memories.by_ids(one, [id])[id].body == "never squash before merging"


def test_a_line_by_hand_names_its_project(cli: Cli) -> None:
    """A project in a hand-written line is one by name, and the memory is found there."""
    cli.run("note", "the first in this folder")
    cli.run("import", "-", stdin=b'{"body": "from a file", "project": "app", "kind": "decision"}\n')
    found = cli.json("list", "--project", "app", "--kind", "decision")
    assert [(item["body"], item["scope"]["project"]) for item in found["items"]] == [("from a file", "app")]
