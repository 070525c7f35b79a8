"""How long recall and the search in past conversations take as the memory grows, with vectors and without."""

from bench.recall.latency import main

__all__ = ["main"]
