"""Seat belts: what a colleague would say in one line before a push, or before a file with secrets is written.

They are no boundary. Everything here is pure: the daemon looks at the repository and says what it found there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from hardwon.text.guards import files, writing
from hardwon.text.guards.finding import Finding, Rule, named
from hardwon.text.guards.git_command import Ground, of_run
from hardwon.text.guards.pushing import Pushing, Repository, findings, of_line
from hardwon.text.guards.running import Run, runs
from hardwon.text.guards.writing import Written

__all__ = [
    "Finding",
    "Pushing",
    "Repository",
    "Rule",
    "Run",
    "Surroundings",
    "Written",
    "findings",
    "held",
    "may_matter",
    "may_push",
    "named",
    "of_line",
    "runs",
    "writes",
    "written",
]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a write is judged by. Each question may be answered with None: not known."""

    is_ignored: Callable[[str], bool | None] = lambda file: None  # noqa: ARG005
    """Whether git would never commit it."""
    exists: Callable[[str], bool | None] = lambda file: None  # noqa: ARG005
    asked: str | None = None
    """What the person said in this session."""


def may_matter(command: str) -> bool:
    """A quick look: whether a line can have anything to do with the guards. Most have not."""
    return _SIGNS.search(command) is not None


_SIGNS = re.compile(
    r"[>$`\\]|\bgit\b|\b(?:tee|cp|mv|dd|install|ln|eval|xargs|rsync|curl|wget|openssl|sed|perl|alias|hub|sh)\b|ssh-"
)


def may_push(command: str) -> bool:
    """Whether a line may push: it does so plainly, or runs a subcommand of git that only git's configuration knows."""
    if not may_matter(command):
        return False
    ground = Ground()
    for run in runs(command):
        for git in of_run(run, ground):
            if git.name not in STANDARD or git.name in ("push", "send-pack", "subtree"):
                return True
    return False


STANDARD = frozenset(
    [
        "add",
        "am",
        "apply",
        "archive",
        "bisect",
        "blame",
        "branch",
        "bundle",
        "cat-file",
        "check-ignore",
        "checkout",
        "cherry",
        "cherry-pick",
        "clean",
        "clone",
        "commit",
        "config",
        "count-objects",
        "describe",
        "diff",
        "diff-tree",
        "fetch",
        "for-each-ref",
        "format-patch",
        "fsck",
        "gc",
        "grep",
        "hash-object",
        "help",
        "init",
        "log",
        "ls-files",
        "ls-remote",
        "ls-tree",
        "merge",
        "merge-base",
        "merge-tree",
        "mv",
        "name-rev",
        "notes",
        "pull",
        "range-diff",
        "read-tree",
        "rebase",
        "reflog",
        "remote",
        "repack",
        "replace",
        "rerere",
        "reset",
        "restore",
        "rev-list",
        "rev-parse",
        "revert",
        "rm",
        "shortlog",
        "show",
        "show-branch",
        "show-ref",
        "sparse-checkout",
        "stash",
        "status",
        "submodule",
        "switch",
        "symbolic-ref",
        "tag",
        "update-index",
        "update-ref",
        "var",
        "verify-commit",
        "version",
        "whatchanged",
        "worktree",
        "write-tree",
        "commit-tree",
        "mktree",
        "diff-index",
        "diff-files",
        "cherry",
        "hook",
        "maintenance",
        "prune",
    ]
)
"""Subcommands that no alias can stand for."""


def written(line: list[Run]) -> list[Written]:
    return list(writing.written(line))


def writes(one: Written, around: Surroundings, *, is_new: bool | None = None) -> Iterator[Finding]:
    """What there is to say before a file is written. Its text has passed the border: secrets stand there as marks."""
    if files.is_outside(one.file) or _is_copy_of_example(one):
        return
    kinds = files.secrets_in(one.file, one.text)
    by_name = files.is_secret(one.file, one.text)
    if (by_name or kinds) and not around.is_ignored(one.file):
        what = f"is given what looks like a secret ({kinds[0]})" if kinds else "looks like a file of secrets"
        said = f"`{named(one.file)}` {what}, and git does not ignore it."
        if around.is_ignored(one.file) is None:
            said = f"`{named(one.file)}` {what}."
        yield Finding(Rule.SECRET_FILE, said, one.is_sure, one.file)
    elif files.document(one.file) and around.asked is not None and not one.source:
        there = around.exists(one.file) if is_new is None else not is_new
        if there is False and not files.is_asked_for(one.file, around.asked):
            said = f"`{named(one.file)}` is new, and nobody asked for it in this session."
            yield Finding(Rule.DOCUMENT, said, False, files.document(one.file))


def held(path: str, text: str) -> str:
    """What a file that is pushed holds, in a word or two; empty where nothing is to be said. The text has passed the
    border."""
    kinds = files.secrets_in(path, text)
    if kinds:
        return f"what looks like a secret ({kinds[0]})"
    return "secrets, by its name" if files.is_secret(path, text) and not files.is_empty(text) else ""


def _is_copy_of_example(one: Written) -> bool:
    """`cp .env.example .env` puts no secret anywhere; whoever fills it in later is told then."""
    return bool(one.source) and not files.is_secret(one.source) and not files.secrets_in(one.source, one.text)
