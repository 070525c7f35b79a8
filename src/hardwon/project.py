"""Which project a folder belongs to.

A project is not a path and not a hash of one: it is a row with aliases, and any alias leads back to it. So a folder
that is later initialised, committed, pushed, moved or cloned stays the same project, and two folders that only share a
name stay two. `describe` says what the file system knows about a folder, `identify` decides among the projects that are
already known, and `locate` does both in the right order. The rules, case by case, are in docs/projects.md.

In doubt two projects are made: they can be merged by hand, while what was mixed up cannot be told apart again.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from hardwon.git import (
    Repository,
    find_repository,
    is_git_dir,
    normalise_remote,
    open_repository,
    remote_url,
    resolve,
    root_commit,
)

__all__ = [
    "Alias",
    "AliasKind",
    "Known",
    "Match",
    "Place",
    "add_root_commit",
    "describe",
    "display_name",
    "identify",
    "locate",
    "needs_root_commit",
    "normalise_remote",
    "relative_file",
    "root_commit",
]

AliasKind = Literal["remote", "root_commit", "git_dir", "path"]
STRENGTH: tuple[AliasKind, ...] = ("remote", "git_dir", "root_commit", "path")
LONGEST_NAME = 60  # it becomes the name of a folder, and a number may follow
LONGEST_LINEAGE = 4  # a clone of a clone of a clone; more is a circle


@dataclass(frozen=True, slots=True)
class Alias:
    kind: AliasKind
    value: str


@dataclass(frozen=True, slots=True)
class Place:
    """What the file system says about a folder, nothing remembered."""

    root: str  # the top of this git work tree, else the folder itself; absolute, without symlinks
    name: str  # how a person would call it; not unique, see `display_name`
    is_git: bool
    # Strongest kind first, and of each kind its own first. A repository cloned from a folder of this machine also has
    # that folder's path and git dir, and the remote that folder was cloned from.
    aliases: tuple[Alias, ...]
    parents: tuple[str, ...]  # of a folder without git: those above it that may be its project, nearest first

    def of(self, kind: AliasKind) -> frozenset[Alias]:
        return frozenset(alias for alias in self.aliases if alias.kind == kind)


@dataclass(frozen=True, slots=True)
class Known:
    """One project as the store has it."""

    id: str
    aliases: frozenset[Alias]
    alive: bool = False  # it is where it was, so a second one with its history is a copy, not a move; `locate` asks

    def of(self, kind: AliasKind) -> frozenset[Alias]:
        return frozenset(alias for alias in self.aliases if alias.kind == kind)


@dataclass(frozen=True, slots=True)
class Match:
    """The decision. A root commit may belong to several projects (a fork, a template), any other alias to one."""

    project: str | None  # None: a new one
    add: tuple[Alias, ...]
    move: tuple[Alias, ...]  # taken over from another project, such as a path that now holds another repository


def locate(folder: str | Path, find: Callable[[Place], Sequence[Known]]) -> tuple[Place, Match]:
    """Describe a folder and identify it, starting git only where the first commit can change the answer.

    `find` returns the projects that share an alias with the place or have one of its parents as a path.
    """
    place = describe(folder)
    known = find(place)
    if needs_root_commit(place, known):
        place = add_root_commit(place)
        known = find(place)
    return place, identify(place, [replace(one, alive=_is_alive(one)) for one in known])


def _is_alive(project: Known) -> bool:
    """Whether one of its git dirs exists, and as remembered: with no remote that the project does not know yet."""
    git_dirs = (alias.value for alias in project.of("git_dir"))
    return any(is_git_dir(Path(git_dir)) and _remote_now(git_dir) in (None, *project.aliases) for git_dir in git_dirs)


def _remote_now(git_dir: str) -> Alias | None:
    url = remote_url(git_dir)
    remote = normalise_remote(url, git_dir) if url else None
    return Alias("remote", remote) if remote else None


# ── what the file system says ────────────────────────────────────────────────────────────────────────────────────────


def describe(folder: str | Path, *, with_root_commit: bool | None = None) -> Place:
    """Never raises: what cannot be read is as if it were not there, and the path is left.

    The root commit may cost a process. It is read when there is no remote; True reads it in any case, False never.
    """
    start = resolve(folder)
    repository = find_repository(start)
    if repository is None or repository.git_dir is None:
        return _plain_folder(Path(repository.root) if repository else start)
    place = _work_tree(repository, repository.git_dir)
    wanted = not place.of("remote") if with_root_commit is None else with_root_commit
    return add_root_commit(place) if wanted else place


def add_root_commit(place: Place) -> Place:
    """The same place with its first commit, where there is one; see `hardwon.git.root_commit` for the cost."""
    commit = root_commit(place.root) if place.is_git else None
    if commit is None:
        return place
    return replace(place, aliases=_strongest_first((*place.aliases, Alias("root_commit", commit))))


def _plain_folder(root: Path) -> Place:
    return Place(_text(root), _folder_name(root), False, (Alias("path", _text(root)),), tuple(_parents(root)))


def _work_tree(repository: Repository, git_dir: str) -> Place:
    aliases = [Alias("git_dir", _text(git_dir)), Alias("path", _text(repository.root))]
    name = _folder_name(Path(repository.main))
    for remote, url in _lineage(repository):
        name = _repository_name(remote, url)
        # Ahead of those before: where it all came from is the strongest, and a whole team has it.
        aliases = [Alias("remote", remote), *aliases, *_origin(remote)]
    return Place(_text(repository.root), name, True, _strongest_first(aliases), ())


def _lineage(repository: Repository | None) -> Iterator[tuple[str, str]]:
    """The remote of a repository and, while that is a folder of this machine, the remote of that one."""
    for _ in range(LONGEST_LINEAGE):
        url = remote_url(repository.git_dir) if repository and repository.git_dir else None
        remote = normalise_remote(url, repository.main) if repository and url else None
        if url is None or remote is None:
            return
        yield _text(remote), url
        repository = _cloned_from(remote)


def _cloned_from(remote: str) -> Repository | None:
    return open_repository(Path(remote.removeprefix("file:"))) if remote.startswith("file:/") else None


def _origin(remote: str) -> tuple[Alias, ...]:
    """What the folder that a local remote names is called by its own project."""
    if not remote.startswith("file:"):
        return ()
    repository = _cloned_from(remote)
    git_dir = (Alias("git_dir", _text(repository.git_dir)),) if repository and repository.git_dir else ()
    return (*git_dir, Alias("path", remote.removeprefix("file:")))


def _strongest_first(aliases: Iterable[Alias]) -> tuple[Alias, ...]:
    return tuple(sorted(dict.fromkeys(aliases), key=lambda alias: STRENGTH.index(alias.kind)))


def _parents(root: Path) -> Iterator[str]:
    """Up to the home folder, a temporary one or the top; what holds everything is nobody's project."""
    shared = {_home(), *map(resolve, _temporary_folders())}
    above_all = {parent for folder in shared for parent in folder.parents}
    for parent in root.parents:
        if parent in shared or parent in above_all:
            return
        yield _text(parent)


