"""Where the clients keep their skills, and which SKILL.md a skill's name means.

A name is what a model or a person typed: it is only ever compared with folder names, or put behind a skills' folder
after each of its parts was checked, so it can't lead out of there. A link inside a skills' folder is followed, as the
clients follow it (installers put them there); whoever can make one could write the SKILL.md itself.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from hardwon import clients
from hardwon.regular_file import regular

FILE = "SKILL.md"
LONGEST_NAME = 200
MOST_FOLDERS = 300
"""In one skills' folder or one plugin cache: the rest is not looked at."""
HIGHEST = 12
"""Folders above the working one."""


@dataclass(frozen=True, slots=True)
class Place:
    """From where a skill is looked for."""

    cwd: str = ""
    root: str = ""
    host: str = ""
    clients: tuple[str, ...] = ()
    """Folders of clients' settings that an event told of, as `~/.claude`."""


def name_of(path: str) -> str | None:
    """The skill whose file this is; None for any other file. One of a plugin has the plugin's name before it."""
    parts = path.replace("\\", "/").split("/")
    if len(parts) < 3 or parts[-1] != FILE or parts[-2] in ("", ".", ".."):
        return None
    plugin = re.search(_PLUGIN, "/".join(parts[:-2]) + "/")
    return f"{plugin['cached'] or plugin['own']}:{parts[-2]}" if plugin else parts[-2]


_PLUGIN = r"/plugins/(?:cache/[^/]+/(?P<cached>[^/]+)/[^/]+|(?:marketplaces/[^/]+/)?(?P<own>[^/.][^/]*))/skills/$"


def parts_of(name: str) -> tuple[str, tuple[str, ...]] | None:
    """The plugin (or nothing) and the folders of a skill's name; None when it could lead anywhere else."""
    plugin, colon, rest = name.strip().replace("\\", "/").rpartition(":")
    folders = tuple(rest.split("/"))
    checked = (*folders, plugin) if colon else folders
    if len(name) > LONGEST_NAME or not all(_is_folder_name(part) for part in checked):
        return None
    return plugin, folders


def _is_folder_name(part: str) -> bool:
    return part not in ("", ".", "..") and not any(char in part for char in "/:") and part.isprintable()


def find(name: str, place: Place, environ: Mapping[str, str]) -> str | None:
    """The SKILL.md that this name means, where it is first found: the project (nearest folder first), the user, the
    plugins. Clients differ in which of two skills with one name they take."""
    parts = parts_of(name)
    if parts is None:
        return None
    plugin, folders = parts
    if plugin:
        return next((path for path in _of_plugin(plugin, folders, place, environ) if _is_file(path)), None)
    known = list(dict.fromkeys(_skill_folders(place, environ)))
    for folder in known:
        if _is_file(path := os.path.join(folder, *folders, FILE)):  # noqa: PTH118
            return path
    return next((path for folder in known for path in _otherwise_named(folder, "/".join(folders))), None)


def every(place: Place, environ: Mapping[str, str]) -> list[str]:
    """The SKILL.md files that a client would find from here, each once; those of plugins in their newest version."""
    folders = [one for known in dict.fromkeys(_skill_folders(place, environ)) for one in _folders_in(known)]
    folders += [inside for one in folders for inside in _folders_in(one)]  # a group of skills
    for client in _clients(place, environ):
        for market in _folders_in(f"{client}/plugins/cache"):
            for plugin in _folders_in(market):
                for version in sorted(_folders_in(plugin), key=_changed, reverse=True)[:1]:
                    folders += _folders_in(f"{version}/skills")
    found = (os.path.join(folder, FILE) for folder in dict.fromkeys(folders))  # noqa: PTH118
    return [path for path in found if _is_file(path)]


def _clients(place: Place, environ: Mapping[str, str]) -> list[str]:
    """The folders in which clients keep their plugins."""
    home = environ.get("HOME", "")
    usual = [f"{home}/{one.settings}" for one in clients.every() if one.settings] if home.startswith("/") else []
    return list(dict.fromkeys((*_settings_folders(place, environ), *usual)))


def _skill_folders(place: Place, environ: Mapping[str, str]) -> Iterator[str]:
    for folder in _upwards(place.cwd, place.root):
        yield from (os.path.join(folder, own) for own in _own_first(in_project(), place.host))  # noqa: PTH118
    for folder in _settings_folders(place, environ):
        yield os.path.join(folder, "skills")  # noqa: PTH118
    if (home := environ.get("HOME", "")).startswith("/"):
        yield from (os.path.join(home, own) for own in _own_first(in_home(), place.host))  # noqa: PTH118


