from __future__ import annotations

from typing import Annotated

import typer

from hardwon.cli.app import fail
from hardwon.cli.support import context, output
from hardwon.cli.support.options import Json, Yes
from hardwon.redact import border
from hardwon.store.erasure import scrub


def run(
    apply: Annotated[bool, typer.Option("--apply", help="Take it out; it can't be brought back")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only list it, as without --apply")] = False,
    yes: Yes = False,
    json: Json = False,
) -> None:
    """List what today's redaction rules find in what is already stored, and take it out

    Example: `hardwon scrub --apply`

    Lists how many of each type, and changes nothing. With `--apply` it is taken out of memories, journal, files and
    copies, for good. Run it after adding a rule of your own. What a new version of hardwon knows by name goes from old
    memories by itself; what only looks random is `unexplained`, and waits for you.
    """
    if apply and dry_run:
        fail("--apply and --dry-run exclude each other: give one of them.", code=2)
    with context.reading() as store, output.progress("looking"):
        found = scrub.scrub(store, dry_run=True)
    if apply:
        found = _apply(found, yes)
    if json:
        figures = {"memories": found.memories, "rows": found.rows, "findings": found.findings}
        output.print_json(figures | {"dry_run": not apply})
        return
    _print(found, apply)


def _apply(found: scrub.Scrubbed, yes: bool) -> scrub.Scrubbed:
    """Asked with nothing locked: a person may take their time."""
    if not (found.memories or found.rows):
        return found
    if not output.confirm(f"Take {_counted(found)} out? It can't be brought back.", yes):
        fail("Nothing was changed. Say --yes to take it out without a question.")
    with context.writing() as store, output.progress("scrubbing"):
        return scrub.scrub(store)


def _print(found: scrub.Scrubbed, apply: bool) -> None:
    for name, count in sorted(found.findings.items()):
        print(f"{name}\t{count}")
    print(f"{_counted(found)} {'redacted' if apply else 'would be redacted'}")
    if not apply and (found.memories or found.rows):
        looks = "; what is unexplained only looks random" if border.UNEXPLAINED in found.findings else ""
        output.remark(f"nothing was changed{looks}: `hardwon scrub --apply` takes it out, for good")


def _counted(found: scrub.Scrubbed) -> str:
    others = "1 other entry" if found.rows == 1 else f"{found.rows} other entries"
    return f"{output.counted(found.memories, 'memory')} and {others}"
