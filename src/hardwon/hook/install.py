"""What the hooks of every client need under the home, and the command that each of them runs.

The files lie in the home, not in site-packages, so that a hook stays silent when the package is gone. `refresh` is
called by every run of the command line, so it reads a few small files and writes only what differs.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from hardwon import __version__
from hardwon.paths import Home

SCRIPT = """\
#!/bin/sh
HARDWON_HOME={home}
export HARDWON_HOME
exec {hardwon} "$@"
"""


class Registered(Protocol):
    """The part of a host's hook that its command line is made of."""

    @property
    def event(self) -> str: ...

    @property
    def limit(self) -> int: ...


def command(home: Home, host: str, hook: Registered) -> str:
    """The installed command: silent and successful whatever happens, also with the interpreter or the script gone."""
    words = [base_python(), "-I", "-S", home.hook / "client.py", home.socket, host, hook.event, hook.limit]
    return f"{shlex.join(map(str, words))} 2>/dev/null || :"


def lasting_command(home: Home, host: str, hook: Registered) -> str:
    """The same for a client whose hooks are trusted by their words: they change with nothing but the home."""
    return f"{shlex.join(map(str, (runner(home), host, hook.event, hook.limit)))} 2>/dev/null || :"


def runner(home: Home) -> Path:
    return home.hook / "run"


def program(home: Home) -> Path:
    """The command line with this memory, under a path that stays when hardwon is installed elsewhere."""
    return home.hook / "hardwon"


def mcp_server(home: Home) -> Path:
    """What a client starts to talk MCP with this memory."""
    return home.hook / "mcp"


def refresh(home: Home) -> bool:
    """Write what the hooks run, where it differs from what this version would write; whether it did."""
    home.hook.mkdir(mode=0o700, parents=True, exist_ok=True)
    stale = [(path, text, mode) for path, text, mode in files(home) if not _is(path, text, mode)]
    for path, text, mode in stale:
        _write(path, text, mode)
    return bool(stale)


def files(home: Home) -> Iterator[tuple[Path, bytes, int]]:
    """Each file, its content and its mode: what an event runs, what starts the daemon, what an agent calls."""
    for name in ("starting.py", "client.py", "mcp.py"):
        text = Path(__file__).with_name(name).read_bytes()
        yield home.hook / name, text.replace(b"@VERSION@", __version__.encode()), 0o600
    yield mcp_server(home), _script(home, "mcp.sh"), 0o700
    yield runner(home), _script(home, "run.sh"), 0o700
    daemon = [sys.executable, "-E", "-P", "-m", "hardwon.daemon", str(home.root)]
    yield home.hook / "start", os.fsencode("\n".join(daemon) + "\n"), 0o600
    yield program(home), os.fsencode(SCRIPT.format(home=shlex.quote(str(home.root)), hardwon=_command_line())), 0o700


def _script(home: Home, name: str) -> bytes:
    text = Path(__file__).with_name(name).read_text("ascii")
    places = {"PYTHON": base_python(), "SERVER": home.hook / "mcp.py", "CLIENT": home.hook / "client.py"}
    for word, place in (places | {"SOCKET": home.socket}).items():
        text = text.replace(f"@{word}@", shlex.quote(str(place)))
    return os.fsencode(text)


def _command_line() -> str:
    script = Path(sys.executable).with_name("hardwon")
    if script.exists():
        return shlex.quote(str(script))
    return shlex.join([sys.executable, "-P", "-c", "from hardwon.cli import main; main()"])


def _is(path: Path, text: bytes, mode: int) -> bool:
    try:
        return path.read_bytes() == text and path.stat().st_mode & 0o777 == mode
    except OSError:
        return False


def _write(path: Path, text: bytes, mode: int) -> None:
    """Whole, or not at all: a hook may start at any moment."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, mode)
    with os.fdopen(handle, "wb") as file:
        os.fchmod(handle, mode)  # whatever the umask says
        file.write(text)
    draft.replace(path)


def base_python() -> str:
    """The interpreter itself, by the path that lives longest: no environment's, no launcher's, no patch version's."""
    python = Path(getattr(sys, "_base_executable", None) or sys.executable)
    if not _is_interpreter(python) or (sys.prefix != sys.base_prefix and python.is_relative_to(sys.prefix)):
        python = Path(sys.base_prefix, "bin", f"python{_minor()}")
    return next((str(path) for path in _longer_lived(python) if _same(path, python)), str(python))


def _is_interpreter(path: Path) -> bool:
    """A launcher such as pyenv's is a script: it would cost more than the hook."""
    try:
        with path.open("rb") as file:
            return file.read(2) != b"#!"
    except OSError:
        return False


def _longer_lived(python: Path) -> Iterator[Path]:
    """Other names that the same interpreter may have: Homebrew's and uv's links to the newest patch version."""
    named = python.with_name(f"python{_minor()}")
    parts = list(named.parts)
    if "Cellar" in parts[:-2]:
        at = parts.index("Cellar")
        yield Path(*parts[:at], "opt", parts[at + 1], *parts[at + 3 :])
    patch = ".".join(map(str, sys.version_info[:3]))
    yield Path(*(part.replace(patch, _minor()) for part in parts))
    yield named


def _minor() -> str:
    return f"{sys.version_info.major}.{sys.version_info.minor}"


def _same(path: Path, other: Path) -> bool:
    try:
        return path.samefile(other)
    except OSError:
        return False
