"""What is told of a failure that comes back, from the transcript on.

    python -m bench through --set FILE… [--json] [--verbose]

A set is that of `bench lessons`. Each first session is learned from its transcript into a home of its own; then its
repeat fails there, and the near case, each in a session of its own. *Told*: the answer has a word of the fix; *known*:
without a hedge. `--verbose` names what was missed and what was wrong.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.lessons import Scenario, transcript
from bench.measure import print_table
from bench.store import NOW
from hardwon.clients import past_sessions
from hardwon.clients.claude_code.messages import NAME
from hardwon.event import Event, EventType, Heard, Moment
from hardwon.learn.placing import Places
from hardwon.learn.session import learn
from hardwon.learn.transcripts import Taken, take_in
from hardwon.moments.answer import answer, here
from hardwon.moments.conversation import Conversation
from hardwon.paths import Home, make
from hardwon.settings import DEFAULTS
from hardwon.store.connection import Store, open_store

LATER = NOW + 86_400_000
HEDGE = "looks like"
WHAT = ("cases", "told", "known", "near told", "near known")


@dataclass(frozen=True, slots=True)
class Told:
    name: str
    level: str
    repeat: str
    near: str
    words: tuple[str, ...]

    def counts(self) -> Counter[str]:
        right, wrong = self._has(self.repeat), self._has(self.near)
        return Counter(
            {
                "cases": 1,
                "told": right,
                "known": right and HEDGE not in self.repeat,
                "near told": wrong,
                "near known": wrong and HEDGE not in self.near,
            }
        )

    def _has(self, text: str) -> bool:
        return any(word in text or json.dumps(word, ensure_ascii=False)[1:-1] in text for word in self.words)


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench through", description=__doc__)
    parser.add_argument("--set", dest="sets", type=Path, nargs="+", required=True, metavar="FILE")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--verbose", action="store_true", help="name what is missed and what is wrong")
    given = parser.parse_args(argv)
    scenarios = [one for file in given.sets for one in json.loads(file.read_text("utf-8"))]
    results = [measure(one) for one in scenarios if one.get("lesson", True) and one.get("repeat")]
    rows = _rows(results)
    if given.json:
        print(json.dumps(rows, indent=1))
        return 0
    print_table("Told after a failure", ["level", *WHAT], [[n, *(str(c[w]) for w in WHAT)] for n, c in rows.items()])
    for one in results if given.verbose else ():
        counts = one.counts()
        if not counts["told"] or counts["near told"]:
            print("wrong:" if counts["near told"] else "missed:", one.name)
    return 0


def _rows(results: Sequence[Told]) -> Mapping[str, Counter[str]]:
    rows: dict[str, Counter[str]] = {}
    for one in results:
        for row in (one.level, "all"):
            rows.setdefault(row, Counter()).update(one.counts())
    return rows


def measure(scenario: Scenario) -> Told:
    with tempfile.TemporaryDirectory(prefix="hardwon-bench-") as name:
        folder = Path(name)
        repository, home = folder / "repository", Home(folder / "home")
        (repository / ".git").mkdir(parents=True)
        (repository / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        file = folder / f"{uuid.uuid4()}.jsonl"
        file.write_text("".join(f"{json.dumps(one)}\n" for one in transcript(file.stem, repository, scenario["steps"])))
        make(home)
        with open_store(home, DEFAULTS, write=True) as store:
            _learn(store, file)
            repeat, near = (
                _say(store, repository, scenario[which], which) if scenario.get(which) else ""
                for which in ("repeat", "near")
            )
    return Told(scenario["name"], scenario.get("level") or "-", repeat, near, tuple(scenario["fix_words"]))


def _learn(store: Store, file: Path) -> None:
    taken = Taken()
    for _ in take_in(store, Places(store), past_sessions.opened(NAME, file), 0, NOW, taken):
        pass
    for host, session in taken.sessions:
        learn(store, host, session, NOW)


def _say(store: Store, repository: Path, failed: Mapping[str, str], session: str) -> str:
    where = here(store, str(repository))
    event = Event(
        type=EventType.TOOL_FAILED,
        host=NAME,
        session=session,
        at=LATER,
        call=session,
        tool="Bash",
        target=failed["command"],
        error=failed["error"],
        cwd=str(repository),
        project=where.project,
    )
    return answer(
        store, Heard((event,), Moment.AFTER_FAILURE), Conversation(), where, LATER, lambda text: text
    ).reply.text
