from __future__ import annotations

from typing import Annotated

import typer

from hardwon.store import scrub
from hardwon.surfaces.cli import context, output
from hardwon.surfaces.cli.options import Json


def run(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be taken out")] = False,
    json: Json = False,
) -> None:
    """Apply today's redaction rules to what is already stored

    Example: `hardwon scrub --dry-run`

    Run it after an upgrade or after adding a rule of your own. What is taken out can't be brought back.
    """
    with context.writing() as store:
        with output.progress("scrubbing"):
            done = scrub.scrub(store, dry_run=dry_run)
        if json:
            output.print_json(
                {"memories": done.memories, "rows": done.rows, "findings": done.findings, "dry_run": dry_run}
            )
            return
        verb = "would be redacted" if dry_run else "redacted"
        for name, count in sorted(done.findings.items()):
            print(f"{name}\t{count}")
        print(f"{output.counted(done.memories, 'memory')} and {done.rows} other entries {verb}")
