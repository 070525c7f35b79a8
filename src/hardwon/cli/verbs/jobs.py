from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from typing import Any

from hardwon.cli.support import context, output
from hardwon.cli.support.options import Json, Limit
from hardwon.render.plain import day, one_line, visible
from hardwon.store.tables import jobs
from hardwon.store.tables.jobs import Job, State

WHAT = {
    "learn": "learn from a session",
    "read": "read a session's transcript",
    "neighbours": "read the project's last transcripts",
    "absorb": "take in the markdown files",
    "mirror": "write the markdown files",
    "upkeep": "thin the journal, make copies",
    "redaction": "apply today's redaction rules",
    "index": "index what failed before",
    "updates": "look for a newer version",
    "branches": "look at a repository's branches",
}
SESSION = 8
"""Characters of a session's id that are shown."""


def run(limit: Limit = 20, json: Json = False) -> None:
    """Show what is done in the background, and what came of each session's end

    Example: `hardwon jobs`

    What runs or waits comes first, then what ended last: what was learned from a session, or why nothing was. A job
    that a crash interrupted is done at the next start.
    """
    with context.reading() as store:
        context.may_tell(store)
        found, total = jobs.listed(store, limit)
        if json:
            output.print_json({"items": [as_json(one) for one in found], "total": total}, store)
            return
        for one in found:
            line = (one.state, _when(one), _what(one), told(one))
            print("  ".join(line).rstrip() if sys.stdout.isatty() else "\t".join(line))
        output.remark(f"{len(found)} of {total}" if found else "nothing was done in the background yet")


def as_json(job: Job) -> dict[str, Any]:
    host, _, session = job.subject.partition(":")
    return {
        "name": job.name,
        "host": host if session else None,
        "session": session or None,
        "state": job.state,
        "asked_at": job.asked_at,
        "started_at": job.started_at or None,
        "ended_at": job.ended_at or None,
        "tries": job.tries,
        "done": job.done,
        "total": job.total,
        "result": dict(job.result),
    }


def _when(job: Job) -> str:
    at = job.ended_at if job.state in (State.DONE, State.FAILED) else job.started_at or job.asked_at
    clock = time.strftime("%H:%M", time.localtime(at / 1000))
    return f"{day(at)[:10]} {clock}"


def _what(job: Job) -> str:
    session = visible(job.subject.partition(":")[2])[:SESSION]
    return f"{WHAT.get(job.name, job.name)}{f' ({session})' if session else ''}"


def told(job: Job) -> str:
    """What came of it, in words."""
    if job.state is State.RUNNING or (job.state is State.WAITING and job.total):
        return f"{job.done} of {job.total}" if job.total else ""
    return one_line("; ".join(_parts(job.result)), 200)


def _parts(result: Mapping[str, Any]) -> list[str]:
    parts = [f"{name} {result[name]:,}" for name in ("learned", "repeated", "kept", "changed") if result.get(name)]
    if skipped := result.get("skipped"):
        parts.append("skipped " + ", ".join(f"{reason} ({count})" for reason, count in skipped.items()))
    parts += [str(result[name]) for name in ("removed", "failed") if result.get(name)]
    return parts
