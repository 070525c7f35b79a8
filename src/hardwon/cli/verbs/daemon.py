from __future__ import annotations

import dataclasses
from typing import Annotated

import typer

from hardwon.cli.app import fail
from hardwon.cli.support import output
from hardwon.cli.support.group import group
from hardwon.cli.support.options import Json
from hardwon.clients.installing import removal
from hardwon.daemon import lifecycle
from hardwon.learn import log as learning_log
from hardwon.paths import home
from hardwon.render import plain

app = group("status")
UNCONNECTED = ", and no client is set up: `hardwon setup` connects one"


@app.callback()
def daemon() -> None:
    """Look after the process that answers the clients; it starts and leaves by itself

    Example: `hardwon daemon status`

    Without a verb it is `hardwon daemon status`.
    """


@app.command("run")
def run_() -> None:
    """Run it here, in the foreground

    Example: `hardwon daemon run`
    """
    from hardwon.cli.support import context
    from hardwon.daemon.__main__ import main

    context.settings()  # whoever runs it here is told at once what is wrong with them
    main(str(home().root), "run")


@app.command()
def start() -> None:
    """Start it in the background

    Example: `hardwon daemon start`
    """
    running = lifecycle.start(home())
    if running is None:
        fail("The daemon did not come up: `hardwon daemon run` shows why, `hardwon daemon log` what happened before.")
    print(f"running, process {running['pid']}")
    if running.get("settings") == "wrong":
        output.remark("its settings are wrong, so it keeps and says nothing: `hardwon doctor` says where")


@app.command()
def stop() -> None:
    """Let it write everything down and leave

    Example: `hardwon daemon stop`
    """
    try:
        stopped = lifecycle.stop(home())
    except lifecycle.StillRunning as error:
        fail(str(error))
    print("stopped" if stopped else "it was not running")


@app.command()
def status(json: Json = False) -> None:
    """Say whether it runs and what it has done

    Example: `hardwon daemon status`
    """
    running = lifecycle.status(home())
    if json:
        output.print_json({"running": running is not None, **(running or {})})
    elif running is None:
        has_hooks = bool(removal.others(home()))
        print(f"not running{': the next hook starts it' if has_hooks else UNCONNECTED}")
    else:
        told = [(name, value) for name, value in running.items() if value is not None]
        output.print_details([(name.replace("_", " "), _shown(name, value)) for name, value in told])


def _shown(name: str, value: object) -> str:
    if name == "last_kept" and isinstance(value, int):
        return plain.day(value) if value else "nothing yet"
    if isinstance(value, dict):
        return ", ".join(f"{name} {inner}" for name, inner in value.items() if inner)
    return str(value)


@app.command()
def log(
    lines: Annotated[int, typer.Option("--lines", "-n", min=1, metavar="NUMBER", help="At most this many")] = 50,
    learning: Annotated[
        bool, typer.Option("--learning", help="What was learned from sessions, and what was passed over and why")
    ] = False,
    json: Json = False,
) -> None:
    """Show what went wrong lately, or each step of learning

    Example: `hardwon daemon log --learning --lines 20`

    The log of learning names memories by their ids and never by their text.
    """
    if learning:
        _learning(lines, json)
        return
    file = home().log
    found = file.read_text(encoding="utf-8", errors="replace").splitlines()[-lines:] if file.exists() else []
    if json:
        output.print_json({"items": found})
        return
    if not file.exists():
        output.remark("nothing went wrong yet")
        return
    for line in found:
        print(line)


def _learning(lines: int, json: bool) -> None:
    steps = learning_log.read(home(), lines)
    if json:
        output.print_json({"items": [dataclasses.asdict(step) for step in steps]})
    elif not steps:
        output.remark("nothing was learned from a session yet")
    for step in [] if json else steps:
        print(f"{plain.day(step.at)}  {step.line}")
