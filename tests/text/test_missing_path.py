"""A path that is not there, and the name beside it that was meant."""

from __future__ import annotations

import pytest

from hardwon.event import Event, EventType
from hardwon.text.errors.missing_path import missing, sibling


def failed(tool: str, target: str, error: str) -> Event:
    return Event(EventType.TOOL_FAILED, "claude-code", "s1", 0, tool=tool, target=target, error=error)


@pytest.mark.parametrize(
    ("event", "path"),
    [
        (failed("Read", "/srv/till/.lint.yml", "File does not exist."), "/srv/till/.lint.yml"),
        (failed("Read", "/srv/till/a.bin", "this is a binary file"), ""),
        (failed("Bash", "cat a", "Exit code 1\ncat: conf/till.yml: No such file or directory"), "conf/till.yml"),
        (failed("Bash", "make", "Exit code 2\nmake: *** No rule to make target 'x'"), ""),
    ],
)
def test_what_was_not_there(event: Event, path: str) -> None:
    assert missing(event) == path


@pytest.mark.parametrize(
    ("name", "there", "meant"),
    [
        (".lint.yml", [".lint.yaml", "go.mod"], ".lint.yaml"),
        ("Till.ts", ["till.ts", "Till.tsx"], "till.ts"),
        ("till.ts", ["till.js", "till.py"], ""),
        ("till.ts", ["cart.ts"], ""),
        ("Makefile", ["Makefile.old"], ""),
        ("a.ts", ["a.js"], ""),
    ],
)
def test_which_name_was_meant(name: str, there: list[str], meant: str) -> None:
    """One that is the same but for its ending or its case; where two could be, none."""
    assert sibling(name, there) == meant
