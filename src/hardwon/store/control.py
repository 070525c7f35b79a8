"""Where and when hardwon keeps nothing: paused, switched off, an excluded project or path.

Asked before anything is written, by the journal and by every caller that notes on somebody's behalf.
"""

from __future__ import annotations

import fnmatch
import json
import os
import sys
from collections.abc import Callable

from hardwon.settings import Settings
from hardwon.store.connection import Store

_FOR_EVER = "for ever"
MOST_PAUSES = 200


def pause(store: Store, until: int | None, since: int = 0) -> None:
    with store.transaction():
        resume(store, since)
        store.set_meta("paused_since", str(since))
        store.set_meta("paused_until", _FOR_EVER if until is None else str(until))


def resume(store: Store, now: int = 0) -> bool:
    """False when it was not paused. What happened in the pause stays unseen, also in a transcript read later."""
    with store.transaction():
        until = store.meta("paused_until")
        if until is None:
            return False
        since = int(store.meta("paused_since") or 0)
        end = now if until == _FOR_EVER else min(now, int(until))
        if end > since:
            store.set_meta("pauses", json.dumps([*_pauses(store), [since, end]][-MOST_PAUSES:]))
        store.db.execute("delete from meta where key in ('paused_until', 'paused_since')")
        return True


PAUSES = ("pauses", "paused_since", "paused_until")


def pauses(store: Store) -> dict[str, str]:
    """All of them, for another home in which the same times shall stay unseen: `take_over` reads it."""
    return {key: value for key in PAUSES if (value := store.meta(key)) is not None}


def take_over(store: Store, known: dict[str, str]) -> None:
    with store.transaction():
        for key, value in known.items():
            store.set_meta(key, value)


def paused(store: Store, at: int) -> str | None:
    """ "for ever" or the end in UTC milliseconds as text; None when it was not paused at that time."""
    until = store.meta("paused_until")
    if until is not None and int(store.meta("paused_since") or 0) <= at and (until == _FOR_EVER or at < int(until)):
        return until
    return next((str(end) for since, end in _pauses(store) if since <= at < end), None)


def _pauses(store: Store) -> list[list[int]]:
    """Those that are over."""
    found: list[list[int]] = json.loads(store.meta("pauses") or "[]")
    return found


def why_not(store: Store, project_name: str, folder: str, now: int) -> str | None:
    """Why nothing may be kept here and now; None when it may."""
    return switched_off(store, now) or excluded(store.settings, project_name, folder)


def switched_off(store: Store, now: int) -> str | None:
    """Why nothing may be kept anywhere now."""
    if not store.settings.control.enabled:
        return "hardwon is switched off (control.enabled)"
    if paused(store, now):
        return "hardwon is paused; `hardwon resume` ends that"
    return None


def keeping(store: Store) -> Callable[[int], bool]:
    """Whether what happened at a time may be kept, for many times: asks the store once."""
    if not store.settings.control.enabled:
        return lambda _: False
    times = _pauses(store)
    until = store.meta("paused_until")
    if until is not None:
        end = sys.maxsize if until == _FOR_EVER else int(until)
        times.append([int(store.meta("paused_since") or 0), end])
    return lambda at: not any(since <= at < end for since, end in times)


def excluded(settings: Settings, project_name: str, folder: str) -> str | None:
    for pattern in settings.control.exclude_projects:
        if project_name and fnmatch.fnmatch(project_name, pattern):
            return f'the project "{project_name}" is excluded (control.exclude_projects has "{pattern}")'
    for pattern in settings.control.exclude_paths:
        if folder and _is_below(folder, pattern):
            return f'"{folder}" is excluded (control.exclude_paths has "{pattern}")'
    return None


def _is_below(folder: str, pattern: str) -> bool:
    """As it is written, or as it is without symbolic links: /tmp is one on macOS."""
    bare = pattern.rstrip("/")
    return any(
        fnmatch.fnmatch(real, bare) or fnmatch.fnmatch(real, f"{bare}/*") or fnmatch.fnmatch(real, f"{_real(bare)}/*")
        for real in (folder, _real(folder), f"{_real(folder)}/")
    )


def _real(path: str) -> str:
    return os.path.realpath(path)
