"""Failures that teach nothing: an answer of no, Esc, a denial, a failure that the command itself allows for.

The status of a line is that of the part which failed: the last of a pipe, any of an `&&` chain. It is an answer when
each part that may have failed is one that asks. A test that is meant to be red is announced in words, not here.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from hardwon.text import commands
from hardwon.text.commands import shell
from hardwon.text.commands.kinds import words_of
from hardwon.text.commands.shell import Part
from hardwon.text.commands.vocabulary import names

_DENIED = re.compile(
    r"Permission to use \w{1,60}.{0,2000}? has been (?:auto-)?denied"
    r"|The user doesn't want to (?:proceed|take this action)"
    r"|(?:command|tool use|operation) requires approval|The tool use was rejected|hook (?:\S{1,80} )?(?:denied|blocked)"
    r"|denied by the user|rejected by (?:the )?user|[Rr]ejected\(\"|blocked by (?:policy|sandbox)",
    re.DOTALL,
)
_INTERRUPTED = re.compile(
    r"\[Request interrupted by user|<error>Interrupted|Command was (?:aborted|interrupted)|aborted by user"
)
_CONFLICT = re.compile(
    r"(?m)^(?:CONFLICT|KONFLIKT|CONFLIT|CONFLICTO|CONFLITO|КОНФЛИКТ|冲突|衝突|競合|충돌)\s?[(（][^)）\n]{1,60}[)）]\s?[:：]"
    r"|^Automatic merge failed; |^error: \w+ is not possible because you have unmerged files"
    r"|^[^\n]{1,300}: needs merge$"
    r"|^error: could not apply [0-9a-f]{7,40}\.\.\."
)
"""As git tells of one, in its own languages."""
_ENDED = frozenset({130, 143})
"""Ctrl-C and SIGTERM: somebody stopped it."""
_TIME_IS_UP = 124

_NO = frozenset({1})
_ANY = frozenset(range(1, 126))
_ASKS: dict[str, frozenset[int]] = {
    **dict.fromkeys(("grep", "egrep", "fgrep", "rg", "ag", "ack", "zgrep", "git grep"), _NO),
    **dict.fromkeys(("diff", "cmp", "colordiff", "comm", "test", "[", "[[", "expr", "false", "let"), _NO),
    **dict.fromkeys(("pgrep", "pidof", "lsof", "kill -0", "id", "tmux has-session", "ssh-add -l"), _NO),
    **dict.fromkeys(("npm outdated", "yarn outdated", "pnpm outdated", "pip show", "brew list", "rpm -q"), _NO),
    **dict.fromkeys(("dpkg -s", "dpkg -l", "dpkg -L", "docker inspect", "docker volume inspect"), _NO),
    **dict.fromkeys(("docker network inspect", "jq -e", "nc -z", "git check-ignore", "git config --get"), _NO),
    **dict.fromkeys(("git show-ref", "git merge-base --is-ancestor", "git cat-file -e", "git ls-files"), _NO),
    **dict.fromkeys(("command -v", "command -V", "which", "type", "hash", "whereis"), _ANY | {127}),
    **dict.fromkeys(("systemctl is-active", "systemctl is-enabled", "systemctl is-failed"), _ANY),
    "systemctl status": frozenset({3, 4}),
    "getent": frozenset({1, 2}),
    "mountpoint": frozenset({1, 32}),
    "pytest": frozenset({5}),
    "xargs": frozenset({1, 123}),
    "git ls-remote": frozenset({2}),
}
"""Commands that answer by their status, and which of them is an answer."""
_ASKS_WITH: dict[str, tuple[str, ...]] = {
    "git diff": ("--exit-code", "--quiet"),
    "git diff-index": ("--exit-code", "--quiet"),
    "git diff-files": ("--quiet",),
    "git rev-parse": ("--verify", "-q", "--quiet"),
    "git symbolic-ref": ("-q", "--quiet"),
}
"""Commands that do so with one of these options."""
_CANNOT_FAIL = names("cd pushd popd export set source . echo printf true : sleep")


def no_lesson(command: str, exit_status: int | None, output: str) -> str:
    """Why a failed command teaches nothing; empty when it does."""
    for reason, holds in _REASONS:
        if holds(command, exit_status, output):
            return reason
    return ""


def _denied(_command: str, exit_status: int | None, output: str) -> bool:
    return exit_status in (None, 1) and bool(_DENIED.search(output[:4_000]))


def _interrupted(_command: str, exit_status: int | None, output: str) -> bool:
    return exit_status in _ENDED or bool(_INTERRUPTED.search(output[-4_000:]))


def _never_ran(_command: str, exit_status: int | None, _output: str) -> bool:
    return exit_status is None


def _time_is_up(command: str, exit_status: int | None, _output: str) -> bool:
    """A server that was given a limit was ended by it; a test run that hangs is something else."""
    limited = re.search(r"\bg?timeout\b", command) is not None
    return exit_status == _TIME_IS_UP and limited and not commands.is_validation(command)


def _allowed(command: str, _exit_status: int | None, _output: str) -> bool:
    last = [part for part in shell.parts(command) if part.joint == "||"][-1:]
    return bool(last) and words_of(last[0])[:1] in (["true"], [":"], ["echo"], ["printf"])


def _waited(command: str, _exit_status: int | None, _output: str) -> bool:
    words = command.split(None, 1)
    return words[:1] in (["until"], ["while"]) and commands.waits(command)


def _said_no(command: str, exit_status: int | None, output: str) -> bool:
    if not exit_status or ": cd: " in output:
        return False
    if command.lstrip().startswith("(("):  # arithmetic that is zero
        return exit_status == 1
    suspects = _suspects(command)
    asked = [part for part in suspects if _answers(part, exit_status, output)]
    return bool(asked) and all(part in asked or words_of(part)[:1] == [] or _harmless(part) for part in suspects)


def _conflicts(_command: str, _exit_status: int | None, output: str) -> bool:
    """Two changes of the same lines: who merges has to look at them, each time anew."""
    return _CONFLICT.search(output[-36_000:]) is not None


_REASONS: tuple[tuple[str, Callable[[str, int | None, str], bool]], ...] = (
    ("the client refused it", _denied),
    ("it was interrupted", _interrupted),
    ("it was denied or interrupted", _never_ran),
    ("its time was up, as it was told", _time_is_up),
    ("the command allows for it", _allowed),
    ("it waited for something", _waited),
    ("it only said no", _said_no),
    ("it met a merge conflict", _conflicts),
)


def _suspects(command: str) -> list[Part]:
    """The parts whose status may be the status of the line."""
    found: list[Part] = []
    for part in shell.parts(command):
        if part.joint in (";", "||", ""):
            found = [part]
        elif part.joint == "|":
            found = [*found[:-1], part]
        else:
            found.append(part)
    return found


def _harmless(part: Part) -> bool:
    return words_of(part)[0] in _CANNOT_FAIL


def _answers(part: Part, status: int, output: str) -> bool:
    if part.words[:1] == ("!",):
        return status == 1
    words = words_of(part)
    line = " ".join(words)
    for length in (3, 2, 1):
        name = " ".join(words[:length])
        if name in _ASKS_WITH:
            return status == 1 and any(option in part.words for option in _ASKS_WITH[name])
        if name in _ASKS:
            return status in _ASKS[name] and (name != "xargs" or " grep" in line or " rg" in line)
    if words[:1] == ["curl"]:
        return "/dev/null" in " ".join((line, *part.redirections)) and "curl: (" not in output
    return False
