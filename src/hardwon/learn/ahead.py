"""Reading ahead: what the files of past sessions tell, portion by portion, in the order in which they are wanted.

To parse and to redact takes as long as to write and to learn, and needs nothing of what these do. So where there is
much to read, and a second processor free, another process does it and hands over what is ready through a pipe. The pipe
is short: nobody is far ahead, and nobody holds much. What passes through it is redacted already.
"""

from __future__ import annotations

import contextlib
import dataclasses
import fcntl
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import IO, Any, Protocol

from hardwon.clients import past_sessions
from hardwon.clients.logs import Log as Record
from hardwon.event import Event
from hardwon.learn.placing import Places
from hardwon.learn.transcripts import Portion, portions
from hardwon.regular_file import status
from hardwon.store.connection import Store, open_store
from hardwon.store.errors import StoreError
from hardwon.store.tables.journal import Entry

MUCH = 60_000_000
"""Bytes from which on a second process is worth its start, and what passing everything on takes."""
PIPE = 1_048_576
"""Bytes that may wait in the pipe: some portions."""


@dataclass(frozen=True, slots=True)
class File:
    """One that is to be read, and from where on."""

    client: str
    path: Path
    offset: int
    folder: str
    """That of its session, for events that tell of none."""


class Reader(Protocol):
    """Who reads the files, one after the other."""

    def read(self, file: File) -> Iterator[Portion | int]:
        """What is new in it; the last is how far it was read."""


class Ended(StoreError):
    """The process that reads is gone."""


@contextlib.contextmanager
def reader(store: Store, files: Sequence[File], *, apart: bool | None = None) -> Iterator[Reader]:
    """Reads these files, in this order; `apart`: in a process of its own, None where it is worth it."""
    if apart is None:
        apart = store.on_disk and _size(files) >= MUCH and one_is_free()
    if not apart:
        yield _Here(store)
        return
    command = [sys.executable, "-E", "-P", "-m", "hardwon.learn.ahead"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        try:
            yield _There(process, store, files)
        finally:
            process.kill()  # it has written nothing that could be left half done


def one_is_free() -> bool:
    """Whether a second processor waits for work: else two processes only take each other's time."""
    processors = os.cpu_count() or 1
    try:
        return processors > 1 and os.getloadavg()[0] < processors
    except OSError:
        return processors > 1


def _size(files: Sequence[File]) -> int:
    return sum(max(0, size(file.path) - file.offset) for file in files)


def size(path: Path) -> int:
    """Bytes; none where the file is gone since it was listed."""
    found = status(path)
    return found.st_size if found else 0


class _Here:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._places = Places(store)

    def read(self, file: File) -> Iterator[Portion | int]:
        log = _Placed(past_sessions.opened(file.client, file.path), file.folder)
        yield from portions(self._store, self._places, log, file.offset)
        yield log.end


class _There:
    """The other end of the pipe."""

    def __init__(self, process: subprocess.Popen[bytes], store: Store, files: Sequence[File]) -> None:
        self._process = process
        assert process.stdin
        assert process.stdout
        self._pipe: IO[bytes] = process.stdout
        with contextlib.suppress(OSError, AttributeError):  # only Linux can
            fcntl.fcntl(self._pipe, fcntl.F_SETPIPE_SZ, PIPE)
        with contextlib.suppress(BrokenPipeError), process.stdin as pipe:
            pickle.dump((store.home, store.settings, list(files)), pipe)

    def read(self, file: File) -> Iterator[Portion | int]:
        while True:
            try:
                told = pickle.load(self._pipe)  # from our own process
            except EOFError:
                raise Ended(
                    f"The process that reads sessions ended at {file.path} (exit status {self._process.wait()}). "
                    "What was read before is kept; `hardwon learn` goes on from there."
                ) from None
            if isinstance(told, Exception):
                raise told
            if isinstance(told, int):
                yield told
                return
            yield _unpacked(told)


_FIELDS = attrgetter(*(field.name for field in dataclasses.fields(Event)))


def _packed(portion: Portion) -> tuple[list[tuple[Any, ...]], tuple[Any, ...]]:
    """As plain tuples, which pass in a third of the time."""
    entries = [(*_FIELDS(one.event), one.tier, one.cwd, one.transcript) for one in portion.entries]
    return entries, (portion.begin, portion.end, portion.events, portion.text, portion.sessions)


def _unpacked(packed: tuple[list[tuple[Any, ...]], tuple[Any, ...]]) -> Portion:
    entries, about = packed
    return Portion([Entry(Event(*entry[:-3]), *entry[-3:]) for entry in entries], *about)


class _Placed:
    """A log whose events, where they tell of no folder, belong to the one of their session."""

    def __init__(self, log: Record, folder: str) -> None:
        self._log = log
        self._folder = folder
        self.path = log.path

    @property
    def end(self) -> int:
        return self._log.end

    def portions(self, offset: int = 0) -> Iterator[list[Event]]:
        for events in self._log.portions(offset):
            yield [
                event
                if event.cwd
                else dataclasses.replace(event, cwd=self._folder, transcript=event.transcript or str(self.path))
                for event in events
            ]


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for who started us, and ends us
    home, settings, files = pickle.load(sys.stdin.buffer)
    pipe = sys.stdout.buffer
    with contextlib.suppress(BrokenPipeError), open_store(home, settings) as store:
        here = _Here(store)
        try:
            for file in files:
                _hand_over(here, file, pipe)
        except StoreError as error:
            pickle.dump(error, pipe)
            pipe.flush()


def _hand_over(here: _Here, file: File, pipe: IO[bytes]) -> None:
    """What a file tells; where it can't be read, why, and the next one follows."""
    try:
        for told in here.read(file):
            pickle.dump(told if isinstance(told, int) else _packed(told), pipe, pickle.HIGHEST_PROTOCOL)
            pipe.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        pickle.dump(error, pipe)
        pipe.flush()


if __name__ == "__main__":
    main()
