from __future__ import annotations

import contextlib
import json as json_module
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import typer

from hardwon.cli.app import fail
from hardwon.cli.support import caller, context, output
from hardwon.cli.support.options import Json, Skill, Yes
from hardwon.cli.verbs import import_foreign
from hardwon.store.erasure import forget
from hardwon.store.log import exchange, incoming


def run(
    source: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="What to read; - is standard input. Or: fireworks, magic-context, a KNOWLEDGE.md",
            show_default=False,
        ),
    ],
    more: Annotated[
        Path | None,
        typer.Argument(
            metavar="[PATH]", help="The folder of fireworks, or the database of magic-context", show_default=False
        ),
    ] = None,
    skill: Skill = None,
    everywhere: Annotated[bool, typer.Option("--everywhere", help="A KNOWLEDGE.md that holds for every skill")] = False,
    project: Annotated[
        str | None, typer.Option("--project", "-p", metavar="NAME", help="For what belongs to an unknown project")
    ] = None,
    yes: Yes = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be taken in, and change nothing")] = False,
    json: Json = False,
) -> None:
    """Take in an export, JSON Lines with a "body", or what another tool has kept

    Example: `hardwon import memories.jsonl`

    `hardwon import fireworks` and `hardwon import magic-context FILE.db` read the skill memory of these two, `hardwon
    import path/to/KNOWLEDGE.md` one file of lessons; they show what is new, and ask. Nothing is written to their files.
    Taking the same in twice changes nothing. What was forgotten here stays forgotten.
    """
    if source in import_foreign.TOOLS or source.endswith(".md"):
        options = import_foreign.Options(skill, everywhere, project, yes, dry_run, json)
        import_foreign.run(source, more, options)
        return
    import_foreign.must_be_a_file(source)
    if more is not None or skill is not None or everywhere or project is not None or dry_run:
        tools = " or ".join(import_foreign.TOOLS)
        fail(f'"{source}" is a file: options and a second path go with {tools} or a KNOWLEDGE.md.', code=2)
    _take_in(source, json)


def _take_in(file: str, json: bool) -> None:
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
                "memories": merged.taken_in,
                "known": merged.known,
                "forgotten": merged.forgotten,
                "set_aside": merged.set_aside,
                "rejected": rejected,
            }
        )
    else:
        aside = f", {len(merged.set_aside)} set aside" if merged.set_aside else ""
        print(
            f"{output.counted(merged.taken_in, 'memory')} taken in, {output.counted(merged.known, 'line')} known "
            f"already, {merged.forgotten} forgotten{aside}"
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
        except RecursionError:
            line = {"type": "unreadable", "problem": incoming.TOO_DEEP}
        yield line if isinstance(line, dict) else {"type": "unreadable", "problem": "not a JSON object"}


@contextlib.contextmanager
def _opened(file: str) -> Iterator[BinaryIO]:
    if file == "-":
        yield sys.stdin.buffer
        return
    try:
        source = Path(file).open("rb")  # noqa: SIM115
    except OSError as error:
        fail(f'"{file}" can\'t be read: {error.strerror}. Name a file that is there, or - for standard input.')
    with source:
        if source.peek(16).startswith(b"SQLite format 3"):
            fail(f'"{file}" is a database. One of magic-context: `hardwon import magic-context {file}`.')
        yield source