def _temporary_folders() -> Iterator[str]:
    yield from ("/tmp", "/var/tmp", "/dev/shm")
    yield from (os.environ[name] for name in ("TMPDIR", "TMP", "TEMP") if os.environ.get(name))


def _home() -> Path:
    try:
        return resolve(Path("~").expanduser())
    except RuntimeError:  # a user without a home, as in some containers
        return Path("/")


def _folder_name(root: Path) -> str:
    if root == _home():
        return "~"
    named = root.parent if root.name in (".git", ".bare") else root
    return _printable(named.name.removesuffix(".git")) or "root"


def _repository_name(remote: str, url: str) -> str:
    """The last part of the remote, as its URL spells it: some hosts ignore case, people do not."""
    name = remote.rpartition("/")[2].removesuffix(".git")
    spelled = re.search(rf".*({re.escape(name)})", url, re.IGNORECASE | re.DOTALL)
    return _printable(spelled[1] if spelled else name)


def _text(path: str | Path) -> str:
    """A path that a database can hold: bytes that are no UTF-8 become \\xNN."""
    return str(path).encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _printable(name: str) -> str:
    return "".join(character for character in _text(name) if character.isprintable()).strip()


# ── which project that is ────────────────────────────────────────────────────────────────────────────────────────────


def identify(place: Place, known: Sequence[Known]) -> Match:
    """Pure. `known` are the projects that share an alias with the place or have one of its parents as a path."""
    known = sorted(known, key=lambda one: one.id)  # the answer must not depend on the order of rows
    project = _by_remote(place, known) or _by_folder(place, known) or _by_history(place, known)
    if project is None and (around := _around(place, known)):
        return Match(around.id, (), ())
    return _match(place, project, known)


def needs_root_commit(place: Place, known: Sequence[Known]) -> bool:
    """Whether the first commit is worth a process: something is about to be written down, and it could be wrong."""
    if not place.is_git or place.of("root_commit"):
        return False
    match = identify(place, known)
    return match.project is None or bool(match.add or match.move)


def _by_remote(place: Place, known: Sequence[Known]) -> Known | None:
    remotes = (alias for alias in place.aliases if alias.kind == "remote")
    return next((one for remote in remotes for one in known if remote in one.aliases), None)


def _by_folder(place: Place, known: Sequence[Known]) -> Known | None:
    """The folder it was cloned from, then its own; but before both, whichever has the same history."""
    own = _own(place)
    folders = [alias for alias in place.aliases if alias.kind in ("git_dir", "path")]
    folders.sort(key=lambda alias: alias in own)
    found = [one for folder in folders for one in known if folder in one.aliases and _is_still(place, one)]
    found.sort(key=lambda one: not _same_history(place, one))
    return found[0] if found else None


