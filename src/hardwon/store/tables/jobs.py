"""The queue of what is done in the background: asked for, taken by one, done; or taken again after a crash.

A job is known by its name and what it is about, so that asking twice is asking once. Who takes one gets a lease. While
that lasts nobody else takes it; when it is over, or its process is gone, the job waits again. What a job does must
therefore change nothing when it is done a second time.
"""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from hardwon.memory import Word
from hardwon.redact import border
from hardwon.store.connection import Store

LEASE = 60_000
"""Milliseconds; whoever works longer says so in between."""
TRIES = 5
"""A job that was begun so often and never ended is given up."""
BACK_OFF = 60_000
"""Milliseconds after which a job that failed is tried again; twice as long after each time."""


class State(Word):
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Job:
    row: int
    name: str
    subject: str
    """What it is about, such as a session (`claude-code:ID`); empty where there is only one."""
    state: State
    asked_at: int
    due_at: int
    started_at: int
    ended_at: int
    tries: int
    owner: str
    done: int
    """How far it is, of `total`; both 0 where nobody counts."""
    total: int
    result: Mapping[str, Any]
    """What came of it the last time."""


_COLUMNS = "row, name, subject, state, asked_at, due_at, started_at, ended_at, tries, owner, done, total, result"


def _job(row: tuple[Any, ...]) -> Job:
    return Job(*(*row[:3], State(row[3]), *row[4:-1], json.loads(row[-1] or "{}")))


@cache
def owner() -> str:
    """This process: where it runs, its number, and what no process before it had."""
    return f"{socket.gethostname()}:{os.getpid()}:{os.urandom(4).hex()}"


def ask(store: Store, name: str, subject: str = "", *, at: int, due: int | None = None) -> None:
    """Have it done, once after this moment. In the caller's transaction, so that what it is about is kept with it."""
    bound = {
        "name": name,
        "subject": border.identifier(subject, store.redactor),
        "at": at,
        "due": at if due is None else due,
    }
    with store.transaction():
        store.db.execute(_ASK, bound)


_ASK = """
insert into jobs (name, subject, state, asked_at, due_at) values (:name, :subject, 'waiting', :at, :due)
on conflict (name, subject) do update set
  asked_at = max(asked_at, excluded.asked_at),
  due_at = case state when 'waiting' then min(due_at, excluded.due_at) else excluded.due_at end,
  tries = case state when 'running' then tries else 0 end,
  again = (state = 'running'),
  state = case state when 'running' then 'running' else 'waiting' end
"""


def is_due(store: Store, now: int) -> bool:
    return store.row(f"select 1 from jobs where {_FREE} limit 1", {"now": now, "own": owner()}) is not None


def next_due(store: Store) -> int | None:
    """When the next one that waits is due."""
    found: int | None = store.value("select min(due_at) from jobs where state = 'waiting'")
    return found


def take(store: Store, now: int) -> Job | None:
    """The one that is due longest, for as long as its lease lasts; nobody else gets it meanwhile."""
    if not is_due(store, now):
        _free_the_dead(store, now)
        if not is_due(store, now):
            return None
    with store.transaction():
        store.db.execute(_GIVE_UP, {"now": now, "own": owner(), "tries": TRIES, "result": _text({"failed": GAVE_UP})})
        row = store.row(_TAKE, {"now": now, "own": owner(), "until": now + LEASE})
    return _job(row) if row else None


GAVE_UP = f"it was begun {TRIES} times and never ended"
# Who asks for another one does no longer work at the one before: what it was at failed.
_FREE = """due_at <= :now and
  (state = 'waiting' or (state = 'running' and (lease_until <= :now or owner = :own)))"""
_GIVE_UP = (
    f"update jobs set state = 'failed', ended_at = :now, owner = '', result = :result where {_FREE} and tries >= :tries"
)
_TAKE = f"""
update jobs set state = 'running', owner = :own, lease_until = :until, started_at = :now, tries = tries + 1, again = 0
where row = (select row from jobs where {_FREE} order by due_at, row limit 1) returning {_COLUMNS}
"""


