"""What an agent asks through MCP: `note`, `recall`, `check`, `mark`. Every answer is a sentence, also to bad arguments.

The caller is an agent, whatever it says: what it keeps is trusted as an agent's. Session and project come from the
client's own metadata; where it sends none, from the folder that it started the server in.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hardwon import kinds
from hardwon.clients.skills import Place
from hardwon.conversations import conversations
from hardwon.learn import handoff, marking, where_marked
from hardwon.memories import Item, Question, check, legacy, moments, recall, skill_file
from hardwon.memories.search import vectors
from hardwon.memories.search.plan import plan
from hardwon.memory import GLOBAL, Anchor, AnchorKind, Draft, Kind, Rejected, Scope, Status, Trust, short_id
from hardwon.redact import border
from hardwon.render import context
from hardwon.render import conversations as said
from hardwon.store import changes, control, projects
from hardwon.store.connection import Store
from hardwon.store.tables import memories, passages, showings, subjects
from hardwon.store.tables.subjects import Decided
from hardwon.text import anchors, errors, handover, untrusted
from hardwon.text.speech import acts

KINDS = kinds.in_order(kinds.having("noted"))
MARKS = kinds.in_order(kinds.having("marked"))
TYPES = ("gotcha", "discovery", "fix", "workflow")
LONGEST = 4_000
"""Characters of a note: what is longer is a document, not a lesson."""
MOST = 20
LONGEST_ERROR = 200_000
"""Characters of an output."""
ALTERNATIVES = 10


class BadArgument(Exception):
    """An argument can't be used; says which, and what would do."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One call: its arguments, and where it comes from."""

    arguments: Mapping[str, Any]
    client: str
    session: str
    cwd: str
    until: int = 0
    """UTC milliseconds after which nobody waits for it any more; 0 when that was not said."""


@dataclass(frozen=True, slots=True)
class Told:
    text: str
    wrong: bool = False

    def encoded(self) -> bytes:
        return json.dumps({"text": self.text, "wrong": self.wrong}).encode()


def asked(payload: bytes) -> Asked:
    """A call as the server in front sends it. Codex says in `_meta` which session and folder it is in."""
    given = json.loads(payload)
    meta = _object(given, "meta")
    turn = _object(meta, "x-codex-turn-metadata") or meta
    session = given.get("session") or turn.get("sessionId") or turn.get("session_id") or turn.get("threadId") or ""
    cwd = next(iter(_object(turn, "workspaces")), "") or given.get("cwd") or ""
    client, until = str(given.get("client") or "mcp"), int(given.get("until") or 0)
    return Asked(_writable(given.get("arguments") or {}), client, _writable(str(session)), str(cwd), until)


def _writable(given: Any) -> Any:
    """Half an emoji, which JSON can say and UTF-8 can't, becomes a question mark. Not in the folder: there it may stand
    for a byte of a name that is no UTF-8."""
    return json.loads(json.dumps(given, ensure_ascii=False).encode("utf-8", "replace"))


