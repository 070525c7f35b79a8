"""What doctor says about redaction: whether a border let something pass, and what became of an old home."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

from hardwon.cli.support import context, output
from hardwon.cli.support.finding import Finding
from hardwon.render import plain
from hardwon.store import belt
from hardwon.store.connection import Store
from hardwon.store.erasure.scrub import Scrubbed
from hardwon.store.maintenance import repair, upgrade

WHAT = "redaction"


def findings(store: Store, fix: bool, progress: repair.Progress) -> Iterator[Finding]:
    if let_pass := belt.count(store):
        says = f"a border let something pass {output.counted(let_pass, 'time')}; it was taken out before it was kept"
        yield Finding(WHAT, True, says)
    if fix:
        upgrade.finish(store, context.now(), progress)
        upgrade.erase(store)
    elif upgrade.due(store):
        says = "today's rules have not seen all that was kept before; it happens on the way, or at once with --fix"
        yield Finding(WHAT, True, says)
    if last := store.meta(upgrade.DONE):
        done = json.loads(last)
        found = Scrubbed(done["memories"], done["rows"], Counter(done["findings"]))
        yield Finding(WHAT, True, f"{plain.day(done['at'])}: {upgrade.told(found)}")
