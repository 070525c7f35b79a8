"""The daemon: a Unix socket, one connection per message, an answer within its budget or none."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import json
import os
import signal
import statistics
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from hardwon import __version__, hosts
from hardwon.daemon import incidents, instructions, lock, message, spool, tools, updates
from hardwon.daemon.answer import Answer, Here, answer, here
from hardwon.daemon.conversation import Conversation
from hardwon.daemon.keep import Keeper, Work
from hardwon.daemon.message import Message
from hardwon.event import Heard, Moment, Reply
from hardwon.paths import Home, home, make
from hardwon.recall import legacy
from hardwon.settings import Settings, SettingsError, load
from hardwon.store import journal, showings
from hardwon.store.connection import Store, open_store
from hardwon.store.errors import StoreError
from hardwon.store.showings import Showing

MOST_BYTES = 32_000_000
SMALL = 100_000
"""Bytes that are parsed at once; a larger message in a thread, so that others are answered meanwhile."""
PATIENCE = 10.0
"""Seconds for a message to arrive whole."""
BUDGET = 0.6
"""The share of the client's limit that an answer may take; the rest is for the way there and back."""
GRACE = 0.05
"""Seconds for those who connected just before the socket was taken away."""
PARTING = 2.0
"""Seconds for a message that is half there when the daemon leaves."""
PLACES_LAST = 30.0
"""Seconds that a folder's project is remembered."""

_LOCAL = threading.local()


def run(root: str, tell_leaving: Callable[[], None] = lambda: None) -> None:
    place = home({**os.environ, "HARDWON_HOME": root})
    make(place)
    settings = load(place, os.environ).settings
    asyncio.run(Server(place, settings, tell_leaving).serve())


def _mark(place: Home) -> tuple[int, int]:
    """Changes when the settings' file does."""
    try:
        stat = os.stat(place.settings)  # noqa: PTH116
    except OSError:
        return 0, 0
    return stat.st_mtime_ns, stat.st_size


