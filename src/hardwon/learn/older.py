"""Old homes: what earlier versions learned of the work itself falls silent, once, a portion at a time."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hardwon.learn.drafts import WORKS_AFTER
from hardwon.learn.settling import WORK
from hardwon.memory import AnchorKind, Kind, LinkKind, Memory, Status, Trust
from hardwon.store import changes
from hardwon.store.connection import Store
from hardwon.store.tables import memories
from hardwon.text.code_files import is_code

_DONE = "work_put_away"
"""How far it came, by row; -1 when it is through."""
PORTION = 200
_EDITED = re.compile(r"(?:^|; )edited (?P<file>\S+) \(change: ")
_RAN = re.compile(r"(?:^|; )`")
_THERE_AND_BACK = re.compile(r"\S+ was changed from .* and back; what failed: ", re.DOTALL)
_REFUSED = "tool_use_error"


def put_away(store: Store, now: int) -> bool:
    """Go on for a portion; whether all has been seen."""
    after = int(store.meta(_DONE) or 0)
    if after < 0:
        return True
    with store.transaction():
        rows = [row for (row,) in store.rows(_ROWS, (after, PORTION))]
        for memory in memories.by_rows(store, rows).values():
            if is_of_the_work(memory):
                _silence(store, memory, now)
        store.set_meta(_DONE, str(rows[-1]) if len(rows) == PORTION else "-1")
    return len(rows) < PORTION


_ROWS = """
select row from memories where row > ? and source = 'session' and kind in ('fix', 'lesson') and status = 'active'
order by row limit ?
"""


def is_of_the_work(memory: Memory) -> bool:
    """Whether it is a fix that did nothing but edit code, or a change of code that was taken back."""
    if memory.trust is Trust.USER or memory.pinned or memory.source != "session":
        return False
    files = [one.value for one in memory.anchors if one.kind is AnchorKind.FILE]
    if memory.kind is Kind.FIX:
        return memory.subtype == "worked" and _only_edits_code(memory.body.partition(WORKS_AFTER)[2])
    if memory.kind is not Kind.LESSON:
        return False
    back = _THERE_AND_BACK.match(memory.body) is not None and bool(files) and all(map(is_code, files))
    return back or _REFUSED in memory.body


def _only_edits_code(steps: str) -> bool:
    edited = _EDITED.findall(steps)
    return bool(edited) and not _RAN.search(steps) and all(map(is_code, edited))


def _silence(store: Store, memory: Memory, now: int) -> None:
    """The failure that it mended, too, where nothing else did."""
    changes.move(store, memory.id, Status.ARCHIVED, now, reason=WORK)
    mended = [link.target for link in memory.links if link.kind is LinkKind.FIXES]
    for failure in memories.by_ids(store, mended).values():
        if failure.status in (Status.ACTIVE, Status.RESOLVED) and not _is_mended_otherwise(store, failure):
            changes.move(store, failure.id, Status.ARCHIVED, now, reason=WORK)


def _is_mended_otherwise(store: Store, failure: Memory) -> bool:
    if failure.trust is Trust.USER or failure.pinned:
        return True
    found = memories.by_ids(store, _sources(store, failure)).values()
    return any(one.status is Status.ACTIVE and one.subtype != "failed" for one in found)


def _sources(store: Store, failure: Memory) -> Sequence[str]:
    sql = "select source from links where target = ? and kind = ?"
    return [id for (id,) in store.rows(sql, (failure.id, LinkKind.FIXES))]
