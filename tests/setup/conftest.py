from __future__ import annotations

from pathlib import Path

import pytest

from hardwon.paths import Home
from tests.live.conftest import claude, model
from tests.setup.machine import Machine

__all__ = ["claude", "model"]


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """Claude Code has been started once, and nothing of it was changed since."""
    (tmp_path / ".claude").mkdir(mode=0o700)
    return Machine(tmp_path, Home(tmp_path / "memory"))
