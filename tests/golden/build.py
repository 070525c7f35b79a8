"""A home as the program of its day leaves it, with a client set up: `build.py CODE FOLDER` writes FOLDER/golden.tar.gz.

CODE is the `src` folder of the version whose home it is to be. What differs from machine to machine (folders, the
interpreter) stands in the archive as words such as @USER@; `unpacked` puts in those of the test's own machine.
"""

from __future__ import annotations

import gzip
import io
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

PAST = Path(__file__).resolve().parents[2] / "docs" / "past.py"
SETTINGS = '{\n  "model": "opus",\n  "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}\n}\n'
PROJECT = "/srv/shop"
"""What the sessions of the past call their folder; nothing lies there."""
COMMANDS = (
    ("note", "Run migrations before the tests", "--kind", "rule"),
    ("note", "the staging database is read only on Fridays", "--kind", "constraint"),
    ("note", "carts are stored in PostgreSQL", "--kind", "decision", "--because", "one backup",
     "--rejected", "Redis: lost carts"),
    ("note", "write the docs of the importer", "--kind", "task"),
    ("note", "deploys need the VPN", "--skill", "deploy"),
    ("config", "set", "recall.budget_tokens", "500"),
    ("learn", "--yes"),
)  # fmt: skip


def build(code: Path, target: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="golden-") as name:
        user = Path(name)
        (user / ".claude").mkdir()
        (user / ".claude" / "settings.json").write_text(SETTINGS)
        make_project(user / "shop")
        subprocess.run([sys.executable, PAST, user / ".claude", PROJECT], check=True)
        for words in (("setup", "claude-code", "--yes"), *COMMANDS):
            done = _run(code, user, *words)
            print(" ".join(words), "→", done.returncode, (done.stdout + done.stderr)[-200:])
        _pack(user, code, target)


def make_project(folder: Path) -> None:
    """Known by its remote, wherever it lies."""
    subprocess.run(["git", "init", "--quiet", folder], check=True)
    subprocess.run(["git", "-C", folder, "remote", "add", "origin", "https://git.example.com/ana/shop.git"], check=True)


def _run(code: Path, user: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environ = {"HOME": str(user), "PATH": os.defpath, "PYTHONPATH": str(code), "HARDWON_VECTORS_MODEL": "off"}
    command = [sys.executable, "-m", "hardwon", *words]
    return subprocess.run(command, env=environ, cwd=user / "shop", capture_output=True, text=True)


def _pack(user: Path, code: Path, target: Path) -> None:
    sys.path.insert(0, str(code))
    from hardwon.hook import install

    script = (user / ".hardwon" / "hook" / "hardwon").read_text().splitlines()[-1]
    words = {
        script.split("exec ", 1)[1].rsplit(' "$@"', 1)[0]: "@HARDWON@",
        sys.executable: "@VENV@",
        install.base_python(): "@PYTHON@",
        str(user): "@USER@",
    }
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w") as archive:
        for path in sorted(user.rglob("*")):
            if (
                path.is_file()
                and "shop" not in path.relative_to(user).parts
                and path.suffix != ".lock"
                and not path.is_socket()
            ):
                data = path.read_bytes()
                if b"\0" not in data:
                    for old, new in words.items():
                        data = data.replace(old.encode(), new.encode())
                entry = tarfile.TarInfo(str(path.relative_to(user)))
                entry.size, entry.mode = len(data), path.stat().st_mode & 0o777
                archive.addfile(entry, io.BytesIO(data))
    target.write_bytes(gzip.compress(whole.getvalue(), mtime=0))


if __name__ == "__main__":
    build(Path(sys.argv[1]).resolve(), Path(sys.argv[2]) / "golden.tar.gz")
