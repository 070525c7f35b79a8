from __future__ import annotations

from typing import Annotated

import typer

from hardwon.render import plain
from hardwon.store import forget
from hardwon.surfaces.cli import caller, context, output
from hardwon.surfaces.cli.app import fail
from hardwon.surfaces.cli.options import Json, Yes


def run(
    ids: Annotated[list[str], typer.Argument(metavar="ID...", help="One or more ids", show_default=False)],
    yes: Yes = False,
    json: Json = False,
) -> None:
    """Forget for good: the text is erased, and not learned again

    Example: `hardwon forget 7f3a1c`

    Not one byte of it stays under the home: history, copies and quotations go too. This can't be undone.
    """
    with context.writing() as store:
        doomed = [context.existing(store, id) for id in ids]
        for memory in doomed:
            context.may_change(memory, caller.trust(), "forget")
            if not json:
                output.remark(f"{memory.short_id}  {plain.one_line(memory.headline, 100)}")
        if not output.confirm("Forget this for good?", yes):
            fail("Nothing was forgotten. Say --yes to forget without a question.")
        with output.progress("erasing"):
            done = forget.forget(store, [memory.id for memory in doomed], context.now())
        if json:
            output.print_json(
                {"forgotten": done.memories, "journal_entries": done.journal_entries, "quotations": done.quotations}
            )
        else:
            print(f"forgotten: {done.memories}{_also(done)}")


def _also(done: forget.Forgotten) -> str:
    cut = done.journal_entries + done.quotations
    return f" (and cut out of {cut} other entries)" if cut else ""
