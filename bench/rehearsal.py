"""What the program would have said in real sessions of several people, and what it would have been worth.

    python -m bench rehearsal FOLDER=GIT_DIR ... [--readers INTO] [--continuations INTO]
    python -m bench rehearsal --score FOLDER

Each FOLDER is one that `python -m bench public-sessions` has made: a folder per person, each played by itself, for a
memory is one person's. GIT_DIR is the repository that they worked on; it says what CLAUDE.md said at the time.
`--readers` writes sheets for people who judge by hand, `--continuations` places from which a capable model goes on,
with what a memory would say and without; `--score` reads what it answered. All these have other people's words: keep
them out of the repository.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench import rehearsal_continuations, rehearsal_sheets
from bench.measure import keep, print_table, progress
from hardwon.clients import past_sessions
from hardwon.clients.past_sessions import Log
from hardwon.rehearsal import report
from hardwon.rehearsal.grounds import Grounds
from hardwon.rehearsal.instructions import OfRepository
from hardwon.rehearsal.opportunities import Kind
from hardwon.rehearsal.run import Rehearsal, rehearse
from hardwon.rehearsal.score import Score, price
from hardwon.settings import DEFAULTS
from hardwon.store.connection import redactor_of


@dataclass(frozen=True, slots=True)
class Person:
    """One of them, played."""

    project: str
    logs: Sequence[Log]
    made: Rehearsal
    seconds: float


def main(argv: list[str]) -> int:
    options = _options(argv)
    if options.score:
        return rehearsal_continuations.score(options.score)
    people = list(played(options.folders))
    if not people:
        print("There is nothing to play: FOLDER is one that `python -m bench public-sessions` has made.")
        return 1
    whole = _together([one.made.score for one in people])
    placebo = _together([one.made.placebo for one in people])
    _report(people, whole, placebo)
    keep("rehearsal", _figures(people, whole, placebo))
    clean = redactor_of(DEFAULTS).text
    if options.readers:
        rehearsal_sheets.write(people, options.number, options.readers, clean)
    if options.continuations:
        rehearsal_continuations.write(people, options.continuations, clean)
    return 0


def _options(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench rehearsal", description=__doc__)
    parser.add_argument("folders", nargs="*", type=pair, metavar="FOLDER=GIT_DIR")
    parser.add_argument("--readers", type=Path, metavar="INTO", help="write sheets for blind readers")
    parser.add_argument("--number", type=int, default=60, help="of opportunities, and of sayings, on the sheets")
    parser.add_argument("--continuations", type=Path, metavar="INTO", help="write places for a model to go on from")
    parser.add_argument("--score", type=Path, metavar="FOLDER", help="score the answers that stand beside them")
    return parser.parse_args(argv)


def pair(text: str) -> tuple[Path, Path]:
    folder, _, git_dir = text.rpartition("=")
    if not Path(folder).is_dir() or not Path(git_dir).is_dir():
        raise argparse.ArgumentTypeError(f"{text}: two folders with = between them")
    return Path(folder), Path(git_dir).resolve()


def played(folders: Sequence[tuple[Path, Path]]) -> Iterator[Person]:
    for number, (folder, git_dir) in enumerate(folders, 1):
        for place in sorted(one for one in folder.iterdir() if one.is_dir()):
            logs = list(past_sessions.below(place))
            progress(f"{place}: {len(logs)} sessions")
            begun = time.process_time()
            made = rehearse(logs, DEFAULTS, Grounds(OfRepository(str(git_dir)), str(git_dir)))
            if made.counted:
                yield Person(f"{number}", logs, made, time.process_time() - begun)


def _together(scores: Sequence[Score]) -> Score:
    return Score(
        [id for one in scores for id in one.sessions],
        [each for one in scores for each in one.opportunities],
        [each for one in scores for each in one.sayings],
        [each for one in scores for each in one.earned],
    )


def _report(people: Sequence[Person], whole: Score, placebo: Score) -> None:
    rows = [_row(f"{one.project}.{number}", one.made.score, one.made.calls) for number, one in enumerate(people, 1)]
    rows.append(_row("all", whole, sum(one.made.calls for one in people)))
    print_table("People", ["project.person", "sessions", "calls", "came back", "ceiling", "said", "in time", "credit",
                           "price", "wrong", "net per 100 sessions (95 %)"], rows)  # fmt: skip
    headings = ["kind", "came back", "of sessions", "ceiling", "in time", "before the first cost", "credit", "moments"]
    print_table("Kinds", headings, [_kind_row(whole, kind) for kind in Kind])
    moments = Counter(str(one.moment) for one in whole.sayings)
    headings = ["moment", "said", "lines", "tokens", "met something", "contradicted", "credit", "price", "net"]
    print_table("Moments", headings, [_moment_row(whole, moment) for moment in moments])
    print(f"\nshare of the ceiling: {whole.share:.1%}; placebo: said {len(placebo.sayings)} of {len(whole.sayings)} "
          f"times, net {placebo.net:+.1f} calls")  # fmt: skip
    print(f"miner {people[0].made.miner[:16]}; not counted: {dict(_apart(people))}")
    size, seconds = sum(one.made.counts.bytes for one in people), sum(one.seconds for one in people)
    print(f"{size / 1e6:.0f} MB in {seconds:.0f} s of processor time: {size / 1e6 / seconds:.1f} MB/s")


def _row(name: str, score: Score, calls: int) -> list[str]:
    net = score.per_hundred()
    wrong = sum(one.contradicted for one in score.sayings)
    return [name, str(len(score.sessions)), f"{calls:,}", str(len(score.opportunities)), f"{score.ceiling:.0f}",
            str(len(score.sayings)), str(len(score.earned)), f"{score.credit:.1f}", f"{score.price:.1f}", str(wrong),
            f"{net.value:+.1f} ({net.low:+.1f} to {net.high:+.1f})"]  # fmt: skip


def _kind_row(score: Score, kind: Kind) -> list[str]:
    own = [one for one in score.opportunities if one.kind is kind]
    met = [one for one in score.earned if one.opportunity.kind is kind]
    moments = Counter(str(one.saying.moment) for one in met)
    return [str(kind), str(len(own)), str(len({one.session for one in own})), str(sum(one.cost for one in own)),
            str(len(met)), str(sum(one.is_before for one in met)), f"{sum(one.calls for one in met):.1f}",
            ", ".join(f"{name} {count}" for name, count in moments.most_common()) or "-"]  # fmt: skip


def _moment_row(score: Score, moment: str) -> list[str]:
    own = [one for one in score.sayings if one.moment == moment]
    met = [one for one in score.earned if one.saying.moment == moment]
    credit, cost = sum(one.calls for one in met), sum(map(price, own))
    wrong = sum(one.contradicted for one in own)
    return [moment, str(len(own)), str(sum(one.lines for one in own)), f"{sum(one.tokens for one in own):,}",
            str(len({id(one.saying) for one in met})), str(wrong), f"{credit:.1f}", f"{cost:.1f}",
            f"{credit - cost - 3 * wrong:+.1f}"]  # fmt: skip


def _apart(people: Sequence[Person]) -> Counter[str]:
    found: Counter[str] = Counter()
    for one in people:
        found.update(one.made.apart)
    return found


def _figures(people: Sequence[Person], whole: Score, placebo: Score) -> dict[str, Any]:
    def clean(text: str) -> str:
        return text

    together = Rehearsal(score=whole, placebo=placebo, miner=people[0].made.miner)
    figures = report.as_json(together, clean, 0) | {"apart": dict(_apart(people))}
    return figures | {"people": [report.as_json(one.made, clean, 0) for one in people]}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
