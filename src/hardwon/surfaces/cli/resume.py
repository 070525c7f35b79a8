from __future__ import annotations

from hardwon.store import control
from hardwon.surfaces.cli import context, output
from hardwon.surfaces.cli.options import Json


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
