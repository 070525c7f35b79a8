"""A session's notes: its summary, its checkpoints, its snapshots, each made from its journal as far as that goes."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from hardwon.event import Event
from hardwon.learn.handover import Session
from hardwon.memories import marked
from hardwon.memory import Memory, normalise
from hardwon.redact import border
from hardwon.store import control, projects
from hardwon.store.connection import Store
from hardwon.store.tables import journal, session_notes
from hardwon.store.tables.session_notes import Note, NoteKind
from hardwon.text.handover import Handover, of_dict

MOST = 6
"""Of each sort."""
LONGEST = 200


def derived(store: Store, host: str, session: str, more: list[Event] | None = None) -> Handover:
    """What a session leaves as far as the journal tells, with what was marked in it; `more` are events that are not
    kept yet."""
    known, seen = Session(), set[str]()
    events = list(journal.of_session(store, host, session))
    if more:
        keys = {event.key for event in events}
        events = sorted([*events, *(one for one in more if one.key not in keys)], key=lambda one: one.at)
    for event in events:
        if event.key not in seen:
            seen.add(event.key)
            known.saw(event)
    return of_dict(border.clean(_with_marks(store, host, session, known.handover()).as_dict(), store.redactor))


def _with_marks(store: Store, host: str, session: str, seen: Handover) -> Handover:
    """What somebody marked goes before what was seen."""
    marks = marked.of_session(store, host, session)
    return dataclasses.replace(
        seen,
        decisions=_once(marks.decisions, seen.decisions),
        open=_once(marks.tasks, seen.open),
        traps=_once(marks.traps, seen.traps),
    )


def _once(marks: Sequence[Memory], seen: Sequence[str]) -> tuple[str, ...]:
    said = [" ".join(one.body.split())[:LONGEST] for one in marks]
    folded = {normalise(one) for one in said}
    return (*said, *(one for one in seen if normalise(one) not in folded))[:MOST]


def keep(store: Store, kind: NoteKind, event: Event, branch: str, number: int = 0) -> bool:
    """Make a note of an event's session; False where none is to be kept, or there is nothing to say."""
    if not store.settings.sessions.enabled or not event.project or _is_excluded(store, event):
        return False
    content = derived(store, event.host, event.session)
    if not content.goal:
        return False
    note = Note(event.host, event.session, kind, number, event.at, branch, content)
    session_notes.keep(store, note)
    session_notes.condense(store, event.project)
    return True


def _is_excluded(store: Store, event: Event) -> bool:
    project = projects.get(store, event.project) if event.project else None
    return control.why_not(store, project.name if project else "", event.cwd, event.at) is not None
