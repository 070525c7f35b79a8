"""Reading the redo log: whole, in order, one line at a time."""

from __future__ import annotations

import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from hardwon.paths import Home, make
from hardwon.store.log import redo
from hardwon.store.maintenance import repair
from tests.support import note, opened


def record(sequence: int, body: str = "", device: str = "d1") -> dict[str, Any]:
    return {"type": "record", "device": device, "sequence": sequence, "body": body}


HITS = {"type": "hits", "memory": "m1", "device": "d1", "hits": 2}
DEVICE = {"type": "device", "device": "d1"}


@pytest.fixture
def home(tmp_path: Path) -> Home:
    place = Home(tmp_path / "h")
    make(place)
    return place


@pytest.mark.parametrize(
    ("lines", "renamed"),
    [
        ([], []),
        ([DEVICE, record(1), record(2), HITS, HITS, HITS], []),
        ([record(1), record(2), record(2)], []),
        ([record(1, "a"), record(2, "b"), record(2, "c")], [1]),
        ([record(2, "a"), record(2, "b"), record(2, "c")], [0, 1]),
        ([record(2, "a"), record(2, "b"), record(2, "a")], [1]),
        ([record(1, "a"), record(5, "b"), record(1, "c")], [0]),
        ([record(5, "a"), record(1, "b"), record(3, "c"), record(3, "d")], [2]),
        ([record(1, "a"), record(1, "b", "d2"), record(2, "c")], []),
        ([DEVICE, record(1, "a"), DEVICE, record(1, "b")], [1]),
    ],
)
def test_a_number_that_was_given_out_twice(home: Home, lines: list[dict[str, Any]], renamed: list[int]) -> None:
    """The last one keeps it; an earlier one is kept under a device of its own, and everything else as it is."""
    redo.append(home, lines)
    found = redo.read(home)
    other = [at for at, line in enumerate(found) if line != lines[at]]
    assert other == renamed
    for at in other:
        assert found[at] | {"device": "d1"} == lines[at]
        assert found[at]["device"].startswith("d1-")
    names = [(line["device"], line["sequence"], line["body"]) for line in found if line["type"] == "record"]
    assert len({name[:2] for name in names}) == len(set(names))


def test_lines_of_an_interrupted_copy_come_first(home: Home) -> None:
    """They were written before."""
    redo.append(home, [record(1, "a")])
    redo.rotate(home)
    redo.append(home, [record(2, "b")])
    assert [line["body"] for line in redo.lines(home)] == ["a", "b"]


def test_looking_for_what_is_missing_holds_no_more_than_a_line(tmp_path: Path) -> None:
    """The daemon does it once a day: the log of a large import must not make it large for ever."""
    root = tmp_path / "h"
    home = Home(root)
    with opened(root) as store:
        note(store, "the first")
        (line,) = (line for line in redo.read(home) if line["type"] == "record")
        payload = line["payload"] | {"body": "word " * 200}
        redo.append(home, [line | {"sequence": 2 + number, "payload": payload} for number in range(5_000)])
        assert home.redo.stat().st_size > 5_000_000
        tracemalloc.start()
        try:
            assert repair.missing(store) == 5_000
            assert tracemalloc.get_traced_memory()[1] < 500_000
        finally:
            tracemalloc.stop()
