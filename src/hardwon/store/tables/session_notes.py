"""What sessions leave for the next one: summaries, checkpoints, snapshots. Made from the journal, never synced.

They are derived: making one again gives the same. What is forgotten takes the notes that quote it along; these are made
again from what the journal still has.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from hardwon.store.connection import Store
from hardwon.text import handover
from hardwon.text.handover import Handover

CONDENSED = 120
"""Characters of a field of an old note."""
MOST_LATE = 5
"""Sessions whose notes are made up at once."""


class NoteKind(StrEnum):
    SUMMARY = "summary"
    CHECKPOINT = "checkpoint"
    SNAPSHOT = "snapshot"


@dataclass(frozen=True, slots=True)
class Note:
    """One note, with the session that it is of."""

    host: str
    session: str
    kind: NoteKind
    number: int
    at: int
    branch: str
    content: Handover
    project: str = ""
    before: str = ""
    """The session before it."""
    started_at: int = 0
    ended: bool = True
    """Whether its client told of its end."""
    is_condensed: bool = False


def keep(store: Store, note: Note) -> None:
    """Write it, or write it anew."""
    content = json.dumps(note.content.as_dict(), ensure_ascii=False)
    with store.transaction():
        row = store.value("select row from sessions where host = ? and id = ?", (note.host, note.session))
        if row is not None:
            store.db.execute(_KEEP, (row, note.kind, note.number, note.at, note.branch, row, content))


_KEEP = """
insert into session_notes (session, kind, number, at, branch, before, content)
values (?, ?, ?, ?, ?, (
  select b.row from sessions s
  join sessions b on b.project = s.project and b.row <> s.row and b.started_at < s.started_at
  where s.row = ? order by b.started_at desc limit 1
), ?)
on conflict (session, kind, number) do update set
  at = excluded.at, content = excluded.content, condensed = 0,
  branch = case excluded.branch when '' then branch else excluded.branch end
"""

_NOTES = """
select s.host, s.id, n.kind, n.number, n.at, n.branch, n.content, coalesce(s.project, ''), coalesce(b.id, ''),
  s.started_at, exists (select 1 from journal j where j.session = s.row and j.type = 'session_ended'), n.condensed
from session_notes n join sessions s on s.row = n.session left join sessions b on b.row = n.before
"""


def _notes(store: Store, rest: str, values: tuple[object, ...]) -> list[Note]:
    return [
        Note(host, session, NoteKind(kind), number, at, branch, handover.of_dict(json.loads(content)), project, before,
             started, bool(ended), bool(condensed))
        for host, session, kind, number, at, branch, content, project, before, started, ended, condensed
        in store.rows(f"{_NOTES} {rest}", values)
    ]  # fmt: skip


def of_session(store: Store, host: str, session: str) -> list[Note]:
    """The newest first."""
    return _notes(store, "where s.host = ? and s.id = ? order by n.at desc, n.row desc", (host, session))


def listed(store: Store, project: str | None, limit: int) -> list[Note]:
    """The newest note of each session, the last session first; of all projects when none is named."""
    newest = (
        "where n.row = (select row from session_notes where session = s.row"
        " order by kind = 'summary' desc, at desc limit 1)"
    )
    if project is None:
        return _notes(store, f"{newest} order by s.last_at desc limit ?", (limit,))
    return _notes(store, f"{newest} and s.project = ? order by s.last_at desc limit ?", (project, limit))


def found(store: Store, project: str | None, words: Iterable[str], limit: int) -> list[Note]:
    """Those that have all of these words, in any field."""
    wanted = [f"%{word}%" for word in words]
    clauses = " and ".join("n.content like ?" for _ in wanted) or "1"
    where, values = ("", ()) if project is None else (" and s.project = ?", (project,))
    notes = _notes(store, f"where {clauses}{where} order by n.at desc limit ?", (*wanted, *values, limit * 4))
    first = {(one.host, one.session): one for one in reversed(notes)}
    return sorted(first.values(), key=lambda one: -one.at)[:limit]


@dataclass(frozen=True, slots=True)
class Left:
    """A session that went on after its last summary, or never had one."""

    host: str
    session: str
    last_at: int
    transcript: str
    cwd: str
    ended: bool


def left(store: Store, project: str, besides: tuple[str, str], most: int = MOST_LATE) -> list[Left]:
    """The last sessions of a project; the newest first."""
    rows = store.rows(_LEFT, (project, *besides, most))
    return [Left(host, id, at, transcript, cwd, bool(ended)) for host, id, at, transcript, cwd, ended in rows]


_LEFT = """
select s.host, s.id, s.last_at, s.transcript, s.cwd,
  exists (select 1 from journal j where j.session = s.row and j.type = 'session_ended')
