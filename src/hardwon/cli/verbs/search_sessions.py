"""`hardwon search --sessions`: what was said in past conversations, the present state of it first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hardwon.cli.support import caller, context, meaning, output
from hardwon.conversations import conversations
from hardwon.memory import Trust
from hardwon.redact import DEFAULT
from hardwon.render.conversations import SPARE, Exchange, exchanges, lines, told
from hardwon.store.connection import Store
from hardwon.store.tables import passages
from hardwon.store.tables.passages import Passage
from hardwon.text import untrusted

WAITING = 20_000
"""Entries that are made searchable before the question is answered."""


def prepare() -> None:
    """Make searchable what is not yet: the daemon does it after each message, but it may not have run."""
    with context.reading() as store:
        waiting = passages.due(store)
    if waiting:
        with context.writing() as store:
            passages.index_new(store, WAITING)


def run(store: Store, query: str, projects: Sequence[str], limit: int, json: bool) -> None:
    vector = meaning.query_vector(store, query)
    found = conversations.search(store, query, projects, limit * SPARE, vector=vector)
    shown = exchanges(store, found, limit)
    if json:
        output.print_json({"items": [_json(store, one) for one in shown]}, store)
        return
    for one in shown:
        print("\n".join(lines(store, one, _where(store, one), _shown)), end="\n\n")
    if not shown:
        output.remark("nothing was said about this in the conversations that are kept")


def _where(store: Store, one: Exchange) -> str:
    project = one.found.passage.project
    return context.project_name(store, project) if project else ""


def _json(store: Store, one: Exchange) -> dict[str, Any]:
    passage = one.found.passage
    return {
        "at": passage.at,
        "client": passage.host,
        "session": passage.session,
        "project": _where(store, one) or None,
        "score": round(one.found.score, 4),
        "said": {"role": passage.role, "text": passage.text},
        "exchange": [
            {"role": turn.role, "author": turn.author, "at": turn.at, "text": turn.text} for turn in one.turns
        ],
        "before": [_before(store, other) for other in one.before],
    }


def _before(store: Store, other: Passage) -> dict[str, Any]:
    return {"at": other.at, "session": other.session, "text": told(store, other)}


def _shown(text: str, longest: int) -> str:
    """A person reads it as it is; for an agent it is a quotation: what was said once is no order now."""
    if caller.trust() is not Trust.USER:
        return untrusted.quoted(text, longest)
    flat = " ".join(untrusted.seen(DEFAULT.text_again(text)).split())
    return flat if len(flat) <= longest else flat[: longest - 1] + "…"
