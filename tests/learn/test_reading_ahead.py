"""When another process reads ahead: only where a processor waits for work."""

from __future__ import annotations

import os

import pytest

from hardwon.learn import ahead


@pytest.mark.parametrize(
    ("processors", "load", "free"),
    [(1, 0.0, False), (2, 0.4, True), (2, 2.0, False), (8, 5.0, True), (8, 9.5, False), (None, 0.0, False)],
)
def test_a_second_process_reads_only_where_a_processor_is_free(
    monkeypatch: pytest.MonkeyPatch, processors: int | None, load: float, free: bool
) -> None:
    """Else the two only take each other's time."""
    monkeypatch.setattr(os, "cpu_count", lambda: processors)
    monkeypatch.setattr(os, "getloadavg", lambda: (load, 0.0, 0.0))
    assert ahead.one_is_free() is free
