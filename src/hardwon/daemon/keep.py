"""The second arrow: journal → learn. It runs after the reply, in a thread of its own, so that nobody waits for it."""

from __future__ import annotations

import contextlib
import math
import queue
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import apsw

from hardwon import clients
from hardwon.daemon import spool
from hardwon.daemon.background import ENDS, Background, Counts, Grown
from hardwon.daemon.catch_up import Transcripts
from hardwon.daemon.message import Message
from hardwon.event import Event, EventType, Heard
from hardwon.learn.placing import Places
from hardwon.moments.answered import Told
from hardwon.paths import Home
from hardwon.settings import Settings
from hardwon.store.connection import Store, open_store
from hardwon.store.errors import StoreError, StoreReplaced, explain
from hardwon.store.maintenance import incidents
from hardwon.store.tables import branches, handoffs, jobs, journal, passages, showings, skill_loads
from hardwon.store.tables.showings import Showing
from hardwon.text import tiers

SETTLE = 2_000
"""Milliseconds to wait for a call's own message before a batch is believed that it never ran."""
GIVE_WAY = 0.02
"""Seconds that an event waits before it is kept."""
PASSAGES = 50
"""Prompts and answers that are made searchable after a message; what is left waits for the next one, or for upkeep."""
MOST_WAITING = 32_000_000
"""Bytes of messages that may wait to be kept; one that comes while there are more is lost."""
MESSAGE = 2_000
"""Bytes that a message takes up besides its own."""
SOON = 50
"""Milliseconds: what is due so soon is done now."""
STARVED = 1.0
"""Seconds after which something in the background is done although messages wait."""
WORKS = (EventType.TOOL_STARTING, EventType.TOOL_FINISHED, EventType.TOOL_FAILED, EventType.TURN_ENDED)
"""By which a session shows that its model was asked: what was said to it before has been read."""
LAST = 10.0
"""Seconds for it at the end; what is left then waits for the next start."""


@dataclass(frozen=True, slots=True)
class Work:
    """One message that was answered: what it said, and what was said to it."""

    message: Message
    at: int
    heard: Heard = field(default_factory=Heard)
    shown: tuple[Showing, ...] = ()
    told: Told | None = None
    handoff: str = ""
    """The one that was given with the answer."""


_TICK = Work(Message("", "", "", 0, b""), 0)
"""Nothing came: time to look after what waits."""


