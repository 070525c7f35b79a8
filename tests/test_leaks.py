"""The benchmark that looks for secrets in a home finds what stayed, by each way in, and tells only ids."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from bench.leak_routes import ROUTES, Case

from bench import leaks

KEY = "ghp_" + "0123456789abcdefghijABCDEFGHIJ012345"
WORDS = "Wintergarten over the river"


def lines(path: Path, *objects: dict[str, Any]) -> str:
    path.write_text("".join(f"{json.dumps(one)}\n" for one in objects), "utf-8")
    return str(path)


def test_every_way_in_is_taken_and_what_stays_is_told_by_its_id(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A text that nobody can recognise stays by every way; a key by none."""
    monkeypatch.setattr(leaks, "keep", lambda *_: None)
    given = lines(
        tmp_path / "set.jsonl",
        {"id": "key", "class": "tokens", "route": "a chat", "text": f"use {KEY} there", "secrets": [KEY]},
        {"id": "words", "class": "prose", "route": "a mail", "text": f"it is {WORDS}", "secrets": [WORDS]},
    )
    assert leaks.main(["--set", given, "--json", "--show"]) == 0
    printed = capsys.readouterr().out
    told = json.loads(printed)["leaks"]
    assert {route: list(by_case) for route, by_case in told["stayed"].items()} == {route: ["words"] for route in ROUTES}
    assert told["classes"]["tokens"] == {"cases": 1, "stayed": 0, "per cent": 0.0}
    assert told["classes"]["prose"] == {"cases": 1, "stayed": 1, "per cent": 100.0}
    assert not any(text in printed for text in (KEY, WORDS))


@pytest.mark.parametrize("form", [str, json.dumps, lambda text: json.dumps(json.dumps(text))])
def test_a_secret_is_found_however_it_is_written(tmp_path: Path, form: Any) -> None:
    """As it is, as JSON, as JSON in JSON; and a line of one that has several."""
    secret = 'first line "quoted" of a key\nsecond line of a key'
    case = Case("one", "k", "", "", (secret,))
    (tmp_path / "file").write_text(form(f"a {secret} b"), "utf-8")
    assert leaks.found(tmp_path, [case]) == {"one": ["file"]}
    (tmp_path / "file").write_text(form("a second line of a key"), "utf-8")
    assert leaks.found(tmp_path, [case]) == {"one": ["file"]}
    (tmp_path / "file").write_text(form("a second line"), "utf-8")
    assert leaks.found(tmp_path, [case]) == {}


def test_what_is_touched_of_harmless_lines_is_counted_by_kind(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And whether the command or the signature of it becomes another one."""
    monkeypatch.setattr(leaks, "keep", lambda *_: None)
    given = lines(
        tmp_path / "harmless.jsonl",
        {"id": "a", "kind": "command", "text": f"deploy {KEY}"},
        {"id": "b", "kind": "command", "text": "make test"},
        {"id": "c", "kind": "lock", "text": "resolved 1.2.3"},
    )
    assert leaks.main(["--harmless", given, "--json", "--show"]) == 0
    told = json.loads(capsys.readouterr().out)["harmless"]
    assert told["kinds"]["command"] == {"lines": 2, "touched": 1, "per cent": 50.0, "forms changed": 1}
    assert told["kinds"]["lock"]["touched"] == 0
    assert told["touched"] == ["a\tcommand\tgithub-token\tanother form"]
