"""Standard input, output and error as a command finds them: closed, on a full disk, without some letters."""

from __future__ import annotations

import io
import os
import sys


def prepare() -> bool:
    """Make them fit to be used; False when there is nowhere to print to."""
    # In this order: each takes the lowest free number, which is the one that was closed.
    sys.stdin = sys.stdin or open(os.devnull, encoding="utf-8")  # noqa: PTH123, SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    if isinstance(sys.stdout, io.TextIOWrapper) and not is_unicode():
        sys.stdout.reconfigure(errors="replace")
    from hardwon.cli.verbs import leaving

    leaving.watch()
    return sys.stdout is not None


def is_unicode() -> bool:
    """Whether every letter can be printed."""
    return sys.stdout.encoding.lower().replace("-", "") == "utf8"


def is_coloured() -> bool:
    """Whether escape codes of our own may be printed, as Rich decides for its tables: https://no-color.org."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") not in ("dumb", "unknown")


def can_ask() -> bool:
    """Whether somebody can answer: at a terminal, and not in its background, where who reads from it is stopped."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    try:
        return os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp()
    except OSError:  # not the terminal of this session, which stops nobody
        return True


def lost() -> OSError | None:
    """Why what was printed can't be written out. It is given up then: Python would try once more when it leaves."""
    if sys.stdout is None:
        return None
    try:
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return error
    return None
