"""What a person said when the client asked them something: the best anchored of all statements, and mostly for once.

"Don't worry about linting for now" ends with the hour, "never push to main" doesn't, and nothing in the words tells.
So each is kept with its call and waits. It holds when the person says the like of it again in another session, about a
call of the same family, or when an agent marks it. A like call that passes later in the same session says that it was
for once; two that pass later end it, and so does time. It is said before calls of its family, and holds up none.

What they said to a plan, and what they answered to the agent's questions, is kept in the same way, each with the
question. The next plan is another plan, and nothing about this one.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hardwon import action
from hardwon.event import BETWEEN
from hardwon.memories.acts import LASTS, REFUSED
from hardwon.memory import Anchor, AnchorKind, Draft, Kind, Memory, Scope, Status, Trust
from hardwon.store import changes
from hardwon.store.connection import Store
from hardwon.store.tables import memories
from hardwon.text import commands, untrusted
from hardwon.text.speech import acts, quotes, voice

APPROVALS = 2
LOOKED_AT = 3_000
"""Calls since then that are looked through."""
LEAST_WORDS = 2
TALK = (action.PLAN, action.QUESTION)
"""Calls that are questions to the person: a later one of the same tool is another question."""
LONGEST = 600


@dataclass(frozen=True, slots=True)
class Answered:
    """A person's words at a call."""

    host: str
    session: str
    project: str
    agent: str
    prompt: str
    call: str
    tool: str
    target: str
    words: str
    at: int
    answer: str
    number: int = 0
    """Of a question, where several were asked at once."""

    @property
    def family(self) -> Anchor | None:
        return family(self.tool, self.target)


def family(tool: str, target: str) -> Anchor | None:
    """What a call and its like have in common: the program with its subcommand, the file."""
    if tool == action.SHELL:
        name = commands.family(commands.normalise(target)).lower()
        return acts.anchor(name) if name else None
    if tool in action.EDITS:
        return Anchor(AnchorKind.FILE, target)
    return Anchor(AnchorKind.TOPIC, f"tool:{tool}") if tool else None


def follow(store: Store, host: str, session: str, now: int) -> int:
    """Keep what was said at this session's calls, and what it means for what was said before; how many are new."""
    said = [one for one in _answered(store, host, session) if len(quotes.fold(one.words)) > LEAST_WORDS]
    new = sum(_keep(store, one, now) for one in said if one.project)
    for project in dict.fromkeys(one.project for one in said) or _projects(store, host, session):
        if project:
            _end(store, project, now)
    return new


def _answered(store: Store, host: str, session: str) -> list[Answered]:
    return [one for row in store.rows(_SAID, (host, session)) for one in _apart(Answered(*row))]


def _apart(said: Answered) -> Iterator[Answered]:
    """Each answer with its own question."""
    questions, answers = said.target.split(BETWEEN), said.words.split(BETWEEN)
    if said.answer != "chosen" or len(questions) != len(answers):
        yield said
        return
    for number, (question, answer) in enumerate(zip(questions, answers, strict=True)):
        yield dataclasses.replace(said, target=question, words=answer, number=number)


_SAID = """
select s.host, s.id, s.project, j.agent, j.prompt, j.call, j.tool, j.target, j.text, j.at, j.origin
from journal j join sessions s on s.row = j.session
where s.host = ? and s.id = ? and j.type = 'call_answered' and j.text <> ''
  and j.origin in ('refused', 'approved', 'hearsay', 'chosen')
order by j.at, j.row
"""


def _projects(store: Store, host: str, session: str) -> list[str]:
    return [
        str(one) for (one,) in store.rows("select project from sessions where host = ? and id = ?", (host, session))
    ]


def _keep(store: Store, said: Answered, now: int) -> bool:
    key = f"{said.host}:{said.call}:answered" + (f":{said.number}" if said.number else "")
    known = memories.by_origin(store, key)
    new = known is None
    with store.transaction():
        if new:
            noted = changes.note(store, changes.passed(store, _draft(said, key)), said.at)
            known = noted.id
            _repeat(store, said, known, now)
        memory = memories.get(store, known) if known else None
        if memory and memory.status is Status.CANDIDATE and _passed_later(store, said):
            changes.move(store, memory.id, Status.ARCHIVED, now, reason="for once: a like call passed in that session")
    return new and known is not None


