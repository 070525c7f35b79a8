"""The judges of the search in past conversations, taught on the sets for tuning: `python -m bench recall-judges`

For every question the search is asked for the passages that lead and for all their signs, and a judge is taught to
choose the right one; another is taught which later passage continues an earlier one, if any does (`taught_passages.py`,
`taught_lines.py`, `teaching.py`). Printed is how often each chose rightly in each data set while that one, with a
quarter of the others, was left out of the teaching. With `--write` the judges that were taught on all of them take the
place of those in `recall/judges`.
"""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from bench.measure import keep, print_table
from bench.recall import taught_lines, taught_passages
from bench.recall.names import FIRST_HALF, JUDGED, UNSEEN
from bench.recall.teaching import Choice, is_right, teach
from bench.recall.weights import PARTS, own_data
from hardwon.recall import closer_look, judge, lines
from hardwon.recall.embedding import packaged, taught
from hardwon.recall.embedding.model import NoModel
from hardwon.settings.keys import Vectors
from hardwon.surfaces.bench import own_sets
from hardwon.surfaces.bench.corpus import BadData, DataSet, at_most
from hardwon.surfaces.bench.kept_vectors import KeptVectors
from hardwon.surfaces.bench.production import Embedding

QUICK = 10
"""Questions of each data set in the quick form."""
UNSEEN_COUNTS = 0.3
"""What a choice of the sets to the other brief counts, whose talks are terser: with more, what is learned by them is
paid for by the others."""
Gather = Callable[[DataSet, Embedding | None], list[Choice]]
Figure = tuple[str, float, float, int]
"""A data set, what is right without a judge and with one, and how many choices there are."""


def main(argv: list[str]) -> int:
    options = _options(argv)
    try:
        by = models(options.taught, options.cache) if options.taught else None
        sets = [(name, at_most(data, options.most)) for name in options.sets for data in own_data(name)]
    except (BadData, NoModel, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    passages = closer_look.BY_MEANING if by else closer_look.BY_WORDS
    continuing = lines.BY_MEANING if by else lines.BY_WORDS
    kept = {}
    # The lines look at what the passages scored, so these come first.
    teaching: tuple[tuple[str, Gather], ...] = ((passages, taught_passages.gather), (continuing, taught_lines.gather))
    for name, gather in teaching:
        choices = [one for of, data in sets for one in _counted(of, gather(data, by.of(of) if by else None))]
        kept[name] = show(name, choices)
        if options.write:
            (judge.FOLDER / f"{name}.json").write_text(judge.as_json(teach(choices)), "utf-8")
            judge.taught.cache_clear()
    keep("recall-judges", kept)
    return 0


def _counted(of: str, choices: Sequence[Choice]) -> Iterator[Choice]:
    """Of how much weight those of a set are."""
    return (dataclasses.replace(one, counts=one.counts * (UNSEEN_COUNTS if of in UNSEEN else 1.0)) for one in choices)


class Models(NamedTuple):
    """By which the sets are looked at: a judge that learned by one that knows the answers would trust it too much."""

    plain: Embedding
    """The packaged model as it comes, for the first half of what it was taught by."""
    half: Embedding
    """With what it was taught on these, for the second half."""
    everyday: Embedding
    """And that of every day, for what it was not taught by."""

    def of(self, name: str) -> Embedding:
        return self.everyday if name in UNSEEN else self.plain if name in FIRST_HALF else self.half


def models(additions: Path, cache: Path | None) -> Models:
    file, taught_there = packaged.found(), additions.read_bytes()
    content = packaged.checked(file)
    both = {
        f"plain@{packaged.SHA256[:12]}": content,
        f"half@{hashlib.sha256(taught_there).hexdigest()[:12]}": taught.with_additions(content, taught_there),
    }
    made = (*(packaged.PackagedModel(some, name) for name, some in both.items()), packaged.load())
    return Models(*(Embedding(Vectors(), KeptVectors(model, cache)) for model in made))


def show(name: str, choices: Sequence[Choice]) -> list[list[str]]:
    each = list(left_out(choices))
    rows = [
        [data, f"{100 * first:.1f}", f"{100 * share:.1f}", str(count)]
        for data, first, share, count in (*each, *together(each))
    ]
    print_table(
        f"{name}: right, by judges taught on others", ["data", "without a judge, %", "judged, %", "choices"], rows
    )
    return rows


def _options(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench recall-judges", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sets", nargs="+", default=[own_sets.HALVES[0], *JUDGED], metavar="SETS", help="own sets")
    parser.add_argument("--most", type=int, metavar="NUMBER", help="at most so many questions of each data set")
    by = parser.add_mutually_exclusive_group(required=True)
    by.add_argument("--no-vectors", action="store_true", help="for a search by words alone")
    by.add_argument(
        "--taught",
        type=Path,
        metavar="FILE",
        help="with what `recall-model --first-half --write FILE` taught the model",
    )
    by.add_argument("--quick", action="store_true", help=f"{QUICK} questions of each, without vectors")
    parser.add_argument("--cache", type=Path, metavar="FILE", help="keep the vectors in this file for the next run")
    parser.add_argument("--write", action="store_true", help="put the judges in the place of those that are there")
    options = parser.parse_args(argv)
    if options.quick:
        options.most = options.most or QUICK
    return options


def left_out(choices: Sequence[Choice]) -> Iterator[Figure]:
    """Each data set, and the share of its choices that is right without a judge, and by one that did not know it."""
    names = list(dict.fromkeys(one.data for one in choices))
    whole = list(dict.fromkeys(name.partition(":")[0] for name in names))
    for part in range(PARTS):
        out = set(whole[part::PARTS])
        known = [one for one in choices if one.data.partition(":")[0] not in out]
        by = teach(known) if known else None
        for name in (name for name in names if name.partition(":")[0] in out):
            there = [one for one in choices if one.data == name]
            shares = [sum(is_right(one, some) for one in there) / len(there) for some in (None, by)]
            yield name, shares[0], shares[1], len(there)


def together(each: Sequence[Figure]) -> Iterator[Figure]:
    """What comes of all sets, by what is asked in them."""
    kinds = list(dict.fromkeys(name.partition(":")[2] for name, *_ in each))
    for kind in kinds:
        some = [one for one in each if one[0].partition(":")[2] == kind]
        count = sum(one[3] for one in some)
        first = sum(one[1] * one[3] for one in some) / count
        share = sum(one[2] * one[3] for one in some) / count
        yield f"all:{kind}", first, share, count
