"""Lines: the one form in which a store leaves and enters, for export, the redo log and later sync.

A line is a project, a record, a count of hits or a tombstone key. Taking a line in twice changes nothing, and the
order of lines does not matter; a line that can't be read is set aside and never stops the others.
"""

from __future__ import annotations

import dataclasses
import json
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from hardwon.memory import GLOBAL, Draft, Kind, Scope, Status, Trust
from hardwon.project import Alias
from hardwon.redact import border
from hardwon.store import changes, projects
from hardwon.store.connection import Store
from hardwon.store.erasure import forget
from hardwon.store.log import incoming, records, tombstones
from hardwon.store.log.fold import check
from hardwon.store.log.records import Record
from hardwon.store.tables import memories
from hardwon.text import untrusted

Line = dict[str, Any]

FORMAT = 1
DAY = 86_400_000


def export(store: Store) -> Iterator[Line]:
    """Everything, as another home may take it in: what leaves has nothing in it that redaction finds today, however old
    it is."""
    yield {"type": "hardwon", "format": FORMAT, "device": store.device}
    for (id,) in store.rows("select id from projects order by id"):
        yield border.clean(projects.as_line(store, id), store.redactor)
    for key_id, key in store.rows("select id, key from tombstone_keys order by id"):
        yield {"type": "key", "id": key_id, "key": bytes(key).hex()}
    for record in records.all_records(store):
        payload = record.payload and border.clean(record.payload, store.redactor)
        yield {"type": "record", **records.as_json(dataclasses.replace(record, payload=payload))}
    for memory, device, hits in store.rows("select memory, device, hits from counts order by memory, device"):
        yield {"type": "hits", "memory": memory, "device": device, "hits": hits}


@dataclass(slots=True)
class Merged:
    """What taking lines in has changed."""

    lines: int = 0
    memories: set[str] = field(default_factory=set)
    """All that something new is known of, also what was undone or forgotten."""
    taken_in: int = 0
    """Of these, those that are there now."""
    without_text: set[str] = field(default_factory=set)
    """Of these, those of which a text was not taken in: it was forgotten here."""
    known: int = 0
    set_aside: list[str] = field(default_factory=list)
    forgotten: int = 0
    rejected: list[str] = field(default_factory=list)


def merge(store: Store, lines: Iterable[Line], now: int, trust: Trust, *, own: bool = False) -> Merged:
    """Take lines in. `trust` is the caller's: nothing that comes in may claim more, or change what has more.

    `own` lines were written by this very home, so that their paths are paths of this machine.
    """
    merged = Merged()
    with store.transaction():
        for line in lines:
            merged.lines += 1
            if incoming.is_too_deep(line):
                merged.rejected.append(f"line {merged.lines}: {incoming.TOO_DEEP}")
                continue
            try:
                _take(store, line, now, trust, merged, own)
            except (ValueError, LookupError, TypeError, OverflowError) as error:
                problem = {"says": f"line {merged.lines}: {error}", "line": line}
                merged.rejected.append(border.clean(problem, store.redactor)["says"])
        for id in sorted(merged.memories):
            is_there = memories.apply(store, id) is not None
            merged.taken_in += is_there
            is_gone = not is_there and store.row(_FORGOTTEN, (id,)) is not None
            merged.forgotten += is_gone or id in merged.without_text
        tombstones.unearth_noted_again(store)
    return merged


def _take(store: Store, line: Line, now: int, trust: Trust, merged: Merged, own: bool) -> None:
    match line.get("type"):
        case "hardwon":
            if int(line.get("format", 0)) > FORMAT:
                raise ValueError(f"the file has format {line['format']}, this hardwon reads {FORMAT}: upgrade it")
        case "project":
            _take_project(store, line, own)
        case "key":
            tombstones.add_key(store, incoming.key_id(line["id"]), incoming.key(line["key"]))
        case "hits":
            _take_hits(store, line, own)
        case "device" if own:
            store.add_former_device(str(line["device"]))
        case "record":
            _take_record(store, records.from_json(line), now, trust, merged, own)
        case "memory" | None:
            _take_memory(store, line, now, trust, merged, waits=not own and trust is not Trust.USER)
        case "blank":
            return
        case "unreadable":
            raise ValueError(str(line.get("problem", "can't be read")))
        case other:
            raise ValueError(f"unknown type {other!r}")


def _take_record(store: Store, record: Record, now: int, trust: Trust, merged: Merged, own: bool) -> None:
    if records.has(store, record.device, record.sequence):
        merged.known += 1
        return
    if (here := memories.get(store, record.memory)) and here.trust.rank > max(trust.rank, Trust.VERIFIED.rank):
        raise ValueError(f"{here.short_id} was said by a person: only a person can take in a change to it")
    check(record)
    if not own:
        incoming.check_record(store, record)
        if why := _why_not_yet(store, record, now):
            _set_aside(store, record, why, merged)
            return
    payload = record.payload and _capped(border.clean(record.payload, store.redactor), trust)
    is_forgotten = record.operation != records.FORGET and _is_forgotten(store, record, trust)
    records.insert(store, dataclasses.replace(record, payload=None if is_forgotten else payload))
    merged.memories.add(record.memory)
    if is_forgotten:
        merged.without_text.add(record.memory)
    if is_forgotten and record.operation == records.CREATE:
        records.erase_payloads(store, [record.memory])  # nor is anything kept that was said about it
    elif payload and payload.get("again"):
        tombstones.unearth(store, payload["body"])
    if record.operation == records.FORGET and payload:
        forget.bury_remains(store, record.memory, payload["hash"])
        store.set_meta("purge_due", "1")


