"""Commands with verbs of their own, of which one is meant when none is said."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup

_HELP = ("-h", "--help")


def group(default: str) -> typer.Typer:
    """`hardwon review` is `hardwon review list`, and `hardwon review --json` is `hardwon review list --json`."""

    class Defaulting(TyperGroup):
        def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
            named = args and (not args[0].startswith("-") or args[0] in _HELP)
            return super().parse_args(ctx, args if named else [default, *args])

    return typer.Typer(cls=Defaulting, rich_markup_mode="markdown", add_completion=False)
