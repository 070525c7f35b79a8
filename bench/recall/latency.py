"""How long recall and the search in past conversations take as the memory grows, with vectors and without.

    python -m bench recall-latency [--memories 1000,10000,100000] [--passages 1000,…,1000000] [--real 10000]

It runs in one process what the daemon runs for an answer. All sizes take turns with the same questions, each in another
order: a question that was just asked would find its vector made. Stores of more than `--real` memories have made-up
vectors, as long as the model's and as many as there are memories; what a search does with them is the same. Beside it
stands what nobody can avoid who compares a question with all vectors: one numpy product with a matrix of that size, for
every size of the run. Of past conversations the newest passages have made-up vectors, two each and as many as the
settings give any. Memory is that of a process of its own for each store. That a recall over its budget returns what
the words found is not a matter of speed: `tests/daemon/test_slow_model.py` tries it with a model that takes 5 s.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from bench import questions
from bench.measure import Times, interleaved, keep, ms, print_table, progress, ratio
from bench.questions import Asked
from bench.recall import growing
from bench.recall.growing import DIMS
from bench.store import NOW, build
from bench.texts import PROJECTS, Writer, harvest
from hardwon.conversations import conversations
from hardwon.embedding import choose
from hardwon.embedding.ready import READY
from hardwon.memories import recall
from hardwon.memories.search.vectors import query_vector
from hardwon.paths import Home
from hardwon.settings import DEFAULTS, Settings
from hardwon.settings.keys import Vectors
from hardwon.store.connection import Store, open_store

WITHOUT = dataclasses.replace(DEFAULTS, vectors=Vectors(model=choose.OFF))
FOUND = 10
PRODUCT, SEARCHED = "numpy product", "conversations, words and vectors"
PROBED = 100
"""Questions after which a process is weighed."""


def main(argv: list[str]) -> int:
    options = _options(argv)
    meaning = _meaning()
    writer = Writer(harvest()[0])
    figures: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory(prefix="hardwon-bench-") as folder:
        homes = {size: _memories(Path(folder, f"m{size}"), writer, size, meaning, options.real)
                 for size in options.memories}  # fmt: skip
        asked = list(questions.mixed(writer, min(options.memories), options.rounds))
        figures["recall, words"] = _measured(homes, WITHOUT, _recall, asked)
        if meaning:
            figures["recall, words and vectors"] = _measured(homes, meaning, _recall, asked)
        spoken = {size: growing.conversations(Path(folder, f"p{size}"), writer, size) for size in options.passages}
        figures["conversations, words"] = _measured(spoken, WITHOUT, _search, asked)
        if meaning:
            for size, home in spoken.items():
                progress(f"vectors for {size:,} passages")
                growing.made_up_passage_vectors(home, choose.name(meaning.vectors))
            figures[SEARCHED] = _measured(spoken, meaning, _search, asked)
            figures[PRODUCT] = _products(sorted({*options.memories, *options.passages}), options.rounds)
    report(figures)
    keep("recall-latency", {"milliseconds": figures})
    return 0


def _options(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench recall-latency", description=__doc__)
    parser.add_argument("--memories", type=_sizes, metavar="N,N", help="memories in each store")
    parser.add_argument("--passages", type=_sizes, metavar="N,N", help="passages in each store of conversations")
    parser.add_argument("--real", type=int, metavar="N", help="up to so many memories get the model's own vectors")
    parser.add_argument("--rounds", type=int, help="how often each is measured")
    parser.add_argument("--quick", action="store_true", help="small sizes and made-up vectors")
    quick = parser.parse_args(argv).quick
    parser.set_defaults(
        memories=[1_000, 5_000] if quick else [1_000, 10_000, 100_000],
        passages=[1_000, 10_000] if quick else [1_000, 10_000, 100_000, 1_000_000],
        real=0 if quick else 10_000,
        rounds=100 if quick else 400,
    )
    return parser.parse_args(argv)


def _sizes(text: str) -> list[int]:
    return sorted(int(part.replace("_", "")) for part in text.split(","))


def _meaning() -> Settings | None:
    """The settings with the model that comes with the extra, which is loaded; None where the extra is missing."""
    wanted = Vectors()
    if not choose.is_possible(wanted):
        print(f"without vectors: {choose.lacking(wanted)} is not installed", file=sys.stderr)
        return None
    READY.put(wanted, choose.load(wanted, lambda text: text))
    return dataclasses.replace(DEFAULTS, vectors=wanted)


def _memories(folder: Path, writer: Writer, size: int, meaning: Settings | None, real: int) -> Home:
    store = build(folder, writer, size)
    if meaning:
        model = READY.model(meaning.vectors)
        assert model is not None
        progress(f"vectors for {size:,} memories")
        if size <= real:
            growing.real_vectors(store, model)
        else:
            growing.made_up_vectors(store, model.name, size)
    store.close()
    return Home(folder)


Ask = Callable[[Sequence[Asked], Store, int], object]


def _measured(homes: dict[int, Home], settings: Settings, ask: Ask, asked: Sequence[Asked]) -> dict[str, Any]:
    """A quarter of the rounds first, to warm up."""
    stores = {size: open_store(home, settings) for size, home in homes.items()}
    variants = {size: partial(ask, asked, store) for size, store in stores.items()}
    # As far apart as can be: the vectors of the last questions are remembered, and one would pay for the others.
    apart = len(asked) // len(variants)
    shifted = {size: partial(_shifted, run, at * apart) for at, (size, run) in enumerate(variants.items())}
    interleaved(shifted, len(asked) // 4)
    times = interleaved(shifted, len(asked))
    for store in stores.values():
        store.close()
    memory = {str(size): _resident(home, settings, asked) for size, home in homes.items()}
    return {size: one | memory[size] for size, one in _as_figures(times).items()}


def _shifted(run: Callable[[int], object], by: int, number: int) -> object:
    return run(number + by)


def _recall(asked: Sequence[Asked], store: Store, number: int) -> object:
    own = store.settings.recall
    question = asked[number % len(asked)].question
    return recall(store, question, NOW, limit=own.limit, budget=own.budget_tokens)


def _search(asked: Sequence[Asked], store: Store, number: int) -> object:
    question = asked[number % len(asked)].question
    vector = query_vector(store, question.text) if store.settings.vectors.model != choose.OFF else None
    return conversations.search(store, question.text, question.projects, FOUND, vector=vector)


def _products(sizes: Sequence[int], rounds: int) -> dict[str, Any]:
    """The matrix of a million takes 1.5 GB, which are given back after it."""
    import numpy

    progress(f"a product with {max(sizes):,} vectors")
    chance = numpy.random.default_rng(1)
    query = chance.standard_normal(DIMS, dtype=numpy.float32)
    matrices = {size: chance.standard_normal((size, DIMS), dtype=numpy.float32) for size in sizes}
    times = interleaved({size: partial(_product, matrix, query) for size, matrix in matrices.items()}, rounds)
    progress("")
    return _as_figures(times)


def _product(matrix: Any, query: Any, number: int) -> object:  # noqa: ARG001
    return matrix @ query


def _as_figures(times: dict[int, Times]) -> dict[str, dict[str, float]]:
    return {str(size): {"p50": one.wall.p50, "p95": one.wall.p95, "cpu p50": one.cpu.p50, "cpu p95": one.cpu.p95}
            for size, one in times.items()}  # fmt: skip


def _resident(home: Home, settings: Settings, asked: Sequence[Asked]) -> dict[str, float]:
    """Megabytes of a process that has answered questions from this store; empty where they can't be asked for."""
    if not Path("/proc/self/status").exists():
        return {}
    texts = [one.question.text for one in asked[:PROBED]]
    file = home.root / "questions.json"
    file.write_text(json.dumps([texts, PROJECTS]), encoding="utf-8")
    command = [sys.executable, "-m", "bench.recall.resident", str(home.root), str(file), settings.vectors.model]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2])
    found: dict[str, float] = json.loads(done.stdout)
    return {f"MB {name}": value for name, value in found.items()}


