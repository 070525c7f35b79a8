"""What a person said in a session, as memories: rules, decisions, constraints, tasks. Pure, but for `keep_extra`.

Only what is said in so many words (`text/speech/plain.py`): the rest is marked by the agent that hears it
(`marking.py`). It is the person's own sentence, word for word, and holds at once. Only what a person typed counts; a
sub-agent's prompt was written by an agent, and a tool's output by anybody.
"""

from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from hardwon import action
from hardwon.event import Event, EventType
from hardwon.learn import hard_rules
from hardwon.learn.failures import no_lesson
from hardwon.learn.steps import Learned, Skipped
from hardwon.memory import Anchor, AnchorKind, Draft, Kind, LinkKind, Memory, Scope, Status, Trust
from hardwon.store import changes
from hardwon.store.connection import Store
from hardwon.store.tables import memories
from hardwon.text import anchors, commands, tiers, untrusted
from hardwon.text.speech import acts, plain, reminding, voice
from hardwon.text.speech.plain import Statement

LONGEST_SENTENCE = 400
MOST_DONE = 1_000
"""Changes of one turn that a correction can be about."""
UNMARKED = 90
"""The number of such a sentence in its prompt: behind all that is said plainly."""
SUBJECT = "subject:"
"""A decision's subject stands among its topics with this before it."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """The person says that it works: the failure that was last at work is over."""

    failure: str
    """Its origin key."""
    event: Event


def walk(journal: Iterable[Event]) -> Iterator[Learned | Skipped | Resolved]:
    """What a person said, in order; what sounded like it and was passed over; what they say is mended."""
    talk = Talk()
    for event in journal:
        yield from talk.saw(event)


class Talk:
    """What the agent has done so far, as far as it matters for what is said next."""

    def __init__(self) -> None:
        self._acted = False
        self._reminded = 0
        self._refused = False
        self._asked: deque[str] = deque(maxlen=reminding.LOOKED_AT)
        self._done: deque[Event] = deque(maxlen=MOST_DONE)
        """Changes since the last prompt, the last of them."""
        self._answer = ""
        self._failing: dict[str, Event] = {}
        """Commands that failed in this turn or the one before and have not passed since."""
        self._older: set[str] = set()

    def saw(self, event: Event) -> Iterator[Learned | Skipped | Resolved]:
        if event.agent:
            return
        if event.type is EventType.PROMPT_SUBMITTED:
            yield from self._heard(event)
        else:
            self._saw(event)

    def _saw(self, event: Event) -> None:
        if event.type is EventType.TURN_ENDED:
            self._acted, self._answer = True, event.text
        elif event.type is EventType.CALL_ANSWERED:
            self._refused = self._refused or event.origin == "refused"
        elif event.type in (EventType.TOOL_FINISHED, EventType.TOOL_FAILED):
            self._acted = True
            if event.tool in tiers.CHANGES and not (event.tool == action.SHELL and commands.only_looks(event.target)):
                self._done.append(event)
            if event.tool == action.SHELL:
                self._ran(event)

    def _ran(self, event: Event) -> None:
        command = commands.normalise(event.target)
        self._failing.pop(command, None)
        self._older.discard(command)
        if event.type is EventType.TOOL_FAILED and not no_lesson(event):
            self._failing[command] = event

    def _heard(self, event: Event) -> Iterator[Learned | Skipped | Resolved]:
        found = plain.read(event.text)
        for number, statement in enumerate(found.statements):
            if event.origin == "program":  # a script, an issue's text: whoever wrote it, it was not typed here
                yield Skipped(statement.kind, "a program wrote it", event)
            else:
                yield doubted(Learned(_statement(statement, event, number), event=event), _doubt(statement, event))
        if event.origin != "program" and not found.statements:
            yield from self._unmarked(event)
        if found.says_fixed and (failure := self._at_work()):
            yield Resolved(f"{failure.host}:{failure.call}:failure", event)
        self._asked.append(event.text[: reminding.LONGEST])
        self._next_turn()

    def _unmarked(self, event: Event) -> Iterator[Learned]:
        """What the agent was reminded of, as the bare sentence: it waits, unless the agent marked something."""
        turn = reminding.Turn(event.text, self._acted, self._refused, tuple(self._asked))
        if self._reminded < reminding.MOST and reminding.reminds(turn):
            self._reminded += 1
            said = Statement(Kind.RULE, reminding.surest(turn))
            draft = _statement(said, event, UNMARKED)
            yield Learned(dataclasses.replace(draft, source="unmarked", candidate=True), event=event)

    def _next_turn(self) -> None:
        for command in self._older:
            self._failing.pop(command, None)
        self._older = set(self._failing)
        self._done.clear()
        self._answer, self._refused = "", False

    def _at_work(self) -> Event | None:
        """The failing command that was run last, or the one whose file was changed last; None when it is not plain."""
        for last in reversed(self._done):
            command = commands.normalise(last.target)
            if last.tool == action.SHELL and command in self._failing:
                return self._failing[command]
            if last.tool != action.SHELL:
                name = last.target.rsplit("/", 1)[-1]
                named = [one for one in self._failing.values() if name in one.error or name in one.target]
                return named[0] if len(named) == 1 else None
        return next(iter(self._failing.values())) if len(self._failing) == 1 and not self._done else None


def _statement(said: Statement, event: Event, number: int) -> Draft:
    """The person's own sentence, word for word."""
    about = [Anchor(AnchorKind.TOPIC, SUBJECT + said.subject)] if said.subject else []
    return Draft(
        kind=said.kind,
        body=_short(said.said, LONGEST_SENTENCE),
        scope=Scope(event.project or ""),
        trust=Trust.USER,
        source="prompt",
        because=_short(said.because, LONGEST_SENTENCE),
        rejected=said.rejected,
        anchors=(*about, *acts.of_statement(said.said, said.rejected), *anchors.named_in(said.said)[:4]),
        evidence=(_evidence(event),),
        origin_key=_key(event, said.kind, number),
    )


