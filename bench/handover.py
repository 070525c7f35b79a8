"""What a session leaves for the next one, held against what a colleague must know.

    python -m bench handover --set FILE.json [--show]

Each session is played as a transcript of Claude Code into an empty memory; what is derived from its journal is compared
with its facts. Structural facts are what failed and which files were changed; goal, next steps, what is open and what
was decided are words that must stand there. Where the set has a handoff that the session's own agent gave, that is
scored apart. What comes next or is open may also stand in the agent's last words, as they are quoted.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.handover_play import play
from bench.measure import keep, print_table
from hardwon.memories.search.budget import tokens
from hardwon.render import handover as rendered
from hardwon.text import handover
from hardwon.text.handover import Handover

OWN = Path(__file__).with_name("handover_sets") / "own.json"


@dataclass(slots=True)
class Score:
    """How many there were, and how many were right."""

    facts: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    statements: int = 0
    wrong: int = 0
    whole: int = 0
    sessions: int = 0
    tokens: list[int] = field(default_factory=list)

    def count(self, fact: str, right: bool) -> None:
        self.facts[fact] += 1
        self.right[fact] += right

    def share(self, *names: str) -> float:
        there = sum(self.facts[name] for name in names)
        return 100 * sum(self.right[name] for name in names) / there if there else 100.0

    def figures(self) -> dict[str, Any]:
        return {
            "sessions": self.sessions,
            "structural": round(self.share("failing", "files", "nothing fails"), 1),
            "words": round(self.share("goal", "next", "open", "decisions"), 1),
            "wrong": round(100 * self.wrong / max(1, self.statements), 1),
            "goal, failing and next": round(100 * self.whole / max(1, self.sessions), 1),
            "tokens p50": statistics.median(self.tokens or [0]),
            "tokens most": max(self.tokens, default=0),
            "facts": dict(self.facts),
            "right": dict(self.right),
        }


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench handover", description=__doc__)
    parser.add_argument("--set", type=Path, default=OWN, help="sessions with their facts")
    parser.add_argument("--show", action="store_true", help="print what was said, and what was missed")
    parser.add_argument("--quick", action="store_true", help="the set that comes with it")
    options = parser.parse_args(argv)
    by_rule, by_agent = Score(), Score()
    for case in json.loads(options.set.read_text("utf-8")):
        with tempfile.TemporaryDirectory(prefix="hardwon-bench-") as folder:
            derived = play(case, Path(folder))
        told = score(by_rule, derived, case["facts"])
        if options.show:
            _show(case, derived, told)
        if given := case.get("handoff"):
            score(by_agent, handover.merged(handover.of_dict(given), derived), case["facts"])
    _report("By rule", by_rule)
    if by_agent.sessions:
        _report("As the agent handed off", by_agent)
    keep("handover", {"rule": by_rule.figures(), "agent": by_agent.figures()})
    return 0


def score(into: Score, said: Handover, facts: Mapping[str, Any]) -> list[str]:
    """What is missing or wrong."""
    missed: list[str] = []

    def count(fact: str, right: bool, what: object) -> bool:
        into.count(fact, right)
        if not right:
            missed.append(f"{fact}: {what}")
        return right

    shown = rendered.shortened(said)
    goal = all(_has([shown.goal], group) for group in facts.get("goal_words", ()))
    count("goal", goal, facts.get("goal_words"))
    failing = [count("failing", _has(shown.failing, group), group) for group in facts.get("failing", ())]
    if not facts.get("failing"):
        failing.append(count("nothing fails", not shown.failing, shown.failing))
    for file in facts.get("files", ()):
        count("files", any(one == file or one.endswith(f"/{file}") for one in said.files), file)
    ahead = (*shown.next, *shown.open, *shown.said)
    following = [count("next", _has(ahead, group), group) for group in facts.get("next_words", ())]
    for group in facts.get("open_words", ()):
        count("open", _has(ahead, group), group)
    for group in facts.get("decisions_words", ()):
        count("decisions", _has(shown.decisions, group), group)
    bad = _wrong(shown, facts)
    missed += [f"wrong: {one}" for one in bad]
    into.wrong += len(bad)
    into.statements += _statements(shown)
    into.whole += goal and all(failing) and all(following) and not bad
    into.sessions += 1
    into.tokens.append(tokens(rendered.text(shown)))
    return missed


def _statements(said: Handover) -> int:
    return bool(said.goal) + sum(len(getattr(said, name)) for name in handover.LISTS)


def _has(texts: Sequence[str], alternatives: Sequence[str]) -> bool:
    return any(word.lower() in text.lower() for text in texts for word in alternatives)


def _wrong(said: Handover, facts: Mapping[str, Any]) -> list[str]:
    """What is said and is false: by the list, failing checks that the facts don't have, files that were not changed."""
    found = []
    for one in facts.get("wrong", ()):
        field_ = one["in"]
        texts = [said.goal] if field_ == "goal" else getattr(said, field_, ())
        if any(all(word.lower() in text.lower() for word in one["words"]) for text in texts):
            found.append(f"{field_} says {one['words']}")
    wanted = facts.get("failing", ())
    found += [f"failing {text}" for text in said.failing if not any(_has([text], group) for group in wanted)]
    files = facts.get("files", ())
    found += [
        f"file {file}" for file in said.files if not any(file == one or one.endswith(f"/{file}") for one in files)
    ]
    return found


def _show(case: Mapping[str, Any], said: Handover, missed: Sequence[str]) -> None:
    print(f"\n── {case.get('id', '')}: {case['facts'].get('goal', '')}\n{handover.text(rendered.shortened(said))}")
    print("\n".join(f"    MISSED {one}" for one in missed))


def _report(title: str, score: Score) -> None:
    figures = score.figures()
    print_table(
        f"{title}: {score.sessions} sessions",
        ["", "", "of"],
        [
            [
                "structural facts",
                f"{figures['structural']} %",
                f"{sum(score.facts[n] for n in ('failing', 'files', 'nothing fails'))}",
            ],
            *[
                [name, f"{score.share(name):.1f} %", f"{score.facts[name]}"]
                for name in ("goal", "next", "open", "decisions")
            ],
            [
                "goal, next, open, decisions",
                f"{figures['words']} %",
                f"{sum(score.facts[n] for n in ('goal', 'next', 'open', 'decisions'))}",
            ],
            ["wrong statements", f"{figures['wrong']} %", f"{score.statements}"],
            ["goal, failing and next all right", f"{figures['goal, failing and next']} %", f"{score.sessions}"],
            ["tokens, median and most", f"{figures['tokens p50']:.0f}", f"{figures['tokens most']}"],
        ],
    )
