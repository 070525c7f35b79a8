from __future__ import annotations

import contextlib
import io
import json as json_module
import os
import sys
from collections.abc import Iterator
from typing import Annotated, TextIO

import typer

from hardwon.store import exchange
from hardwon.surfaces.cli import context, output
from hardwon.surfaces.cli.app import fail


def run(
    file: Annotated[str, typer.Argument(metavar="[FILE]", help="Where to write; - is standard output")] = "-",
    force: Annotated[bool, typer.Option("--force", "-f", help="Replace an existing file")] = False,
) -> None:
    """Write everything that is remembered as JSON Lines

    Example: `hardwon export memories.jsonl`

    `hardwon import` reads it back to an equal store: memories, their history, projects, what was forgotten.
    """
    with context.reading() as store, _opened(file, force) as target:
        count = 0
        with output.progress("exporting"):
            for line in exchange.export(store):
                target.write(json_module.dumps(line, ensure_ascii=False) + "\n")
                count += 1
    if file != "-":
        output.remark(f"{count} lines written to {file}")


@contextlib.contextmanager
def _opened(file: str, force: bool) -> Iterator[TextIO]:
    if file == "-":
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8")  # as `import` reads it, whatever the terminal speaks
        yield sys.stdout
        return
    flags = os.O_WRONLY | os.O_CREAT | (os.O_TRUNC if force else os.O_EXCL)
    try:
        handle = os.open(file, flags, 0o600)
    except FileExistsError:
        fail(f'"{file}" exists: say --force to replace it, or choose another name.')
    except OSError as error:
        fail(f'"{file}" can\'t be written: {error.strerror}. Name a file in a folder of yours.')
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as target:
            yield target
    except OSError as error:
        fail(f'"{file}" is incomplete: {error.strerror}. Free some space, then export again with --force.')
