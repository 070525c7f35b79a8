"""The lines of an output that say what went wrong: what is kept of a failure, and what a new one is compared by."""

from __future__ import annotations

import re
from functools import lru_cache

from hardwon.text.errors import signatures, steady
from hardwon.text.errors.text import read

MOST = 8
"""Lines of an output that are compared."""
KEPT = 6
"""Lines that are kept with a failure."""
LONGEST = 320
"""Letters of a line."""
_ENDS = 4
"""Telling lines at the beginning and at the end that go before those in between."""

_FRAME = re.compile(
    r"at (?:async |new |Object\.|Module\.)?[\w$.<>/\[\]: ]{0,120}"
    r"\(?(?:[\w./:@\\-]{1,200}:\d+(?::\d+)?|native|<anonymous>)\)?$"
    r"|File '.{1,300}', line \d+|\d+: +(?:0x[0-9a-f]+ - )?[\w:<>]{1,120}$|goroutine \d+ \[|\.\.\. \d+ more"
    r"|[\^~|\s-]+$|Traceback \(most recent|Require stack:|- /\S+$|from /\S+:\d+:in |stack backtrace|stack trace"
    r"|\((?:[\w.-]+ [\w.-]+|[\w-]+)\) [\w./-]+\.exs?:\d+|(?:During handling|The above exception)"
    r"|A complete log of this run|Last message: |State: |node:internal|throw |Node\.js v\d|note: run with|--> "
    r"|in .{1,80} line:? \d+$|[=_*-]{3}.*[=_*-]{3}$|\d+ \|",
    re.IGNORECASE,
)
"""Where the program was, not what was wrong."""
_ECHO = re.compile(
    r"[\w@./-]+@\d[\w.+-]* [\w:-]+$|> [\w@./:-]+ (?:[\w:-]+|/.{1,200})$|[$+>] \S"
    r"|make(?:\[\d+\])?: (?:Entering|Leaving)|Exit code \d+$"
)
"""What a runner says about what it runs."""


@lru_cache(maxsize=64)
def key_lines(output: str, most: int = MOST) -> tuple[str, ...]:
    """In the order in which they were printed: those of a known form, those that sound like an error, and where these
    are few, what stands around them."""
    reading = read(output)
    lines = reading.lines
    clean = [at for at in signatures.solid(reading) if _says_something(lines[at]) and not _is_source(lines, at)]
    first = [found.line for found in signatures.find(output)][:3]
    telling = [at for at in signatures.telling(reading) if at in set(clean)]
    ends = [*telling[-_ENDS:][::-1], *telling[:_ENDS]]
    alone = first or telling[-1:] if len({*first, *telling}) < 2 else []
    around = [at for at in clean for other in alone if 0 < abs(at - other) < 3]
    chosen: dict[str, int] = {}
    more = () if first or telling else (*clean[-3:], *clean[:2])
    for at in (*first, *ends, *telling, *around, *more):
        said = steady.words(lines[at]).lower()
        if said and len(chosen) < most:
            chosen.setdefault(said, at)
    return tuple(lines[at][:LONGEST] for at in sorted(chosen.values()))


def kept(output: str) -> tuple[str, ...]:
    """As they are kept with a failure: nearly as they were printed."""
    return key_lines(output, KEPT)


def _says_something(line: str) -> bool:
    return bool(_WORDS.search(line)) and not _FRAME.match(line) and not _ECHO.match(line)


_WORDS = re.compile(r"[^\W\d_]{2}.*[^\W\d_]{2}|[\u3040-\u9fff]{2}")


def _is_source(lines: tuple[str, ...], at: int) -> bool:
    """The line of code that a Python traceback shows under a place."""
    return at > 0 and lines[at - 1].startswith("File '")
