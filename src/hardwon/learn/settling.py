"""What becomes of failures and fixes that are known already: met again, mended again, refuted, settled, put away."""

from __future__ import annotations

import re

from hardwon.learn.drafts import WORKS_AFTER
from hardwon.learn.same_cause import are_alike
from hardwon.learn.steps import Learned, Passed, Settled, Withdrawn
from hardwon.memories.moments import PASSED, fixes_of
from hardwon.memory import PAST, SAID, AnchorKind, Draft, Kind, Memory, Status, Trust
from hardwon.store import changes
from hardwon.store.changes import Noted
from hardwon.store.connection import Store
from hardwon.store.log import records
from hardwon.store.tables import memories, showings
from hardwon.text import errors
from hardwon.text.commands.another_way import INSTEAD, instead_of
from hardwon.text.likeness import Trouble

WORK = "work in progress: mended in the code that was being worked on"
"""The reason of a failure that nobody is told of. It is counted all the same."""
MOST_COMMANDS = 6
"""Of one failure that are remembered: more spellings bring it back before the call."""


def same_failure(store: Store, draft: Draft) -> Memory | None:
    """The failure with the same cause: of any command where the error says something by itself, else of the same one
    where what was printed is alike."""
    value = {anchor.kind: anchor.value for anchor in draft.anchors}
    signature, command = value.get(AnchorKind.ERROR), value.get(AnchorKind.COMMAND)
    if not signature or not command:
        return None
    same = memories.same_failure(store, draft.scope.project, command, signature)
    if errors.generic(signature):
        return same if same and _printed_alike(same, draft) else None
    return same or memories.failure_of(store, draft.scope.project, signature)


def _printed_alike(failure: Memory, draft: Draft) -> bool:
    said = tuple(one.removeprefix(SAID) for one in draft.evidence if one.startswith(SAID))
    if not failure.said or not said:
        return True
    return are_alike(Trouble("", failure.said), Trouble("", said))


def met_again(store: Store, twin: Memory, draft: Draft, now: int, *, wake: bool) -> Noted:
    """One sighting more; how the command was spelled this time is remembered."""
    noted = changes.again(store, twin, draft, now, wake=wake)
    known = [anchor for anchor in twin.anchors if anchor.kind is AnchorKind.COMMAND]
    new = [one for one in draft.anchors if one.kind is AnchorKind.COMMAND and one not in known]
    if noted.id and new and len(known) < MOST_COMMANDS:
        others = [anchor for anchor in twin.anchors if anchor not in known]
        told = [(anchor.kind, anchor.value) for anchor in (*known, *new, *others)]
        records.append(store, twin.id, records.EDIT, {"anchors": told}, now)
        memories.apply(store, twin.id)
    return noted


def same_fix(store: Store, failure: Memory, learned: Learned) -> Memory | None:
    """The fix by the same steps, of whatever spelling of the command."""
    if learned.draft.subtype != "worked" or not learned.steps:
        return None
    return next((one for one in known_fixes(store, failure) if steps_of(one.body) == "; ".join(learned.steps)), None)


def known_fixes(store: Store, failure: Memory) -> tuple[Memory, ...]:
    """What was done against it with success, also what waits for a second time."""
    rows = store.rows("select source from links where target = ? and kind = 'fixes'", (failure.id,))
    found = memories.by_ids(store, [id for (id,) in rows]).values()
    return tuple(one for one in found if one.kind is Kind.FIX and one.subtype in ("worked", PAST))


def steps_of(body: str) -> str:
    """What a fix says that was done."""
    if match := _PAST.match(body):
        return match[1]
    return body.partition(WORKS_AFTER)[2]


_PAST = re.compile(r"(.*?) got past this; then ", re.DOTALL)


def worked_again(store: Store, twin: Memory, learned: Learned, draft: Draft, now: int) -> Noted:
    """A second session that came to it by itself proves it; one that was told of it follows, and proves nothing."""
    if draft.origin_key and (known := memories.by_origin(store, draft.origin_key)):
        return Noted(known, changes.Outcome.REPEATED)
    alone = not _was_told(store, twin, learned)
    other = not any(one in draft.evidence for one in twin.evidence) and _session(twin) != _session_of(learned)
    if not alone:
        memories.remember_origin(store, draft.origin_key, twin.id)
        _wake(store, twin, now)
        return Noted(twin.id, changes.Outcome.REPEATED)
    noted = changes.again(store, twin, draft, now)
    if noted.id and other and twin.trust is Trust.AGENT and draft.trust is not Trust.UNTRUSTED:
        records.append(store, twin.id, records.EDIT, {"trust": Trust.VERIFIED}, now)
        memories.apply(store, twin.id)
    if noted.id and other:
        _wake(store, twin, now)
    return noted


