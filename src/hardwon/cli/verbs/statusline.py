from __future__ import annotations

import json as json_format
import sys
from typing import Any

import apsw

from hardwon.cli.support import context, output
from hardwon.cli.support.options import Json
from hardwon.cli.verbs.failure import Failure
from hardwon.cli.verbs.status_today import midnight
from hardwon.store.connection import Store
from hardwon.store.errors import StoreError
from hardwon.store.tables import showings

MOST = 1_000_000
"""Bytes of what a client sends that are read."""
WRONG = (apsw.Error, StoreError, Failure, ValueError, OSError)
"""What can be wrong with a home, its settings (both are ValueErrors) and its database."""


def run(json: Json = False) -> None:
    """Print one line for a client's status line: what was said in this session, and today

    Example: `hardwon statusline`

    It reads what Claude Code gives a status line, prints nothing where nothing was said, and never fails. Nobody puts
    it there but you: `"statusLine": {"type": "command", "command": "hardwon statusline"}` in `~/.claude/settings.json`.
    """
    session = _session()
    try:
        with context.reading() as store:
            found = _counted(store, session)
    except WRONG:  # a status line has no place for errors, `hardwon doctor` has
        found = {"session": {"times": 0, "tokens": 0}, "today": {"times": 0, "tokens": 0}}
    if json:
        output.print_json(found)
    elif line := _line(found):
        print(line)


def _session() -> str:
    """The session that the client speaks of; nothing when a person types the command."""
    if sys.stdin is None or sys.stdin.isatty():
        return ""
    try:
        given: Any = json_format.loads(sys.stdin.buffer.read(MOST) or b"{}")
        return str(given.get("session_id") or "")
    except (ValueError, AttributeError, OSError):
        return ""


def _counted(store: Store, session: str) -> dict[str, dict[str, int]]:
    rows = showings.since(store, midnight(context.now()))
    times, tokens = showings.in_session(store, session) if session else (0, 0)
    return {
        "session": {"times": times, "tokens": tokens},
        "today": {"times": len(rows), "tokens": sum(row[3] for row in rows)},
    }


def _line(found: dict[str, dict[str, int]]) -> str:
    session, today = found["session"], found["today"]
    if not today["times"] and not session["times"]:
        return ""
    here = f"{session['times']} told here, {output.counted(session['tokens'], 'token')}" if session["times"] else ""
    more = f"{today['times']} today" if today["times"] > session["times"] else ""
    return "hardwon: " + "; ".join(filter(None, (here, more)))
