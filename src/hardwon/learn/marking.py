"""What an agent marks, kept as the person's own words where a person typed them, and as the agent's note where not.

The agent says that something was said, and quotes it; the journal says whether it was, by whom, and in which sentence.
That sentence is kept, whole; the agent's `text` is only its title. Nothing that a page, a program or another agent
wrote becomes a person's word in this way, whatever the caller says about it. Where that can't be told, it waits.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from hardwon import action, clients
from hardwon.event import Event
from hardwon.learn import elsewhere, hard_rules
from hardwon.memory import Anchor, AnchorKind, Draft, Kind, Memory, Rejected, Scope, Status, Trust, short_id
from hardwon.redact import border
from hardwon.store import changes
from hardwon.store.changes import Noted, Outcome, Refused
from hardwon.store.connection import Store
from hardwon.store.tables import memories, spoken, subjects
from hardwon.store.tables.spoken import Words
from hardwon.text import anchors, commands
from hardwon.text.speech import acts, quotes
from hardwon.text.speech.quotes import Quoted, TooShort

SOURCE = "marked"
AGREED = "agreed"
"""Subtype of what an agent proposed and the person said yes to."""
MOST_IN_SESSION, MOST_WAITING = 20, 40
UNKNOWN = "it is not known yet who typed it"
TOO_MANY = "so much was marked in this session"


@dataclass(frozen=True, slots=True)
class Mark:
    """What an agent says that a person said."""

    kind: Kind
    text: str
    quote: str
    host: str
    session: str
    because: str = ""
    rejected: tuple[Rejected, ...] = ()
    subject: str = ""
    replaces: str = ""
    anchors: tuple[Anchor, ...] = ()


@dataclass(frozen=True, slots=True)
class Heard:
    """What became of a mark."""

    noted: Noted | None = None
    said: str = ""
    """The person's words as they are kept."""
    waits: str = ""
    agreed: bool = False
    why_not: str = ""
    """Why it is not the person's word."""
    replaced: tuple[Memory, ...] = ()
    beside: tuple[Memory, ...] = ()
    """What it was said to replace and stays, for it speaks of something else."""

    @property
    def id(self) -> str | None:
        return self.noted.id if self.noted else None


@dataclass(frozen=True, slots=True)
class _Found:
    words: Words
    quoted: Quoted
    session: str


def keep(store: Store, given: Mark, project: str, root: str, cwd: str, now: int) -> Heard:
    """Keep a person's word, if it is one. `why_not` says why it isn't, and then nothing was kept."""
    try:
        found, why_not = _find(store, given)
    except TooShort:
        raise Refused(
            f'"quote" is too short to tell which sentence is meant ("{given.quote.strip()[:40]}"): quote the whole '
            "sentence. Nothing was kept."
        ) from None
    if found is None:
        return Heard(why_not=why_not)
    if found.quoted.agrees:
        return _agreed(store, given, found, project, root, cwd, now)
    return _kept(store, given, found, project, root, cwd, now)


def _find(store: Store, given: Mark) -> tuple[_Found | None, str]:
    """The newest words of this session that hold the quotation; a person's before those of which that is not known."""
    doubtful: _Found | None = None
    foreign = ""
    for session in _sessions(store, given):
        _learn_authors(store, given.host, session)
        pasted = _pasted(store, given.host, session)
        for words in spoken.of_session(store, given.host, session):
            quoted = quotes.find(words.text, given.quote) if words.text else None
            if quoted is None:
                continue
            if words.origin in ("program", "hearsay"):
                foreign = "a program wrote them, not a person at a terminal"
            elif _is_pasted(quoted, given.quote, pasted):
                foreign = "they were pasted, not typed"
            elif words.origin:
                return _Found(words, quoted, session), ""
            else:
                doubtful = doubtful or _Found(words, quoted, session)
    return doubtful, foreign or "these words are in nothing that the user typed in this session"


def _sessions(store: Store, given: Mark) -> list[str]:
    """The one that the caller names, and what a person went on in after /clear, the newest first."""
    found = [given.session] if given.session else []
    while found and len(found) < 20 and (after := spoken.went_on_as(store, given.host, found[-1])):
        if after in found:
            break
        found.append(after)
    return found[::-1]


def _learn_authors(store: Store, host: str, session: str) -> None:
    """Hooks don't say who wrote a prompt; the transcript does."""
    typed = _typed(host)
    if typed is None or all(words.origin for words in spoken.of_session(store, host, session)):
        return
    if path := spoken.transcript(store, host, session):
        known = {words.prompt for words in spoken.of_session(store, host, session) if not words.origin}
        authors = typed.authors(path)
        spoken.name_authors(store, host, session, {one: authors[one] for one in known & authors.keys()})


def _typed(host: str) -> clients.Typed | None:
    client = clients.find(host)
    return client.typed if client else None


def _pasted(store: Store, host: str, session: str) -> list[str]:
    typed = _typed(host)
    path = spoken.transcript(store, host, session) if typed else ""
    texts = typed.pasted(path, session) if typed and path else []
    return [quotes.fold(str(one)) for one in border.clean(texts, store.redactor)]


