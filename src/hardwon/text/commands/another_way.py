"""A fix that is another command: how it is written, and how it is read again.

Apart from what finds such fixes, so that who only reads them need not load that.
"""

from __future__ import annotations

import re

from hardwon.text import commands
from hardwon.text.tiers import clip

INSTEAD = "instead"
"""The subtype: what failed still fails."""
LONGEST = 160
"""Characters of a command as it is quoted."""


def another_way(command: str) -> str:
    """How such a fix begins, written as it was typed: a variable before the command may be the point."""
    return f"`{quoted(command)}` worked where"


def instead_of(body: str) -> str:
    """The command that such a fix names; empty when it is none or was cut."""
    match = _WORKED.match(body)
    return match[1] if match and len(match[1]) < LONGEST else ""


_WORKED = re.compile(r"`([^`]+)` worked where (?:`([^`]+)` failed)?")


def is_another_job(body: str) -> bool:
    """Whether such a fix names a command that does another job: an earlier version learned it, and it is not told."""
    match = _WORKED.match(body)
    if not match or not match[2] or max(map(len, match.groups())) >= LONGEST:
        return False
    return not commands.can_replace(match[2], match[1], near=True)


def quoted(text: str, longest: int = LONGEST) -> str:
    """On one line, as long as a quotation may be."""
    return clip(" ".join(text.split()), longest).replace("\n", " ")
