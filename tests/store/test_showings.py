"""What showings come to is counted as they come and go."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from hardwon.settings import Settings
from hardwon.settings.keys import Retention
from hardwon.store import migrate
from hardwon.store.tables import showings
from hardwon.store.tables.showings import NEVER, Counts, Outcome, Showing
from tests.support import now, opened

DAY = 86_400_000
HELPED, IGNORED, UNKNOWN = Outcome.HELPED, Outcome.IGNORED, Outcome.UNKNOWN


def shown(*outcomes: Outcome, moment: str = "prompt", days_ago: int = 0) -> list[Showing]:
    return [Showing("m", moment, now() - days_ago * DAY, 10, one) for one in outcomes]


@pytest.mark.parametrize(
    ("given", "counts"),
    [
        ([], NEVER),
        (shown(UNKNOWN), Counts(1)),
        (shown(UNKNOWN, HELPED, IGNORED), Counts(3, 1, 1, 1)),
        (shown(IGNORED, moment="before action"), Counts(1, 0, 1, 0)),
        ([*shown(IGNORED, IGNORED), *shown(IGNORED, moment="skill")], Counts(3, 0, 3, 2)),
    ],
)
def test_what_was_shown_is_counted(tmp_path: Path, given: list[Showing], counts: Counts) -> None:
    """By memory: how often, how often it helped, was ignored, was ignored at a prompt."""
    with opened(tmp_path) as store:
        showings.record(store, [*given, Showing("another", "prompt", now(), 10, HELPED)])
        assert showings.counts(store, ["m"]).get("m", NEVER) == counts


def test_an_outcome_is_decided_once(tmp_path: Path) -> None:
    """The counts follow; what was decided before stays."""
    with opened(tmp_path) as store:
        showings.record(store, shown(UNKNOWN, UNKNOWN, HELPED))
        rows = [row for (row,) in store.rows("select row from showings order by row")]
        showings.decide(store, [(rows[0], IGNORED), (rows[2], IGNORED)])
        assert showings.counts(store, ["m"])["m"] == Counts(3, 1, 1, 1)
        showings.decide(store, [(rows[0], HELPED)])
        assert [one.outcome for one in showings.of_memory(store, "m")] == [IGNORED, UNKNOWN, HELPED]


def test_counts_go_with_what_they_count(tmp_path: Path) -> None:
    """What is too old is neither listed nor counted."""
    settings = Settings(retention=Retention(showings_days=50))
    with opened(tmp_path, settings) as store:
        showings.record(store, [*shown(IGNORED, HELPED, days_ago=60), *shown(IGNORED)])
        assert showings.counts(store, ["m"])["m"] == Counts(3, 1, 2, 2)
        assert showings.prune(store, 50, now()) == 2
        assert showings.counts(store, ["m"])["m"] == Counts(1, 0, 1, 1)
        assert showings.prune(store, 50, now() + 60 * DAY) == 1
        assert store.value("select count(*) from showing_counts") == 0


def test_showings_of_before_are_counted_at_the_upgrade(tmp_path: Path) -> None:
    """A home that has showings and no counts yet gets them."""
    with opened(tmp_path) as store:
        showings.record(store, shown(IGNORED, HELPED, UNKNOWN))
    db = apsw.Connection(str(tmp_path / "memory.db"))
    with db:
        _take_back(db, first_kept=2)
        db.execute("delete from migrations where number > 2")
    db.close()
    with opened(tmp_path) as store:
        assert showings.counts(store, ["m"])["m"] == Counts(3, 1, 1, 1)


def _take_back(db: apsw.Connection, first_kept: int) -> None:
    """Drop what later migrations than the first so many make."""
    before = apsw.Connection("")
    for migration in migrate.migrations()[:first_kept]:
        before.execute(migration.sql)
    known = {"migrations", *(name for _, name in before.execute(_NAMES))}
    for kind, name in db.execute(_NAMES).fetchall():
        if name not in known:
            db.execute(f"drop {kind} if exists {name}")
        elif kind == "table" and name != "migrations":
            for column in _columns(db, str(name)) - _columns(before, str(name)):
                if name == "vectors":  # made anew by a later migration
                    break
                db.execute(f"alter table {name} drop column {column}")
            else:
                continue
            db.execute(f"drop table {name}")
            db.execute(before.execute("select sql from sqlite_schema where name = ?", (name,)).get)
    before.close()


_NAMES = "select type, name from sqlite_schema where name not like 'sqlite_%' order by type desc"


def _columns(db: apsw.Connection, table: str) -> set[str]:
    return {str(row[1]) for row in db.execute(f"pragma table_info({table})")}
