"""The scenarios were written before anybody tuned for them, and stay as they were: their hash says so.

    python -c "from bench.replay import frozen; print(frozen.digest())" > bench/replay/FROZEN

It covers the scenarios, the unrelated prompts and commands, and how all is judged.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

FOLDER = Path(__file__).parent
FROZEN = FOLDER / "FROZEN"


def digest() -> str:
    files = [*sorted((FOLDER / "scenarios").glob("*.json")), FOLDER / "unrelated.json"]
    whole = hashlib.sha256()
    for file in (*files, FOLDER / "judge.py"):
        whole.update(f"{file.name}\n{file.stat().st_size}\n".encode() + file.read_bytes())
    return whole.hexdigest()


def matches() -> bool:
    return FROZEN.is_file() and FROZEN.read_text("utf-8").strip() == digest()
