from __future__ import annotations

from typing import Annotated, Any

import typer

from hardwon.recall import HeldBack, Item, Question, Recollection, recall
from hardwon.recall.candidates import Found
from hardwon.recall.gate import ALIKE
from hardwon.recall.plan import Plan, plan
from hardwon.recall.rank import Candidate
from hardwon.render import plain
from hardwon.store.connection import Store
from hardwon.surfaces.cli import context, meaning, output, quoting, recall_plan, streams, text
from hardwon.surfaces.cli.app import fail
from hardwon.surfaces.cli.options import Everywhere, Json, ProjectName, Skill
from hardwon.understand import anchors as understand


def run(
    query: Annotated[
        str, typer.Argument(metavar="QUERY", help="A question, a command, an error, a file", show_default=False)
    ] = "",
    skill: Skill = None,
    intent: Annotated[
        str, typer.Option("--intent", metavar="TEXT", help="What a skill is wanted for; the same as QUERY")
    ] = "",
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
    With `--skill` the lessons of that skill, as a client is told them when it loads: without a query by use and date.
    """
    query = query if query.strip() else intent
    if skill is not None and not skill.strip():
        fail("--skill is empty: give the name of the skill, or leave it out.", code=2)
    if not query.strip() and skill is None:
        fail('The query is empty. Try: hardwon recall "how do the tests run here?"', code=2)
    with context.reading(skill.strip() if skill else None) as store:
        query = text.passed(store, query=query)["query"]
        place, scopes = context.scopes_to_tell(store, project, everywhere)
        root, cwd = (place.root, context.folder()) if place else ("", "")
        named = understand.asked_about(query, root, cwd)
        if skill:
            from hardwon.surfaces.cli import recall_skill

            asked = Question(query, scopes, skill.strip(), named)
            recall_skill.run(store, asked, cwd, root, limit, budget, explain, json)
            return
        settings = store.settings.recall
        # Who asks for more items by hand wants them whole.
        tokens = budget or (settings.budget_tokens if limit is None else 1_000_000)
        planned = plan(query, understand.at_prompt(query, root, cwd))
        question = Question(query, scopes, None, tuple(dict.fromkeys((*named, *planned.pivots))))
        most = limit or settings.limit
        meaning.query_vector(store, query)  # the model is there when recall asks for it
        found = recall(store, question, context.now(), limit=most, budget=tokens, explain=explain, liked=planned.liked)
        if json:
            output.print_json(_json(store, found, planned, explain), store)
        else:
            _print(store, found, planned, explain)


def _json(store: Store, found: Recollection, planned: Plan, explain: bool) -> dict[str, Any]:
    answer: dict[str, Any] = {
        "items": [item_json(store, item, explain) for item in found.items],
        "silent": found.silent,
    }
    if not explain:
        return answer
    return (
        answer
        | explanation(found.found, found.found.rung, found.held_back)
        | recall_plan.as_json(store, found, planned)
    )


def explanation(found: Found, rung: str, held_back: list[HeldBack]) -> dict[str, Any]:
    return {
        "words": {found.words[stem]: round(weight, 3) for stem, weight in found.weights.items()},
        "searched": [found.words[stem] for stem in found.searched],
        "rung": rung,
        "held_back": [
            {"id": one.memory.id, "headline": one.memory.headline, "reason": one.reason} | _measures(one.candidate)
            for one in held_back[:10]
        ],
    }


def item_json(store: Store, item: Item, explain: bool) -> dict[str, Any]:
    whole = output.as_json(store, item.ranked.memory, item.ranked.candidate.hits)
    shape = {name: whole[name] for name in ("id", "kind", "title", "body", "scope", "status", "trust")}
    shape |= {"body": item.body, "score": round(item.ranked.score, 4), "why": why(item), "clipped": item.clipped}
    shape["before"] = [{"id": one.id, "at": one.created_at, "body": one.body} for one in item.ranked.before]
    if not explain:
        return shape
    return shape | _measures(item.ranked.candidate) | {"factors": factors_of(item)}


def _measures(candidate: Candidate) -> dict[str, float | None]:
    """What the gate looks at."""
    cosine = None if candidate.cosine is None else round(candidate.cosine, 3)
    return {"coverage": round(candidate.coverage, 3), "cosine": cosine}


def why(item: Item) -> str:
    """The reason this memory was brought back, in a phrase."""
    candidate = item.ranked.candidate
    reasons = [str(anchor) for anchor in candidate.anchors]
    if candidate.words:
        reasons.append(f"{', '.join(candidate.words)} ({candidate.coverage:.0%} of the question)")
    if candidate.cosine is not None and (candidate.cosine >= ALIKE or not reasons):
        reasons.append(f"its meaning (cosine {candidate.cosine:.2f})")
    return "; ".join(reasons) or "use and recency"


def factors_of(item: Item) -> dict[str, float]:
    return {name: round(value, 3) for name, value in item.ranked.factors.items()}


def _print(store: Store, found: Recollection, planned: Plan, explain: bool) -> None:
    for item in found.items:
        factors = " × ".join(f"{name} {value}" for name, value in factors_of(item).items())
        print_item(store, item, f"{item.ranked.score:.3f} = {factors}" if explain else "")
    if found.silent:
        output.remark("nothing fits")
    if explain:
        print_words(found.found, found.found.rung)
        recall_plan.print_plan(store, found, planned)
        print_held_back(found.held_back)


def print_item(store: Store, item: Item, explained: str) -> None:
    bold, dim, off = ("\x1b[1m", "\x1b[2m", "\x1b[0m") if streams.is_coloured() else ("", "", "")
    memory = item.ranked.memory
    title = plain.visible(quoting.words(memory, memory.title))
    label = f"{memory.kind}{_status(memory.status)}  {title}".rstrip()
    print(f"{bold}{memory.short_id}{off} {label}")
    for line in plain.visible(quoting.words(memory, item.body)).splitlines():
        print(f"  {line}")
    older = f" · older than {item.ranked.later.short_id}" if item.ranked.later else ""
    print(f"  {dim}{context.project_name(store, memory.scope.project)} · {memory.trust} · {why(item)}{older}{off}")
    for one in item.ranked.before:
        told = plain.one_line(quoting.words(one, one.headline))
        print(f"  {dim}before: {plain.day(one.created_at)}  {one.short_id}  {told}{off}")
    if explained:
        cosine = item.ranked.candidate.cosine
        print(f"  {dim}{explained}{'' if cosine is None else f'; cosine {cosine:.2f}'}{off}")


def _status(status: str) -> str:
    return "" if status == "active" else f" ({status})"


def print_words(found: Found, rung: str) -> None:
    words = ", ".join(f"{found.words[stem]} {weight:.2f}" for stem, weight in found.weights.items())
    print(f"\nwords: {words or 'none that tell'}")
    searched = ", ".join(found.words[stem] for stem in found.searched)
    print(f"searched: {searched or 'none'} (rung: {rung})")


def print_held_back(held_back: list[HeldBack]) -> None:
    for one in held_back[:5]:
        headline = plain.one_line(quoting.words(one.memory, one.memory.headline), 70)
        print(f"held back: {one.memory.short_id} {one.reason}: {headline}")
