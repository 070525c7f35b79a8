"""One thing that was seen of a branch."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass

from hardwon.event import Event
from hardwon.memory import Word

FROM_FORGE, FROM_PERSON, FROM_START, FROM_REBASE = 1, 2, 3, 4
"""How much a word on the base is worth, the best first."""


class What(Word):
    BASE = "base"
    CONFIRMED = "confirmed"
    """The base was merged into the branch: what was known of it is as new as this."""
    BORN = "born"
    RENAMED = "renamed"
    DELETED = "deleted"
    PR = "pr"
    TICKET = "ticket"
    TASK = "task"
    TODO = "todo"
    """The agent's whole list, as it is now."""
    CHECK = "check"
    EDIT = "edit"
    COMMIT = "commit"
    PUSH = "push"
    ISSUE = "issue"
    MARK = "mark"


@dataclass(frozen=True, slots=True)
class Place:
    root: str
    """The top of the work tree."""
    branch: str


@dataclass(frozen=True, slots=True)
class Fact:
    what: What
    branch: str
    value: str
    state: str = ""
    rank: int = 0
    how: str = ""
    """By what it was seen."""
    worktree: str = ""
    at: int = 0
    host: str = ""
    session: str = ""
    key: str = ""
    """The same for one thing however often it is read."""

    def of(self, event: Event, number: int) -> Fact:
        key = self.key or f"{event.call or event.prompt or event.at}:{self.what}:{number}"
        if not self.key and self.what in (What.BASE, What.PR):  # a list of pull requests tells of several
            key = f"{key}:{self.branch}"
        return dataclasses.replace(self, at=event.at, host=event.host, session=event.session, key=key)


_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/#+@-]{0,79}")
_COMMIT = re.compile(r"[0-9a-f]{7,64}")


def is_name(text: str) -> bool:
    """Whether it can be a branch's, in characters that can do no harm in a text. A commit is none."""
    return bool(_NAME.fullmatch(text)) and ".." not in text and text != "HEAD" and not _COMMIT.fullmatch(text)


def bare(ref: str) -> str:
    """The branch that a ref names, here or at the remote; empty for anything else."""
    name = ref.strip("'\"")
    for prefix in ("refs/heads/", "refs/remotes/", "remotes/", "origin/", "upstream/"):
        name = name.removeprefix(prefix)
    return name if is_name(name) and not re.search(r"[~^:@]", name) else ""
