from __future__ import annotations

from typing import Any

from hardwon.render import plain
from hardwon.store import memories, records, showings
from hardwon.store.fold import undone
from hardwon.store.records import Record
from hardwon.surfaces.cli import context, output
from hardwon.surfaces.cli.options import Id, Json


def run(id: Id, json: Json = False) -> None:
    """Explain a memory: its origin, its history, when it was shown

    Example: `hardwon why 7f3a1c`
    """
    with context.reading() as store:
        memory = context.existing(store, id)
        log = records.of_memory(store, memory.id)
        gone = undone(log)
        history = [(record, (record.device, record.sequence) in gone) for record in log]
        shown = showings.of_memory(store, memory.id)
        hits = memories.hits(store, [memory.id]).get(memory.id, 0)
        if json:
            output.print_json(
                output.as_json(store, memory, hits)
                | {
                    "history": [_json(record, taken_back) for record, taken_back in history],
                    "showings": [
                        {"moment": s.moment, "at": s.at, "tokens": s.tokens, "outcome": s.outcome} for s in shown
                    ],
                }
            )
            return
        where = context.project_name(store, memory.scope.project)
        output.print_details(plain.details(memory, where, hits, output.origin(store, memory)))
        print("\nhistory")
        for record, taken_back in history:
            print(f"  {plain.day(record.at)}  {plain.one_line(sentence(record))}{' (undone)' if taken_back else ''}")
        tokens = output.counted(sum(one.tokens for one in shown), "token")
        print(f"\nshown {output.counted(len(shown), 'time')}, {tokens}")
        for one in shown[-10:]:
            print(f"  {plain.day(one.at)}  {one.moment}: {one.outcome}")


def sentence(record: Record) -> str:
    """One record in words."""
    payload = record.payload or {}
    match record.operation:
        case records.CREATE:
            return f"kept as {payload.get('kind')} by {payload.get('source')} (trust: {payload.get('trust')})"
        case records.EDIT:
            return "changed: " + "; ".join(f"{name} → {value}" for name, value in payload.items())
        case records.STATUS:
            by = f" by {payload['by'][-6:]}" if payload.get("by") else ""
            reason = f": {payload['reason']}" if payload.get("reason") else ""
            return f"became {payload.get('status')}{by}{reason}"
        case records.LINK | records.UNLINK:
            return f"{record.operation} {payload.get('kind')} {str(payload.get('target'))[-6:]}"
        case records.COMPLAIN:
            return f"called wrong ({payload.get('who')}): {payload.get('reason')}"
        case records.UNDO:
            return "an earlier change was taken back"
        case _:
            return record.operation


def _json(record: Record, taken_back: bool) -> dict[str, Any]:
    return {"at": record.at, "operation": record.operation, "change": record.payload, "undone": taken_back}
