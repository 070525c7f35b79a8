"""What is said at a session's start, and after compaction: the brief, with the reason for each of its sections."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from hardwon.event import Event, EventType, Reply
from hardwon.hook import mcp
from hardwon.memories import Item, brief, changed, moments, session, waiting
from hardwon.memories.branches import branch_card
from hardwon.memories.branches.branch_card import Card, Line
from hardwon.memories.brief import Fitted, Section
from hardwon.memories.changed import Changed
from hardwon.moments import where_stands
from hardwon.moments.answered import Answer, Here, Unwritten
from hardwon.moments.conversation import Conversation
from hardwon.regular_file import regular
from hardwon.render import context
from hardwon.store.connection import Store
from hardwon.store.tables import branches

FILE_LINES, FILE_TOKENS, MOST_OF_FILE = 50, 200, 20_000
TOLD_TWICE = 2
RESUMED = ("resume", "fork")
"""What was said is still in the window."""

INSTRUCTION = Section(
    "instruction", brief.INSTRUCTION, tuple(mcp.INSTRUCTIONS.splitlines()), most=400, by="server"
)  # fmt: skip
"""How the memory is to be used: the client takes it from the MCP server, in each session."""


@dataclass(frozen=True, slots=True)
class Brief:
    """All of it, before it is looked at what this session has been told already."""

    fitted: list[Fitted] = field(default_factory=list)
    left_out: list[Section] = field(default_factory=list)


def answer(
    store: Store, event: Event, talk: Conversation, where: Here, now: int, unwritten: Unwritten,
    extra: Sequence[Section] = (),
) -> Answer:  # fmt: skip
    """`extra`: what others have to say at a start."""
    if event.text in ("compact", "clear"):
        talk.new_context()
    if not where.project:
        return Answer()
    talk.began = talk.began or now
    card = _branch(store, event, talk, where, now, _worth(event, is_told=bool(extra)), extra)
    if event.text in RESUMED:
        return _only_changed(talk, event, card)
    compacted = event.text == "compact"
    own = session.current(store, event.host, event.session) if compacted else []
    told = card.told if card else frozenset()
    news = Changed() if compacted else _news(store, event, where, unwritten, told)
    others = sections_of(store, where, now, unwritten, own, compacted, news, told)
    sections = [INSTRUCTION, *extra, *([card] if card else []), *others]
    made = made_of(sections, brief.BUDGET)
    return _told(store, event, talk, made, compacted)


def made_of(sections: Sequence[Section], budget: int) -> Brief:
    fitted = brief.fitted(sections, budget)
    said = {one.section.name for one in fitted}
    return Brief(fitted, [one for one in sections if one.name not in said and (one.lines or one.memories)])


def sections_of(
    store: Store, where: Here, now: int, unwritten: Unwritten, own: Sequence[Item], compacted: bool, news: Changed,
    told: frozenset[str] = frozenset(),
) -> list[Section]:  # fmt: skip
    """All but the branch, which has `told` of these memories."""
    ids = {item.ranked.memory.id for item in own} | told
    found: list[Section] = []
    for kind, priority, memories in moments.starting(store, where.project, compacted=compacted):
        fresh = unwritten([Item(moments.plain(one), one.body, 0) for one in memories if one.id not in ids])
        found.append(Section(str(kind), priority, memories=tuple(item.ranked.memory for item in fresh)))
    if own:
        found.append(
            Section(
                "session", brief.HANDOFF - 1, most=session.TOKENS, memories=tuple(item.ranked.memory for item in own)
            )
        )
    if not compacted:
        thrice = waiting.came_back(store, where.project)
        again = unwritten([Item(moments.plain(one), one.body, 0) for one in thrice])
        found.append(Section("came back", brief.LESSONS, memories=tuple(item.ranked.memory for item in again)))
        found.append(waiting.section(store, where.project, now))
        found.append(_files(store, where.root))
    said = [Item(moments.plain(one), "", 0) for section in found for one in section.memories]
    if line := context.since(news, said):
        found.append(Section("changed", brief.CHANGED, lines=(line,), most=changed.TOKENS + 1))
    return found


def _files(store: Store, root: str) -> Section:
    """What a person wants each session of a project to begin with; a name in the settings leads nowhere else."""
    lines: list[str] = []
    for name in store.settings.recall.context_files:
        if name.startswith("/") or ".." in name.split("/"):
            continue
        with contextlib.suppress(OSError, ValueError):
            with open(f"{root}/{name}", encoding="utf-8", errors="replace", opener=regular) as file:
                head = file.read(MOST_OF_FILE).splitlines()[:FILE_LINES]
            lines += [f"- {name}: {context.clean(line)}" for line in head if line.strip()]
    return Section("files", brief.FILES, tuple(lines), most=FILE_TOKENS)


def _worth(event: Event, *, is_told: bool) -> Callable[[Card], Card]:
    if event.text == "compact":
        return partial(branch_card.after_compaction, session=event.session, is_told=is_told)
    return branch_card.at_start


def _branch(
    store: Store,
    event: Event,
    talk: Conversation,
    where: Here,
    now: int,
    worth: Callable[[Card], Card],
    extra: Sequence[Section] = (),
) -> Section | None:
    """Without what stands in the `extra` sections already: what was marked is in a session's summary, too."""
    head = where_stands.head_of(where, event.cwd)
    here = where_stands.found(store, where.project, head, now)
    resumed = event.text in RESUMED
    if event.text == "clear" and here:  # a plan that was just made may follow, and says it all
        talk.branches[event.agent], talk.is_put_off = head.branch, True
        return None
    lines = where_stands.at_start(talk, event, here, head, worth, again=not resumed)
    if event.text != "compact":
        lines = tuple(one for one in lines if not _is_left(store, one, where.project))
    told = frozenset(id for line in lines for id in line.memories)
    if here:
        said = " ".join(line for one in extra for line in one.lines)
        lines = tuple(line for line in lines if not where_stands.is_said(here, line, said))
    marks = tuple(line.mark for line in lines)
    return Section("branch", brief.BRANCH, where_stands.texts(lines), marks=marks, told=told)


