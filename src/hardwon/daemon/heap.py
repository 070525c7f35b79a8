"""How the C library keeps what is free."""

from __future__ import annotations

import sys

_ARENA_MAX = -8
"""M_ARENA_MAX of glibc's malloc.h."""


def share() -> None:
    """One heap for all threads. glibc gives each its own, and each keeps what its largest question took: 20 MB more,
    where most of the time only one of them has anything to do."""
    import ctypes

    if sys.platform == "linux" and (mallopt := getattr(ctypes.CDLL(None), "mallopt", None)):
        mallopt(_ARENA_MAX, 1)
