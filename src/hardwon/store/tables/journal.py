"""The journal: what happened in sessions, normalised and redacted, kept for a time and never synced."""

from __future__ import annotations

import dataclasses
import json
import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from hardwon.event import Event, EventType, Heard, Tier
from hardwon.redact import Redactor, border
from hardwon.store import belt, control, projects
from hardwon.store.connection import Store
from hardwon.store.maintenance import retention
from hardwon.text import exploration, tiers
from hardwon.text.exploration import AGAIN, Look


@dataclass(frozen=True, slots=True)
class Entry:
    """An event as it is kept: without secrets, as long as its tier allows. Only `prepared` makes them."""

    event: Event
    tier: Tier
    cwd: str
    transcript: str


def append(store: Store, event: Event, tier: Tier) -> bool:
    """Keep one event; False when it is known already, not worth a line, or not to be kept here and now."""
    return bool(append_many(store, [(event, tier)]))


def append_many(store: Store, events: Iterable[tuple[Event, Tier]]) -> list[Event]:
    """Keep several events, in one transaction; those that were new."""
    entries = prepared(store, events)
    return write(store, entries) if entries else []


def prepared(store: Store, events: Iterable[tuple[Event, Tier]]) -> list[Entry]:
    """What is to be kept of these, redacted: the long part, done before the database is locked for writing."""
    keeping = control.keeping(store)
    excluded: dict[tuple[str | None, str], bool] = {}
    cleaned: dict[str, str] = {}
    entries = []
    for event, tier in events:
        if tier is Tier.NOTHING or not keeping(event.at):
            continue
        place = (event.project, event.cwd)
        if place not in excluded:
            reason = control.excluded(store.settings, _project_name(store, event), event.cwd)
            excluded[place] = reason is not None
        if excluded[place]:
            continue
        for path in (event.cwd, event.transcript):
            if path not in cleaned:
                cleaned[path] = border.clean(path, store.redactor)
        kept = storable(store, event, tier)
        if not event.redacted:
            _report(store, event, tier)
        entries.append(Entry(kept, tier, cleaned[event.cwd], cleaned[event.transcript]))
    return entries


def _report(store: Store, event: Event, tier: Tier) -> None:
    """An event that passed no border holds nothing that one would have taken out."""
    about = {"its target": event.target, "its error": event.error}
    about["its text"] = "" if tier is Tier.FACT else event.text
    belt.report(store, event.type, border.found(border.plain(about), store.redactor))


def _check(store: Store, entry: Entry) -> None:
    """For tests: every field as it will stand there. A text that was cut may look random at the cut."""
    texts = (entry.event.target, entry.event.text, entry.event.error, entry.cwd, entry.transcript)
    ids = (entry.event.session, entry.event.agent, entry.event.prompt, entry.event.call, entry.event.tool)
    found = border.found({"a field of it": [*texts, *ids]}, store.redactor)
    belt.report(store, entry.event.type, [one for one in found if one[1] != border.UNEXPLAINED])


def write(store: Store, entries: Sequence[Entry]) -> list[Event]:
    """Those that were new. Nothing of a time from which events were removed, and no second look at the same."""
    with store.transaction():
        removed = {name: retention.removed_to(store, *name) for name in {_name(entry) for entry in entries}}
        entries = [entry for entry in entries if entry.event.at > removed[_name(entry)]]
        sessions = {name: _session(store, some) for name, some in _by_session(entries).items()}
        doubtful = _doubtful(store, entries, len(sessions))
        new = (one for one in entries if not (one.event.key in doubtful and _is_elsewhere(store, one.event)))
        return [entry.event for entry in new if _written(store, entry, sessions[_name(entry)])]


def _by_session(entries: Sequence[Entry]) -> dict[tuple[str, str], list[Entry]]:
    found: dict[tuple[str, str], list[Entry]] = {}
    for entry in entries:
        found.setdefault(_name(entry), []).append(entry)
    return found


def _name(entry: Entry) -> tuple[str, str]:
    return entry.event.host, entry.event.session


