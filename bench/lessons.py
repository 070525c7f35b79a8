"""What is learned of sessions in which something fails and is mended: the fix, something else, or nothing.

    python -m bench lessons --set FILE… [--json] [--verbose]

A set is a JSON list of scenarios: `steps` of one session (`run` with `ok` and `output`, `edit`, `write`), `fix_words`
that stand in what was the fix, `wrong_words` of steps that were not, and `lesson`: false where the work itself was
mended and another session can gain nothing. Each is written down as Claude Code does it, in a project of its own, and
learned from in this process. *Learned*: some fix that is kept has a word of the fix. *Wrongly*: a verified fix has a
wrong word and none of the fix (in a set that names no wrong words: none of the fix), or a fix or a failure is kept to
be told where nothing is a lesson.
"""

from __future__ import annotations

import argparse
import datetime
import json
import sys
import tempfile
import uuid
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bench.measure import keep, print_table, share
from bench.store import NOW
from hardwon.clients import past_sessions
from hardwon.clients.claude_code.messages import NAME
from hardwon.learn.placing import Places
from hardwon.learn.session import learn
from hardwon.learn.transcripts import Taken, take_in
from hardwon.memory import LINT_RULE, Kind, Memory, Status, Trust
from hardwon.paths import Home, make
from hardwon.settings import DEFAULTS
from hardwon.store.connection import open_store
from hardwon.store.tables import memories

Scenario = dict[str, Any]
BEGIN = datetime.datetime(2026, 11, 1, 9, 0, tzinfo=datetime.UTC)
SECONDS = 40
"""Between two calls."""
KINDS = (Kind.FAILURE, Kind.FIX, Kind.LESSON)
"""A lint rule that one session has met is only counted."""
_TOLD = (Status.ACTIVE, Status.RESOLVED)


def main(argv: list[str]) -> int:
    options = _options(argv)
    scenarios = [one for file in options.sets for one in json.loads(file.read_text(encoding="utf-8"))]
    results = [result(one) for one in scenarios]
    figures: dict[str, Any] = {"levels": _rows(results), "scenarios": [asdict(one) for one in results]}
    keep("lessons", figures)
    if options.json:
        json.dump(figures, sys.stdout, indent=1, ensure_ascii=False)
        print()
        return 0
    _print(figures["levels"])
    for one in results if options.verbose else ():
        if one.wrong or (one.lesson and not one.learned):
            print(
                "\n".join([f"{'wrong' if one.wrong else 'missed'}: {one.name}", *(f"    {text}" for text in one.kept)])
            )
    return 0


