"""The command line. Each verb is a file; a run loads only the one it needs."""

from __future__ import annotations

import sys


def main() -> None:
    if sys.argv[1:] in (["--version"], ["-V"]):
        from hardwon import __version__

        print(f"hardwon {__version__}")
        return
    from hardwon.surfaces.cli.app import run

    run(sys.argv[1:])
