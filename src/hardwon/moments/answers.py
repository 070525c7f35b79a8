"""Answers for clients, each within its budget or none: found at once where nothing can take long, else in a thread."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import apsw

from hardwon.embedding.ready import READY
from hardwon.event import EventType, Heard, Moment
from hardwon.memories import legacy
from hardwon.moments import instructions
from hardwon.moments.answer import answer, here
from hardwon.moments.answered import Answer, Here, Told
from hardwon.moments.around import Around
from hardwon.moments.conversation import Conversation
from hardwon.moments.guarding import Guard, takes_long
from hardwon.moments.handing import Hands
from hardwon.paths import Home
from hardwon.settings import Settings
from hardwon.store.connection import Store, open_store
from hardwon.store.errors import StoreError
from hardwon.store.maintenance import incidents
from hardwon.store.tables import branches, journal, showings
from hardwon.store.tables.showings import Showing

SMALL = 100_000
"""Bytes that are parsed at once; a larger message in a thread, so that others are answered meanwhile."""
BUDGET = 0.6
"""The share of the client's limit that an answer may take; the rest is for the way there and back."""
MEANING = 0.5
"""The share of this that may be over when the question's vector comes; the rest is for what the words find."""
LOOKING = 0.8
"""The share of it that a look at the repository may take."""
AT_ONCE = frozenset({Moment.PROMPT, Moment.BEFORE_ACTION, Moment.AFTER_FAILURE})
"""Moments whose answers are a few bounded look-ups."""
STEPS = 2_000
"""Of SQLite's machine, between two looks at the clock."""
PLACES_LAST = 30.0
"""Seconds that a folder's project is remembered."""
MOST_TALKS = 200

_LOCAL = threading.local()


