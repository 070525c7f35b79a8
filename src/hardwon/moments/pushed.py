"""What git says about a repository that is about to be pushed: the branch, what is not committed, what goes out.

git is asked only for a push and for a file that looks like secrets, in a thread and within the time that the hook
leaves. A file is looked into once: what it holds is remembered by its blob. What there was no time for is scanned
afterwards, so that the next push knows.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from hardwon.redact import Redactor
from hardwon.text import guards

LARGEST = 200_000
"""Bytes of a file that are looked into; a larger one by its beginning."""
MOST_FILES = 2_000
MOST_REMEMBERED = 20_000
UNKNOWN = -1
"""Files: nobody knows how many, for git did not answer in time."""
LATER = 60.0
"""Seconds that the rest may take when nobody waits any more."""
_QUIET = {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1"}
_SAFE = ("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.quotePath=false")


@dataclass(frozen=True, slots=True)
class Outgoing:
    """What a push would send, as far as there was time to look."""

    held: tuple[tuple[str, str], ...] = ()
    unscanned: int = 0


@dataclass(slots=True)
class Scans:
    """What files were found to hold, by blob and name."""

    known: OrderedDict[tuple[str, str], str] = field(default_factory=OrderedDict)
    later: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, thread_name_prefix="scan"))
    under_way: set[str] = field(default_factory=set)

    def remember(self, blob: tuple[str, str], what: str) -> None:
        self.known[blob] = what
        while len(self.known) > MOST_REMEMBERED:
            self.known.popitem(last=False)

    def close(self) -> None:
        self.later.shutdown(wait=False, cancel_futures=True)


def ask(folder: str, *words: str, until: float, stdin: bytes = b"") -> bytes:
    """What git says; nothing where it can't say anything, or not in time. With the user's own configuration, for
    aliases and what is ignored stand there; nothing that a repository's configuration names is run."""
    seconds = until - time.monotonic()
    if seconds <= 0:
        return b""
    mine = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        done = subprocess.run(["git", *_SAFE, "-C", folder, *words], env=mine | _QUIET, input=stdin, timeout=seconds,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)  # fmt: skip
    except (OSError, subprocess.SubprocessError, ValueError):
        return b""
    return done.stdout


def config(folder: str, until: float) -> dict[str, str]:
    """Aliases, and what is pushed where nothing is named."""
    said = ask(folder, "config", "--null", "--get-regexp", r"^(alias|remote|push|branch)\.", until=until)
    found: dict[str, str] = {}
    for one in said.decode("utf-8", "replace").split("\0"):
        key, _, value = one.partition("\n")
        if key:
            found[key] = f"{found[key]} {value}" if key in found and key.endswith(".push") else value
    return found


def branch(folder: str, until: float) -> str:
    return ask(folder, "symbolic-ref", "--short", "-q", "HEAD", until=until).decode("utf-8", "replace").strip()


def changed(folder: str, until: float) -> list[str]:
    """Files with changes that are not committed, below the top of the work tree."""
    said = ask(folder, "status", "--porcelain=v1", "-z", "--untracked-files=normal", "--no-renames", until=until)
    return [one[3:] for one in said.decode("utf-8", "replace").split("\0") if len(one) > 3]


def tags(folder: str, names: Sequence[str], until: float) -> frozenset[str]:
    """Which of these names are tags."""
    plain = [name for name in names if name and not name.startswith("-")]
    if not plain:
        return frozenset()
    said = ask(
        folder, "for-each-ref", "--format=%(refname:short)", *(f"refs/tags/{name}" for name in plain), until=until
    )
    return frozenset(said.decode("utf-8", "replace").split())


def is_ignored(folder: str, file: str, until: float) -> bool | None:
    """None where no git says."""
    if not ask(folder, "rev-parse", "--is-inside-work-tree", until=until).startswith(b"true"):
        return None
    return bool(ask(folder, "check-ignore", "--", file, until=until).strip())


def outgoing(folder: str, sources: Sequence[str], redactor: Redactor, scans: Scans, until: float) -> Outgoing:
    """What the files hold that are on no remote yet."""
    begins = [one for one in sources if one and not one.startswith("-")] or ["HEAD"]
    blobs = list(_blobs(folder, begins, until))
    if not blobs and time.monotonic() > until:
        return Outgoing(unscanned=UNKNOWN)
    held, todo = [], []
    for one in blobs:
        what = scans.known.get(one)
        if what is None:
            todo.append(one)
        elif what:
            held.append((one[1], what))
    left = _scan(folder, todo, redactor, scans, until, held) if todo else []
    if left and folder not in scans.under_way:
        scans.under_way.add(folder)
        scans.later.submit(_finish, folder, left, redactor, scans)
    return Outgoing(tuple(held), len(left))


def _blobs(folder: str, begins: Sequence[str], until: float) -> Iterator[tuple[str, str]]:
    """Blob and path of each, the newest commits' first; sub-modules and trees are none."""
    said = ask(folder, "log", "--format=", "--raw", "--no-abbrev", "--no-renames", "-m", "-z", "--diff-filter=AM",
               "--max-count=500", *begins, "--not", "--remotes", "--", until=until)  # fmt: skip
    words = said.decode("utf-8", "replace").split("\0")
    seen: set[tuple[str, str]] = set()
    for about, path in zip(words[::2], words[1::2], strict=False):
        fields = about.lstrip("\n").split(" ")
        if len(fields) < 5 or fields[1] == "160000" or (one := (fields[3], path)) in seen or len(seen) >= MOST_FILES:
            continue
        seen.add(one)
        yield one


def _scan(
    folder: str,
    todo: Sequence[tuple[str, str]],
    redactor: Redactor,
    scans: Scans,
    until: float,
    held: list[tuple[str, str]],
) -> list[tuple[str, str]]:
    """Those that there was no time for. Names that give themselves away go first."""
    ordered = sorted(todo, key=lambda one: not guards.held(one[1], "x"))
    for at in range(0, len(ordered), 20):
        some = ordered[at : at + 20]
        texts = _contents(folder, [blob for blob, _ in some], until)
        if texts is None:
            return ordered[at:]
        for number, (one, text) in enumerate(zip(some, texts, strict=False)):
            if time.monotonic() > until:
                return ordered[at + number :]
            what = (
                guards.held(one[1], redactor.text(text[:LARGEST]))
                if "\0" not in text[:1_000]
                else guards.held(one[1], "x")
            )
            scans.remember(one, what)
            if what:
                held.append((one[1], what))
    return []


def _contents(folder: str, blobs: Sequence[str], until: float) -> list[str] | None:
    said = ask(folder, "cat-file", "--batch", until=until, stdin="".join(f"{blob}\n" for blob in blobs).encode())
    found: list[str] = []
    at = 0
    while at < len(said) and len(found) < len(blobs):
        end = said.find(b"\n", at)
        about = said[at:end].split(b" ")
        if len(about) < 3 or not about[2].isdigit():
            found.append("")
            at = end + 1
            continue
        size = int(about[2])
        found.append(said[end + 1 : end + 1 + min(size, LARGEST)].decode("utf-8", "replace"))
        at = end + 1 + size + 1
    return found if len(found) == len(blobs) else None


def _finish(folder: str, left: Sequence[tuple[str, str]], redactor: Redactor, scans: Scans) -> None:
    try:
        _scan(folder, left, redactor, scans, time.monotonic() + LATER, [])
    finally:
        scans.under_way.discard(folder)