def in_project() -> tuple[str, ...]:
    """Below a project and below the folders on the way up to its root."""
    return tuple(dict.fromkeys(folder for one in clients.every() for folder in one.skills.in_project))


def in_home() -> tuple[str, ...]:
    """Below the person's own folder."""
    return tuple(dict.fromkeys(folder for one in clients.every() for folder in one.skills.in_home))


def _own_first(folders: Sequence[str], host: str) -> list[str]:
    client = clients.find(host)
    own = client.skills.own if client else ""
    return sorted(folders, key=lambda folder: not own or not folder.startswith(own + "/"))


def _settings_folders(place: Place, environ: Mapping[str, str]) -> list[str]:
    variables = [one.settings_variable for one in clients.every() if one.settings_variable]
    given = [*place.clients, *(environ.get(name, "") for name in variables)]
    return [folder for folder in given if folder.startswith("/")]


def _upwards(cwd: str, root: str) -> Iterator[str]:
    """The working folder and those above it, up to the project's root."""
    folder = cwd
    for _ in range(HIGHEST):
        if not folder.startswith("/") or folder == "/" or not root or not f"{folder}/".startswith(f"{root}/"):
            break
        yield folder
        folder = os.path.dirname(folder)  # noqa: PTH120
    if root.startswith("/"):
        yield root


def _otherwise_named(folder: str, name: str) -> Iterator[str]:
    """In folders of another name: in a group one level down, or where the file itself says how it is called."""
    for one in _folders_in(folder):
        if "/" not in name and _is_file(path := os.path.join(one, name, FILE)):  # noqa: PTH118
            yield path
        if _says_name(path := os.path.join(one, FILE)) == name:  # noqa: PTH118
            yield path


def _of_plugin(plugin: str, folders: tuple[str, ...], place: Place, environ: Mapping[str, str]) -> Iterator[str]:
    """In `plugins/cache/MARKET/PLUGIN/VERSION` (the newest first), and in marketplaces that are folders."""
    for client in _clients(place, environ):
        for market in _folders_in(f"{client}/plugins/cache"):
            for version in sorted(_folders_in(f"{market}/{plugin}"), key=_changed, reverse=True):
                yield os.path.join(version, "skills", *folders, FILE)  # noqa: PTH118
        for market in _folders_in(f"{client}/plugins/marketplaces"):
            for inside in (f"plugins/{plugin}", plugin):
                yield os.path.join(market, inside, "skills", *folders, FILE)  # noqa: PTH118
    for folder in _upwards(place.cwd, place.root):  # a marketplace that is this very project
        yield os.path.join(folder, "plugins", plugin, "skills", *folders, FILE)  # noqa: PTH118


def _folders_in(folder: str) -> list[str]:
    try:
        with os.scandir(folder) as found:
            names = sorted(one.name for one, _ in zip(found, range(MOST_FOLDERS), strict=False))
    except (OSError, ValueError):
        return []
    return [os.path.join(folder, name) for name in names]  # noqa: PTH118


def _changed(path: str) -> int:
    try:
        return os.stat(path).st_mtime_ns  # noqa: PTH116
    except OSError:
        return 0


def _is_file(path: str) -> bool:
    """A regular file: never a pipe that one would wait at."""
    try:
        return stat.S_ISREG(os.stat(path).st_mode)  # noqa: PTH116
    except (OSError, ValueError):
        return False


def _says_name(path: str) -> str:
    try:
        found = os.stat(path)  # noqa: PTH116
    except (OSError, ValueError):
        return ""
    return _own_name(path, found.st_mtime_ns, found.st_size) if stat.S_ISREG(found.st_mode) else ""


@lru_cache(maxsize=1_000)
def _own_name(path: str, mtime: int, size: int) -> str:  # noqa: ARG001  both say whether the file changed
    try:
        with open(path, encoding="utf-8", errors="replace", opener=regular) as file:
            head = file.read(4_000)
    except OSError:
        return ""
    match = re.search(r"""^name:[ \t]*["']?([^\r\n"']{1,200}?)["']?[ \t]*$""", head, re.MULTILINE)
    return match[1] if match and head.lstrip("\ufeff \r\n").startswith("---") else ""
