"""Help without what writes it: the pages lie ready in `help.txt`, as `python -m docs.generate` made them.

They are as wide as a pipe is taken to be, 80 columns. Where the real thing might look different, it is made anew: in a
narrow terminal, in other letters, with a variable that changes colours or the width.
"""

import posix
import sys

COLUMNS = 80
FILE = __file__.rpartition("/")[0] + "/help.txt"
_CHANGING = (b"COLUMNS", b"LINES", b"TERMINAL_WIDTH", b"NO_COLOR", b"FORCE_COLOR", b"PY_COLORS", b"GITHUB_ACTIONS",
             b"TTY_COMPATIBLE", b"TTY_INTERACTIVE", b"TYPER_USE_RICH", b"_TYPER_FORCE_DISABLE_TERMINAL",
             b"JUPYTER_COLUMNS", b"JUPYTER_LINES")  # fmt: skip


def show(argv: list[str]) -> bool:
    """Whether it was shown; what is no question for help, or has no page, is not."""
    asked = name(argv)
    if asked is None or not _is_usual():
        return False
    with open(FILE, encoding="utf-8") as file:  # noqa: PTH123
        _, found, rest = file.read().partition(f"\f{asked}\n")
    if not found:
        return False
    page = rest.partition("\f")[0]
    text = (page if posix.isatty(1) else plain(page)).encode()
    try:
        while text:
            text = text[posix.write(1, text) :]
    except OSError:  # it says so when it is made anew
        return False
    return True


def name(argv: list[str]) -> str | None:
    """The page that a command line asks for: the command, `--all` for all of them; None when it asks for none."""
    if not argv:
        return ""
    if argv[0] == "help":
        words = ["--all" if one == "-a" else one for one in argv[1:]]
        return None if "--help" in words or "-h" in words else " ".join(words)
    *words, last = argv
    if last not in ("--help", "-h") or any(one.startswith("-") for one in words):
        return None
    return " ".join(words)


def plain(page: str) -> str:
    """Without the codes for a terminal."""
    first, *others = page.split("\x1b[")
    return first + "".join(one.partition("m")[2] for one in others)


def _is_usual() -> bool:
    if sys.stdout is None or sys.stdin is None or sys.stderr is None or sys.stdout.encoding != "utf-8":
        return False
    if any(one in posix.environ for one in _CHANGING):
        return False
    if not posix.isatty(1):
        return True
    is_colourful = posix.environ.get(b"TERM", b"") not in (b"", b"dumb", b"unknown")
    return is_colourful and posix.get_terminal_size(1).columns >= COLUMNS
