"""What a skill's own file says: whether and how its lessons are shown, and the mark of its text."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from hardwon.clients import skills
from hardwon.clients.skills import Place
from hardwon.regular_file import regular
from hardwon.settings import Settings
from hardwon.text.mark import mark
from hardwon.text.skills import frontmatter
from hardwon.text.skills.frontmatter import UNTUNED, SkillTuning

MOST_CHARACTERS = 200_000
LONGEST = 20_000
"""Characters of its body that are kept in mind."""


@dataclass(frozen=True, slots=True)
class SkillFile:
    path: str = ""
    """Empty: none was found, and the defaults hold."""
    tuning: SkillTuning = UNTUNED
    mark: str = ""
    description: str = ""
    body: str = ""


def of_name(name: str, place: Place, environ: Mapping[str, str] = os.environ) -> SkillFile:
    path = skills.find(name, place, environ)
    return read(path) if path else SkillFile()


def read(path: str) -> SkillFile:
    """Parsed once for each state of the file."""
    try:
        found = os.stat(path)  # noqa: PTH116
    except (OSError, ValueError):
        return SkillFile()
    return _parsed(path, found.st_mtime_ns, found.st_size, found.st_ino)


@lru_cache(maxsize=256)
def _parsed(path: str, mtime: int, size: int, inode: int) -> SkillFile:  # noqa: ARG001  they say whether it changed
    try:
        with open(path, encoding="utf-8", errors="replace", opener=regular) as file:
            text = file.read(MOST_CHARACTERS)
    except OSError:
        return SkillFile()
    body = frontmatter.split(text)[1]
    description = frontmatter.parse(text).get("description", "")
    return SkillFile(path, frontmatter.tuning(text), mark(body), _plain(description), body[:LONGEST])


def _plain(value: object) -> str:
    return value if isinstance(value, str) else ""


def is_on(file: SkillFile, settings: Settings) -> bool:
    """Whether the skill's lessons are shown and learned by themselves; what is asked for by hand always is."""
    said = file.tuning.enabled
    return settings.skills.default == "on" if said is None else said
