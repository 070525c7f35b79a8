"""The clock of records: time in the upper bits, a counter in the lower 16."""

from __future__ import annotations


def tick(last: int, now: int) -> int:
    """The next clock: the wall's when it has moved on, else one more than the last (also when it jumped back)."""
    return max(last + 1, now << 16)
