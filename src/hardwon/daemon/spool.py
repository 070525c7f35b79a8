"""Events that could not be kept: redacted first, then one small file each, taken in by the next daemon."""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hardwon.daemon import message
from hardwon.daemon.current import Current
from hardwon.daemon.message import Message
from hardwon.memory import new_id
from hardwon.paths import Home, home
from hardwon.redact import border
from hardwon.settings import Settings, without_variables
from hardwon.store import control
from hardwon.store.connection import shared_redactor

MOST_FILES = 5_000
STALE = 60.0
"""Seconds after which a draft is nobody's: its writer was killed."""


def take(root: str, raw: bytes) -> None:
    """Behind `python -m hardwon.daemon HOME spool`: one message from the hook client."""
    place = home({**os.environ, "HARDWON_HOME": root})
    current = Current(place, without_variables(os.environ))
    if current.wrong:  # then nothing is written: they may say that this is not to be kept
        return
    put(place, message.parse(raw), current.settings, int(time.time() * 1000))


def put(place: Home, event: Message, settings: Settings, now: int) -> Path | None:
    """Write one message down; None when the spool is full, or when nothing is to be kept there."""
    payload = json.loads(event.payload)
    if not isinstance(payload, dict):
        raise ValueError("not a message of a client")
    if _must_not(settings, payload):
        return None
    place.spool.mkdir(mode=0o700, exist_ok=True)
    if count(place) >= MOST_FILES:
        return None
    cleaned: dict[str, Any] = {
        "host": event.host,
        "event": event.event,
        "at": now,
        "payload": border.clean_message(payload, shared_redactor(settings)),
    }
    target = place.spool / f"{new_id(now)}.json"
    _write(target, json.dumps(cleaned).encode("ascii"))  # escaped: half an emoji can't be written as UTF-8
    return target


def _write(target: Path, text: bytes) -> None:
    """Whole or not at all."""
    draft = target.with_suffix(".draft")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(text)
        draft.rename(target)
    except BaseException:
        with contextlib.suppress(OSError):
            draft.unlink()
        raise


def _must_not(settings: Settings, payload: dict[str, Any]) -> bool:
    """Switched off, or an excluded path; who else is excluded is known when the database can be asked again."""
    folder = payload.get("cwd")
    return not settings.control.enabled or bool(control.excluded(settings, "", folder if folder else ""))


def waiting(place: Home) -> Iterator[tuple[Path, Message, int]]:
    """Spooled messages with the time at which they happened, oldest first; unreadable ones are removed."""
    if not place.spool.is_dir():
        return
    remove_stale(place)
    for path in sorted(place.spool.glob("*.json")):
        try:
            line = json.loads(path.read_text(encoding="utf-8"))
            event = Message("", line["host"], line["event"], 0, json.dumps(line["payload"]).encode())
            yield path, event, int(line["at"])
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            path.unlink(missing_ok=True)


def remove_stale(place: Home) -> None:
    for draft in place.spool.glob("*.draft"):
        with contextlib.suppress(OSError):
            if time.time() - draft.stat().st_mtime > STALE:
                draft.unlink()


def count(place: Home) -> int:
    return sum(1 for _ in place.spool.glob("*.json")) if place.spool.is_dir() else 0
