from __future__ import annotations

import contextlib
import json as json_module
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import typer

from hardwon.store import exchange, forget
from hardwon.surfaces.cli import caller, context, output
from hardwon.surfaces.cli.app import fail
from hardwon.surfaces.cli.options import Json


def run(
    file: Annotated[str, typer.Argument(metavar="FILE", help="What to read; - is standard input", show_default=False)],
    json: Json = False,
) -> None:
    """Take in what `hardwon export` wrote, or JSON Lines with a "body"

    Example: `hardwon import memories.jsonl`

    Taking the same file in twice changes nothing. What was forgotten here stays forgotten.
    """
    with context.writing() as store:
        with _opened(file) as source, output.progress("importing"):
            merged = exchange.merge(store, _lines(source), context.now(), caller.trust())
        if store.meta("purge_due"):
            forget.purge(store)
    rejected = merged.rejected
    if json:
        output.print_json(
            {
                "lines": merged.lines,
                "memories": len(merged.memories),
                "known": merged.known,
                "forgotten": merged.forgotten,
                "set_aside": merged.set_aside,
                "rejected": rejected,
            }
        )
    else:
        print(
            f"{output.counted(len(merged.memories), 'memory')} taken in, {output.counted(merged.known, 'line')} known "
            f"already, {merged.forgotten} forgotten"
        )
    for problem in [*merged.set_aside, *rejected][:10]:
        output.remark(problem)
    if rejected:
        fail(f"{output.counted(len(rejected), 'line')} could not be read; the others were taken in.", answered=True)


def _lines(source: BinaryIO) -> Iterator[dict[str, Any]]:
    """Each line as an object, so that a problem is named by its number in the file."""
    for raw in source:
        try:
            line = json_module.loads(raw) if raw.strip() else {"type": "blank"}
        except ValueError:
            line = {"type": "unreadable", "problem": "not JSON"}
        yield line if isinstance(line, dict) else {"type": "unreadable", "problem": "not a JSON object"}


@contextlib.contextmanager
def _opened(file: str) -> Iterator[BinaryIO]:
    if file == "-":
        yield sys.stdin.buffer
        return
    try:
        source = Path(file).open("rb")  # noqa: SIM115
    except OSError as error:
        fail(f'"{file}" can\'t be read: {error.strerror}.')
    with source:
        yield source
