"""What a line from outside must look like before anything of it is stored.

Identifiers are stored as they stand, for redaction could only break them. So each must have the form that hardwon gives
it: a secret put into one would reach the database, the redo log and every export.
"""

from __future__ import annotations

import re
from typing import Any

from hardwon.memory import GLOBAL, shown
from hardwon.project import STRENGTH, AliasKind
from hardwon.redact.border import IDENTIFIERS
from hardwon.store.connection import Store
from hardwon.store.log.records import Record, number

LATEST = 1 << 46
"""Milliseconds, in the year 4199: what is later is no time."""
MOST_HITS = 1_000_000_000
"""Of one memory on one device, so that the sum over all devices stays a number that SQLite can hold."""
FURTHEST = 1_000_000
"""By so many the number of a record of this device may be above the highest one here: a home that was put back from a
copy takes its own later records in again, and no line can use up the numbers that are left."""

_MEMORY = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_DEVICE = re.compile(r"[0-9a-f]{1,16}(-[0-9a-f]{8}){0,8}")  # with what redo.py puts behind it
_HEX = re.compile(r"[0-9a-f]{1,64}")
_NAME = re.compile(r"[a-z_]{1,40}")

_TEXTS = frozenset(
    {"body", "title", "subtype", "intent", "author", "source", "because", "skill_mark", "origin_project", "reason"}
)
_TEXTS_OR_NONE = frozenset({"skill", "origin_key"})
_LISTS = frozenset({"anchors", "links", "rejected", "evidence", "more_evidence", "complaints"})


TOO_DEEP = "lists or objects too deep inside each other"


def is_too_deep(value: Any, left: int = 20) -> bool:
    """No line of hardwon is a quarter as deep, and every walk through a payload stops where Python's stack ends."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return not left or any(is_too_deep(item, left - 1) for item in inner)


def check_record(store: Store, record: Record) -> None:
    """ValueError names what is wrong with a record of another home, or of this one."""
    device(record.device)
    memory(record.memory)
    _check_payload(store, record.payload or {})


def is_from_nowhere(store: Store, record: Record) -> bool:
    """It says that it was made here, with a number that this home can't have given out."""
    if record.device != store.device:
        return False
    highest = store.value("select max(sequence) from records where device = ?", (store.device,)) or 0
    return record.sequence > int(highest) + FURTHEST


def _check_payload(store: Store, payload: dict[str, Any]) -> None:
    for name, value in payload.items():
        if name in _TEXTS or (name in _TEXTS_OR_NONE and value is not None):
            text(payload, name)
        elif name in _LISTS:
            _check_texts(name, value)
    if "created_at" in payload:
        number(payload, "created_at", 0, LATEST)
    if payload.get("project", GLOBAL) != GLOBAL:
        memory(payload["project"], "project")
    for name in ("by", "target"):
        if payload.get(name) is not None:
            memory(payload[name], name)
    if "key_id" in payload:
        key_id(payload["key_id"])
    if "device" in payload:
        device(payload["device"])
    _check_names(store, payload)


def _check_texts(name: str, value: Any) -> None:
    """A list of texts, or of lists of texts."""
    if not isinstance(value, list):
        raise ValueError(f'"{name}" must be a list')
    for item in value:
        if isinstance(item, list):
            _check_texts(name, item)
        elif not isinstance(item, str):
            raise ValueError(f'"{name}" must hold texts')


def _check_names(store: Store, value: Any, of: str = "") -> None:
    """What a newer hardwon adds is stored, too; neither its names nor what redaction passes over may hold a secret."""
    if isinstance(value, dict):
        for name, item in value.items():
            _form(_NAME, name, "name", "small letters")
            _check_names(store, item, name)
    elif isinstance(value, list):
        for item in value:
            _check_names(store, item, of)
    elif isinstance(value, str) and of in IDENTIFIERS and store.redactor.text(value) != value:
        raise ValueError(f'"{of}" holds what looks like a secret')


def text(line: dict[str, Any], name: str, default: str | None = None) -> str:
    value = line[name] if default is None else line.get(name, default)
    if not isinstance(value, str):
        raise ValueError(f'"{name}" must be a text')
    return value


def memory(value: Any, name: str = "memory") -> str:
    return _form(_MEMORY, value, name, "an id such as 01a1e47b-966b-77d2-9829-4fbd3a5e1c20")


def device(value: Any) -> str:
    return _form(_DEVICE, value, "device", "up to 16 hexadecimal digits")


def key_id(value: Any) -> str:
    return _form(_HEX, value, "id of a key", "up to 64 hexadecimal digits")


def key(value: Any) -> bytes:
    found = bytes.fromhex(value)
    if not 16 <= len(found) <= 64:
        raise ValueError(f"a key has {len(found)} bytes: it must have 16 to 64")
    return found


def alias_kind(value: Any) -> AliasKind:
    for known in STRENGTH:
        if value == known:
            return known
    raise ValueError(f"the kind of an alias is {shown(value)}: it must be one of {', '.join(STRENGTH)}")


def _form(wanted: re.Pattern[str], value: Any, name: str, must: str) -> str:
    if not isinstance(value, str) or not wanted.fullmatch(value):
        raise ValueError(f'"{name}" is {shown(value)}: it must be {must}')
    return value
