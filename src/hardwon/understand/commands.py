"""One form for one command, however it was typed."""

from __future__ import annotations

import re
from collections.abc import Sequence

_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_CHANGE_FOLDER = re.compile(r"\s*(?:cd|pushd)\s+(?:\"[^\"]*\"|'[^']*'|[^\s;&|]+)\s*(?:&&|;)\s*")
_WRAPPERS = frozenset({"sudo", "time", "nohup", "env", "command", "exec", "nice", "ionice", "stdbuf", "caffeinate"})
# With its quotation marks, which shlex would take away or trip over; an unfinished quotation is plain words.
_WORD = re.compile(r"""(?:[^\s'"]|'[^']*'|"(?:[^"\\]|\\.)*"|['"])+""")
_PROMPT = re.compile(r"^\s*[$%❯>]\s+")


def normalise(command: str) -> str:
    """Without `cd x &&`, VAR=value, sudo and their like, prompt signs and extra blanks."""
    text = _PROMPT.sub("", command.strip())
    while match := _CHANGE_FOLDER.match(text):
        text = text[match.end() :]
    words = _WORD.findall(text)
    while words and (_ASSIGNMENT.match(words[0]) or words[0] in _WRAPPERS):
        words = words[1:]
    return " ".join(words)


def begins(command: str, names: Sequence[str]) -> bool:
    """Whether a normalised command is one of these, such as `git diff`."""
    return any(command == name or command.startswith(f"{name} ") for name in names)


_LOOK = "cd ls cat head tail less grep rg find fd wc file stat pwd echo which type tree du df ps printenv date sleep"
_LOOK_GIT = "status diff log show branch blame grep ls-files"
_LOOKS = (*_LOOK.split(), *(f"git {verb}" for verb in _LOOK_GIT.split()))
_PARTS = re.compile(r"&&|\|\||[;|\n]")
_HARMLESS = re.compile(r"\d?>(?:&\d|\s*/dev/null)")
_CHANGES = re.compile(r">|\s-(?:delete|exec|execdir|ok)\b")


def only_looks(command: str) -> bool:
    """Whether a command changes nothing, as far as can be told: each of its parts reads, none of them writes."""
    bare = _HARMLESS.sub("", command)
    return not _CHANGES.search(bare) and all(begins(normalise(part), _LOOKS) for part in _PARTS.split(bare))
