"""The pages that `hardwon … --help` shows, made by what would make them on the spot (`hardwon/cli/help_page.py`)."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

from typer import rich_utils

from hardwon.cli.app import AllVerbs, Verbs, root
from hardwon.cli.help_page import COLUMNS, FILE

PATH = Path(FILE)


def text() -> str:
    """All pages, each behind a form feed and the words that ask for it."""
    return "".join(f"\f{' '.join(words)}\n{page(words)}" for words in names())


def names() -> Iterator[tuple[str, ...]]:
    """What can be asked for: nothing, all verbs, each verb and what stands below it."""
    yield ()
    yield ("--all",)
    tree = root(AllVerbs)
    for verb in tree.list_commands(None):
        yield from _below((verb,), tree.get_command(None, verb))


def _below(words: tuple[str, ...], command: Any) -> Iterator[tuple[str, ...]]:
    yield words
    for name, one in getattr(command, "commands", {}).items():
        if not one.hidden:
            yield from _below((*words, name), one)


def page(words: tuple[str, ...]) -> str:
    """As a terminal of the usual width shows it."""
    tree = root(AllVerbs if words == ("--all",) else Verbs)
    arguments = [word for word in words if word != "--all"]
    printed = io.StringIO()
    with (
        mock.patch.multiple(rich_utils, FORCE_TERMINAL=True, MAX_WIDTH=COLUMNS, COLOR_SYSTEM="standard"),
        contextlib.redirect_stdout(printed),
    ):
        tree.main(args=[*arguments, "--help"], prog_name="hardwon", standalone_mode=False)
    sys.stdout.flush()
    return printed.getvalue()
