"""What a database is restored from: the damaged file, the copies, the redo log."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from hardwon.event import Event, EventType, Tier
from hardwon.paths import Home
from hardwon.settings import Settings
from hardwon.store import changes, projects
from hardwon.store.erasure import forget
from hardwon.store.errors import StoreReplaced
from hardwon.store.log import copies, copy_file, records, redo
from hardwon.store.maintenance import repair
from hardwon.store.tables import journal
from tests.commandline import Cli
from tests.store.faults.damages import behind_the_back, deleted, wal_deleted
from tests.store.faults.homes import build, killed_writer
from tests.support import bodies, contents, draft, note, now, opened


def test_what_can_still_be_read_is_used(tmp_path: Path) -> None:
    """No copy and no redo log, only a file with a broken index: memories, hits, projects, the journal, what was
    forgotten and what can be undone are read from it."""
    home = Home(tmp_path / "home")
    with opened(home.root) as store:
        (tmp_path / "app").mkdir()
        _, project = projects.claim(store, tmp_path / "app", now())
        last = [note(store, f"lesson {number}", project=project.id) for number in (1, 2, 3, 3, 4)][-1]
        forget.forget(store, [note(store, "to be forgotten for good")], now())
        event = Event(EventType.PROMPT_SUBMITTED, "a-client", "session", now(), prompt="p", text="what was asked")
        assert journal.append(store, event, Tier.FULL)
        before = contents(store)
    behind_the_back("update memory_search_data set block = x'00' where id > 100")(home.root)
    shutil.rmtree(home.copies)

    assert repair.restore(home, Settings(), now()).journal_entries == 1
    with opened(home.root) as store:
        assert contents(store) == before
        assert projects.look_up(store, tmp_path / "app")[1] == project
        assert [one.text for one in journal.of_session(store, "a-client", "session")] == ["what was asked"]
        assert changes.note(store, draft("to be forgotten for good"), now()).id is None
        changes.undo(store, now())
        assert contents(store).keys() == before.keys() - {last}
        assert repair.damage(store) == []


def test_a_restore_that_is_interrupted_can_be_repeated(tmp_path: Path) -> None:
    """Until the restored file is whole, everything it is made from stays where it was."""
    home = Home(tmp_path / "home")
    acknowledged = build(home.root)
    deleted(home.root)
    with pytest.raises(KeyboardInterrupt):
        repair.restore(home, Settings(), now(), progress=interrupt)
    assert not home.database.exists()
    repair.restore(home, Settings(), now())
    with opened(home.root) as store:
        assert contents(store) == acknowledged
    assert sorted(path.name for path in home.root.iterdir()) == ["copies", "lock", "memory.db"]


def interrupt(_: str) -> None:
    raise KeyboardInterrupt


def test_a_record_whose_commit_never_came_does_not_displace_the_next(tmp_path: Path) -> None:
    """A writer killed between redo log and commit leaves a line whose number the next writer gets too."""
    home = Home(tmp_path / "home")
    with opened(home.root) as store:
        first = note(store, "the first, acknowledged")
        (line,) = (line for line in redo.read(home) if line.get("memory") == first)
        died = {"sequence": 2, "action": 2, "memory": first[:-6] + "dead00", "clock": line["clock"] + 1}
        redo.append(home, [line | died | {"payload": line["payload"] | {"body": "never acknowledged"}}])
        second = note(store, "the second, acknowledged")
        assert records.of_memory(store, second)[0].sequence == 2
    deleted(home.root)
    repair.restore(home, Settings(), now())
    assert set(bodies(home.root)) >= {"the first, acknowledged", "the second, acknowledged"}


def test_a_torn_line_of_the_redo_log_spoils_only_itself(tmp_path: Path) -> None:
    """A crash in the middle of a line, rubbish between lines: the others are read."""
    home = Home(tmp_path / "home")
    with opened(home.root) as store:
        note(store, "before the torn line")
        with home.redo.open("ab") as file:
            file.write(b'\n12345678 {"type": "record", "devi')
        note(store, "after the torn line")
        with home.redo.open("ab") as file:
            file.write(b"\n\xff\xfe rubbish \x00\n\n")
        note(store, "after the rubbish")
    deleted(home.root)
    repair.restore(home, Settings(), now())
    assert bodies(home.root) == ["after the rubbish", "after the torn line", "before the torn line"]


def test_a_copy_from_the_future_is_not_the_newest(cli: Cli) -> None:
    """It was taken while the clock was ahead; what came after it is restored from the copies taken since."""
    with opened(cli.home) as store:
        note(store, "before the jump")
        ahead = copies.refresh(store)
        ahead.rename(ahead.with_name("20990101T000000.db"))
        note(store, "after the jump")
        newest = copies.refresh(store)
        assert copy_file.found(store.home)[0] == newest
        assert len(copy_file.found(store.home)) == 2
    (cli.home / "memory.db").write_bytes(b"nothing")
    cli.run("doctor", "--fix")
    assert bodies(cli.home) == ["after the jump", "before the jump"]


def test_upkeep_does_not_drop_what_only_the_redo_log_has(cli: Cli) -> None:
    """The WAL was lost and nobody noticed: the next copy takes in what the redo log still knows before it is cut."""
    cli.run("note", "in the file", "-g")
    ids = killed_writer(cli.home, "in the WAL", 3)
    wal_deleted(cli.home)
    with opened(cli.home) as store, store.transaction():
        assert len(contents(store)) < len(ids)
        store.set_meta("upkeep_at", "0")
    for copy in (cli.home / "copies").glob("*.db"):
        copy.unlink()
    cli.run("note", "one more", "-g")
    with opened(cli.home) as store:
        assert set(ids) <= contents(store).keys()
        assert len(contents(store)) == len(ids) + 2


def test_a_process_that_still_has_the_lost_file_open_is_told(cli: Cli) -> None:
    """What it would write goes into a file that nobody will read again: it is refused, and what was kept stays."""
    with opened(cli.home) as old:
        note(old, "before the file was lost")
        deleted(cli.home)
        with pytest.raises(StoreReplaced, match="nothing was written"):
            note(old, "into the lost file")
        cli.run("doctor", "--fix")
        with pytest.raises(StoreReplaced, match="nothing was written"):
            note(old, "into the lost file, after the repair")
    assert bodies(cli.home) == ["before the file was lost"]
    assert "!!" not in cli.run("doctor").stdout