def _is_pasted(quoted: Quoted, quote: str, pasted: Sequence[str]) -> bool:
    """What was quoted stands in a paste, or all of the sentence does."""
    wanted = (quotes.fold(quote), quotes.fold(quoted.said))
    return any(one in text for text in pasted for one in wanted if one)


def _kept(store: Store, given: Mark, found: _Found, project: str, root: str, cwd: str, now: int) -> Heard:
    quoted, waits = found.quoted, found.quoted.waits
    waits = waits or elsewhere.why_not_own(store, given.host, found.session, found.words, quoted.said, root or cwd)
    if not found.words.origin:
        waits = waits or UNKNOWN
    many = len(spoken.marked(store, given.host, found.session))
    if many >= MOST_WAITING:
        raise Refused(f"{many} statements were marked in this session, more than anybody says. Nothing was kept.")
    waits = waits or (TOO_MANY if many >= MOST_IN_SESSION else "")
    before = _before(store, given, found)
    used = _used(store, given, found)
    draft = Draft(
        kind=given.kind,
        title=given.text,
        body=quoted.said,
        scope=Scope(project),
        trust=Trust.USER,
        source=SOURCE,
        intent=before,
        because="",
        rejected=(),
        author=given.host,
        anchors=_anchors(given, quoted.said, used, root, cwd, found.words),
        evidence=(f"{given.host}:{found.session}:{found.words.prompt or found.words.at}",),
        origin_key=_key(given, found, quoted.said),
        candidate=bool(waits),
    )
    return _noted(store, given, changes.passed(store, draft), quoted.said, waits, now)


def _noted(store: Store, given: Mark, draft: Draft, said: str, waits: str, now: int) -> Heard:
    with store.transaction():
        noted = changes.note(store, draft, now, wake=False)
        kept = memories.get(store, noted.id) if noted.id else None
        if kept is None:
            return Heard(noted, said)
        if kept.kind is Kind.RULE and noted.outcome is Outcome.REPEATED:
            hard_rules.met(store, kept, draft.evidence[0], now)
        if waits and kept.status is Status.CANDIDATE and waits not in kept.complaints:
            changes.complain(store, kept.id, Trust.UNTRUSTED, waits, now)
        if kept.status is not Status.ACTIVE:
            return Heard(noted, said, waits or "a person decides about it in `hardwon review`")
        replaced, beside = _replace(store, given, kept, now)
        return Heard(noted, said, replaced=replaced, beside=beside)


def _agreed(store: Store, given: Mark, found: _Found, project: str, root: str, cwd: str, now: int) -> Heard:
    """A yes says nothing by itself: what is kept is what the agent had proposed, as proposed and agreed to."""
    proposal = quotes.proposal(spoken.answered(store, given.host, found.session, found.words.at))
    if not proposal or found.words.origin != "typed" or found.words.call:
        raise Refused(
            f'"quote" is only "{given.quote.strip()[:40]}", and it is not known what that was the answer to: quote the '
            "sentence that says it. Nothing was kept."
        )
    draft = Draft(
        kind=given.kind,
        subtype=AGREED,
        title=given.text,
        body=f"The agent proposed: “{proposal}” The user agreed: “{found.quoted.said}”",
        scope=Scope(project),
        trust=Trust.AGENT,
        source=AGREED,
        author=given.host,
        anchors=_anchors(given, proposal, (), root, cwd, found.words),
        evidence=(f"{given.host}:{found.session}:{found.words.prompt or found.words.at}",),
        origin_key=_key(given, found, proposal),
    )
    noted = changes.note(store, changes.passed(store, draft), now, wake=False)
    return Heard(noted, found.quoted.said, agreed=True)


def _before(store: Store, given: Mark, found: _Found) -> str:
    """What the words answered, where they are too short to say it, or came as the answer to a call."""
    if found.words.call:
        what = found.words.target or found.words.tool
        return f"said to: {what[:160]}"
    if len(found.quoted.said) >= quotes.BRIEF:
        return ""
    answer = quotes.proposal(spoken.answered(store, given.host, found.session, found.words.at))
    return f"said to: {answer}" if answer else ""


def _used(store: Store, given: Mark, found: _Found) -> list[str]:
    """The programs of the last calls before it was said."""
    last = spoken.used(store, given.host, found.session, found.words.at)
    return [command.split()[0].lower() for command in last if command.split()]


def _anchors(given: Mark, said: str, used: Sequence[str], root: str, cwd: str, words: Words) -> tuple[Anchor, ...]:
    about = acts.of_statement(said, given.rejected, used)
    named = anchors.named_in(said, root, cwd)[:6] if root else ()
    topics = tuple(subjects.anchor(given.subject) for _ in "1" if given.subject and given.kind is Kind.DECISION)
    refused = words.origin == "refused" and words.tool == action.SHELL
    call = (Anchor(AnchorKind.COMMAND, commands.normalise(words.target)),) if refused else ()
    return tuple(dict.fromkeys((*topics, *given.anchors, *about, *named, *call)))