from sessions s
where s.project = ? and not (s.host = ? and s.id = ?)
  and exists (select 1 from journal j where j.session = s.row and j.type = 'prompt_submitted')
  and s.last_at > coalesce((select max(at) from session_notes where session = s.row and kind = 'summary'), 0)
order by s.last_at desc limit ?
"""


def last_session(store: Store, project: str, besides: tuple[str, str]) -> Left | None:
    """The one before this in the project, if a person said anything in it."""
    rows = store.rows(_LAST, (project, *besides))
    return next((Left(host, id, at, file, cwd, bool(ended)) for host, id, at, file, cwd, ended in rows), None)


_LAST = """
select s.host, s.id, s.last_at, s.transcript, s.cwd,
  exists (select 1 from journal j where j.session = s.row and j.type = 'session_ended')
from sessions s
where s.project = ? and not (s.host = ? and s.id = ?)
  and (exists (select 1 from journal j where j.session = s.row and j.type = 'prompt_submitted')
    or exists (select 1 from session_notes n where n.session = s.row))
order by s.last_at desc limit 1
"""


def is_known(store: Store, host: str, session: str) -> bool:
    return store.row("select 1 from sessions where host = ? and id = ?", (host, session)) is not None


def last_at(store: Store, host: str, session: str) -> int:
    """When something last happened in it, as far as its notes go by that."""
    return int(store.value("select last_at from sessions where host = ? and id = ?", (host, session)) or 0)


def prompts(store: Store, host: str, session: str) -> int:
    """How often the person has spoken in a session."""
    return int(store.value(_PROMPTS, (host, session)) or 0)


_PROMPTS = """
select count(*) from journal j join sessions s on s.row = j.session
where s.host = ? and s.id = ? and j.type = 'prompt_submitted' and j.agent = ''
"""


def condense(store: Store, project: str) -> int:
    """What is beyond the number of notes that stay in full keeps its goal and what was open; how many that are."""
    settings = store.settings.sessions
    done = 0
    for kinds, most in ((("summary",), settings.summaries), (("checkpoint", "snapshot"), settings.checkpoints)):
        marks = ", ".join("?" * len(kinds))
        rows = store.rows(_OLD.format(kinds=marks), (project, *kinds, most))
        with store.transaction():
            for row, content in rows:
                short = json.dumps(_short(handover.of_dict(json.loads(content))).as_dict(), ensure_ascii=False)
                store.db.execute("update session_notes set content = ?, condensed = 1 where row = ?", (short, row))
        done += len(rows)
    return done


_OLD = """
select n.row, n.content from (
  select n.row, n.content, n.condensed from session_notes n join sessions s on s.row = n.session
  where s.project = ? and n.kind in ({kinds}) order by n.at desc limit -1 offset ?
) n where not n.condensed
"""


def _short(one: Handover) -> Handover:
    def cut(items: tuple[str, ...], most: int) -> tuple[str, ...]:
        return tuple(item[:CONDENSED] for item in items[:most])

    return Handover(one.goal[:CONDENSED], cut(one.done, 1), cut(one.failing, 1), cut(one.next, 1), (),
                    cut(one.decisions, 2), cut(one.files, 5))  # fmt: skip


def forget_session(store: Store, row: int) -> None:
    store.db.execute("delete from session_notes where session = ?", (row,))
    store.db.execute("update session_notes set before = null where before = ?", (row,))
    store.db.execute("update handoffs set session = null where session = ?", (row,))


def cut(store: Store, holds: Callable[[str], bool]) -> int:
    """Take out the notes that have anything of what is forgotten; they are made again from what is left."""
    gone = [row for row, content in store.rows("select row, content from session_notes") if holds(content)]
    store.db.executemany("delete from session_notes where row = ?", [(row,) for row in gone])
    return len(gone)