def _is_left(store: Store, line: Line, project: str) -> bool:
    """A list that two sessions were told of and that nobody has touched since: it was left, or done without a word."""
    return line.name == "open" and branches.sessions_told(store, project, line.mark) >= TOLD_TWICE


def _only_changed(talk: Conversation, event: Event, card: Section | None) -> Answer:
    """To a session that goes on. One that was never told anything is not told now."""
    if not (card and card.lines and talk.told[event.agent, talk.context]):
        return Answer()
    talk.tell(card.marks, event.agent)
    return Answer(Reply(context.started("session start", card.lines)), told=card.marks)


def _news(store: Store, event: Event, where: Here, unwritten: Unwritten, told: frozenset[str]) -> Changed:
    """What others did to this project's memories since its last session; what is `told` already is only counted."""
    ended = changed.last_session(store, where.project, event.host, event.session)
    news = changed.since(store, where.project, ended) if ended else Changed()
    newest = [item for item in news.newest if item.ranked.memory.id not in told]
    return Changed(news.count, tuple(unwritten(newest)))


def _told(
    store: Store, event: Event, talk: Conversation, made: Brief, compacted: bool
) -> Answer:  # fmt: skip
    cap = store.settings.recall.session_tokens
    parts: list[str | Item] = []
    said: list[Item] = []
    marks: list[str] = []
    lines = 0
    for one in made.fitted:
        if one.section.by != "hook":
            continue
        if one.items:
            news = talk.say(list(one.items), event.agent, cap)
            parts += news
            said += news
        elif talk.tokens + lines + one.section.most <= cap:
            parts += one.lines
            marks += one.marks
            lines += one.tokens
    talk.tell(marks, event.agent)
    moment = "after compaction" if compacted else "session start"
    return Answer(Reply(context.started(moment, parts)), said, tuple(marks))


def dry(store: Store, where: Here, cwd: str, now: int, unwritten: Unwritten) -> Brief:
    """What a start would say here; nothing is told and nothing remembered."""
    if not where.project:
        return made_of([INSTRUCTION], brief.BUDGET)
    event = replace(_NOBODY, cwd=cwd, at=now, project=where.project)
    card = _branch(store, event, Conversation(), where, now, branch_card.at_start)
    told = card.told if card else frozenset()
    news = _news(store, event, where, unwritten, told)
    sections = [
        INSTRUCTION,
        *([card] if card else []),
        *sections_of(store, where, now, unwritten, [], False, news, told),
    ]
    return made_of(sections, brief.BUDGET)


_NOBODY = Event(EventType.SESSION_STARTED, "", "", 0, text="startup")
