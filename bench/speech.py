"""What is kept of what people say: the texts a model is shown, its answers played through `mark`, plain forms, attacks.

python -m bench speech --set TURNS.jsonl --texts FOLDER --name world      what a model is to be shown
python -m bench speech --set TURNS.jsonl --answers ANSWERS.json           its answers, played and scored
python -m bench speech --set TURNS.jsonl --ideal                          the marks of who hears everything
python -m bench speech --set TURNS.jsonl --unlabelled                     what plain forms find, and reminders
python -m bench speech --taken-back SET.json | --attacks SET.json | --refusals TRANSCRIPT... | --reminders FOLDER
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.heard import refusals, reminders, score, sets, texts
from hardwon.text.speech import plain


def main(argv: list[str]) -> int:
    options = _options(argv)
    if options.taken_back or options.attacks:
        play = sets.taken_back if options.taken_back else sets.attacks
        _print(*play(json.loads((options.taken_back or options.attacks).read_text(encoding="utf-8"))))
    elif options.refusals:
        _print(*refusals.play(options.refusals))
    elif options.reminders:
        _print(*reminders.play(sorted(options.reminders.rglob("*.jsonl"))))
    elif options.set:
        _of_turns(options, _turns(options.set))
    else:
        print(
            "Nothing to do without --set TURNS.jsonl, --taken-back, --attacks, --refusals or --reminders: see --help."
        )
    return 0


def _of_turns(options: argparse.Namespace, turns: list[dict[str, Any]]) -> None:
    if options.texts:
        for path in texts.written(turns, options.texts, options.name, options.sample, options.seed):
            print(path)
    elif options.unlabelled:
        _print(*_plainly(turns))
    elif options.answers or options.ideal:
        found = score.play(turns, score.read(options.answers) if options.answers else score.ideal(turns))
        print(score.printed(found))
        print("\n".join(found["missed"] if options.show else []))


def _turns(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def _plainly(turns: Sequence[dict[str, Any]]) -> tuple[Counter[str], list[str]]:
    """For a reader: each sentence that a plain form takes for a statement."""
    found = [f"{one.kind}: {one.said}" for turn in turns for one in plain.read(str(turn["text"])).statements]
    return Counter({"turns": len(turns), "firings": len(found)}), found


def _print(count: Counter[str], lines: Sequence[str]) -> None:
    for name, number in count.items():
        print(f"{name}: {number}")
    print("\n".join(lines))


def _options(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench speech", description=__doc__)
    parser.add_argument("--set", type=Path, help="turns, a JSON object on each line")
    parser.add_argument("--texts", type=Path, help="a folder: write what a model is to be shown, in three wordings")
    parser.add_argument("--name", default="set", help="what the files begin with")
    parser.add_argument("--sample", type=int, default=120, help="so many turns, half of them with something in them")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--answers", type=Path, help="marks by the ids of the turns")
    parser.add_argument("--ideal", action="store_true", help="play the labels as marks")
    parser.add_argument("--show", action="store_true", help="also print what was missed")
    parser.add_argument("--unlabelled", action="store_true", help="print what plain forms find, for a reader")
    parser.add_argument("--taken-back", type=Path, help="a set of statements that were taken back")
    parser.add_argument("--attacks", type=Path, help="a set of attacks")
    parser.add_argument("--refusals", type=Path, nargs="+", help="transcripts of real sessions, oldest first")
    parser.add_argument("--reminders", type=Path, help="a folder with transcripts of real sessions")
    parser.add_argument("--quick", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args(argv)
