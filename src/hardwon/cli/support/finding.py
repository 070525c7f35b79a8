"""One thing that the doctor looked at."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    what: str
    ok: bool
    says: str
    fix: str = ""
    """The next step, when it is not well, or when there is one to take."""
    note: bool = False
    """Neither well nor wrong: nothing is broken, and something that is wanted may be missing."""
