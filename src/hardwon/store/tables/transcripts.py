"""How far each transcript was read, so that a second reading goes on where the first one ended."""

from __future__ import annotations

from hardwon.event import Event, EventType
from hardwon.redact.border import clean
from hardwon.store.connection import Store


def read_to(store: Store, path: str) -> int:
    return int(store.value("select read from transcripts where path = ?", (clean(path, store.redactor),)) or 0)


def remember(store: Store, path: str, end: int, now: int) -> None:
    with store.transaction():
        store.db.execute(
            "insert into transcripts (path, read, at) values (?, ?, ?)"
            " on conflict (path) do update set read = excluded.read, at = excluded.at",
            (clean(path, store.redactor), end, now),
        )


def session(store: Store, host: str, id: str) -> Event | None:
    """A session as it is kept, in the form of its end: enough to read its transcript."""
    sql = "select project, cwd, transcript, last_at from sessions where host = ? and id = ?"
    row = store.row(sql, (host, id))
    if row is None:
        return None
    project, cwd, transcript, at = row
    return Event(EventType.TURN_ENDED, host, id, at, project, cwd, transcript=transcript, redacted=True)


def last(store: Store, host: str, project: str | None, most: int) -> list[str]:
    """Those of a project's last sessions, the latest first."""
    rows = store.rows(
        "select transcript from sessions where host = ? and project is ? and transcript <> ''"
        " order by last_at desc limit ?",
        (host, project, most),
    )
    return [path for (path,) in rows]