def _is_forgotten(store: Store, record: Record, trust: Trust) -> bool:
    """This memory was forgotten here, or the text it began with was, or this text was."""
    if store.row(_FORGOTTEN, (record.memory,)):
        return True
    payload = record.payload or {}
    body = payload.get("body")
    buried_at = tombstones.buried_at(store, body, payload.get("origin_key")) if isinstance(body, str) else None
    noted_again = payload.get("again") and trust is Trust.USER and record.clock > (buried_at or 0)
    return buried_at is not None and not noted_again


_FORGOTTEN = """
select 1 from records
where memory = ? and (operation = 'forget' or operation = 'create' and payload = x'')
"""


def _capped(payload: records.Payload, trust: Trust) -> records.Payload:
    """With no more trust than the caller has: what an agent takes in, an agent vouches for, unless it was planted."""
    if "trust" in payload and Trust(payload["trust"]).rank > trust.rank:
        payload = payload | {"trust": str(trust)}
    if trust is not Trust.USER and untrusted.why_planted("\n".join(v for v in payload.values() if isinstance(v, str))):
        if "status" not in payload:
            raise ValueError("this change looks planted: only a person can take it in")
        payload = payload | {"trust": str(Trust.UNTRUSTED)}
    if payload.get("trust") == Trust.UNTRUSTED and payload.get("status") == Status.ACTIVE:
        return payload | {"status": str(Status.CANDIDATE)}
    return payload


def _why_not_yet(store: Store, record: Record, now: int) -> str:
    """Why a record that can be read is not taken in; empty when it is."""
    if record.at > now + DAY:
        day = time.strftime("%Y-%m-%d", time.gmtime((record.at - DAY) / 1000))
        return f"its clock is more than a day ahead of this machine's: import it again after {day}"
    if incoming.is_from_nowhere(store, record):
        return "it claims to be of this home, which never gave out its number"
    return ""


def _set_aside(store: Store, record: Record, reason: str, merged: Merged) -> None:
    store.db.execute(
        "insert or ignore into set_aside (device, sequence, line, reason) values (?, ?, ?, ?)",
        (record.device, record.sequence, json.dumps(border.clean(records.as_json(record), store.redactor)), reason),
    )
    merged.set_aside.append(f"record {record.device}:{record.sequence}: {reason}")


def _take_memory(store: Store, line: Line, now: int, trust: Trust, merged: Merged, waits: bool) -> None:
    """A line written by hand or by another tool: only `body` is needed. `waits`: an agent takes it in."""
    line = border.clean(line, store.redactor)
    body = line.get("body")
    if not isinstance(body, str) or not body.strip():
        raise ValueError('"body" must be a text')
    skill = None if line.get("skill") is None else incoming.text(line, "skill")
    scope = Scope(_project_id(store, incoming.text(line, "project", GLOBAL)), skill)
    claimed = Trust(line.get("trust", trust))
    draft = Draft(
        kind=Kind(line.get("kind", "lesson")),
        body=body,
        scope=scope,
        trust=min(claimed, trust, key=lambda each: each.rank),
        source="import",
        title=incoming.text(line, "title", ""),
        intent=incoming.text(line, "intent", ""),
        because=incoming.text(line, "because", ""),
        candidate=waits,
    )
    draft = changes.passed(store, draft)
    noted = changes.note(store, draft, now)
    if noted.outcome is changes.Outcome.CREATED and noted.id:
        merged.memories.add(noted.id)
    elif noted.outcome is changes.Outcome.FORGOTTEN:
        merged.forgotten += 1
    else:
        merged.known += 1


def _project_id(store: Store, given: str) -> str:
    """A project by its id or name."""
    return given if given == GLOBAL or projects.get(store, given) else projects.named(store, given).id


def _take_hits(store: Store, line: Line, own: bool) -> None:
    hits = records.number(line, "hits", 0, incoming.MOST_HITS)
    memory, device = str(line["memory"]), str(line["device"])
    if not own:
        incoming.memory(memory), incoming.device(device)
    store.db.execute(
        "insert into counts (memory, device, hits) values (?, ?, ?)"
        " on conflict (memory, device) do update set hits = max(hits, excluded.hits)",
        (memory, device, hits),
    )
    store.remember_line({"type": "hits", "memory": memory, "device": device, "hits": hits})


def _take_project(store: Store, line: Line, own: bool) -> None:
    """A project of another home: the same one when it shares an alias with one here, else a new row."""
    id, name, root = (incoming.text(line, each) for each in ("id", "name", "root"))
    created_at = records.number(line, "created_at", 0, incoming.LATEST)
    aliases = [Alias(incoming.alias_kind(kind), str(value)) for kind, value in line["aliases"]]
    if own:
        projects.put_back(store, id, name, root, created_at, line.get("merged_into"), aliases)
        return
    for one in filter(None, (id, line.get("merged_into"))):
        incoming.memory(one, "id of a project")
    telling = [alias for alias in aliases if alias.kind == "remote"]
    owner = next((found for alias in telling for found in projects.owners(store, alias)), None)
    merged_into = line.get("merged_into") or (owner if owner != id else None)
    projects.take_in(store, id, name, root, created_at, merged_into, aliases)
