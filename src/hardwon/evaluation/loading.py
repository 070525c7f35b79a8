"""A corpus in a store: turns as the events of sessions, notes as memories, both the way everything gets there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hardwon.evaluation.corpus import USER, Corpus, Document
from hardwon.event import Event, EventType, Tier
from hardwon.memory import Draft, Kind, Scope, Trust
from hardwon.store import changes
from hardwon.store.connection import Store
from hardwon.store.tables import journal, passages
from hardwon.text import anchors, tiers

HOST = "bench"
BATCH = 500
PIECE = 1_900
"""Characters of a long document that become one event: no event is cut at fewer."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """What the documents have become."""

    entries: dict[int, str]
    """From a row of the journal to the document it is of."""
    notes: dict[str, str]
    """From the id of a memory."""


def load(store: Store, corpus: Corpus) -> Loaded:
    if corpus.notes:
        return Loaded({}, add_notes(store, corpus.documents))
    documents: dict[str, str] = {}
    events = list(_events(corpus, documents))
    for start in range(0, len(events), BATCH):
        journal.append_many(store, events[start : start + BATCH])
    passages.index_new(store)
    rows = store.rows(
        "select j.row, j.prompt from journal j join sessions s on s.row = j.session where s.host = ?", (HOST,)
    )
    return Loaded({row: documents[prompt] for row, prompt in rows}, {})


def _events(corpus: Corpus, documents: dict[str, str]) -> Iterator[tuple[Event, Tier]]:
    """In the order of time, each under a number of its own, which `documents` maps to the document."""
    for document in sorted(corpus.documents, key=lambda one: one.at):
        for text in _pieces(document.text) if corpus.long else [document.text]:
            number = f"turn {len(documents)}"
            documents[number] = document.id
            event = _event(document, text, number)
            yield event, tiers.tier(event)


def _event(document: Document, text: str, number: str) -> Event:
    type_ = EventType.PROMPT_SUBMITTED if document.role == USER else EventType.TURN_ENDED
    return Event(
        type_, HOST, document.session, document.at, document.project, tool=document.author, prompt=number, text=text
    )


def _pieces(text: str) -> list[str]:
    """At the ends of lines, where there are any."""
    pieces = [""]
    for line in text.splitlines(keepends=True):
        for part in (line[at : at + PIECE] for at in range(0, len(line), PIECE)):
            if len(pieces[-1]) + len(part) > PIECE:
                pieces.append("")
            pieces[-1] += part
    return [piece for piece in pieces if piece.strip()]


def add_notes(store: Store, notes: Sequence[Document]) -> dict[str, str]:
    """As a person would note them; the document of each memory."""
    known: dict[str, str] = {}
    with store.transaction():
        for note in notes:
            draft = Draft(
                kind=Kind(note.kind),
                body=note.text,
                scope=Scope(note.project),
                trust=Trust.USER,
                source="user",
                title=note.title,
                anchors=anchors.named_in(note.text),
            )
            noted = changes.note(store, changes.passed(store, draft), note.at, apart=True)
            assert noted.id is not None, "nothing was forgotten in a new store"
            known.setdefault(noted.id, note.id)
    return known
