from __future__ import annotations

from typing import Annotated, Any

import typer

from hardwon.cli.app import fail
from hardwon.cli.support import caller, context, output, text
from hardwon.cli.support.options import KINDS, Everywhere, Id, Json, ProjectName, Skill
from hardwon.cli.verbs.note import anchors_of
from hardwon.memory import Kind, Visibility
from hardwon.store import changes
from hardwon.store.connection import Store


def run(
    id: Id,
    words: Annotated[
        str | None, typer.Argument(metavar="[TEXT]", help="The new text; - reads standard input", show_default=False)
    ] = None,
    title: Annotated[str | None, typer.Option("--title", metavar="TEXT", help="A new headline")] = None,
    kind: Annotated[Kind | None, typer.Option("--kind", "-k", metavar="KIND", help=f"One of {KINDS}")] = None,
    intent: Annotated[str | None, typer.Option("--intent", metavar="TEXT", help="What one was trying to do")] = None,
    because: Annotated[str | None, typer.Option("--because", metavar="TEXT", help="The reason of a decision")] = None,
    visibility: Annotated[
        Visibility | None, typer.Option("--visibility", help="Who may see it when teams share")
    ] = None,
    anchor: Annotated[
        list[str] | None,
        typer.Option("--anchor", "-a", metavar="KIND=VALUE", help="Instead of the old anchors"),
    ] = None,
    skill: Skill = None,
    project: ProjectName = None,
    everywhere: Everywhere = False,
    json: Json = False,
) -> None:
    """Change a memory's text or fields, or open it in your editor

    Example: `hardwon edit 7f3a1c "The tests need Redis 7 or later"`

    The editor is opened when neither a text nor an option is given.
    """
    text.must_fit(title=title, intent=intent, because=because)
    with context.writing() as store:
        memory = context.existing(store, id)
        context.may_change(memory, caller.trust(), "edit")
        fields = {
            "title": title,
            "kind": kind,
            "intent": intent,
            "because": because,
            "visibility": visibility,
            "skill": skill,
        }
        change: dict[str, Any] = {name: value for name, value in fields.items() if value is not None}
        change |= _scope(store, project, everywhere)
        if words is None and not change and not anchor:
            words = _in_editor(store.redactor.text(memory.body), memory.short_id)
        if words is not None:
            change["body"] = text.given(words)
        change = text.passed(store, **change, anchor=anchor or [])
        if named := change.pop("anchor"):
            place, _ = context.scopes_to_read(store, project, everywhere)
            change["anchors"] = [(one.kind, one.value) for one in anchors_of("", named, place)]
        changed = changes.edit(store, memory.id, change, context.now(), caller.trust())
        if json:
            output.print_json(output.as_json(store, changed), store)
        else:
            print(f"changed {changed.short_id}")


def _scope(store: Store, project: str | None, everywhere: bool) -> dict[str, str]:
    if project is None and not everywhere:
        return {}
    return {"project": context.scope_to_write(store, project, everywhere, caller.trust())[1]}


def _in_editor(body: str, id: str) -> str:
    """The text as the person left it in their editor."""
    import os
    import shlex
    import subprocess
    import sys
    import tempfile
    from pathlib import Path

    if not sys.stdin.isatty():
        fail("There is nothing to change: give a new text or an option, see `hardwon edit --help`.", code=2)
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{id}.md"
        file.write_text(body + "\n", encoding="utf-8")
        try:
            done = subprocess.run([*shlex.split(editor), str(file)], check=False)
        except (OSError, ValueError) as error:
            fail(f'The editor "{editor}" could not be started ({error}): set EDITOR, or give the text as an argument.')
        if done.returncode:
            fail(f'The editor "{editor}" ended with status {done.returncode}; nothing was changed.')
        edited = file.read_text(encoding="utf-8").strip()
    if edited == body:
        fail("The text is as it was; nothing was changed.")
    return edited
