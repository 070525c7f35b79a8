"""Whether recall finds the right memory, ranks the present state first, and knows when to be silent.

    python -m bench recall [--locomo FILE] [--commits REPO] … [--quick]

The same as `hardwon bench recall`: the code that measures comes with the package. Here are the project's own questions.
"""

from bench.recall.command import main

__all__ = ["main"]
