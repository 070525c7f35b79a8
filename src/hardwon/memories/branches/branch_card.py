"""Where a branch stands: from what was seen of it, and what git's refs say now, to a few things that hold. Pure.

A wrong base is worse than none. It is told while it is there, is not contained in the default branch, and was seen in
the last three days; a squash merge and a retargeted pull request can't be seen from here, so what is older is only told
as what was.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Protocol

from hardwon.memories.marked import Marked, sorted_out
from hardwon.memory import Memory
from hardwon.text import commands
from hardwon.text.branches import tasks
from hardwon.text.branches.fact import Fact, What, is_name

DAY = 86_400_000
BASE_AGE = 3 * DAY
AGE = 7 * DAY
"""Milliseconds after which open tasks are an old story."""
CHECK_AGE = 2 * DAY
STALE = 10
"""Edits after which it says little that a check had passed."""
MOST_OPEN, MOST_CHECKS, DEEPEST = 3, 2, 5
FRESH = 5
"""Edits up to which who begins wants to hear that a check had passed."""
_OVER = ("MERGED", "CLOSED")


class Refs(Protocol):
    """What git's own files say, as far as it is known just now."""

    @property
    def default(self) -> str: ...

    def exists(self, branch: str) -> bool:
        """At the remote; where there is none, here."""
        ...

    def contained(self, branch: str) -> bool | None:
        """In the default branch; None where a job has to look first."""
        ...

    def commit_at(self, at: int) -> str:
        """Where this work tree stood then."""
        ...


@dataclass(frozen=True, slots=True)
class Base:
    name: str
    at: int
    how: str
    is_past: bool = False
    fact: Fact | None = None


@dataclass(frozen=True, slots=True)
class Check:
    command: str
    passed: bool
    at: int
    commit: str
    edits: int
    elsewhere: str
    """The work tree, where it is another one."""
    fact: Fact


@dataclass(frozen=True, slots=True)
class Pull:
    number: str
    state: str
    fact: Fact

    @property
    def is_over(self) -> bool:
        return self.state in _OVER


_NOTHING = Marked()
_NO_MARKS: Mapping[str, Memory] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Card:
    branch: str
    base: Base | None = None
    stack: tuple[str, ...] = ()
    """From the bottom to the base, where it is more than that."""
    pull: Pull | None = None
    ticket: str = ""
    open: tuple[str, ...] = ()
    more_open: int = 0
    done: int = 0
    open_fact: Fact | None = None
    checks: tuple[Check, ...] = ()
    marked: Marked = _NOTHING
    """What was marked on this branch and holds."""
    marked_by: tuple[str, ...] = ()
    """The sessions that did it."""
    unsure: bool = False
    """A base is known, and whether it still is one has to be looked at first."""

    @property
    def says_something(self) -> bool:
        return bool(self.base or self.pull or self.open or self.checks or self.marked)


def card(
    branch: str, root: str, facts: Sequence[Fact], others: Sequence[Fact], refs: Refs, now: int,
    marks: Mapping[str, Memory] = _NO_MARKS,
) -> Card:  # fmt: skip
    """`facts` are of this branch alone, oldest first; `others` what is known of all bases and pull requests; `marks`
    the memories that facts name and that hold."""
    facts = _of_this_life(facts)
    pull = _pull(facts, others)
    base, unsure = (None, False) if pull and pull.is_over else _base(branch, facts, pull, others, refs, now)
    stack = _stack(base.name, others, refs, now) if base and not base.is_past else ()
    todo, open_fact = _tasks(facts, now)
    open_ = [text for text, state in todo if state == "open"]
    return Card(
        branch, base, stack, pull, _ticket(branch, facts), tuple(open_[:MOST_OPEN]), max(0, len(open_) - MOST_OPEN),
        sum(state == "done" for _, state in todo) if open_ else 0, open_fact if open_ else None,
        tuple(_checks(facts, root, refs, now))[:MOST_CHECKS], *_marked(facts, marks), unsure,
    )  # fmt: skip


def _marked(facts: Sequence[Fact], marks: Mapping[str, Memory]) -> tuple[Marked, tuple[str, ...]]:
    there = [fact for fact in facts if fact.what is What.MARK and fact.value in marks]
    found = sorted_out({fact.value: marks[fact.value] for fact in there}.values())
    return found, tuple(dict.fromkeys(fact.session for fact in there))


