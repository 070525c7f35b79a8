"""Restoring a database while others use it, and restoring it again after an interruption."""

from __future__ import annotations

import signal
from pathlib import Path

import apsw
import pytest

from hardwon.event import Event, EventType, Tier
from hardwon.paths import Home
from hardwon.settings import Settings
from hardwon.store.connection import Store
from hardwon.store.errors import StoreReplaced
from hardwon.store.log import copies, copy_file
from hardwon.store.maintenance import repair
from hardwon.store.tables import journal
from tests.commandline import Cli
from tests.store.faults.damages import first_page_of
from tests.support import bodies, contents, go, note, now, opened, output, ready, start


def prompt(number: int) -> Event:
    return Event(EventType.PROMPT_SUBMITTED, "a-client", "session", now(), prompt=f"p{number}", text=f"prompt {number}")


def prompts(store: Store) -> list[str]:
    return [event.text for event in journal.of_session(store, "a-client", "session")]


def test_what_is_written_during_the_repair_is_kept(tmp_path: Path) -> None:
    """Others write after the damaged file and the redo log were read: their memories and events are in the restored
    file; who still has the old one open afterwards is told that nothing was written."""
    home = Home(tmp_path / "home")
    told: list[str] = []
    with opened(home.root) as old:
        note(old, "before the repair")
        journal.append(old, prompt(0), Tier.FULL)
        first_page_of("origins", home.root)

        def write_meanwhile(_: str) -> None:
            told.append(note(old, f"with a connection from before {len(told)}"))
            with opened(home.root) as fresh:
                told.append(note(fresh, f"with a new connection {len(told)}"))
            journal.append(old, prompt(len(told)), Tier.FULL)

        repair.restore(home, Settings(), now(), progress=write_meanwhile)
        with opened(home.root) as store:
            assert contents(store).keys() >= set(told)
            assert len(told) >= 2
            assert prompts(store) == ["prompt 0", *(f"prompt {number}" for number in range(2, len(told) + 1, 2))]
        assert old.is_gone
        with pytest.raises(StoreReplaced, match="nothing was written"):
            note(old, "into the damaged file")
    assert "into the damaged file" not in bodies(home.root)
    with opened(home.root) as store:
        assert repair.missing(store) == 0


def test_nobody_writes_while_the_journal_is_taken_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What came into the old file after that would stay there: the redo log has no events."""
    home = Home(tmp_path / "home")
    with opened(home.root) as store:
        note(store, "before the repair")
    first_page_of("origins", home.root)
    take_over, refused = repair._salvage_journal, []

    def watched(store: Store, damaged: apsw.Connection | None) -> int:
        writer = apsw.Connection(str(home.database))
        with pytest.raises(apsw.BusyError):
            writer.execute("begin immediate")
        refused.append(writer)
        return take_over(store, damaged)

    monkeypatch.setattr(repair, "_salvage_journal", watched)
    repair.restore(home, Settings(), now())
    assert refused


def test_writers_during_a_repair_lose_nothing_that_they_were_told_of(cli: Cli) -> None:
    """Three processes note without a pause while `doctor --fix` runs; all ids that they got are there afterwards."""
    with opened(cli.home) as store:
        for number in range(300):
            note(store, f"lesson {number} from before the repair")
    first_page_of("origins", cli.home)
    writers = [start("note_meanwhile", cli.home, f"writer {held}", held) for held in (1, 3, 100_000)]
    ready(*writers)
    go(*writers)
    assert "restored" in cli.run("doctor", "--fix").stdout
    go(*writers)  # enough
    told = [id for writer in writers for id in output(writer)]
    with opened(cli.home) as store:
        assert len(told) > 10
        assert set(told) - contents(store).keys() == set()
    assert "!!" not in cli.run("doctor").stdout


@pytest.mark.parametrize("renames", [1, 2, 3, 4])
def test_a_repair_that_is_killed_between_two_renames_loses_nothing(tmp_path: Path, renames: int) -> None:
    """Memories and the journal are whole after the next attempt, wherever the files were when the first one died."""
    home = Home(tmp_path / "home")
    with opened(home.root) as store:
        note(store, "in the copy")
        copies.refresh(store)
        note(store, "after the copy")
        for number in range(10):
            journal.append(store, prompt(number), Tier.FULL)
    first_page_of("origins", home.root)
    with start("restore_and_die", home.root, renames) as repairing:
        ready(repairing)
        go(repairing)
        repairing.communicate(timeout=60)
    assert repairing.returncode == -signal.SIGKILL

    repair.restore(home, Settings(), now())
    with opened(home.root) as store:
        assert prompts(store) == [f"prompt {number}" for number in range(10)]
        assert repair.damage(store) == []
    assert bodies(home.root) == ["after the copy", "in the copy"]
    assert not (home.copies / copies.RESTORED).exists()


def test_a_copy_without_a_table_is_no_good_copy(cli: Cli) -> None:
    """It is not taken, so that the redo log stays; one that is there is not what a database is restored from."""
    with opened(cli.home) as store:
        note(store, "in the first copy")
        good = copies.refresh(store)
        note(store, "in the redo log")
        store.db.execute("drop table showings")
        with pytest.raises(Exception, match="no table showings"):
            copies.refresh(store)
        store.db.execute("vacuum into ?", (str(cli.home / "copies" / "99990101T000000.db"),))
    assert copy_file.found(Home(cli.home))[1:] == [good]
    assert good.name in cli.run("doctor", "--fix").stdout
    assert bodies(cli.home) == ["in the first copy", "in the redo log"]
    assert "!!" not in cli.run("doctor").stdout