def report(figures: dict[str, dict[str, Any]]) -> None:
    rows = [
        _row(what, size, one, next(iter(by_size.values())), figures.get(PRODUCT, {}).get(size))
        for what, by_size in figures.items()
        for size, one in by_size.items()
    ]
    print_table(
        "As the memory grows: ratios and milliseconds of the processor, the clock, and megabytes of a process",
        [
            "what",
            "size",
            "p50",
            "p95",
            "to the product",
            "p50 ms",
            "p95 ms",
            "clock p50",
            "clock p95",
            "MB",
            "model MB",
        ],
        rows,
    )


def _row(what: str, size: str, one: dict[str, float], base: dict[str, float], product: Any) -> list[str]:
    model = one.get("MB model", 0) - one.get("MB bare", 0)
    if what == SEARCHED and int(size) > DEFAULTS.vectors.passages:
        product = None  # only so many have vectors: the product with all of them says nothing
    return [
        what,
        f"{int(size):,}",
        ratio(one["cpu p50"], base["cpu p50"]),
        ratio(one["cpu p95"], base["cpu p95"]),
        ratio(one["cpu p50"], product["cpu p50"]) if product and what != PRODUCT else "",
        *(ms(one[name]) for name in ("cpu p50", "cpu p95", "p50", "p95")),
        f"{one['MB after']:.0f}" if "MB after" in one else "",
        f"{model:.0f}" if model > 1 else "",
    ]
