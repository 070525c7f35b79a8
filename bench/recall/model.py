"""The packaged model, taught what people ask about past conversations: `python -m bench recall-model`

It is shown a question, a passage that answers it, and others of the same set, some of which look much alike, and is
taught to have the first nearest (`lessons.py`, `encoder.py`). Printed is how often the talk that answers is the
nearest, for sets that were left out of the teaching. With `--write FILE` what it was taught is written there; the
search finds it in `recall/embedding/taught.bin`, whose hash stands in `taught.py`. Needs PyTorch: `pip install torch
onnx`.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from bench.measure import keep, print_table, progress
from bench.recall import lessons
from bench.recall.lessons import Lesson, Lessons, Said
from bench.recall.names import FIRST_HALF, NEAR, TAUGHT
from hardwon.recall.embedding import packaged
from hardwon.recall.embedding.model import NoModel
from hardwon.surfaces.bench import own_sets
from hardwon.surfaces.bench.corpus import BadData

if TYPE_CHECKING:
    from torch import Tensor

    from bench.recall.encoder import Encoder

AT_ONCE = 24
"""Questions of one step, each also held against what answers the others."""
ALIKE = 15
"""Of the passages that look most alike and are of other talks, one is shown beside each answer."""
IN_PLACE = 0.6
"""The share of passages that are shown with what led to them."""
SHARPNESS = 20.0
STEP = 5e-4
"""How far the additions move at the most."""
FIRST_STEPS = 20
PASSES = 3
"""Over all lessons, each time with one of its questions."""
PORTION = 64


def main(argv: list[str]) -> int:
    options = _options(argv)
    try:
        taught, left = _lessons(options)
        model = packaged.found()
    except (BadData, NoModel) as error:
        print(error, file=sys.stderr)
        return 2
    try:
        import onnx as _onnx  # noqa: F401
        import torch
    except ImportError as error:
        print(
            f"{error.name} is not installed: `pip install torch onnx` brings what teaching a model needs.",
            file=sys.stderr,
        )
        return 2
    from bench.recall.encoder import Encoder

    torch.manual_seed(options.seed)
    encoder = Encoder(model, options.seed)
    before = [_talks_found(encoder, one) for one in left]
    teach(encoder, taught, options.passes, random.Random(options.seed))
    if options.write:
        encoder.write(options.write)
    after = [_talks_found(encoder, one) for one in left]
    rows = [
        [one.name, f"{100 * was:.1f}", f"{100 * now:.1f}", str(len(one.lessons))]
        for one, was, now in zip(left, before, after, strict=True)
    ]
    print_table("The talk that answers is the nearest, %", ["data", "before", "taught", "lessons"], rows)
    keep("recall-model", {"nearest": rows})
    return 0


def _lessons(options: argparse.Namespace) -> tuple[list[Lessons], list[Lessons]]:
    """What is taught, and what was left out of it."""
    known = [name for name in options.sets if name not in options.leave_out]
    taught = [one for name in known for one in lessons.of_set(name)]
    notes = [one for name in options.notes for one in lessons.of_notes(name)]
    return taught + notes, [one for name in options.leave_out for one in lessons.of_set(name)]


def _options(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench recall-model", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sets", nargs="+", default=[own_sets.HALVES[0], *TAUGHT], metavar="SETS", help="own sets")
    parser.add_argument("--first-half", action="store_true", help="teach on one half of the sets, and on no notes")
    parser.add_argument(
        "--leave-out", nargs="+", default=[], metavar="SETS", help="of these, to see what it has learned"
    )
    parser.add_argument(
        "--notes", nargs="*", default=[own_sets.HALVES[0], *NEAR], metavar="SETS", help="own sets of notes"
    )
    parser.add_argument("--passes", type=int, default=PASSES, metavar="NUMBER", help=f"over all (default {PASSES})")
    parser.add_argument("--seed", type=int, default=0, metavar="NUMBER", help="where chance begins")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the additions there")
    options = parser.parse_args(argv)
    if options.first_half:
        options.sets, options.notes = FIRST_HALF, ()
    return options


def teach(encoder: Encoder, taught: Sequence[Lessons], passes: int, chance: random.Random) -> None:
    import torch

    alike = [_alike(encoder, one) for one in taught]
    moved = torch.optim.AdamW(encoder.taught(), lr=STEP, weight_decay=0.01)
    steps = sum(-(-len(one.lessons) // AT_ONCE) for one in taught) * passes
    began, done = time.monotonic(), 0
    for _ in range(passes):
        batches = [
            (place, batch)
            for place, one in enumerate(taught)
            for batch in _batched(chance.sample(range(len(one.lessons)), len(one.lessons)))
        ]
        chance.shuffle(batches)
        for place, batch in batches:
            size = STEP * min(1.0, (done + 1) / FIRST_STEPS) * max(0.02, 1.0 - done / steps)
            for group in moved.param_groups:
                group["lr"] = size
            loss = _loss(encoder, taught[place], batch, alike[place], chance)
            moved.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(encoder.taught(), 1.0)
            moved.step()
            done += 1
            progress(f"step {done} of {steps}: {loss.item():.3f}, {time.monotonic() - began:.0f} s")


def _loss(
    encoder: Encoder, one: Lessons, batch: Sequence[int], alike: Sequence[Sequence[int]], chance: random.Random
) -> Tensor:
    """How little the answers stand out from all that is shown; what else is of their own talks does not count."""
    import torch

    some = [one.lessons[number] for number in batch]
    answers = [chance.choice(lesson.answers) for lesson in some]
    shown = [*answers, *(chance.choice(alike[number]) for number in batch if alike[number])]
    with torch.autocast("cpu", dtype=torch.bfloat16):
        questions = encoder([chance.choice(lesson.questions) for lesson in some])
        texts = encoder([_seen(one.said[place], chance) for place in shown])
    scores = SHARPNESS * questions @ texts.T
    hidden = torch.zeros_like(scores)
    for row, lesson in enumerate(some):
        talks = {one.said[place].talk for place in lesson.answers}
        for column, place in enumerate(shown):
            if column != row and one.said[place].talk in talks:
                hidden[row, column] = -1e4
    return torch.nn.functional.cross_entropy(scores + hidden, torch.arange(len(some)))


def _seen(said: Said, chance: random.Random) -> str:
    return said.in_place if chance.random() < IN_PLACE else said.itself


def _alike(encoder: Encoder, one: Lessons) -> list[list[int]]:
    """For each lesson the passages of other talks that are nearest to its first question, as the model is."""
    passages = _vectors(encoder, [said.itself for said in one.said])
    cosines = _vectors(encoder, [lesson.questions[0] for lesson in one.lessons]) @ passages.T
    progress(f"{one.name}: looking for what looks alike")
    return [
        [int(place) for place in row.argsort(descending=True)[: 4 * ALIKE] if not _is_of(one, lesson, int(place))][
            :ALIKE
        ]
        for lesson, row in zip(one.lessons, cosines, strict=True)
    ]


def _is_of(one: Lessons, lesson: Lesson, place: int) -> bool:
    return one.said[place].talk in {one.said[answer].talk for answer in lesson.answers}


def _vectors(encoder: Encoder, texts: Sequence[str]) -> Tensor:
    """Those of similar length together."""
    import torch

    order = sorted(range(len(texts)), key=lambda number: len(texts[number]))
    found: dict[int, Tensor] = {}
    with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
        for at in range(0, len(order), PORTION):
            some = order[at : at + PORTION]
            found.update(zip(some, encoder([texts[number] for number in some]), strict=True))
    return torch.stack([found[number] for number in range(len(texts))])


def _talks_found(encoder: Encoder, one: Lessons) -> float:
    """The share of questions whose nearest passage, itself and in its place together, is of a talk that answers."""
    both = _vectors(encoder, [said.itself for said in one.said]) + _vectors(
        encoder, [said.in_place for said in one.said]
    )
    right = [
        _is_of(one, lesson, int((both @ question).argmax()))
        for lesson in one.lessons
        for question in _vectors(encoder, lesson.questions)
    ]
    return sum(right) / len(right)


def _batched(numbers: Sequence[int]) -> list[Sequence[int]]:
    return [numbers[at : at + AT_ONCE] for at in range(0, len(numbers), AT_ONCE)]
