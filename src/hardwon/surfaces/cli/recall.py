from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from hardwon.recall import Item, Question, Recollection, recall
from hardwon.render import plain
from hardwon.store.connection import Store
from hardwon.surfaces.cli import context, output
from hardwon.surfaces.cli.app import fail
from hardwon.surfaces.cli.options import Everywhere, Json, ProjectName, Skill
from hardwon.understand import anchors as understand


def run(
    query: Annotated[
        str, typer.Argument(metavar="QUERY", help="A question, a command, an error, a file", show_default=False)
    ],
    skill: Skill = None,
    project: ProjectName = None,
    everywhere: Everywhere = False,
    limit: Annotated[
        int | None, typer.Option("--limit", "-n", min=1, max=100, metavar="NUMBER", help="At most this many")
    ] = None,
    budget: Annotated[
        int | None, typer.Option("--budget", min=30, metavar="NUMBER", help="At most this many tokens")
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Show each factor and what was held back")] = False,
    json: Json = False,
) -> None:
    """Bring back the memories that fit, or nothing

    Example: `hardwon recall "why does make test hang?"`

    Looks in this folder's project and in what holds everywhere. `hardwon search` lists everything that has the words.
    """
    if not query.strip() and skill is None:
        fail('The query is empty. Try: hardwon recall "how do the tests run here?"', code=2)
    with context.reading() as store:
        place, scopes = context.scopes_to_read(store, project, everywhere)
        root, cwd = (place.root, context.folder()) if place else ("", "")
        question = Question(query, scopes, skill, understand.asked_about(query, root, cwd))
        settings = store.settings.recall
        count = limit or (settings.skill_top if skill else settings.limit)
        # Who asks for more items by hand wants them whole.
        tokens = budget or (settings.budget_tokens if limit is None and skill is None else 1_000_000)
        found = recall(store, question, context.now(), limit=count, budget=tokens)
        if json:
            output.print_json(_json(store, found, explain))
        else:
            _print(store, found, explain)


def _json(store: Store, found: Recollection, explain: bool) -> dict[str, Any]:
    answer: dict[str, Any] = {"items": [_item(store, item, explain) for item in found.items], "silent": found.silent}
    if explain:
        answer["words"] = {found.found.words[stem]: round(weight, 3) for stem, weight in found.found.weights.items()}
        answer["searched"] = [found.found.words[stem] for stem in found.found.searched]
        answer["rung"] = found.found.rung
        answer["held_back"] = [
            {"id": one.memory.id, "headline": one.memory.headline, "coverage": round(one.candidate.coverage, 3)}
            for one in found.held_back[:10]
        ]
    return answer


def _item(store: Store, item: Item, explain: bool) -> dict[str, Any]:
    whole = output.as_json(store, item.ranked.memory, item.ranked.candidate.hits)
    shape = {name: whole[name] for name in ("id", "kind", "title", "body", "scope", "status", "trust")}
    shape |= {"body": item.body, "score": round(item.ranked.score, 4), "why": why(item), "clipped": item.clipped}
    return shape | ({"factors": _factors(item)} if explain else {})


def why(item: Item) -> str:
    """The reason this memory was brought back, in a phrase."""
    candidate = item.ranked.candidate
    reasons = [str(anchor) for anchor in candidate.anchors]
    if candidate.words:
        reasons.append(f"{', '.join(candidate.words)} ({candidate.coverage:.0%} of the question)")
    return "; ".join(reasons) or "use and recency"


def _factors(item: Item) -> dict[str, float]:
    return {name: round(value, 3) for name, value in item.ranked.factors.items()}


def _print(store: Store, found: Recollection, explain: bool) -> None:
    bold, dim, off = ("\x1b[1m", "\x1b[2m", "\x1b[0m") if sys.stdout.isatty() else ("", "", "")
    for item in found.items:
        memory = item.ranked.memory
        label = f"{memory.kind}{_status(memory.status)}  {plain.visible(memory.title)}".rstrip()
        print(f"{bold}{memory.short_id}{off} {label}")
        for line in plain.visible(item.body).splitlines():
            print(f"  {line}")
        print(f"  {dim}{context.project_name(store, memory.scope.project)} · {memory.trust} · {why(item)}{off}")
        if explain:
            factors = " × ".join(f"{name} {value}" for name, value in _factors(item).items())
            print(f"  {dim}{item.ranked.score:.3f} = {factors}{off}")
    if found.silent:
        output.remark("nothing fits")
    if explain:
        _print_explanation(found)


def _status(status: str) -> str:
    return "" if status == "active" else f" ({status})"


def _print_explanation(found: Recollection) -> None:
    words = ", ".join(f"{found.found.words[stem]} {weight:.2f}" for stem, weight in found.found.weights.items())
    print(f"\nwords: {words or 'none that tell'}")
    searched = ", ".join(found.found.words[stem] for stem in found.found.searched)
    print(f"searched: {searched or 'none'} (rung: {found.found.rung})")
    for one in found.held_back[:5]:
        share = f"{one.candidate.coverage:.0%}"
        print(f"held back: {one.memory.short_id} covers {share}: {plain.one_line(one.memory.headline, 70)}")
