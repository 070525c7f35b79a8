"""Refusals in real sessions: how many with words are kept with their call, and what is said of them later."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from hardwon.clients.claude_code.transcript import Reading
from hardwon.learn import session as learning
from hardwon.learn.placing import Places
from hardwon.learn.transcripts import Taken, finish, take_in
from hardwon.paths import Home
from hardwon.settings import Settings
from hardwon.store.connection import open_store
from hardwon.store.tables import memories


def play(transcripts: Sequence[Path]) -> tuple[Counter[str], list[str]]:
    """All of them in one home, in the order of their time, as one person's; nothing is said, only kept."""
    count: Counter[str] = Counter()
    found: list[str] = []
    with tempfile.TemporaryDirectory(prefix="hardwon-heard-") as folder:
        home = Home(Path(folder) / "home")
        home.root.mkdir()
        with open_store(home, Settings()) as store:
            store.by_hand = False
            for path in transcripts:
                reading, taken = Reading(path), Taken()
                for _ in take_in(store, Places(store), reading, 0, int(path.stat().st_mtime * 1000), taken):
                    pass
                for host, session in taken.sessions:
                    learning.learn(store, host, session, int(path.stat().st_mtime * 1000))
                finish(store, reading, 0)
                count["sessions"] += 1
            rows = store.rows(
                "select origin, text <> '', count(*) from journal where type = 'call_answered' group by 1, 2"
            )
            for origin, words, number in rows:
                count[f"{origin}, {'with' if words else 'without'} words"] += number
            for one in memories.all_memories(store):
                if one.source == "refused":
                    count[f"kept: {one.subtype} {one.status}"] += 1
                    found.append(f"{one.status} {one.reason} | {one.body[:160]} | {one.intent[:100]}")
    return count, found
