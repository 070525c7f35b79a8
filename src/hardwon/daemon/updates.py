"""Is there a newer version? Asked only when `updates.check` is on, at most once a day, when a session ends.

The question is put by a process of its own, so that nothing of the daemon waits for a network: it asks the repository
for its tags, writes down the newest version, and is gone within seconds whatever the other side does. The next session
start tells the person once; the model never hears of it.

    python -E -P -m hardwon.daemon.updates HOME REPOSITORY
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import sys
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING

from hardwon import __version__
from hardwon.daemon.version import is_newer
from hardwon.paths import Home
from hardwon.settings.keys import Updates

if TYPE_CHECKING:
    import subprocess

DAY = 86_400_000
LIMIT = 5.0
"""Seconds for the other side."""
MOST_BYTES = 1_000_000
NO_REPOSITORY = "hardwon: updates.check is on, but there is no repository: `hardwon config set updates.repository URL`"


@dataclass(frozen=True, slots=True)
class Known:
    """What is written down between two questions."""

    checked_at: int = 0
    newest: str = ""
    problem: str = ""
    told: str = ""
    """What the person was last told of."""


def known(home: Home) -> Known:
    """What the last question found; nothing of a file that can't be read."""
    try:
        found = json.loads(_file(home).read_text(encoding="utf-8"))
        given = {one.name: found[one.name] for one in fields(Known) if one.name in found}
        right = all(type(given[name]) is type(getattr(Known(), name)) for name in given)
        return Known(**given) if right else Known()
    except (OSError, ValueError, TypeError):
        return Known()


def is_due(updates: Updates, found: Known, now: int) -> bool:
    """A clock that was set back does not silence it for long: a time to come counts as long ago."""
    return updates.check and bool(updates.repository) and not 0 <= now - found.checked_at < DAY


def look(home: Home, updates: Updates, now: int) -> bool:
    """Put the question if it is due. That it was put is written down first: whatever goes wrong, not again today."""
    found = known(home)
    if not is_due(updates, found, now):
        return False
    if not _write(home, replace(found, checked_at=now, problem="")):
        return False
    import subprocess  # once a day; the daemon does without it otherwise

    nowhere = subprocess.DEVNULL
    command = [sys.executable, "-E", "-P", "-m", "hardwon.daemon.updates", str(home.root), updates.repository]
    # Through a shell that leaves at once: the process is then nobody's child, and outlives a daemon that leaves.
    orphaned = ["/bin/sh", "-c", '"$@" &', "sh", *command]
    subprocess.run(orphaned, stdin=nowhere, stdout=nowhere, stderr=nowhere, start_new_session=True, check=False)
    return True


def notice(home: Home, updates: Updates, version: str = __version__) -> str:
    """What the person is to be told at the start of a session; each thing once."""
    if not updates.check:
        return ""
    found = known(home)
    says, mark = message(updates, found, version)
    fresh = says and found.told != mark and _write(home, replace(found, told=mark))
    return says if fresh else ""


def message(updates: Updates, found: Known, version: str) -> tuple[str, str]:
    """The sentence, and what it is remembered by."""
    if not updates.repository:
        return NO_REPOSITORY, "no repository"
    if found.newest and is_newer(found.newest, version):
        return f"hardwon: version {found.newest} is out, this is {version}", found.newest
    return "", ""


def newest(listing: str) -> str:
    """The highest version among the tags that `git ls-remote` lists; empty when none is a version."""
    versions = re.findall(r"^[0-9a-f]{4,64}\trefs/tags/v(\d{1,6}(?:\.\d{1,6}){1,3})$", listing, re.MULTILINE)
    return max(versions, key=lambda version: [int(part) for part in version.split(".")], default="")


def ask(repository: str) -> tuple[str, str]:
    """The newest version of a repository, and what went wrong."""
    import subprocess

    command = ["git", "-c", "credential.helper=", "ls-remote", "--tags", "--refs", "--", repository]
    quiet = {
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "true",
        "SSH_ASKPASS": "true",
        "GIT_SSH_COMMAND": "ssh -o BatchMode=yes -o ConnectTimeout=5",
        "GIT_ALLOW_PROTOCOL": "https:ssh:file",
        "LC_ALL": "C",
    }
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | quiet
    pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
    try:
        git = subprocess.Popen(
            command, stdin=nowhere, stdout=pipe, stderr=nowhere, env=environment, cwd="/", start_new_session=True
        )
    except OSError as error:
        return "", f"git can't be run: {error.strerror}"
    try:
        listing, _ = git.communicate(timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return "", f"no answer within {LIMIT:.0f} seconds"
    finally:
        _end(git)
    if git.returncode:
        return "", f"git says no (exit status {git.returncode})"
    return newest(listing[:MOST_BYTES].decode(errors="replace")), ""


def _end(git: subprocess.Popen[bytes]) -> None:
    """With all that it started, if it still runs: what speaks https or ssh is a child of git."""
    if git.poll() is None:
        os.killpg(git.pid, signal.SIGKILL)
        git.wait()
    if git.stdout:
        git.stdout.close()


def main(root: str, repository: str) -> None:
    home = Home(Path(root))
    version, problem = ask(repository)
    found = known(home)
    _write(home, replace(found, newest=version or found.newest, problem=problem))


def _file(home: Home) -> Path:
    return home.log.with_name("updates.json")


def _write(home: Home, found: Known) -> bool:
    """Whole or not at all; False when the home can't be written."""
    file = _file(home)
    draft = file.with_name(f".updates-{os.getpid()}")
    with contextlib.suppress(OSError):
        file.parent.mkdir(mode=0o700, exist_ok=True)
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as writing:
            json.dump(asdict(found), writing)
        draft.replace(file)
        return True
    return False


if __name__ == "__main__":
    main(*sys.argv[1:3])