def doubted(learned: Learned, why: str) -> Learned:
    """It waits, and says for what."""
    if not why:
        return learned
    return dataclasses.replace(learned, draft=dataclasses.replace(learned.draft, candidate=True), doubt=why)


def _doubt(said: Statement, event: Event) -> str:
    """A person may have pasted what somebody wrote for their agent."""
    planted = untrusted.why_planted(f"{said.said}\n{said.because}")
    return planted or voice.why_not_own(f"{said.said} {said.because}".strip(), event.text)


def _short(text: str, longest: int) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= longest else flat[: longest - 1].rstrip() + "…"


def _evidence(event: Event) -> str:
    return f"{event.host}:{event.session}:{event.prompt or event.at}"


def _key(event: Event, kind: Kind, number: int) -> str:
    prompt = event.prompt or f"{event.session}:{event.at}"
    return f"{event.host}:{prompt}:{kind}:{number}"


def keep_extra(store: Store, learned: Learned, id: str, now: int) -> None:
    """What follows from something that was just learned, once for each event.

    A rule that was said on another day says so; a decision takes the place of the one before it. Not for an event that
    was learned from before: a person may have changed since then what this would change again.
    """
    if learned.event is None or learned.draft.kind not in (Kind.RULE, Kind.DECISION):
        return
    memory = memories.get(store, id)
    if memory is None:
        return
    if memory.kind is Kind.RULE:
        hard_rules.met(store, memory, learned.draft.evidence[0], learned.event.at)
    elif memory.kind is Kind.DECISION:
        _replace(store, memory, now)


def _replace(store: Store, decision: Memory, now: int) -> None:
    """One earlier decision about the same subject is history; among several, a person decides in `review`."""
    others = _same_subject(store, decision)
    if decision.status is not Status.ACTIVE or not others:
        return
    if len(others) > 1:
        _ask(store, others, decision, now)
        return
    (other,) = others
    old, new = (other, decision) if other.created_at <= decision.created_at else (decision, other)
    changes.supersede(store, old.id, new.id, now, reason="decided anew")


def _same_subject(store: Store, decision: Memory) -> list[Memory]:
    about = [one for one in decision.anchors if one.kind is AnchorKind.TOPIC and one.value.startswith(SUBJECT)]
    rows = memories.anchored(store, about, (decision.scope.project,), 20)
    found = memories.by_rows(store, {row for row, _ in rows}).values() if rows else ()
    return [
        one
        for one in found
        if one.kind is Kind.DECISION
        and one.status is Status.ACTIVE
        and one.id != decision.id
        and not _linked(one, decision)
    ]


def _linked(one: Memory, other: Memory) -> bool:
    """Somebody has already said how the two stand to each other, and may have thought better of it."""
    pairs = [(one, other), (other, one)]
    return any(link.kind is LinkKind.SUPERSEDES and link.target == to.id for by, to in pairs for link in by.links)


def _ask(store: Store, others: Sequence[Memory], decision: Memory, now: int) -> None:
    reason = f"decided again in {decision.short_id}, beside other decisions about the same: which one holds?"
    for other in others:
        if reason not in other.complaints:
            changes.complain(store, other.id, Trust.UNTRUSTED, reason, now)


def resolve(store: Store, resolved: Resolved, now: int) -> bool:
    """Whether a failure was active and is resolved now."""
    id = memories.by_origin(store, resolved.failure)
    failure = memories.get(store, id) if id else None
    if failure is None or failure.status is not Status.ACTIVE or failure.updated_at > resolved.event.at:
        return False
    changes.move(store, failure.id, Status.RESOLVED, now, reason="the user said that it works")
    return True
