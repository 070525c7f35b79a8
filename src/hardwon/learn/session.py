"""Learning from one session: read its journal, derive, keep what is new, and say in the log what was done."""

from __future__ import annotations

import dataclasses
import itertools
from collections import Counter
from collections.abc import Iterable, Iterator

from hardwon.learn import elsewhere, habits, log, marking, of_skills, older, outcomes, prompts, refusals, settling
from hardwon.learn.derive import walk
from hardwon.learn.log import Step
from hardwon.learn.of_skills import OfSkills
from hardwon.learn.prompts import Resolved
from hardwon.learn.steps import Learned, Passed, Settled, Skipped, Withdrawn
from hardwon.learn.steps import Step as Found
from hardwon.memory import LINT_RULE, PAST, Kind, Link, LinkKind, Memory, Status, Trust, short_id
from hardwon.store import changes
from hardwon.store.changes import Noted, Outcome
from hardwon.store.connection import Store
from hardwon.store.maintenance import retention
from hardwon.store.tables import journal, memories, recurrences, spoken
from hardwon.store.tables.recurrences import Met


@dataclasses.dataclass(slots=True)
class Report:
    """What came of reading a session: how many memories are new, how many were known, and what was passed over, by
    reason."""

    learned: int = 0
    repeated: int = 0
    skipped: Counter[str] = dataclasses.field(default_factory=Counter)


def learn(store: Store, host: str, session: str, now: int) -> int:
    """How many memories are new."""
    return report(store, host, session, now).learned


def report(store: Store, host: str, session: str, now: int) -> Report:
    until = retention.last_at(store, host, session)
    since = retention.removed_to(store, host, session)
    while not older.put_away(store, now):
        pass
    outcomes.follow(store, host, session, journal.of_session(store, host, session, since))
    skills, met, came = OfSkills(store), Met(), Report()
    walked = walk(skills.following(journal.of_session(store, host, session, since)))
    found = _with_skills(skills, _with_doubts(store, walked))
    while some := list(itertools.islice(found, PORTION)):
        _keep_all(store, some, session, now, met, came)
    came.learned += refusals.follow(store, host, session, now)
    came.learned += habits.follow(store, host, session, now)
    marking.settle(store, host, session, now)
    retention.learned(store, host, session, until)
    return came


def _with_skills(skills: OfSkills, found: Iterable[Found | Resolved]) -> Iterator[Found | Resolved]:
    for one in found:
        yield skills.scoped(one) if isinstance(one, Learned) else one
    yield from skills.lessons


def _with_doubts(store: Store, found: Iterable[Found | Resolved]) -> Iterator[Found | Resolved]:
    """What a person said plainly, and what others wrote before it: found here, before the database is locked."""
    for one in found:
        yield prompts.doubted(one, _copied(store, one)) if isinstance(one, Learned) else one


def _copied(store: Store, learned: Learned) -> str:
    draft, event = learned.draft, learned.event
    new = draft.source == "prompt" and not draft.candidate and not memories.by_origin(store, draft.origin_key or "")
    if not event or not new:
        return ""
    words = spoken.Words(event.text, event.origin, event.prompt, event.at)
    return elsewhere.why_not_own(store, event.host, event.session, words, draft.body, event.cwd)


PORTION = 100
"""Steps in a transaction. They are derived before it begins, and others may write between two."""


def _keep_all(store: Store, found: Iterable[Found | Resolved], session: str, now: int, met: Met, came: Report) -> None:
    with store.transaction():
        steps = [_step(store, one, session, one.event.at if one.event else now, met) for one in found]
        recurrences.record(store, met)
    told = [step for step in steps if step]
    if store.on_disk:
        log.record(store.home, told, now)
    came.learned += sum(step.step == "learned" for step in told)
    came.repeated += sum(step.step == "repeated" for step in told)
    came.skipped.update(step.reason for step in told if step.step == "skipped")


