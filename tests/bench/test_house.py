"""`python -m bench house`: what a checkout weighs, counted in a small one that is made here."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import bench.measure
import pytest
from bench.__main__ import main as bench_main

from bench import house

FILES = {
    "src/hardwon/__init__.py": "",
    "src/hardwon/paths.py": "class Home: ...\n\n\ndef _own() -> None: ...\n",
    "src/hardwon/store/log.py": (
        "from hardwon import paths\nfrom hardwon.paths import Home\n\n\ndef read() -> None: ...\n"
    ),
    "src/hardwon/memories/find.py": (
        "import json\n\n\ndef read() -> None:\n    import hardwon.store.log\n    "
        "from hardwon.memories import other\n\n\n"
        "def _own() -> None: ...\n"
    ),
    "tests/test_log.py": "def read() -> None: ...\n",
    "README.md": "# A small one\n",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    folder = tmp_path / "tree"
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    subprocess.run(["git", "init", "--quiet", "--template=", str(folder)], check=True)
    subprocess.run(["git", "-C", str(folder), "add", "."], check=True)
    (folder / "untracked.py").write_text("x = 1\n", "utf-8")
    return folder


def test_what_is_tracked_is_counted(tree: Path) -> None:
    """And nothing else."""
    figures = house.measured(tree)
    assert (figures["files"], figures["tracked bytes"]) == (len(FILES), sum(map(len, FILES.values())))
    assert figures["python lines by part"] == {"src": 18, "tests": 1, "bench": 0, "docs": 0}
    assert figures["python lines"] == 19
    assert (figures["largest folder"], figures["files in it"]) == ("src/hardwon", 2)


def test_names_that_stand_in_two_modules(tree: Path) -> None:
    """Of the package, public ones."""
    assert house.measured(tree)["names defined twice"] == {"read": ["memories/find.py", "store/log.py"]}


def test_imports_from_one_layer_to_another(tree: Path) -> None:
    """Each statement, wherever it stands; none within a layer."""
    assert house.measured(tree)["imports between layers"] == {"store -> paths": 2, "memories -> store": 1}


def test_a_file_that_is_gone_is_not_counted(tree: Path) -> None:
    (tree / "README.md").unlink()
    assert house.measured(tree)["files"] == len(FILES) - 1


def test_the_command(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Tables, or JSON; for a folder that is no checkout it says so."""
    monkeypatch.setattr(bench.measure, "OUT", tmp_path / "out")
    assert bench_main(["house", "--tree", str(tree), "--no-build"]) == 0
    assert "memories -> store" in capsys.readouterr().out
    assert bench_main(["house", "--tree", str(tree), "--no-build", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["files"] == len(FILES)
    assert bench_main(["house", "--tree", str(tmp_path), "--no-build"]) == 1
    assert "is no git checkout" in capsys.readouterr().err
