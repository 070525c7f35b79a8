"""What was recalled, as JSON and as lines: each item with why it was brought back, and what was held back."""

from __future__ import annotations

from typing import Any

from hardwon.cli.support import context, output, quoting, streams
from hardwon.memories import HeldBack, Item
from hardwon.memories.search.candidates import Found
from hardwon.memories.search.gate import ALIKE
from hardwon.memories.search.rank import Candidate
from hardwon.render import plain
from hardwon.store.connection import Store


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


def print_item(store: Store, item: Item, explained: str) -> None:
    bold, dim, off = ("\x1b[1m", "\x1b[2m", "\x1b[0m") if streams.is_coloured() else ("", "", "")
    memory = item.ranked.memory
    title = plain.visible(quoting.words(memory, memory.title))
    label = f"{memory.kind}{_status(memory.status)}  {title}".rstrip()
    print(f"{bold}{memory.short_id}{off} {label}")
    for line in plain.visible(quoting.words(memory, item.body)).splitlines():
        print(f"  {line}")
    print(f"  {dim}{context.project_name(store, memory.scope.project)} · {memory.trust} · {why(item)}{off}")
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
