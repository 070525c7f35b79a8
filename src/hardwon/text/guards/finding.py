"""What a guard has to say, and the words for its rules."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum


class Rule(StrEnum):
    FORCE_PUSH = "force-push"
    WRONG_BRANCH = "wrong-branch"
    UNCOMMITTED = "uncommitted"
    FAILED_CHECK = "failed-check"
    PUSHED_SECRET = "pushed-secret"
    SECRET_FILE = "secret-file"
    DOCUMENT = "document"


@dataclass(frozen=True, slots=True)
class Finding:
    rule: Rule
    said: str
    is_sure: bool = True
    """False: a note at most, whatever the settings say."""
    about: str = ""
    """The same thing is noted once in a session."""
    sort: str = ""

    @property
    def key(self) -> str:
        return f"{self.rule}:{self.sort}:{self.about}"


def named(text: str, longest: int = 80) -> str:
    """A name from a command or a repository: anybody's text, of which only harmless characters are said."""
    safe = re.sub(r"[^\w ./:@+=~*,-]", "", text.replace("\n", " "))
    return safe if len(safe) <= longest else f"{safe[: longest - 1]}…"