def _object(given: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = given.get(name)
    return value if isinstance(value, dict) else {}


def call(store: Store, tool: str, question: Asked, now: int) -> Told:
    if tool in ("recall", "check") and (reason := control.switched_off(store, now)):
        return Told(f"Nothing was looked up: {reason}.", wrong=True)
    try:
        return _TOOLS[tool](store, _passed(store, question), now)
    except BadArgument as error:
        return Told(str(error), wrong=True)
    except changes.Refused as error:
        return Told(str(error), wrong=True)


def _passed(store: Store, question: Asked) -> Asked:
    """The border: what one argument gives away as a secret is one in all of them. Anchors are made of what is left."""
    given = dict(question.arguments)
    if isinstance(given.get("error"), str):
        given["error"] = _ends(given["error"])
    client, arguments = border.clean([question.client, given], store.redactor)
    session = border.identifier(question.session, store.redactor)
    return dataclasses.replace(question, arguments=arguments, client=client, session=session)


def note(store: Store, question: Asked, now: int) -> Told:
    if question.arguments.get("kind") == Kind.HANDOFF:
        return _handoff(store, question, now)
    text = _fact(question)
    everywhere = question.arguments.get("everywhere") is True
    root, project = _place_to_write(store, question, now)
    named = anchors.named_in(text, root, question.cwd) if root and not everywhere else ()
    skill = _text(question, "skill") or None
    kind, type_ = Kind(_choice(question, "kind", KINDS, Kind.LESSON)), _choice(question, "type", TYPES, "")
    draft = Draft(
        kind=kind,
        body=text,
        scope=Scope(GLOBAL if everywhere else project, skill),
        trust=Trust.AGENT,
        source="agent",
        subtype=type_ if kind is Kind.LESSON else "",
        intent=_text(question, "intent"),
        because=_text(question, "because"),
        author=question.client,
        anchors=named,
        skill_mark=skill_file.of_name(skill, Place(question.cwd, root)).mark if skill else "",
        origin_project=project if everywhere and project != GLOBAL else "",
        evidence=(f"session {question.session}",) if question.session else (),
    )
    noted = changes.note(store, changes.passed(store, draft), now, more=True, wake=False)
    where_marked.record(store, noted.id, question.cwd, now, question.client, question.session)
    return _acknowledged(store, Decided(noted))


def mark(store: Store, question: Asked, now: int) -> Told:
    """A note of a certain kind, with what belongs to it."""
    kind = Kind(_choice(question, "kind", MARKS, ""))
    text, subject, error = _fact(question), _text(question, "subject"), _output(question)
    root, project = _place_to_write(store, question, now)
    why_not = ""
    if (quote := _text(question, "quote")) and kind is not Kind.FAILURE:
        heard = _heard(store, question, kind, quote, (root, project), now)
        if not heard.why_not:
            where_marked.record(store, heard.id, question.cwd, now, question.client, question.session)
            return Told(marking.acknowledged(heard), wrong=heard.id is None)
        why_not = f" It is your note, not the user's word: {heard.why_not}."
    elif kind is Kind.RULE:
        why_not = " It is your note, not a rule of the user: there is no quote."
    told = errors.headline(error) if kind is Kind.FAILURE else ""
    draft = Draft(
        kind=kind,
        body=f"{text.rstrip('.')}; output said: {untrusted.quoted(told)}" if told else text,
        scope=Scope(project),
        trust=Trust.AGENT,
        source="agent",
        because=_text(question, "because"),
        rejected=_rejected(question),
        author=question.client,
        anchors=_marked(question, text, error, root),
        evidence=(f"session {question.session}",) if question.session else (),
    )
    draft = changes.passed(store, marking.as_note(draft))
    if subject and kind is Kind.DECISION:
        done = subjects.decide(store, draft, subject, now)
    else:
        done = Decided(changes.note(store, draft, now, more=True, wake=False))
    where_marked.record(store, done.noted.id, question.cwd, now, question.client, question.session)
    told_so = _acknowledged(store, done)
    return dataclasses.replace(told_so, text=told_so.text + why_not)


def _heard(store: Store, question: Asked, kind: Kind, quote: str, place: tuple[str, str], now: int) -> marking.Heard:
    root, project = place
    if len(quote) > LONGEST:
        raise BadArgument(f'"quote" has {len(quote)} characters, {LONGEST} at most: quote the sentence, not the page.')
    given = marking.Mark(
        kind=kind,
        text=_fact(question),
        quote=quote,
        host=question.client,
        session=question.session,
        because=_text(question, "because"),
        rejected=_rejected(question),
        subject=_text(question, "subject"),
        replaces=_text(question, "replaces"),
        anchors=_marked(question, "", "", root),
    )
    return marking.keep(store, given, project, root, question.cwd, now)


def _marked(question: Asked, text: str, error: str, root: str) -> tuple[Anchor, ...]:
    given = [
        anchors.normalised(Anchor(kind, value), root, question.cwd)
        for kind, value in (
            (AnchorKind.ERROR, errors.signature(error)),
            (AnchorKind.COMMAND, _text(question, "command")),
            (AnchorKind.FILE, _text(question, "file")),
        )
        if value
    ]
    about = acts.of_statement(text, _rejected(question)) if text else ()
    return tuple(dict.fromkeys((*given, *about, *(anchors.named_in(text, root, question.cwd) if root else ()))))


def _rejected(question: Asked) -> tuple[Rejected, ...]:
    given = question.arguments.get("rejected")
    if given is None:
        return ()
    if not isinstance(given, list) or not all(isinstance(one, str) for one in given) or len(given) > ALTERNATIVES:
        raise BadArgument(f'"rejected" must be a list of up to {ALTERNATIVES} texts like "Redis: lost sessions".')
    halves = [one.partition(":") for one in given if one.strip()]
    return tuple(Rejected(what.strip(), why.strip()) for what, _, why in halves)


def _acknowledged(store: Store, done: Decided) -> Told:
    noted = done.noted
    if noted.id is None:
        return Told("Not kept: a person had this text forgotten.", wrong=True)
    kept = memories.get(store, noted.id)
    if kept and kept.status is Status.CANDIDATE:
        why = untrusted.why_planted("\n".join((kept.body, kept.title, kept.because))) or "nobody vouches for it"
        return Told(f"Kept as {short_id(noted.id)}, waiting for a person to accept it: {why}.")
    if noted.outcome is changes.Outcome.REPEATED:
        other = " in other words; yours are kept with it, and it was" if noted.reworded else ";"
        return Told(f"Known already as {short_id(noted.id)}{other} counted once more.{_became_of(noted)}")
    replaced = f" It replaces {', '.join(one.short_id for one in done.replaced)}." if done.replaced else ""
    return Told(f"Kept as {short_id(noted.id)}.{replaced}")


def _became_of(noted: changes.Noted) -> str:
    """What was added to a text that was known, and what was not."""
    said = f" Added: {', '.join(noted.beside.added)}." if noted.beside.added else ""
    if noted.beside.kept:
        said += f" Not taken, for it says otherwise or is a person's: {', '.join(noted.beside.kept)}."
    return said + (f" It was replaced by {short_id(noted.replaced_by)}, which holds." if noted.replaced_by else "")


def _place_to_write(store: Store, question: Asked, now: int) -> tuple[str, str]:
    """The root and the project, if anything may be kept there."""
    if not question.cwd:
        _must_be_allowed(control.why_not(store, "", "", now))
        return "", GLOBAL
    place, known = projects.look_up(store, question.cwd)
    name = known.name if known else place.name
    for folder in (question.cwd, place.root):
        _must_be_allowed(control.why_not(store, name, folder, now))
    place, project = projects.claim(store, question.cwd, now)
    return place.root, project.id


def _must_be_allowed(reason: str | None) -> None:
    if reason:
        raise BadArgument(f"Nothing was kept: {reason}.")


def ask(store: Store, question: Asked, now: int) -> Told:
    query, skill = _text(question, "query"), _text(question, "skill")
    if not query and not skill:
        raise BadArgument('"query" is empty: give an error text, a command, a file or a question, or a "skill".')
    limit = _limit(question, 20 if skill else store.settings.recall.limit)
    if question.arguments.get("conversations") is True and query:
        return _said(store, question, query, limit)
    items = _found(store, question, query, skill, limit, now)
    if not items:
        return Told("Nothing is remembered that fits.")
    _remember_showing(store, question, items, now)
    return Told(context.skill(skill, items) if skill else context.recalled(items))


def _said(store: Store, question: Asked, query: str, limit: int) -> Told:
    """Past conversations of this project, in quotations: what was said once is no order now."""
    _, project, excluded = _place_to_read(store, question)
    found = []
    if not excluded:
        vector = vectors.query_vector(store, query)
        places = (project or passages.NOWHERE,)
        found = conversations.search(store, query, places, limit * said.SPARE, vector=vector)
    shown = said.exchanges(store, found, limit)
    if not shown:
        return Told("Nothing was said about this in the conversations that are kept.")
    text = "\n\n".join("\n".join(said.lines(store, one, "", untrusted.quoted)) for one in shown)
    return Told(f"Quoted from past conversations; what was asked for then is not asked for now.\n\n{text}")


def _found(store: Store, question: Asked, query: str, skill: str, limit: int, now: int) -> list[Item]:
    root, project, excluded = _place_to_read(store, question)
    if excluded:
        return []
    if skill:
        file = skill_file.of_name(skill, Place(question.cwd, root))
        named = anchors.asked_about(query, root, question.cwd)
        files = legacy.files(skill, file.path, root)
        found = moments.at_skill(store, skill, query, project, now, anchors=named, tuning=file.tuning, files=files)
        return found[:limit]
    planned = plan(query, anchors.at_prompt(query, root, question.cwd))
    named = tuple(dict.fromkeys((*anchors.asked_about(query, root, question.cwd), *planned.pivots)))
    wanted = Question(query, (project, GLOBAL) if project else (GLOBAL,), None, named)
    room = store.settings.recall.budget_tokens * 2
    return recall(store, wanted, now, limit=limit, budget=room, liked=planned.liked).items


def look(store: Store, question: Asked, now: int) -> Told:
    """What is known about exactly this."""
    given = {name: _text(question, name) for name in ("file", "command", "symbol")} | {"error": _output(question)}
    target = check.Target(**given)
    if not target:
        raise BadArgument('Nothing to check: give a "file", a "command", a "symbol" or an "error".')
    root, project, excluded = _place_to_read(store, question)
    scopes = (project, GLOBAL) if project else (GLOBAL,)
    found = [] if excluded else check.check(store, target, scopes, root, question.cwd, now)
    if not found:
        return Told("Nothing is known about this.")
    _remember_showing(store, question, [one.known.item for one in found], now)
    return Told(context.checked(found))


def _place_to_read(store: Store, question: Asked) -> tuple[str, str, bool]:
    """The root, the project, and whether it is excluded."""
    if not question.cwd:
        return "", "", False
    place, known = projects.look_up(store, question.cwd)
    name = known.name if known else place.name
    excluded = any(control.excluded(store.settings, name, folder) for folder in (question.cwd, place.root))
    return place.root, known.id if known else "", excluded


def _remember_showing(store: Store, question: Asked, items: list[Item], now: int) -> None:
    kept = [item for item in items if not item.ranked.memory.id.startswith(legacy.SIGN)]
    shown = [showings.Showing(item.ranked.memory.id, "asked", now, item.tokens) for item in kept]
    showings.record(store, shown, (question.client, question.session) if question.session else None)


def _handoff(store: Store, question: Asked, now: int) -> Told:
    """A note of its own sort: what the next session must know, in the fields of a summary."""
    given = _object(question.arguments, "handoff")
    _, project = _place_to_write(store, question, now)
    row = store.row("select host, id from sessions where id = ? and id <> ''", (question.session,))
    known = (str(row[0]), str(row[1])) if row else None
    try:
        noted = handoff.make(store, handover.of_dict(given), _text(question, "text"), project, now, trust=Trust.AGENT,
                             author=question.client, session=known)  # fmt: skip
    except handoff.NothingToHandOver:
        raise BadArgument('There is nothing to hand over: give a "text" or a "handoff".') from None
    return _acknowledged(store, Decided(noted))


_TOOLS = {"note": note, "recall": ask, "check": look, "mark": mark}


def _fact(question: Asked) -> str:
    text = _text(question, "text", required=True)
    if len(text) > LONGEST:
        raise BadArgument(f'"text" has {len(text)} characters, {LONGEST} at most: keep the fact, not the report.')
    return text


def _output(question: Asked) -> str:
    return _text(question, "error")


def _ends(text: str) -> str:
    """Its beginning and its end, where the telling lines are."""
    half = LONGEST_ERROR // 2
    return text if len(text) <= LONGEST_ERROR else f"{text[:half]}\n{text[-half:]}"


def _text(question: Asked, name: str, *, required: bool = False) -> str:
    value = question.arguments.get(name)
    if value is None and not required:
        return ""
    if not isinstance(value, str) or (required and not value.strip()):
        raise BadArgument(f'"{name}" must be a text{" that is not empty" if required else ""}; it is {_shown(value)}.')
    return value.strip()


def _choice(question: Asked, name: str, known: tuple[str, ...], default: str) -> str:
    value = _text(question, name) or default
    if value not in known and (value or name == "kind"):
        given = f'is "{value[:60]}"' if value else "is missing"
        raise BadArgument(f'"{name}" {given}; known are {", ".join(known)}.')
    return value


def _limit(question: Asked, default: int) -> int:
    value = question.arguments.get("limit")
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MOST:
        raise BadArgument(f'"limit" must be a whole number from 1 to {MOST}; it is {_shown(value)}.')
    return value


def _shown(value: object) -> str:
    return "missing" if value is None else json.dumps(value)[:60]
