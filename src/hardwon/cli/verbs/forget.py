from __future__ import annotations

from typing import Annotated

import typer

from hardwon.cli.app import fail
from hardwon.cli.support import caller, context, output
from hardwon.cli.support.options import Json, Yes
from hardwon.cli.verbs import forget_session
from hardwon.render import plain
from hardwon.store.erasure import forget


def run(
    ids: Annotated[
        list[str] | None, typer.Argument(metavar="[ID...]", help="One or more ids", show_default=False)
    ] = None,
    session: Annotated[
        str | None,
        typer.Option("--session", metavar="ID", help="What is kept of a session instead, by its first characters"),
    ] = None,
    with_memories: Annotated[
        bool, typer.Option("--memories", help="With --session: also what was learned from it")
    ] = False,
    yes: Yes = False,
    json: Json = False,
) -> None:
    """Forget for good: the text is erased, and not learned again

    Example: `hardwon forget 7f3a1c`

    Not one byte of it stays under the home: history, copies and quotations go too. This can't be undone. With
    `--session` what was said and done in a past session is erased; `hardwon search --sessions` shows its id. What was
    learned from it stays, unless you say `--memories`.
    """
    _one_of(ids, session, with_memories)
    if session is not None:
        forget_session.run(session, with_memories, yes, json)
        return
    with context.writing() as store:
        doomed = [context.existing(store, id) for id in ids or ()]
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


def _one_of(ids: list[str] | None, session: str | None, with_memories: bool) -> None:
    if ids and session is not None:
        fail("Ids and --session exclude each other: give one of them.", code=2)
    if not ids and session is None:
        fail("Say what to forget: the id of a memory, or --session with the id of a session.", code=2)
    if with_memories and session is None:
        fail("--memories goes with --session: it forgets what was learned from that session.", code=2)


def _also(done: forget.Forgotten) -> str:
    cut = done.journal_entries + done.quotations
    return f" (and cut out of {cut} other entries)" if cut else ""
