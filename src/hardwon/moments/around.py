"""What is said beside the memory: seat belts, handoffs, what a session left, a person's rule in all its spellings."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from hardwon import action, git_head
from hardwon.event import Event, Reply
from hardwon.memories import brief, moments
from hardwon.memories.brief import Section
from hardwon.memories.moments import Known
from hardwon.memory import Anchor, AnchorKind
from hardwon.moments import at_start, guarding, handing
from hardwon.moments.answered import Answer, Here, Unwritten
from hardwon.moments.conversation import Conversation
from hardwon.moments.guarding import Guard
from hardwon.moments.handing import Handed, Hands
from hardwon.render import context
from hardwon.store.connection import Store
from hardwon.text import commands
from hardwon.text.guards import covering

MOST = 450
"""Tokens of what was handed over."""


@dataclass(frozen=True, slots=True)
class Around:
    """What the daemon has, and a rehearsal of the past has not."""

    guard: Guard | None = None
    hands: Hands | None = None


NOTHING = Around()


def started(
    store: Store, beyond: Around, event: Event, talk: Conversation, where: Here, now: int, unwritten: Unwritten,
    until: float,
) -> Answer:  # fmt: skip
    """A session's start, with what is handed to it; after a compaction with its own state."""
    given = Handed()
    if beyond.hands and where.project and event.text == "compact":
        given = Handed(handing.after_compaction(store, event))
    elif beyond.hands and where.project and event.text not in at_start.RESUMED:
        given = handing.at_start(store, beyond.hands, event, where.project, where.root, now, until)
    extra = [Section("handed over", brief.HANDOFF, given.lines, most=MOST)] if given.lines else []
    said = at_start.answer(store, event, talk, where, now, unwritten, extra)
    return dataclasses.replace(said, handoff=given.handoff)


def prompted(store: Store, beyond: Around, event: Event, where: Here, now: int, said: Answer) -> Answer:
    """What another window handed over meanwhile."""
    if not (beyond.hands and where.project):
        return said
    given = handing.meanwhile(store, beyond.hands, event, where.project, now)
    if not given.lines:
        return said
    text = "\n".join(filter(None, (said.reply.text, context.started("prompt", given.lines))))
    return dataclasses.replace(said, reply=Reply(text), handoff=given.handoff)


def failed(event: Event, talk: Conversation) -> None:
    if event.tool == action.SHELL and event.exit_status and commands.is_validation(event.target):
        talk.check_failed(event.target)


def guarded(
    store: Store, beyond: Around, event: Event, talk: Conversation, where: Here, said: Answer, until: float
) -> Answer:
    """The seat belts: what else a colleague would say. What the memory holds up stays held up."""
    if beyond.guard is None:
        return said
    decided = guarding.decide(beyond.guard, store, event, talk, where.root, until)
    if said.reply.stop or said.reply.ask:
        return said
    if decided.deny:
        return Answer(Reply(stop=context.held_up(guarding.told(decided.deny))))
    if decided.ask:
        return Answer(Reply(ask=context.held_up(guarding.told(decided.ask))))
    if not decided.notes:
        return said
    note = context.of_this_call(guarding.told(decided.notes))
    return dataclasses.replace(said, reply=Reply("\n".join(filter(None, (said.reply.text, note)))))


def rule_against(
    store: Store, event: Event, anchor: Anchor, where: Here, found: list[Known], now: int
) -> Answer | None:
    """What a person's rule says of this call, in whatever spelling. What can't be read for sure is not held up."""
    level = store.settings.alerts.guard
    if rule := next((one for one in found if one.is_rule_of_the_user), None):
        return _held_up(rule, level)
    if anchor.kind is not AnchorKind.COMMAND:
        return None
    for rule, means in moments.rules_on_commands(store, where.project, now):
        covered = covering.covers(means, event.target, git_head.read(event.cwd).branch if event.cwd else "")
        if covered:
            return _held_up(rule, level)
        if covered is None:
            return Answer(Reply(context.known("before action", [rule])), [rule.item])
    return None


def _held_up(rule: Known, level: str) -> Answer:
    """Each time, and for every agent: that is what a guard is for."""
    reason = context.guard(rule)
    return Answer(Reply(stop=reason) if level == "deny" else Reply(ask=reason), [rule.item])
