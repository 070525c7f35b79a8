"""What the memory's tools are called in Pi: what they are asked and what they answer is nothing to learn from."""

from __future__ import annotations

EVERYWHERE = ("note", "recall", "check", "mark")
OF_SKILLS = {"skill_note": "note", "skill_recall": "recall"}
NAMES = frozenset({*(f"memory_{name}" for name in EVERYWHERE), *OF_SKILLS})
