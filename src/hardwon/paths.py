"""Where hardwon keeps things: one private folder, resolved once, never inside another tool's.

``home`` only computes and refuses; only ``make`` and ``remove_socket`` change the disk.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

SOCKET_BYTES = 103  # what macOS accepts as the path of a Unix socket; Linux accepts four more
SOCKET = "daemon.sock"

# Folders of other tools, each with the variable that moves it. A store of ours in one of them would be read, synced or
# deleted by a program that knows nothing of it.
OTHER_TOOLS = (
    ("CLAUDE_CONFIG_DIR", ".claude"),
    ("CODEX_HOME", ".codex"),
    ("OPENCODE_CONFIG_DIR", ".config/opencode"),
    ("", ".local/share/opencode"),
    ("PI_CODING_AGENT_DIR", ".pi"),
    ("AI_MEMORY_HOME", ".ai-memory"),
    ("", ".agents"),
    ("", ".copilot"),
    ("", ".cursor"),
    ("", ".factory"),
    ("", ".gemini"),
    ("", ".qwen"),
)

# What only a folder of ours has, and what a new one may have before that: the difference between tightening our own
# folder and shutting everybody else out of one that was named by mistake.
SIGNS = frozenset({"memory.db", "hardwon.toml", "copies", "hook"})
NAMES = SIGNS | {
    *(
        "clients",
        "daemon.lock",
        "daemon.sock",
        "cli.sock",
        "lock",
        "log",
        "skills",
        "global",
        "projects",
        "spool",
        ".DS_Store",
    ),
}

REASONS = {
    errno.EACCES: ("cannot be used: permission denied", "make it yours, or set HARDWON_HOME to a folder that is"),
    errno.EPERM: ("cannot be used: not permitted", "make it yours, or set HARDWON_HOME to a folder that is"),
    errno.EROFS: ("is on a read-only file system", "set HARDWON_HOME to a folder that can be written"),
    errno.ENOSPC: ("cannot be made: the disk is full", "free some space, or set HARDWON_HOME to another disk"),
    errno.EDQUOT: ("cannot be made: the disk quota is used up", "free some space, or set HARDWON_HOME elsewhere"),
    errno.ENOTDIR: ("lies below a file, not a folder", "set HARDWON_HOME to a path made of folders"),
    errno.EEXIST: ("is taken by something that is not a folder", "move that away, or set HARDWON_HOME elsewhere"),
    errno.ENAMETOOLONG: ("has too long a name", "set HARDWON_HOME to a shorter path"),
    errno.ELOOP: ("is a symbolic link in a circle", "remove the link, or set HARDWON_HOME elsewhere"),
}


class HomeError(ValueError):
    """A folder that hardwon will not or cannot use: the thing, its value, what is wrong, the next step."""

    def __init__(self, thing: str, value: str, problem: str, next_step: str) -> None:
        super().__init__(f"{thing} {quoted(value)} {problem} — {next_step}")
        self.thing, self.value, self.problem, self.next_step = thing, value, problem, next_step


@dataclass(frozen=True, slots=True)
class Home:
    """The memory's folder and the name of everything in it; nothing of it need exist."""

    root: Path

    @property
    def database(self) -> Path:
        return self.root / "memory.db"

    @property
    def lock(self) -> Path:
        return self.root / "lock"

    @property
    def copies(self) -> Path:
        return self.root / "copies"

    @property
    def redo(self) -> Path:
        """The records written since the last copy."""
        return self.copies / "since.log"

    @property
    def settings(self) -> Path:
        return self.root / "hardwon.toml"

    @property
    def log(self) -> Path:
        return self.root / "log" / "hardwon.log"

    @property
    def skills(self) -> Path:
        return self.root / "skills"

    @property
    def global_(self) -> Path:
        return self.root / "global"

    @property
    def handoffs(self) -> Path:
        return self.root / "handoffs"

    @property
    def projects(self) -> Path:
        return self.root / "projects"

    @property
    def spool(self) -> Path:
        return self.root / "spool"

    @property
    def hook(self) -> Path:
        return self.root / "hook"

    @property
    def socket(self) -> Path:
        """The daemon's Unix socket: in the home if the path is short enough, else in a folder named after the home.

        /tmp is open to everybody: who makes that folder makes it 0700, and who connects checks it (`is_private`). A
        variable such as XDG_RUNTIME_DIR has no say: it differs between a login, cron and ssh, and hooks and the daemon
        must meet.
        """
        inside = self.root / SOCKET
        if len(os.fsencode(inside)) <= SOCKET_BYTES:
            return inside
        import hashlib  # only a long path pays for it

        name = hashlib.sha256(os.fsencode(self.root)).hexdigest()[:8]
        return Path(f"/tmp/hardwon-{os.getuid()}-{name}/s")


def home(environ: Mapping[str, str] = os.environ) -> Home:
    """The home that HARDWON_HOME names, else ``~/.hardwon``; refused in a sentence where a memory must not live."""
    named = environ.get("HARDWON_HOME", "")
    thing = "HARDWON_HOME" if named.strip() else "the memory's folder"
    text = named if named.strip() else "~/.hardwon"
    user = user_folder(environ)
    root = _absolute(thing, text, user)
    problem = _refusal(root, user, environ)
    if problem:
        raise HomeError(thing, text, problem, "set HARDWON_HOME to a folder of its own, such as ~/.hardwon")
    return Home(root)