class Answers:
    def __init__(self, place: Home, settings: Settings) -> None:
        self.home = place
        self.settings = settings
        self.readers = ThreadPoolExecutor(2, thread_name_prefix="answer")
        self.talks: dict[tuple[str, str], Conversation] = {}
        self.meeting = threading.Lock()
        self.places: dict[str, tuple[float, Here]] = {}
        self.guard, self.hands = Guard(), Hands()
        self.around = Around(self.guard, self.hands)
        self.own: Store | None = None
        """For answers at once, in the loop's own thread."""
        self.given = self.late = 0
        self.unreadable = False
        """The database could not be opened."""

    def close(self) -> None:
        self.readers.shutdown(wait=False, cancel_futures=True)
        self.guard.close()

    async def to(self, told: Heard, size: int, limit: int, at: int) -> Answer:
        """The answer, or nothing when it would come too late."""
        if told.moment is None:
            return Answer()
        budget = limit * BUDGET / 1000
        until = time.monotonic() + budget * (LOOKING if told.moment is Moment.BEFORE_ACTION else MEANING)
        if told.moment in AT_ONCE and size < SMALL and not self._waits(told) and self._is_known(told):
            return self._find_at_once(told, at, budget, until)
        found = asyncio.get_running_loop().run_in_executor(self.readers, self._read_and_find, told, at, until)
        await asyncio.wait({found}, timeout=budget)
        if not found.done():
            self.late += 1
            found.add_done_callback(lambda late: self._unsay_late(told, late))
            return Answer()
        if error := found.exception():  # the event is kept all the same
            incidents.record(self.home, self.settings, f"answer: {type(error).__name__}: {error}")
            return Answer()
        self.given += bool(found.result().said or found.result().told)
        return found.result()

    def _waits(self, told: Heard) -> bool:
        """Where there is a model, a prompt waits for its vector; before a push git is asked."""
        if told.moment is Moment.BEFORE_ACTION:
            return self.settings.guards.enabled and takes_long(told.events[-1])
        return told.moment is Moment.PROMPT and READY.model(self.settings.vectors) is not None

    def _is_known(self, told: Heard) -> bool:
        """Nothing has to be opened or looked for: the database is open here, the folder's project is known."""
        if self.own is None or self.own.settings is not self.settings or self.own.is_gone:
            self.own = None
            self.readers.submit(self._open_own)
            return False
        return self._known_place(told.events[-1].cwd) is not None

    def _open_own(self) -> None:
        """For answers in this loop; another time, if the database can't be opened now."""
        with contextlib.suppress(StoreError):
            store = open_store(self.home, self.settings, write=False)
            if store.on_disk:
                store.db.set_busy_timeout(0)
                self.own = store

    def _find_at_once(self, told: Heard, at: int, budget: float, meaning: float) -> Answer:
        """Here in the loop: to go to another thread and back takes longer than most answers. It holds nobody up: the
        message is small, and the database is interrupted when the time is over."""
        assert self.own
        until = time.monotonic() + budget
        self.own.db.set_progress_handler(lambda: time.monotonic() > until, STEPS)
        try:
            found = self._find(told, at, self.own, meaning)
        except apsw.InterruptError:
            self.late += 1
            return Answer()
        except Exception as error:  # noqa: BLE001  the event is kept all the same
            incidents.record(self.home, self.settings, f"answer: {type(error).__name__}: {error}")
            return Answer()
        finally:
            self.own.db.set_progress_handler(None)
        if time.monotonic() > until:
            self.late += 1
            self._unsay(told, found)
            return Answer()
        self.given += bool(found.said or found.told)
        return found

    def _unsay_late(self, told: Heard, late: asyncio.Future[Answer]) -> None:
        if not late.cancelled() and late.exception() is None:
            self._unsay(told, late.result())

    def _unsay(self, told: Heard, late: Answer) -> None:
        """Nobody heard it, so it may be said another time."""
        event = told.events[-1]
        if late.handoff:
            self.hands.take_back(late.handoff)
        if late.said or late.told:
            self.talks[event.host, event.session].unsay(late.said, event.agent, late.tokens, late.told)

    def _read_and_find(self, told: Heard, at: int, until: float) -> Answer:
        """In a reader thread."""
        store = self._reader()
        return self._find(told, at, store, until) if store else Answer()

    def _find(self, told: Heard, at: int, store: Store, until: float) -> Answer:
        """The conversation is guarded by the interpreter's lock and touched in one go."""
        event = told.events[-1]
        where = self._here(store, event.cwd)
        talk = self._talk(store, event.host, event.session)
        unwritten = lambda items: instructions.unwritten(items, where.root, event.cwd, event.transcript)  # noqa: E731
        return answer(store, told, talk, where, at, unwritten, until, self.around)

    def _reader(self) -> Store | None:
        """A connection per reader thread, opened when there is a database."""
        local = _LOCAL
        known: Store | None = getattr(local, "store", None)
        if known and (known.settings is not self.settings or known.is_gone):  # they have changed
            known.close()
            local.store = known = None
        if known is None:
            try:
                local.store = open_store(self.home, self.settings, write=False)
                if not local.store.on_disk:
                    local.store = None
            except StoreError as error:
                incidents.record(self.home, self.settings, f"answer: {error}")
                self.unreadable = True
                local.store = None
        store: Store | None = local.store
        return store

    def _here(self, store: Store, cwd: str) -> Here:
        if known := self._known_place(cwd):
            return known
        found = here(store, cwd)
        self.places[cwd] = (time.monotonic(), found)
        return found

    def _known_place(self, cwd: str) -> Here | None:
        known = self.places.get(cwd)
        return known[1] if known and time.monotonic() - known[0] < PLACES_LAST and known[1].project else None

    def _talk(self, store: Store, host: str, session: str) -> Conversation:
        """One for all that happens in a session at the same time."""
        with self.meeting:
            return self._known(store, host, session)

    def _known(self, store: Store, host: str, session: str) -> Conversation:
        talk = self.talks.get((host, session))
        if talk is None:
            window = journal.windows(store, host, session)
            told = branches.told(store, host, session)
            talk = Conversation.remembered(showings.of_session(store, host, session), window, told)
            self.talks[host, session] = talk
            while len(self.talks) > MOST_TALKS:
                self.talks.pop(next(iter(self.talks)))
        return talk

    def follow(self, told: Heard) -> None:
        """Which sessions go on."""
        for event in told.events:
            if talk := self.talks.get((event.host, event.session)):
                talk.is_over = event.type is EventType.SESSION_ENDED
            if event.type is EventType.SESSION_ENDED:
                self.hands.ended(event.host, event.session)

    @property
    def under_way(self) -> int:
        """Sessions that were answered and have not ended."""
        return sum(not talk.is_over for talk in list(self.talks.values()))

    def told(self, told: Heard, said: Answer) -> Told | None:
        if not said.told:
            return None
        event = told.events[-1]
        return told_of(told, said, self.talks[event.host, event.session])

    def shown(self, told: Heard, said: Answer, at: int) -> tuple[Showing, ...]:
        if not said.said:
            return ()
        event = told.events[-1]
        return showings_of(told, said, self.talks[event.host, event.session].context, at)


def told_of(told: Heard, said: Answer, talk: Conversation) -> Told | None:
    """What else is remembered of it."""
    event = told.events[-1] if told.events else None
    return Told(event.agent, talk.context, said.told) if event and said.told else None


def showings_of(told: Heard, said: Answer, context: int, at: int) -> tuple[Showing, ...]:
    """What is remembered of an answer that was given in this window of its session."""
    agent = told.events[-1].agent
    return tuple(
        Showing(item.ranked.memory.id, str(told.moment), at, share, agent=agent, context=context)
        for item, share in zip(said.said, said.shares, strict=True)
        if not item.ranked.memory.id.startswith(legacy.SIGN)
    )
