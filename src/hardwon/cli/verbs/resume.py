from __future__ import annotations

from hardwon.cli.support import context, output
from hardwon.cli.support.options import Json
from hardwon.store import control


def run(json: Json = False) -> None:
    """End a pause

    Example: `hardwon resume`
    """
    with context.writing() as store:
        was = control.resume(store, context.now())
    if json:
        output.print_json({"paused": False, "was_paused": was})
    else:
        print("resumed" if was else "it was not paused")
