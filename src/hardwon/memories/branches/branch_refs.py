"""What git's files say of the branches that a card names. Nothing is started for it: what only git can tell, a job has
found out before."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property

from hardwon import git_head
from hardwon.git_head import Head
from hardwon.store.connection import Store
from hardwon.store.tables import branches

CUSTOM = ("main", "master", "trunk", "develop")


class DiskRefs:
    """Of a repository that is here."""

    def __init__(self, store: Store, head: Head) -> None:
        self._store = store
        self._head = head

    @cached_property
    def default(self) -> str:
        return git_head.default_branch(self._head.common)

    @cached_property
    def has_remote(self) -> bool:
        return git_head.has_remote(self._head.common)

    def commit(self, branch: str) -> str:
        where = "refs/remotes/origin" if self.has_remote else "refs/heads"
        return git_head.ref(self._head.common, f"{where}/{branch}")

    def exists(self, branch: str) -> bool:
        return bool(self.commit(branch))

    def mark(self, branch: str) -> str:
        """The two commits that decide whether it is contained; empty where one is missing."""
        own, default = self.commit(branch), self.commit(self.default) if self.default else ""
        return f"{own}:{default}" if own and default else ""

    def contained(self, branch: str) -> bool | None:
        mark = self.mark(branch)
        if not mark:  # nothing to be contained in
            return False
        own, _, default = mark.partition(":")
        return True if own == default else branches.contained(self._store, self._head.common, branch, mark)

    def commit_at(self, at: int) -> str:
        return git_head.commit_at(self._head, at)


class NoRefs:
    """Of a repository that is not here: what happened in the sessions has to do."""

    default = ""

    def __init__(self, known: Collection[str]) -> None:
        self._known = known
        """Branches on which something was seen to happen."""

    def exists(self, branch: str) -> bool:
        return branch in self._known

    def contained(self, branch: str) -> bool | None:
        return branch in CUSTOM

    def commit_at(self, at: int) -> str:  # noqa: ARG002
        return ""
