"""Old homes: what the rules of today know by name is taken out of what was kept before they did.

It happens once for each edition of the rules, a portion at a time, each in a transaction together with how far it
came: who is killed in between goes on there. The daemon does it while nothing else waits, a command for a moment after
its work; no hook ever waits for it. What only the second line finds may be a name that somebody needs: `hardwon scrub`
lists it, and a person decides.
"""

from __future__ import annotations

import json
import time
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from hardwon import redact
from hardwon.redact import Redactor, border
from hardwon.store.connection import Store
from hardwon.store.erasure import forget, scrub
from hardwon.store.erasure.scrub import Found, Scrubbed
from hardwon.store.log import records, redo
from hardwon.store.tables import memories

EDITION = "redaction_edition"
"""The edition of the rules that all of this home has seen."""
_STATE = "redaction_upgrade"
"""How far it came, while it is under way."""
DONE = "redaction_upgraded"
"""What it found the last time that it found anything."""
PORTION = 200
"""Rows of a transaction."""
QUICK = 64_000_000
"""Bytes of a database that is rewritten at once; a larger one waits for the daemon, or for `doctor --fix`."""


@cache
def edition() -> str:
    """Another one with every rule that is new or changed; `redact.EDITION` counts what is no rule of its own."""
    rules = "\n".join(f"{rule.name} {rule.keywords} {rule.source}" for rule in redact.RULES)
    return f"{redact.EDITION}.{zlib.crc32(rules.encode()):08x}"


@cache
def named_rules() -> Redactor:
    """The rules that are on for everybody. What the user's own find goes with `hardwon scrub --apply`."""
    return Redactor(max_chars=10_000_000, second_line=False)


def due(store: Store) -> bool:
    return store.writable and store.on_disk and store.meta(EDITION) != edition()


@dataclass(slots=True)
class _State:
    stage: int = 0
    after: list[Any] = field(default_factory=list)
    memories: int = 0
    rows: int = 0
    findings: Counter[str] = field(default_factory=Counter)

    def add(self, found: Found) -> None:
        self.memories += len(found.memories)
        self.rows += found.rows
        self.findings += found.findings

    def text(self) -> str:
        told = {"edition": edition(), "stage": self.stage, "after": self.after}
        return json.dumps(told | {"memories": self.memories, "rows": self.rows, "findings": self.findings})


def _state(store: Store) -> _State:
    """Of another edition's nothing counts: these rules have to see all of it."""
    told = json.loads(store.meta(_STATE) or "{}")
    if told.get("edition") != edition():
        return _State()
    return _State(told["stage"], told["after"], told["memories"], told["rows"], Counter(told["findings"]))


def step(store: Store, seconds: float, now: int) -> Scrubbed | None:
    """Go on for about so long; what was taken out in all, once everything has been seen."""
    until = time.monotonic() + seconds
    while due(store):
        if done := _portion(store, now):
            return done
        if time.monotonic() > until:
            return None
    return None


def progress(store: Store) -> tuple[int, int]:
    """Stages that are through, and how many there are."""
    return _state(store).stage, len(_STAGES)


def finish(store: Store, now: int, said: Callable[[str], None] = lambda _: None) -> Scrubbed | None:
    """All that is left of it, however long that takes."""
    done = None
    while due(store) and not done:
        done = _portion(store, now)
        said(f"applying today's redaction rules: {_STAGES[min(_state(store).stage, len(_STAGES) - 1)][0]}")
    return done


def erase(store: Store, *, quick: bool = False) -> bool:
    """Let no byte stay in free pages, in the log and in copies; whether that is done. `quick`: only where that takes no
    more than a moment."""
    if not store.meta("purge_due"):
        return True
    size = int(store.value("pragma page_count")) * int(store.value("pragma page_size"))
    if quick and size > QUICK:
        return False
    forget.purge(store)
    return True


def told(done: Scrubbed) -> str:
    """In a sentence."""
    what = ", ".join(f"{name} {count}" for name, count in sorted(done.findings.items()))
    memories = "1 memory" if done.memories == 1 else f"{done.memories} memories"
    others = "1 other entry" if done.rows == 1 else f"{done.rows} other entries"
    return f"today's redaction rules found more in what was kept before, and took it out of {memories} and {others}" + (
        f" ({what})" if what else ""
    )


