from __future__ import annotations

import shlex
import sys
from typing import Annotated, Any

import typer

from hardwon.cli.app import fail
from hardwon.cli.support import context, output
from hardwon.cli.support.item import why
from hardwon.cli.support.options import Everywhere, Json, ProjectName
from hardwon.memories import check
from hardwon.memories.check import Finding, Target
from hardwon.memory import Memory
from hardwon.redact import border
from hardwon.render import context as rendered
from hardwon.store.connection import Store
from hardwon.text import errors

MOST = 4_000_000
"""Bytes of an error on standard input; a longer output has its telling lines in there too."""


# A command's own options are its own: what stands before it is for check, all the rest is the command.
_REST = {"allow_interspersed_args": False, "help_option_names": ["-h", "--help"]}
app = typer.Typer(rich_markup_mode="markdown", add_completion=False)


@app.command("check", context_settings=_REST)
def run(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[COMMAND]...", help="A command that is to be run, as it would be typed"),
    ] = None,
    file: Annotated[str, typer.Option("--file", "-f", metavar="PATH", help="A file that is to be changed")] = "",
    command: Annotated[str, typer.Option("--command", "-c", metavar="TEXT", help="A command that is to be run")] = "",
    symbol: Annotated[str, typer.Option("--symbol", metavar="NAME", help="A function, class or variable")] = "",
    error: Annotated[
        str, typer.Option("--error", "-e", metavar="TEXT", help="What was printed; - reads standard input")
    ] = "",
    project: ProjectName = None,
    everywhere: Everywhere = False,
    json: Json = False,
) -> None:
    """Say what is known about exactly this file, command, symbol or error

    Example: `hardwon check make test`

    The rest of the line is the command; options of check stand before it (`hardwon check --json npm run build`).

    Failures with what worked or what was tried, rules, decisions, lessons: first those about the very target, then
    those about its folder and about other commands of the same family. `hardwon recall` also looks for words.
    """
    command = _command(words or [], command)
    target = Target(file.strip(), command.strip(), symbol.strip(), read_error(error))
    if not target:
        fail("Check what? Give a command, --file, --command, --symbol or --error. Try: hardwon check make test", 2)
    with context.reading() as store:
        target = _as_kept(store, target)
        place, scopes = context.scopes_to_tell(store, project, everywhere)
        root, cwd = (place.root, context.folder()) if place else ("", "")
        found = check.check(store, target, scopes, root, cwd, context.now())
        if json:
            items = [_json(store, one) for one in found]
            output.print_json({"items": items, "silent": not items, "signature": errors.signature(target.error)}, store)
            return
        for line in rendered.findings(found):
            print(line)
        if not found:
            output.remark("nothing known")


def _command(words: list[str], option: str) -> str:
    """The rest of the line as a shell would take it; a single word is a whole command in quotation marks."""
    if words and option:
        fail(f'There are two commands, "{option}" and "{shlex.join(words)}": check one at a time.', 2)
    if len(words) < 2:
        return "".join(words) or option
    if " " in words[0].strip() and all(word.startswith("-") for word in words[1:]):
        after = shlex.join(words[1:])
        fail(f"{after} stands behind the command. Try: hardwon check {after} {shlex.quote(words[0])}", 2)
    return shlex.join(words)


def read_error(given: str) -> str:
    """Any bytes will do: it is what some program printed."""
    return sys.stdin.buffer.read(MOST).decode("utf-8", "replace") if given == "-" else given


def _as_kept(store: Store, target: Target) -> Target:
    """Without secrets, as what was learned from the same text was kept."""
    given = {name: getattr(target, name) for name in ("file", "command", "symbol", "error")}
    return Target(**border.clean(given, store.redactor))


def _json(store: Store, one: Finding) -> dict[str, Any]:
    whole = output.as_json(store, one.memory, one.known.item.ranked.candidate.hits)
    names = ("id", "kind", "title", "body", "scope", "status", "trust", "source", "because", "rejected")
    return {name: whole[name] for name in names} | {
        "near": one.near,
        "why": why(one.known.item),
        "seen": one.known.times,
        "worked": [_attempt(fix) for fix in one.known.fixes],
        "tried": [_attempt(fix) for fix in one.known.tried],
    }


def _attempt(fix: Memory) -> dict[str, Any]:
    return {"id": fix.id, "body": fix.body, "outcome": fix.subtype, "trust": fix.trust}