def is_private(socket: Path) -> bool:
    """Whether nobody else can listen at a daemon's socket. In the home that is so already."""
    if socket.name == SOCKET:
        return True
    try:
        folder = socket.parent.lstat()
    except OSError:
        return False
    return folder.st_uid == os.getuid() and folder.st_mode & 0o170077 == stat.S_IFDIR


def remove_socket(home: Home) -> None:
    """What is left of a daemon's socket outside of the home, with its folder; the caller knows that none runs."""
    if home.socket.parent == home.root or not is_private(home.socket):
        return
    with contextlib.suppress(OSError):
        home.socket.unlink(missing_ok=True)
        home.socket.parent.rmdir()


def user_folder(environ: Mapping[str, str]) -> Path | None:
    """The user's own folder: HOME, else what the password database says; none for a user unknown to both."""
    if environ.get("HOME", "").startswith("/"):
        return Path(environ["HOME"])
    import pwd

    try:
        return Path(pwd.getpwuid(os.getuid()).pw_dir)
    except KeyError:
        return None


def make(home: Home) -> None:
    """Create the home for its user alone (0700), or take back from others one that is already ours."""
    try:
        try:
            home.root.mkdir(mode=0o700, parents=True)
        except FileExistsError:
            _take(home.root)
        else:
            home.root.chmod(0o700)  # whatever the umask says
    except OSError as error:
        raise _cannot_use(home.root, error) from error


def quoted(text: str, length: int = 200) -> str:
    """Text for a message: in quotes, on one line, without anything that a terminal would obey."""
    clipped = text if len(text) <= length else text[: length - 1] + "…"
    return '"' + "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in clipped) + '"'


def _absolute(thing: str, text: str, user: Path | None) -> Path:
    if text == "~" or text.startswith("~/"):
        if user is None:
            raise HomeError(
                thing, text, "needs a user's folder, and HOME is not set", "set HARDWON_HOME to a full path"
            )
        text = f"{user}{text[1:]}"
    elif text.startswith("~"):
        raise HomeError(thing, text, "names the folder of another user", "write the whole path, from / on")
    elif not text.startswith("/"):  # each folder would have a memory of its own
        raise HomeError(thing, text, "is not a full path", "write the whole path, from / or ~ on")
    try:
        return _real(text)
    except ValueError as error:
        raise HomeError(thing, text, "has a NUL character in it", "set HARDWON_HOME to a full path") from error


def _real(path: str | Path) -> Path:
    """Absolute and without symbolic links, so that two spellings of a home are one home."""
    return Path("/" + os.path.realpath(path).lstrip("/"))


def _refusal(root: Path, user: Path | None, environ: Mapping[str, str]) -> str:
    if root == Path("/"):
        return "is the root of the file system"
    if user is not None and root == _real(user):
        return "is your own home folder"
    if os.path.lexists(root) and not root.is_dir():
        return "is not a folder"
    return next((f"is inside {tool}, the folder of another tool" for tool in _around(root, user, environ)), "")


def _around(root: Path, user: Path | None, environ: Mapping[str, str]) -> Iterator[Path]:
    """The other tools' folders that hold ``root``; one that holds the user's own folder says nothing."""
    own = _real(user) if user else None
    for tool in _other_tools(user, environ):
        real = _real(tool)
        if _holds(real, root) and not (own and _holds(real, own)):
            yield tool


def _other_tools(user: Path | None, environ: Mapping[str, str]) -> Iterator[Path]:
    for variable, folder in OTHER_TOOLS:
        if environ.get(variable, "").startswith("/"):
            yield Path(environ[variable])
        if user is not None:
            yield user / folder
    for variable in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        if environ.get(variable, "").startswith("/"):
            yield Path(environ[variable]) / "opencode"


def _holds(folder: Path, path: Path) -> bool:
    """Whether ``path`` is ``folder`` or below it; in any case, as on a Mac ``~/.Claude`` is ``~/.claude``."""
    return Path(str(path).casefold()).is_relative_to(str(folder).casefold())


def _take(root: Path) -> None:
    status = root.stat()
    thing = "the memory's folder"
    if not root.is_dir():
        raise FileExistsError(errno.EEXIST, "not a folder", str(root))
    if status.st_uid != os.geteuid():
        raise HomeError(thing, str(root), "belongs to another user", "run hardwon as that user, or set HARDWON_HOME")
    if status.st_mode & 0o077:
        if not _is_ours(root):
            step = "set HARDWON_HOME to a folder of its own, such as ~/.hardwon"
            raise HomeError(thing, str(root), "has other things in it and is open to other users", step)
        root.chmod(status.st_mode & 0o700)
    if not os.access(root, os.W_OK | os.X_OK):
        raise HomeError(thing, str(root), "cannot be written", f"run chmod u+rwx {root}, or set HARDWON_HOME")


def _is_ours(root: Path) -> bool:
    names = set(os.listdir(root))
    return bool(names & SIGNS) or names <= NAMES


def _cannot_use(root: Path, error: OSError) -> HomeError:
    otherwise = (f"cannot be used: {error.strerror or error}", "set HARDWON_HOME to another folder")
    problem, next_step = REASONS.get(error.errno or 0, otherwise)
    return HomeError("the memory's folder", str(root), problem, next_step)
