from __future__ import annotations

import json
import sys
from typing import Annotated

import typer

from hardwon import clients
from hardwon.cli.app import fail
from hardwon.cli.support import context
from hardwon.moments.answer import answer, here
from hardwon.moments.answered import Answer
from hardwon.moments.conversation import Conversation
from hardwon.moments.instructions import unwritten


def run(
    client: Annotated[str, typer.Argument(metavar="CLIENT", help="The client, as claude-code", show_default=False)],
    event: Annotated[
        str, typer.Option("--event", "-e", help="The event's name; else the message's own", show_default=False)
    ] = "",
) -> None:
    """Answer one hook message from standard input, in this process: for finding out why

    Example: `hardwon hook claude-code < message.json`

    Says what the daemon would say, and keeps nothing.
    """
    host = clients.messages(client)
    if host is None:
        known = ", ".join(one.name for one in clients.every() if "messages" in one.modules)
        fail(f'There is no client "{client}" that sends messages. Known: {known}.', code=2)
    raw = sys.stdin.buffer.read()
    name = event or host.named(raw)
    if not name:
        _must_be_json(raw)
    if not host.knows(name):
        what = f'"{name}" is no event that hardwon listens to' if name else "The message names no event"
        fail(f"{what}: give one with --event, as UserPromptSubmit, or a message with a hook_event_name.")
    try:
        heard = host.hear(name, raw, context.now())
    except ValueError as error:
        fail(f"The message is not what {client} sends: {error}.")
    if heard.moment is None:
        return
    told = heard.events[-1]
    with context.reading() as store:
        where = here(store, told.cwd)
        said: Answer = answer(
            store, heard, Conversation(), where, context.now(),
            lambda items: unwritten(items, where.root, told.cwd, told.transcript),
        )  # fmt: skip
    sys.stdout.buffer.write(host.speak(name, said.reply))


def _must_be_json(raw: bytes) -> None:
    if not raw.strip():
        fail("Standard input is empty: give it a client's message, as `hardwon hook claude-code < message.json`.")
    try:
        json.loads(raw)
    except ValueError as error:
        fail(f"The message is no JSON: {error}.")
