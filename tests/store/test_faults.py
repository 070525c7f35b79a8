"""Full and read-only disks, damaged files, locks: a sentence, an exit status, and nothing acknowledged is lost."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import apsw
import pytest

from hardwon.event import Event, EventType, Tier
from hardwon.memory import Memory, Status
from hardwon.paths import Home
from hardwon.settings import Settings
from hardwon.store import changes, copies, forget, journal, projects, records, redo, repair
from tests.commandline import HARDWON, Cli
from tests.support import bodies, contents, draft, go, meanwhile, note, now, opened, output, ready, start

Said = subprocess.CompletedProcess[str]


def is_a_sentence(said: Said) -> bool:
    """Exit status 1 and one line on stderr, without a traceback."""
    lines = said.stderr.strip().splitlines()
    return said.returncode == 1 and len(lines) == 1 and lines[0].startswith("hardwon: ")


def attempt(cli: Cli, *arguments: str) -> Said:
    """Run it, whatever comes of it."""
    return subprocess.run(
        [HARDWON, *arguments], capture_output=True, text=True, cwd=cli.folder, env=cli.environment(), check=False
    )


# ── disks ────────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Box:
    """A mount namespace of its own, in which the commands run: root ignores permission bits, but not a mount."""

    process: subprocess.Popen[str]
    namespaces: tuple[str, ...]
    cli: Cli

    def run(self, *command: str) -> Said:
        inside = ["nsenter", f"--target={self.process.pid}", *self.namespaces, "--preserve-credentials"]
        return subprocess.run(
            [*inside, f"--wd={self.cli.folder}", *command],
            capture_output=True,
            text=True,
            env=self.cli.environment(),
            timeout=60,
            check=False,
        )

    def __enter__(self) -> Box:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

    def hardwon(self, *arguments: str) -> Said:
        return self.run(HARDWON, *arguments)

    def bodies(self) -> list[str]:
        found = self.hardwon("list", "-g", "--every-status", "-n", "10000")
        assert found.returncode == 0, found
        return sorted(line.split("\t")[-1] for line in found.stdout.splitlines())


def boxed(cli: Cli, mount: str) -> Box:
    """A box in which this shell command has been run; the test is skipped where nobody may mount."""
    for options, namespaces in (("-rm", ("--mount", "--user")), ("-m", ("--mount",))):
        try:
            process = subprocess.Popen(
                ["unshare", options, "sh", "-c", f"{mount} && echo mounted && exec sleep 300"],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
        except FileNotFoundError:
            pytest.skip("unshare is not installed")
        assert process.stdout is not None
        answer = process.stdout.readline()
        if answer == "mounted\n":
            return Box(process, namespaces, cli)
        process.communicate()
    pytest.skip(f"mounting is not permitted: {answer.strip()}")


@pytest.fixture
def small_disk(cli: Cli, tmp_path: Path) -> Iterator[Box]:
    """The home on a disk of two megabytes."""
    disk = tmp_path / "disk"
    disk.mkdir()
    with boxed(Cli(disk / "home", cli.folder), f"mount -t tmpfs -o size=2m tmpfs {disk}") as box:
        yield box


def fill(box: Box, leave: int) -> None:
    """Fill the disk up to this many bytes."""
    disk = box.cli.home.parent
    free = f"$(( ($(stat -f -c '%a * %S' {disk})) - {leave} ))"
    done = box.run("sh", "-c", f"rm -f {disk}/filler; size={free}; head -c $size /dev/zero > {disk}/filler")
    assert done.returncode == 0, done


def empty(box: Box) -> None:
    box.run("rm", str(box.cli.home.parent / "filler"))


@pytest.mark.slow
def test_a_full_disk_loses_nothing_that_was_acknowledged(small_disk: Box) -> None:
    """With any amount of space left: kept and there, or a sentence and not there; also after the file is damaged."""
    acknowledged = ["before the disk was full"]
    assert small_disk.hardwon("note", acknowledged[0], "-g").returncode == 0
    refused = 0
    for kilobytes in (200, 120, 88, 72, 64, 56, 48, 40, 32, 28, 24, 20, 16, 12, 8, 4, 0):
        fill(small_disk, kilobytes * 1024)
        text = f"noted with {kilobytes} kilobytes left, {'and a few words more ' * 10}"
        said = small_disk.hardwon("note", text, "-g")
        if said.returncode == 0:
            acknowledged.append(text.strip()[:159] + "…")
            continue
        refused += 1
        assert is_a_sentence(said), said
        assert re.search("is full|failed", said.stderr), said
        assert "kept" not in said.stdout
    assert 2 < refused < 16
    looked = small_disk.hardwon("list", "-g")
    assert looked.returncode == 0 or is_a_sentence(looked), looked

    empty(small_disk)
    assert small_disk.bodies() == sorted(acknowledged)
    assert small_disk.hardwon("doctor").stdout.count("!!") == 1, "the disk is small, and nothing else is wrong"
    assert small_disk.hardwon("note", "after the disk was full", "-g").returncode == 0
    acknowledged.append("after the disk was full")
    assert small_disk.bodies() == sorted(acknowledged)

    small_disk.run("sh", "-c", f"echo rubbish > {small_disk.cli.home}/memory.db")
    small_disk.hardwon("doctor", "--fix")
    assert small_disk.bodies() == sorted(acknowledged)


def test_upkeep_on_a_full_disk_does_not_deny_what_was_kept(small_disk: Box) -> None:
    """The note is kept; that no copy could be taken is a remark, not a failure of the note."""
    assert small_disk.hardwon("note", "the first", "-g").returncode == 0
    script = "import apsw, sys; apsw.Connection(sys.argv[1]).execute(sys.argv[2])"
    never = "update meta set value = '0' where key = 'upkeep_at'"
    small_disk.run(sys.executable, "-c", script, str(small_disk.cli.home / "memory.db"), never)
    small_disk.run("sh", "-c", f"rm {small_disk.cli.home}/copies/*.db")
    fill(small_disk, 150 * 1024)
    said = small_disk.hardwon("note", "the second", "-g")
    assert said.returncode == 0, said
    assert said.stdout.startswith("kept")
    assert "full" in said.stderr
    assert "Traceback" not in said.stderr
    assert "nothing was written" not in said.stderr
    assert small_disk.run("find", str(small_disk.cli.home), "-name", "*.draft").stdout == ""
    empty(small_disk)
    assert small_disk.bodies() == ["the first", "the second"]


def test_a_new_home_on_a_full_disk_is_refused_in_a_sentence(small_disk: Box) -> None:
    """Nothing half-made is left that would stand in the way when there is space again."""
    fill(small_disk, 4 * 1024)
    assert is_a_sentence(small_disk.hardwon("note", "the first", "-g"))
    empty(small_disk)
    assert small_disk.hardwon("note", "the first", "-g").returncode == 0
    assert small_disk.bodies() == ["the first"]


@pytest.fixture
def read_only(cli: Cli) -> Iterator[Box]:
    """A home with three memories, one of them not yet in the database file, on a disk that can't be written."""
    for number in range(2):
        cli.run("note", f"lesson {number}", "-g")
    killed_writer(cli.home, "lesson in the log", 1)
    with boxed(cli, f"mount --bind {cli.home} {cli.home} && mount -o remount,ro,bind {cli.home}") as box:
        yield box


