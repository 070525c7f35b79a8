from __future__ import annotations

import pytest

from hardwon.memory import Anchor, AnchorKind
from hardwon.text.anchors import asked_about, named_in, normalised

ROOT = "/home/ann/shop"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("src/app.py fails", ["file=src/app.py"]),
        ("see ./src/app.py:12:3", ["file=src/app.py"]),
        (f"open {ROOT}/src/app.py", ["file=src/app.py"]),
        ("outside: /etc/hosts.conf", ["file=/etc/hosts.conf"]),
        ("package.json and Makefile.mk", ["file=package.json", "file=Makefile.mk"]),
        ("run `make test` first", ["command=make test"]),
        ("run `FOO=1 make test`", ["command=make test"]),
        ("`ls` alone is no anchor", []),
        ("parse_config raises", ["symbol=parse_config"]),
        ("UserService.find is slow", []),
        ("the UserService is slow", ["symbol=UserService"]),
        ("call reload() twice", ["symbol=reload"]),
        ("see https://example.com/a/app.py", []),
        ("version 2.0.1 and e.g. this", []),
        ("plain words only", []),
        ("端口在 config/app.toml 里", ["file=config/app.toml"]),
    ],
)
def test_named_in(text: str, expected: list[str]) -> None:
    """Only what is certain by its form is an anchor: a file, a command in back quotes, a symbol."""
    assert [str(anchor) for anchor in named_in(text, ROOT, ROOT)] == expected


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (Anchor(AnchorKind.FILE, "./src/../src/app.py"), "file=src/app.py"),
        (Anchor(AnchorKind.FILE, f"{ROOT}/src/app.py"), "file=src/app.py"),
        (Anchor(AnchorKind.COMMAND, "FOO=1  make test"), "command=make test"),
        (Anchor(AnchorKind.TOPIC, " Redis "), "topic=redis"),
        (Anchor(AnchorKind.SYMBOL, "parse_config"), "symbol=parse_config"),
    ],
)
def test_normalised(given: Anchor, kept: str) -> None:
    """An anchor is stored in the form in which it will be looked up."""
    assert str(normalised(given, ROOT, ROOT)) == kept


def test_a_question_may_be_a_command() -> None:
    """Asked with a bare command, the memories about that command answer."""
    assert Anchor(AnchorKind.COMMAND, "make test") in asked_about("FOO=1 make test")
