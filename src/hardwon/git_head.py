"""Which branch a folder is on, and what its refs say: read from git's files by hand, for a hook waits for the answer.

A few small files: HEAD, a ref, the log of a branch; `packed-refs` is searched and never taken apart. What can't be read
is absent. Of a repository with a reftable nothing is known.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from hardwon.git import resolve
from hardwon.regular_file import regular

LARGEST = 64 << 20
"""Bytes of `packed-refs` that are searched: some hundred thousand refs."""
SMALL = 64_000
_SHA = re.compile(rb"[0-9a-f]{40,64}")


@dataclass(frozen=True, slots=True)
class Head:
    """Where a work tree stands."""

    branch: str = ""
    """Empty where it stands on none; during a rebase the one that is being rebased."""
    root: str = ""
    """The top of the work tree."""
    common: str = ""
    """The git dir that all work trees share."""
    own: str = ""
    """The work tree's own one."""
    rebasing: bool = False
    bisecting: bool = False

    @property
    def is_linked(self) -> bool:
        return self.own != self.common


NOWHERE = Head()


def read(folder: str) -> Head:
    """What the nearest repository's HEAD says. A submodule is one of its own, and is found before its parent."""
    if not folder.startswith("/"):
        return NOWHERE
    place = Path(folder)
    for top in (place, *place.parents):
        dot = top / ".git"
        if own := _git_dir(dot):
            return _of(str(top), own)
    return NOWHERE


def _git_dir(dot: Path) -> Path | None:
    try:
        is_folder = dot.is_dir()
    except OSError:
        return None
    if is_folder:
        return dot if (dot / "HEAD").exists() else None
    line = _line(dot)
    if not line.startswith("gitdir:"):
        return None
    return resolve(dot.parent / line.removeprefix("gitdir:").strip())


def _of(root: str, own: Path) -> Head:
    shared = _line(own / "commondir")
    common = resolve(own / shared) if shared else own
    about = (root, str(common), str(own))
    if (own / "BISECT_LOG").exists() or (own / "BISECT_START").exists():
        return Head("", *about, bisecting=True)
    for state in ("rebase-merge", "rebase-apply"):
        if name := _line(own / state / "head-name"):
            return Head(_branch(name), *about, rebasing=True)
    line = _line(own / "HEAD")
    name = line.removeprefix("ref:").strip() if line.startswith("ref:") else ""
    return Head("" if name.endswith(".invalid") else _branch(name), *about)


def _branch(name: str) -> str:
    return name.removeprefix("refs/heads/") if name.startswith("refs/heads/") else ""


def commit(head: Head) -> str:
    """The commit it stands at; empty where that can't be told."""
    line = _line(Path(head.own) / "HEAD") if head.own else ""
    if line.startswith("ref:"):
        return ref(head.common, line.removeprefix("ref:").strip())
    return line if _SHA.fullmatch(line.encode("ascii", "replace")) else ""


def ref(common: str, name: str) -> str:
    """The commit of a full ref name such as `refs/remotes/origin/main`; empty when there is none."""
    if not common or not _is_plain(name):
        return ""
    line = _line(Path(common) / name)
    if line:
        return line if _SHA.fullmatch(line.encode("ascii", "replace")) else ""
    return _packed(common, name)


def _is_plain(name: str) -> bool:
    """Never a path out of the git dir."""
    return name.startswith("refs/") and ".." not in name and "\0" not in name and "\n" not in name


def _packed(common: str, name: str) -> str:
    path = Path(common) / "packed-refs"
    try:
        stat = path.stat()
    except OSError:
        return ""
    return _search(str(path), stat.st_mtime_ns, stat.st_size, name)


@lru_cache(maxsize=512)
def _search(path: str, mtime: int, size: int, name: str) -> str:  # noqa: ARG001  they say whether it is the same file
    try:
        with open(path, "rb", opener=regular) as file:
            packed = file.read(LARGEST)
    except OSError:
        return ""
    at = packed.find(b" " + name.encode("utf-8", "surrogateescape") + b"\n")
    if at < 0:
        return ""
    sha = packed[max(0, packed.rfind(b"\n", 0, at) + 1) : at]
    return sha.decode("ascii") if _SHA.fullmatch(sha) else ""


def default_branch(common: str) -> str:
    """By what the remote says, else by custom."""
    for line in (_line(Path(common) / "refs/remotes/origin/HEAD"),):
        if line.startswith("ref: refs/remotes/origin/"):
            return line.removeprefix("ref: refs/remotes/origin/").strip()
    for kind in ("refs/remotes/origin", "refs/heads"):
        for name in ("main", "master", "trunk", "develop"):
            if ref(common, f"{kind}/{name}"):
                return name
    return ""


def has_remote(common: str) -> bool:
    """Whether there is an `origin`."""
    return b'[remote "origin"]' in _bytes(Path(common) / "config", SMALL)


@dataclass(frozen=True, slots=True)
class Life:
    """What the log of a branch tells of it: since when it is there, and what it was called before."""

    born: int = 0
    """Milliseconds; 0 when that is not known."""
    names: tuple[tuple[str, int], ...] = ()
    """Former names, each with the time until which it was called so."""


def life(common: str, branch: str) -> Life:
    """A name that was deleted and made again has a new log; a renamed branch keeps its own."""
    path = f"refs/heads/{branch}"
    if not _is_plain(path):
        return Life()
    lines = _bytes(Path(common) / "logs" / path, 4 << 20).decode("utf-8", "replace").splitlines()
    born, names = 0, []
    for number, line in enumerate(lines):
        found = _LOG.match(line)
        if not found:
            continue
        at = int(found["at"]) * 1000
        if number == 0 and set(found["old"]) == {"0"}:
            born = at
        if renamed := _RENAMED.match(found["what"]):
            names.append((renamed[1], at))
    return Life(born, tuple(names))


_LOG = re.compile(
    r"(?P<old>[0-9a-f]{40,64}) [0-9a-f]{40,64} [^\t]{0,1000}? (?P<at>\d{1,12}) [+-]\d{4}(?:\t(?P<what>.*))?$"
)


def commit_at(head: Head, at: int) -> str:
    """Where the work tree stood at a time, by the log of its HEAD; empty where that does not reach."""
    if not head.own:
        return ""
    sha = ""
    for line in _tail(Path(head.own) / "logs" / "HEAD", 256_000).splitlines():
        found = _LOG.match(line)
        if not found:
            continue
        if int(found["at"]) * 1000 > at:
            break
        sha = line.split(" ", 2)[1]
    return sha


_RENAMED = re.compile(r"(?:Branch: )?renamed refs/heads/(\S+) to ")


def _line(path: Path) -> str:
    return _bytes(path, SMALL).decode("utf-8", "surrogateescape").partition("\n")[0].strip()


def _bytes(path: Path, most: int) -> bytes:
    try:
        with open(path, "rb", opener=regular) as file:
            return file.read(most)
    except (OSError, ValueError):
        return b""


def _tail(path: Path, most: int) -> str:
    try:
        with open(path, "rb", opener=regular) as file:
            size = file.seek(0, 2)
            file.seek(max(0, size - most))
            return file.read(most).decode("utf-8", "replace")
    except (OSError, ValueError):
        return ""