def killed_writer(home: Path, prefix: str, count: int) -> list[str]:
    """The ids that a writer was given before it was killed; what it wrote is still in the WAL."""
    with start("note_and_wait", home, prefix, count) as writer:
        ready(writer)
        go(writer)
        assert writer.stdout is not None
        ids = [writer.stdout.readline().strip() for _ in range(count)]
        writer.kill()
    return ids


def test_a_read_only_home_can_be_read(read_only: Box) -> None:
    """Everything that only looks works, and sees all that was acknowledged."""
    expected = bodies(read_only.cli.home)
    assert len(expected) > 2
    assert read_only.bodies() == expected
    for command in (("search", "lesson", "-g"), ("recall", "lesson in the log", "-g"), ("status",), ("export",)):
        said = read_only.hardwon(*command)
        assert said.returncode == 0, said


def test_a_read_only_home_refuses_changes_in_a_sentence(read_only: Box) -> None:
    """Whatever would write says that it can't, and `doctor` names it."""
    before = bodies(read_only.cli.home)
    for command in (("note", "one more", "-g"), ("undo",), ("scrub",), ("pause",), ("import", "/dev/null")):
        said = read_only.hardwon(*command)
        assert is_a_sentence(said), said
        assert "writ" in said.stderr
    doctor = read_only.hardwon("doctor")
    assert doctor.returncode == 1
    assert "can't be written" in doctor.stdout
    assert bodies(read_only.cli.home) == before


# ── damage ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def build(home: Path) -> dict[str, tuple[Memory, int]]:
    """A home with memories in a copy, in the redo log, and in the WAL of a writer that was killed; all of them."""
    with opened(home) as store:
        for name in ("one", "two", "three"):
            (home.parent / name).mkdir(exist_ok=True)
        places = [projects.claim(store, home.parent / name, now())[1] for name in ("one", "two", "three")]
        ids = [note(store, f"in the copy: lesson {number}", project=places[number % 3].id) for number in range(60)]
        copies.refresh(store)
        late = [note(store, f"in the redo log: lesson {number}", title=f"title {number}") for number in range(30)]
        for id in ids[:5]:
            changes.move(store, id, Status.ARCHIVED, now(), reason="enough")
        for _ in range(3):
            note(store, "in the redo log: lesson 3", title="title 3")
        changes.edit(store, late[7], {"body": "in the redo log: changed"}, now())
        changes.undo(store, now())
        projects.merge(store, places[0].name, places[1].name)
        projects.rename(store, places[2].name, "another name")
    killed_writer(home, "in the WAL", 5)
    shutil.copytree(home, home.with_name("spare"))
    with opened(home.with_name("spare"), write=False) as store:
        return contents(store)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, tuple[Memory, int]]]:
    folder = tmp_path_factory.mktemp("built")
    return folder / "home", build(folder / "home")


