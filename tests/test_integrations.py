"""What clients load is built from the sources beside the package, and lies in the package built."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import hardwon

SOURCES = Path(__file__).parents[1] / "integrations"
BUILT = Path(hardwon.__file__).with_name("integrations")


@pytest.mark.skipif(not (SOURCES / "node_modules").is_dir(), reason="npm is missing, so nothing can be built")
def test_the_built_files_are_those_of_the_sources(tmp_path: Path) -> None:
    """Whoever changes a source runs `make integrations`: users have no Node to do it for them."""
    subprocess.run(["node", "build.mjs", str(tmp_path)], cwd=SOURCES, check=True)
    built = {path.relative_to(tmp_path): path.read_bytes() for path in tmp_path.rglob("*.js")}
    assert built
    assert built == {name: (BUILT / name).read_bytes() for name in built}
