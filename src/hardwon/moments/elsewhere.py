"""What helped in other projects: only what concerns the machine or an account, and helped in two of them.

What a repository says or ships is never told in another one: whoever writes it could plant a "fix" there. So what is
told is a whole command of a closed list of forms that name no path, URL, script or package, and nothing of the other
projects beside it, not even what failed there. It must have been proven against the very same error in two projects; to
be told is a showing, so that it proves nothing where it was told.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass

from hardwon.memories import Item
from hardwon.memories.moments import fixes_of, plain
from hardwon.memories.search import quiet
from hardwon.memories.search.budget import tokens
from hardwon.memory import GLOBAL, PAST, AnchorKind, Kind, Memory, Status, Trust
from hardwon.store.connection import Store
from hardwon.store.tables import memories
from hardwon.text import errors

PROJECTS = 2
LOOKED_AT = 100
"""The newest failures with the same error, of all projects."""
_WORKS_AFTER = re.compile(r"`[^`]{1,200}` works after: `(?P<step>[^`]{1,80})`")
_SERVICE = r"[a-z][a-z0-9@-]{1,24}"
_OF_MACHINE = re.compile(
    r"(?:sudo )?(?:"
    r"aws (?:sso )?login|gcloud auth (?:application-default )?login|az login|gh auth (?:login|refresh|setup-git)"
    r"|(?:glab auth|docker|npm|pnpm|yarn|heroku|vercel|wrangler|terraform|vault|fly(?:ctl)?(?: auth)?|netlify) login"
    r"|kinit|ssh-add|open -a Docker|docker desktop start|(?:colima|orb|minikube|podman machine) start"
    rf"|systemctl (?:--user )?(?:re)?start {_SERVICE}|service {_SERVICE} (?:re)?start"
    rf"|brew services (?:re)?start {_SERVICE}|corepack enable|xcode-select --install|ulimit -n \d{{3,6}}"
    r")"
)
"""Sign in, start a service of the machine, lift a limit: the whole command."""


@dataclass(frozen=True, slots=True)
class Helped:
    command: str
    projects: int
    fix: Memory

    @property
    def item(self) -> Item:
        return Item(plain(self.fix), self.command, tokens(self.command))


def helped(store: Store, error: str, project: str) -> Helped | None:
    """What mended this very error in two other projects, in the same words."""
    signature = errors.signature(error)
    if not project or errors.generic(signature):
        return None
    where: dict[str, dict[str, Memory]] = defaultdict(dict)
    for failure in _same(store, signature, project):
        for fix in fixes_of(store, failure):
            if command := _of_machine(fix):
                where[command].setdefault(failure.scope.project, fix)
    found = [Helped(command, len(own), next(iter(own.values()))) for command, own in where.items()]
    found = [one for one in found if one.projects >= PROJECTS]
    return max(found, key=lambda one: (one.projects, one.command), default=None)


def _same(store: Store, signature: str, project: str) -> list[Memory]:
    rows = [row for (row,) in store.rows(_SAME, (AnchorKind.ERROR, signature, LOOKED_AT))]
    found = list(memories.by_rows(store, rows).values()) if rows else []
    kept = [one for one in found if one.kind is Kind.FAILURE and one.scope.project not in (project, GLOBAL)]
    told = [one for one in kept if one.status in (Status.ACTIVE, Status.RESOLVED) and one.trust is not Trust.UNTRUSTED]
    return [one for one in told if not one.complaints]


_SAME = "select memory_row from anchors where kind = ? and value = ? order by memory_row desc limit ?"


def _of_machine(fix: Memory) -> str:
    """The command of a proven fix that is one such command and nothing else; else nothing."""
    if fix.trust is not Trust.VERIFIED or fix.subtype == PAST or fix.complaints or quiet.is_no_way(fix):
        return ""
    match = _WORKS_AFTER.fullmatch(fix.body)
    return match["step"] if match and _OF_MACHINE.fullmatch(match["step"]) else ""
