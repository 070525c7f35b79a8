"""What a skill's memory costs: a skill with ten lessons and with a hundred thousand, and the seed's way beside it.

    python -m bench.skills [--rounds 100] [--sizes 10,1000,10000,100000] [--quick]
    python -m bench skills --set FILE.json [--misses] [--json]

In the daemon: finding the lessons and writing the block, without an intent and with one. Through the hook that `setup`
installs: a call to the session's MCP server, with no process at all. Through the command that `setup --user-hooks`
installs instead, started as the client starts it, beside a bare interpreter started the same way. The seed's way is a
fresh interpreter that reads a markdown file with as many entries, parses and sorts it. All of them take turns. Target:
through the installed hook ≤ 1.3 × the bare interpreter up to 10,000 lessons; the exit status is 1 when it is missed by
more than the noise, which is what the bare interpreter differs from itself by.

With a set, how right it is and not what it costs: `bench/skill_set.py`; ours are in `bench/skill_sets/`.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bench import skill_set
from bench.hook import _caller, _run, _server, ratio2
from bench.measure import Times, interleaved, keep, ms, print_table, progress
from bench.store import NOW, YEAR
from bench.texts import Writer, harvest
from hardwon.clients.claude_code.messages import HOOKS
from hardwon.daemon import lifecycle
from hardwon.hook import install
from hardwon.memories.skills import Wanted, lessons
from hardwon.memory import GLOBAL, Kind, Scope
from hardwon.paths import Home, make
from hardwon.render import context
from hardwon.settings import DEFAULTS
from hardwon.store import changes, projects
from hardwon.store.connection import Store, open_store

BARE = "bare interpreter"
BESIDE = "bare interpreter, again"
HOOK = "hook"
HOOK_WITH_INTENT = "hook, with an intent"
SERVER = "server"
SERVER_WITH_INTENT = "server, with an intent"
SKILL = "deploy"
INTENT = "why does the deploy to staging fail with a certificate error in the worker?"
TARGET = 1.3
LARGEST_DUE = 10_000

SEED = """
import re, sys
entries = []
for line in open(sys.argv[1], encoding="utf-8"):
    if line.startswith("- "):
        hits = re.search(r"\\[HIT:(\\d+)\\]", line)
        entries.append((int(hits[1]) if hits else 0, line))
