"""Told before a mistake is repeated, silent otherwise: written sessions through the real hooks, beside plain BM25.

    python -m bench replay [--only ID] [--json] [--verbose] [--quick]

See README.md here for what a scenario is and how it is judged.
"""

from bench.replay.command import main

__all__ = ["main"]
