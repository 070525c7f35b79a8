"""What is done in the background, one after the other: each taken from the queue and done by its handler."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from hardwon.store.connection import Store
from hardwon.store.tables import jobs as queue
from hardwon.store.tables.jobs import Job

__all__ = ["Done", "Handler", "Handlers", "Job", "run_next"]


@dataclass(frozen=True, slots=True)
class Done:
    """What came of it. `more`: only a portion is done, and the next may begin at this time."""

    result: Mapping[str, Any] = field(default_factory=dict)
    more: int | None = None
    done: int = 0
    total: int = 0


Handler: TypeAlias = Callable[[Store, Job], Done]
"""May be called again after a crash, and changes nothing then that it has done already."""
Handlers: TypeAlias = Mapping[str, Handler]


def run_next(store: Store, handlers: Handlers, now: int) -> Job | None:
    """Do the one that is due longest; None when there is none. An `OSError` is a reason to try again later; what the
    database raises is the caller's, and the job waits for the end of its lease."""
    job = queue.take(store, now)
    if job is None:
        return None
    handler = handlers.get(job.name)
    if handler is None:
        queue.fail(store, job, now, "this version does not know it")
        return job
    try:
        came = handler(store, job)
    except (OSError, ValueError) as error:
        queue.fail(store, job, now, f"{type(error).__name__}: {error}")
        raise
    if came.more is None:
        queue.finish(store, job, now, came.result)
    else:
        queue.put_off(store, job, came.more, came.result, came.done, came.total)
    return job
