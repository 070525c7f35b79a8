"""One form for one command, however it was typed."""

from __future__ import annotations

import re

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
