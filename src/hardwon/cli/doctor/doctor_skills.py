"""What doctor says about the skills' own files: `skill-memory:` with a value that can't be used."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from hardwon import git
from hardwon.cli.support.finding import Finding
from hardwon.clients import skills
from hardwon.clients.skills import Place
from hardwon.memories import skill_file
from hardwon.render.plain import one_line
from hardwon.text.skills.frontmatter import EXAMPLE

MOST = 10
"""Files that are named one by one."""


def findings() -> Iterator[Finding]:
    """One for each file with something wrong; nothing where no client has a skill."""
    found = [skill_file.read(path) for path in skills.every(here(), os.environ)]
    wrong = [file for file in found if file.tuning.problems]
    for file in wrong[:MOST]:
        says = f"{one_line(file.path)}: {one_line('; '.join(file.tuning.problems), 400)}; it is passed over"
        yield Finding("skills", False, says, f"mend its frontmatter, for instance `{EXAMPLE}`")
    if len(wrong) > MOST:
        yield Finding("skills", False, f"and {len(wrong) - MOST} more files", "mend those above first")
    if found and not wrong:
        yield Finding("skills", True, f"{len(found)} found, nothing wrong in their frontmatter")


def here() -> Place:
    """The folder that the command is run in, and the work tree around it."""
    try:
        cwd = os.getcwd()  # noqa: PTH109
    except OSError:
        return Place()
    found = git.find_repository(Path(cwd))
    return Place(cwd, found.root if found else cwd)
