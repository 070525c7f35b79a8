"""Lines that come in: one that can't be read stops no other, and nothing claims more than the caller may."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hardwon.memory import Trust
from hardwon.store import changes
from hardwon.store.erasure import forget
from hardwon.store.log import exchange
from hardwon.store.maintenance import repair
from hardwon.store.tables import memories
from tests.commandline import Cli
from tests.support import bodies, contents, files_with, note, now, opened

MEMORY = "018bcfe5-6800-7000-8000-000000000001"
TOKEN = "ghp_" + "Zx81kQmWv3Rt7LpYd2Bn" + "c5Hf9Js4Ge6Ta0Uo"
RECORD: dict[str, Any] = {
    "type": "record",
    "device": "feedbeef",
    "sequence": 1,
    "clock": 1_700_000_000_000 << 16,
    "memory": MEMORY,
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


def nested(depth: int) -> Any:
    return {"a": nested(depth - 1)} if depth else "within"


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
    RECORD | {"sequence": 2**63 - 1},
    RECORD | {"sequence": -1},
    RECORD | {"sequence": True},
    RECORD | {"action": 2**63 - 1},
    RECORD | {"clock": -1},
    RECORD | {"clock": 2**63 - 1},
    RECORD | {"device": "a device"},
    RECORD | {"memory": "a memory"},
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
    payload(created_at=2**63),
    payload(title=["a"]),
    payload(evidence="a"),
    payload(evidence=[1]),
    payload(anchors=[["file", 1]]),
    payload(project="a project"),
    payload(**{"A name": 1}),
    payload(origin_key=TOKEN),
    payload(new=nested(500)),
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
    {"type": "hits", "memory": MEMORY, "device": "feedbeef", "hits": -1},
    {"type": "hits", "memory": MEMORY, "device": "feedbeef", "hits": 2**63 - 1},
    {"type": "hits", "memory": MEMORY, "device": TOKEN, "hits": 1},
    {"type": "hits", "memory": TOKEN, "device": "feedbeef", "hits": 1},
    {"type": "key", "id": "feed", "key": "not hex"},
    {"type": "key", "id": "feed", "key": "00" * 65},
    {"type": "key", "id": TOKEN, "key": "00" * 32},
    {"type": "project", "id": "p"},
    {"type": "project", "id": "p", "name": "n", "root": "/", "created_at": 1, "aliases": [["path"]]},
    {"type": "project", "id": MEMORY, "name": "n", "root": "/", "created_at": 1, "aliases": [[TOKEN, "a"]]},
    {"type": "project", "id": TOKEN, "name": "n", "root": "/", "created_at": 1, "aliases": []},
    {"type": "project", "id": MEMORY, "name": "n", "root": "/", "created_at": 2**63, "aliases": []},
    {"type": "memory"},
    {"type": "memory", "body": ""},
    {"type": "memory", "body": 7},
    {"type": "memory", "body": "text", "kind": "song"},
    {"type": "memory", "body": "text", "title": ["a"]},
    {"type": "memory", "body": "text", "skill": ["a"]},
    {"type": "memory", "body": nested(500)},
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
        assert TOKEN not in "".join((json.dumps(list(exchange.export(store))), *merged.rejected))
    assert files_with(tmp_path / "home", TOKEN) == {}
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


def test_a_word_that_is_not_known_is_named_with_those_that_are(tmp_path: Path) -> None:
    """Whoever wrote the line need not look them up."""
    with opened(tmp_path / "home") as store:
        (said,) = exchange.merge(store, [{"body": "text", "kind": "song"}], now(), Trust.USER).rejected
    assert said.startswith('line 1: "song" is no kind: one of lesson, failure, fix,')


def test_a_line_that_is_too_deep_stops_no_other(cli: Cli, tmp_path: Path) -> None:
    """JSON can be nested so deep that Python gives up reading it."""
    file = tmp_path / "lines.jsonl"
    file.write_text('{"body": "one"}\n' + '{"a":' * 5000 + "1" + "}" * 5000 + '\n{"body": "two"}\n')
    assert "line 2: lists or objects too deep" in cli.run("import", str(file), code=1).stderr
    assert bodies(cli.home) == ["one", "two"]


def test_no_line_uses_up_the_numbers_of_this_home(tmp_path: Path) -> None:
    """A record that claims to be of this home, with a number far above all of its own, is set aside."""
    with opened(tmp_path / "home") as store:
        id = note(store, "kept here")
        for number in (2**63 - 1, 2**48, 2_000_000):
            line = RECORD | {"device": store.device, "sequence": number}
            merged = exchange.merge(store, [line], now(), Trust.USER)
            assert len(merged.rejected) + len(merged.set_aside) == 1
        note(store, "kept afterwards")
        changes.undo(store, now())
        forget.forget(store, [id], now())
    assert bodies(tmp_path / "home") == []


def test_a_home_takes_in_its_own_later_records(tmp_path: Path) -> None:
    """A database that was put back into the same file has given out the numbers of an export that is newer."""
    with opened(tmp_path / "home") as store:
        note(store, "one")
        before = store.db.serialize("main")
        note(store, "two")
        lines = list(exchange.export(store))
    (tmp_path / "home" / "memory.db").write_bytes(before)
    with opened(tmp_path / "home") as store:
        assert bodies(tmp_path / "home") == ["one"]
        assert store.device == lines[0]["device"]
        assert exchange.merge(store, lines, now(), Trust.USER).set_aside == []
        note(store, "three")
    assert bodies(tmp_path / "home") == ["one", "three", "two"]


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
