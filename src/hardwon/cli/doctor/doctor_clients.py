"""The doctor's second half: is each client wired, do events arrive, is anything said, what does a hook cost."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Iterator
from typing import Any

from hardwon import __version__, clients
from hardwon.cli.support import output
from hardwon.cli.support.finding import Finding
from hardwon.clients.installing import manifest, setup
from hardwon.clients.installing.recipe import Consenting, Recipe, SetupError
from hardwon.daemon import lifecycle, lock, spool
from hardwon.daemon.version import is_newer
from hardwon.hook import install
from hardwon.paths import Home, is_private
from hardwon.render import plain
from hardwon.store.connection import Store
from hardwon.store.maintenance import incidents, retention

ROUNDS = 7
PATIENCE = 20.0
"""Seconds for the daemon to take the spool in."""
TOO_SLOW = 2.0
"""Times a bare interpreter start."""


def findings(home: Home, fix: bool) -> Iterator[Finding]:
    """Nothing for a home that no client is wired to."""
    for package in clients.not_there():
        yield Finding(
            "clients", False, f"HARDWON_CLIENTS names {package}, which can't be imported", "install it, or unset it"
        )
    wired = [recipe for recipe in clients.recipes() if manifest.load(home, recipe.name)]
    if not wired:
        yield Finding(
            "clients", True, "none is set up, so no session uses this memory", "hardwon setup connects one", note=True
        )
        return
    for recipe in wired:
        yield _wired(home, recipe, fix)
    yield _daemon(home, fix)
    yield _spool(home, fix)
    yield from _latency(home, wired)
    yield _server(home)


def _server(home: Home) -> Finding:
    """What a session starts to take hooks and to offer the tools; it needs no daemon to introduce itself."""
    ask = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n'
    began = time.perf_counter()
    try:
        command = [str(install.mcp_server(home)), "doctor"]
        done = subprocess.run(command, input=ask, capture_output=True, text=True, timeout=10, check=False)
        tools = [tool["name"] for tool in json.loads(done.stdout)["result"]["tools"]]
    except (OSError, subprocess.SubprocessError, ValueError, KeyError) as error:
        return Finding("server", False, f"{install.mcp_server(home)} does not answer: {error}", "hardwon setup")
    took = (time.perf_counter() - began) * 1000
    return Finding("server", True, f"offers {', '.join(tools)}; answered in {took:.0f} ms")


def _wired(home: Home, recipe: Recipe, fix: bool) -> Finding:
    try:
        planned = setup.plan(home, recipe, os.environ)
        if planned.changes and fix:
            setup.apply(home, planned)
            return Finding(recipe.name, True, f"{recipe.title} was wired anew")
    except SetupError as error:
        return Finding(recipe.name, False, str(error), "mend the file that it names, then hardwon setup")
    if planned.changes:
        changed = ", ".join(str(change.path) for change in planned.changes[:3])
        return Finding(recipe.name, False, f"not wired as it should be: {changed}", f"hardwon setup {recipe.name}")
    place = recipe.folder(os.environ)
    if isinstance(recipe, Consenting) and (withheld := recipe.withheld(place, os.environ)):
        return Finding(recipe.name, False, f"{recipe.title} is wired, but {withheld}", recipe.consent)
    return Finding(recipe.name, True, f"{recipe.title} is wired")


def _daemon(home: Home, fix: bool) -> Finding:
    running = lifecycle.status(home)
    if running is None and lock.is_held(str(home.root)):
        if fix:
            return _stopped(home, "it did not answer and was ended")
        return Finding(
            "daemon", False, "it runs but does not answer", "hardwon daemon stop; the next hook starts a new one"
        )
    if running is None and home.socket.parent.exists() and not is_private(home.socket):
        says = f"it can't be reached safely: {home.socket.parent} is not a folder of yours alone"
        return Finding("daemon", False, says, "remove that folder, or set HARDWON_HOME to a shorter path")
    if running is None:
        return Finding("daemon", True, "not running: the next hook starts it")
    if running["version"] != __version__:
        return _other_version(home, running, fix)
    lost = f", {running['lost']} events lost: see hardwon daemon log" if running["lost"] else ""
    says = f"process {running['pid']}, version {running['version']}, {running['kept']} events kept{lost}"
    return Finding("daemon", not running["lost"], says, "hardwon daemon log says why")


def _stopped(home: Home, says: str) -> Finding:
    try:
        lifecycle.stop(home)
    except lifecycle.StillRunning as error:
        return Finding("daemon", False, str(error), "hardwon daemon stop, when it is gone there")
    return Finding("daemon", True, says)


def _other_version(home: Home, running: dict[str, Any], fix: bool) -> Finding:
    """A newer one stays: its own command put it there. An older one goes at the next event; here it did not yet."""
    says = f"process {running['pid']} is version {running['version']}, this command is {__version__}"
    if not is_newer(__version__, running["version"]):
        return Finding("daemon", False, says, "use one of the two installs only, then hardwon daemon stop")
    if fix:
        return _stopped(home, f"{says}: it was stopped, and the next hook starts this one")
    return Finding("daemon", False, says, "hardwon daemon stop; the next hook starts this version")


def _spool(home: Home, fix: bool) -> Finding:
    if fix:
        spool.remove_stale(home)
    count = spool.count(home)
    if count and fix:
        lifecycle.start(home, how="serve")
        until = time.monotonic() + PATIENCE
        while spool.count(home) and time.monotonic() < until:
            time.sleep(0.05)
        return Finding(
            "spool", not spool.count(home), f"{count} events were taken in", "hardwon daemon log says why not"
        )
    says = f"{count} events wait to be kept" if count else "empty"
    return Finding("spool", not count, says, "hardwon doctor --fix takes them in")


def _latency(home: Home, wired: list[Recipe]) -> Iterator[Finding]:
    """A real hook call of one of the clients beside a bare interpreter start, taking turns."""
    speakers = [(one.name, found) for one in wired if (found := clients.messages(one.name)) and found.HOOKS]
    if not speakers:
        return
    client, messages = speakers[0]
    payload = json.dumps(messages.PROBE)
    hook = next(one for one in messages.HOOKS if one.event == messages.named(payload.encode()))
    command = install.command(home, client, hook)
    _timed(command, payload)  # starts the daemon
    pairs = [(_timed(f"{install.base_python()} -I -S -c pass", ""), _timed(command, payload)) for _ in range(ROUNDS)]
    # The quickest of each: the others say how busy the machine is with something else.
    bare, ours = min(pair[0] for pair in pairs), min(pair[1] for pair in pairs)
    says = f"a call takes {ours:.0f} ms, {ours / bare:.2f} times a bare interpreter start"
    yield Finding(
        "hook",
        ours < bare * TOO_SLOW or ours < 50,
        says,
        "a slow disk or a virus scanner may slow each call down",
    )


def _timed(command: str, payload: str) -> float:
    began = time.perf_counter()
    subprocess.run(["/bin/sh", "-c", command], input=payload.encode(), capture_output=True, check=False)
    return (time.perf_counter() - began) * 1000


def activity(store: Store) -> Iterator[Finding]:
    """When something was last kept and said, and the last thing that went wrong."""
    kept = store.value("select max(at) from journal")
    shown = store.value("select max(at) from showings")
    yield Finding("last event kept", True, plain.day(kept) if kept else "none yet")
    yield Finding("last memory said", True, plain.day(shown) if shown else "none yet")
    yield _journal(store)
    yield Finding("last error", True, store.redactor.text(incidents.last(store.home)) or "none")


def _journal(store: Store) -> Finding:
    size, bound = retention.size(store), retention.bound(store.settings.retention)
    says = f"{output.counted(size.entries, 'event')}, {size.bytes / 1_000_000:.1f} MB"
    says += f" of {bound / 1_000_000:.0f}" if bound else ", no bound (retention.journal_mb)"
    if bound and size.bytes > bound:
        says += ": the next upkeep makes room, but not of sessions of today and of what memories were learned from"
    return Finding("journal", True, says)
