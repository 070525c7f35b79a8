"""What recall finds, and when it stays silent: with the bound on index entries, without it, and beside plain BM25.

Each question was made from one stored memory; that one is the right answer, though another may be as good. So the
figures compare ways to search with each other and say little about any of them alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from bench import questions
from bench.measure import interleaved, ms, print_table, progress, share
from bench.questions import Asked
from bench.texts import Vocabulary, Writer
from hardwon.memories.search.candidates import gather
from hardwon.memories.search.gate import passes
from hardwon.memories.search.rank import Ranked, rank
from hardwon.redact.border import clean
from hardwon.store.connection import Store
from hardwon.store.index import search_index
from hardwon.store.tables import memories

BOUNDS = (2_000, 5_000, 20_000, 1_000_000)
UNBOUNDED = f"{BOUNDS[-1]:,}"
GATED = "as at a prompt"
"""The bound of the settings, and only what may pass the gate."""
PLAIN = "plain BM25, all words"
COVERAGES = (0.2, 0.25, 0.3, 0.34, 0.4, 0.45, 0.5, 0.6)
FACTORS = {
    "as it is": (),
    "without recency": ("recency",),
    "without trust": ("trust",),
    "without recency and trust": ("recency", "trust"),
}
MOST = 60
SAID = 5


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of one question: the ids in order and, where recall was asked, how they were ranked."""

    asked: Asked
    ids: tuple[str, ...]
    ranked: tuple[Ranked, ...] = ()

    def said(self, min_coverage: float) -> list[str]:
        spoken = [one.memory.id for one in self.ranked if passes(one.candidate, min_coverage)]
        return spoken[:SAID]

    def without(self, *factors: str) -> Answer:
        """As if the ranking did not know these factors."""
        ranked = sorted(self.ranked, key=lambda one: -one.score / math.prod(one.factors[name] for name in factors))
        return Answer(self.asked, tuple(one.memory.id for one in ranked))


