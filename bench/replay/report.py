"""The figures of all runs side by side, and what went wrong in each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bench.measure import percentile, print_table
from bench.replay import judge
from bench.replay.judge import Figure, Moment, Said, Verdict
from bench.replay.play import Played
from bench.replay.scenario import Scenario

PLAIN = "top-5 BM25"
ONLY_AT_PROMPTS = ("repeats told, in all", "paraphrases told at the prompt", "wrong fix on what is near")
"""What can be said of a memory that speaks at prompts and learns nothing itself."""


def of(played: Played) -> list[Figure]:
    return [*judge.figures(played.verdicts), *_unrelated(played, 1)]


def of_plain(played: Played) -> list[Figure]:
    kept = [figure for figure in judge.figures(played.plain) if figure.name in ONLY_AT_PROMPTS]
    return [*kept, *(figure for figure in _unrelated(played, 2) if figure.name.endswith("prompts"))]


def _unrelated(played: Played, place: int) -> list[Figure]:
    def said(*, prompts: bool) -> list[Sequence[Said]]:
        return [each[place] for each in played.unrelated if bool(each[0].prompt) is prompts]  # type: ignore[misc]

    if not played.unrelated:
        return []
    return [
        judge.unrelated(said(prompts=True) + said(prompts=False), "prompts and commands"),
        judge.unrelated(said(prompts=True), "prompts"),
        judge.unrelated(said(prompts=False), "commands"),
    ]


def columns(runs: Mapping[str, Played]) -> dict[str, list[Figure]]:
    """The product in each run, and the plain memory in the one where all is together."""
    last = list(runs.values())[-1]
    return {**{name: of(played) for name, played in runs.items()}, PLAIN: of_plain(last)}


def missed(runs: Mapping[str, Played]) -> list[str]:
    """The goals that the product misses in any of its runs."""
    return [f"{name}: {one.name}" for name, played in runs.items() for one in of(played) if one.missed]


def figures(runs: Mapping[str, Played]) -> dict[str, Any]:
    shares = {
        name: {one.name: {"part": one.part, "of": one.of, "share": round(one.share, 4)} for one in found}
        for name, found in columns(runs).items()
    }
    return {"figures": shares, "tokens": {name: _tokens(each) for name, each in _verdicts(runs).items()},
            "missed": missed(runs)}  # fmt: skip


def _verdicts(runs: Mapping[str, Played]) -> dict[str, list[Verdict]]:
    last = list(runs.values())[-1]
    return {**{name: played.verdicts for name, played in runs.items()}, PLAIN: last.plain}


def _tokens(verdicts: Sequence[Verdict]) -> dict[str, float]:
    counts = [one.tokens for one in verdicts if one.heard.kind not in ("first", "flaky")]
    if not counts:
        return {"mean": 0, "p95": 0}
    return {"mean": round(sum(counts) / len(counts), 1), "p95": percentile(counts, 0.95)}


def show(runs: Mapping[str, Played], scenarios: Sequence[Scenario], *, verbose: bool) -> None:
    found = columns(runs)
    by_name = {name: {one.name: one for one in column} for name, column in found.items()}
    lines = list(dict.fromkeys(one.name for column in found.values() for one in column))
    rows = [
        [
            line,
            *(_cell(by_name[name].get(line)) for name in found),
            _goal([each.get(line) for each in by_name.values()]),
        ]
        for line in lines
    ]
    counted = [_tokens(each) for each in _verdicts(runs).values()]
    rows.append(["tokens per later session, mean (p95)", *(f"{one['mean']} ({one['p95']:.0f})" for one in counted), ""])
    ecosystems = len({one.ecosystem for one in scenarios})
    print_table(f"{len(scenarios)} scenarios of {ecosystems} ecosystems", ["share", *found, "goal"], rows)
    for name in missed(runs):
        print(f"missed: {name}")
    if verbose:
        for miss in misses(runs):
            print(f"\n{miss['run']} · {miss['scenario']} · {miss['what']}\n  {miss['prompt']}")
            for moment, text in miss["said"]:
                print(f"  {moment}: {' '.join(text.split())[:600]}")


def _cell(figure: Figure | None) -> str:
    if figure is None or not figure.of:
        return "–"
    return f"{figure.share:.1%} ({figure.part} of {figure.of}){' ✗' if figure.missed else ''}"


def _goal(figures: Sequence[Figure | None]) -> str:
    return next((figure.goal for figure in figures if figure and figure.goal), "")


def misses(runs: Mapping[str, Played]) -> list[dict[str, Any]]:
    """Every session that went otherwise than it should."""
    found = []
    for name, played in runs.items():
        for one in played.verdicts:
            if what := _fault(one):
                said = [(said.moment, said.text) for said in one.heard.said]
                heard = {"scenario": one.heard.scenario, "prompt": one.heard.prompt, "said": said}
                found.append({"run": name, "what": what, **heard, "verified": one.heard.verified})
        for about, spoken, _ in played.unrelated:
            texts = [(said.moment, said.text) for said in spoken if said.moment is not Moment.START]
            if texts:
                given = {"scenario": about.source, "prompt": about.prompt or about.command, "said": texts}
                found.append({"run": name, "what": "said into something unrelated", **given, "verified": ()})
    return found


def _fault(one: Verdict) -> str:
    kind = one.heard.kind
    if kind in ("repeat", "paraphrase"):
        if one.heard.stop_due and not one.stopped_rightly:
            return f"{kind}: not stopped before" + ("" if one.told else " and never told")
        return "" if one.told else f"{kind}: never told"
    faults = {
        "near: the fix of another mistake": one.wrong is not None,
        f"{kind}: {one.false_verified} verified fixes that are none": one.false_verified > 0,
        "fixed_since: stopped": kind == "fixed_since" and one.stopped,
        f"{kind}: stopped again": one.heard.stopped_twice,
        f"{kind}: the fix was stopped": one.heard.hindered,
    }
    return next((what for what, there in faults.items() if there), "")
