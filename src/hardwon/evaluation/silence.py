"""When nothing fits, nothing is said: prompts that only look like a note, and texts from elsewhere altogether.

Asked is `recall` with the gate where production has it, with the notes of all projects in view, which is harder than
any prompt has it; and beside it what a prompt would be told in its own project (`recall.at_prompt`).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from hardwon.evaluation import bootstrap, loading, metrics, production
from hardwon.evaluation.bootstrap import Estimate
from hardwon.evaluation.corpus import DAY, Document
from hardwon.evaluation.loading import Loaded
from hardwon.evaluation.own_sets import OwnSets, Prompt
from hardwon.evaluation.production import Embedding
from hardwon.evaluation.run import OURS, OURS_MEANING
from hardwon.memories import at_prompt
from hardwon.memory import GLOBAL
from hardwon.store.connection import Store
from hardwon.text import anchors

AT_PROMPT = ", at a prompt"
COVERAGES = tuple(number / 20 for number in range(1, 20))

Say = Callable[[Store, Loaded, Prompt], list[str]]


@dataclass(frozen=True, slots=True)
class Heard:
    """What was said to each text: the notes, by their ids in the set."""

    near: tuple[tuple[Prompt, list[str]], ...]
    unrelated: tuple[list[str], ...]

    def figures(self) -> dict[str, Estimate]:
        answerable = [(prompt, said) for prompt, said in self.near if prompt.answer]
        without = [said for prompt, said in self.near if not prompt.answer]
        found = {
            "near misses answered wrongly": bootstrap.estimate([float(bool(said)) for said in without]),
            "answered rightly": bootstrap.estimate([float(prompt.answer in said) for prompt, said in answerable]),
            "the right note first": bootstrap.estimate(
                [float(said[:1] == [prompt.answer]) for prompt, said in answerable]
            ),
        }
        if self.unrelated:  # a set need not have any, and of none nothing can be said
            found["unrelated silent"] = bootstrap.estimate([float(not said) for said in self.unrelated])
        return found

    def point(self) -> dict[str, float]:
        """One point of the curve, over all prompts of the set of near misses."""
        spoken = [(prompt, said) for prompt, said in self.near if said]
        right = [float(prompt.answer is not None and prompt.answer in said) for prompt, said in spoken]
        figures = {name: round(one.value, 4) for name, one in self.figures().items()}
        return {
            "precision": round(metrics.mean(right), 4) if right else 1.0,
            "share answered": round(len(spoken) / len(self.near), 4) if self.near else 0.0,
        } | figures


@dataclass(frozen=True, slots=True)
class Silence:
    methods: dict[str, Heard]
    curves: dict[str, list[tuple[float, dict[str, float]]]]
    """By method: where the gate stood, and what came of it."""
    gate: float

    def as_json(self) -> dict[str, Any]:
        return {
            "methods": {
                way: {name: one.as_json() for name, one in heard.figures().items()}
                for way, heard in self.methods.items()
            },
            "gate": {
                "min_coverage": self.gate,
                "curves": {
                    way: [{"min_coverage": least} | point for least, point in curve]
                    for way, curve in self.curves.items()
                },
            },
        }


def measure(sets: OwnSets, embedding: Embedding | None, coverages: Sequence[float] = COVERAGES) -> Silence:
    """The near misses in a store with their notes, the unrelated texts in one with the notes of all sets."""
    with (
        production.stores(embedding, _noting(sets.notes)) as small,
        production.stores(embedding, _noting(sets.all_notes)) as large,
    ):
        methods: dict[str, Heard] = {}
        curves: dict[str, list[tuple[float, dict[str, float]]]] = {}
        gate = small.without.settings.recall.min_coverage
        points = sorted({*coverages, gate})
        readers = ((OURS, small.without, large.without), (OURS_MEANING, small.with_vectors, large.with_vectors))
        for name, own, all_ in readers:
            if own is None or all_ is None:
                continue
            places = ((own, small.loaded), (all_, large.loaded))
            methods[name] = _heard(sets, places, _recall(sets, None))
            methods[name + AT_PROMPT] = _heard(sets, places, _at_prompt(gate))
            curves[name] = [(least, _heard(sets, places, _recall(sets, least)).point()) for least in points]
            curves[name + AT_PROMPT] = [(least, _heard(sets, places, _at_prompt(least)).point()) for least in points]
    return Silence(methods, curves, gate)


def _noting(notes: Sequence[Document]) -> Callable[[Store], Loaded]:
    return lambda store: Loaded({}, loading.add_notes(store, notes))


def _heard(sets: OwnSets, places: Sequence[tuple[Store, Loaded]], say: Say) -> Heard:
    (own, own_notes), (all_, all_notes) = places
    projects = [one for one in dict.fromkeys(note.project for note in sets.all_notes) if one != GLOBAL]
    elsewhere = [Prompt(text, None, projects[number % len(projects)]) for number, text in enumerate(sets.unrelated)]
    return Heard(
        tuple((prompt, say(own, own_notes, prompt)) for prompt in sets.prompts),
        tuple(say(all_, all_notes, prompt) for prompt in elsewhere),
    )


def _recall(sets: OwnSets, least: float | None) -> Say:
    projects = tuple(dict.fromkeys(note.project for note in sets.all_notes))
    now = _now(sets.all_notes)

    def say(store: Store, loaded: Loaded, prompt: Prompt) -> list[str]:
        found = production.recalled(store, prompt.text, projects, now, least=least)
        return [loaded.notes[item.ranked.memory.id] for item in found.items]

    return say


def _at_prompt(least: float) -> Say:
    """In the project in which it is typed; each unrelated one in the next project. `least` is the setting, from which
    the moment makes its own."""

    def say(store: Store, loaded: Loaded, prompt: Prompt) -> list[str]:
        now = int(store.value("select max(created_at) from memories")) + DAY
        usual = store.settings
        store.settings = dataclasses.replace(usual, recall=dataclasses.replace(usual.recall, min_coverage=least))
        try:
            found = at_prompt.fitting(store, prompt.text, prompt.project, anchors.at_prompt(prompt.text), now)
        finally:
            store.settings = usual
        return [loaded.notes[item.ranked.memory.id] for item in found.items]

    return say


def _now(notes: Sequence[Document]) -> int:
    return max(note.at for note in notes) + DAY
