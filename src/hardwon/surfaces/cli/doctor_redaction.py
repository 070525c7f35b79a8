"""What doctor says about redaction: whether a border let something pass."""

from __future__ import annotations

from collections.abc import Iterator

from hardwon.store import belt
from hardwon.store.connection import Store
from hardwon.surfaces.cli import output
from hardwon.surfaces.cli.finding import Finding

WHAT = "redaction"


def findings(store: Store) -> Iterator[Finding]:
    if let_pass := belt.count(store):
        says = f"a border let something pass {output.counted(let_pass, 'time')}; it was taken out before it was kept"
        yield Finding(WHAT, True, says)
