from __future__ import annotations

import json as json_text
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hardwon.cli.app import fail
from hardwon.cli.support import context, output
from hardwon.cli.support.options import Json

if TYPE_CHECKING:
    from hardwon.evaluation.production import Embedding

app = typer.Typer(no_args_is_help=True, rich_markup_mode="markdown", add_completion=False)


@app.callback()
def bench() -> None:
    """Measure how well memories are found, on data of your own

    Example: `hardwon bench recall --commits .`
    """


@app.command()
def recall(
    commits: Annotated[
        list[Path] | None,
        typer.Option("--commits", metavar="REPO", help="A git repository: from a commit's subject to its diff"),
    ] = None,
    locomo: Annotated[
        Path | None, typer.Option("--locomo", metavar="FILE", help="LoCoMo's locomo10.json: turns of long chats")
    ] = None,
    conversations: Annotated[
        str, typer.Option("--conversations", metavar="NUMBERS", help="Those of LoCoMo's; 1-5 are for tuning")
    ] = "6-10",
    longmemeval: Annotated[
        Path | None, typer.Option("--longmemeval", metavar="FILE", help="A file of LongMemEval, such as its S or M")
    ] = None,
    sde_bench: Annotated[
        Path | None,
        typer.Option(
            "--sde-bench", metavar="FOLDER", help="A clone of sde-bench: from a bug report to what was settled"
        ),
    ] = None,
    transcripts: Annotated[
        Path | None, typer.Option("--transcripts", metavar="FOLDER", help="Sessions as clients wrote them down")
    ] = None,
    questions: Annotated[
        Path | None,
        typer.Option(
            "--questions", metavar="FILE", help="About them, a JSON object per line: question session contains"
        ),
    ] = None,
    sets: Annotated[
        str | None,
        typer.Option(
            "--sets",
            metavar="SETS",
            help="The project's own in a clone of it, such as reporting or long_reporting, or a folder",
        ),
    ] = None,
    most: Annotated[
        int | None,
        typer.Option("--most", min=1, metavar="NUMBER", help="At most this many questions of each data set"),
    ] = None,
    vectors: Annotated[bool, typer.Option("--vectors/--no-vectors", help="With vectors too, where they are")] = True,
    cache: Annotated[
        Path | None, typer.Option("--cache", metavar="FILE", help="Keep the vectors in this file for the next run")
    ] = None,
    write: Annotated[
        Path | None, typer.Option("--write", metavar="FILE", help="Write the figures to a file too")
    ] = None,
    misses: Annotated[bool, typer.Option("--misses", help="In the JSON: each question that was not fully met")] = False,
    json: Json = False,
) -> None:
    """Measure recall on a data set, beside BM25, vectors alone and their fusion

    Example: `hardwon bench recall --commits . --most 50`

    Everything happens in a store of its own in a temporary folder; your memories are neither read nor changed. It uses
    the functions and weights that are used every day. Each figure has its 95 % interval. Without an option the
    project's own sets are measured, which needs a clone of the project.
    """
    from hardwon.evaluation import command
    from hardwon.evaluation.corpus import BadData

    given = (commits, locomo, longmemeval, sde_bench, transcripts, questions, sets)
    try:
        wanted = command.Wanted(
            locomo=locomo,
            conversations=command.numbers(conversations),
            longmemeval=longmemeval,
            sde_bench=sde_bench,
            commits=tuple(commits or ()),
            transcripts=transcripts,
            questions=questions,
            sets=sets if any(given) else "reporting",
            most=most,
        )
        with output.progress("measuring") as told:
            measured = command.measure(wanted, _embedding(cache) if vectors else None, told)
    except BadData as error:
        fail(str(error))
    figures = measured.as_json(misses=misses)
    if write:
        try:
            write.write_text(json_text.dumps(figures, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        except OSError as error:
            fail(f"{write} can't be written ({error.strerror}); the figures were not kept.")
    if json:
        output.print_json(figures)
    else:
        print(measured.as_text())


def _embedding(cache: Path | None) -> Embedding | None:
    """The model of the settings; without one it is measured without."""
    from hardwon.embedding.model import NoModel
    from hardwon.evaluation import command

    _, loaded = context.settings()
    try:
        return command.embedding_of(loaded.settings.vectors, cache)
    except NoModel as error:
        output.remark(f"measured without vectors: {error}")
        return None