def _key(given: Mark, found: _Found, said: str) -> str:
    """By the session in which it was said: who names the one before /clear means the same words."""
    words = found.words
    mark = hashlib.blake2b(f"{given.kind}:{quotes.fold(said)}".encode(), digest_size=8).hexdigest()
    return f"{spoken.prefix(given.host, found.session)}{words.prompt or words.call or words.at}:{mark}"


def _replace(store: Store, given: Mark, kept: Memory, now: int) -> tuple[tuple[Memory, ...], tuple[Memory, ...]]:
    """What the agent says that this ends: ended where both speak of one thing, else both stand, with their dates."""
    named = [_by_short_id(store, given.replaces, kept.scope.project)] if given.replaces else []
    if given.subject and kept.kind is Kind.DECISION:
        named += subjects.holding(store, subjects.anchor(given.subject), kept.scope.project)
    ended: list[Memory] = []
    beside: list[Memory] = []
    for other in {one.id: one for one in named if one and one.id != kept.id}.values():
        if other.status is Status.ACTIVE and speaks_of(kept, other):
            changes.supersede(store, other.id, kept.id, now, reason="the user said otherwise")
            ended.append(other)
        else:
            beside.append(other)
    return tuple(ended), tuple(beside)


def speaks_of(later: Memory, earlier: Memory) -> bool:
    """They name one thing: a tool, a sort of tool, a telling word."""
    if set(acts.sorts(later.anchors)) & set(acts.sorts(earlier.anchors)):
        return True
    return bool(quotes.telling(later.body) & quotes.telling(f"{earlier.body} {earlier.title}"))


def _by_short_id(store: Store, short: str, project: str) -> Memory | None:
    try:
        found = memories.get(store, memories.find(store, short.strip(" []`")))
    except memories.UnknownMemory:
        return None
    return found if found and found.scope.project == project else None


SPOKEN = frozenset({Kind.RULE, Kind.DECISION, Kind.CONSTRAINT, Kind.TASK})


def covers(store: Store, draft: Draft, event: Event) -> bool:
    """Whether the agent has marked this very sentence already: it is kept once."""
    if draft.source not in ("prompt", "unmarked") or not (ids := spoken.marked(store, event.host, event.session)):
        return False
    said = quotes.fold(draft.body)
    found = memories.by_ids(store, ids).values()
    if draft.source == "unmarked":
        return any(set(one.evidence) & set(draft.evidence) for one in found)
    return any(said in quotes.fold(one.body) for one in found)


def settle(store: Store, host: str, session: str, now: int) -> int:
    """At a turn's end it is known who wrote the prompts: what waited only for that holds now, or never will."""
    ids = spoken.marked(store, host, session)
    waiting = [one for one in memories.by_ids(store, ids).values() if one.status is Status.CANDIDATE] if ids else []
    origins = {words.prompt: words.origin for words in spoken.of_session(store, host, session)} if waiting else {}
    done = 0
    for memory in waiting:
        origin = origins.get(memory.evidence[0].rpartition(":")[2]) if memory.evidence else None
        if not origin or (origin != "program" and memory.complaints != (UNKNOWN,)):
            continue
        with store.transaction():
            changes.edit(store, memory.id, {"complaints": []}, now)
            if origin == "program":
                changes.move(store, memory.id, Status.ARCHIVED, now, reason="a program wrote it, not a person")
                changes.note(store, changes.passed(store, _agents(memory)), now, wake=False)
            else:
                changes.move(store, memory.id, Status.ACTIVE, now, reason="the user typed it")
        done += 1
    return done


def _agents(memory: Memory) -> Draft:
    """What is left of a mark whose words no person typed: the agent's note."""
    draft = Draft(
        kind=memory.kind,
        body=memory.title or memory.body,
        scope=memory.scope,
        trust=Trust.AGENT,
        source="agent",
        author=memory.author,
        anchors=memory.anchors,
        evidence=memory.evidence,
    )
    return as_note(draft)


def acknowledged(heard: Heard) -> str:
    """What the agent is told."""
    noted = heard.noted
    if noted is None or noted.id is None:
        return "Not kept: a person had this text forgotten."
    name = short_id(noted.id)
    if heard.agreed:
        return f"Kept as {name}: proposed by you, agreed to by the user."
    if heard.waits:
        return f"Kept as {name} in the user's words, waiting for them to look at it: {heard.waits}."
    ended = f" It replaces {', '.join(one.short_id for one in heard.replaced)}." if heard.replaced else ""
    ended += "".join(f" {one.short_id} stays beside it: they speak of different things." for one in heard.beside)
    return f"Kept as {name}, in the user's words: {heard.said}{ended}"


def as_note(draft: Draft) -> Draft:
    """An agent's word is no rule."""
    return dataclasses.replace(draft, kind=Kind.LESSON) if draft.kind is Kind.RULE else draft
