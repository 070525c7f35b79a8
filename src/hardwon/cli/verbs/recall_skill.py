"""`recall --skill`: the lessons of a skill, and with --explain how they were chosen."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import Any

from hardwon.cli.support import context, meaning, output
from hardwon.cli.support.item import explanation, factors_of, item_json, print_held_back, print_item, print_words
from hardwon.clients.skills import Place
from hardwon.memories import Item, Question, legacy, skill_file
from hardwon.memories.search.candidates import Found
from hardwon.memories.skill_file import SkillFile
from hardwon.memories.skills import Lessons, Wanted, lessons
from hardwon.store.connection import Store
from hardwon.text.mark import is_another
from hardwon.text.skills.frontmatter import Weights

BLENDED = ("relevance", "recency", "hits")
_NOTHING_ASKED = Found([], {}, {}, (), "nothing")


def run(
    store: Store,
    asked: Question,
    cwd: str,
    root: str,
    limit: int | None,
    budget: int | None,
    explain: bool,
    json: bool,
) -> None:
    """Who asks by hand is answered, also for a skill that has its memory off, and with whole lessons."""
    name = asked.skill or ""
    file = skill_file.of_name(name, Place(cwd, root))
    meaning.query_vector(store, asked.text)  # the model is there when the lessons are put into order
    files = legacy.files(name, file.path, root)
    wanted = Wanted(name, asked.projects, asked.text, anchors=asked.anchors, files=files)
    found = lessons(store, wanted, context.now(), file.tuning, limit=limit, budget=budget or 1_000_000)
    if json:
        output.print_json(_json(store, found, file, explain), store)
        return
    for item in found.items:
        print_item(store, item, _blend(item, file.tuning.weights) if explain else "")
        if is_another(file.mark, item.ranked.memory.skill_mark):
            print("  learned with an earlier version of this skill")
    if not found.items:
        output.remark("nothing fits")
    if explain:
        print_words(found.found or _NOTHING_ASKED, found.rung)
        print_held_back(found.held_back)
        print(f"skill: {_described(store, file)}")
    for problem in file.tuning.problems:
        print(f"{file.path}: {problem}; it is passed over", file=sys.stderr)


def _json(store: Store, found: Lessons, file: SkillFile, explain: bool) -> dict[str, Any]:
    items = [
        item_json(store, item, explain) | {"earlier_version": is_another(file.mark, item.ranked.memory.skill_mark)}
        for item in found.items
    ]
    answer: dict[str, Any] = {"items": items, "silent": not items}
    if explain:
        answer |= explanation(found.found or _NOTHING_ASKED, found.rung, found.held_back)
        answer["skill"] = {
            "file": file.path or None,
            "on": skill_file.is_on(file, store.settings),
            "top": file.tuning.top,
            "min_score": file.tuning.min_score,
            "weights": asdict(file.tuning.weights),
            "problems": list(file.tuning.problems),
        }
    return answer


def _blend(item: Item, weights: Weights) -> str:
    """The score as it was made: a blend of what speaks for it, times what speaks against it."""
    factors = factors_of(item)
    inside = " + ".join(f"{getattr(weights, name)} × {name} {factors[name]}" for name in BLENDED if name in factors)
    shares = sum(getattr(weights, name) for name in BLENDED if name in factors)
    rest = "".join(f" × {name} {value}" for name, value in factors.items() if name not in BLENDED)
    return f"{item.ranked.score:.3f} = ({inside or 1}) / {round(shares, 3) or 1}{rest}"


def _described(store: Store, file: SkillFile) -> str:
    state = "on" if skill_file.is_on(file, store.settings) else "off: a client is told nothing"
    return f"{file.path or 'no SKILL.md was found'} ({state})"
