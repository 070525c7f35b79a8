"""fold: the one pure function behind apply, undo, rebuild and merge.

Given all records of one memory, in any order and however often repeated, it says what the memory is now. Because it
sorts by a total order and ignores repeats, two homes that hold the same set of records show the same memory.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from typing import Any

from hardwon.memory import (
    Anchor,
    AnchorKind,
    Draft,
    Kind,
    Link,
    LinkKind,
    Memory,
    Rejected,
    Scope,
    Status,
    Trust,
    Visibility,
)
from hardwon.store.log import records
from hardwon.store.log.records import Payload, Record
from hardwon.text import mark


def fold(log: Iterable[Record]) -> Memory | None:
    """What these records make; None when nothing is left (never made, made and undone, or forgotten)."""
    ordered = sorted({(record.device, record.sequence): record for record in log}.values(), key=lambda r: r.order)
    if any(record.operation == records.FORGET for record in ordered):
        return None
    memory: Memory | None = None
    for record in effective(ordered):
        memory = _apply(memory, record)
    return memory


def effective(ordered: list[Record]) -> list[Record]:
    """The records that count, in order."""
    gone = undone(ordered)
    return [r for r in ordered if r.operation != records.UNDO and (r.device, r.sequence) not in gone]


def undone(ordered: list[Record]) -> set[tuple[str, int]]:
    """Which records were taken back by an undo that was not itself taken back."""
    gone: set[tuple[str, int]] = set()
    for record in reversed(ordered):
        if record.operation == records.UNDO and (record.device, record.sequence) not in gone and record.payload:
            gone.add(_target(record.payload))
    return gone


def redone(undos: list[Record]) -> list[Record]:
    """Of these undos, those that took back another one."""
    known = {(record.device, record.sequence) for record in undos}
    return [r for r in undos if r.payload and _target(r.payload) in known]


def _apply(memory: Memory | None, record: Record) -> Memory | None:
    if record.payload is None:
        return memory
    if record.operation == records.CREATE:
        return memory or _created(record, record.payload)
    if memory is None:
        return None
    changed = _CHANGES[record.operation](memory, record.payload)
    return dataclasses.replace(changed, updated_at=max(memory.updated_at, record.at))


def check(record: Record) -> None:
    """ValueError, KeyError or TypeError for a payload that this hardwon can't read."""
    payload = record.payload
    match record.operation:
        case _ if payload is None:
            pass
        case records.CREATE:
            _created(record, payload)
        case records.UNDO:
            _target(payload)
        case records.FORGET:
            [bytes.fromhex(value) for value in payload["hash"]]
        case operation:
            _CHANGES[operation](_ANY, payload)


def _target(payload: Payload) -> tuple[str, int]:
    """The record that an undo takes back."""
    return str(payload["device"]), int(payload["sequence"])


def _created(record: Record, payload: Payload) -> Memory:
    fields = {name: _FIELDS[name](value) for name, value in payload.items() if name in _FIELDS}
    at = int(payload.get("created_at", record.at))
    return Memory(
        id=record.memory,
        scope=Scope(payload["project"], payload.get("skill")),
        status=Status(payload["status"]),
        created_at=at,
        updated_at=at,
        **fields,
    )


def _edited(memory: Memory, payload: Payload) -> Memory:
    fields = {name: _FIELDS[name](value) for name, value in payload.items() if name in _FIELDS}
    if "more_evidence" in payload:  # added to, not replaced: two homes may have heard different words for the same
        fields["evidence"] = tuple(dict.fromkeys((*memory.evidence, *map(_text, payload["more_evidence"]))))
    scope = Scope(payload.get("project", memory.scope.project), payload.get("skill", memory.scope.skill))
    return dataclasses.replace(memory, scope=scope, **fields)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not a text")
    return value


def _moved(memory: Memory, payload: Payload) -> Memory:
    status = Status(payload["status"])
    by = payload.get("by") if status is Status.SUPERSEDED else None
    return dataclasses.replace(memory, status=status, reason=payload.get("reason", ""), superseded_by=by)


def _linked(memory: Memory, payload: Payload) -> Memory:
    link = Link(LinkKind(payload["kind"]), payload["target"])
    return memory if link in memory.links else dataclasses.replace(memory, links=(*memory.links, link))


def _unlinked(memory: Memory, payload: Payload) -> Memory:
    link = Link(LinkKind(payload["kind"]), payload["target"])
    return dataclasses.replace(memory, links=tuple(other for other in memory.links if other != link))


def _complained(memory: Memory, payload: Payload) -> Memory:
    return dataclasses.replace(memory, complaints=(*memory.complaints, payload.get("reason", "")))


_CHANGES: dict[str, Callable[[Memory, Payload], Memory]] = {
    records.EDIT: _edited,
    records.STATUS: _moved,
    records.LINK: _linked,
    records.UNLINK: _unlinked,
    records.COMPLAIN: _complained,
}

# How each field of a memory is read from JSON. A field that a newer hardwon adds is passed over.
_FIELDS: dict[str, Callable[[Any], Any]] = {
    "kind": Kind,
    "body": str,
    "title": str,
    "subtype": str,
    "intent": str,
    "author": str,
    "source": str,
    "trust": Trust,
    "visibility": Visibility,
    "because": str,
    "origin_key": lambda value: value,
    "skill_mark": mark.checked,
    "origin_project": str,
    "pinned": bool,
    "anchors": lambda value: tuple(Anchor(AnchorKind(kind), name) for kind, name in value),
    "links": lambda value: tuple(Link(LinkKind(kind), target) for kind, target in value),
    "rejected": lambda value: tuple(Rejected(what, why) for what, why in value),
    "evidence": tuple,
    "complaints": tuple,
}


_ANY = Memory("", Kind.LESSON, "", Scope(""), Trust.AGENT, "", Status.ACTIVE, 0, 0)
"""A memory to try a change on."""


def creation(draft: Draft, status: Status, now: int) -> Payload:
    """The payload of the record that makes this draft a memory."""
    payload: Payload = {
        "kind": draft.kind,
        "body": draft.body,
        "project": draft.scope.project,
        "trust": draft.trust,
        "source": draft.source,
        "status": status,
        "created_at": now,
    }
    optional: Payload = {
        "skill": draft.scope.skill,
        "title": draft.title,
        "subtype": draft.subtype,
        "intent": draft.intent,
        "author": draft.author,
        "because": draft.because,
        "origin_key": draft.origin_key,
        "skill_mark": draft.skill_mark,
        "origin_project": draft.origin_project,
        "visibility": draft.visibility,
        "anchors": [(anchor.kind, anchor.value) for anchor in draft.anchors],
        "links": [(link.kind, link.target) for link in draft.links],
        "rejected": [(rejected.what, rejected.why) for rejected in draft.rejected],
        "evidence": list(draft.evidence),
    }
    return payload | {name: value for name, value in optional.items() if value}