class Keeper:
    """The one writer. `put` returns at once; `drain` waits until everything is written."""

    def __init__(
        self,
        home: Home,
        settings: Settings,
        is_gone: Callable[[], bool] = lambda: False,
        *,
        resting: bool = False,
        transcripts: Grown | None = None,
        apart: bool = True,
    ) -> None:
        """`apart`: in a thread of its own, as the daemon does. Else `play` is called for each message, and nothing is
        put."""
        self.home = home
        self._is_gone = is_gone
        """Whether the home was removed or replaced: then nothing is written."""
        self.resting = resting
        """The settings are wrong: nothing comes, and what waits in the spool waits on."""
        self._queue: queue.Queue[Work | None] = queue.Queue()
        self._came = self._went = 0
        """Bytes that were put into the queue, and that were taken out by the thread."""
        self._dropping = False
        self._unsettled: list[tuple[int, Event]] = []
        self.counts = Counts()
        self.background = Background(home, settings, transcripts or Transcripts(), self.counts)
        self._worked = time.monotonic()
        """When something in the background was last begun."""
        self._pause = 0.05
        """Seconds without a message after which it looks around: at first soon, for what the spool holds."""
        self._thread = threading.Thread(target=self._run, name="keep", daemon=True)
        if apart:
            self._thread.start()

    def put(self, work: Work) -> None:
        """Never waits and never fails: what can't be taken is lost, and counted."""
        alive = self._thread.is_alive()
        if alive and self._came - self._went <= MOST_WAITING:
            self._dropping = False
            self._came += _size(work)
            self._queue.put(work)
            return
        self.counts.lost += 1
        if not self._dropping:
            self._dropping = True
            why = "too many events wait to be written" if alive else "nothing is written any more"
            incidents.record(self.home, self.settings, f"keep: {why}: those that come now are lost")

    def drain(self, seconds: float) -> None:
        self._queue.put(None)
        self._thread.join(seconds)

    @property
    def waiting(self) -> int:
        """What is not written yet, also what is being written just now."""
        return self._queue.unfinished_tasks + self.background.is_busy

    @property
    def settings(self) -> Settings:
        return self.background.settings

    @settings.setter
    def settings(self, settings: Settings) -> None:
        self.background.settings = settings

    def _run(self) -> None:
        store: Store | None = None
        while True:
            unkept = work = self._next()
            try:
                if self.resting and not self._unsettled and (work is None or work is _TICK):
                    if work is None:
                        return
                    continue
                if store and (store.settings is not self.settings or store.is_gone):  # they have changed
                    store.close()
                    store = None
                if store is None and self._needs_store(work):
                    store = self._opened()
                if store and work:
                    self.keep(store, work)
                if store:
                    self._settle(store, everything=work is None)
                    unkept = work and _TICK
                    self._work_off(store, work)
                if work is None:
                    return
            except (StoreError, apsw.Error) as error:
                known = error if isinstance(error, StoreError) else explain(error, str(self.home.database))
                self._failed(store, unkept, known)
                store = None
                if work is None:
                    return
            except Exception as error:  # noqa: BLE001  the host boundary: recorded for doctor, the thread lives on
                incidents.record(self.home, self.settings, f"keep: {type(error).__name__}: {error}")
                if work is None:
                    return
                self.counts.lost += unkept is not _TICK
            finally:
                if work is not _TICK:
                    self._went += _size(work)
                    self._queue.task_done()

    def _needs_store(self, work: Work | None) -> bool:
        """A database is not made, and not opened again, where nothing waits to be written."""
        if work is _TICK:
            return bool(self._unsettled) or self.home.database.exists() or spool.count(self.home) > 0
        return work is not None or bool(self._unsettled)

    def _opened(self) -> Store:
        if self._is_gone():
            raise StoreReplaced(f"{self.home.root} was removed or replaced while it was in use; nothing was written.")
        store = open_store(self.home, self.settings, make=False)
        store.by_hand = False
        return store

    def _next(self) -> Work | None:
        pause, self._pause = self._pause, 60.0
        try:
            work = self._queue.get(timeout=1.0 if self._unsettled else pause)
        except queue.Empty:
            return _TICK
        if work is not None:  # the hook is still busy with leaving, and the client waits for that
            time.sleep(min(GIVE_WAY, max(0.0, work.at / 1000 + GIVE_WAY - time.time())))
        return work

    def _failed(self, store: Store | None, work: Work | None, error: StoreError) -> None:
        """The database can't be written: the event waits in the spool, if there still is a home to have one."""
        if store:
            with contextlib.suppress(apsw.Error):
                store.close()
        is_event = work is not None and bool(work.message.event)
        if self._is_gone():
            self.counts.lost += is_event
            return
        incidents.record(self.home, self.settings, f"keep: {error}")
        if work is None or not is_event:
            return
        try:
            path = spool.put(self.home, work.message, self.settings, work.at)
        except Exception as problem:  # noqa: BLE001  whatever is in it, the thread lives on
            incidents.record(self.home, self.settings, f"spool: {type(problem).__name__}: {problem}")
            path = None
        self.counts.spooled += path is not None
        self.counts.lost += path is None

    def play(self, store: Store, work: Work) -> None:
        """Keep it, and do all that it gives cause for, at its own time."""
        self.keep(store, work)
        self.background.run_all(store, work.at + SOON)

    def keep(self, store: Store, work: Work) -> None:
        self._take_spool(store)
        events = self._placed(store, work.heard.events)
        if any(event.type in ENDS for event in events):  # calls that nobody told the end of
            self._settle(store, everything=True)
        due = work.at + SETTLE
        self._unsettled += [(due, event) for event in self._placed(store, work.heard.unsettled)]
        if work.told and events:
            about = (events[0].host, events[0].session, work.told.agent, work.told.context)
            branches.tell(store, *about, work.told.marks, work.at)
        if work.shown and events:
            journal.know(store, events[0])
            showings.record(store, list(work.shown), (events[0].host, events[0].session))
        if work.handoff and events:
            journal.know(store, events[0])
            handoffs.offer(store, work.handoff, events[0].host, events[0].session, work.at)
        # The end of a turn with what it gives cause for: a crash between the two would lose that.
        ended = any(event.type in ENDS for event in events)
        with store.transaction() if ended else contextlib.nullcontext():
            for event in events:
                self._write(store, event)
                self._prove(store, event)
                self.background.ask_after(store, event)
        passages.index_new(store, PASSAGES)

    def _placed(self, store: Store, events: Sequence[Event]) -> list[Event]:
        """Those that are to be kept, each with its project, without their secrets; a folder is looked at once."""
        there = [one for event in map(Places(store).placed, events) if (one := event)]
        return [journal.passed(one, store.redactor, tiers.tier(one)) for one in there]

    def _write(self, store: Store, event: Event) -> None:
        if journal.append(store, event, tiers.tier(event)):
            skill_loads.count(store, event)
            self.counts.kept += 1
            self.counts.last_kept = event.at

    def _settle(self, store: Store, *, everything: bool = False) -> None:
        """Calls that nothing else was heard of were denied: that is how they are kept."""
        now = _now()
        for waiting in list(self._unsettled):
            due, event = waiting
            if everything or due <= now:
                self._write(store, event)
                self._unsettled.remove(waiting)

    def _prove(self, store: Store, event: Event) -> None:
        """Whether a handoff that was said has been read."""
        if event.type in WORKS and not event.agent:
            handoffs.proved(store, event.host, event.session, event.at)
        if event.type is EventType.SESSION_ENDED:
            handoffs.given_back(store, event.host, event.session)

    def _work_off(self, store: Store, work: Work | None) -> None:
        """What is due in the background, one after the other and only while no message waits; one all the same where
        there is always a message."""
        self.background.look_around(store, _now())
        until = time.monotonic() + (LAST if work is None else math.inf)
        while time.monotonic() < until and (not self._queue.qsize() or time.monotonic() - self._worked > STARVED):
            self._worked = time.monotonic()
            if not self.background.run_next(store, _now() + SOON):
                break
        if (due := jobs.next_due(store)) is not None:
            self._pause = min(60.0, max(GIVE_WAY, (due - _now()) / 1000))

    def _take_spool(self, store: Store) -> None:
        for path, message, at in spool.waiting(self.home):
            host = clients.messages(message.host)
            try:
                heard = host.hear(message.event, message.payload, at) if host else Heard()
                for event in self._placed(store, (*heard.events, *heard.unsettled)):
                    self._write(store, event)
            except (StoreError, apsw.Error, OSError):  # another time
                raise
            except Exception as error:  # noqa: BLE001  nobody will ever understand it: it must not block the others
                incidents.record(self.home, self.settings, f"spool: {error}")
            path.unlink(missing_ok=True)


def _size(work: Work | None) -> int:
    return len(work.message.payload) + MESSAGE if work else 0


def _now() -> int:
    return int(time.time() * 1000)
