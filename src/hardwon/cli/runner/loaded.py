"""Everything that an everyday verb needs, loaded before anybody waits for it.

The verbs are run once, on a memory that is thrown away: so each module is loaded and each pattern compiled that a
command comes past, whatever those are by then.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from hardwon.cli import app
from hardwon.cli.support import quoting
from hardwon.cli.verbs import leaving
from hardwon.redact import DEFAULT

_NOTE = "The tests need Redis, which `make redis` starts on https://localhost:6379; password=hunter2, see src/app.py:12"
_COMMANDS = (
    ["note", _NOTE, "--anchor", "command=make test", "--because", "it keeps the sessions"],
    ["note", "We keep the sessions in Redis", "--kind", "decision", "--rejected", "a file: too slow", "--skill", "x"],
    ["recall", "why does `make test` fail in src/app.py?"],
    ["recall", "--skill", "x"],
    ["check", "--error", "ConnectionRefusedError: [Errno 111] Connection refused", "--file", "src/app.py", "make test"],
    ["search", "redis"],
    ["status"],
    ["list", "--nothing-like-it"],
)  # fmt: skip


def load() -> None:
    """It leaves nothing behind but what is loaded."""
    with tempfile.TemporaryDirectory(prefix="hardwon-") as folder, _elsewhere(Path(folder)):
        for command in _COMMANDS:
            _run(command)
        for verb in ("show", "why"):
            for word in _run(["list"]).split("\t")[:1]:
                _run([verb, word])
        for one in ("list", "recall redis", "check make", "search redis", "status"):
            _run([*one.split(), "--json"])
    quoting.is_person.cache_clear()
    leaving.use(DEFAULT)


@contextlib.contextmanager
def _elsewhere(folder: Path) -> Iterator[None]:
    """In a repository without anything, with a home of its own and no settings."""
    before = sys.stdout, sys.stderr
    (folder / "work" / ".git").mkdir(parents=True)
    (folder / "work" / ".git" / "HEAD").write_text("ref: refs/heads/main\n", "ascii")
    os.environ.clear()
    os.environ.update(PATH=os.defpath, HOME=str(folder), HARDWON_HOME=str(folder / "home"))
    os.chdir(folder / "work")
    try:
        yield
    finally:
        os.chdir("/")
        sys.stdout, sys.stderr = before


def _run(command: list[str]) -> str:
    """What it prints; how it ends is of no interest."""
    printed = io.BytesIO()
    sys.stdout, sys.stderr = (io.TextIOWrapper(one, "utf-8") for one in (printed, io.BytesIO()))
    with contextlib.suppress(SystemExit):
        app.run(command)
    sys.stdout.flush()
    return printed.getvalue().decode()
