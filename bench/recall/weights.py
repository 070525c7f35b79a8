"""What each sign of a passage weighs, fitted on the sets for tuning: `python -m bench recall-weights [--sets NAME…]`

For every question the search is asked for the passages that it looks at and their signs (`conversations.consider`), and
weights are found under which the right ones stand out: a softmax over the passages of each question, by gradient, with
a little pull towards nothing. What is printed is the table for `recall/passage_rank.py`, and how often a right document
came first in each data set while it was left out of the fitting, with a quarter of the others.

An amended decision counts as found wherever it was said first or last: which of the two holds is for the lines to say.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bench.measure import keep, print_table
from bench.recall import asking
from bench.recall.asking import Put
from bench.recall.names import TALKS
from bench.recall.parts import embedding_at
from hardwon.recall import conversations
from hardwon.surfaces.bench import command, commits, locomo, own_sets, production
from hardwon.surfaces.bench.corpus import BadData, DataSet, at_most
from hardwon.surfaces.bench.production import Embedding

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

PULL = 0.001
"""Towards zero, for each weight squared."""
STEPS, STEP = 250, 0.05
PARTS = 4
"""In which the data sets are left out."""
COUNTS = (("amended decisions", 0.2), ("controls", 0.5), ("LoCoMo", 0.1))
"""What a question counts whose data has this in its name; any other counts 1. Who asks past conversations wants what
was decided; the others are there so that nothing is lost on them."""
QUICK = 10
"""Questions of each data set in the quick form."""
Weights = dict[str, float]


@dataclass(frozen=True, slots=True)
class Question:
    """The passages that were looked at for it."""

    data: str
    signs: tuple[dict[str, float], ...]
    right: tuple[bool, ...]


def main(argv: list[str]) -> int:
    options = _options(argv)
    try:
        embedding = None if options.no_vectors else embedding_at(options.cache)
        questions = [one for data in _data(options) for one in gather(at_most(data, options.most), embedding)]
    except BadData as error:
        print(error, file=sys.stderr)
        return 2
    figures = [[name, f"{100 * share:.1f}", str(count)] for name, share, count in left_out(questions)]
    print_table("A right document first, by weights fitted on others", ["data", "%", "questions"], figures)
    kept: dict[str, Weights] = {}
    for what, of in {"Weights": _talks(questions), "Weights of what stands alone": _alone(questions)}.items():
        kept[what] = fit(of) if of else {}
        print_table(what, ["sign", "weight"], [[name, f"{weight:+.2f}"] for name, weight in kept[what].items()])
    keep("recall-weights", {"vectors": embedding is not None, "weights": kept, "first": figures})
    return 0


def _options(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench recall-weights", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sets", nargs="+", default=[own_sets.HALVES[0], *TALKS], metavar="SETS", help="own sets")
    parser.add_argument("--locomo", type=Path, metavar="FILE", help="LoCoMo's locomo10.json")
    parser.add_argument("--conversations", default="1-5", metavar="NUMBERS", help="those of LoCoMo's (default 1-5)")
    parser.add_argument("--commits", type=Path, nargs="+", default=[], metavar="REPO", help="git repositories")
    parser.add_argument("--most", type=int, metavar="NUMBER", help="at most so many questions of each data set")
    parser.add_argument("--no-vectors", action="store_true", help="for a search by words alone")
    parser.add_argument("--cache", type=Path, metavar="FILE", help="keep the vectors in this file for the next run")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} questions of each, without vectors")
    options = parser.parse_args(argv)
    if options.quick:
        options.most, options.no_vectors = options.most or QUICK, True
    return options


def _data(options: argparse.Namespace) -> Iterator[DataSet]:
    for name in options.sets:
        yield from own_data(name)
    if options.locomo:
        yield locomo.load(options.locomo, command.numbers(options.conversations))
    yield from map(commits.load, options.commits)


def own_data(name: str) -> Iterator[DataSet]:
    """Questions about conversations, each set under its own name."""
    for data in own_sets.load(own_sets.found(name)).data:
        if data.name.startswith(("decisions", "amended")):
            yield DataSet(f"{name}: {data.name}", data.corpora, data.measures)


def gather(data: DataSet, embedding: Embedding | None) -> list[Question]:
    found = (_question(put) for put in asking.each(data, embedding))
    return [one for one in found if any(one.right)]


def _question(put: Put) -> Question:
    name, store, loaded, corpus, asked = put
    vector = production.query_vector(store, asked.text)
    considered = conversations.consider(store, asked.text, corpus.projects, vector)
    right = asked.gold | (asked.outdated if asked.kind == "amended" else frozenset())
    documents = [loaded.entries[one.passage.journal] for one in considered.read.values()]
    return Question(
        name,
        tuple(considered.signs[row] for row in considered.read),
        tuple(document in right for document in documents),
    )


def _alone(questions: Sequence[Question]) -> list[Question]:
    """Those that texts answer which are of no talk."""
    return [one for one in questions if any("alone" in signs for signs in one.signs)]


def _talks(questions: Sequence[Question]) -> list[Question]:
    return [one for one in questions if not any("alone" in signs for signs in one.signs)]


def left_out(questions: Sequence[Question]) -> Iterator[tuple[str, float, int]]:
    """Each data set, the share of its questions in which a right one comes first, and how many there are."""
    names = list(dict.fromkeys(one.data for one in questions))
    whole = list(dict.fromkeys(name.partition(":")[0] for name in names))
    for part in range(PARTS):
        out = set(whole[part::PARTS])
        for kind in (_talks, _alone):
            weights = fit(kind([one for one in questions if one.data.partition(":")[0] not in out]))
            for name in (name for name in names if name.partition(":")[0] in out):
                if there := kind([one for one in questions if one.data == name]):
                    yield name, first(there, weights), len(there)


def fit(questions: Sequence[Question]) -> Weights:
    """By Adam, as it is described in its paper."""
    import numpy

    names = sorted({name for one in questions for signs in one.signs for name in signs})
    prepared = [(_matrix(one, names), numpy.array(one.right), counts(one.data)) for one in questions]
    total = sum(many for _, _, many in prepared) or 1.0
    weights = numpy.zeros(len(names))
    first, second = numpy.zeros_like(weights), numpy.zeros_like(weights)
    for step in range(1, STEPS + 1):
        slopes = sum(many * _slope(matrix, right, weights) for matrix, right, many in prepared)
        slope = 2 * PULL * weights + slopes / total
        first, second = 0.9 * first + 0.1 * slope, 0.999 * second + 0.001 * slope**2
        weights = weights - STEP * (first / (1 - 0.9**step)) / (numpy.sqrt(second / (1 - 0.999**step)) + 1e-8)
    return dict(zip(names, weights.tolist(), strict=True))


def counts(data: str) -> float:
    return next((many for name, many in COUNTS if name in data), 1.0)


def _slope(
    matrix: NDArray[numpy.float64], right: NDArray[numpy.bool_], weights: NDArray[numpy.float64]
) -> NDArray[numpy.float64]:
    """Of the surprise that a right one is chosen, when each is chosen by its weight."""
    import numpy

    scores = matrix @ weights
    chosen = numpy.exp(scores - scores.max())
    among = numpy.where(right, chosen, 0.0)
    slope: NDArray[numpy.float64] = (chosen / chosen.sum() - among / among.sum()) @ matrix
    return slope


def _matrix(one: Question, names: Sequence[str]) -> NDArray[numpy.float64]:
    import numpy

    return numpy.array([[signs.get(name, 0.0) for name in names] for signs in one.signs])


def first(questions: Sequence[Question], weights: Weights) -> float:
    """The share of the questions in which a right one comes first."""

    def score(signs: dict[str, float]) -> float:
        return sum(weights.get(name, 0.0) * sign for name, sign in signs.items())

    hits = [one.right[max(range(len(one.signs)), key=lambda place: score(one.signs[place]))] for one in questions]
    return sum(hits) / len(hits) if hits else 0.0
