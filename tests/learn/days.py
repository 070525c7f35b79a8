"""Sessions one day after another through a store, and what a later one would be told of them."""

from __future__ import annotations

import dataclasses
from typing import Any

from hardwon.event import Event, Tier
from hardwon.learn.session import learn
from hardwon.memories import likeness
from hardwon.memories.moments import Known
from hardwon.memory import Kind, Memory
from hardwon.store.connection import Store
from hardwon.store.tables import journal, memories
from hardwon.text.likeness import trouble
from tests.learn.test_derive import AT, session

DAY = 86_400_000


@dataclasses.dataclass
class Days:
    """A session each day."""

    store: Store
    project: str
    number: int = 0

    def next(self, *events: Event) -> str:
        self.number += 1
        name, at = f"s{self.number}", AT + self.number * DAY
        for place, event in enumerate(session(*events)):
            there: dict[str, Any] = {"session": name, "project": self.project, "at": at + place * 1_000}
            there["call"] = f"{name}c{place}" if event.tool else ""
            journal.append(self.store, dataclasses.replace(event, **there), Tier.FULL)
        learn(self.store, "claude-code", name, at + 60_000)
        return name

    def told(self, error: str) -> list[Known]:
        now = AT + (self.number + 1) * DAY
        found = likeness.best(likeness.look_up(self.store, trouble("", error), self.project, now))
        return [one.known for one in found if one.is_known and one.known.fixes]

    def worked(self, error: str) -> list[str]:
        return [fix.body for one in self.told(error) for fix in one.fixes]

    def all(self, kind: Kind) -> list[Memory]:
        return memories.listed(self.store, memories.Filter(kinds=(kind,)), 50)[0]
