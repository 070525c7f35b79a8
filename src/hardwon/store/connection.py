"""One SQLite file, opened the same way by everybody.

WAL with one writer at a time (`begin immediate`) and any number of readers. The first open of a home and every
migration happen under a file lock, so that twenty processes can start on a folder that does not exist yet. Never
open the database file by other means while connected: closing such a handle drops SQLite's locks.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NoReturn, TypeVar, cast
from weakref import WeakValueDictionary

import apsw

from hardwon import paths
from hardwon.paths import Home
from hardwon.redact import Redactor
from hardwon.settings import Settings
from hardwon.store import migrate, opening
from hardwon.store.clock import tick
from hardwon.store.errors import RuleUnusable, StoreDamaged, StoreReadOnly, StoreReplaced, explain, is_damage
from hardwon.store.log import copy_file, redo
from hardwon.store.strict import is_strict

Bindings = Sequence[Any] | dict[str, Any]
T = TypeVar("T")


class Beside(dict[tuple[str, ...], Any]):
    """What is kept in memory beside a database by all who read it, such as a matrix of vectors: it goes when the last
    connection of this process to that file is closed."""

    def only(self, kind: str, device: str, model: str, make: Callable[[str], T]) -> T:
        """The one of a kind. One of another model goes, and one of another device: that was a database in the same
        place."""
        key = (kind, device, model)
        known: T | None = self.get(key)
        made = known if known is not None else make(model)  # outside of the lock: it may import numpy
        with _MEETING:
            for other in [one for one in self if one[0] == kind and one != key]:
                del self[other]
            return cast("T", self.setdefault(key, made))


_BESIDE: WeakValueDictionary[str, Beside] = WeakValueDictionary()
_MEETING = threading.Lock()


def _beside(file: str) -> Beside:
    """The one of this file; a database that is no file shares nothing."""
    if not file:
        return Beside()
    with _MEETING:
        return _BESIDE.setdefault(file, Beside())


class Store:
    """A connection with what every write needs: the device, the clock, the redaction, the redo log."""

    def __init__(
        self,
        db: apsw.Connection,
        home: Home,
        settings: Settings,
        *,
        writable: bool = True,
        inode: int = 0,
        as_it_was: tuple[int, ...] = (),
    ) -> None:
        self.db = db
        self.home = home
        self.settings = settings
        self.writable = writable
        self.by_hand = True
        """False in the daemon: `undo` takes back what was commanded, not what was learned meanwhile."""
        self.common_words: set[tuple[str, int]] = set()
        """Words, and a number of memories in which each stands at least; see `search_index.frequency`."""
        self.beside = _beside(db.filename)
        self.redactor = redactor_of(settings)
        self.is_strict = is_strict()
        self.on_disk = bool(db.filename)
        self._inode = inode
        self._as_it_was = as_it_was
        self.device = self.meta("device") or ""
        self._lines: list[dict[str, Any]] = []
        self._sequence = self._clock = self._action = 0

    @property
    def is_gone(self) -> bool:
        """Whether the file that is open is no longer the one in this place: it was removed, or restored; or it was
        read as unchanging, and has changed."""
        if self._as_it_was and opening.looks(str(self.home.database)) != self._as_it_was:
            return True
        return self.on_disk and _inode(self.home) != self._inode

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing. Inside another transaction it is part of that one."""
        if self.db.in_transaction:
            yield
            return
        if not self.writable:
            raise StoreReadOnly(f"{self.home.database} can't be written (read-only folder); nothing was changed.")
        try:
            self.db.execute("begin immediate")
            self._start()
            yield
            self._commit()
        except BaseException as error:
            if self.db.in_transaction:
                self.db.execute("rollback")
            if isinstance(error, apsw.Error):
                raise explain(error, str(self.home.database)) from error
            raise

    def _commit(self) -> None:
        """The redo log first, while no other writer can cut it: see redo.py."""
        self._refuse_if_gone()
        if not (self.on_disk and self._lines):
            self.db.execute("commit")
            return
        before = redo.size(self.home)
        redo.append(self.home, self._lines)
        after = redo.size(self.home)
        try:
            self._refuse_if_gone()  # lines written before a file is replaced are read after that: see repair.py
            self.db.execute("commit")
        except (apsw.Error, StoreReplaced):
            self._take_back_lines(before, after)
            raise

    def _refuse_if_gone(self) -> None:
        if self.is_gone:
            raise StoreReplaced(
                f"{self.home.database} was removed or restored while it was in use; nothing was written. Try again."
            )

    def _take_back_lines(self, before: int, after: int) -> None:
        """What was not committed shall not come back from the redo log, unless another has written behind it since:
        on a full disk SQLite itself ends the transaction, and lets go of the lock."""
        with contextlib.suppress(apsw.Error):
            if not self.db.in_transaction:
                self.db.execute("begin immediate")
            if redo.size(self.home) == after:
                redo.cut_back(self.home, before)

    def _start(self) -> None:
        self._lines = []
        self._action = 0
        self._sequence = self.value("select max(sequence) from records where device = ?", (self.device,)) or 0
        self._clock = self.value("select max(clock) from records") or 0

    def rows(self, sql: str, bindings: Bindings = ()) -> list[tuple[Any, ...]]:
        try:
            return self.db.execute(sql, bindings).fetchall()
        except apsw.Error as error:
            self._fail(error)

    def row(self, sql: str, bindings: Bindings = ()) -> tuple[Any, ...] | None:
        try:
            found: tuple[Any, ...] | None = self.db.execute(sql, bindings).fetchone()
        except apsw.Error as error:
            self._fail(error)
        return found

    def value(self, sql: str, bindings: Bindings = ()) -> Any:
        try:
            return self.db.execute(sql, bindings).get
        except apsw.Error as error:
            self._fail(error)

    def _fail(self, error: apsw.Error) -> NoReturn:
        """Damage is one thing for all who read; what may pass, such as a lock, is for the caller to judge."""
        if is_damage(error):
            raise explain(error, str(self.home.database)) from error
        raise error

    def next_sequence(self) -> int:
        self._sequence += 1
        return self._sequence

    def next_clock(self, now: int) -> int:
        self._clock = tick(self._clock, now)
        return self._clock

    def action(self, sequence: int) -> int:
        """The number that all records of the running transaction share; negative for what nobody asked for."""
        self._action = self._action or (sequence if self.by_hand else -sequence)
        return self._action

    def remember_line(self, line: dict[str, Any]) -> None:
        """Write this line to the redo log when the transaction commits."""
        self._lines.append(line)

    def meta(self, key: str) -> str | None:
        found: str | None = self.value("select value from meta where key = ?", (key,))
        return found

    def set_meta(self, key: str, value: str) -> None:
        self.db.execute("insert or replace into meta (key, value) values (?, ?)", (key, value))

    def add_former_device(self, device: str) -> None:
        """What this device did was done here: `undo` reaches it."""
        former = (self.meta("former_devices") or "").split()
        self.set_meta("former_devices", " ".join(dict.fromkeys((*former, device))).strip())

    def close(self) -> None:
        self.beside = Beside()
        self.db.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def redactor_of(settings: Settings, *, slow_too: bool = False) -> Redactor:
    """The rules with what the settings add to them."""
    try:
        return Redactor(
            own_rules=[(rule.name, rule.pattern) for rule in settings.redact.rules],
            emails=settings.redact.emails,
            user_names=settings.redact.user_names,
            max_chars=settings.redact.max_chars,
            slow_too=slow_too,
        )
    except ValueError as error:
        raise RuleUnusable(
            f"{error}. Nothing is read or kept until it is mended: `hardwon config show` says where redact.rules is "
            "set, `hardwon config unset redact.rules` takes it out of hardwon.toml."
        ) from error


