"""Where hardwon keeps things."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from hardwon.paths import Home, HomeError, home, make, quoted, remove_socket


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def user(tmp_path: Path) -> Path:
    """A user's own folder, with no links in its name."""
    folder = Path(os.path.realpath(tmp_path)) / "user"
    folder.mkdir()
    return folder


def test_everything_has_its_name_under_the_home() -> None:
    """One folder holds everything, under names that do not change."""
    place = Home(Path("/h"))
    names = {
        "database": "memory.db",
        "lock": "lock",
        "copies": "copies",
        "redo": "copies/since.log",
        "settings": "hardwon.toml",
        "log": "log/hardwon.log",
        "skills": "skills",
        "global_": "global",
        "projects": "projects",
        "spool": "spool",
        "hook": "hook",
        "socket": "daemon.sock",
    }
    assert {name: getattr(place, name) for name in names} == {k: Path("/h") / v for k, v in names.items()}


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        (None, "{user}/.hardwon"),
        ("", "{user}/.hardwon"),
        ("  ", "{user}/.hardwon"),
        ("~/memory", "{user}/memory"),
        ("{user}/a/../b/", "{user}/b"),
        ("/{user}/b", "{user}/b"),
        ("{user}/.hardwon/日本 語", "{user}/.hardwon/日本 語"),
        ("{user}/.claude-notes", "{user}/.claude-notes"),
    ],
)
def test_home_is_what_the_variable_names(user: Path, named: str | None, expected: str) -> None:
    """HARDWON_HOME names the home, ~ included; empty or unset means ~/.hardwon."""
    environ = {"HOME": str(user)} | ({} if named is None else {"HARDWON_HOME": named.format(user=user)})
    assert home(environ).root == Path(expected.format(user=user))


@pytest.mark.parametrize(
    ("named", "problem"),
    [
        ("/", "is the root of the file system"),
        ("//", "is the root of the file system"),
        ("~", "is your own home folder"),
        ("{user}/x/..", "is your own home folder"),
        ("{user}/file", "is not a folder"),
        ("{user}/pipe", "is not a folder"),
        ("~/.claude", "the folder of another tool"),
        ("~/.claude/skills/memory", "the folder of another tool"),
        ("~/.Claude/memory", "the folder of another tool"),
        ("~/.codex/memories", "the folder of another tool"),
        ("~/.config/opencode/x", "the folder of another tool"),
        ("~/.pi/agent", "the folder of another tool"),
        ("~/.ai-memory", "the folder of another tool"),
        ("{user}/link/memory", "the folder of another tool"),
        ("{user}/moved-codex/memory", "the folder of another tool"),
        ("~nobody-of-this-name/x", "names the folder of another user"),
        ("/a\0b", "has a NUL character"),
        ("here", "is not a full path"),
        ("./~odd", "is not a full path"),
    ],
)
def test_home_is_refused_where_a_memory_must_not_live(user: Path, named: str, problem: str) -> None:
    """A home that would harm, or be harmed by, something else is refused: the thing, the value, a next step."""
    (user / "file").touch()
    os.mkfifo(user / "pipe")
    (user / ".claude").mkdir()
    (user / "link").symlink_to(user / ".claude")
    text = named.format(user=user)
    environ = {"HOME": str(user), "HARDWON_HOME": text, "CODEX_HOME": str(user / "moved-codex")}
    with pytest.raises(HomeError, match=problem) as caught:
        home(environ)
    message = str(caught.value)
    assert message.startswith(f"HARDWON_HOME {quoted(text)} ")
    assert " — " in message
    assert message.isprintable()
    assert (caught.value.thing, caught.value.value) == ("HARDWON_HOME", text)


def test_default_home_that_is_a_file_is_refused(user: Path) -> None:
    """A file called ~/.hardwon is named as what stands in the way."""
    (user / ".hardwon").touch()
    with pytest.raises(HomeError, match=r'^the memory\'s folder "~/.hardwon" is not a folder — set HARDWON_HOME'):
        home({"HOME": str(user)})


