from __future__ import annotations

from typing import Annotated, Any

import typer

from hardwon.cli.app import fail
from hardwon.cli.support import context, meaning, output, text
from hardwon.cli.support.item import explanation, factors_of, item_json, print_held_back, print_item, print_words
from hardwon.cli.support.options import Everywhere, Json, ProjectName, Skill
from hardwon.cli.verbs import recall_plan, recall_skill
from hardwon.memories import Question, Recollection, recall
from hardwon.memories.search.plan import Plan, plan
from hardwon.store.connection import Store
from hardwon.text import anchors as understand


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
