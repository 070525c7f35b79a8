"""How a question was read, for `recall --explain`: what it names, what it is after, what a prompt of it would get."""

from __future__ import annotations

from typing import Any

from hardwon.cli.support import quoting
from hardwon.memories import Item, Recollection, chains
from hardwon.memories.search.plan import Plan, Policy, policy
from hardwon.render import plain
from hardwon.store.connection import Store


def as_json(store: Store, found: Recollection, planned: Plan) -> dict[str, Any]:
    may = policy(planned.risk, store.settings.recall)
    return {
        "pivots": [str(anchor) for anchor in planned.pivots],
        "intent": planned.intent,
        "risk": planned.risk,
        "policy": {
            "candidates": may.candidates,
            "items": may.items,
            "tokens": may.tokens,
            "min_coverage": round(may.min_coverage, 3),
        },
        "counts": _counts(found),
        "chains": {
            item.ranked.memory.id: [
                {"relation": relation, "id": other.id, "headline": other.headline}
                for relation, other in chains.linked(store, item.ranked.memory)
            ]
            for item in found.items
        },
    }


def _counts(found: Recollection) -> dict[str, int]:
    return {
        "candidates": len(found.found.candidates),
        "held_back": len(found.held_back),
        "said": len(found.items),
        "tokens": sum(item.tokens for item in found.items),
    }


def print_plan(store: Store, found: Recollection, planned: Plan) -> None:
    print(f"pivots: {', '.join(plain.visible(str(anchor)) for anchor in planned.pivots) or 'none'}")
    print(f"intent: {planned.intent} (risk: {planned.risk})")
    print(f"at a prompt: {_said(policy(planned.risk, store.settings.recall))}")
    counts = ", ".join(f"{name.replace('_', ' ')} {number}" for name, number in _counts(found).items())
    print(f"counts: {counts}")
    for item in found.items:
        _print_chain(store, item)


def _said(may: Policy) -> str:
    least = f"{may.min_coverage:.0%} of the question"
    return f"{may.candidates} candidates, {may.items} memories, {may.tokens} tokens, from {least} on"


def _print_chain(store: Store, item: Item) -> None:
    memory = item.ranked.memory
    for relation, other in chains.linked(store, memory):
        headline = plain.one_line(quoting.words(other, other.headline), 70)
        print(f"{memory.short_id} {relation}: {other.short_id} {headline}")