def test_home_may_be_a_link(user: Path) -> None:
    """A home that was moved to another disk and linked is one home under both names."""
    (user / "disk").mkdir()
    (user / ".hardwon").symlink_to(user / "disk" / "hardwon")
    linked = home({"HOME": str(user)})
    assert linked == home({"HOME": str(user), "HARDWON_HOME": str(user / "disk" / "hardwon")})
    make(linked)
    assert (user / "disk" / "hardwon").is_dir()


def test_a_tool_whose_folder_holds_the_users_own_refuses_nothing(user: Path) -> None:
    """CODEX_HOME=~ must not make every home under ~ impossible."""
    assert home({"HOME": str(user), "CODEX_HOME": str(user)}).root == user / ".hardwon"


def test_home_without_HOME_asks_the_password_database(user: Path) -> None:  # noqa: N802
    """A cron job has no HOME and still finds the same memory; a full path needs neither."""
    import pwd

    own = Path(os.path.realpath(pwd.getpwuid(os.getuid()).pw_dir))
    assert home({"HARDWON_HOME": "~/.hardwon-of-a-test"}).root == own / ".hardwon-of-a-test"
    assert home({"HOME": "", "HARDWON_HOME": str(user / "m")}).root == user / "m"


def test_home_of_a_user_nobody_knows(user: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without HOME and without a password entry, ~ is refused and a full path works."""
    monkeypatch.setattr("os.getuid", lambda: 4_000_000_000)
    assert home({"HARDWON_HOME": str(user / "m")}).root == user / "m"
    with pytest.raises(HomeError, match="HOME is not set — set HARDWON_HOME to a full path"):
        home({})


@pytest.mark.parametrize(
    ("root", "expected"),
    [
        ("/h", "/h/daemon.sock"),
        ("/" + "h" * 90, "/" + "h" * 90 + "/daemon.sock"),  # 103 bytes
        ("/" + "h" * 91, "/tmp/hardwon-{uid}-{hash}/s"),
        ("/" + "語" * 31, "/tmp/hardwon-{uid}-{hash}/s"),
    ],
)
def test_socket_path_fits_the_platform(root: str, expected: str) -> None:
    """A Unix socket's path has at most 103 bytes; a deep home gets a short one, named after it."""
    import hashlib

    socket = Home(Path(root)).socket
    digest = hashlib.sha256(root.encode()).hexdigest()[:8]
    assert str(socket) == expected.format(hash=digest, uid=os.getuid())
    assert len(os.fsencode(socket)) <= 103


@pytest.mark.parametrize("variable", ["XDG_RUNTIME_DIR", "TMPDIR"])
def test_the_environment_has_no_say_in_where_the_socket_is(user: Path, variable: str) -> None:
    """It differs between a login, ssh and cron, and hooks and the daemon must meet; nothing is created to find out."""
    environ = {"HOME": str(user), "HARDWON_HOME": str(user / ("d" * 100))}
    assert home(environ | {variable: "/run/u"}).socket == home(environ).socket
    assert list(user.iterdir()) == []


def test_a_socket_folder_goes_only_when_it_is_ours_and_empty(user: Path) -> None:
    """What lies in it besides the socket stays, and so does a folder that others can write to."""
    far = Home(user / ("d" * 100))
    remove_socket(far)
    far.socket.parent.mkdir(mode=0o700)
    try:
        far.socket.touch()
        (far.socket.parent / "other").touch()
        remove_socket(far)
        assert [path.name for path in far.socket.parent.iterdir()] == ["other"]
        (far.socket.parent / "other").unlink()
        far.socket.parent.chmod(0o777)
        remove_socket(far)
        assert far.socket.parent.exists()
    finally:
        far.socket.parent.chmod(0o700)
        remove_socket(far)
    assert not far.socket.parent.exists()


def test_make_creates_a_private_folder(user: Path) -> None:
    """The home and the folders above it are made; the home is for its user alone, whatever the umask."""
    place = Home(user / "a" / "b" / "hardwon")
    old = os.umask(0)
    try:
        make(place)
    finally:
        os.umask(old)
    assert mode(place.root) == 0o700
    make(place)


def test_make_works_under_a_strict_umask(user: Path) -> None:
    """A umask that takes the user's own rights leaves a home that works."""
    old = os.umask(0o377)
    try:
        make(Home(user / "hardwon"))
    finally:
        os.umask(old)
    assert mode(user / "hardwon") == 0o700


@pytest.mark.parametrize("inside", [[], ["memory.db"], ["hardwon.toml", "my notes"], ["log", "spool"]])
def test_make_tightens_a_folder_that_is_ours(user: Path, inside: list[str]) -> None:
    """A home that others can read is taken back from them."""
    root = user / "hardwon"
    root.mkdir()
    root.chmod(0o755)
    for name in inside:
        (root / name).touch()
    make(Home(root))
    assert mode(root) == 0o700


def test_make_leaves_a_folder_alone_that_is_not_ours(user: Path) -> None:
    """A shared folder named by mistake keeps its mode; its other users are not shut out."""
    shared = user / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    (shared / "report.txt").touch()
    with pytest.raises(HomeError, match="has other things in it and is open to other users"):
        make(Home(shared))
    assert mode(shared) == 0o777


def test_make_uses_a_private_folder_with_other_things(user: Path) -> None:
    """Nothing has to be changed about a folder that only its user can open."""
    private = user / "private"
    private.mkdir(mode=0o700)
    (private / "report.txt").touch()
    make(Home(private))


def test_make_refuses_the_folder_of_another_user(user: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`sudo hardwon` must not leave root's files in a user's memory."""
    root = user / "hardwon"
    root.mkdir(mode=0o700)
    monkeypatch.setattr("os.geteuid", lambda: os.getuid() + 1)
    with pytest.raises(HomeError, match="belongs to another user — run hardwon as that user"):
        make(Home(root))


@pytest.mark.parametrize(
    ("number", "problem"),
    [
        (errno.ENOSPC, "the disk is full — free some space"),
        (errno.EROFS, "is on a read-only file system — set HARDWON_HOME"),
        (errno.EACCES, "permission denied — make it yours"),
        (errno.EPERM, "not permitted"),
        (errno.EDQUOT, "quota"),
        (errno.EIO, "cannot be used: Input/output error — set HARDWON_HOME to another folder"),
    ],
)
def test_make_says_why_it_cannot(user: Path, monkeypatch: pytest.MonkeyPatch, number: int, problem: str) -> None:
    """Whatever the system answers, the error names the folder and a next step."""

    def refuse(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("os.mkdir", refuse)
    with pytest.raises(HomeError, match=problem) as caught:
        make(Home(user / "hardwon"))
    assert str(user / "hardwon") in str(caught.value)


def test_make_says_what_is_in_the_way(user: Path) -> None:
    """A file above the home, a file in its place, and a name that is too long are told apart."""
    (user / "file").touch()
    for root, problem in [
        (user / "file" / "hardwon", "below a file"),
        (user / "file", "not a folder"),
        (user / ("n" * 300), "too long a name"),
    ]:
        with pytest.raises(HomeError, match=problem):
            make(Home(root))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_make_refuses_a_home_that_cannot_be_written(user: Path) -> None:
    """A read-only home is not silently made writable."""
    root = user / "hardwon"
    root.mkdir(mode=0o500)
    with pytest.raises(HomeError, match=r"cannot be written — run chmod"):
        make(Home(root))


def test_two_processes_may_make_the_same_home(user: Path) -> None:
    """The first open of a home by twenty processes at once fails for none of them."""
    code = f"from pathlib import Path; from hardwon.paths import *; make(Home(Path({str(user / 'a' / 'h')!r})))"
    running = [subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE) for _ in range(20)]
    assert [process.communicate()[1] for process in running] == [b""] * 20
    assert mode(user / "a" / "h") == 0o700


def test_a_message_has_nothing_that_a_terminal_obeys() -> None:
    """Escape sequences and line breaks in a value are shown, not sent."""
    assert quoted("a\x1b[31m\nb\udc80") == '"a\\x1b[31m\\nb\\udc80"'
    assert quoted("x" * 300, 10) == '"xxxxxxxxx…"'