def measure(store: Store, writer: Writer, held_out: Vocabulary, size: int, count: int, now: int) -> dict[str, Any]:
    labelled = questions.labelled(writer, size, count)
    right = [_answer_to(store, writer, asked) for asked in labelled]
    default = f"{store.settings.recall.max_postings:,}"
    bounds = sorted({*BOUNDS, store.settings.recall.max_postings})
    ways: Ways = {f"{bound:,}": partial(_recalled, store, now, bound) for bound in bounds}
    ways[GATED] = partial(
        _recalled, store, now, store.settings.recall.max_postings, least=store.settings.recall.min_coverage
    )
    ways[PLAIN] = partial(_plain, store)
    progress(f"asking {len(labelled)} labelled questions in {len(ways)} ways")
    answers, times = _ask(ways, labelled)
    spared = {
        "same domain, never stored": questions.never_stored(Writer(held_out, seed=9), count),
        "everyday": questions.everyday(count // 3),
    }
    silence = {name: _ask({default: ways[default]}, asked)[0][default] for name, asked in spared.items()}
    progress("")
    return {
        "bounds": {way: _found(answers[way], right, answers[UNBOUNDED]) | times[way] for way in ways},
        "kinds": {way: _hits_by_kind(answers[way], right) for way in (default, UNBOUNDED, PLAIN)},
        "factors": {
            name: _found([answer.without(*left_out) for answer in answers[default]], right, answers[default])
            for name, left_out in FACTORS.items()
        },
        "gate": [_gate(coverage, answers[default], right, silence) for coverage in COVERAGES],
        "silent by kind": _silent_by_kind(store.settings.recall.min_coverage, answers[default], silence),
        "default": {"max_postings": default, "min_coverage": store.settings.recall.min_coverage},
    }


def _answer_to(store: Store, writer: Writer, asked: Asked) -> str:
    assert asked.about is not None
    draft = writer.text(asked.about).draft
    found = memories.same_text(store, draft.scope, clean(draft.body, store.redactor))
    assert found is not None
    return found.id


def _recalled(store: Store, now: int, bound: int, asked: Asked, least: float = 0.0) -> Answer:
    found = gather(store, asked.question, bound, least)
    ranked = rank(found.candidates, now, store.settings.recall.half_life_days)
    return Answer(asked, tuple(one.memory.id for one in ranked), tuple(ranked))


def _plain(store: Store, asked: Asked) -> Answer:
    words = list(search_index.words(store, asked.question.text).values())
    hits = search_index.best(store, words, asked.question.projects, MOST) if words else []
    found = memories.by_rows(store, [hit.row for hit in hits])
    return Answer(asked, tuple(found[hit.row].id for hit in hits))


Ways = dict[str, Callable[[Asked], Answer]]


def _ask(ways: Ways, asked: Sequence[Asked]) -> tuple[dict[str, list[Answer]], dict[str, dict[str, float]]]:
    """What each way answers, in the order of the questions, and how long it takes."""
    answers: dict[str, list[Answer]] = {way: [] for way in ways}

    def run(way: str, number: int) -> None:
        answers[way].append(ways[way](asked[number]))

    times = interleaved({way: partial(run, way) for way in ways}, len(asked))
    return answers, {way: {"p50": taken.cpu.p50, "p95": taken.cpu.p95} for way, taken in times.items()}


def _found(answers: Sequence[Answer], right: Sequence[str], unbounded: Sequence[Answer]) -> dict[str, float]:
    places = [_place(answer.ids, id) for answer, id in zip(answers, right, strict=True)]
    return {
        "hit@1": _mean(place == 1 for place in places),
        "hit@5": _mean(0 < place <= SAID for place in places),
        "mrr": _mean(1 / place if place else 0 for place in places),
        "agreement": _mean(_overlap(a.ids, b.ids) for a, b in zip(answers, unbounded, strict=True)),
    }


def _place(ids: Sequence[str], id: str) -> int:
    """From 1; 0 when it is not there."""
    return ids.index(id) + 1 if id in ids else 0


def _overlap(one: Sequence[str], other: Sequence[str]) -> float:
    first, second = set(one[:SAID]), set(other[:SAID])
    return len(first & second) / max(len(first), len(second)) if first or second else 1.0


def _mean(values: Any) -> float:
    found = [float(value) for value in values]
    return sum(found) / len(found) if found else 0.0


def _hits_by_kind(answers: Sequence[Answer], right: Sequence[str]) -> dict[str, float]:
    pairs = list(zip(answers, right, strict=True))
    return {
        kind: _mean(0 < _place(answer.ids, id) <= SAID for answer, id in pairs if answer.asked.kind == kind)
        for kind in questions.KINDS
    }


def _gate(
    coverage: float, answers: Sequence[Answer], right: Sequence[str], silence: dict[str, list[Answer]]
) -> dict[str, float]:
    said = [answer.said(coverage) for answer in answers]
    return {
        "min_coverage": coverage,
        "right one said": _mean(id in ids for id, ids in zip(right, said, strict=True)),
        "silent": _mean(not ids for ids in said),
        "said each": _mean(len(ids) for ids in said),
    } | {name: _mean(not answer.said(coverage) for answer in unrelated) for name, unrelated in silence.items()}


def _silent_by_kind(
    coverage: float, answers: Sequence[Answer], silence: dict[str, list[Answer]]
) -> dict[str, dict[str, float]]:
    """Where silence is kept and where not; `by anchor` is the share that spoke because of an anchor alone."""
    groups = {"labelled": answers} | silence
    return {
        f"{name}: {kind}": {
            "silent": _mean(not answer.said(coverage) for answer in group if answer.asked.kind == kind),
            "by anchor": _mean(_only_by_anchor(answer, coverage) for answer in group if answer.asked.kind == kind),
        }
        for name, group in groups.items()
        for kind in dict.fromkeys(answer.asked.kind for answer in group)
    }


def _only_by_anchor(answer: Answer, coverage: float) -> bool:
    return bool(answer.said(coverage)) and all(one.candidate.coverage < coverage for one in answer.ranked)


def _cells(row: dict[str, float]) -> list[str]:
    return [share(row["hit@1"]), share(row["hit@5"]), f"{row['mrr']:.2f}", share(row["agreement"])]


def report(figures: dict[str, Any]) -> None:
    default = figures["default"]
    print_table(
        f"What the bound costs (the default is {default['max_postings']}); agreement is the share of the same top five",
        ["max_postings", "hit@1", "hit@5", "MRR", "agreement", "p50 ms", "p95 ms"],
        [[way, *_cells(row), ms(row["p50"]), ms(row["p95"])] for way, row in figures["bounds"].items()],
    )
    print_table(
        "What the ranking's factors cost where neither age nor author tells which memory is the right one",
        ["ranking", "hit@1", "hit@5", "MRR", "agreement"],
        [[name, *_cells(row)] for name, row in figures["factors"].items()],
    )
    print_table(
        "hit@5 by kind of question",
        ["max_postings", *questions.KINDS],
        [[way, *(share(row[kind]) for kind in questions.KINDS)] for way, row in figures["kinds"].items()],
    )
    columns = ["right one said", "silent", "same domain, never stored", "everyday"]
    print_table(
        f"The gate (the default is {default['min_coverage']}); the last two columns are silence where it is right",
        ["min_coverage", "right one said", "silent", "never stored: silent", "everyday: silent", "memories said"],
        [
            [f"{row['min_coverage']}", *(share(row[column]) for column in columns), f"{row['said each']:.1f}"]
            for row in figures["gate"]
        ],
    )
    print_table(
        "Silence by kind of question at the default",
        ["kind", "silent", "spoke by an anchor alone"],
        [[kind, share(row["silent"]), share(row["by anchor"])] for kind, row in figures["silent by kind"].items()],
    )