def _draft(said: Answered, key: str) -> Draft:
    words = " ".join(said.words.split())[:LONGEST]
    what = " ".join(said.target.split())[:160] or said.tool
    chosen = said.answer == "chosen"
    about = said.family
    command = [Anchor(AnchorKind.COMMAND, commands.normalise(said.target))] if said.tool == action.SHELL else []
    return Draft(
        kind=Kind.DECISION if chosen else Kind.RULE,
        body=f"{what} “{words}”" if chosen else words,  # "yes" answers many questions
        intent="" if chosen else f"said to: {what}",
        scope=Scope(said.project),
        trust=Trust.AGENT if said.answer == "hearsay" or untrusted.why_planted(words) else Trust.USER,
        source=REFUSED,
        subtype=said.answer,
        author=said.host,
        anchors=tuple(dict.fromkeys((*([about] if about else []), *command, *acts.of_statement(words)))),
        evidence=(f"{said.host}:{said.session}:{said.call}",),
        origin_key=key,
        candidate=True,
    )


def _repeat(store: Store, said: Answered, id: str | None, now: int) -> None:
    """The second of its like in another session: the later word holds, the earlier one is its history."""
    memory = memories.get(store, id) if id else None
    if memory is None or memory.status is not Status.CANDIDATE or said.family is None or memory.trust is not Trust.USER:
        return
    if voice.why_not_own(said.words):  # pasted into the dialog, as far as the words tell
        return
    for other in _like(store, said.family, said.project):
        if other.id == memory.id or _session(other) == said.session or other.created_at > memory.created_at:
            continue
        if quotes.telling(other.body) & quotes.telling(memory.body):
            if memory.status is Status.CANDIDATE:
                memory = changes.move(store, memory.id, Status.ACTIVE, now, reason="the user said it twice")
            if other.status in (Status.ACTIVE, Status.CANDIDATE):
                changes.supersede(store, other.id, memory.id, now, reason="the user said it again")


def _like(store: Store, about: Anchor, project: str) -> list[Memory]:
    rows = {row for row, _ in memories.anchored(store, [about], (project,), 50)}
    found = memories.by_rows(store, rows).values() if rows else ()
    return [one for one in found if one.source == REFUSED]


def _session(memory: Memory) -> str:
    return memory.evidence[0].split(":")[1] if memory.evidence and memory.evidence[0].count(":") > 1 else ""


def _passed_later(store: Store, said: Answered) -> bool:
    if said.tool in TALK:
        return False
    rows = store.rows(_PASSED, (said.host, said.session, said.at, said.tool, LOOKED_AT))
    return said.answer != "approved" and any(family(said.tool, target) == said.family for (target,) in rows)


_PASSED = """
select j.target from journal j join sessions s on s.row = j.session
where s.host = ? and s.id = ? and j.at > ? and j.tool = ? and j.type = 'tool_finished' limit ?
"""


def _end(store: Store, project: str, now: int) -> None:
    """What was let pass twice since, and what nobody has repeated for long."""
    which = memories.Filter((project,), kinds=(Kind.RULE, Kind.DECISION), statuses=(Status.ACTIVE,))
    for memory in (one for one in memories.listed(store, which, 200)[0] if one.source == REFUSED):
        if now - memory.updated_at > LASTS:
            changes.move(store, memory.id, Status.ARCHIVED, now, reason="not said again for 60 days")
        elif _approvals(store, memory, project) >= APPROVALS:
            changes.move(store, memory.id, Status.ARCHIVED, now, reason="like calls passed twice since")


def _approvals(store: Store, memory: Memory, project: str) -> int:
    rows = store.rows(_SINCE, (project, memory.created_at, LOOKED_AT))
    return _count((family(tool, target) for tool, target in rows), memory)


def _count(families: Iterable[Anchor | None], memory: Memory) -> int:
    own = [one for one in memory.anchors[:1] if one not in _TALK]
    return sum(one is not None and one in own for one in families)


_TALK = tuple(Anchor(AnchorKind.TOPIC, f"tool:{tool}") for tool in TALK)
_SINCE = """
select j.tool, j.target from journal j join sessions s on s.row = j.session
where s.project = ? and j.at > ? and j.type = 'tool_finished' limit ?
"""
