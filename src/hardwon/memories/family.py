"""What other commands of the same family have failed with, and whether that is worth a word before this one.

`pytest tests/a.py` could not reach the database; does that say anything about `pytest tests/b.py`? Mostly not: what
fails is the target. So this speaks only where the trouble is plainly not the target's: the error names a missing
program, package, variable, port or permission, or it has met commands that have no target in common. And only where
something proven helps that was done to the surroundings, and the trouble comes back. It is a note, never a stop.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hardwon.memories.moments import Known, known_among
from hardwon.memories.search import quiet
from hardwon.memory import Anchor, AnchorKind, Trust
from hardwon.store.connection import Store
from hardwon.store.tables import memories
from hardwon.text import commands, errors

LOOKED_AT, MOST_ERRORS, MOST_COMMANDS = 500, 8, 6
"""Failures of a family, over all projects, that are looked at; errors of these, and commands for each: so a look costs
the same in a memory of any size."""
RECENT = 100
"""Calls of a session that are looked at."""

_SURROUNDINGS = re.compile(
    r"shell (?:not found|unbound|unset) |EADDRINUSE |EACCES |EPERM |ECONNREFUSED |ENOSPC|unresolved |tls "
    r"|python (?:ModuleNotFoundError [\w-]+$|KeyError [A-Z][A-Z0-9]*_[A-Z0-9_]+)"
    r"|(?:node|ruby|bundler|cmake|composer|ld|go|cc) missing |docker (?:daemon|disk full)"
    r"|pip (?:externally managed|requires python)|npm (?:engine|lock) |yarn lock"
    r"|git (?:no identity|dubious ownership|authentication|publickey|host key|no username)"
    r"|postgres authentication |sqlite (?:locked|readonly)|kubectl no context |apt lock "
    r"|terraform no (?:module|provider)"
    r"|.{0,120}(?i:connection refused|environment variable|permission denied)"
)
"""Signatures (`text/errors`) of what is missing or in the way around a command, whatever it is pointed at."""
_NAME = re.compile(r"[\w.@/-]+")


@dataclass(frozen=True, slots=True)
class Prior:
    """One error that a family of commands is known to fail with."""

    signature: str
    commands: tuple[str, ...]
    """Those that it has met."""
    sessions: int = 0
    """In how many."""


def is_of_the_surroundings(prior: Prior) -> bool:
    """Whether the error is not about what a command was pointed at."""
    if errors.generic(prior.signature) or _names_a_target(prior):
        return False
    return bool(_SURROUNDINGS.match(prior.signature)) or _met_different_targets(prior.commands)


def _names_a_target(prior: Prior) -> bool:
    """`curl localhost:8000` that is refused on port 8000 says nothing about another port."""
    named = {name.strip("./").lower() for name in _NAME.findall(prior.signature)}
    about = {part for one in prior.commands for word in commands.targets(one) for part in _parts(word)}
    return bool(named & about)


def _parts(word: str) -> set[str]:
    """A target, its last name, and the words in it."""
    whole = word.strip("./'\"").lower()
    return {part for part in (whole, whole.rpartition("/")[2], *re.split(r"[^\w]+", whole)) if part}


def _met_different_targets(met: Sequence[str]) -> bool:
    names = [_last_names(one) for one in met]
    return any(one and other and not one & other for at, one in enumerate(names) for other in names[at + 1 :])


def _last_names(command: str) -> set[str]:
    """What a command is pointed at, by the last part of each path; nothing where a pattern could be anything."""
    words = [word.strip("'\"") for word in commands.targets(command)]
    if any(sign in word for word in words for sign in "*?[{$"):
        return set()
    return {word.rstrip("/").rpartition("/")[2] for word in words if not word.startswith("-")} - {"", "."}


def is_worth_a_note(prior: Prior, known: Known, session: str) -> bool:
    """Whether a failure of another command is said before this one: it comes back, it is nobody's news in this
    session, and what helps was done to the surroundings, not to a file of the project."""
    if not known.fixes or known.memory.complaints or known.memory.trust is Trust.UNTRUSTED:
        return False
    best = known.fixes[0]
    proven = best.trust in (Trust.VERIFIED, Trust.USER)
    in_code = any(anchor.kind is AnchorKind.FILE for anchor in best.anchors)
    return proven and not in_code and prior.sessions > 1 and known.is_known_from_elsewhere(session)


def notes(store: Store, command: str, project: str, host: str, session: str, now: int) -> list[Known]:
    """The one failure of this command's family that is worth a note, if there is one; `command` in its one form."""
    family = commands.family(command)
    if not family or commands.only_looks(command):
        return []
    for prior, ids in _priors(store, family, command, project):
        found = list(memories.by_ids(store, ids).values())
        unspoken = quiet.unspoken(store, found)
        anchor = Anchor(AnchorKind.ERROR, prior.signature)
        for known in known_among(store, [one for one in found if one.id not in unspoken], anchor, now, 1):
            if is_worth_a_note(prior, known, session) and not _has_passed(store, family, host, session):
                return [known]
    return []


def _priors(store: Store, family: str, command: str, project: str) -> Iterator[tuple[Prior, list[str]]]:
    """What stood in the way of the family's other commands in this project, the newest first, with the failures that
    tell of it."""
    by_error: dict[str, dict[str, str]] = {}
    for id, value, signature in store.rows(_FAILED, (family, LOOKED_AT, project)):
        if value != command:
            by_error.setdefault(signature, {})[id] = value
    # To take a command apart takes longer than all the rest: only those that can matter.
    likely = [one for one in by_error.items() if _SURROUNDINGS.match(one[0]) or len(one[1]) > 1]
    for signature, met in likely[:MOST_ERRORS]:
        ids = [id for id, value in list(met.items())[:MOST_COMMANDS] if commands.family(value) == family]
        prior = Prior(signature, tuple(dict.fromkeys(met[id] for id in ids)), _sessions(store, ids))
        if prior.sessions > 1 and is_of_the_surroundings(prior):
            yield prior, ids


def _sessions(store: Store, failures: Sequence[str]) -> int:
    marks = ", ".join("?" * len(failures))
    sql = f"select coalesce(sum(count), 0) from recurrences where memory in ({marks})"
    return int(store.value(sql, tuple(failures)))


# '!' is the sign after the blank: the end of the range of commands that begin with the family.
_FAILED = """
select m.id, c.value, e.value
from (select value, memory_row from anchors
      where kind = 'command' and value >= ?1 and value < ?1 || '!' limit ?2) c
join memories m on m.row = c.memory_row
join anchors e on e.memory_row = c.memory_row and e.kind = 'error'
where m.project = ?3 and m.kind = 'failure' and m.status in ('active', 'resolved')
order by m.updated_at desc
"""


def _has_passed(store: Store, family: str, host: str, session: str) -> bool:
    """Whether a command of the family has passed in this session: then nothing is in its way."""
    return any(commands.family(target) == family for (target,) in store.rows(_PASSED, (host, session, RECENT)))


_PASSED = """
select j.target from journal j join sessions s on s.row = j.session
where s.host = ? and s.id = ? and j.type = 'tool_finished' and j.tool = 'Bash' order by j.row desc limit ?
"""
