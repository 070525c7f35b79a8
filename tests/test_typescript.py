"""What runs inside of clients: its types hold, its tests pass, and the built files are built of what stands there."""

from __future__ import annotations

import filecmp
import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "integrations"
BUILT = ROOT / "src" / "hardwon" / "integrations"


def node(*words: str) -> str:
    """Run something of node's in the folder of the sources; what it printed."""
    if not (SOURCE / "node_modules" / "esbuild").is_dir():
        problem = "what checks the TypeScript is not installed: make test"
        must = os.environ.get("CI") == "true" and shutil.which("npm") is not None
        (pytest.fail if must else pytest.skip)(problem)
    done = subprocess.run(["node", *words], cwd=SOURCE, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


def test_its_types_hold() -> None:
    """Strictly, as Python's do."""
    node("node_modules/typescript/bin/tsc")


def test_its_tests_pass() -> None:
    """The built extension against a daemon that answers, is slow, is gone, talks nonsense."""
    node("build.mjs", "--tests")
    assert "# fail 0" in node("--test", "--test-reporter=tap", "--test-timeout=30000", "--test-force-exit", ".tests/")


def test_the_built_files_are_current(tmp_path: Path) -> None:
    """`make integrations` after a change: users have no node to build with."""
    node("build.mjs", str(tmp_path))
    built = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*.js"))
    assert built
    assert [str(path) for path in built if not filecmp.cmp(tmp_path / path, BUILT / path, shallow=False)] == []
