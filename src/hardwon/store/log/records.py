"""The log: every change to a memory, in the order of a hybrid clock.

A record's header is clear (device, sequence, clock, memory, operation); its payload begins with a codec byte, so that
it can be encrypted later without another format. Merging two logs is set union over (device, sequence).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hardwon.memory import shown
from hardwon.store import belt

if TYPE_CHECKING:
    from hardwon.store.connection import Store

Payload = dict[str, Any]

CREATE = "create"
EDIT = "edit"
STATUS = "status"
LINK = "link"
UNLINK = "unlink"
COMPLAIN = "complain"
FORGET = "forget"
UNDO = "undo"
OPERATIONS = frozenset({CREATE, EDIT, STATUS, LINK, UNLINK, COMPLAIN, FORGET, UNDO})

_PLAIN = b"\x00"
"""Codec byte: UTF-8 JSON follows."""


@dataclass(frozen=True, slots=True)
class Record:
    device: str
    sequence: int
    clock: int
    memory: str
    operation: str
    action: int
    payload: Payload | None
    """None: erased, because the memory was forgotten."""

    @property
    def order(self) -> tuple[int, str, int]:
        """Total order over all devices: the clock, then anything that is the same everywhere."""
        return (self.clock, self.device, self.sequence)

    @property
    def at(self) -> int:
        return clock_time(self.clock)


def clock_time(clock: int) -> int:
    """The milliseconds in a hybrid clock."""
    return clock >> 16


def encode(payload: Payload | None) -> bytes:
    if payload is None:
        return b""
    return _PLAIN + json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode()


def decode(blob: bytes) -> Payload | None:
    if not blob:
        return None
    if blob[:1] != _PLAIN:
        raise ValueError(f"a record has codec {blob[0]}, which this hardwon does not know: upgrade it")
    payload: Payload = json.loads(blob[1:])
    return payload


_INSERT = """
insert into records (device, sequence, clock, memory, operation, action, payload) values (?, ?, ?, ?, ?, ?, ?)
"""


def append(store: Store, memory: str, operation: str, payload: Payload, now: int, action: int = 0) -> Record:
    """Add one record in the running transaction. The only way in for a change made here. `action`: it belongs to an
    earlier command. The payload has passed a border; what it holds all the same is taken out here."""
    sequence = store.next_sequence()
    record = Record(
        device=store.device,
        sequence=sequence,
        clock=store.next_clock(now),
        memory=memory,
        operation=operation,
        action=action or store.action(sequence),
        payload=belt.held(store, payload, operation),
    )
    insert(store, record)
    return record


def insert(store: Store, record: Record) -> None:
    store.db.execute(
        _INSERT,
        (
            record.device,
            record.sequence,
            record.clock,
            record.memory,
            record.operation,
            record.action,
            encode(record.payload),
        ),
    )
    store.remember_line({"type": "record", **as_json(record)})


_COLUMNS = "device, sequence, clock, memory, operation, action, payload"


def of_memory(store: Store, memory: str) -> list[Record]:
    rows = store.rows(f"select {_COLUMNS} from records where memory = ? order by clock, device, sequence", (memory,))
    return [from_row(row) for row in rows]


def of_action(store: Store, device: str, action: int) -> list[Record]:
    rows = store.rows(
        f"select {_COLUMNS} from records where device = ? and sequence >= ? and action = ? order by sequence",
        (device, abs(action), action),
    )
    return [from_row(row) for row in rows]


def all_records(store: Store) -> Iterator[Record]:
    """Every record, memory by memory; the caller may change the memory it was just given."""
    for (memory,) in store.rows("select distinct memory from records order by memory"):
        yield from of_memory(store, memory)


def undos(store: Store) -> list[Record]:
    rows = store.rows(f"select {_COLUMNS} from records where operation = 'undo' order by clock, device, sequence")
    return [from_row(row) for row in rows]


def newest_first(store: Store, memory: str | None) -> Iterator[Record]:
    """The records of one memory, or of everything commanded in this home, newest first."""
    where, values = ("memory = ?", [memory]) if memory else _made_here(store)
    sql = f"select {_COLUMNS} from records where {where} order by clock desc, device desc, sequence desc"
    for row in store.rows(sql, values):
        yield from_row(row)


def _made_here(store: Store) -> tuple[str, list[str]]:
    devices = [store.device, *(store.meta("former_devices") or "").split()]
    return f"action > 0 and device in ({', '.join('?' * len(devices))})", devices


def last_sequence(store: Store) -> int:
    """The number of the newest record that was made here."""
    return int(store.value("select max(sequence) from records where device = ?", (store.device,)) or 0)


def action_since(store: Store, sequence: int) -> int:
    """The command whose records came after this number; 0 when there was none, or when it took another one back."""
    row = store.row(
        "select action, operation from records where device = ? and sequence > ? and action > 0 order by sequence desc",
        (store.device, sequence),
    )
    return int(row[0]) if row and row[1] != UNDO else 0


def has(store: Store, device: str, sequence: int) -> bool:
    row = store.row("select 1 from records where device = ? and sequence = ?", (device, sequence))
    return row is not None


def erase_payloads(store: Store, memories: Iterable[str]) -> None:
    """Empty every payload of these memories except that of their forgetting."""
    store.db.executemany(
        "update records set payload = x'' where memory = ? and operation <> 'forget'",
        [(memory,) for memory in memories],
    )


def rewrite_payload(store: Store, record: Record, payload: Payload) -> None:
    """Replace a payload by a redacted one. Only `scrub` may: the log is otherwise never changed."""
    store.db.execute(
        "update records set payload = ? where device = ? and sequence = ?",
        (encode(payload), record.device, record.sequence),
    )


def from_row(row: tuple[Any, ...]) -> Record:
    device, sequence, clock, memory, operation, action, payload = row
    return Record(device, sequence, clock, memory, operation, action, decode(bytes(payload)))


def as_json(record: Record) -> Payload:
    return {
        "device": record.device,
        "sequence": record.sequence,
        "clock": record.clock,
        "memory": record.memory,
        "operation": record.operation,
        "action": record.action,
        "payload": record.payload,
    }


# The next number and the next clock must still be ones that SQLite can hold, for as long as anybody lives.
_MOST = 1 << 48
_LATEST = 1 << 62


def number(line: Payload, name: str, lowest: int, highest: int) -> int:
    """A whole number within these bounds; ValueError names it."""
    value = line[name]
    if type(value) is not int or not lowest <= value <= highest:
        raise ValueError(f'"{name}" is {shown(value)}: it must be a whole number from {lowest} to {highest}')
    return value


def from_json(line: Payload) -> Record:
    """A record from an exported line; ValueError names what is wrong with it."""
    try:
        record = Record(
            device=str(line["device"]),
            sequence=number(line, "sequence", 0, _MOST),
            clock=number(line, "clock", 0, _LATEST),
            memory=str(line["memory"]),
            operation=str(line["operation"]),
            action=number(line, "action", -_MOST, _MOST),
            payload=line["payload"],
        )
    except KeyError as error:
        raise ValueError(f"not a record: it has no {error}") from error
    if record.operation not in OPERATIONS:
        raise ValueError(f"a record has the operation {record.operation!r}, which this hardwon does not know")
    if record.payload is not None and not isinstance(record.payload, dict):
        raise ValueError("a record's payload must be an object or null")
    return record
