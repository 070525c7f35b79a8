"""What git's own files say about a folder, read by hand: starting git for every event would cost more than the answer.

Nothing here raises for an odd file system. What cannot be read is treated as absent, and the caller falls back to the
path. `include.path`, `url.*.insteadOf` and the user's global configuration are not followed: they would make one
repository look different to two users.
"""

import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from hardwon.regular_file import regular

SECONDS_FOR_HISTORY = 2.0
LARGEST_FILE = 4 << 20  # more of one file is not read


@dataclass(frozen=True, slots=True)
class Repository:
    root: str  # the top of this work tree; of a bare repository, the repository itself
    main: str  # the top of the main work tree; differs from `root` only in a linked work tree
    git_dir: str | None  # the one all work trees share; None when `.git` is a file that leads nowhere


def resolve(path: str | Path) -> Path:
    """The absolute path without symlinks; also of a folder that is gone, and when our own folder is."""
    clean = str(path).replace("\0", "")
    try:
        return Path(clean).resolve()
    except (OSError, RuntimeError):  # the current folder was deleted; a loop of symlinks
        return Path(os.path.normpath(Path(os.environ.get("PWD", "/")) / clean))


def find_repository(folder: Path) -> Repository | None:
    """The repository that an absolute folder lies in; the nearest one, so a submodule is found before its parent."""
    for root in (folder, *folder.parents):
        if found := open_repository(root):
            return found
    return None


def open_repository(root: Path) -> Repository | None:
    """The repository whose top is exactly `root`."""
    dot_git = root / ".git"
    kind = _kind(dot_git)
    if kind == "folder" and is_git_dir(dot_git):
        return _work_tree(root, resolve(dot_git))
    if kind == "file":
        target = _target(dot_git)
        return _work_tree(root, target) if target else Repository(str(root), str(root), None)
    if root.name != ".git" and _is_bare(root):
        return Repository(str(root), str(root), str(root))
    return None


def _work_tree(root: Path, git_dir: Path) -> Repository:
    shared = _first_line(git_dir / "commondir")
    if not shared:
        return Repository(str(root), str(root), str(git_dir))
    common = resolve(git_dir / shared)
    main = common.parent if common.name == ".git" else common
    return Repository(str(root), str(main), str(common))


def _target(dot_git: Path) -> Path | None:
    """Where a `.git` file points: the work trees and submodules have one, and it dangles after the main one moved."""
    line = _first_line(dot_git)
    target = resolve(dot_git.parent / line.removeprefix("gitdir:").strip())
    return target if line.startswith("gitdir:") and is_git_dir(target) else None


def is_git_dir(folder: Path) -> bool:
    """git asks for more, but a folder called `.git` with a HEAD is never anything else."""
    try:
        (folder / "HEAD").lstat()  # an old HEAD may be a symlink to a branch without commits
    except PermissionError:
        return True  # closed to us, and nobody closes what is not there
    except (OSError, ValueError):
        return False
    return True


def _is_bare(folder: Path) -> bool:
    return _kind(folder / "HEAD") == "file" and _kind(folder / "objects") == _kind(folder / "refs") == "folder"


