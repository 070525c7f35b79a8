"""What hooks missed (no daemon, a crash, Esc) is read from the client's transcript at the next chance.

Everything is keyed by the client's own ids, so reading what is known already changes nothing.
"""

from __future__ import annotations

from pathlib import Path

from hardwon.daemon.placing import placed
from hardwon.event import Event
from hardwon.hosts import claude_code_transcript
from hardwon.learn import session as learn
from hardwon.store import journal
from hardwon.store.connection import Store
from hardwon.understand import tiers

SESSIONS = 2
"""The current one and the last one of the project."""


def last_sessions(store: Store, event: Event) -> int:
    """How many events were made up for."""
    return sum(_read(store, Path(path), event) for path in _transcripts(store, event))


def _transcripts(store: Store, event: Event) -> list[str]:
    rows = store.rows(
        "select transcript from sessions where host = ? and project is ? and transcript <> ''"
        " order by last_at desc limit ?",
        (event.host, event.project, SESSIONS + 1),
    )
    known = [path for (path,) in rows]
    folder = Path(event.transcript).parent if event.transcript else None
    if folder and folder.is_dir():  # sessions that no hook ever told of
        files = sorted(folder.glob("*.jsonl"), key=lambda file: file.stat().st_mtime, reverse=True)
        known += [str(file) for file in files[:SESSIONS]]
    return list(dict.fromkeys(known))


def _read(store: Store, path: Path, trigger: Event) -> int:
    if not path.is_file():
        return 0
    offset = int(store.value("select transcript_read from sessions where transcript = ?", (str(path),)) or 0)
    if path.stat().st_size <= offset:
        return 0
    events, end = claude_code_transcript.read(path, offset)
    kept = sum(_keep(store, event) for event in events)
    with store.transaction():
        store.db.execute("update sessions set transcript_read = ? where transcript = ?", (end, str(path)))
    for host, session in dict.fromkeys((event.host, event.session) for event in events):
        learn.learn(store, host, session, trigger.at)
    return kept


def _keep(store: Store, event: Event) -> bool:
    there = placed(store, event) if event.cwd else None
    return bool(there and journal.append(store, there, tiers.tier(there)))
