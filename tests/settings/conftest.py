"""An empty home for the settings file."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardwon.paths import Home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    place = Home(tmp_path / "hardwon")
    place.root.mkdir(mode=0o700)
    return place