def _of_this_life(facts: Sequence[Fact]) -> list[Fact]:
    """Without what was before the name was made again, or deleted."""
    since = 0
    for fact in facts:
        if fact.what is What.BORN:
            since = max(since, fact.at)
        elif fact.what is What.DELETED:
            since = max(since, fact.at + 1)
    return [fact for fact in facts if fact.at >= since]


def at_start(card: Card) -> Card:
    """What a session begins with that knows nothing yet: one check, and rather one that fails. That one passed is worth
    a line where little was done since; in another work tree where nothing was: else it is run again anyway."""
    failing = [check for check in card.checks if not check.passed]
    passed = [check for check in card.checks if check.passed and check.edits <= (0 if check.elsewhere else FRESH)]
    return replace(card, checks=tuple((failing or passed)[:1]))


def after_compaction(card: Card, session: str, *, is_told: bool) -> Card:
    """What the client's summary may have lost: where the branch stands, what is open in the session's own list, what
    fails. `is_told`: its open ends and its failures stand in its own state, which is told with this."""
    own = not is_told and card.open_fact is not None and card.open_fact.session == session
    checks = () if is_told else tuple([check for check in card.checks if not check.passed][:1])
    return replace(card, checks=checks) if own else replace(card, checks=checks, open=(), open_fact=None)


# ── pull request, ticket ─────────────────────────────────────────────────────────────────────────────────────────────


def _pull(facts: Sequence[Fact], others: Sequence[Fact]) -> Pull | None:
    numbered = [fact for fact in facts if fact.what is What.PR and fact.value.isdigit()]
    if not numbered:
        return None
    last = numbered[-1]
    later = [one for one in (*facts, *others) if one.what is What.PR and one.at >= last.at]
    over = [one for one in later if one.branch in (last.branch, f"#{last.value}") and one.state]
    return Pull(last.value, max(over, key=lambda one: one.at, default=last).state, last)


_TICKET = re.compile(r"(?<![A-Za-z0-9])[A-Z][A-Z0-9]{1,9}-\d{1,6}(?![\w.])")


def _ticket(branch: str, facts: Sequence[Fact]) -> str:
    """As it stands in the name; in small letters it may be anything, unless the person called it so."""
    said = [fact.value for fact in facts if fact.what is What.TICKET]
    found = _TICKET.search(branch)
    return said[-1] if said else found[0] if found else ""


# ── base ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _base(
    branch: str, facts: Sequence[Fact], pull: Pull | None, others: Sequence[Fact], refs: Refs, now: int
) -> tuple[Base | None, bool]:
    words = [fact for fact in facts if fact.what is What.BASE and is_name(fact.value)]
    if pull:  # `gh pr edit 12 --base x` names the pull request only
        words += [one for one in others if one.what is What.BASE and one.branch == f"#{pull.number}"]
    best = _best(words)
    if best is None or best.value in (branch, refs.default) or _is_over(best.value, others, best.at):
        return None, False
    at = max(
        fact.at for fact in (*words, *facts)
        if fact.what in (What.BASE, What.CONFIRMED) and fact.value == best.value
    )  # fmt: skip
    if not refs.exists(best.value):
        return None, False
    contained = refs.contained(best.value)
    if contained is not False:
        return None, contained is None
    return Base(best.value, at, best.how, now - at >= BASE_AGE, best), False


def _best(words: Sequence[Fact]) -> Fact | None:
    """By rank, then the latest. What is weaker and later and says something else makes it doubtful: then nothing."""
    if not words:
        return None
    best = min(words, key=lambda fact: (fact.rank, -fact.at))
    return None if any(one.at > best.at and one.value != best.value for one in words) else best


def _is_over(name: str, others: Sequence[Fact], since: int) -> bool:
    """Its pull request was merged or closed, or it was deleted, and it was not called a base after that."""
    numbers = {one.value for one in others if one.what is What.PR and one.branch == name and one.value.isdigit()}
    names = {name, *(f"#{number}" for number in numbers)}
    for one in others:
        over = one.what is What.DELETED or (one.what is What.PR and one.state in _OVER)
        if over and one.branch in names and (one.at >= since or one.what is What.PR):
            return True
    return False


