"""Forgetting: not one byte of the text stays under the home, and learning it again does not bring it back.

The memory's records lose their payloads and only headers stay; rows, index entries, vectors and showings go; the text
is cut out of the journal and of other memories that quote it, and the events that it was learned from are emptied; then
the file is rewritten, the WAL emptied, and the copies and the redo log replaced by one fresh copy.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import apsw

from hardwon.memory import ALSO_SAID, normalise
from hardwon.store.connection import Store
from hardwon.store.erasure import forget_events, spooled
from hardwon.store.errors import StoreBusy
from hardwon.store.log import copies, records, tombstones
from hardwon.store.maintenance import shrink
from hardwon.store.tables import branches, handoffs, journal, memories, recurrences, session_notes, skill_loads

CUT = "[forgotten]"

# A shorter text ("use tabs") stands in other memories in its own right and is not cut out of them.
QUOTED_FROM = 16
PIECE = 40
"""Characters by which a text is known where only its beginning may stand."""


@dataclass(frozen=True, slots=True)
class Forgotten:
    memories: int
    journal_entries: int
    quotations: int


def forget(store: Store, ids: list[str], now: int) -> Forgotten:
    """Forget these memories and every memory with the same text. Returns when the bytes are gone."""
    from hardwon.store.mirror import erase, handoff_files  # which themselves need what needs this module

    with erase.alone(store), store.transaction():
        store.set_meta("purge_due", "1")
        texts = {text for id in ids for text in _texts(store, id)}
        doomed = {*ids, *(twin for text in texts for twin in memories.with_text(store, text))}
        texts |= {text for id in doomed for text in _texts(store, id)}
        beside = {text for id in doomed for text in _beside(store, id)}
        origins = [forget_events.origin(store, id) for id in sorted(doomed)]
        beside |= {error for one in origins for error in one.errors}
        for id in sorted(doomed):
            _bury(store, id, now)
        quotations = Quotations(texts)
        # What was said beside the text may stand in another memory in its own right; the events are where it was said.
        heard = Quotations(texts | beside)
        entries = journal.cut(store, heard.patterns, CUT)
        entries += forget_events.empty(store, origins, CUT)
        entries += session_notes.cut(store, heard.are_in)
        entries += spooled.change(store.home, heard.cut)
        touched = _cut_quotations(store, quotations)
        _cut_set_aside(store, quotations, doomed)
        skill_loads.cut(store, quotations.patterns)
        branches.cut(store, heard.cut)
        erase.erase(store, erase.cutter(quotations.cut, is_doomed=quotations.is_one))
        handoff_files.write(store)
    purge(store)
    return Forgotten(len(doomed), entries, touched)


class Quotations:
    """Finds texts where other texts hold them, in any case, with any blanks between their words, and as they are
    written inside quotes: a command that notes `a "b"` says `\\"b\\"`."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._same = {normalise(text) for text in texts}
        self.patterns = {
            text: _pattern(text) for text in sorted(texts, key=len, reverse=True) if len(text) >= QUOTED_FROM
        }

    def cut(self, value: Any, name: str = "") -> Any:
        """The same value with the texts cut out; all of a body that is one of them, however short."""
        if isinstance(value, str):
            return CUT if name == "body" and self.is_one(value) else self._cut_text(value)
        if isinstance(value, dict):
            return {key: self.cut(item, key) for key, item in value.items()}
        if isinstance(value, list):
            return [self.cut(item) for item in value]
        return value

    def are_in(self, content: str) -> bool:
        """Whether a text made of others has a piece of one of them: what stands there was cut to its length."""
        folded = normalise(content)
        return any(piece in folded for text in self._same if (piece := text[:PIECE].strip()) and len(piece) >= 8)

    def is_one(self, text: str) -> bool:
        return normalise(text) in self._same

    def _cut_text(self, value: str) -> str:
        for pattern in self.patterns.values():
            value = pattern.sub(CUT, value)
        return value


_BLANKS = r"(?:\\{0,8}\s|\\{1,8}[nrt])+"


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(_BLANKS.join("".join(map(_as_written, _PARTS.findall(word))) for word in text.split()), re.I)


_PARTS = re.compile(r"[A-Za-z0-9]+|\\+|.")


