"""Which parts of the search in past conversations earn their place: each is taken out, one at a time.

    python -m bench recall-parts [--sets NAME|FOLDER] [--locomo FILE] [--commits REPO…] [--no-vectors]

The same stores and questions for all, in one run. What is printed is how much the main figure of each data set changes
when a part is missing, question by question, with its 95 % interval: below zero, the part earns its place; an interval
with 0 in it says nothing. Production has no switch for it: the weights are set from here.

Without an option it takes the tickets, where most depends on which of two decisions holds.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import Any

from bench.measure import keep, print_table, progress
from bench.recall import names
from hardwon.conversations import conversations, passage_rank, rerank
from hardwon.conversations.conversations import Considered
from hardwon.embedding.model import NoModel
from hardwon.evaluation import bootstrap, command, commits, locomo, metrics, own_sets, production, report, sde_bench
from hardwon.evaluation.bootstrap import Estimate
from hardwon.evaluation.corpus import BadData, Corpus, DataSet, at_most
from hardwon.evaluation.production import Embedding, Opened
from hardwon.memories.search.vectors import QueryVector
from hardwon.settings.keys import Vectors
from hardwon.store.connection import Store

QUICK = 20
"""Questions of each data set in the quick form, which does without vectors."""


@dataclass(frozen=True, slots=True)
class Part:
    name: str
    module: ModuleType
    attribute: str
    without: object = 0.0
    """What the attribute is when the part is missing."""
    vectors: bool = False
    """Only there with them."""


def _nothing(*_: object) -> dict[int, int]:
    return {}


def _none(*_: object) -> None: ...


MEANING = Part("MEANING", conversations, "_looked", _none, vectors=True)
RERANKING = Part("reranking", rerank, "continuations", _nothing)
"""What is left without it is the first ranking."""


def _without(sign: str) -> Callable[..., Considered]:
    """As if it were nowhere."""
    consider = conversations.consider

    def consider_without(store: Store, text: str, projects: Sequence[str], vector: QueryVector | None) -> Considered:
        one = consider(store, text, projects, vector)
        signs = {row: {name: value for name, value in some.items() if name != sign} for row, some in one.signs.items()}
        return replace(one, signs=signs)

    return consider_without


def weights() -> list[Part]:
    """Every sign, and every number between words and a rank: a new one is measured without being named here."""
    named = [name for name, value in vars(passage_rank).items() if name.isupper() and isinstance(value, float)]
    signs = dict.fromkeys((*passage_rank.BY_MEANING, *passage_rank.BY_WORDS))
    return [
        *(Part(sign, conversations, "consider", _without(sign)) for sign in signs),
        *(Part(name, passage_rank, name) for name in named if name != MEANING.name),
    ]


def every_part() -> list[Part]:
    return [*weights(), MEANING, RERANKING]


@dataclass(slots=True)
class Ablation:
    """The main figure of each question of a data set: whole, and without each part."""

    data: DataSet
    figure: str
    whole: list[float] = field(default_factory=list)
    without: dict[str, list[float]] = field(default_factory=dict)

    def changes(self) -> dict[str, Estimate]:
        return {name: bootstrap.difference(values, self.whole) for name, values in self.without.items()}

    def touched(self, name: str) -> int:
        """How many questions it changes anything for."""
        return sum(one != other for one, other in zip(self.without[name], self.whole, strict=True))

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.data.name,
            "questions": len(self.whole),
            "figure": self.figure,
            "whole": bootstrap.estimate(self.whole).as_json(),
            "without": {
                name: {"change": change.as_json(), "questions changed": self.touched(name)}
                for name, change in self.changes().items()
            },
        }


def main(argv: list[str]) -> int:
    options = _options(argv)
    try:
        embedding = None if options.no_vectors else embedding_at(options.cache)
        parts = [part for part in every_part() if not options.parts or part.name in options.parts]
        found = [
            measure(at_most(data, options.most), embedding, parts, options.figure or data.measures[0])
            for data in _data(options)
        ]
    except BadData as error:
        print(error, file=sys.stderr)
        return 2
    for one in found:
        show(one)
    keep("recall-parts", {"model": embedding.model.name if embedding else "", "data": [one.as_json() for one in found]})
    return 0


def _options(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench recall-parts", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sets", metavar="SETS", help="the project's own questions, by name, or a folder")
    parser.add_argument("--locomo", type=Path, metavar="FILE", help="LoCoMo's locomo10.json")
    parser.add_argument("--conversations", default="1-5", metavar="NUMBERS", help="those of LoCoMo's (default 1-5)")
    parser.add_argument("--commits", type=Path, nargs="+", default=[], metavar="REPO", help="git repositories")
    parser.add_argument("--sde-bench", type=Path, metavar="FOLDER", help="a clone of sde-bench")
    parser.add_argument("--parts", nargs="+", metavar="NAME", help="only these parts (default: each)")
    parser.add_argument(
        "--figure", metavar="NAME", help='such as "exchange hit@5" (default: the main one of each data)'
    )
    parser.add_argument("--most", type=int, metavar="NUMBER", help="at most so many questions of each data set")
    parser.add_argument("--no-vectors", action="store_true", help="by words alone")
    parser.add_argument("--cache", type=Path, metavar="FILE", help="keep the vectors in this file for the next run")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} questions of each, without vectors")
    options = parser.parse_args(argv)
    if options.quick:
        options.most, options.no_vectors = options.most or QUICK, True
    if not (options.sets or options.locomo or options.commits or options.sde_bench):
        options.sets = names.TICKETS_REPORTING
    return options


def _data(options: argparse.Namespace) -> Iterator[DataSet]:
    """Those with conversations: notes are searched in another way, with other weights."""
    if options.locomo:
        yield locomo.load(options.locomo, command.numbers(options.conversations))
    yield from map(commits.load, options.commits)
    if options.sde_bench:
        yield from sde_bench.load(options.sde_bench)
    if options.sets:
        own = own_sets.load(own_sets.found(options.sets))
        yield from (data for data in own.data if not any(corpus.notes for corpus in data.corpora))


def embedding_at(cache: Path | None) -> Embedding | None:
    try:
        return command.embedding_of(Vectors(), cache)
    except NoModel as error:
        print(f"measured without vectors: {error}", file=sys.stderr)
        return None


def measure(data: DataSet, embedding: Embedding | None, parts: Sequence[Part], figure: str) -> Ablation:
    there = [part for part in parts if embedding or not part.vectors]
    ablation = Ablation(data, figure, without={part.name: [] for part in there})
    for corpus in data.corpora:
        progress(f"{data.name}: {corpus.name}")
        with production.stores(embedding, production.load(corpus)) as opened:
            ablation.whole += _figures(figure, corpus, opened)
            for part in there:
                with taken_out(part):
                    ablation.without[part.name] += _figures(figure, corpus, opened)
    return ablation


def _figures(name: str, corpus: Corpus, opened: Opened) -> list[float]:
    """Of each question of which the data says something about it."""
    store, sessions, exchanges = opened.with_vectors or opened.without, corpus.sessions, corpus.exchanges
    found = []
    for asked in corpus.questions:
        ranked = production.turns(store, opened.loaded, corpus, asked)
        value = metrics.figure(name, asked, ranked, sessions, exchanges)
        if value is not None:
            found.append(value)
    return found


@contextmanager
def taken_out(part: Part) -> Iterator[None]:
    before = getattr(part.module, part.attribute)
    setattr(part.module, part.attribute, part.without)
    try:
        yield
    finally:
        setattr(part.module, part.attribute, before)


def show(ablation: Ablation) -> None:
    rows = [[name, _signed(change), str(ablation.touched(name))] for name, change in ablation.changes().items()]
    whole = report.estimate(bootstrap.estimate(ablation.whole))
    print_table(
        f"{ablation.data.name}: {ablation.figure} {whole} of {len(ablation.whole):,} questions; without each part",
        ["without", "change", "questions changed"],
        rows,
    )


def _signed(one: Estimate) -> str:
    return f"{one.value * 100:+.1f} [{one.low * 100:+.1f}, {one.high * 100:+.1f}]"