def _written(store: Store, entry: Entry, session: int) -> bool:
    event = entry.event
    if store.is_strict:
        _check(store, entry)
    if entry.tier is Tier.FACT and _is_seen(store, event, session):
        return False
    about = (event.at, event.agent, event.prompt, event.call, event.tool)
    texts = (event.target, event.text, event.exit_status, event.error, event.origin)
    store.db.execute(_INSERT, (session, event.key, event.type, entry.tier, *about, *texts))
    if store.db.changes() > 0:
        return True
    if event.origin and event.type is EventType.PROMPT_SUBMITTED:  # no hook says who wrote a prompt
        store.db.execute(_WHO_WROTE_IT, (event.origin, session, event.key))
    return False


def _is_seen(store: Store, event: Event, session: int) -> bool:
    """Whether this was looked at shortly before. If not, looks shortly after it that came first make room for it."""
    place = (session, event.target, event.tool, event.agent, event.at - AGAIN, event.at + AGAIN, event.key)
    near = [Look(*row) for row in store.rows(_NEAR, place)]
    if not near:
        return False
    kept = exploration.kept([*near, Look(event.at, event.key)])
    gone = [look.key for look in near if look.key not in kept]
    if event.key not in kept:
        gone.append(event.key)  # believed to have been denied, until now
    store.db.executemany(_NOT_WORTH, [(session, key) for key in gone])
    return event.key not in kept


_NEAR = """
select at, key from journal
where session = ? and target = ? and tier = 'L' and tool = ? and agent = ? and at > ? and at < ? and key <> ?
"""
_NOT_WORTH = """
delete from journal
where session = ? and key = ? and (tier = 'L' or (type = 'tool_failed' and exit_status is null))
"""

SHORTEST_ID = 16
"""Characters of an id that no two sessions can have by chance."""


def _is_elsewhere(store: Store, event: Event) -> bool:
    """Whether another session has it: a fork's transcript repeats its parent's, with the same ids."""
    id = event.call or event.prompt
    if len(id) < SHORTEST_ID or not event.key.endswith(id):
        return False
    return store.row(_ELSEWHERE, (event.key, event.tool, event.host, event.session)) is not None


_ELSEWHERE = """
select 1 from journal j join sessions s on s.row = j.session
where j.key = ? and j.tool = ? and s.host = ? and s.id <> ? limit 1
"""


def _doubtful(store: Store, entries: Sequence[Entry], sessions: int) -> set[str]:
    """Keys that another session may have, asked once for all: those that are known, and any if several are written."""
    keys = [entry.event.key for entry in entries]
    if sessions > 1:
        return set(keys)
    sql = "select key from journal where key in (select value from json_each(?))"
    return {key for (key,) in store.rows(sql, (json.dumps(keys),))}


# A call that a batch told of and nothing else was believed to have been denied: who knows how it ended knows more.
_INSERT = """
insert into journal
  (session, key, type, tier, at, agent, prompt, call, tool, target, text, exit_status, error, origin)
values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
on conflict (session, key) do update set
  type = excluded.type, tier = excluded.tier, at = excluded.at, target = excluded.target,
  text = excluded.text, exit_status = excluded.exit_status, error = excluded.error
where journal.type = 'tool_failed' and journal.exit_status is null
  and (excluded.type = 'tool_finished' or excluded.exit_status is not null)
"""
_WHO_WROTE_IT = """
update journal set origin = ? where session = ? and key = ? and type = 'prompt_submitted' and origin = ''
"""


def _project_name(store: Store, event: Event) -> str:
    project = projects.get(store, event.project) if event.project else None
    return project.name if project else ""


def passed(event: Event, redactor: Redactor, tier: Tier) -> Event:
    """The border of what happens in sessions: without its secrets. Of a look nothing but its size is ever kept."""
    if event.redacted:
        return event
    if tier is Tier.FACT:
        event = dataclasses.replace(event, text=tiers.measure(event.text))
    return border.clean_event(event, redactor)


def heard(told: Heard, redactor: Redactor) -> Heard:
    """The same for a message that is to be answered."""
    events = tuple(passed(event, redactor, tiers.tier(tiers.as_done(event))) for event in told.events)
    return dataclasses.replace(told, events=events)