def _step(store: Store, found: Found | Resolved, session: str, now: int, met: Met) -> Step | None:
    """What was done with it; None for what was learned from this very event before."""
    if isinstance(found, Resolved):
        prompts.resolve(store, found, now)
        return None
    if isinstance(found, Passed):
        settling.no_longer_fails(store, found, now)
        return None
    if isinstance(found, Withdrawn):
        settling.withdraw(store, found, now)
        return None
    if isinstance(found, Settled):
        settling.put_away(store, found, now)
        return None
    if isinstance(found, Learned):
        found = dataclasses.replace(found, draft=changes.passed(store, found.draft))
    place = log.where(session, found.event.call if found.event else "")
    if isinstance(found, Skipped):
        return Step("skipped", found.kind, "", found.reason, place)
    kind = found.draft.kind
    if not found.draft.scope.project:
        return Step("skipped", kind, "", "it belongs to no project", place)
    if found.event and kind in marking.SPOKEN and marking.covers(store, found.draft, found.event):
        return None
    noted, known = _keep(store, found, now)
    if found.doubt and not known:
        _wait(store, noted, found.doubt, now)
    of_skills.everywhere(store, found.draft, now)
    if noted.id is None:
        return Step("skipped", kind, "", "it was forgotten", place)
    if kind is Kind.FAILURE:
        met.add(noted.id, now, known=known)
    if found.draft.subtype == LINT_RULE and found.event:
        met.add(noted.id, found.event.at, known=known)
    if known:
        return None
    if noted.outcome is Outcome.CREATED:
        return Step("learned", kind, short_id(noted.id), "new", place)
    return Step("repeated", kind, short_id(noted.id), "known already", place)


def _wait(store: Store, noted: Noted, why: str, now: int) -> None:
    kept = memories.get(store, noted.id) if noted.id else None
    if kept and kept.status is Status.CANDIDATE and why not in kept.complaints:
        changes.complain(store, kept.id, Trust.UNTRUSTED, why, now)


def _keep(store: Store, learned: Learned, now: int) -> tuple[Noted, bool]:
    """What became of it, and whether it was known from the same event."""
    with store.transaction():
        known = bool(learned.draft.origin_key and memories.by_origin(store, learned.draft.origin_key))
        failure = None if known else _fixed(store, learned)
        if failure:  # made with its link, there is nothing to change in it a moment later
            link = Link(LinkKind.FIXES, failure.id)
            learned = dataclasses.replace(learned, draft=dataclasses.replace(learned.draft, links=(link,)))
        noted = _noted(store, learned, failure, now)
        if failure and noted.id:
            _linked(store, learned, failure, noted, now)
        if noted.id and not known:
            prompts.keep_extra(store, learned, noted.id, now)
        return noted, known


def _noted(store: Store, learned: Learned, failure: Memory | None, now: int) -> Noted:
    """The same mistake in other words (another path, another number, another spelling of the command) is the same
    failure; the same steps against it are the same fix."""
    draft = learned.draft
    if learned.event and learned.event.host in HEARSAY and draft.trust is Trust.VERIFIED:
        draft = dataclasses.replace(draft, trust=Trust.AGENT)
    if draft.kind is Kind.FAILURE:
        twin = settling.same_failure(store, draft)
        if twin is None:
            return changes.note(store, draft, now)
        late = learned.event is not None and learned.event.at < twin.updated_at
        return settling.met_again(store, twin, draft, now, wake=not late)
    if draft.subtype == LINT_RULE:  # two rules are never two wordings of one
        return changes.note(store, draft, now, apart=True)
    twin = settling.same_fix(store, failure, learned) if failure else None
    if twin:
        return settling.worked_again(store, twin, learned, draft, now)
    return changes.note(store, draft, now)


HEARSAY = frozenset({"swe-agent", "aider"})
"""Logs that somebody may have been sent: they prove nothing."""


def _fixed(store: Store, learned: Learned) -> Memory | None:
    """The failure that an attempt was made at."""
    id = memories.by_origin(store, learned.fixes) if learned.fixes else None
    return memories.get(store, id) if id else None


def _linked(store: Store, learned: Learned, failure: Memory, noted: Noted, now: int) -> None:
    """Link an attempt that was known to this failure, too; one that worked resolves it until it happens again."""
    assert noted.id
    if noted.outcome is not Outcome.CREATED:
        changes.link(store, noted.id, LinkKind.FIXES, failure.id, now)
    if learned.draft.subtype == "failed":
        settling.refute(store, learned, failure, now)
    if learned.draft.subtype in ("worked", PAST):
        settling.resolve(store, failure, noted.id, now)
