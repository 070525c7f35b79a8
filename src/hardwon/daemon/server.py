"""The daemon: a Unix socket, one connection per message, an answer within its budget or none."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import gc
import json
import os
import signal
import statistics
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import apsw

from hardwon import __version__, clients
from hardwon.daemon import heap, message, spool, tools, updates
from hardwon.daemon.current import NOTICE, REFUSED, Current
from hardwon.daemon.embedding import Embedder
from hardwon.daemon.keep import Keeper, Work
from hardwon.daemon.listening import Listening
from hardwon.daemon.message import Message
from hardwon.daemon.own_folder import OwnFolder
from hardwon.daemon.runner import Runner
from hardwon.daemon.version import is_newer
from hardwon.event import Heard, Moment, Reply
from hardwon.moments import quiet_line
from hardwon.moments.answered import Answer
from hardwon.moments.answers import SMALL, Answers
from hardwon.paths import Home, HomeError, home, is_private, make
from hardwon.store.connection import open_store, shared_redactor
from hardwon.store.errors import StoreError
from hardwon.store.maintenance import incidents
from hardwon.store.tables import journal

SWITCH = 0.001
"""Seconds after which a thread that learns makes room for one that answers."""
GRACE = 0.05
"""Seconds for those who connected just before the socket was taken away."""
PAGES = 8_000_000
"""Bytes of the database that all connections hold together; each alone would take half of that, and there are six."""
PARTING = 2.0
"""Seconds for a message that is half there when the daemon leaves."""
FAILED = "hardwon failed at this ({}), and would again. `hardwon daemon log` has what happened, for a person to report."


def run(root: str, environ: Mapping[str, str], tell_leaving: Callable[[], None]) -> None:
    """`environ` has the variables that count as settings."""
    place = home({**os.environ, "HARDWON_HOME": root})
    os.chdir("/")  # the folder that it was started from may be on a disk that is to be unmounted
    make(place)
    current = Current(place, environ)
    sys.setswitchinterval(SWITCH)
    heap.share()  # before there is a second thread
    apsw.soft_heap_limit(PAGES)
    gc.freeze()  # what was imported stays: looking through it again and again would hold up answers
    asyncio.run(Server(place, current, tell_leaving).serve())


class Server:
    def __init__(self, place: Home, current: Current, tell_leaving: Callable[[], None]) -> None:
        self.home = place
        self.tell_leaving = tell_leaving
        self.current = current
        settings = current.settings
        self.folder = OwnFolder(place)
        self.keeper = Keeper(place, settings, self.folder.is_gone, resting=current.wrong)
        self.embedder = Embedder(place, settings, lambda: bool(self.open or self.keeper.waiting), self.folder.is_gone)
        self.answers = Answers(place, settings)
        self.runner = Runner(place)
        self.tools = ThreadPoolExecutor(1, thread_name_prefix="tools")
        self.started = self.last = time.monotonic()
        self.open = 0
        self.times: deque[float] = deque(maxlen=1000)
        """Milliseconds that the last answers took, silence included."""
        self.leaving = asyncio.Event()
        self.totals = {"messages": 0, "malformed": 0, "unknown": 0, "tools": 0}

    async def serve(self) -> None:
        path = self._socket_path()
        loop = asyncio.get_running_loop()
        listening = lambda: Listening(self._meet, self._refuse, self._count)  # noqa: E731
        server = await loop.create_unix_server(listening, path, backlog=128)
        os.chmod(path, 0o600)  # noqa: PTH101
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self.leaving.set)
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
        await asyncio.to_thread(self.embedder.stop)
        await asyncio.to_thread(self.runner.stop)
        self.answers.close()
        self.tools.shutdown(wait=False, cancel_futures=True)

    def _socket_path(self) -> str:
        path = self.home.socket
        if path.parent != self.home.root:
            with contextlib.suppress(FileExistsError):
                path.parent.mkdir(mode=0o700)
            if not path.parent.is_symlink() and path.parent.stat().st_uid == os.getuid():
                path.parent.chmod(0o700)
            if not is_private(path):
                raise HomeError(
                    "the folder of the daemon's socket", str(path.parent), "is not yours alone",
                    "remove it, or set HARDWON_HOME to a shorter path",
                )  # fmt: skip
        path.unlink(missing_ok=True)  # of a daemon that was killed: we hold the lock, so it is nobody's
        os.umask(0o077)
        return str(path)

    def _remove(self, path: str, inode: int) -> None:
        with contextlib.suppress(OSError):
            if os.stat(path).st_ino == inode:  # noqa: PTH116
                os.unlink(path)  # noqa: PTH108
        if self.home.socket.parent != self.home.root:
            with contextlib.suppress(OSError):  # it has something else in it, or is gone already
                self.home.socket.parent.rmdir()

    async def _until_idle(self, path: str, inode: int) -> None:
        """Until asked to leave, idle for long, or no longer needed: the home is gone, or the socket, so that nobody
        reaches it."""
        while not self.leaving.is_set():
            idle = self.current.settings.daemon.idle_seconds
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.leaving.wait(), min(idle / 4, 15.0))
            try:
                reachable = os.stat(path).st_ino == inode  # noqa: PTH116
            except OSError:
                reachable = False
            if self.folder.is_gone() or not reachable or (not self.open and time.monotonic() - self.last > idle):
                return

    def _count(self, more: int) -> None:
        self.open += more
        self.last = time.monotonic()

    def _record(self, what: str) -> None:
        incidents.record(self.home, self.current.settings, what)

    def _refuse(self, problem: str) -> None:
        self.totals["malformed"] += 1
        self._record(f"message: {problem}")

    async def _meet(self, raw: bytes) -> bytes:
        if self.folder.is_gone():  # there is nothing to answer from, and nowhere to keep anything
            self.leaving.set()
            return b""
        try:
            return await self._handle(message.parse(raw))
        except ValueError as error:
            self._refuse(f"{type(error).__name__}: {error}")
        except Exception as error:  # noqa: BLE001  the host boundary: recorded for doctor, the client goes on
            self._record(f"answer: {type(error).__name__}: {error}")
        return b""

    async def _handle(self, heard: Message) -> bytes:
        if heard.host == "control":
            return self._control(heard.event)
        if heard.host == "mcp":
            return await self._tool(heard)
        self.totals["messages"] += 1
        self._look_at_settings()
        host = clients.messages(heard.host)
        if host is None or not host.knows(heard.event):
            self.totals["unknown"] += 1
            return b""
        if is_newer(heard.version, __version__):  # a newer client: make room for its daemon
            self.leaving.set()
        at = int(time.time() * 1000)
        if self.current.wrong:
            return self._without_settings(host, heard, at)
        began = time.perf_counter()
        if len(heard.payload) < SMALL:
            told = self._heard(host, heard, at)
        else:
            told = await asyncio.to_thread(self._heard, host, heard, at)
        said = await self.answers.to(told, len(heard.payload), heard.limit, at) if heard.limit else Answer()
        if heard.limit:
            self.times.append((time.perf_counter() - began) * 1000)
        self.answers.follow(told)
        told_beside = self.answers.told(told, said)
        self.keeper.put(Work(heard, at, told, self.answers.shown(told, said, at), told_beside, said.handoff))
        self.embedder.nudge()
        return host.speak(heard.event, self._leaving(self._with_notice(told, self._with_line(told, said))))

    def _with_line(self, told: Heard, said: Answer) -> Reply:
        """The person who wants to see it is shown that something was said."""
        if not self.current.settings.recall.show_person:
            return said.reply
        return dataclasses.replace(said.reply, notice=quiet_line.line(told, said))

    def _leaving(self, reply: Reply) -> Reply:
        """A memory may be older than a rule of today."""
        if not (reply.text or reply.stop or reply.ask):
            return reply
        text = shared_redactor(self.current.settings).leaving
        return dataclasses.replace(
            reply, text=text(reply.text), stop=text(reply.stop), ask=text(reply.ask), notice=text(reply.notice)
        )

    def _heard(self, host: clients.Messages, heard: Message, at: int) -> Heard:
        """What a message says, without its secrets where something is looked up by it. What asks for no answer passes
        the border when it is kept: nobody waits for that."""
        told = host.hear(heard.event, heard.payload, at)
        return journal.heard(told, shared_redactor(self.current.settings)) if told.moment else told

    def _without_settings(self, host: clients.Messages, heard: Message, at: int) -> bytes:
        """Nothing of it is kept or looked up: what is wrong in them may be what keeps this project out."""
        if not heard.limit or len(heard.payload) >= SMALL:
            return b""
        return host.speak(heard.event, self._with_notice(host.hear(heard.event, heard.payload, at), Reply()))

    async def _tool(self, heard: Message) -> bytes:
        """A call of an agent. It is answered when it is done: an id that was told is on the disk."""
        self.totals["tools"] += 1
        self._look_at_settings()
        if self.current.wrong:
            return tools.Told(REFUSED, wrong=True).encoded()
        told = await asyncio.get_running_loop().run_in_executor(self.tools, self._call, heard)
        self.embedder.nudge()
        return told

    def _call(self, heard: Message) -> bytes:
        """In the one thread for tools, with a connection for this call: a database that was replaced is noticed."""
        now = int(time.time() * 1000)
        try:
            question = tools.asked(heard.payload)
            if question.until and now > question.until:  # whoever asked has gone on, and was told that it is not known
                self._record(f"{heard.event}: came too late by {now - question.until} ms, was not done")
                return tools.Told("Nothing was done: hardwon came to it too late.", wrong=True).encoded()
            with open_store(self.home, self.current.settings, make=False) as store:
                told = tools.call(store, heard.event, question, now)
                return dataclasses.replace(told, text=store.redactor.leaving(told.text)).encoded()
        except StoreError as error:
            self._record(f"{heard.event}: {error}")
            return tools.Told(f"Nothing was done: {error}", wrong=True).encoded()
        except Exception as error:  # noqa: BLE001  the host boundary: without an answer an agent would wait
            self._record(f"{heard.event}: {type(error).__name__}: {error}")
            return tools.Told(FAILED.format(type(error).__name__), wrong=True).encoded()

    def _with_notice(self, told: Heard, reply: Reply) -> Reply:
        """At the start of a session the person is told when something is wrong, or that there is a newer version."""
        if told.moment is not Moment.SESSION_START:
            return reply
        if self.current.wrong:
            notice = NOTICE
        elif self.keeper.counts.lost or self.answers.unreadable:
            notice = "hardwon: something is wrong with the memory; `hardwon doctor` says what"
        else:
            notice = updates.notice(self.home, self.current.settings.updates)
        return dataclasses.replace(reply, notice=notice) if notice else reply

    def _look_at_settings(self) -> None:
        """What the file says now counts from this message on; the variables stay as they were at the start."""
        if not self.current.has_changed():
            return
        self.keeper.resting = self.current.wrong
        if not self.current.wrong:
            self.keeper.settings = self.embedder.settings = self.answers.settings = self.current.settings

    def _control(self, question: str) -> bytes:
        if question == "leave":
            self.leaving.set()
        elif question == "runner" and not self.leaving.is_set():
            self.runner.start()
        return json.dumps(self._status()).encode()

    def _status(self) -> dict[str, Any]:
        counts = self.keeper.counts
        return {
            "version": __version__,
            "pid": os.getpid(),
            "up_seconds": round(time.monotonic() - self.started, 1),
            "waiting": self.keeper.waiting,
            "settings": "wrong" if self.current.wrong else "ok",
            "sessions": self.answers.under_way,
            "answer_ms": round(statistics.median(self.times), 2) if self.times else None,
            "spooled": spool.count(self.home),
            "kept": counts.kept,
            "lost": counts.lost,
            "learned": counts.learned,
            "last_kept": counts.last_kept,
            "vectors": self.embedder.status(),
            "answers": self.answers.given,
            "late": self.answers.late,
            **self.totals,
        }
