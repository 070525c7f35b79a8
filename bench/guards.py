"""Seat belts: on how many real commands they say something, and how many dangerous ones they see.

    python -m bench guards --commands FILE.jsonl [--show]
    python -m bench guards --dangerous FILE.json [--show]

The first has an object per line, {"command": "…", "cwd_branch": "…"}: commands that real agents ran. Each on which
something is said is printed with --show, for whoever judges whether it was right. The second is a list of cases: a
command or a write, what is known of the place, and what is dangerous about it; those without any danger count as false
when something is said.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.measure import keep, print_table
from hardwon.redact import DEFAULT
from hardwon.text import guards
from hardwon.text.guards import Finding, Repository, Rule, Surroundings, Written

_KINDS = {
    "force": Rule.FORCE_PUSH,
    "delete": Rule.FORCE_PUSH,
    "mirror": Rule.FORCE_PUSH,
    "wrong-branch": Rule.WRONG_BRANCH,
    "uncommitted": Rule.UNCOMMITTED,
    "failed-check": Rule.FAILED_CHECK,
    "secret-pushed": Rule.PUSHED_SECRET,
    "secret-file": Rule.SECRET_FILE,
    "document": Rule.DOCUMENT,
}


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench guards", description=__doc__)
    parser.add_argument("--commands", type=Path, help="real commands, an object per line")
    parser.add_argument("--dangerous", type=Path, help="cases, a list of objects")
    parser.add_argument("--show", action="store_true", help="print what was said, and what was missed")
    parser.add_argument("--quick", action="store_true", help="the example that comes with it")
    options = parser.parse_args(argv)
    figures: dict[str, Any] = {}
    if options.commands:
        figures["commands"] = _on_commands(options.commands, options.show)
    own = Path(__file__).with_name("guards_sets") / "dangerous.json"
    if options.dangerous or not options.commands:
        figures["dangerous"] = _on_dangers(options.dangerous or own, options.show)
    keep("guards", figures)
    return 0


def _on_commands(path: Path, show: bool) -> dict[str, Any]:
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    said: Counter[str] = Counter()
    noted, taken = 0, []
    for row in rows:
        begun = time.perf_counter()
        found = list(about_command(str(row["command"]), {"branch": row.get("cwd_branch") or ""}))
        taken.append(time.perf_counter() - begun)
        noted += bool(found)
        said.update({one.rule for one in found})
        if found and show:
            print(f"\n{str(row['command'])[:300]}\n" + "\n".join(f"    {one.rule}: {one.said}" for one in found))
    print_table(
        f"{len(rows)} real commands: something is said on {noted} ({100 * noted / max(1, len(rows)):.2f} %), 0 blocked",
        ["rule", "commands"],
        [[rule, f"{count}"] for rule, count in said.most_common()],
    )
    slowest = max(taken, default=0.0)
    return {"commands": len(rows), "noted": noted, "rules": dict(said), "slowest_ms": round(slowest * 1000, 2)}


def _on_dangers(path: Path, show: bool) -> dict[str, Any]:
    cases = json.loads(path.read_text("utf-8"))
    rows: dict[str, list[int]] = {}
    seen = dangers = false = harmless = 0
    for case in cases:
        rules = {one.rule for one in _about(case)}
        wanted = {_KINDS[word] for word in case["what"]}
        if not wanted:
            harmless += 1
            false += bool(rules)
        else:
            dangers += 1
            seen += bool(rules & wanted)
        for word in case["what"] or ["(harmless)"]:
            count = rows.setdefault(word, [0, 0])
            count[0] += 1
            count[1] += bool(rules & wanted) if wanted else not rules
        if show and (not rules & wanted if wanted else rules):
            print(f"{case['id']}: wanted {', '.join(case['what']) or 'nothing'}, said {', '.join(rules) or 'nothing'}")
            print(f"    {case.get('command') or case.get('write')}")
    print_table(
        f"{dangers} dangerous: {seen} seen ({100 * seen / max(1, dangers):.1f} %); {harmless} harmless: {false} false",
        ["what", "cases", "right"],
        [[word, f"{count}", f"{right}"] for word, (count, right) in sorted(rows.items())],
    )
    return {"dangerous": dangers, "seen": seen, "harmless": harmless, "false": false}


def _about(case: Mapping[str, Any]) -> Iterator[Finding]:
    if "command" in case:
        yield from about_command(case["command"], case)
        return
    write = case["write"]
    one = Written(write["file"], DEFAULT.text(write.get("text", "")))
    is_new = write.get("tool") != "Edit" and write["file"] not in case.get("exists", ())
    yield from guards.writes(one, _surroundings(case), is_new=is_new)


def about_command(command: str, case: Mapping[str, Any]) -> Iterator[Finding]:
    """As the daemon would say it where it knows no more of the repository than the case tells."""
    line = guards.runs(DEFAULT.text(command))
    config = {**case.get("config", {}), **{f"alias.{name}": one for name, one in case.get("aliases", {}).items()}}
    for one in guards.of_line(line, case.get("branch") or "", config):
        yield from guards.findings(one, _repository(case))
    for file in guards.written(line):
        yield from guards.writes(file, _surroundings(case))


def _repository(case: Mapping[str, Any]) -> Repository:
    held = [
        (path, what) for path, text in case.get("pushed", {}).items() if (what := guards.held(path, DEFAULT.text(text)))
    ]
    uncommitted = tuple(f"changed-{number}" for number in range(1, case.get("uncommitted", 0) + 1))
    return Repository(case.get("branch") or "", uncommitted, case.get("failed", ""), tuple(held))


def _surroundings(case: Mapping[str, Any]) -> Surroundings:
    patterns: Sequence[str] | None = case.get("ignored")

    def is_ignored(file: str) -> bool | None:
        if patterns is None:
            return None
        parts = (file, file.rpartition("/")[2], *(f"{folder}/" for folder in file.split("/")[:-1]))
        return any(fnmatch.fnmatch(part, pattern.lstrip("/")) for part in parts for pattern in patterns)

    return Surroundings(is_ignored, lambda file: file in case.get("exists", ()), case.get("asked"))
