from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from hardwon.cli.app import fail
from hardwon.cli.support import caller, context, output, streams
from hardwon.cli.support.options import Json
from hardwon.memory import Trust, short_id
from hardwon.render import plain
from hardwon.store import control, mirror
from hardwon.store.connection import Store
from hardwon.store.mirror.settle import Answer, How, Settled
from hardwon.store.mirror.take_in import Change

# What is said of each change that a file brings.
_SAID = {
    "added": "new",
    "edited": "edited",
    "moved": "other project",
    "archived": "deleted, archived",
    "beside": "kept beside",
    "refused": "stays: a person said it",
    "forgotten": "was forgotten, stays forgotten",
    "left": "left as it is",
}


def run(
    archive: Annotated[
        bool, typer.Option("--archive", help="Archive what a file has lost, without asking; `reopen` brings it back")
    ] = False,
    keep: Annotated[bool, typer.Option("--keep", help="Write files again that have lost their lessons")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be taken in and written")] = False,
    json: Json = False,
) -> None:
    """Take in what was changed in the markdown files, and write them again

    Example: `hardwon mirror --dry-run`

    The files are `skills/NAME/KNOWLEDGE.md` and `global/KNOWLEDGE.md` in the memory's folder. It happens by itself when
    a session begins and after each command; this does it now, for all files. Run in your own terminal, it takes what
    the files say as your word.
    """
    if archive and keep:
        fail("--archive and --keep exclude each other: give one of them.", code=2)
    with context.writing() as store:
        _may_run(store)
        who = caller.trust()
        answer = Answer.ARCHIVE if archive else Answer.WRITE if keep else Answer.LEAVE
        how = How(context.now(), who, answer, only_look=dry_run, asked=True)
        with output.progress("comparing"):
            done = mirror.reconcile(store, how)
        if dry_run:
            _without_ids(done)
        if not dry_run and not json and answer is Answer.LEAVE:
            done = [*done, *_asked(store, done, who)]
        _answer(done, who, dry_run, json)


def _may_run(store: Store) -> None:
    if not store.settings.mirror.enabled:
        fail("The markdown files are switched off: `hardwon config set mirror.enabled true` switches them on.")
    reason = None if caller.trust() is Trust.USER else control.why_not(store, "", "", context.now())
    if reason or not store.settings.control.enabled:
        fail(f"Nothing was taken in: {reason or 'hardwon is switched off (control.enabled)'}.")


def _without_ids(done: Sequence[Settled]) -> None:
    """Lessons that were not kept have none."""
    for one in done:
        one.changes = [Change(c.what, c.text) if c.what in ("added", "beside") else c for c in one.changes]


def _asked(store: Store, done: Sequence[Settled], who: Trust) -> list[Settled]:
    """For each skill whose files have lost everything or most of it: whether that was meant."""
    again: list[Settled] = []
    if not streams.can_ask():
        return again
    for skill in dict.fromkeys(one.skill for one in done if one.gone):
        lost = [one for one in done if one.gone and one.skill == skill]
        for one in lost:
            output.remark(f"{one.file}: {output.counted(one.gone, 'bullet')} gone")
        meant = output.answer("Archive what is gone? Otherwise it is written again.")
        if meant is None:
            continue
        how = How(context.now(), who, Answer.ARCHIVE if meant else Answer.WRITE, asked=True)
        again += mirror.reconcile(store, how, skill)
        for one in lost:
            one.gone = 0
    return again


def _answer(done: Sequence[Settled], who: Trust, dry_run: bool, json: bool) -> None:
    told = [one for one in done if one.changes or one.written or one.gone or one.problem]
    if json:
        output.print_json({"dry_run": dry_run, "trust": who, "files": [_as_json(one) for one in told]})
    else:
        for one in told:
            _print(one, dry_run)
        if not told:
            print("files and memories say the same")
    if any(one.gone for one in done):
        fail(
            "Files that have lost their lessons are left as they are: --archive archives these lessons, --keep writes "
            "the files again.",
            answered=json,
        )


def _print(one: Settled, dry_run: bool) -> None:
    for change in one.changes:
        id = short_id(change.id) if change.id else "-"
        print(f"{one.file}\t{_SAID[change.what]}\t{id}\t{plain.one_line(change.text, 80)}")
    if one.written:
        print(f"{one.file}\t{'would be written' if dry_run else 'written'}\t{output.counted(one.shown, 'entry')}")
    if one.gone:
        print(f"{one.file}\t{output.counted(one.gone, 'bullet')} gone, nothing archived")
    if one.problem:
        output.remark(one.problem)


def _as_json(one: Settled) -> dict[str, Any]:
    return {
        "file": one.file,
        "changes": [{"what": change.what, "id": change.id or None, "text": change.text} for change in one.changes],
        "written": one.written,
        "entries": one.shown,
        "gone": one.gone,
        "problem": one.problem,
    }
