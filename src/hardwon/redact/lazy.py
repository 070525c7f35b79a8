"""Regular expressions that are compiled when they are first used.

There are some 200 of them, and compiling them all takes longer than everything else a short command does. Most texts
need three or four.
"""

import re
from functools import cache


@cache
def compiled(source: str) -> re.Pattern[str]:
    """ASCII only: what follows a secret in Chinese is not part of it, although Python counts it as letters."""
    return re.compile(source, re.ASCII)
