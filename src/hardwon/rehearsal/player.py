"""Playing the past: each event goes through the program's own answering and keeping, at the time at which it happened.

Nothing is answered from what had not happened yet. A transcript is taken in as far as it had come when the program
would have read it, and learning happens when the program would have learned.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from hardwon import action
from hardwon.clients import Reaches, reaches
from hardwon.daemon.catch_up import Caught
from hardwon.daemon.keep import Keeper, Work
from hardwon.daemon.message import Message
from hardwon.event import Event, EventType, Heard, Moment
from hardwon.git_head import Head
from hardwon.learn import session as learn
from hardwon.learn.placing import Places
from hardwon.learn.transcripts import Taken, take_in
from hardwon.memories import Item
from hardwon.memory import normalise
from hardwon.moments.answer import answer, here, target
from hardwon.moments.answered import Answer, Here
from hardwon.moments.answers import showings_of, told_of
from hardwon.moments.conversation import Conversation
from hardwon.rehearsal.contradiction import against, contradicts
from hardwon.rehearsal.opportunities.happening import Happening, What
from hardwon.rehearsal.saying import Saying
from hardwon.rehearsal.transcript import Told
from hardwon.store.connection import Store
from hardwon.text import commands

_ACTS = action.CHANGES
_NEVER_RAN = ("<tool_use_error>", "Permission to use ", "The user doesn't want")
"""What a call came back with that no hook tells of: it was rejected before it ran."""
NEIGHBOURS = 2
"""Other sessions of a folder whose transcripts are read at a session's start."""


@dataclass(slots=True)
class Session:
    """One that is under way."""

    talk: Conversation = field(default_factory=Conversation)
    pending: list[Event] = field(default_factory=list)
    """What its transcript has that was not read yet."""
    instructions: list[str] = field(default_factory=list)
    path: str = ""
    project: str = ""
    last: Event | None = None
    windows: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    calls: dict[tuple[str, int], int] = field(default_factory=lambda: defaultdict(int))
    """Calls so far, by agent and window."""
    waiting: dict[str, Saying] = field(default_factory=dict)
    """Said before a call, by that call: they come with its result."""
    said: list[Saying] = field(default_factory=list)
    before: dict[int, int] = field(default_factory=dict)
    """By saying: how many calls its window had before it came."""
    mended: dict[str, int] = field(default_factory=lambda: defaultdict(lambda: -1))
    """By agent: when something was last done that may have changed how a call ends."""
    is_open: bool = False
    """Something of its own has happened in it."""
    is_fork: bool = False
    """It begins with what another session's file tells, too."""
    apart: bool = False
    """Nothing is said in it."""


@dataclass(slots=True)
class _Log:
    """A transcript as far as it had come, as the program's own reader takes it in."""

    path: Path
    events: list[Event]
    end: int = 0

    def portions(self, offset: int = 0) -> Iterator[list[Event]]:  # noqa: ARG002  what was read is not here any more
        for start in range(0, len(self.events), 200):
            yield self.events[start : start + 200]