def overwrite(file: Path, start: float, size: int) -> None:
    """Random bytes from this share of the file on."""
    with file.open("r+b") as handle:
        handle.seek(int(file.stat().st_size * start))
        handle.write(random.Random(1).randbytes(size))


def cut(file: Path, share: float) -> None:
    with file.open("r+b") as handle:
        handle.truncate(int(file.stat().st_size * share))


def wal(home: Path) -> Path:
    return home / "memory.db-wal"


def without_wal(home: Path) -> None:
    """As after a quiet end: the WAL is in the file, so that damage to the file can't hide behind it."""
    db = apsw.Connection(str(home / "memory.db"))
    db.execute("pragma wal_checkpoint(truncate)")
    db.close()
    assert not wal(home).exists()


def first_page(home: Path) -> None:
    without_wal(home)
    overwrite(home / "memory.db", 0, 4096)


def first_page_with_wal(home: Path) -> None:
    overwrite(home / "memory.db", 0, 4096)
    wal(home).unlink()


def zeroed_header(home: Path) -> None:
    without_wal(home)
    with (home / "memory.db").open("r+b") as file:
        file.write(bytes(100))


def middle_pages(home: Path) -> None:
    without_wal(home)
    for share in (0.2, 0.35, 0.5, 0.65, 0.8):
        overwrite(home / "memory.db", share, 3 * 4096)


def half(home: Path) -> None:
    without_wal(home)
    cut(home / "memory.db", 0.5)


def a_few_bytes(home: Path) -> None:
    without_wal(home)
    (home / "memory.db").write_bytes((home / "memory.db").read_bytes()[:50])


def zero_bytes(home: Path) -> None:
    without_wal(home)
    (home / "memory.db").write_bytes(b"")


def deleted(home: Path) -> None:
    for file in home.glob("memory.db*"):
        file.unlink()


def deleted_but_for_the_wal(home: Path) -> None:
    (home / "memory.db").unlink()


def another_file(home: Path) -> None:
    without_wal(home)
    (home / "memory.db").write_text("This is not a database.\n" * 5_000)


def wal_garbage(home: Path) -> None:
    overwrite(wal(home), 0, wal(home).stat().st_size)
    (home / "memory.db-shm").unlink()


def wal_garbage_in_the_middle(home: Path) -> None:
    overwrite(wal(home), 0.4, 4096)
    (home / "memory.db-shm").unlink()


def wal_deleted(home: Path) -> None:
    wal(home).unlink()
    (home / "memory.db-shm").unlink()


def behind_the_back(sql: str) -> Callable[[Path], None]:
    """Damage that SQLite itself finds nothing wrong with."""

    def change(home: Path) -> None:
        db = apsw.Connection(str(home / "memory.db"))
        db.execute(sql)
        db.close()

    change.__name__ = sql
    return change


DAMAGED = "is damaged|gone or empty"
LOST = "the database has lost [0-9]+ records"
DIFFERS = "differ from the log"


