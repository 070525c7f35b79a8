"""A past made up for a test: sessions of Claude Code, each from a time of its own on."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hardwon.clients import past_sessions
from hardwon.clients.past_sessions import Log
from hardwon.rehearsal.grounds import Grounds
from hardwon.rehearsal.opportunities import Happening, Miner, Opportunity, What
from hardwon.rehearsal.opportunities.evidence import Evidence
from hardwon.rehearsal.run import Rehearsal, rehearse
from hardwon.settings import DEFAULTS, Settings
from tests.clients import sessions

SECOND = 1_000
HOUR = 3_600_000
START = int(datetime.datetime(2026, 11, 2, 8, tzinfo=datetime.UTC).timestamp() * 1000)


def id_of(number: int) -> str:
    return f"00000000-0000-4000-8000-{number:012}"


def timed(hour: float, records: Sequence[dict[str, Any]], step: int = SECOND) -> list[dict[str, Any]]:
    """The records, one after the other from an hour of that day on; each with an id."""
    made = []
    for number, record in enumerate(records):
        at = datetime.datetime.fromtimestamp((START + hour * HOUR + number * step) / 1000, datetime.UTC)
        stamp = at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        made.append({"timestamp": stamp, "uuid": f"{hour}-{number}", **record})
    return made


def session(folder: Path, number: int, hour: float, *records: dict[str, Any], cwd: Path) -> Path:
    return sessions.claude(folder / f"{id_of(number)}.jsonl", id_of(number), cwd, *timed(hour, records))


def logs(folder: Path) -> list[Log]:
    return list(past_sessions.below(folder))


class NoInstructions:
    def at(self, cwd: str, time: int) -> tuple[str, ...] | None:  # noqa: ARG002  there never were any
        return ()


def rehearsed(folder: Path, settings: Settings = DEFAULTS) -> Rehearsal:
    return rehearse(logs(folder), settings, Grounds(NoInstructions()))


def only(found: list[Opportunity]) -> Opportunity:
    assert len(found) == 1, found
    return found[0]


class Told:
    """Happenings, written down shortly, for the miner alone."""

    def __init__(self) -> None:
        self.all: list[Happening] = []
        self._numbers: dict[str, int] = {}
        self._at = START
        self._calls = 0

    def add(self, session: str, what: What, text: str = "", **about: Any) -> Happening:
        if session not in self._numbers and what is not What.BEGAN:
            self.add(session, What.BEGAN)
        self._numbers[session] = self._numbers.get(session, -1) + 1
        self._at += SECOND
        about.setdefault("project", "shop")
        one = Happening(what, session, self._at, self._numbers[session], text=text, **about)
        self.all.append(one)
        return one

    def call(self, session: str, tool: str, target: str, outcome: What, text: str = "ok", **about: Any) -> None:
        self._calls += 1
        about |= {"call": f"c{self._calls}", "tool": tool, "target": target}
        self.add(session, What.CALL, target, **about)
        self.add(session, outcome, text, **about)

    def bash(self, session: str, line: str, text: str = "ok", *, fails: bool = False) -> None:
        self.call(session, "Bash", line, What.FAILED if fails else What.PASSED, text)

    def end(self, *sessions: str) -> None:
        for one in sessions:
            self.add(one, What.ENDED)

    def mined(self) -> list[Opportunity]:
        self.end(*self._numbers)
        miner = Miner()
        for one in self.all:
            miner.saw(one)
        evidence = Evidence(miner.opportunities())
        for one in self.all:
            evidence.saw(one)
        return list(evidence.opportunities())