class Player:
    """One person's past. `play` is told everything in order; `sayings` are there at the end."""

    def __init__(self, store: Store, apart: Iterable[str] = ()) -> None:
        store.by_hand = False
        self._store = store
        self._apart = frozenset(apart)
        self._keeper = Keeper(store.home, store.settings, transcripts=self, apart=False)
        self._sessions: dict[str, Session] = {}
        self._places: dict[str, Here] = {}
        self.sayings: list[Saying] = []

    # ---- what the keeper asks for: the transcripts

    def of_session(self, store: Store, event: Event, *, ended: bool = False) -> Caught:
        own = self._sessions.get(event.session)
        also = [(event.host, event.session)] if ended else []
        return self._take_in(store, [own] if own else [], event.at, also)

    def of_project(self, store: Store, event: Event) -> Caught:
        own = self._sessions.get(event.session)
        others = [one for one in self._sessions.values() if one.pending and one is not own and one.last]
        others.sort(key=lambda one: -one.last.at if one.last else 0)
        return self._take_in(store, [*([own] if own else []), *others[:NEIGHBOURS]], event.at)

    def _take_in(self, store: Store, sessions: list[Session], now: int, also: Iterable[tuple[str, str]] = ()) -> Caught:
        taken, places = Taken(), Places(store)
        for one in sessions:
            if one.pending:
                for _ in take_in(store, places, _Log(Path(one.path), one.pending), 0, now, taken):
                    pass
                one.pending = []
        known = dict.fromkeys([*(taken.sessions if taken.kept else ()), *also])
        return Caught(taken.kept, sum(learn.learn(store, host, session, now) for host, session in known))

    # ---- playing

    def play(self, told: Told, instructions: Iterable[str] = ()) -> None:
        one = told.happening
        if one.what is What.BEGAN:
            told_anyway = [normalise(text) for text in instructions]
            self._sessions[one.session] = Session(instructions=told_anyway, apart=one.session in self._apart)
            return
        own = self._sessions.get(one.session)
        if own is None:
            return
        if one.what is What.ENDED:
            self._ended(own, one)
            return
        if one.is_repeat:
            own.is_fork = True
            return
        if not own.is_open and told.event:
            own.is_open = True
            self._started(own, told.event, one)
        self._happened(own, told)

    def _started(self, own: Session, event: Event, one: Happening) -> None:
        """Its first own event: a fork's comes behind its parent's, and there is nothing to say to it."""
        own.path, own.last = event.transcript, event
        start = _of_session(event, EventType.SESSION_STARTED, event.at, "fork" if own.is_fork else "startup")
        self._hear(own, Heard((start,), Moment.SESSION_START), dataclasses.replace(one, number=0, agent=""))

    def _happened(self, own: Session, told: Told) -> None:
        one, event = told.happening, told.event
        if event:
            own.last = event
        match one.what:
            case What.COMPACTED:
                self._compacted(own, one)
            case What.PROMPT if event:
                own.pending.append(event)
                self._hear(own, Heard((event,), Moment.PROMPT), one)
            case What.CALL if event:
                self._called(own, one, event)
            case What.PASSED | What.FAILED | What.REFUSED if event:
                self._came_back(own, one, event)
            case What.TURN_ENDED if event:
                own.pending.append(event)
                self._hear(own, Heard((event,)), one)
            case _:
                pass

    def _compacted(self, own: Session, one: Happening) -> None:
        self._close_window(own, one.agent)
        own.windows[one.agent] += 1
        if own.last and not one.agent:
            self._hear(own, Heard((_of_session(own.last, EventType.COMPACTING, one.at, "auto"),)), one)
            start = _of_session(own.last, EventType.SESSION_STARTED, one.at, "compact")
            self._hear(own, Heard((start,), Moment.AFTER_COMPACTION), one)

    def _called(self, own: Session, one: Happening, event: Event) -> None:
        if event.tool in _ACTS:
            self._hear(own, Heard((event,), Moment.BEFORE_ACTION), one)
        own.calls[one.agent, own.windows[one.agent]] += 1

    def _came_back(self, own: Session, one: Happening, event: Event) -> None:
        if event.type is EventType.SKILL_LOADED:
            self._hear(own, Heard((event,), Moment.SKILL), one)
            return
        own.pending.append(event)
        if (waiting := own.waiting.pop(one.call, None)) and one.what is not What.REFUSED:
            self._deliver(own, waiting, one.number)
        if one.what is What.PASSED:
            self._passed(own, one, event)
        elif one.what is What.FAILED and not one.text.startswith(_NEVER_RAN):
            stopped = event.exit_status is None and "interrupted" in one.text[:200].casefold()
            self._hear(own, Heard((event,), None if stopped else Moment.AFTER_FAILURE), one)

    def _passed(self, own: Session, one: Happening, event: Event) -> None:
        """Whether that is against what was said: it was to fail, and nothing was done about it."""
        looks = event.tool == action.SHELL and commands.only_looks(event.target)
        anchor = target(event, self._here(event))
        for saying in own.said:
            if saying.agent == one.agent and saying.number > own.mended[one.agent]:
                saying.contradicted = saying.contradicted or contradicts(event, anchor, saying.against)
        if not looks and event.tool in _ACTS:
            own.mended[one.agent] = one.number

    def _ended(self, own: Session, one: Happening) -> None:
        if own.last:
            self._hear(own, Heard((_of_session(own.last, EventType.SESSION_ENDED, one.at, ""),)), one)
        for agent in {saying.agent for saying in own.said}:
            self._close_window(own, agent)
        self.sayings += own.said
        del self._sessions[one.session]

    # ---- one message

    def _hear(self, own: Session, heard: Heard, one: Happening) -> None:
        """What the daemon does with a message: answer, then keep."""
        event = heard.events[-1]
        said = Answer()
        if heard.moment and not own.apart and reaches(event.host, heard.moment):
            said = answer(self._store, heard, own.talk, self._here(event), event.at, lambda items: _unsaid(own, items))
        shown = showings_of(heard, said, own.talk.context, event.at) if said.said else ()
        if said.reply.text or said.reply.stop or said.reply.ask:
            self._note(own, heard, said, one)
        message = Message("", event.host, str(event.type), 0, b"")
        self._keeper.play(self._store, Work(message, event.at, heard, shown, told_of(heard, said, own.talk)))

    def _here(self, event: Event) -> Here:
        """With the branch that the client wrote down then: the disk knows nothing of it any more."""
        known = self._places.get(event.cwd)
        if known is None or not known.project:
            known = self._places[event.cwd] = here(self._store, event.cwd)
        return dataclasses.replace(known, head=Head(event.branch, event.cwd))

    def _note(self, own: Session, heard: Heard, said: Answer, one: Happening) -> None:
        event, moment = heard.events[-1], heard.moment
        assert moment
        denial = said.reply.stop or said.reply.ask
        about = [item.ranked.memory for item in said.said]
        saying = Saying(
            one.session, one.agent, one.number, event.at, moment, said.reply.text or denial, said.tokens,
            own.windows[one.agent], tuple(memory.id for memory in about), tuple(str(memory.kind) for memory in about),
            event.call, event.target, bool(denial), against=against(about),
        )  # fmt: skip
        own.said.append(saying)
        if denial:
            self._deliver(own, saying, one.number - 1)
        elif reaches(event.host, moment) is Reaches.WITH_RESULT and event.call:
            own.waiting[event.call] = saying
        else:
            self._deliver(own, saying, one.number)

    def _deliver(self, own: Session, saying: Saying, number: int) -> None:
        if saying.window == own.windows[saying.agent]:
            saying.delivered = number
            own.before[id(saying)] = own.calls[saying.agent, saying.window]

    def _close_window(self, own: Session, agent: str) -> None:
        """How long each thing stayed in sight is known when its window ends."""
        window = own.windows[agent]
        for saying in own.said:
            if saying.agent == agent and saying.window == window and saying.delivered is not None:
                saying.stays = own.calls[agent, window] - own.before.pop(id(saying), 0)


def _of_session(like: Event, type_: EventType, at: int, text: str) -> Event:
    """What the client tells of a session itself."""
    return Event(
        type_, like.host, like.session, at, cwd=like.cwd, text=text, transcript=like.transcript, branch=like.branch
    )


def _unsaid(own: Session, items: list[Item]) -> list[Item]:
    """Without what stood in CLAUDE.md at the time."""
    return [item for item in items if not any(normalise(item.ranked.memory.body) in text for text in own.instructions)]