def _portion(store: Store, now: int) -> Scrubbed | None:
    from hardwon.store.mirror import erase as files

    with files.alone(store), store.transaction(), scrub.rules(store, named_rules()):
        if not due(store):  # another process was faster
            return None
        state, found = _state(store), Found()
        state.after = _STAGES[state.stage][1](store, state.after, found)
        if found.memories or found.rows:
            store.set_meta("purge_due", "1")
        state.add(found)
        if not state.after:
            state.stage += 1
        if state.stage < len(_STAGES):
            store.set_meta(_STATE, state.text())
            return None
        store.set_meta(EDITION, edition())
        store.db.execute("delete from meta where key = ?", (_STATE,))
        if state.memories or state.rows:
            store.set_meta(DONE, json.dumps({"at": now} | json.loads(state.text())))
        return Scrubbed(state.memories, state.rows, dict(state.findings))


# ── stages: each does a portion behind a place, and gives the next place; nothing when it is through ─────────────────


def _log(store: Store, after: Sequence[Any], found: Found) -> list[Any]:
    rows = store.rows(_RECORDS, (*(after or ("", -1)), PORTION))
    for row in rows:
        scrub.clean_record(store, records.from_row(row), found)
    for id in sorted(found.memories):
        memories.apply(store, id)
    return list(rows[-1][:2]) if len(rows) == PORTION else []


_RECORDS = """
select device, sequence, clock, memory, operation, action, payload from records
where (device, sequence) > (?, ?) order by device, sequence limit ?
"""


def _journal(store: Store, after: Sequence[Any], found: Found) -> list[Any]:
    rows = store.rows(scrub.JOURNAL, (*(after or (-1,)), PORTION))
    for row in rows:
        scrub.clean_event(store, row, found)
    return [rows[-1][0]] if len(rows) == PORTION else []


_MEMORIES = """
select row, id, title, body, intent, because, rejected, anchors, evidence, complaints, author, reason from memories
where row > ? order by row limit ?
"""
_MEMORY = """
select title, body, intent, because, rejected, anchors, evidence, complaints, author, reason from memories
where row = ?
"""
_PASSAGES = "select row, text, before, earlier from passages where row > ? order by row limit ?"


def _memories(store: Store, after: Sequence[Any], found: Found) -> list[Any]:
    """They are made of the log, and follow it. Where one did not, it is made again."""
    rows = store.rows(_MEMORIES, (*(after or (-1,)), PORTION))
    for row, id, *texts in rows:
        if any(_holds(store, text) for text in texts):
            store.db.execute("delete from vectors where memory_row = ?", (row,))
            memories.apply(store, id)
            found.rows += list(store.row(_MEMORY, (row,)) or ()) != texts
    return [rows[-1][0]] if len(rows) == PORTION else []


def _passages(store: Store, after: Sequence[Any], _: Found) -> list[Any]:
    """They are made of the journal, and are made again of what it says now."""
    rows = store.rows(_PASSAGES, (*(after or (-1,)), PORTION))
    for row, *texts in rows:
        if any(_holds(store, text) for text in texts):
            store.set_meta("purge_due", "1")
            store.db.execute(
                "insert or ignore into passages_due (journal) select journal from passages where row = ?", (row,)
            )
            store.db.execute("delete from passages where row = ?", (row,))
    return [rows[-1][0]] if len(rows) == PORTION else []


def _holds(store: Store, text: str) -> bool:
    return store.redactor.text_again(text) != text


def _rest(store: Store, _: Sequence[Any], found: Found) -> list[Any]:
    """Everything that is small: sessions, projects, files, the spool, what waits; and the redo log, which may know what
    the database no longer does."""
    scrub.clean_rest(store, found, drafts=False)
    for line in redo.lines(store.home):
        if any(border.found(line, store.redactor)):
            store.set_meta("purge_due", "1")
            break
    return []


_STAGES: tuple[tuple[str, Callable[[Store, Sequence[Any], Found], list[Any]]], ...] = (
    ("the log", _log),
    ("the journal", _journal),
    ("memories", _memories),
    ("past conversations", _passages),
    ("files", _rest),
)