def _kind(path: Path) -> str:
    """'folder', 'file' or '' for anything else, what we may not look at included."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return ""
    return "folder" if stat.S_ISDIR(mode) else "file" if stat.S_ISREG(mode) else ""


def _read(path: Path) -> str:
    """The text of a regular file, or nothing. A pipe called `config` must not make us wait."""
    try:
        with open(path, encoding="utf-8", errors="surrogateescape", opener=regular) as file:
            return file.read(LARGEST_FILE)
    except (OSError, ValueError):
        return ""


def _first_line(path: Path) -> str:
    return _read(path).partition("\n")[0].strip()


# ── remotes ──────────────────────────────────────────────────────────────────────────────────────────────────────────

# One thing of git's configuration language: a section, a setting with its raw value, a comment, or a line that is none.
_THING = re.compile(
    r"""
    \[ \s* (?P<section>[A-Za-z0-9.-]+) (?: \s+ "(?P<name>(?:[^"\\\n]|\\.)*+)" )? \s* \]
  | (?P<key>[A-Za-z][A-Za-z0-9-]*) [ \t]*
    (?: = (?P<value> (?: [^"\\#;\n]++ | \\(?:.|\n) | "(?:[^"\\\n]++|\\(?:.|\n))*+" )*+ ) )?
  | [#;][^\n]*
  | \S[^\n]*
    """,
    re.VERBOSE,
)
_QUOTING = re.compile(r'\\(\n|.)|"')
_ESCAPES = {"n": "\n", "t": "\t", "b": "\b", "\n": ""}


def remote_url(git_dir: str) -> str | None:
    """The URL of the remote a repository belongs to: `origin`, else `upstream`, else the first in the file."""
    urls: dict[str, str] = {}
    for remote, url in _remote_urls(_read(Path(git_dir) / "config")):
        if url:
            urls.setdefault(remote, url)  # git fetches from the first of several
        else:
            urls.pop(remote, None)  # an empty value clears the list
    return urls.get("origin") or urls.get("upstream") or next(iter(urls.values()), None)


def _remote_urls(config: str) -> Iterator[tuple[str, str]]:
    remote = None
    for thing in _THING.finditer(config):
        if section := thing["section"]:
            remote = _remote_name(section, thing["name"])
        elif remote is not None and (thing["key"] or "").lower() == "url":
            yield remote, _unquote(thing["value"] or "")


def _remote_name(section: str, name: str | None) -> str | None:
    kind, _, old_style = section.lower().partition(".")
    if kind != "remote":
        return None
    return old_style if name is None else _unquote(name)


def _unquote(raw: str) -> str:
    return _QUOTING.sub(lambda found: _ESCAPES.get(found[1], found[1]) if found[1] else "", raw.strip())


_URL = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://(?P<rest>.*)", re.DOTALL)
_SCP = re.compile(r"(?:[^/@]+@)?(?P<host>\[[^\]]+\]|[^:/@]+):(?P<path>.*)", re.DOTALL)
_HOST = re.compile(r"(?P<name>\[[^\]]*\]|[^:]*):?(?P<port>.*)", re.DOTALL)
_HELPER = re.compile(r"[A-Za-z0-9+.-]+::")
_MISSPELT = re.compile(r"[^/]*//(?P<rest>[^/]*:[^/]*@.*)", re.DOTALL)  # https//user:password@host, //user:password@host
_WINDOWS = re.compile(r"[A-Za-z]:[\\/]|\\\\")
_PORTS = {"ssh": "22", "http": "80", "https": "443", "git": "9418"}
# ssh through a firewall: another name for the same server, on a port that is not its own.
_OTHER_NAMES = {
    "ssh.github.com": "github.com",
    "altssh.gitlab.com": "gitlab.com",
    "altssh.bitbucket.org": "bitbucket.org",
    "www.github.com": "github.com",
}
_CASELESS = {"github.com", "gitlab.com", "bitbucket.org", "codeberg.org"}


def normalise_remote(url: str, base: str | Path = "") -> str | None:
    """One value for all spellings of a remote: "github.com/owner/repo", or "file:/absolute/path" on this machine.

    Who one signs in as is never part of it: user, password, token, query. `base` is what a relative path starts from.
    None when there is nothing to compare, as for a remote helper (`ext::command`).
    """
    text = url.strip()
    if not text or _HELPER.match(text):
        return None
    if text.lower().startswith("file://"):
        return _local(_file_path(text[len("file://") :]), base)
    if _WINDOWS.match(text):
        return _local(text, base)
    if found := _URL.match(text):
        return _network(found["scheme"].lower(), found["rest"])
    if (found := _SCP.fullmatch(text)) is None:
        misspelt = _MISSPELT.match(text)
        return _network("", misspelt["rest"]) if misspelt else _local(text, base)
    if "@" in _decode(found["path"].partition("/")[0])[1:]:  # user:password@host/path, which git refuses too
        return normalise_remote("ssh://" + text)
    return _join(found["host"], "", found["path"])


def _file_path(rest: str) -> str:
    path = _decode(rest)
    if path.startswith("/"):
        return path[1:] if _WINDOWS.match(path[1:]) else path
    host, _, path = path.partition("/")
    host = host.rpartition("@")[2]
    return f"/{path}" if host.lower() == "localhost" else f"\\\\{host}\\{path}"


def _local(path: str, base: str | Path) -> str:
    if _WINDOWS.match(path):
        windows = path.replace("\\", "/").rstrip("/").removesuffix("/.git")
        return f"file:{windows[:1].upper()}{windows[1:]}"
    place = resolve(Path(base) / path)
    if place.name == ".git":
        place = place.parent
    with_suffix = place.with_name(place.name + ".git") if place.name else place
    return f"file:{with_suffix if _is_bare(with_suffix) and not _kind(place) else place}"


def _network(scheme: str, rest: str) -> str | None:
    rest = _without_credentials(rest)
    place, _, path = rest.partition("/")
    host = _HOST.fullmatch(place)
    if host is None:
        return None
    port = host["port"]
    if port and not port.isdigit():  # ssh://git@host:owner/repo, a mixture that some tools write
        port, path = "", f"{port}/{path}"
    plain = scheme.removeprefix("git+").removesuffix("+git")
    return _join(host["name"], "" if port == _PORTS.get(plain) else port, re.split("[?#]", path)[0])


def _without_credentials(rest: str) -> str:
    place, slash, path = rest.partition("/")
    if "@" not in place and "@" in (decoded := _decode(place)):  # user:password%40host
        place = decoded
    if "@" in place:
        return place.rpartition("@")[2] + slash + path
    if re.search(r":.*\D", place) and not place.startswith("["):  # not a port: a password with a slash in it
        return rest.rpartition("@")[2]
    return rest


def _join(host: str, port: str, path: str) -> str | None:
    host = host.lower().rstrip(".")
    if host in _OTHER_NAMES:
        host, port = _OTHER_NAMES[host], ""
    parts = _without_login([part for part in _decode(path).split("/") if part not in ("", ".", "..")])
    repository = "/".join(parts).removesuffix(".git").rstrip("/")
    if not host or not repository:
        return None
    if host in _CASELESS:
        repository = repository.lower()
    return f"{host}:{port}/{repository}" if port else f"{host}/{repository}"


def _without_login(parts: list[str]) -> list[str]:
    """Of `https:/user:password@host/path`, which is read as a path on the host `https`, what follows the password.

    `@scope/app` and `owner/app@2` are names. A password may have a slash, so the `@` may be in the second part.
    """
    for count in (2, 1):
        login, at, rest = "/".join(parts[:count]).rpartition("@")
        if at and login and not login.endswith("/") and (count == 1 or ":" in login):
            return [rest, *parts[count:]]
    return parts


def _decode(path: str) -> str:
    if "%" in path:
        from urllib.parse import unquote

        path = unquote(path)
    return "".join(character for character in path if character.isprintable())


# ── history ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def root_commit(folder: str | Path) -> str | None:
    """The first commit of the repository a folder lies in: the one thing that survives a move. It may start git.

    None for a shallow clone (its first commit is not the first), before the first commit, without a git on the PATH,
    and for a history that takes longer than two seconds to walk. Of several roots the smallest, so that the answer
    does not depend on the order git finds them in. All work trees give the answer of the main one.
    """
    repository = find_repository(resolve(folder))
    if repository is None or repository.git_dir is None or _kind(Path(repository.git_dir) / "shallow"):
        return None
    head = _head(Path(repository.git_dir))
    if head is None:
        return None
    try:
        # What lies behind a commit never changes; what lies behind the word HEAD does.
        walk = _oldest_ancestor.__wrapped__ if head == "HEAD" else _oldest_ancestor
        return walk(repository.git_dir, head)
    except (OSError, ValueError):
        return None


def _head(git_dir: Path) -> str | None:
    """The commit HEAD stands for, None before the first one, 'HEAD' where only git can tell."""
    if _kind(git_dir / "reftable"):
        return "HEAD"
    head = _first_line(git_dir / "HEAD")
    if not head.startswith("ref:"):
        return head if _is_commit(head) else None
    name = head.removeprefix("ref:").strip()
    loose = _first_line(git_dir / name)
    if loose:
        return loose if _is_commit(loose) else "HEAD"
    packed = _read(git_dir / "packed-refs")
    found = re.search(rf"^([0-9a-f]{{40,64}}) {re.escape(name)}$", packed, re.MULTILINE)
    return found[1] if found else "HEAD" if len(packed) == LARGEST_FILE else None


def _is_commit(text: str) -> bool:
    return re.fullmatch(r"[0-9a-f]{40,64}", text) is not None


@lru_cache(maxsize=256)
def _oldest_ancestor(git_dir: str, commit: str) -> str | None:
    """Raises OSError or ValueError when git cannot answer now; a history that is too long is remembered as None.

    An explicit --git-dir keeps git from refusing a repository of another user. That refusal protects from commands in
    a foreign configuration; rev-list runs none of them, except to fetch missing commits, which is forbidden here.
    """
    import subprocess

    command = ["git", f"--git-dir={git_dir}", "rev-list", "--max-parents=0", commit, "--"]
    try:
        done = subprocess.run(
            command,
            env=_environment(),
            cwd=git_dir,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=SECONDS_FOR_HISTORY,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None
    roots = sorted(filter(_is_commit, done.stdout.decode("ascii", "replace").split()))
    if done.returncode or not roots:
        raise ValueError(f"{git_dir}: git rev-list ended with {done.returncode} and {len(roots)} commits")
    return roots[0]


def _environment() -> dict[str, str]:
    """Ours without a trace of git: a hook's GIT_DIR or a user's settings must not change which project this is."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return ours | {
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "none",  # the same for a git older than GIT_NO_LAZY_FETCH
        "GIT_TERMINAL_PROMPT": "0",
    }


def ask(folder: str, *words: str, seconds: float = 20.0) -> str:
    """What git says about a repository; empty where it can't say anything."""
    import subprocess

    try:
        done = subprocess.run(["git", "-C", folder, *words], env=_environment(), stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=seconds, check=True)  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.decode("utf-8", "replace")


def is_ancestor(git_dir: str, one: str, other: str, seconds: float = 10.0) -> bool | None:
    """Whether a commit is contained in another; None where git can't say. It may start git."""
    import subprocess

    command = ["git", f"--git-dir={git_dir}", "merge-base", "--is-ancestor", one, other]
    nowhere = subprocess.DEVNULL
    try:
        done = subprocess.run(command, env=_environment(), stdin=nowhere, stdout=nowhere, stderr=nowhere,
                              timeout=seconds, check=False)  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return None
    return {0: True, 1: False}.get(done.returncode)
