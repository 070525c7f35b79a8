"""Where the example file lies, and the environment of somebody with a home folder."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
EXAMPLE = ROOT / "src" / "hardwon" / "hardwon.example.toml"
USER = {"HOME": "/home/somebody"}
