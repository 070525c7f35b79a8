"""The command line. Each verb is a file; a run loads only the one it needs."""

from __future__ import annotations

import gc
import os
import sys


def main() -> None:
    """One command. A sixth of its time would go into looking for garbage, while modules load and when Python leaves."""
    gc.set_threshold(100_000)
    try:
        _run(sys.argv[1:])
    finally:
        gc.freeze()


def _run(argv: list[str]) -> None:
    if argv in (["--version"], ["-V"]):
        from hardwon import __version__

        print(f"hardwon {__version__}")
        return
    if sorted(argv) in (["--all", "--help"], ["--all", "-h"]):
        argv = ["help", "--all"]
    from hardwon.cli import help_page

    if help_page.show(argv):
        os._exit(0)
    from hardwon.cli.runner import client

    if (code := client.run(argv)) is not None:
        os._exit(code)
    try:
        from hardwon.cli.app import run

        run(argv)
    finally:
        if argv and argv[0] in client.VERBS:
            client.wish()
