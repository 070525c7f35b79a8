"""The benchmark as a command: play everything twice, print what came of it, and say whether the goals are met."""

from __future__ import annotations

import argparse
import itertools
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench.measure import keep, progress
from bench.replay import frozen, report, scenario
from bench.replay.play import Played, Player
from bench.replay.scenario import Scenario

BY_PROCESS = 10
"""One scenario in so many goes through the installed command instead of the socket."""
QUICK = 2
"""Scenarios of each ecosystem in the quick form."""
APART = "a home per ecosystem"
TOGETHER = "all in one home"


def main(argv: list[str]) -> int:
    options = _options(argv)
    scenarios = _chosen(options)
    if not scenarios:
        wanted = f" called {' or '.join(options.only)}" if options.only else ""
        print(f"There is no scenario{wanted} in bench/replay/scenarios.", file=sys.stderr)
        return 2
    if wrong := scenario.problems(scenarios):
        print("\n".join(wrong), file=sys.stderr)
        return 2
    runs = {APART: _apart(scenarios), TOGETHER: _together(scenarios, options)}
    progress("")
    figures = report.figures(runs) | {"frozen": frozen.matches(), "scenarios": len(scenarios)}
    if options.json:
        print(json.dumps(figures | {"misses": report.misses(runs)}, ensure_ascii=False, indent=1))
    else:
        report.show(runs, scenarios, verbose=options.verbose)
        print(f"\nThe scenarios {'are as they were frozen' if frozen.matches() else 'DIFFER from what was frozen'}.")
    if not (options.only or options.quick):
        keep("replay", figures)
    return 1 if report.missed(runs) else 0


def _options(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench replay")
    parser.add_argument("--only", metavar="ID", action="append", default=[], help="of a scenario, or of an ecosystem")
    parser.add_argument("--json", action="store_true", help="figures and misses instead of tables")
    parser.add_argument("--verbose", action="store_true", help="also what was said where it went wrong")
    parser.add_argument("--quick", action="store_true", help="two scenarios of each ecosystem, 60 unrelated ones")
    return parser.parse_args(argv)


def _chosen(options: argparse.Namespace) -> list[Scenario]:
    found = scenario.load()
    if options.only:
        return [one for one in found if one.id in options.only or one.ecosystem in options.only]
    if options.quick:
        groups = itertools.groupby(found, key=lambda one: one.ecosystem)
        return [one for _, group in groups for one in itertools.islice(group, QUICK)]
    return found


def _apart(scenarios: Sequence[Scenario]) -> Played:
    played = Played()
    for ecosystem, group in itertools.groupby(scenarios, key=lambda one: one.ecosystem):
        progress(f"{APART}: {ecosystem}")
        with tempfile.TemporaryDirectory(prefix="hw-") as root, Player(Path(root)) as player:
            for one in group:
                player.scenario(one)
            played.verdicts += player.played.verdicts
            played.plain += player.played.plain
    return played


def _together(scenarios: Sequence[Scenario], options: argparse.Namespace) -> Played:
    """One in ten through processes; and at the end, when all is learned, what has nothing to do with it."""
    with tempfile.TemporaryDirectory(prefix="hw-") as root, Player(Path(root)) as player:
        for number, one in enumerate(scenarios):
            progress(f"{TOGETHER}: {number + 1} of {len(scenarios)}, {one.id}")
            player.scenario(one, by_process=number % BY_PROCESS == BY_PROCESS // 2)
        given = scenario.unrelated()
        progress(f"{TOGETHER}: unrelated prompts and commands")
        player.unrelated(given[:: len(given) // 60] if options.quick or options.only else given, scenarios)
        return player.played
