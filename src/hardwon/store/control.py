"""Where and when hardwon keeps nothing: paused, switched off, an excluded project or path.

Asked before anything is written, by the journal and by every caller that notes on somebody's behalf.
"""

from __future__ import annotations

import fnmatch
import os

from hardwon.settings import Settings
from hardwon.store.connection import Store

_FOR_EVER = "for ever"


def pause(store: Store, until: int | None) -> None:
    with store.transaction():
        store.set_meta("paused_until", _FOR_EVER if until is None else str(until))


def resume(store: Store) -> bool:
    """False when it was not paused."""
    with store.transaction():
        was = store.meta("paused_until") is not None
        store.db.execute("delete from meta where key = 'paused_until'")
        return was


def paused(store: Store, now: int) -> str | None:
    """ "for ever" or the end in UTC milliseconds as text; None when not paused."""
    until = store.meta("paused_until")
    if until is None or (until != _FOR_EVER and int(until) <= now):
        return None
    return until


def why_not(store: Store, project_name: str, folder: str, now: int) -> str | None:
    """Why nothing may be kept here and now; None when it may."""
    if not store.settings.control.enabled:
        return "hardwon is switched off (control.enabled)"
    if paused(store, now):
        return "hardwon is paused; `hardwon resume` ends that"
    return excluded(store.settings, project_name, folder)


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