def _options(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench lessons", description=__doc__)
    parser.add_argument("--set", dest="sets", type=Path, nargs="+", required=True, metavar="FILE")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--verbose", action="store_true", help="name what is missed and what is wrong")
    return parser.parse_args(argv)


@dataclass(frozen=True, slots=True)
class Result:
    name: str
    level: str
    lesson: bool
    learned: bool
    proven: bool
    """By a verified fix."""
    wrong: bool
    kept: tuple[str, ...]


def result(scenario: Scenario) -> Result:
    with tempfile.TemporaryDirectory(prefix="hardwon-bench-") as folder:
        found = kept(Path(folder), scenario["steps"])
    fixes = [one for one in found if one.kind is Kind.FIX and one.subtype != "failed"]
    right = [one for one in fixes if _has(one, scenario["fix_words"])]
    lesson = bool(scenario.get("lesson", True))
    told = [one for one in found if one.status in _TOLD]
    wrong = scenario.get("wrong_words")  # where nobody has said what they are, everything else is
    misled = any(
        (wrong is None or _has(one, wrong)) and one not in right and one.trust is Trust.VERIFIED
        for one in fixes
        if one.status in _TOLD and one.subtype != "partial"
    )
    return Result(
        scenario["name"],
        scenario.get("level") or "-",
        lesson,
        bool(right) and lesson,
        any(one.trust is Trust.VERIFIED for one in right) and lesson,
        misled if lesson else bool(told),
        tuple(f"{one.kind} {one.subtype} {one.trust} {one.status}: {one.body}" for one in found),
    )


def _has(memory: Memory, words: Iterable[str]) -> bool:
    return any(word in memory.body or word in json.dumps(memory.body, ensure_ascii=False) for word in words)


def kept(folder: Path, steps: Sequence[Scenario]) -> list[Memory]:
    """What a new home keeps of one session."""
    repository, home = folder / "repository", Home(folder / "home")
    (repository / ".git").mkdir(parents=True)
    (repository / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    file = folder / f"{uuid.uuid4()}.jsonl"
    file.write_text("".join(f"{json.dumps(one)}\n" for one in transcript(file.stem, repository, steps)))
    make(home)
    taken = Taken()
    with open_store(home, DEFAULTS) as store:
        for _ in take_in(store, Places(store), past_sessions.opened(NAME, file), 0, NOW, taken):
            pass
        for host, session in taken.sessions:
            learn(store, host, session, NOW)
        found = [one for one in memories.all_memories(store) if one.kind in KINDS and one.subtype != LINT_RULE]
    return sorted(found, key=lambda one: one.id)


def transcript(session: str, cwd: Path, steps: Sequence[Scenario]) -> list[dict[str, Any]]:
    """The session as the client writes it down, a line each."""

    def line(kind: str, number: float, message: dict[str, Any], **more: Any) -> dict[str, Any]:
        at = BEGIN + datetime.timedelta(seconds=SECONDS * number)
        about = {"uuid": str(uuid.uuid4()), "sessionId": session, "cwd": str(cwd), "gitBranch": "main"}
        about["timestamp"] = at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        return {"type": kind, **about, "isSidechain": False, "userType": "external", "message": message, **more}

    lines = [line("user", 0, {"role": "user", "content": "Please get this working again"}, turnOrigin="human")]
    for number, step in enumerate(steps, 1):
        call = f"toolu_{session[:8]}{number}"
        tool, given, passed, said = _call(cwd, step)
        used = {"type": "tool_use", "id": call, "name": tool, "input": given}
        came = {"type": "tool_result", "tool_use_id": call, "content": said, "is_error": not passed}
        more = {"stdout": said, "stderr": "", "interrupted": False} if passed else f"Error: {said}"
        lines.append(line("assistant", number, {"id": f"msg_{number}", "role": "assistant", "content": [used]}))
        lines.append(line("user", number + 0.2, {"role": "user", "content": [came]}, toolUseResult=more))
    done = {"id": "msg_end", "role": "assistant", "content": [{"type": "text", "text": "Done."}]}
    return [*lines, line("assistant", len(steps) + 1, {**done, "stop_reason": "end_turn"})]


def _call(cwd: Path, step: Scenario) -> tuple[str, dict[str, Any], bool, str]:
    """The tool, what it was given, whether it passed, and what it said."""
    if "edit" in step:
        given = {"file_path": str(cwd / step["edit"]), "old_string": step["old"], "new_string": step["new"]}
        return "Edit", given, True, f"The file {cwd / step['edit']} has been updated."
    if "write" in step:
        given = {"file_path": str(cwd / step["write"]), "content": step["content"]}
        return "Write", given, True, f"File created successfully at: {cwd / step['write']}"
    return "Bash", {"command": step["run"], "description": "run"}, bool(step["ok"]), step["output"]


def _rows(results: Sequence[Result]) -> dict[str, dict[str, int]]:
    rows: dict[str, Counter[str]] = {}
    for one in results:
        for name in (one.level, "all"):
            counts = rows.setdefault(name, Counter())
            counts["scenarios"] += 1
            for what in ("lesson", "learned", "proven", "wrong"):
                counts[what] += getattr(one, what)
    return {name: dict(rows[name]) for name in sorted(rows, key=lambda name: (name == "all", name))}


def _print(rows: dict[str, dict[str, int]]) -> None:
    print_table(
        "What is learned",
        ["level", "scenarios", "lessons", "fix learned", "verified", "learned wrongly"],
        [
            [
                name,
                str(row["scenarios"]),
                str(row["lesson"]),
                f"{row['learned']} ({share(row['learned'] / max(1, row['lesson']))})",
                str(row["proven"]),
                f"{row['wrong']} ({share(row['wrong'] / row['scenarios'])})",
            ]
            for name, row in rows.items()
        ],
    )
