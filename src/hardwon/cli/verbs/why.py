from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from hardwon.cli.support import context, output, quoting
from hardwon.cli.support.options import Id, Json
from hardwon.memories import memory_lines, moments
from hardwon.memories.search import quiet
from hardwon.memory import LinkKind, Memory, Status
from hardwon.render import plain
from hardwon.store.connection import Store
from hardwon.store.log import records
from hardwon.store.log.fold import undone
from hardwon.store.log.records import Record
from hardwon.store.tables import memories, recurrences, showings
from hardwon.store.tables.showings import NEVER, Counts, Outcome, Showing

MOST = 10
"""Showings in the text; all of them are in the JSON."""


def run(id: Id, json: Json = False) -> None:
    """Explain a memory: its origin, its history, when it was shown, what came of it

    Example: `hardwon why 7f3a1c`
    """
    with context.reading() as store:
        context.may_tell(store)
        memory = context.existing(store, id)
        log = records.of_memory(store, memory.id)
        gone = undone(log)
        history = [(record, (record.device, record.sequence) in gone) for record in log]
        shown = showings.of_memory(store, memory.id)
        counts = showings.counts(store, [memory.id]).get(memory.id, NEVER)
        happened = recurrences.days(store, memory.id)
        along = _told_along(store, memory)
        hits = memories.hits(store, [memory.id]).get(memory.id, 0)
        line = memory_lines.about_the_same(store, memory)
        if json:
            output.print_json(
                output.as_json(store, memory, hits)
                | {
                    "history": [_json(record, taken_back) for record, taken_back in history],
                    "showings": [
                        {"moment": s.moment, "at": s.at, "tokens": s.tokens, "outcome": s.outcome} for s in shown
                    ],
                    "told_with": [{"id": one.id} | dataclasses.asdict(came) for one, came in along],
                    "helped": counts.helped,
                    "ignored": counts.ignored,
                    "quiet": quiet.reason(counts, memory) or None,
                    "waits_for_action": quiet.waits_for_action(counts, memory),
                    "happened": happened,
                    "line": [
                        {"id": one.id, "at": one.created_at, "status": one.status, "headline": one.headline}
                        for one in line
                    ],
                },
                store,
            )
            return
        _print_memory(store, memory, hits)
        print("\nhistory")
        for record, taken_back in history:
            print(f"  {plain.day(record.at)}  {_told(memory, record)}{' (undone)' if taken_back else ''}")
        _print_line(memory, line)
        _print_happened(happened)
        _print_showings(shown, counts, memory)
        for one, came in along:
            times = output.counted(came.shown, "time")
            print(
                f"told with {one.short_id}, which was shown {times} since; helped {came.helped}, ignored {came.ignored}"
            )


@dataclass(frozen=True, slots=True)
class Along:
    """What came of the showings of what it was told with."""

    shown: int
    helped: int
    ignored: int


def _told_along(store: Store, memory: Memory) -> list[tuple[Memory, Along]]:
    """The failures that it was told with: a fix is said in their line, and has no showing of its own."""
    targets = [link.target for link in memory.links if link.kind is LinkKind.FIXES]
    found = []
    for failure in memories.by_ids(store, targets).values():
        if memory.id not in {one.id for one in moments.told_along(store, failure)}:
            continue
        since = [one.outcome for one in showings.of_memory(store, failure.id) if one.at >= memory.created_at]
        if since:
            found.append((failure, Along(len(since), since.count(Outcome.HELPED), since.count(Outcome.IGNORED))))
    return found


def _print_memory(store: Store, memory: Memory, hits: int) -> None:
    where = context.project_name(store, memory.scope.project)
    output.print_details(plain.details(quoting.shown(memory), where, hits, output.origin(store, memory)))


def _print_line(memory: Memory, line: list[Memory]) -> None:
    """What was kept about the same, in the order of time, with this one in its place."""
    if not line:
        return
    print("\nabout the same, in the order of time")
    for one in sorted([memory, *line], key=lambda one: (one.created_at, one.id)):
        said = "this one" if one.id == memory.id else quoting.shown(one, quoting.HEADLINE).headline
        state = "" if one.status is Status.ACTIVE else f" ({one.status})"
        print(f"  {plain.day(one.created_at)}  {one.short_id}  {plain.one_line(said)}{state}")


def _print_happened(happened: dict[str, int]) -> None:
    if happened:
        first, *later = happened
        print(f"\nhappened on {first}" + (f" and on {len(later)} later, last {later[-1]}" if later else ""))


def _print_showings(shown: list[Showing], counts: Counts, memory: Memory) -> None:
    tokens = output.counted(sum(one.tokens for one in shown), "token")
    came = f"; helped {counts.helped}, ignored {counts.ignored}" if shown else ""
    print(f"\nshown {output.counted(len(shown), 'time')}, {tokens}{came}")
    for one in shown[-MOST:]:
        print(f"  {plain.day(one.at)}  {one.moment}, {output.counted(one.tokens, 'token')}: {one.outcome}")
    if why := quiet.reason(counts, memory):
        print(f"quiet: {why}. It is still said before the action and after the failure, and found when asked for.")
    elif quiet.waits_for_action(counts, memory):
        print("no longer said at a prompt, where it was ignored: only before the action and after the failure.")


def _told(memory: Memory, record: Record) -> str:
    return quoting.words(memory, plain.one_line(sentence(record)))


def sentence(record: Record) -> str:
    """One record in words."""
    payload = record.payload or {}
    match record.operation:
        case records.CREATE:
            return f"kept as {payload.get('kind')} by {payload.get('source')} (trust: {payload.get('trust')})"
        case records.EDIT:
            plain = {name: value for name, value in payload.items() if name != "more_evidence"}
            more = [str(one) for one in payload.get("more_evidence", ())]
            return "changed: " + "; ".join([*(f"{name} → {value}" for name, value in plain.items()), *more])
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