def storable(store: Store, event: Event, tier: Tier) -> Event:
    """The event as it is kept: without secrets, as long as its tier allows. Redacted first and then cut, so that no
    half of a secret is left that no rule would know."""
    event = passed(event, store.redactor, tier)
    longest = tiers.longest(event, tier)
    target = tiers.clip(event.target, tiers.LONGEST_TARGET)
    text = event.text if tier is Tier.FACT else _cut(event.text, longest)
    error = _cut(event.error, longest)
    if (target, text, error) == (event.target, event.text, event.error):
        return event
    return dataclasses.replace(event, target=target, text=text, error=error)


def _cut(text: str, longest: int) -> str:
    return tiers.clip(text, longest) if longest else ""


def _session(store: Store, entries: Sequence[Entry]) -> int:
    """The row of the one session that these are of."""
    first = entries[0]
    times = [entry.event.at for entry in entries]
    project = next((entry.event.project for entry in entries if entry.event.project), None)
    about = (first.event.host, first.event.session, project, first.cwd, first.transcript)
    ((row,),) = store.rows(_SESSION, (*about, min(times), max(times)))
    return int(row)


_SESSION = """
insert into sessions (host, id, project, cwd, transcript, started_at, last_at) values (?, ?, ?, ?, ?, ?, ?)
on conflict (host, id) do update set
  started_at = min(started_at, excluded.started_at),
  last_at = max(last_at, excluded.last_at),
  thinned = case when excluded.last_at > last_at then 0 else thinned end,
  project = coalesce(project, excluded.project),
  transcript = case transcript when '' then excluded.transcript else transcript end
returning row
"""


def of_session(store: Store, host: str, session: str, since: int = -1) -> Iterator[Event]:
    """One session's events in the order in which they happened, those after a time.

    Only their numbers are put in order; the events are read a portion at a time, for a session may be long.
    """
    rows = array("q", (row for (row,) in store.db.execute(_ORDER, (host, session, since))))
    for start in range(0, len(rows), PORTION):
        marks = ",".join(map(str, rows[start : start + PORTION]))
        for row in store.rows(_READ.format(marks=marks)):
            type_, project, cwd, at, agent, prompt, call, tool, target, text, exit_status, error, origin = row
            yield Event(_TYPES[type_], host, session, at, project, cwd, agent, prompt, call, tool, target, text,
                        exit_status, error, origin)  # fmt: skip


PORTION = 200
"""Events that are read at once."""
_TYPES = {str(type_): type_ for type_ in EventType}

_ORDER = """
select j.row from journal j join sessions s on s.row = j.session
where s.host = ? and s.id = ? and j.at > ? order by j.at, j.row
"""
_READ = """
select j.type, s.project, s.cwd, j.at, j.agent, j.prompt, j.call, j.tool, j.target, j.text, j.exit_status, j.error,
  j.origin
from journal j join sessions s on s.row = j.session
where j.row in ({marks}) order by j.at, j.row
"""


def windows(store: Store, host: str, session: str) -> int:
    """How often a session's context was compacted or cleared."""
    return int(store.value(_WINDOWS, (host, session)))


_WINDOWS = """
select count(*) from journal j join sessions s on s.row = j.session
where s.host = ? and s.id = ? and j.type = 'session_started' and j.text in ('compact', 'clear')
"""


def know(store: Store, event: Event) -> None:
    """Remember the session of an event that is itself not worth a line."""
    cwd, transcript = (border.clean(path, store.redactor) for path in (event.cwd, event.transcript))
    with store.transaction():
        _session(store, [Entry(event, Tier.NOTHING, cwd, transcript)])


def count(store: Store) -> int:
    return int(store.value("select count(*) from journal"))


def cut(store: Store, patterns: dict[str, re.Pattern[str]], mark: str) -> int:
    """Replace these texts wherever an entry quotes them."""
    changed = 0
    for text, pattern in patterns.items():
        # SQLite finds the entries that can be meant, by the longest run of letters; the pattern says which are.
        word = max(re.findall("[A-Za-z0-9]+", text), key=len, default="")
        for row, *values in store.rows(_HOLDING, {"word": f"%{word}%"}):
            without = [pattern.sub(mark, value) for value in values]
            if without != values:
                store.db.execute("update journal set target = ?, text = ?, error = ? where row = ?", (*without, row))
                changed += 1
    return changed


_HOLDING = """
select row, target, text, error from journal
where target like :word or text like :word or error like :word
"""
