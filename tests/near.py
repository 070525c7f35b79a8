"""The tests near a change: `python -m tests.near` prints their files, for `make check`.

Near are tests that were changed themselves, and those named after a changed module or the folder that it is in:
`learn/causes.py` has `test_causes.py`, `learn/handover/notes.py` has `test_notes.py` and `test_handover.py`.
Sessions of real clients take their time, and are left to `make test`.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePath

ROOT = Path(__file__).resolve().parent.parent


def near(changed: Iterable[str], tests: Iterable[str]) -> list[str]:
    """The files of `tests` that are near the changed files, in their order."""
    paths = {PurePath(path) for path in changed}
    names = {name for path in paths for name in names_of(path)}
    return [test for test in tests if PurePath(test) in paths or is_about(PurePath(test), names)]


def names_of(path: PurePath) -> Iterator[str]:
    """By which names a test may be about a module; a package as large as `learn` is no name."""
    if path.parts[0] == "integrations":
        yield from path.parts[1:-1][:1]
    if path.suffix == ".py" and path.parts[:2] == ("src", "hardwon"):
        yield from (name for name in (*path.parts[3:-1], path.stem) if not name.startswith("__"))


def is_about(test: PurePath, names: Iterable[str]) -> bool:
    subject = test.stem.removeprefix("test_")
    return "live" not in test.parts and any(subject == name or subject.startswith(f"{name}_") for name in names)


def changed() -> list[str]:
    """What is not as on `main`, committed or not; without a `main`, what is not committed."""
    base = git("merge-base", "HEAD", "main") or ["HEAD"]
    return [*git("diff", "--name-only", *base), *git("ls-files", "--others", "--exclude-standard")]


def git(*arguments: str) -> list[str]:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.splitlines()


def files() -> list[str]:
    return sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("test_*.py"))


if __name__ == "__main__":
    print("\n".join(near(changed(), files())))
