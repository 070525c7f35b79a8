"""Opportunities: what came back in past sessions, mined from each session's own future.

This package is the judge, so it shares nothing with what it judges: it imports the events' words and the standard
library, and `fingerprint` says which code it was.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from hardwon.rehearsal.opportunities.happening import Happening, What
from hardwon.rehearsal.opportunities.miner import Miner
from hardwon.rehearsal.opportunities.opportunity import Kind, Opportunity

__all__ = ["Happening", "Kind", "Miner", "Opportunity", "What", "fingerprint"]


def fingerprint() -> str:
    """SHA-256 of this package's source, names and all: figures of two runs are comparable when it is the same."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()