def _stack(base: str, others: Sequence[Fact], refs: Refs, now: int) -> tuple[str, ...]:
    """What the base itself is based on, from the bottom up."""
    line = [base]
    while len(line) < DEEPEST:
        below = _best([one for one in others if one.what is What.BASE and one.branch == line[0]])
        if below is None or below.value in (*line, refs.default) or now - below.at >= BASE_AGE:
            break
        if not refs.exists(below.value) or refs.contained(below.value) is not False:
            break
        line.insert(0, below.value)
    return tuple(line) if len(line) > 1 else ()


# ── open ends ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _tasks(facts: Sequence[Fact], now: int) -> tuple[list[tuple[str, str]], Fact | None]:
    """Of the last session that had a list."""
    lists = [fact for fact in facts if fact.what in (What.TASK, What.TODO) and now - fact.at < AGE]
    if not lists:
        return [], None
    last = lists[-1]
    own = [fact for fact in lists if fact.session == last.session]
    found: list[tuple[str, str]] = []
    for fact in own:
        found += tasks.items(fact.value) if fact.what is What.TODO else [(fact.value, fact.state)]
    return [(text, state) for text, state in found if text], last


def _checks(facts: Sequence[Fact], root: str, refs: Refs, now: int) -> Iterator[Check]:
    """The last run of each, the latest first; one that a later and broader one has covered is over."""
    latest: dict[tuple[str, str], Fact] = {}
    for fact in facts:
        if fact.what is What.CHECK and now - fact.at < CHECK_AGE:
            latest[fact.worktree, fact.value] = fact
    runs = sorted(latest.values(), key=lambda fact: (fact.worktree != root, -fact.at))
    here = [fact for fact in runs if fact.worktree == root] or runs
    kept: list[Fact] = []
    for fact in here:
        if not any(one.worktree == fact.worktree and _settles(one, fact) for one in kept):
            kept.append(fact)
    for fact in kept:
        edits = sum(one.what is What.EDIT and one.worktree == fact.worktree and one.at > fact.at for one in facts)
        elsewhere = "" if fact.worktree == root else fact.worktree.rpartition("/")[2]
        if edits <= STALE:
            commit = _commit(fact, facts, refs, elsewhere)
            yield Check(fact.value, fact.state == "passed", fact.at, commit, edits, elsewhere, fact)


def _settles(later: Fact, earlier: Fact) -> bool:
    """Of one package: a broader one that passed, or of two that passed by the same program the last."""
    if later.state != "passed" or later.how != earlier.how:
        return False
    same = earlier.state == "passed" and commands.family(later.value) == commands.family(earlier.value)
    return same or commands.is_broader(later.value, earlier.value)


def _commit(check: Fact, facts: Sequence[Fact], refs: Refs, elsewhere: str) -> str:
    known = "" if elsewhere else refs.commit_at(check.at)[:7]
    if known:
        return known
    before = [one for one in facts if one.what is What.COMMIT and one.at <= check.at and one.worktree == check.worktree]
    return before[-1].value[:7] if before else ""


# ── in words ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Line:
    name: str
    text: str
    mark: str
    """Changes when what it says does, but not with each edit."""
    session: str
    """Which told of it last: it knows it already."""
    source: str
    memories: tuple[str, ...] = ()
    """The ids of those that it tells."""


def line(name: str, text: str, what: str, fact: Fact) -> Line:
    digest = hashlib.blake2b(what.encode("utf-8", "replace"), digest_size=8).hexdigest()
    return Line(name, text, f"{name}:{digest}", fact.session, fact.how or str(fact.what))


def unnumbered(text: str) -> str:
    return re.sub(r"\d+ edits?|no edits", "edits", text)


def renamed(names: Sequence[tuple[str, int]], branch: str, born: int) -> dict[str, tuple[int, int]]:
    """Each name of a branch, with the time from when until when it had it."""
    found, since = {}, born
    for name, until in names:
        found[name] = (since, until)
        since = until
    found[branch] = (since if names else born, 1 << 62)
    return found
