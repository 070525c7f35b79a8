from __future__ import annotations

import contextlib
import io
import json as json_module
import os
import stat
import sys
from collections.abc import Iterator
from typing import Annotated, TextIO

import typer

from hardwon.cli.app import fail
from hardwon.cli.support import context, output
from hardwon.cli.verbs import leaving
from hardwon.regular_file import replaced
from hardwon.store.log import exchange


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
        with output.progress("exporting"), leaving.safe():
            for line in exchange.export(store):  # without what redaction finds today
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
    whole = _can_be_replaced(file)
    try:
        with contextlib.ExitStack() as stack:
            try:
                target = stack.enter_context(_draft(file, force) if whole else _stream(file, force))
            except FileExistsError:
                fail(f'"{file}" exists: say --force to replace it, or choose another name.')
            except OSError as error:
                fail(f'"{file}" can\'t be written: {error.strerror}. Name a file in a folder of yours.')
            yield target
    except OSError as error:
        what = "was not written" if whole else "is incomplete"
        fail(f'"{file}" {what}: {error.strerror}. Free some space, or name another file, then export again.')


def _can_be_replaced(file: str) -> bool:
    """A regular file, or none yet; not a device, a pipe, a folder, or an open file that no name leads to any more."""
    try:
        return stat.S_ISREG(os.stat(file).st_mode) and os.path.samefile(file, os.path.realpath(file))  # noqa: PTH116, PTH121
    except OSError:
        return not os.path.exists(file)  # noqa: PTH110


@contextlib.contextmanager
def _draft(file: str, force: bool) -> Iterator[TextIO]:
    """The last good export stays until this one is on the disk."""
    if not force:
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))  # the name is ours from now on
    try:
        with replaced(file) as draft:
            target = io.TextIOWrapper(draft, encoding="utf-8")
            yield target
            target.detach()
    except BaseException:
        if not force:
            os.unlink(file)  # noqa: PTH108
        raise


def _stream(file: str, force: bool) -> TextIO:
    """What has no contents that could be lost."""
    handle = os.open(file, os.O_WRONLY | (os.O_TRUNC if force else os.O_CREAT | os.O_EXCL), 0o600)
    return os.fdopen(handle, "w", encoding="utf-8")