def _is_still(place: Place, project: Known) -> bool:
    """Whether what lies in the folder of a project is that project, and not another repository in its place."""
    mine, theirs = _remotes(place, project)
    same_git_dir = bool(place.of("git_dir") & project.aliases)
    same_history = _same_history(place, project)
    if mine and theirs:
        return same_git_dir if same_history is None else same_history
    if theirs or not same_git_dir:
        return same_history is not False
    return True  # the first commit may have been amended


def _same_history(place: Place, project: Known) -> bool | None:
    mine, theirs = place.of("root_commit"), project.of("root_commit")
    return bool(mine & theirs) if mine and theirs else None


def _remotes(place: Place, project: Known) -> tuple[frozenset[Alias], frozenset[Alias]]:
    """The remotes of both, without those that are only a way to say "cloned from the other one"."""
    return (
        frozenset(remote for remote in place.of("remote") if not _leads_to(remote, project.aliases)),
        frozenset(remote for remote in project.of("remote") if not _leads_to(remote, _own(place))),
    )


def _leads_to(remote: Alias, aliases: Iterable[Alias]) -> bool:
    path = remote.value.removeprefix("file:")
    ways = {Alias("path", path), Alias("git_dir", path), Alias("git_dir", f"{path}/.git")}
    return path != remote.value and not ways.isdisjoint(aliases)


def _by_history(place: Place, known: Sequence[Known]) -> Known | None:
    """The one that was here before a move, or the one this is a copy of without a remote. Where two could be meant,
    none is: a history with several projects is that of a template or of forks."""
    family = [one for one in known if place.of("root_commit") & one.aliases]
    moved = [one for one in family if not one.of("remote") and not one.alive]
    copied = [one for one in family if one.of("remote") and not place.of("remote")]
    if len(moved) == 1:
        return moved[0]
    return family[0] if len(family) == len(copied) == 1 else None


def _around(place: Place, known: Sequence[Known]) -> Known | None:
    parents = (Alias("path", parent) for parent in place.parents)
    return next((one for parent in parents for one in known if parent in one.aliases), None)


def _match(place: Place, project: Known | None, known: Sequence[Known]) -> Match:
    """What the project has yet to learn. Of another project's aliases only the place's own folder is taken over."""
    learned = [alias for alias in place.aliases if project is None or alias not in project.aliases]
    taken = {alias for one in known for alias in one.aliases if alias.kind != "root_commit"}
    return Match(
        project.id if project else None,
        add=tuple(alias for alias in learned if alias not in taken),
        move=tuple(alias for alias in learned if alias in taken and alias in _own(place)),
    )


def _own(place: Place) -> frozenset[Alias]:
    """Its own git dir and path, not those of the folder it was cloned from."""
    git_dirs = [alias for alias in place.aliases if alias.kind == "git_dir"]
    return frozenset((*git_dirs[:1], Alias("path", place.root)))


# ── names and files ──────────────────────────────────────────────────────────────────────────────────────────────────


def display_name(wanted: str, root: str, taken: Callable[[str], bool]) -> str:
    """A name no other project has: "app", else "work/app" after the folder it is in, else "app-2" and so on."""
    name = _printable(wanted)[:LONGEST_NAME].strip(" /")
    name = "project" if name in ("", ".", "..") else name
    above = _printable(Path(root).parent.name)[:LONGEST_NAME]
    if not taken(name):
        return name
    if above and not taken(f"{above}/{name}"):
        return f"{above}/{name}"
    number = 2
    while taken(f"{name}-{number}"):
        number += 1
    return f"{name}-{number}"


def relative_file(path: str, root: str, cwd: str, real: Callable[[Path], Path] = resolve) -> str:
    """How a file is stored: from the root of its project, with forward slashes, so that every clone has one name.

    Outside the root it stays absolute. A symlink to a folder is followed, the file itself is not: CLAUDE.md may be a
    link to AGENTS.md and still is another file. Where nobody knows the current folder, it is the root. `real` follows
    links: who asks for many files can remember what it said.
    """
    if re.match(r"[A-Za-z]:[\\/]", path) and os.sep == "/":  # from a client on Windows, reported to a Linux beside it
        return path.replace("\\", "/")
    clean = path.replace("\0", "")
    said = _home() / clean[2:] if clean.startswith("~/") else Path(cwd or root, clean)
    linked = real(said) if said.name == ".." else real(said.parent) / said.name
    plain = linked if ".." in said.parts else said  # taking a ".." away is wrong after a symlink
    tops = (real(Path(root)), Path(root))
    below = _below(linked, tops) or _below(plain, tops) or _below(real(said), tops) or plain
    return _text(below.as_posix())


def _below(file: Path, tops: tuple[Path, ...]) -> Path | None:
    return next((file.relative_to(top) for top in tops if file.is_relative_to(top)), None)
