"""Whether a person has trusted our hooks in Codex: it runs no other ones, and says nothing about those it passes over.

The client itself is asked; where it can't be, what it has written down is compared. Nothing here is ever written: the
trust is the person's to give.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import select
import shutil
import subprocess
import time
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardwon.clients.installing import entries as installed
from hardwon.clients.installing import files
from hardwon.clients.installing.json_text import JsonText

ANSWERS = 10.0
"""Seconds for the client's app server; mostly it takes a tenth of one."""
TIMEOUT = 600
"""Seconds of a hook that names no other."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A hook of ours as it stands in the file."""

    key: str
    """What the client calls it: the file, the event, its places."""
    hash: str


def entries(hooks: Path, sign: re.Pattern[str]) -> list[Entry]:
    """Ours, in the user's file of hooks; none where it can't be read."""
    try:
        events = JsonText((files.read(hooks) or b"").decode()).value.get("hooks")
    except (ValueError, OSError):
        return []
    return list(_entries(hooks, events, sign)) if isinstance(events, dict) else []


def _entries(path: Path, events: Mapping[str, Any], sign: re.Pattern[str]) -> Iterator[Entry]:
    for event, groups in events.items():
        for at, group in enumerate(groups if isinstance(groups, list) else ()):
            hooks = group.get("hooks") if isinstance(group, dict) else None
            for place, hook in enumerate(hooks if isinstance(hooks, list) else ()):
                if isinstance(hook, dict) and sign.search(installed.words(hook)):
                    name = _snake(event)
                    yield Entry(f"{path}:{name}:{at}:{place}", hash_of(name, group.get("matcher"), hook))


def _snake(event: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", event).lower()


def hash_of(event: str, matcher: str | None, hook: Mapping[str, Any]) -> str:
    """As the client computes it (0.169.0): of what the hook is, not of where it stands."""
    told = {"timeout": 1 if event == "session_end" else TIMEOUT, "type": "command"} | dict(hook)
    told |= {"async": bool(hook.get("async"))} if told["type"] == "command" else {"input": hook.get("input", {})}
    about = {"event_name": event, "hooks": [told]} | ({} if matcher is None else {"matcher": matcher})
    text = json.dumps(about, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def written(config: Path, mine: list[Entry]) -> dict[str, str]:
    """What the client has written down of each: trusted, modified or untrusted, by its key."""
    try:
        hooks = tomllib.loads((files.read(config) or b"").decode("utf-8-sig")).get("hooks")
    except (ValueError, OSError):
        hooks = None
    state = hooks.get("state") if isinstance(hooks, dict) else None
    known = state if isinstance(state, dict) else {}
    return {one.key: _word(known.get(one.key), one) for one in mine}


def _word(known: Any, one: Entry) -> str:
    trusted = known.get("trusted_hash") if isinstance(known, dict) else None
    if isinstance(known, dict) and known.get("enabled") is False:
        return "disabled"
    return "trusted" if trusted == one.hash else "modified" if trusted else "untrusted"


def asked(folder: Path, environ: Mapping[str, str], seconds: float = ANSWERS) -> dict[str, str] | None:
    """What the client says of every hook, by its key; None where it is not there or does not answer."""
    program = shutil.which("codex", path=environ.get("PATH", ""))
    if program is None:
        return None
    try:
        with subprocess.Popen(
            [program, "app-server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env={**environ, "CODEX_HOME": str(folder)}, cwd="/",
        ) as server:  # fmt: skip
            try:
                return _listed(server, time.monotonic() + seconds)
            finally:
                server.kill()
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _listed(server: subprocess.Popen[bytes], until: float) -> dict[str, str] | None:
    about = {"clientInfo": {"name": "hardwon", "title": "hardwon", "version": "1"}}
    if _call(server, 1, "initialize", about, until) is None:
        return None
    _send(server, {"method": "initialized"})
    answer = _call(server, 2, "hooks/list", {"cwds": ["/"]}, until)
    if answer is None:
        return None
    hooks = [hook for place in answer["result"]["data"] for hook in place["hooks"]]
    return {hook["key"]: str(hook["trustStatus"]) if hook.get("enabled", True) else "disabled" for hook in hooks}


def _send(server: subprocess.Popen[bytes], message: dict[str, Any]) -> None:
    assert server.stdin
    server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
    server.stdin.flush()


def _call(
    server: subprocess.Popen[bytes], id: int, method: str, params: dict[str, Any], until: float
) -> dict[str, Any] | None:
    """The answer to this; what else it says meanwhile is passed over."""
    assert server.stdout
    _send(server, {"id": id, "method": method, "params": params})
    waiting = b""
    while (left := until - time.monotonic()) > 0:
        if not select.select([server.stdout], [], [], left)[0]:
            return None
        piece = os.read(server.stdout.fileno(), 65536)
        if not piece:
            return None
        *lines, waiting = (waiting + piece).split(b"\n")
        for line in lines:
            if line.strip() and (found := json.loads(line)).get("id") == id:
                return dict(found)
    return None
