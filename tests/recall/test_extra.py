"""What to type for the extra `vectors`: it fits the installation that runs, and names no package that is not there."""

from __future__ import annotations

import subprocess
import sys
import tomllib
import venv
from pathlib import Path

import pytest

from hardwon.embedding import extra

ROOT = Path(__file__).resolve().parent.parent.parent


def test_the_libraries_are_those_of_the_project() -> None:
    """One list in pyproject.toml, which an installed hardwon does not have, and the same here."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert list(extra.LIBRARIES) == project["optional-dependencies"]["vectors"]


@pytest.mark.parametrize(
    ("mark", "pip", "begins"),
    [
        ("pipx_metadata.json", False, "pipx inject venv 'numpy>=2.0' "),
        ("uv-receipt.toml", False, "uv pip install --python {python} 'numpy>=2.0' "),
        ("", False, "uv pip install --python {python} 'numpy>=2.0' "),
        ("", True, "{python} -m pip install 'numpy>=2.0' "),
    ],
)
def test_it_is_for_what_hardwon_was_installed_with(tmp_path: Path, mark: str, pip: bool, begins: str) -> None:
    """pipx and uv put no pip into their environments and leave a file of their own there."""
    folder = tmp_path / "venv"
    venv.create(folder, with_pip=False)
    if mark:
        (folder / mark).touch()
    python = folder / "bin" / "python"
    if pip:
        (folder / "lib" / f"python3.{sys.version_info.minor}" / "site-packages" / "pip").mkdir()
    code = f"import runpy; print(runpy.run_path({extra.__file__!r})['command']())"
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith(begins.format(python=python))