def _free_the_dead(store: Store, now: int) -> None:
    """Those whose process is gone need not wait for the end of its lease."""
    for row, who in store.rows("select row, owner from jobs where state = 'running' and lease_until > ?", (now,)):
        if _is_dead(who):
            with store.transaction():
                store.db.execute("update jobs set lease_until = 0 where row = ? and owner = ?", (row, who))


def _is_dead(who: str) -> bool:
    """Surely gone: a process of this machine whose number nobody has."""
    host, _, rest = who.partition(":")
    number = rest.partition(":")[0]
    if host != socket.gethostname() or not number.isdigit():
        return False
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False


def renew(store: Store, job: Job, now: int, done: int = 0, total: int = 0) -> bool:
    """It is still being done, and so far; False when another has it by now."""
    with store.transaction():
        store.db.execute(
            "update jobs set lease_until = ?, done = ?, total = ? where row = ? and owner = ? and state = 'running'",
            (now + LEASE, done, total, job.row, job.owner),
        )
        return store.db.changes() > 0


def finish(store: Store, job: Job, now: int, result: Mapping[str, Any]) -> bool:
    """It is done, and waits again if it was asked for meanwhile; False when another has it by now."""
    return _end(store, job, _FINISH, {"now": now, "result": _passed(store, result)})


def put_off(store: Store, job: Job, due: int, result: Mapping[str, Any], done: int = 0, total: int = 0) -> bool:
    """A portion of it is done; there is more."""
    return _end(store, job, _PUT_OFF, {"due": due, "result": _passed(store, result), "done": done, "total": total})


def fail(store: Store, job: Job, now: int, why: str) -> bool:
    """It went wrong: it is tried again later, a few times."""
    given_up = job.tries >= TRIES
    state, due = (State.FAILED, 0) if given_up else (State.WAITING, now + BACK_OFF * 2 ** (job.tries - 1))
    bound = {"now": now, "state": state, "due": due, "result": _passed(store, {"failed": why})}
    return _end(store, job, _FAIL, bound)


def _end(store: Store, job: Job, sql: str, bound: dict[str, Any]) -> bool:
    with store.transaction():
        store.db.execute(sql, bound | {"row": job.row, "own": job.owner})
        return store.db.changes() > 0


_FINISH = """
update jobs set state = case again when 0 then 'done' else 'waiting' end, again = 0, owner = '', ended_at = :now,
  tries = 0, done = total, result = :result where row = :row and owner = :own and state = 'running'
"""
_PUT_OFF = """
update jobs set state = 'waiting', again = 0, owner = '', due_at = :due, tries = 0, done = :done, total = :total,
  result = :result where row = :row and owner = :own and state = 'running'
"""
_FAIL = """
update jobs set state = :state, owner = '', ended_at = :now, due_at = :due, result = :result
where row = :row and owner = :own and state = 'running'
"""


def _passed(store: Store, result: Mapping[str, Any]) -> str:
    return _text(border.clean(dict(result), store.redactor))


def _text(result: Mapping[str, Any]) -> str:
    return json.dumps(result, ensure_ascii=False) if result else ""


def waiting(store: Store) -> int:
    """How many are not done yet."""
    return int(store.value("select count(*) from jobs where state in ('waiting', 'running')"))


def listed(store: Store, most: int) -> tuple[list[Job], int]:
    """Those that run or wait first, then the last that ended; and how many there are."""
    rows = store.rows(
        f"select {_COLUMNS} from jobs order by case state when 'running' then 0 when 'waiting' then 1 else 2 end,"
        " max(ended_at, asked_at) desc, row desc limit ?",
        (most,),
    )
    return [_job(row) for row in rows], int(store.value("select count(*) from jobs"))


def drop_session(store: Store, host: str, session: str) -> None:
    """What is known of a session that is forgotten."""
    store.db.execute("delete from jobs where subject = ?", (f"{host}:{session}",))


def prune(store: Store, before: int) -> None:
    """Of those that ended long ago nothing is kept."""
    with store.transaction():
        store.db.execute("delete from jobs where state in ('done', 'failed') and ended_at < ?", (before,))