def _as_written(part: str) -> str:
    """Letters, backslashes or one sign, plain or as a shell or JSON writes it inside quotes."""
    if part.isascii() and part.isalnum():
        return part
    if part.startswith("\\"):
        return r"\\+"
    units = part.encode("utf-16-be").hex()
    escaped = "".join(rf"\\{{1,8}}u{units[at : at + 4]}" for at in range(0, len(units), 4))
    apart = r"""|'\\{1,8}''|'"'"'""" if part == "'" else ""
    return rf"(?:\\{{0,8}}{re.escape(part)}|{escaped}{apart})"


def _beside(store: Store, id: str) -> list[str]:
    """What was said with the text: a title, the reason of a decision, and what it turned down."""
    payloads = [record.payload or {} for record in records.of_memory(store, id)]
    turned_down = [text for payload in payloads for one in payload.get("rejected", ()) for text in one]
    return [*turned_down, *(payload[name] for payload in payloads for name in ("title", "because") if name in payload)]


def _texts(store: Store, id: str) -> list[str]:
    """Every text this memory ever had, also the other words in which it was said."""
    payloads = [record.payload or {} for record in records.of_memory(store, id)]
    more = [one for payload in payloads for one in payload.get("more_evidence", ()) if one.startswith(ALSO_SAID)]
    own = [payload["body"] for payload in payloads if "body" in payload]
    return [*own, *(one.removeprefix(ALSO_SAID) for one in more)]


def _bury(store: Store, id: str, now: int) -> None:
    key_id, key = tombstones.own_key(store)
    origin = next((r.payload.get("origin_key") for r in records.of_memory(store, id) if r.payload), None)
    buried = sorted({h for text in _texts(store, id) for h in tombstones.hashes(key, text, origin)})
    records.append(store, id, records.FORGET, {"key_id": key_id, "hash": buried}, now)
    bury_remains(store, id, buried)


def bury_remains(store: Store, id: str, buried: list[str]) -> None:
    """What is left to do once the log says that a memory is forgotten, here or on another device."""
    tombstones.bury(store, id, buried)
    records.erase_payloads(store, [id])
    memories.apply(store, id)
    store.db.execute("delete from counts where memory = ?", (id,))
    store.db.execute("delete from origins where memory = ?", (id,))
    store.db.execute("delete from showings where memory = ?", (id,))
    recurrences.remove(store, id)
    handoffs.forget(store, id)
    store.db.execute("delete from mirror_entries where memory = ?", (id,))


def _cut_quotations(store: Store, quotations: Quotations) -> int:
    """Take the texts out of other memories that quote them, or once had them."""
    touched: set[str] = set()
    for record in records.all_records(store):
        payload = quotations.cut(record.payload)
        if payload != record.payload:
            records.rewrite_payload(store, record, payload)
            touched.add(record.memory)
    for id in touched:
        memories.apply(store, id)
    return len(touched)


def _cut_set_aside(store: Store, quotations: Quotations, doomed: set[str]) -> None:
    """Records that wait for their time are no hiding place either."""
    for device, sequence, line in store.rows("select device, sequence, line from set_aside"):
        record = json.loads(line)
        key = (device, sequence)
        if record["memory"] in doomed:
            store.db.execute("delete from set_aside where device = ? and sequence = ?", key)
        elif (cut := quotations.cut(record)) != record:
            store.db.execute("update set_aside set line = ? where device = ? and sequence = ?", (json.dumps(cut), *key))


def purge(store: Store) -> None:
    """Rewrite the file without its free space, empty the WAL, and let no copy be older than this moment."""
    try:
        shrink.rewrite(store)
        copies.replace_all(store)
        _empty_wal(store)
        with store.transaction():
            store.db.execute("delete from meta where key = 'purge_due'")
    except apsw.BusyError as error:
        raise StoreBusy(
            "It is forgotten, but another process is reading the database and old bytes may stay on the disk: "
            "run `hardwon doctor --fix` when it has ended."
        ) from error


def _empty_wal(store: Store) -> None:
    """Each attempt waits for readers as long as a write would; another process's checkpoint ends it sooner."""
    until = time.monotonic() + store.settings.store.busy_seconds
    while True:
        ((busy, _, _),) = store.rows("pragma wal_checkpoint(truncate)")
        if not busy:
            return
        if time.monotonic() > until:
            raise apsw.BusyError("the write-ahead log is in use")
        time.sleep(0.1)
