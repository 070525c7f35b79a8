"""What is known about exactly this file, command, symbol or error: the question one asks before acting.

Only anchors count, no words: an answer is about the thing itself. What carries the very target comes first, then what
is about the folder it lies in, then other commands of the same family (another `npm test`).
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from hardwon import kinds
from hardwon.memories import likeness as look_like
from hardwon.memories.moments import Known, with_attempts
from hardwon.memories.search.budget import fit
from hardwon.memories.search.rank import Candidate, rank
from hardwon.memory import Anchor, AnchorKind, Kind, Memory, Status, Trust
from hardwon.store.connection import Store
from hardwon.store.index import failure_words
from hardwon.store.tables import memories
from hardwon.text import anchors, commands, errors, likeness
from hardwon.text.likeness import At

KINDS = kinds.having("check")
MOST = 10
TOKENS = 1_200
LONGEST_ERROR = 300
"""Characters of an error that somebody may have given as an anchor as it is."""
_FAMILY = 40
"""Commands of one family that are looked at."""


class Near(StrEnum):
    EXACT = "exact"
    DIRECTORY = "directory"
    FAMILY = "family"
    LIKE = "like"
    """It looks like that, and may be something else."""


@dataclass(frozen=True, slots=True)
class Target:
    """What somebody is about to touch; an error as it was printed."""

    file: str = ""
    command: str = ""
    symbol: str = ""
    error: str = ""

    def __bool__(self) -> bool:
        return any(one.strip() for one in (self.file, self.command, self.symbol, self.error))


@dataclass(frozen=True, slots=True)
class Finding:
    known: Known
    anchor: Anchor
    """By which it was found."""
    near: Near

    @property
    def memory(self) -> Memory:
        return self.known.memory


def exactly(target: Target, root: str = "", cwd: str = "") -> tuple[Anchor, ...]:
    """The anchors that a memory about this very target carries."""
    found = [
        Anchor(kind, value)
        for kind, value in (
            (AnchorKind.ERROR, errors.signature(target.error)),
            (AnchorKind.ERROR, target.error if len(target.error) <= LONGEST_ERROR else ""),
            (AnchorKind.COMMAND, target.command),
            (AnchorKind.FILE, target.file),
            (AnchorKind.SYMBOL, target.symbol.strip().removesuffix("()")),
        )
        if value.strip()
    ]
    return tuple(dict.fromkeys(anchors.normalised(one, root, cwd) for one in found))


def check(store: Store, target: Target, scopes: tuple[str, ...], root: str, cwd: str, now: int) -> list[Finding]:
    """Best first within each nearness; what replaced something stands for it."""
    told: dict[str, Finding] = {}
    exact = exactly(target, root, cwd)
    for finding in (*_like(store, target, scopes, now), *_naming(store, target, scopes, now)):
        told.setdefault(finding.memory.id, finding)
    for finding in (*_carrying(store, exact, scopes, now, Near.EXACT), *_naming_file(store, exact, scopes, now)):
        told.setdefault(finding.memory.id, finding)
    for near, group in (
        (Near.DIRECTORY, _folders(exact)),
        (Near.FAMILY, _family(store, exact)),
    ):
        for finding in _carrying(store, group, scopes, now, near):
            told.setdefault(finding.memory.id, finding)
    return _each_cause_once(store, list(told.values()), scopes, now)[:MOST]


def _like(store: Store, target: Target, scopes: tuple[str, ...], now: int) -> Iterator[Finding]:
    """The failure that an error is, or looks like."""
    if not target.error.strip():
        return
    new = likeness.trouble(commands.normalise(target.command) if target.command else "", target.error)
    for found in look_like.best(look_like.look_up(store, new, scopes[0], now, At.CHECK)):
        anchor = Anchor(AnchorKind.ERROR, new.signature)
        yield Finding(found.known, anchor, Near.EXACT if found.is_known else Near.LIKE)


def _naming(store: Store, target: Target, scopes: tuple[str, ...], now: int) -> Iterator[Finding]:
    """Failures whose output names a symbol: no anchor was made of each name in it."""
    name = target.symbol.strip().removesuffix("()")
    rows = failure_words.rows_with(store, name.lower(), scopes[0], MOST) if name else []
    yield from _told(store, dict.fromkeys(rows, Anchor(AnchorKind.SYMBOL, name)), now, Near.EXACT)


def _naming_file(store: Store, exact: Sequence[Anchor], scopes: tuple[str, ...], now: int) -> Iterator[Finding]:
    """Failures and fixes that name a file, such as a command that copies it: not each name is an anchor."""
    for anchor in exact:
        name = posixpath.basename(anchor.value) if anchor.kind is AnchorKind.FILE else ""
        rows = memories.saying(store, name, (Kind.FAILURE, Kind.FIX), scopes, 2 * MOST) if name else []
        found = memories.by_rows(store, rows) if rows else {}
        named = {row: anchor for row, one in found.items() if _names(one.body, anchor.value, name)}
        yield from _told(store, named, now, Near.EXACT)


def _names(text: str, file: str, name: str) -> bool:
    """Whether a text names this file, with more of its path or less; `.env.example` is not `.env`."""
    places = re.finditer(rf"(?P<place>[\w./@+-]{{0,300}}){re.escape(name)}(?![\w-]|\.\w)", text)
    found = (match["place"] + name for match in places if match["place"][-1:] in ("", "/"))
    return any(one == file or f"/{one}".endswith(f"/{file}") or f"/{file}".endswith(f"/{one}") for one in found)


def _each_cause_once(store: Store, found: list[Finding], scopes: tuple[str, ...], now: int) -> list[Finding]:
    """In place of several spellings that where something helped; of what nobody has mended, each nearness once."""
    told: dict[str, Finding] = {}
    unmended: set[Near] = set()
    for one in found:
        if one.memory.kind is Kind.FAILURE:
            known = look_like.same_cause(store, one.known.item.ranked, scopes[0], now)
            one = one if known.memory.id == one.memory.id else Finding(known, one.anchor, one.near)
            if not known.fixes and one.near in unmended:
                continue
            unmended |= set() if known.fixes else {one.near}
        told.setdefault(one.memory.id, one)
    linked = {fix.id for one in told.values() for fix in (*one.known.fixes, *one.known.tried)}
    return [one for one in told.values() if one.memory.id not in linked]


def _carrying(
    store: Store, group: Sequence[Anchor], scopes: tuple[str, ...], now: int, near: Near
) -> Iterator[Finding]:
    rows: dict[int, Anchor] = {}
    for row, anchor in memories.anchored(store, group, scopes, 2 * MOST):
        rows.setdefault(row, anchor)
    yield from _told(store, rows, now, near)


def _told(store: Store, rows: dict[int, Anchor], now: int, near: Near) -> Iterator[Finding]:
    found = {row: one for row, one in memories.by_rows(store, rows).items() if _may_be_said(one)} if rows else {}
    by_id = {memory.id: rows[row] for row, memory in found.items()}
    hits = memories.hits(store, list(by_id))
    candidates = [Candidate(one, anchors=(by_id[one.id],), hits=hits.get(one.id, 0)) for one in found.values()]
    ranked = rank(candidates, now, store.settings.recall.half_life_days)
    for item in fit(ranked, MOST, TOKENS):
        yield Finding(with_attempts(store, item), by_id[item.ranked.memory.id], near)


def _may_be_said(memory: Memory) -> bool:
    """A candidate waits for a person; what was replaced or put away is history."""
    return (
        memory.kind in KINDS
        and memory.status in (Status.ACTIVE, Status.RESOLVED)
        and memory.trust is not Trust.UNTRUSTED
    )


def _folders(exact: Sequence[Anchor]) -> list[Anchor]:
    """Those that a file lies in, the nearest first."""
    found: list[Anchor] = []
    for anchor in exact:
        folder = posixpath.dirname(anchor.value) if anchor.kind is AnchorKind.FILE else ""
        while folder and folder != "/" and len(found) < MOST:
            found.append(Anchor(AnchorKind.DIRECTORY, folder))
            folder = posixpath.dirname(folder)
    return found


def _family(store: Store, exact: Sequence[Anchor]) -> list[Anchor]:
    """Other commands that memories are about and that are of the same family."""
    found: list[Anchor] = []
    for anchor in exact:
        family = commands.family(anchor.value) if anchor.kind is AnchorKind.COMMAND else ""
        if family:
            # '!' is the sign after the blank: the end of the range of commands that begin with the family.
            rows = store.rows(
                "select distinct value from anchors"
                " where kind = 'command' and value >= ?1 and value < ?1 || '!' limit ?2",
                (family, _FAMILY),
            )
            values = [value for (value,) in rows if value != anchor.value and commands.family(value) == family]
            found += [Anchor(AnchorKind.COMMAND, value) for value in values]
    return found
