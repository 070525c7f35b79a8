"""Histories of other projects to measure on, as bare repositories: from a commit's subject to its diff.

    python -m bench histories FOLDER [--package FILE]

A Debian package of test data carries the packs of a few real repositories inside a Go source file. It is downloaded
with `apt-get`, or given as a file, and each history becomes a repository that `--commits` reads. Nothing of it comes
with hardwon. Which are for tuning and which for reporting is fixed here, as it is for every other data set.
"""

from __future__ import annotations

import argparse
import base64
import binascii
import gzip
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

PACKAGE = "golang-github-go-git-go-git-fixtures-dev"
DATA = "data.go"
TUNING, REPORTING = "tuning", "reporting"


@dataclass(frozen=True, slots=True)
class History:
    name: str
    pack: str
    half: str
    head: str | None = None
    """Where the file does not say, it is the commit with the longest history that is no other's parent."""


HISTORIES = (
    History("desk", "4ec6344877f494690fc800aceaf2ca0e86786acb", TUNING, "d2313db6e7ca7bac79b819d767b2a1449abb0a5d"),
    History("storable", "0d3d824fb5c930e7e7e1f0f399f2976847d31fd3", TUNING),
    History(
        "go-git", "3559b3b47e695b33b0913237a4df3357e739831c", REPORTING, "e8788ad9165781196e917292d6055cba1d78664e"
    ),
    History(
        "spinnaker", "f2e0a8889a746f7600e07d2246a2e29a72f696be", REPORTING, "06ce06d0fc49646c4de733c45b7788aabad98a6f"
    ),
    History("rumprun-xen", "7861f2632868833a35fe5e4ab94f99638ec5129b", REPORTING),
)
"""And hardwon's own history, which is for tuning."""


class Unavailable(RuntimeError):
    """A history can't be had; says what is missing and what to do."""


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bench histories", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="where the repositories are made")
    parser.add_argument("--package", type=Path, metavar="FILE", help=f"the .deb of {PACKAGE}, if it is here already")
    options = parser.parse_args(argv)
    try:
        with tempfile.TemporaryDirectory(prefix="hardwon-histories-") as folder:
            package = options.package or downloaded(Path(folder))
            made = repositories(unpacked(package, Path(folder, "unpacked")), options.folder)
    except Unavailable as error:
        print(error, file=sys.stderr)
        return 1
    for history, repository in made.items():
        print(f"{history.half:<10}{history.name:<14}{repository}")
    return 0


def downloaded(folder: Path) -> Path:
    """The package in this folder. It needs no root, only the list of packages that `apt-get update` makes."""
    if not shutil.which("apt-get"):
        raise Unavailable(
            f"apt-get is not here: it downloads {PACKAGE}. Fetch that package for Debian elsewhere, "
            "and give its .deb with --package."
        )
    done = subprocess.run(["apt-get", "download", PACKAGE], cwd=folder, capture_output=True, text=True)
    found = next(iter(folder.glob(f"{PACKAGE}_*.deb")), None)
    if done.returncode or found is None:
        raise Unavailable(
            f"apt-get can't download {PACKAGE} ({_last(done.stderr)}). Run `apt-get update` as root first, "
            "or give the .deb with --package."
        )
    return found


def unpacked(package: Path, folder: Path) -> str:
    """The Go source that holds the packs."""
    if not package.is_file():
        raise Unavailable(f"{package} is not a file: --package takes the .deb of {PACKAGE}.")
    if not shutil.which("dpkg-deb"):
        raise Unavailable("dpkg-deb is not here: it unpacks a .deb. It comes with the package dpkg.")
    done = subprocess.run(["dpkg-deb", "-x", str(package), str(folder)], capture_output=True, text=True)
    if done.returncode:
        raise Unavailable(f"{package} can't be unpacked ({_last(done.stderr)}). Is it the .deb of {PACKAGE}?")
    source = next(iter(sorted(folder.rglob(DATA))), None)
    if source is None:
        raise Unavailable(f"{package} holds no {DATA}. Is it the .deb of {PACKAGE}?")
    return source.read_text(encoding="utf-8")


def repositories(source: str, folder: Path, histories: Sequence[History] = HISTORIES) -> dict[History, Path]:
    """One for each history, by its name; those that are there already are left as they are."""
    places = {history: folder / f"{history.name}.git" for history in histories}
    missing = {history.pack: history for history, place in places.items() if not (place / "HEAD").is_file()}
    for pack, data in packs(source, missing):
        _make(missing.pop(pack), data, folder)
    if missing:
        names = ", ".join(history.name for history in missing.values())
        raise Unavailable(f"{DATA} holds no pack for {names}: another version of {PACKAGE} is needed.")
    return places


def packs(source: str, wanted: Mapping[str, object]) -> Iterator[tuple[str, bytes]]:
    for found in _PACK.finditer(source):
        if found["pack"] in wanted:
            try:
                yield found["pack"], gzip.decompress(base64.b64decode(found["data"]))
            except (binascii.Error, OSError, EOFError) as error:
                raise Unavailable(f"the pack {found['pack']} in {DATA} can't be read ({error}).") from error


_PACK = re.compile(r'"/data/pack-(?P<pack>[0-9a-f]{40})\.pack": *\{[^`}]*?compressed: *`(?P<data>[^`]*)`')


def _make(history: History, data: bytes, folder: Path) -> None:
    """Beside its place first: what stands there under its name is whole."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".making-", dir=folder) as beside:
        repository = Path(beside, history.name)
        _git("init", "--quiet", "--bare", "--initial-branch=main", "--template=", str(repository), of=history)
        _git("-C", str(repository), "index-pack", "--stdin", given=data, of=history)
        tip = history.head or _tip(repository, history)
        _git("-C", str(repository), "update-ref", "refs/heads/main", tip, of=history)
        place = folder / f"{history.name}.git"
        try:
            repository.rename(place)
        except OSError as error:
            raise Unavailable(f"{place} is in the way ({error.strerror}): move it, or name another folder.") from error


def _tip(repository: Path, of: History) -> str:
    """Of the commits that no other one names as a parent, the one with the longest history."""
    objects = _git("-C", str(repository), "cat-file", "--batch-all-objects", "--batch-check", of=of).splitlines()
    commits = [line.split()[0] for line in objects if line.split()[1] == "commit"]
    if not commits:
        raise Unavailable(f"the pack of {of.name} holds no commit.")
    listed = "\n".join(commits).encode()
    lines = _git("-C", str(repository), "rev-list", "--no-walk", "--parents", "--stdin", given=listed, of=of)
    parents = {parent for line in lines.splitlines() for parent in line.split()[1:]}
    tips = sorted(set(commits) - parents)
    return max(tips, key=lambda tip: int(_git("-C", str(repository), "rev-list", "--count", tip, of=of)))


def _git(*arguments: str, of: History, given: bytes = b"") -> str:
    try:
        done = subprocess.run(["git", *arguments], input=given, capture_output=True)
    except FileNotFoundError as error:
        raise Unavailable("git is not installed: it makes the repositories.") from error
    if done.returncode:
        raise Unavailable(
            f"git can't make the repository of {of.name} ({_last(done.stderr.decode(errors='replace'))})."
        )
    return done.stdout.decode()


def _last(text: str) -> str:
    return next((line for line in reversed(text.splitlines()) if line.strip()), "no reason given").strip()