class Server:
    def __init__(self, place: Home, settings: Settings, tell_leaving: Callable[[], None]) -> None:
        self.home = place
        self.tell_leaving = tell_leaving
        self.settings_mark = _mark(place)
        self.settings = settings
        self.keeper = Keeper(place, settings)
        self.readers = ThreadPoolExecutor(2, thread_name_prefix="answer")
        self.tools = ThreadPoolExecutor(1, thread_name_prefix="tools")
        self.talks: dict[tuple[str, str], Conversation] = {}
        self.meeting = threading.Lock()
        self.places: dict[str, tuple[float, Here]] = {}
        self.started = self.last = time.monotonic()
        self.open = 0
        self.times: deque[float] = deque(maxlen=1000)
        """Milliseconds that the last answers took, silence included."""
        self.unreadable = False
        """The database could not be opened."""
        self.leaving = asyncio.Event()
        self.totals = {"messages": 0, "answers": 0, "late": 0, "malformed": 0, "unknown": 0, "tools": 0}
        self._store: Store | None = None

    async def serve(self) -> None:
        path = self._socket_path()
        server = await asyncio.start_unix_server(self._meet, path, limit=1 << 20, backlog=128)
        os.chmod(path, 0o600)  # noqa: PTH101
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, self.leaving.set)
        inode = os.stat(path).st_ino  # noqa: PTH116
        await self._until_idle(path, inode)
        self.tell_leaving()
        self._remove(path, inode)
        await asyncio.sleep(GRACE)
        server.close()
        until = time.monotonic() + PARTING
        while self.open and time.monotonic() < until:
            await asyncio.sleep(0.01)
        await asyncio.to_thread(self.keeper.drain, 20.0)
        self.readers.shutdown(wait=False, cancel_futures=True)
        self.tools.shutdown(wait=False, cancel_futures=True)

    def _socket_path(self) -> str:
        path = self.home.socket
        if path.parent != self.home.root:
            path.parent.mkdir(mode=0o700, exist_ok=True)
            if path.parent.stat().st_uid != os.getuid():
                raise PermissionError(f"{path.parent} belongs to somebody else")
        path.unlink(missing_ok=True)  # of a daemon that was killed: we hold the lock, so it is nobody's
        os.umask(0o077)
        return str(path)

    def _remove(self, path: str, inode: int) -> None:
        with contextlib.suppress(OSError):
            if os.stat(path).st_ino == inode:  # noqa: PTH116
                os.unlink(path)  # noqa: PTH108

    async def _until_idle(self, path: str, inode: int) -> None:
        """Until asked to leave, idle for long, or no longer reachable because the socket is gone."""
        idle = self.settings.daemon.idle_seconds
        while not self.leaving.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.leaving.wait(), min(idle / 4, 15.0))
            try:
                reachable = os.stat(path).st_ino == inode  # noqa: PTH116
            except OSError:
                reachable = False
            if not reachable or (not self.open and time.monotonic() - self.last > idle):
                return

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.open += 1
        self.last = time.monotonic()
        try:
            raw = await asyncio.wait_for(self._read(reader), PATIENCE)
            reply = await self._handle(message.parse(raw))
            if reply:
                writer.write(reply)
                await asyncio.wait_for(writer.drain(), 2.0)
        except (TimeoutError, ValueError, OSError) as error:
            self.totals["malformed"] += 1
            incidents.record(self.home, f"message: {type(error).__name__}: {error}")
        except Exception as error:  # noqa: BLE001  the host boundary: recorded for doctor, the client goes on
            incidents.record(self.home, f"answer: {type(error).__name__}: {error}")
        finally:
            with contextlib.suppress(OSError):
                writer.close()
            self.open -= 1

    async def _read(self, reader: asyncio.StreamReader) -> bytes:
        pieces: list[bytes] = []
        size = 0
        while piece := await reader.read(1 << 16):
            pieces.append(piece)
            size += len(piece)
            if size > MOST_BYTES:
                raise ValueError(f"a message of more than {MOST_BYTES} bytes")
        return b"".join(pieces)

    async def _handle(self, heard: Message) -> bytes:
        if heard.host == "control":
            return self._control(heard.event)
        if heard.host == "mcp":
            return await self._tool(heard)
        self.totals["messages"] += 1
        self._look_at_settings()
        host = hosts.find(heard.host)
        if host is None or not host.knows(heard.event):
            self.totals["unknown"] += 1
            return b""
        if lock.is_newer(heard.version, __version__):  # a newer client: make room for its daemon
            self.leaving.set()
        at = int(time.time() * 1000)
        began = time.perf_counter()
        if len(heard.payload) < SMALL:
            told = host.hear(heard.event, heard.payload, at)
        else:
            told = await asyncio.to_thread(host.hear, heard.event, heard.payload, at)
        said = await self._answer(told, heard, at) if heard.limit else Answer()
        if heard.limit:
            self.times.append((time.perf_counter() - began) * 1000)
        self.keeper.put(Work(heard, at, told, self._shown(told, said, at)))
        return host.speak(heard.event, self._with_notice(told, said.reply))

    async def _tool(self, heard: Message) -> bytes:
        """A call of an agent. It is answered when it is done: an id that was told is on the disk."""
        self.totals["tools"] += 1
        self._look_at_settings()
        return await asyncio.get_running_loop().run_in_executor(self.tools, self._call, heard)

    def _call(self, heard: Message) -> bytes:
        """In the one thread for tools, with a connection for this call: a database that was replaced is noticed."""
        try:
            with open_store(self.home, self.settings) as store:
                return tools.call(store, heard.event, tools.asked(heard.payload), int(time.time() * 1000)).encoded()
        except StoreError as error:
            incidents.record(self.home, f"{heard.event}: {error}")
            return tools.Told(f"Nothing was done: {error}", wrong=True).encoded()

    def _with_notice(self, told: Heard, reply: Reply) -> Reply:
        """At the start of a session the person is told when something is wrong, or that there is a newer version."""
        if told.moment is not Moment.SESSION_START:
            return reply
        if self.keeper.counts.lost or self.unreadable:
            notice = "hardwon: something is wrong with the memory; `hardwon doctor` says what"
        else:
            notice = updates.notice(self.home, self.settings.updates)
        return dataclasses.replace(reply, notice=notice) if notice else reply

    async def _answer(self, told: Heard, heard: Message, at: int) -> Answer:
        """The answer, or nothing when it would come too late."""
        if told.moment is None:
            return Answer()
        budget = heard.limit * BUDGET / 1000
        found = asyncio.get_running_loop().run_in_executor(self.readers, self._find, told, at)
        await asyncio.wait({found}, timeout=budget)
        if not found.done():
            self.totals["late"] += 1
            found.add_done_callback(lambda late: self._unsay(told, late))
            return Answer()
        if error := found.exception():  # the event is kept all the same
            incidents.record(self.home, f"answer: {type(error).__name__}: {error}")
            return Answer()
        self.totals["answers"] += bool(found.result().said)
        return found.result()

    def _unsay(self, told: Heard, late: asyncio.Future[Answer]) -> None:
        """Nobody heard it, so it may be said another time."""
        event = told.events[-1]
        if not late.cancelled() and late.exception() is None and late.result().said:
            answer = late.result()
            self.talks[event.host, event.session].unsay(answer.said, event.agent, answer.tokens)

    def _find(self, told: Heard, at: int) -> Answer:
        """In a reader thread. The conversation is guarded by the interpreter's lock and touched in one go."""
        event = told.events[-1]
        store = self._reader()
        if store is None:
            return Answer()
        where = self._here(store, event.cwd)
        talk = self._talk(store, event.host, event.session)
        unsaid = lambda items: instructions.unsaid(items, where.root, event.cwd, event.transcript)  # noqa: E731
        return answer(store, told, talk, where, at, unsaid)

    def _reader(self) -> Store | None:
        """A connection per reader thread, opened when there is a database."""
        local = _LOCAL
        known: Store | None = getattr(local, "store", None)
        if known and known.settings is not self.settings:  # they have changed
            known.close()
            local.store = known = None
        if known is None:
            try:
                local.store = open_store(self.home, self.settings, write=False)
                if not local.store.on_disk:
                    local.store = None
            except StoreError as error:
                incidents.record(self.home, f"answer: {error}")
                self.unreadable = True
                local.store = None
        store: Store | None = local.store
        return store

    def _here(self, store: Store, cwd: str) -> Here:
        known = self.places.get(cwd)
        if known and time.monotonic() - known[0] < PLACES_LAST and known[1].project:
            return known[1]
        found = here(store, cwd)
        self.places[cwd] = (time.monotonic(), found)
        return found

    def _talk(self, store: Store, host: str, session: str) -> Conversation:
        """One for all that happens in a session at the same time."""
        with self.meeting:
            return self._known(store, host, session)

    def _known(self, store: Store, host: str, session: str) -> Conversation:
        talk = self.talks.get((host, session))
        if talk is None:
            window = journal.windows(store, host, session)
            talk = Conversation.remembered(showings.of_session(store, host, session), window)
            self.talks[host, session] = talk
            while len(self.talks) > 200:
                self.talks.pop(next(iter(self.talks)))
        return talk

    def _shown(self, told: Heard, said: Answer, at: int) -> tuple[Showing, ...]:
        if not said.said:
            return ()
        event = told.events[-1]
        context = self.talks[event.host, event.session].context
        return tuple(
            Showing(item.ranked.memory.id, str(told.moment), at, share, agent=event.agent, context=context)
            for item, share in zip(said.said, said.shares, strict=True)
            if not item.ranked.memory.id.startswith(legacy.SIGN)
        )

    def _look_at_settings(self) -> None:
        """What the file says now counts from this message on; the variables stay as they were at the start."""
        mark = _mark(self.home)
        if mark == self.settings_mark:
            return
        self.settings_mark = mark
        try:
            self.settings = self.keeper.settings = load(self.home, os.environ).settings
        except SettingsError as error:
            incidents.record(self.home, f"settings: {error}")

    def _control(self, question: str) -> bytes:
        if question == "leave":
            self.leaving.set()
        return json.dumps(self._status()).encode()

    def _status(self) -> dict[str, Any]:
        counts = self.keeper.counts
        return {
            "version": __version__,
            "pid": os.getpid(),
            "up_seconds": round(time.monotonic() - self.started, 1),
            "waiting": self.keeper.waiting,
            "sessions": len(self.talks),
            "answer_ms": round(statistics.median(self.times), 2) if self.times else None,
            "spooled": spool.count(self.home),
            "kept": counts.kept,
            "lost": counts.lost,
            "learned": counts.learned,
            "last_kept": counts.last_kept,
            **self.totals,
        }