@lru_cache(maxsize=2)
def shared_redactor(settings: Settings) -> Redactor:
    """The same for who has no store at hand. Trying out the user's rules takes longer than a line of a log; one that is
    refused as slow counts all the same: it may be what the line is about."""
    return redactor_of(settings, slow_too=True)


def open_store(home: Home, settings: Settings, *, write: bool = True, make: bool = True) -> Store:
    """The home's store. Reading a home that does not exist yet makes nothing on the disk; with `make` off writing does
    not make its folder either, which is for the daemon: its home may have been removed while it runs."""
    if not _exists(home):
        # Asked in this order: the first process in a new home may be making both just now, the file first.
        if _has_copies(home) and not _exists(home):
            raise _lost(home)
        if not write:
            return _empty_store(home, settings)
    if write:
        if make:
            paths.make(home)
        elif not home.root.is_dir():
            raise StoreReplaced(f"{home.root} was removed while it was in use; nothing was written.")
        opening.create_private(str(home.database))
    inode = _inode(home)  # before it is opened: what takes its place from now on is another one
    try:
        opened = opening.connect(str(home.database), settings, write)
    except apsw.Error as error:
        raise explain(error, str(home.database)) from error
    try:
        _prepare(opened.db, home)
        store = Store(opened.db, home, settings, writable=opened.writable, inode=inode, as_it_was=opened.as_it_was)
        if opened.writable and write:
            _claim_device(store)
        return store
    except BaseException as error:
        opened.db.close()
        if isinstance(error, apsw.Error):
            raise explain(error, str(home.database)) from error
        raise


