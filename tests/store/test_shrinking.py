"""The database file becomes smaller when much was removed: at once in a home of before, step by step in a new one."""

from __future__ import annotations

from pathlib import Path

import apsw

from hardwon.store import migrate
from hardwon.store.maintenance import retention, shrink
from hardwon.store.tables import journal
from tests.support import opened

NOW = 1_800_000_000_000
DAY = 86_400_000
HOST = "a-client"


def test_a_home_of_before_is_taken_as_learned_from(tmp_path: Path) -> None:
    """Its journal is counted and can be thinned, and its file learns to become smaller when it is rewritten."""
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    db = apsw.Connection(str(home / "memory.db"))
    for one in migrate.migrations()[:3]:
        migrate._apply(db, one)
    db.execute(
        "insert into sessions (row, host, id, cwd, transcript, started_at, last_at) values (1, ?, 's1', '', '', 1, ?)",
        (HOST, NOW - 100 * DAY),
    )
    rows = [(f"k{number}", NOW - 100 * DAY, "x" * 2_000) for number in range(20_000)]
    db.execute("begin")
    db.executemany(
        "insert into journal (session, key, type, tier, at, agent, prompt, call, tool, target, text, error)"
        " values (1, ?, 'tool_finished', 'M', ?, '', '', '', 'Bash', 'make', ?, '')",
        rows,
    )
    db.execute("commit")
    db.close()
    with opened(home) as store:
        assert store.value("pragma auto_vacuum") == 0
        assert retention.size(store).entries == 20_000
        while retention.run(store, NOW).entries:
            pass
        assert journal.count(store) == 0
        assert shrink.shrink(store) > 30_000_000
        assert store.value("pragma auto_vacuum") == 2
        assert shrink.shrink(store) == 0
    assert (home / "memory.db").stat().st_size < 5_000_000


def test_a_new_home_gives_pages_back_step_by_step(tmp_path: Path) -> None:
    """Without ever being rewritten as a whole."""
    with opened(tmp_path / "home") as store:
        assert store.value("pragma auto_vacuum") == 2
        assert shrink.shrink(store) == 0
