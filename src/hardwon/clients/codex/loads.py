"""Which skills are loaded: Codex has no tool for that. The model reads a SKILL.md in its shell; a person writes
`$deploy` anywhere in a prompt, and the client adds the file."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator

from hardwon import git_head
from hardwon.clients import skills
from hardwon.clients.skills import Place

READERS = frozenset({"cat", "bat", "batcat", "head", "less", "more", "nl", "sed", "tail"})
MOST = 5
"""Skills of one prompt or command."""
LONGEST = 4_000
_NAMED = re.compile(r"(?<![\w$\\])\$([A-Za-z0-9][\w:-]{0,99})")
_ENDS = frozenset({"|", "||", "&&", ";", "&", "(", ")"})


def read_by(command: str) -> list[str]:
    """The skills whose files a command prints."""
    if skills.FILE not in command or len(command) > LONGEST:
        return []
    found = [name for words in _calls(command) if _prints(words) for word in words if (name := skills.name_of(word))]
    return list(dict.fromkeys(found))[:MOST]


def _prints(words: list[str]) -> bool:
    """And neither changes a file nor writes one."""
    return words[0] in READERS and not any(word == "-i" or word.startswith((">", "1>")) for word in words)


def _calls(command: str) -> Iterator[list[str]]:
    """The words of each simple command; nothing of one whose quotes don't close."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars="();|&")
    lexer.whitespace_split = True
    words: list[str] = []
    try:
        for word in lexer:
            if word in _ENDS:
                if words:
                    yield words
                words = []
            else:
                words.append(word)
    except ValueError:
        return
    if words:
        yield words


def asked_for(prompt: str, cwd: str, codex_home: str) -> list[str]:
    """The skills that a prompt names. `$HOME` is none: there must be a file for it."""
    names = list(dict.fromkeys(_NAMED.findall(prompt[:LONGEST])))[:MOST]
    if not names:
        return []
    place = Place(cwd, git_head.read(cwd).root or cwd, "codex", (codex_home,) if codex_home else ())
    return [name for name in names if skills.find(name, place, os.environ)]
