"""Where an event belongs; asked before anything of it is written."""

from __future__ import annotations

import dataclasses

from hardwon.event import Event
from hardwon.hosts.speech import without_ours
from hardwon.store import control, projects
from hardwon.store.connection import Store
from hardwon.understand import tiers


def placed(store: Store, event: Event) -> Event | None:
    """With its project, and its file as the project knows it; None where and when nothing is to be kept.

    A project that is excluded does not even become known. What hardwon itself said, and the event only quotes, is left
    out: it must not be learned again.
    """
    event = dataclasses.replace(event, text=without_ours(event.text), error=without_ours(event.error))
    if not event.cwd:
        return event
    place, known = projects.look_up(store, event.cwd)
    name = known.name if known else place.name
    if any(control.why_not(store, name, folder, event.at) for folder in (event.cwd, place.root)):
        return None
    place, project = projects.claim(store, event.cwd, event.at)
    return dataclasses.replace(event, project=project.id, target=tiers.target(event, place.root))
