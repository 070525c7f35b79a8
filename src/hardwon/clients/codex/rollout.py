"""What the rollout says of a call, or of its session, while the client waits for a hook: its beginning or its end is
read, never all of it.

When a hook runs after a call, the line that tells how it ended has been written (0.169.0, also in code mode); in the
message itself there is no exit status.
"""

from __future__ import annotations

import json
import os
import re
from functools import lru_cache
from typing import Any

from hardwon.regular_file import regular

HEAD = 4_000
"""Bytes in which the first line names its session; the instructions of the model come after that."""
NEAR, FAR = 65_536, 4_000_000
"""Bytes of the end that are looked through: mostly the line is among the last ones, but an output may be long."""
_TEXT = rb'"((?:[^"\\]|\\.){0,4000})"'


def ended(transcript: str, call: str) -> dict[str, Any] | None:
    """The item of a call that has ended; None where the rollout does not tell of it, or can't be read."""
    for size in (NEAR, FAR):
        data = _end(transcript, size)
        if (found := _ended(data, call)) or len(data) < size:
            return found
    return None


def _ended(data: bytes, call: str) -> dict[str, Any] | None:
    named = json.dumps(call).encode()
    for line in reversed(data.splitlines()):
        if b'"item_completed"' in line and named in line:
            try:
                item = json.loads(line)["payload"]["item"]
                if item["id"] == call:
                    return dict(item)
            except (ValueError, KeyError, TypeError, RecursionError):
                continue  # cut off at its beginning, or another line
    return None


def summed_up(transcript: str) -> str:
    """What the last compaction made of the conversation; the first line of that is the client's own."""
    for line in reversed(_end(transcript, FAR).splitlines()):
        if b'"type":"compacted"' in line[:HEAD].replace(b'": "', b'":"'):
            try:
                message = str(json.loads(line)["payload"]["message"])
            except (ValueError, KeyError, TypeError, RecursionError):
                return ""
            return message.partition("\n")[2] or message
    return ""


def _end(path: str, size: int) -> bytes:
    try:
        with open(path, "rb", opener=regular) as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - size))
            return file.read(size)
    except (OSError, ValueError):
        return b""


@lru_cache(maxsize=4_000)
def named(path: str, name: str) -> str:
    """What the first line says under a name, such as `session_id`; empty where it says nothing. It never changes."""
    try:
        with open(path, "rb", opener=regular) as file:
            line = file.read(HEAD)
    except (OSError, ValueError):
        return ""
    start, _, rest = line.partition(b'"payload"')
    found = re.search(rb'"%s":\s?%s' % (name.encode(), _TEXT), rest.partition(b'"base_instructions"')[0])
    return str(json.loads(b'"%s"' % found[1])) if b'"session_meta"' in start and found else ""


def agent(path: str) -> str:
    """The sub-agent whose rollout this is; empty for a session's own."""
    own, session = named(path, "id"), named(path, "session_id")
    return own if session and own != session else ""


def origin(path: str) -> str:
    """Who writes the prompts of a session."""
    return origin_of(named(path, "source"), named(path, "originator"))


def origin_of(source: Any, originator: Any) -> str:
    """At the terminal and in the editor it is a person; empty where that is not known. `codex exec` is called by
    programs, another agent among them, and by people with what a program wrote. A terminal whose server runs in the
    background has the same source as whoever else talks to such a server."""
    if source in ("exec", "mcp") or originator == "codex_exec":
        return "program"
    return "typed" if source == "cli" or (source == "vscode" and originator in PEOPLES) else ""


PEOPLES = ("codex-tui", "codex_cli_rs", "codex_vscode")