def _wake(store: Store, twin: Memory, now: int) -> None:
    fix = memories.get(store, twin.id) or twin
    waits = fix.status is Status.CANDIDATE and not fix.complaints
    if waits or (fix.status is Status.STALE and fix.reason == FAILED_AGAIN):
        changes.move(store, fix.id, Status.ACTIVE, now, reason="it was the fix once more")


def _session(memory: Memory) -> str:
    return memory.evidence[0].split(":")[1] if memory.evidence and memory.evidence[0].count(":") > 1 else ""


def _session_of(learned: Learned) -> str:
    return learned.event.session if learned.event else ""


def _was_told(store: Store, fix: Memory, learned: Learned) -> bool:
    """Whether this session had been shown the fix, or a failure that it is told with, before it did it."""
    if learned.event is None:
        return False
    ids = {fix.id, *(link.target for link in fix.links)}
    shown = showings.of_session(store, learned.event.host, learned.event.session)
    return any(one.memory in ids and one.at < learned.event.at for one in shown)


FAILED_AGAIN = "it failed when it was tried again"


def refute(store: Store, learned: Learned, failure: Memory, now: int) -> None:
    """What was tried again and did not help this time is not what works."""
    for fix in known_fixes(store, failure):
        left = steps_of(fix.body)
        for step in learned.steps:
            left = left.replace(step, "")
        if fix.status is Status.ACTIVE and fix.trust is not Trust.USER and not left.strip("; ") and steps_of(fix.body):
            changes.move(store, fix.id, Status.STALE, now, reason=FAILED_AGAIN)


def resolve(store: Store, failure: Memory, fix: str, now: int) -> None:
    """It is over until it happens again."""
    if failure.status is Status.ARCHIVED and failure.reason == WORK:
        failure = changes.move(store, failure.id, Status.ACTIVE, now, reason="it was no work in progress")
    if failure.status is Status.ACTIVE:
        changes.move(store, failure.id, Status.RESOLVED, now, reason=f"fixed by {fix[-6:]}")


def put_away(store: Store, settled: Settled, now: int) -> None:
    """Work in progress falls silent; what something else has fixed before is only over."""
    id = memories.by_origin(store, settled.failure)
    failure = memories.get(store, id) if id else None
    if failure is None or failure.trust is Trust.USER or failure.pinned or failure.updated_at > settled.event.at:
        return
    if any(one.status is Status.ACTIVE for one in fixes_of(store, failure)):
        if settled.mended and failure.status is Status.ACTIVE:
            changes.move(store, failure.id, Status.RESOLVED, now, reason="mended in the code")
    elif failure.status in (Status.ACTIVE, Status.RESOLVED):
        changes.move(store, failure.id, Status.ARCHIVED, now, reason=WORK)


def withdraw(store: Store, withdrawn: Withdrawn, now: int) -> None:
    """The fix stays where another session taught it, too, or a person has changed it since."""
    id = memories.by_origin(store, withdrawn.fix)
    fix = memories.get(store, id) if id else None
    if fix and fix.origin_key == withdrawn.fix and fix.status is Status.ACTIVE and fix.updated_at <= now:
        changes.move(store, fix.id, Status.ARCHIVED, now, reason=withdrawn.reason)


def no_longer_fails(store: Store, passed: Passed, now: int) -> None:
    """A pass of another session that is older than the failure says nothing."""
    for failure in memories.failing(store, passed.event.project or "", passed.command):
        if _is_the_other_way(store, failure, passed):
            continue
        if passed.failed_before or passed.event.at > failure.updated_at:
            with store.transaction():
                changes.move(store, failure.id, Status.RESOLVED, now, reason=PASSED)
    for failure in memories.failing(store, passed.event.project or "", passed.command, Status.RESOLVED):
        if failure.reason != PASSED and not passed.failed_before and not _was_shown(store, failure, passed):
            with store.transaction():
                records.append(store, failure.id, records.STATUS, {"status": Status.RESOLVED, "reason": PASSED}, now)
                memories.apply(store, failure.id)


def _was_shown(store: Store, failure: Memory, passed: Passed) -> bool:
    """Whether the session of a pass had been told of the failure: what it did before is then what had helped. A pass
    that is older than what mended it says nothing either."""
    if passed.event.at <= failure.updated_at:
        return True
    shown = showings.of_session(store, passed.event.host, passed.event.session)
    return any(one.memory == failure.id for one in shown)


def _is_the_other_way(store: Store, failure: Memory, passed: Passed) -> bool:
    """What passed is what is known to work instead; without its variable or its option it would fail as ever."""
    words = set(passed.event.target.split())
    return any(
        set(way.split()) <= words
        for fix in fixes_of(store, failure)
        if fix.subtype == INSTEAD and (way := instead_of(fix.body))
    )