@pytest.mark.parametrize(
    ("damage", "noticed", "named"),
    [
        (first_page, True, DAMAGED),
        (first_page_with_wal, True, DAMAGED),
        (zeroed_header, True, DAMAGED),
        (half, True, DAMAGED),
        (a_few_bytes, True, DAMAGED),
        (zero_bytes, True, DAMAGED),
        (deleted, True, DAMAGED),
        (deleted_but_for_the_wal, True, DAMAGED),
        (another_file, True, DAMAGED),
        # A command may happen not to touch what is broken; it must not fall over, and `doctor` finds it.
        (middle_pages, False, DAMAGED),
        (wal_garbage, False, LOST),
        (wal_garbage_in_the_middle, False, LOST),
        (wal_deleted, False, LOST),
        (behind_the_back("update memories set body = 'tampered with' where row % 7 = 0"), False, DIFFERS),
        (behind_the_back("delete from memories where row % 5 = 0"), False, DIFFERS),
        (behind_the_back("delete from memory_search_docsize where id % 3 = 0"), False, f"{DAMAGED}|{DIFFERS}"),
        (behind_the_back("update memory_search_data set block = x'00' where id > 100"), False, DAMAGED),
    ],
    ids=lambda value: value.__name__ if callable(value) else "",
)
def test_damage_is_named_and_everything_acknowledged_restored(
    cli: Cli,
    built: tuple[Path, dict[str, tuple[Memory, int]]],
    damage: Callable[[Path], None],
    noticed: bool,
    named: str,
) -> None:
    """A sentence instead of a traceback; `doctor` names it and leaves with 1; `doctor --fix` restores the exact set
    of memories with all that is in them; then all is well, and the damaged file is still there to be looked at."""
    original, acknowledged = built
    shutil.copytree(original, cli.home)
    damage(cli.home)
    found = {file.name: file.read_bytes() for file in cli.home.glob("memory.db*") if file.suffix != ".db-shm"}

    for command in (("list", "--all"), ("doctor",), ("note", "noted in spite of the damage", "-g")):
        said = attempt(cli, *command)
        assert "Traceback" not in said.stderr + said.stdout, said
        if command[0] == "doctor":
            assert said.returncode == 1
            assert re.search(named, said.stdout), said
        elif noticed or said.returncode:
            assert is_a_sentence(said), said
            assert re.search(DAMAGED, said.stderr), said
        kept = said.returncode == 0

    cli.run("doctor", "--fix")
    with opened(cli.home) as store:
        restored = contents(store)
        extra = {id: memory.body for id, (memory, _) in restored.items() if id not in acknowledged}
        assert list(extra.values()) == (["noted in spite of the damage"] if kept else [])
        assert {id: restored.get(id) for id in acknowledged} == acknowledged
        assert repair.differences(store) == []
        assert {project.name for project in projects.listed(store)} == {"two", "another name"}
    assert "!!" not in cli.run("doctor").stdout
    if noticed and found:
        (aside,) = (cli.home / "copies").glob("damaged-*")
        assert {file.name: file.read_bytes() for file in aside.iterdir() if file.suffix != ".db-shm"} == found
    assert cli.json("note", "noted after the repair", "-g")["status"] == "created"


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


def test_a_damaged_home_can_go_on_as_before(cli: Cli, built: tuple[Path, dict[str, tuple[Memory, int]]]) -> None:
    """A restored store has a device of its own and can still undo what was done before the damage."""
    shutil.copytree(built[0], cli.home)
    deleted(cli.home)
    cli.run("doctor", "--fix")
    before = len(bodies(cli.home))
    assert "undone" in cli.run("undo").stdout
    assert len(bodies(cli.home)) == before - 1


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


def test_a_missing_file_is_not_replaced_by_an_empty_one(cli: Cli) -> None:
    """A home with copies and no database has lost it; a new home has neither and begins."""
    cli.run("note", "the first", "-g")
    (cli.home / "memory.db").unlink()
    for command in (("note", "the second", "-g"), ("list", "-g"), ("import", "/dev/null")):
        said = cli.run(*command, code=1)
        assert is_a_sentence(said), said
        assert "doctor --fix" in said.stderr
    assert not (cli.home / "memory.db").exists()
    shutil.rmtree(cli.home / "copies")
    shutil.rmtree(cli.home / "global")  # what its KNOWLEDGE.md says would be taken in
    cli.run("note", "begun anew", "-g")
    assert bodies(cli.home) == ["begun anew"]


def test_a_process_that_still_has_the_lost_file_open_loses_nothing(cli: Cli) -> None:
    """It writes into a file that nobody will read again; the redo log is by name, so the next look finds the notes."""
    with opened(cli.home) as old:
        note(old, "before the file was lost")
        deleted(cli.home)
        note(old, "into the lost file")
        cli.run("doctor", "--fix")
        note(old, "into the lost file, after the repair")
        assert re.search(LOST, cli.run("doctor", code=1).stdout)
    cli.run("doctor", "--fix")
    assert bodies(cli.home) == [
        "before the file was lost",
        "into the lost file",
        "into the lost file, after the repair",
    ]
    assert "!!" not in cli.run("doctor").stdout


# ── locks ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_locked_database_is_a_sentence_after_the_time_that_was_set(cli: Cli) -> None:
    """Another process writes for longer than store.busy_seconds: nothing is written, and reading goes on."""
    cli.run("note", "the first", "-g")
    patience = {"HARDWON_STORE_BUSY_SECONDS": "1"}
    with meanwhile("hold", cli.home, "begin immediate") as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        said = cli.run("note", "the second", "-g", env=patience, code=1)
        assert is_a_sentence(said), said
        assert "locked by another process; nothing was written" in said.stderr
        assert cli.json("list", "-g", env=patience)["total"] == 1
    output(holder)
    assert cli.json("note", "the second", "-g")["status"] == "created"
    assert bodies(cli.home) == ["the first", "the second"]
