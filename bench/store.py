"""`note`, `recall` and the journal inside one process, at a thousand memories and at a hundred thousand.

The stores are built first; then all sizes take turns with the same questions. What is kept is how much slower a large
store is than a small one, and what the bound on index entries costs in answers (`quality.py`).
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from bench import quality, questions
from bench.measure import Times, interleaved, keep, ms, print_table, progress, ratio
from bench.questions import Asked
from bench.texts import PROJECTS, Writer, harvest
from hardwon.event import Event, EventType, Tier
from hardwon.memories import recall
from hardwon.memory import Draft
from hardwon.paths import Home
from hardwon.settings import DEFAULTS
from hardwon.store import changes
from hardwon.store.connection import Store, open_store
from hardwon.store.tables import journal

NOW = 1_790_000_000_000
YEAR = 365 * 86_400_000
BATCH = 2_000
SESSION = 100
"""Events of one session in the journal."""
TARGET = 10.0
"""Recall at the largest size may take so many times as long as at the smallest (p95)."""


def main(argv: list[str]) -> int:
    options = _options(argv)
    kept, held_out = harvest()
    writer = Writer(kept)
    with tempfile.TemporaryDirectory(prefix="hardwon-bench-") as folder:
        stores = {size: build(Path(folder, str(size)), writer, size) for size in options.sizes}
        asked = list(questions.mixed(writer, min(options.sizes), options.rounds))
        speed = {"recall": measure_recall(stores, asked), "note": measure_note(stores, writer, options.rounds)}
        journals = {size: build_journal(Path(folder, f"j{size}"), size, writer) for size in options.journal}
        speed |= measure_journal(journals, options.rounds)
        good = quality.measure(stores[max(stores)], writer, held_out, max(stores), options.questions, NOW)
    _report(speed)
    quality.report(good)
    keep("store", {"speed": _as_json(speed), "quality": good})
    return _verdict(speed["recall"])


def _options(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench store", description=__doc__)
    parser.add_argument("--sizes", type=_sizes, metavar="N,N", help="memories in each store, the smallest first")
    parser.add_argument("--journal", type=_sizes, metavar="N,N", help="entries in each journal")
    parser.add_argument("--rounds", type=int, help="how often each is measured")
    parser.add_argument("--questions", type=int, help="labelled questions, and as many without an answer")
    parser.add_argument("--quick", action="store_true", help="small sizes, under a minute")
    quick = parser.parse_args(argv).quick
    parser.set_defaults(
        sizes=[1_000, 10_000] if quick else [1_000, 10_000, 100_000],
        journal=[1_000, 20_000] if quick else [10_000, 1_000_000],
        rounds=120 if quick else 400,
        questions=120 if quick else 600,
    )
    return parser.parse_args(argv)


def _sizes(text: str) -> list[int]:
    return sorted(int(part.replace("_", "")) for part in text.split(","))


def opened(folder: Path) -> Store:
    return open_store(Home(folder), DEFAULTS)


def build(folder: Path, writer: Writer, size: int) -> Store:
    """A store with the first `size` memories of the writer, noted over a year."""
    store = opened(folder)
    for start in range(0, size, BATCH):
        progress(f"building a store of {size:,} memories: {start:,}")
        with store.transaction():
            for number in range(start, min(size, start + BATCH)):
                changes.note(store, writer.text(number).draft, NOW - YEAR + YEAR * number // size)
    progress("")
    return store


def measure_recall(stores: dict[int, Store], asked: Sequence[Asked]) -> dict[int, Times]:
    """The same questions to every store, some of them once before to warm up."""
    variants = {size: partial(_ask, store, asked) for size, store in stores.items()}
    interleaved(variants, len(asked) // 4)
    return interleaved(variants, len(asked))


def _ask(store: Store, asked: Sequence[Asked], number: int) -> None:
    settings = store.settings.recall
    recall(store, asked[number].question, NOW, limit=settings.limit, budget=settings.budget_tokens)


def measure_note(stores: dict[int, Store], writer: Writer, rounds: int) -> dict[int, Times]:
    """New texts, each in a transaction of its own."""
    fresh = [writer.text(10_000_000 + number).draft for number in range(rounds)]
    return interleaved({size: partial(_note, store, fresh) for size, store in stores.items()}, rounds)


def _note(store: Store, drafts: Sequence[Draft], number: int) -> None:
    changes.note(store, drafts[number], NOW + number)


def build_journal(folder: Path, size: int, writer: Writer) -> Store:
    store = opened(folder)
    texts = [writer.text(number).draft.body for number in range(500)]
    for start in range(0, size, BATCH):
        progress(f"building a journal of {size:,} entries: {start:,}")
        with store.transaction():
            for event in _events(range(start, min(size, start + BATCH)), texts):
                journal.append(store, event, Tier.FULL)
    progress("")
    return store


def _events(numbers: Sequence[int], texts: Sequence[str]) -> Iterator[Event]:
    for number in numbers:
        session = number // SESSION
        yield Event(
            EventType.TOOL_FAILED if number % 7 == 0 else EventType.TOOL_FINISHED,
            host="claude-code",
            session=f"session-{session:08}",
            at=NOW - YEAR + number,
            project=PROJECTS[session % len(PROJECTS)],
            cwd=f"/home/me/work/{session % len(PROJECTS)}",
            call=f"call-{number:08}",
            tool="Bash",
            target=f"pytest tests/test_{number % 977}.py",
            text=texts[number % len(texts)],
            exit_status=number % 7 == 0,
            error=texts[number * 3 % len(texts)] if number % 7 == 0 else "",
        )


def measure_journal(journals: dict[int, Store], rounds: int) -> dict[str, dict[int, Times]]:
    fresh = list(_events(range(50_000_000, 50_000_000 + rounds), ["one more line of output", "and another one"]))
    appends = {size: partial(_append, store, fresh) for size, store in journals.items()}
    reads = {size: partial(_read_session, store, size // SESSION) for size, store in journals.items()}
    return {
        "journal.append": interleaved(appends, rounds),
        f"journal.of_session ({SESSION} events)": interleaved(reads, rounds),
    }


def _append(store: Store, events: Sequence[Event], number: int) -> None:
    journal.append(store, events[number], Tier.FULL)


def _read_session(store: Store, sessions: int, number: int) -> None:
    session = number * 7919 % sessions
    events = list(journal.of_session(store, "claude-code", f"session-{session:08}"))
    assert len(events) == SESSION, len(events)


def _report(speed: dict[str, dict[int, Times]]) -> None:
    rows = []
    for what, sizes in speed.items():
        base = sizes[min(sizes)]
        for size, times in sorted(sizes.items()):
            ratios = [ratio(times.cpu.p50, base.cpu.p50), ratio(times.cpu.p95, base.cpu.p95)]
            spent = [ms(times.cpu.p50), ms(times.cpu.p95), ms(times.wall.p50), ms(times.wall.p95)]
            rows.append([what, f"{size:,}", *ratios, *spent])
    print_table(
        "Speed in one process; the ratios are of processor time, to the smallest store of the same run",
        ["what", "in the store", "p50", "p95", "p50 ms", "p95 ms", "p50 ms, clock", "p95 ms, clock"],
        rows,
    )


def _as_json(speed: dict[str, dict[int, Times]]) -> dict[str, Any]:
    return {what: {str(size): asdict(times) for size, times in sizes.items()} for what, sizes in speed.items()}


def _verdict(recalled: dict[int, Times]) -> int:
    """Say whether the promise is kept; the exit status is for whoever runs it unattended."""
    small, large = min(recalled), max(recalled)
    grown = recalled[large].cpu.p95 / recalled[small].cpu.p95
    kept = grown <= TARGET
    verdict = f"at most {TARGET:.0f} is promised: {'kept' if kept else 'MISSED'}"
    print(f"\nrecall p95 at {large:,} memories is {grown:.1f} times that at {small:,}; {verdict}")
    return 0 if kept else 1
