"""What can be done to a memory. Each function appends records and applies them, in one transaction."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from hardwon.memory import ALSO_SAID, Anchor, Draft, LinkKind, Memory, Rejected, Scope, Status, Trust
from hardwon.redact import border
from hardwon.store import belt, projects
from hardwon.store.connection import Store
from hardwon.store.index import wordings
from hardwon.store.log import records, tombstones
from hardwon.store.log.fold import creation, redone, undone
from hardwon.store.log.records import Record
from hardwon.store.tables import memories
from hardwon.store.tables.repeating import Beside, compare
from hardwon.text import mark, untrusted


class Refused(Exception):
    """The change is not possible; says why and what is."""


class Outcome(StrEnum):
    CREATED = "created"
    REPEATED = "repeated"
    FORGOTTEN = "forgotten"


@dataclass(frozen=True, slots=True)
class Noted:
    id: str | None
    outcome: Outcome
    reworded: bool = False
    """It was known in other words, which stay; these are kept with it."""
    beside: Beside = field(default_factory=Beside)
    """What became of all that was said beside a text that was known."""
    replaced_by: str | None = None
    """It was known and stays history: this one holds in its place."""
    woken: bool = False
    """It was over, and holds again."""


def note(
    store: Store, draft: Draft, now: int, *, again: bool = False, apart: bool = False, more: bool = False,
    wake: bool = True,
) -> Noted:  # fmt: skip
    """Keep this. The same text in the same scope is a hit, and so is a lesson in other words, unless it shall stand
    `apart`; a forgotten text stays forgotten unless `again`. `more`: what is new beside a known text is added to it.
    `wake`: a text that another one has replaced holds again, also while that one does."""
    draft = _storable(store, draft)
    with store.transaction():
        if draft.origin_key and (known := memories.by_origin(store, draft.origin_key)):
            return Noted(known, Outcome.REPEATED)
        if again:
            tombstones.unearth(store, draft.body)
        elif tombstones.is_buried(store, draft.body, draft.origin_key):
            return Noted(None, Outcome.FORGOTTEN)
        if twin := memories.same_text(store, draft.scope, draft.body, draft.kind):
            noted = _repeat(store, twin, draft, now, more, wake)
            memories.remember_origin(store, draft.origin_key, twin.id)
            return noted
        if not apart and (twin := wordings.twin(store, draft)):
            _reword(store, twin, draft, now)
            memories.remember_origin(store, draft.origin_key, twin.id)
            return Noted(twin.id, Outcome.REPEATED, reworded=True)
        return Noted(_create(store, draft, now, again), Outcome.CREATED)


def again(store: Store, twin: Memory, draft: Draft, now: int, *, wake: bool = True) -> Noted:
    """The same as this memory in other words: one hit more. `wake`: what was over is not, if it was not wrong."""
    with store.transaction():
        if draft.origin_key and (known := memories.by_origin(store, draft.origin_key)):
            return Noted(known, Outcome.REPEATED)
        if tombstones.is_buried(store, draft.body, draft.origin_key):
            return Noted(None, Outcome.FORGOTTEN)
        hit(store, twin.id)
        memories.remember_origin(store, draft.origin_key, twin.id)
        if wake and not twin.complaints and twin.status in (Status.RESOLVED, Status.STALE):
            records.append(
                store, twin.id, records.STATUS, {"status": Status.ACTIVE, "reason": "it happened again"}, now
            )
            memories.apply(store, twin.id)
        return Noted(twin.id, Outcome.REPEATED)


def passed(store: Store, draft: Draft) -> Draft:
    """The last step of every border: a draft is made of texts that have passed, and what they became in it passes as a
    whole. A line of an output that stands alone now may be one that a rule knows."""
    return _with_texts(draft, border.clean(_texts(draft), store.redactor))


def _storable(store: Store, draft: Draft) -> Draft:
    """As it will stand in the store, so that it is compared in that form."""
    kept = _with_texts(draft, belt.held(store, _texts(draft), "a memory"))
    scope = Scope(projects.canonical(store, draft.scope.project), kept.scope.skill)
    return dataclasses.replace(kept, trust=_vouched(draft), scope=scope)


_FIELDS = ("body", "title", "intent", "because", "author")


def _texts(draft: Draft) -> dict[str, Any]:
    """All of it at once: an anchor may be a secret that only the text gives away."""
    return {name: getattr(draft, name) for name in _FIELDS} | {
        "evidence": draft.evidence,
        "anchors": [anchor.value for anchor in draft.anchors],
        "rejected": [(one.what, one.why) for one in draft.rejected],
        "skill": draft.scope.skill,
    }


def _with_texts(draft: Draft, texts: dict[str, Any]) -> Draft:
    return dataclasses.replace(
        draft,
        **{name: texts[name] for name in _FIELDS},
        evidence=tuple(texts["evidence"]),
        anchors=tuple(Anchor(old.kind, new) for old, new in zip(draft.anchors, texts["anchors"], strict=True)),
        rejected=tuple(Rejected(what, why) for what, why in texts["rejected"]),
        scope=Scope(draft.scope.project, texts["skill"]),
    )


def _vouched(draft: Draft) -> Trust:
    """An agent can be talked into keeping what somebody planted for it: for such a text nobody vouches yet."""
    if draft.trust is not Trust.AGENT:
        return draft.trust
    texts = (draft.title, draft.body, draft.because, draft.intent, *(f"{r.what} {r.why}" for r in draft.rejected))
    return Trust.UNTRUSTED if _why_planted(texts) else Trust.AGENT


def _why_planted(values: Iterable[Any]) -> str:
    return untrusted.why_planted("\n".join(value for value in values if isinstance(value, str)))


def _create(store: Store, draft: Draft, now: int, again: bool) -> str:
    from hardwon.memory import new_id

    id = new_id(now)
    status = Status.CANDIDATE if draft.candidate or draft.trust is Trust.UNTRUSTED else Status.ACTIVE
    # Another home, or this one restored, must know that the text was wanted after it had been forgotten.
    payload = creation(draft, status, now) | ({"again": True} if again else {})
    records.append(store, id, records.CREATE, payload, now)
    memories.apply(store, id)
    return id


def _literals(text: str) -> tuple[str, ...]:
    from hardwon.text.skills.wordings import literals  # only who says a thing again pays for it

    return literals(text)


def _repeat(store: Store, twin: Memory, draft: Draft, now: int, more: bool, wake: bool) -> Noted:
    """Learned again: one hit more, a stronger voucher counts, and what had been put away is back."""
    hit(store, twin.id)
    if draft.candidate:  # it counts, and changes nothing: a person decided about it, or will
        return Noted(twin.id, Outcome.REPEATED)
    # A candidate waits for a person, or for an outcome that proves the very same thing; an agent's word is neither.
    waits = twin.status is Status.CANDIDATE and (draft.trust.rank <= Trust.AGENT.rank or draft.kind is not twin.kind)
    changed: dict[str, Any] = {"trust": draft.trust} if draft.trust.rank > twin.trust.rank and not waits else {}
    if draft.skill_mark and (not twin.skill_mark or mark.is_another(draft.skill_mark, twin.skill_mark)):
        changed["skill_mark"] = draft.skill_mark  # it holds for the skill as it is now
    if draft.body != twin.body and _literals(draft.body) != _literals(twin.body):
        other = ALSO_SAID + draft.body  # `-p` and `-P` are one text and two flags
        changed |= {"more_evidence": [other]} if other not in twin.evidence else {}
    beside = compare(twin, draft) if more and not waits else Beside()
    if changed | beside.fields:
        records.append(store, twin.id, records.EDIT, changed | beside.fields, now)
    replaced_by = None if wake else _replacement(store, twin)
    asleep = not replaced_by and twin.status in (Status.ARCHIVED, Status.STALE, Status.RESOLVED, Status.SUPERSEDED)
    accepted = twin.status is Status.CANDIDATE and not waits
    woken = (asleep and draft.trust.rank >= twin.trust.rank) or accepted
    if woken:
        records.append(store, twin.id, records.STATUS, {"status": Status.ACTIVE, "reason": "noted again"}, now)
    memories.apply(store, twin.id)
    return Noted(twin.id, Outcome.REPEATED, beside=beside, replaced_by=replaced_by, woken=woken)


def _replacement(store: Store, memory: Memory) -> str | None:
    """What holds in the place of a memory that was replaced; None when nothing does any more."""
    found = memories.get(store, memory.superseded_by) if memory.superseded_by else None
    if found and found.status is Status.SUPERSEDED and found.id != memory.id:
        return _replacement(store, found)
    return found.id if found and found.status is Status.ACTIVE else None


def _reword(store: Store, twin: Memory, draft: Draft, now: int) -> None:
    """Said again in other words: one hit more, and these words are kept with it. Those of a person are the lesson."""
    hit(store, twin.id)
    leads = draft.trust.rank > twin.trust.rank
    other = twin.body if leads else draft.body
    intent = (f"intended for: {draft.intent}",) if draft.intent and draft.intent != twin.intent else ()
    evidence = [one for one in (ALSO_SAID + other, *draft.evidence, *intent) if one not in twin.evidence]
    changed: dict[str, Any] = {"body": draft.body, "trust": draft.trust} if leads else {}
    if draft.skill_mark and (not twin.skill_mark or mark.is_another(draft.skill_mark, twin.skill_mark)):
        changed["skill_mark"] = draft.skill_mark
    if changed or evidence:
        records.append(store, twin.id, records.EDIT, changed | {"more_evidence": evidence}, now)
        memories.apply(store, twin.id)


def hit(store: Store, id: str) -> None:
    store.db.execute(
        "insert into counts (memory, device, hits) values (?, ?, 1)"
        " on conflict (memory, device) do update set hits = hits + 1",
        (id, store.device),
    )
    count = store.value("select hits from counts where memory = ? and device = ?", (id, store.device))
    store.remember_line({"type": "hits", "memory": id, "device": store.device, "hits": count})


def edit(store: Store, id: str, changes: dict[str, Any], now: int, who: Trust = Trust.USER) -> Memory:
    """Change fields. A text that another memory of the scope already has is refused: they would become one. So is what
    looks planted, unless a person says it: an edit has no candidate that could wait for one."""
    with store.transaction():
        memory = _existing(store, id)
        if who is not Trust.USER and (why := _why_planted(changes.values())):
            raise Refused(
                f"This looks as if somebody had planted it ({why}), and the call comes from an agent. Nothing was "
                f"changed; a person can `hardwon edit {memory.short_id}` in their own terminal."
            )
        if "body" in changes:
            changes = belt.held(store, changes, "a change")
            if tombstones.is_buried(store, changes["body"], None):
                raise Refused("This text was forgotten and stays forgotten; nothing was changed.")
            twin = memories.same_text(store, memory.scope, changes["body"], memory.kind)
            if twin and twin.id != id:
                raise Refused(
                    f"{twin.short_id} already says this: `hardwon supersede {memory.short_id} --by {twin.short_id}`."
                )
        records.append(store, id, records.EDIT, changes, now)
        return _applied(store, id)


# From where each status can be reached; `candidate` is where untrusted texts begin and nothing returns to it.
_REACHED_FROM: dict[Status, frozenset[Status]] = {
    Status.ACTIVE: frozenset(Status) - {Status.ACTIVE, Status.FORGOTTEN},
    Status.RESOLVED: frozenset({Status.ACTIVE, Status.STALE}),
    Status.SUPERSEDED: frozenset({Status.ACTIVE, Status.RESOLVED, Status.STALE, Status.CANDIDATE}),
    Status.STALE: frozenset({Status.ACTIVE, Status.RESOLVED}),
    Status.ARCHIVED: frozenset(Status) - {Status.ARCHIVED, Status.FORGOTTEN},
}


def move(store: Store, id: str, status: Status, now: int, *, reason: str = "", by: str | None = None) -> Memory:
    """Take a memory to another status, for a reason."""
    with store.transaction():
        memory = _existing(store, id)
        if memory.status is status:
            raise Refused(f"{memory.short_id} is {status} already; nothing was changed.")
        if memory.status not in _REACHED_FROM[status]:
            raise Refused(f"{memory.short_id} is {memory.status}: it can't become {status}. {_way_out(memory)}")
        records.append(store, id, records.STATUS, {"status": status, "reason": reason, "by": by}, now)
        return _applied(store, id)


def _way_out(memory: Memory) -> str:
    if memory.status is Status.CANDIDATE:
        return f"`hardwon review accept {memory.short_id}` makes it active first."
    return f"`hardwon reopen {memory.short_id}` makes it active first."


def supersede(store: Store, old: str, new: str, now: int, *, reason: str = "") -> Memory:
    """`new` holds from now on, `old` is history."""
    with store.transaction():
        if old == new or _leads_to(store, new, old):
            raise Refused("A memory can't replace itself, nor one that replaced it.")
        moved = move(store, old, Status.SUPERSEDED, now, reason=reason, by=new)
        link(store, new, LinkKind.SUPERSEDES, old, now)
        return moved


def _leads_to(store: Store, start: str, end: str) -> bool:
    seen: set[str] = set()
    id: str | None = start
    while id and id not in seen:
        if id == end:
            return True
        seen.add(id)
        found = memories.get(store, id)
        id = found.superseded_by if found else None
    return False


def link(store: Store, source: str, kind: LinkKind, target: str, now: int) -> Memory:
    with store.transaction():
        _existing(store, source)
        records.append(store, source, records.LINK, {"kind": kind, "target": target}, now)
        return _applied(store, source)


def complain(store: Store, id: str, who: Trust, reason: str, now: int) -> Memory:
    """It is wrong. Who may overrule it makes it stale; who may not is heard in `review`."""
    with store.transaction():
        memory = _existing(store, id)
        records.append(store, id, records.COMPLAIN, {"who": who, "reason": reason}, now)
        if who.rank >= memory.trust.rank and memory.status in _REACHED_FROM[Status.STALE]:
            records.append(store, id, records.STATUS, {"status": Status.STALE, "reason": f"wrong: {reason}"}, now)
        return _applied(store, id)


def undo(store: Store, now: int, id: str | None = None, who: Trust = Trust.USER) -> list[Record]:
    """Take back the last command of this home, or the last one that changed this memory; again, the one before."""
    with store.transaction():
        back = _last_action(store, id, undos=False)
        _may_take_back(store, back, who)
        if not back:
            raise Refused("There is nothing to undo." if id is None else "Nothing was changed here that can be undone.")
        return _take_back(store, back, now)


def _may_take_back(store: Store, back: list[Record], who: Trust) -> None:
    """What a person said is taken back by a person."""
    for record in back:
        memory = memories.get(store, record.memory)
        if memory and memory.trust.rank > max(who.rank, Trust.VERIFIED.rank):
            raise Refused(
                f"The last command changed {memory.short_id}, which a person said, and this call comes from an agent. "
                "Nothing was changed; the person can `hardwon undo` in their own terminal."
            )


def redo(store: Store, now: int, who: Trust = Trust.USER) -> list[Record]:
    """Take back the last undo of this home."""
    with store.transaction():
        back = _last_action(store, None, undos=True)
        _may_take_back(store, back, who)
        if not back:
            raise Refused("There is nothing to do again.")
        return _take_back(store, back, now)


def _take_back(store: Store, back: list[Record], now: int) -> list[Record]:
    for record in back:
        target = {"device": record.device, "sequence": record.sequence}
        records.append(store, record.memory, records.UNDO, target, now)
    for memory in {record.memory for record in back}:
        memories.apply(store, memory)
    return back


def _last_action(store: Store, id: str | None, *, undos: bool) -> list[Record]:
    """The records of the newest command here that still counts: a change, or an undo of one."""
    log = records.undos(store)
    passed_over = undone(log) | {(r.device, r.sequence) for r in redone(log)}
    for record in records.newest_first(store, id):
        wanted = (record.operation == records.UNDO) == undos and record.operation != records.FORGET
        if wanted and record.payload is not None and (record.device, record.sequence) not in passed_over:
            return [r for r in records.of_action(store, record.device, record.action) if r.payload is not None]
    return []


def _existing(store: Store, id: str) -> Memory:
    memory = memories.get(store, id)
    if memory is None:
        raise memories.UnknownMemory(f'No memory has the id "{id}".')
    return memory


def _applied(store: Store, id: str) -> Memory:
    memory = memories.apply(store, id)
    assert memory is not None, id
    return memory
