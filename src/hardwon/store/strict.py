"""Whether what a border let pass is an error, as in the tests, or is taken out and counted."""

import os

STRICT = "HARDWON_STRICT_BORDERS"


def is_strict() -> bool:
    return bool(os.environ.get(STRICT))
