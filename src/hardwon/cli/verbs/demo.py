from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from importlib import resources
from pathlib import Path
from statistics import median
from typing import Any

from hardwon import action, clients
from hardwon.clients.client import Hook
from hardwon.daemon import lifecycle
from hardwon.hook import install
from hardwon.memory import Kind
from hardwon.paths import Home, home, make
from hardwon.render import plain
from hardwon.settings import DEFAULTS
from hardwon.store.connection import open_store
from hardwon.store.tables import memories, showings
from hardwon.text import errors

ROUNDS = 15
CLIENT = "claude-code"
"""Whose messages are played."""
PATIENCE = 5_000
"""Milliseconds that a demonstration waits for an answer: a client, which does not, is told nothing while a machine is
very busy."""


def run() -> None:
    """Show the main job in a temporary home, and leave nothing behind

    Example: `hardwon demo`

    Three recorded sessions go through the real hook command: in the first a command fails and is fixed, in the second
    it fails again and the agent is told what worked, in the third it is told at the call.
    """
    with tempfile.TemporaryDirectory(prefix="hardwon-") as folder:
        project = Path(folder) / "shop"
        project.mkdir()
        place = home({**os.environ, "HARDWON_HOME": str(Path(folder) / "home")})
        make(place)
        place.hook.mkdir(mode=0o700)
        install.refresh(place)
        try:
            _first(place, project)
            _second(place, project)
            _third(place, project)
            _cost(place, project)
        finally:
            lifecycle.stop(place)
    _say("\nThe temporary home is gone. Next: `hardwon setup` connects your client; `hardwon help` lists the rest.")


def _first(place: Home, project: Path) -> None:
    _say("Session 1. The agent runs `make test`; it fails, the agent finds out why, and it passes:\n")
    for event in _replay(place, project, "first"):
        _show(event)
    _wait_until_kept(place)
    with open_store(place, DEFAULTS, write=False) as store:
        learned = [memory for memory in memories.all_memories(store) if memory.kind in (Kind.FAILURE, Kind.FIX)]
    _say("\n  Learned from it, without a model:")
    for memory in learned:
        _say(f"    {memory.short_id}  {memory.kind:<8} {plain.one_line(memory.body, 90)}")


def _second(place: Home, project: Path) -> None:
    _say("\nSession 2, another day. Spelled otherwise, it fails for the same reason, and the agent is told:\n")
    for event in _replay(place, project, "second"):
        _show(event)
    _wait_until_kept(place)


def _third(place: Home, project: Path) -> None:
    _say("\nSession 3. It came twice, so now it is said at the call, before it fails:\n")
    for event in _replay(place, project, "third"):
        _show(event)
    _wait_until_kept(place)
    with open_store(place, DEFAULTS, write=False) as store:
        count, tokens = showings.totals(store, 0)
    _say(f"\n  Said in all: {count} times, {tokens} tokens. Everything else got silence.")


def _replay(place: Home, project: Path, name: str) -> Iterator[dict[str, Any]]:
    """Send one recorded session through the installed hook command; each event with what was said to it."""
    file = resources.files("hardwon.cli") / "demo_sessions" / f"{name}.jsonl"
    for line in file.read_text(encoding="utf-8").splitlines():
        event = json.loads(line.replace("$PROJECT", str(project)))
        wire = {"session_id": f"demo-{name}", "cwd": str(project), "transcript_path": "", **event}
        event["said"] = _said(_hook(place, event["event"], json.dumps(wire).encode()))
        yield event


def _hooks() -> tuple[Hook, ...]:
    messages = clients.messages(CLIENT)
    return messages.HOOKS if messages else ()


def _hook(place: Home, event: str, payload: bytes, limit: int | None = PATIENCE) -> bytes:
    hook = next(one for one in _hooks() if one.event == event)
    if hook.limit and limit:
        hook = replace(hook, limit=limit)
    command = install.command(place, CLIENT, hook)
    return subprocess.run(["/bin/sh", "-c", command], input=payload, capture_output=True, check=True).stdout


def _said(reply: bytes) -> str:
    specific = json.loads(reply)["hookSpecificOutput"] if reply else {}
    return str(specific.get("additionalContext") or specific.get("permissionDecisionReason") or "")


def _show(event: dict[str, Any]) -> None:
    what = {
        "UserPromptSubmit": f"user    {event.get('prompt', '')}",
        "PreToolUse": f"agent   $ {event.get('tool_input', {}).get('command', '')}",
        "PostToolUseFailure": f"        fails: {errors.headline(event.get('error', ''))}",
    }.get(event["event"])
    if what:
        _say(f"  {what}")
    for line in event["said"].splitlines():
        _say(f"  hardwon   {line}" if not line.startswith("<") else f"  hardwon {line}")


def _wait_until_kept(place: Home) -> None:
    """Keeping happens after the reply; a demonstration waits for it."""
    until = time.monotonic() + 10
    while (lifecycle.status(place) or {}).get("waiting", 0) and time.monotonic() < until:
        time.sleep(0.05)
    time.sleep(0.2)


def _cost(place: Home, project: Path) -> None:
    """The hook beside a bare interpreter start, taking turns."""
    payload = json.dumps(
        {"session_id": "cost", "cwd": str(project), "tool_name": action.SHELL, "tool_use_id": "x",
         "tool_input": {"command": "git status"}}
    ).encode()  # fmt: skip
    bare = ["/bin/sh", "-c", f"{install.base_python()} -I -S -c pass"]
    with_hook: list[float] = []
    without: list[float] = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        subprocess.run(bare, input=payload, capture_output=True, check=True)
        between = time.perf_counter()
        _hook(place, "PreToolUse", payload, limit=None)
        without.append(between - began)
        with_hook.append(time.perf_counter() - between)
    ours, theirs = median(with_hook) * 1000, median(without) * 1000
    _say(f"\nA hook call took {ours:.1f} ms, a bare interpreter start {theirs:.1f} ms: {ours / theirs:.2f} ×.")


def _say(text: str) -> None:
    print(text)
    sys.stdout.flush()
