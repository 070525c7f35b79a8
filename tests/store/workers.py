"""workers.py WHAT HOME ...: what the tests do in processes of their own, so that these can race and be killed.

Each says "ready" when everything is loaded and waits for a line, so that several can begin at the same moment.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import random
import select
import signal
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from hardwon.paths import Home
from hardwon.settings import Settings
from hardwon.store import changes
from hardwon.store.connection import open_store
from hardwon.store.erasure import forget
from hardwon.store.errors import StoreError
from hardwon.store.log import copies
from hardwon.store.maintenance import repair
from hardwon.store.tables import memories
from tests.support import draft, now


def main(what: str, home: str, *arguments: str) -> None:
    say("ready")
    sys.stdin.readline()
    WORKERS[what](Home(Path(home)), *arguments)


def say(text: str) -> None:
    """At once and in one piece, so that what was said before a kill is known."""
    os.write(1, text.encode() + b"\n")


def note(home: Home, prefix: str, count: str) -> None:
    """Notes texts and says each id once it was returned."""
    with open_store(home, Settings()) as store:
        for number in range(int(count)):
            say(str(changes.note(store, draft(f"{prefix} number {number} of the lessons"), now()).id))


def note_and_wait(home: Home, prefix: str, count: str) -> None:
    """Notes texts and waits to be killed: nothing is under way, but what was written is still in the WAL."""
    with open_store(home, Settings()) as store:
        for number in range(int(count)):
            say(str(changes.note(store, draft(f"{prefix} number {number} of the lessons"), now()).id))
        sys.stdin.readline()


def note_meanwhile(home: Home, prefix: str, held: str) -> None:
    """Notes texts until told to stop, so many with one connection; says each id that was returned, whatever fails."""
    numbers = itertools.count()
    stopped = False
    while not stopped:
        with contextlib.suppress(StoreError), open_store(home, Settings()) as store:
            for number in itertools.islice(numbers, int(held)):
                say(str(changes.note(store, draft(f"{prefix} number {number} of the lessons"), now()).id))
                time.sleep(0.002)
                if stopped := _told_to_stop():
                    break


def restore_and_die(home: Home, renames: str) -> None:
    """Restores the database; killed just before it renames a file for the so manieth time."""
    left = itertools.count(int(renames), -1)

    def count(event: str, _: object) -> None:
        if event == "os.rename" and next(left) == 1:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(count)
    repair.restore(home, Settings(), now())


def read(home: Home) -> None:
    """Lists again and again, each time with a connection of its own, until told to stop; says how many it saw."""
    seen = looked = 0
    while seen == 0 or not _told_to_stop():
        with open_store(home, Settings(), write=False) as store:
            found, total = memories.listed(store, memories.Filter())
            assert seen <= total <= len(found), f"{seen} memories, then {total}"
            assert len(memories.hits(store, [memory.id for memory in found])) <= len(found)
        seen, looked = total, looked + 1
        time.sleep(0.005)
    say(f"looked {looked} times")


def hold(home: Home, begin: str) -> None:
    """Keeps a transaction open until told to stop."""
    with open_store(home, Settings()) as store:
        store.db.execute(begin)
        store.value("select count(*) from memories")
        say("held")
        sys.stdin.readline()
        store.db.execute("rollback")


def copy(home: Home, count: str) -> None:
    """Takes copies, one after the other."""
    with open_store(home, Settings()) as store:
        for _ in range(int(count)):
            copies.refresh(store)


def _told_to_stop() -> bool:
    return bool(select.select([0], [], [], 0)[0])


def killed_writing(home: Home, rounds: str, seed: str) -> None:
    """Kills writers of its own, one after the other, each in the middle of something, and passes on what they said."""
    moments = random.Random(int(seed))
    for number in range(int(rounds)):
        writer, said = _forked(partial(_write, home, number))
        heard = _hear(said, moments.randrange(5))
        time.sleep(moments.uniform(0, 0.006 if heard else 0.03))
        _kill(writer)
        os.write(1, heard + _rest(said))


def _write(home: Home, number: int) -> None:
    with open_store(home, Settings()) as store:
        for count in range(1_000):
            say(str(changes.note(store, draft(f"writer {number} has learned lesson {count}"), now()).id))
            if count % 3 == 2:
                copies.refresh(store)


STEPS = 20
"""Files under the home that forgetting opens, renames or removes, most of them after the commit."""


def killed_forgetting(home: Home, rounds: str, seed: str, seconds: str) -> None:
    """Kills a process that forgets, now at any moment and now before it touches another file; says what is left to do
    each time."""
    moments = random.Random(int(seed))
    for number in range(int(rounds)):
        sys.stdin.readline()
        with open_store(home, Settings()) as store:
            id = str(changes.note(store, draft(forgotten_text(number)), now()).id)
        if number % 2:
            forgetting, _ = _forked(partial(_forget_and_die, home, id, 2 * number % STEPS))
            os.waitpid(forgetting, 0)
        else:
            forgetting, _ = _forked(partial(_forget, home, id))
            time.sleep(moments.uniform(0, float(seconds)))
            _kill(forgetting)
        with open_store(home, Settings()) as store:
            if memories.get(store, id):
                forget.forget(store, [id], now())
                say("not begun")
            else:
                say("halfway" if store.meta("purge_due") else "done")


def forgotten_text(number: int) -> str:
    return f"The quixotry{number}zephyr must be wound up before the tests"


def _forget(home: Home, id: str) -> None:
    with open_store(home, Settings()) as store:
        forget.forget(store, [id], now())


def _forget_and_die(home: Home, id: str, steps: int) -> None:
    left = itertools.count(steps, -1)

    def count(event: str, given: tuple[object, ...]) -> None:
        touches = event == "open" or event.startswith("os.")
        if touches and str(given[:1]).find(str(home.root)) > 0 and next(left) == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(count)
    _forget(home, id)


def _forked(work: Callable[[], None]) -> tuple[int, int]:
    """A process that does this, and where to read what it says. Forked, because everything is loaded already."""
    said, saying = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(saying, 1)
        try:
            work()
        except BaseException as error:  # noqa: BLE001  this process must end here, whatever happens
            say(f"failed: {error!r}")
        os._exit(0)
    os.close(saying)
    return child, said


def _hear(said: int, lines: int) -> bytes:
    heard = b""
    while heard.count(b"\n") < lines and (piece := os.read(said, 4096)):
        heard += piece
    return heard


def _rest(said: int) -> bytes:
    rest = b"".join(iter(lambda: os.read(said, 4096), b""))
    os.close(said)
    return rest


def _kill(child: int) -> None:
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


WORKERS: dict[str, Callable[..., None]] = {
    "note": note,
    "note_and_wait": note_and_wait,
    "note_meanwhile": note_meanwhile,
    "restore_and_die": restore_and_die,
    "read": read,
    "hold": hold,
    "copy": copy,
    "killed_writing": killed_writing,
    "killed_forgetting": killed_forgetting,
}

if __name__ == "__main__":
    main(*sys.argv[1:])