entries.sort(key=lambda entry: -entry[0])
print("".join(line for _, line in entries[:20]))
"""


def main(argv: list[str]) -> int:
    options = _options(argv)
    if options.set:
        return skill_set.run(options.set, as_json=options.json, show=options.misses)
    # A room for a hundred lessons is the default: without the limit, or nothing here would be large.
    os.environ |= {"HARDWON_SKILLS_MAX": "0", "HARDWON_MIRROR_ENABLED": "false"}
    with tempfile.TemporaryDirectory(prefix="hardwon-bench-") as folder:
        root = Path(folder)
        project = root / "shop"
        (project / ".claude" / "skills" / SKILL).mkdir(parents=True)
        (project / ".claude" / "skills" / SKILL / "SKILL.md").write_text("---\nname: deploy\n---\n# Deploy\nRun it.\n")
        homes = {size: _home(root, size, project) for size in options.sizes}
        servers = {size: _server(home) for size, home in homes.items()}
        stores = {size: open_store(home, DEFAULTS, write=False) for size, home in homes.items()}
        try:
            inside = interleaved(_inside(stores, project), options.rounds)
            for home in homes.values():
                assert lifecycle.start(home) is not None
            through = _measured(homes, servers, root, project, options.rounds)
        finally:
            for server in servers.values():
                server.communicate()
            for store in stores.values():
                store.close()
            for home in homes.values():
                lifecycle.stop(home)
    return _report(inside, through, options)


def _options(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench.skills")
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument(
        "--sizes", type=lambda text: [int(part) for part in text.split(",")], default=[10, 1_000, 10_000, 100_000]
    )
    parser.add_argument("--quick", action="store_true", help="30 rounds, 10 and 1,000 lessons")
    parser.add_argument("--set", type=Path, metavar="FILE", help="score a set of intents or of sessions instead")
    parser.add_argument("--misses", action="store_true", help="with --set: what was not as it should be")
    parser.add_argument("--json", action="store_true", help="with --set: as JSON, with the misses")
    options = parser.parse_args(argv)
    if options.quick:
        options.rounds, options.sizes = 30, [10, 1_000]
    return options


def _home(root: Path, size: int, project: Path) -> Home:
    """A home with this many lessons of one skill, and the same ones as a markdown file."""
    home = Home(root / f"h{size}")
    make(home)
    home.hook.mkdir(mode=0o700)
    install.refresh(home)
    writer = Writer(harvest()[0], projects=["p"])
    with open_store(home, DEFAULTS) as store, (root / f"{size}.md").open("w", encoding="utf-8") as seed:
        _, known = projects.claim(store, project, NOW)
        for start in range(0, size, 2_000):
            progress(f"building a skill of {size:,} lessons: {start:,}")
            with store.transaction():
                for number in range(start, min(size, start + 2_000)):
                    draft = dataclasses.replace(
                        writer.text(number).draft, kind=Kind.LESSON, scope=Scope(known.id, SKILL)
                    )
                    for _ in range(1 + (number % 17 == 0)):
                        changes.note(store, draft, NOW - YEAR + YEAR * number // size)
                    seed.write(f"- [2026-03] {' '.join(draft.body.split())}  [HIT:{number % 17}]\n")
    progress("")
    return home


def _inside(stores: dict[int, Store], project: Path) -> dict[str, Callable[[int], object]]:
    return {
        f"{name}, {size:,}": _asker(store, project, intent)
        for size, store in stores.items()
        for name, intent in (("flat", ""), ("words", INTENT))
    }


def _asker(store: Store, project: Path, intent: str) -> Callable[[int], object]:
    _, found = projects.look_up(store, project)
    assert found is not None
    wanted = Wanted(SKILL, (found.id, GLOBAL), intent)

    def ask(_: int) -> object:
        text = context.skill(SKILL, lessons(store, wanted, NOW).items)
        assert text
        return text

    return ask


def _measured(
    homes: dict[int, Home], servers: dict[int, subprocess.Popen[bytes]], root: Path, project: Path, rounds: int
) -> dict[str, Times]:
    """Each time in a session of its own, which has begun: in one session a lesson is said once."""
    python = install.base_python()
    bare = f"{python} -I -S -c pass 2>/dev/null || :"
    variants: dict[str, Callable[[int], object]] = {
        BARE: lambda _: _run(bare, b""),
        BESIDE: lambda _: _run(bare, b""),
    }
    seed = root / "seed.py"
    seed.write_text(SEED, encoding="utf-8")
    before: dict[str, Callable[[], object]] = {}
    for size, home in homes.items():
        for name, intent, server in (
            (HOOK, "", None), (HOOK_WITH_INTENT, INTENT, None), (SERVER, "", servers[size]),
            (SERVER_WITH_INTENT, INTENT, servers[size]),
        ):  # fmt: skip
            load = Load(home, project, intent, server)
            variants[f"{name}, {size:,}"] = load.load
            before[f"{name}, {size:,}"] = load.begin
        variants[f"seed's way, {size:,}"] = _reader(f"{python} -I {seed} {root / f'{size}.md'}")
    return interleaved(variants, rounds, before=before)


class Load:
    """A session of the client that begins, and loads a skill."""

    def __init__(self, home: Home, project: Path, intent: str, server: subprocess.Popen[bytes] | None) -> None:
        self.project, self.intent, self.number, self.server = project, intent, 0, server
        commands = {hook.event: install.command(home, "claude-code", hook) for hook in HOOKS if hook.limit}
        self.start, self.after = commands["SessionStart"], commands["PostToolUse"]

    def begin(self) -> None:
        self.number += 1
        _run(self.start, self._message(hook_event_name="SessionStart", source="startup"))

    def load(self, _: int) -> None:
        given = {"skill": SKILL, "args": self.intent}
        call = {"tool_name": "Skill", "tool_use_id": f"toolu_{self.number}", "tool_input": given}
        response = {"success": True, "commandName": SKILL}
        message = self._message(hook_event_name="PostToolUse", **call, tool_response=response)
        said = _caller(self.server, json.loads(message))(0) if self.server else _run(self.after, message)
        assert b"skill-memory" in bytes(str(said), "utf-8"), said

    def _message(self, **fields: Any) -> bytes:
        session = f"{'with' if self.intent else 'without'}-{'server' if self.server else 'hook'}-{self.number}"
        about = {"session_id": session, "transcript_path": str(self.project / "none.jsonl"), "cwd": str(self.project)}
        return json.dumps({**about, "prompt_id": "p1", **fields}).encode()


def _reader(command: str) -> Callable[[int], object]:
    return lambda _: _run(command, b"")


def _report(inside: dict[str, Times], through: dict[str, Times], options: argparse.Namespace) -> int:
    smallest = min(options.sizes)
    rows = [
        [name, ms(times.wall.p50), ms(times.wall.p95), ratio2(times.wall.p50, inside[_like(name, smallest)].wall.p50)]
        for name, times in inside.items()
    ]
    print_table("The block in the daemon, ms", ["rung, lessons", "p50", "p95", f"× {smallest} lessons"], rows)
    bare = through[BARE].wall.p50
    rows = [
        [name, ms(times.wall.p50), ms(times.wall.p95), ratio2(times.wall.p50, bare)] for name, times in through.items()
    ]
    print_table("A loaded skill, ms", ["variant, lessons", "p50", "p95", "× bare interpreter"], rows)
    noise = abs(through[BESIDE].wall.p50 / bare - 1)
    small = [size for size in options.sizes if size <= LARGEST_DUE]
    names = [f"{name}, {size:,}" for name in (SERVER, SERVER_WITH_INTENT) for size in small]
    due = {name: through[name].wall.p50 / bare for name in names}
    missed = {name: factor for name, factor in due.items() if factor > TARGET + noise}
    worst = max(due.values(), default=0.0)
    verdict = "missed" if missed else "met"
    print(f"\nTarget ≤ {TARGET} × up to {LARGEST_DUE:,} lessons: {verdict}; worst {worst:.2f} ×, noise {noise:.2f}")
    figures = {name: times.wall.p50 for name, times in (inside | through).items()}
    keep("skills", {"rounds": options.rounds, "p50_ms": figures, "missed": sorted(missed)})
    return 1 if missed else 0


def _like(name: str, size: int) -> str:
    return f"{name.partition(',')[0]}, {size:,}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