def _exists(home: Home) -> bool:
    return os.path.exists(home.database)  # noqa: PTH110


def _inode(home: Home) -> int:
    """Tells one file in this place from another; 0 for none."""
    try:
        return os.stat(home.database).st_ino  # noqa: PTH116
    except OSError:
        return 0


def _has_copies(home: Home) -> bool:
    return any(home.copies.glob("*.db")) or not redo.is_empty(home)


def _lost(home: Home) -> StoreDamaged:
    """A new file must not take the place of one that was lost."""
    return StoreDamaged(
        f"{home.database} is gone or empty, but there are copies of it: `hardwon doctor --fix` restores it. "
        f"To begin anew instead, remove {home.copies}, and the markdown files in skills and global beside it."
    )


def _empty_store(home: Home, settings: Settings) -> Store:
    db = apsw.Connection("")
    migrate.migrate(db, before_each=lambda _: None)
    return Store(db, home, settings, writable=False)


def _prepare(db: apsw.Connection, home: Home) -> None:
    if migrate.applied(db) < migrate.NEWEST:
        with locked(home):
            if not migrate.applied(db) and _has_copies(home):
                raise _lost(home)
            _migrate(db, home)
    migrate.check_readable(db, str(home.database))


def _migrate(db: apsw.Connection, home: Home) -> None:
    if not migrate.applied(db):
        db.execute("pragma auto_vacuum = incremental")  # before anything is in the file: see shrink.py
    db.execute("pragma journal_mode = wal")
    migrate.migrate(db, before_each=lambda each: copy_file.take(db, home, f"before-{each.number:04}"))


@contextlib.contextmanager
def locked(home: Home) -> Iterator[None]:
    """Alone in this home, across processes; the operating system lets go of it when the process dies."""
    handle = os.open(home.lock, os.O_CREAT | os.O_RDWR, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _claim_device(store: Store) -> None:
    """This home's device id; a new one when the file was copied or restored, so that sequences never collide."""
    mark = _device_mark(store.home)
    if store.device and store.meta("device_mark") == mark:
        return
    with store.transaction():
        if store.meta("device_mark") != mark:
            store.add_former_device(store.device)
            store.set_meta("device", os.urandom(8).hex())
            store.set_meta("device_mark", mark)
        store.device = store.meta("device") or ""
        store.remember_line({"type": "device", "device": store.device})


def _device_mark(home: Home) -> str:
    """Changes when the database file is copied to another place or machine, not when its folder is renamed."""
    machine = ""
    for path in ("/etc/machine-id", "/var/lib/dbus/machine-id"):
        with contextlib.suppress(OSError), open(path, encoding="utf-8") as file:  # noqa: PTH123
            machine = file.read().strip()
            break
    return f"{machine}:{_inode(home)}"
