from __future__ import annotations

import re
from typing import Annotated

import typer

from hardwon.cli.app import fail
from hardwon.cli.support import context, output
from hardwon.cli.support.options import Json
from hardwon.render import plain
from hardwon.store import control

_UNITS = {"m": 60_000, "h": 3_600_000, "d": 86_400_000}


def run(
    duration: Annotated[str | None, typer.Option("--for", metavar="TIME", help="How long, as 30m, 2h or 1d")] = None,
    json: Json = False,
) -> None:
    """Keep nothing and say nothing until resume, or for a time

    Example: `hardwon pause --for 2h`

    That is for agents: what you note by hand in your own terminal is still kept, and what you look up there is found.
    """
    now = context.now()
    until = now + _milliseconds(duration) if duration else None
    with context.writing() as store:
        control.pause(store, until, now)
    if json:
        output.print_json({"paused": True, "until": until})
    else:
        print(f"paused {'until ' + plain.day(until) if until else 'until `hardwon resume`'}")


def _milliseconds(duration: str) -> int:
    match = re.fullmatch(r"(\d{1,5})\s*([mhd])", duration.strip())
    if not match or not int(match[1]):
        fail(f'--for "{duration}" is not a time. Try: --for 30m, --for 2h or --for 1d', code=2)
    return int(match[1]) * _UNITS[match[2]]
