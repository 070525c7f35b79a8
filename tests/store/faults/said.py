"""What a command said when something was broken: one sentence, and no traceback."""

from __future__ import annotations

import subprocess

Said = subprocess.CompletedProcess[str]


def is_a_sentence(said: Said) -> bool:
    """Exit status 1 and one line on stderr, without a traceback."""
    lines = said.stderr.strip().splitlines()
    return said.returncode == 1 and len(lines) == 1 and lines[0].startswith("hardwon: ")
