from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from hardwon.cli.support import output
from hardwon.hook import install
from hardwon.paths import home


def run(
    client: Annotated[str, typer.Option("--client", metavar="NAME", help="Who asks: kept with what is noted")] = "mcp",
) -> None:
    """Serve this memory to an MCP client, over standard input and output

    Example: `hardwon mcp`

    For the settings of a client that `hardwon setup` does not know. The tools are `note`, `recall`, `check` and
    `mark`. Each session gets a small process of its own in front of the daemon, which is started when it is needed.
    """
    place = home()
    install.refresh(place)
    server = install.mcp_server(place)
    if sys.stdin.isatty():
        output.remark(f"waiting for a client on standard input; its settings need the command {server}")
    os.execv(server, [str(server), client])
