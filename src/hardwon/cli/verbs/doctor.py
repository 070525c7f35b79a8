from __future__ import annotations

import os
import shutil
import stat
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import apsw
import typer

from hardwon.cli.doctor import (
    doctor_clients,
    doctor_delivery,
    doctor_mirror,
    doctor_redaction,
    doctor_skills,
    doctor_vectors,
)
from hardwon.cli.support import context, output, streams
from hardwon.cli.support.finding import Finding
from hardwon.cli.support.options import Json
from hardwon.cli.verbs import status
from hardwon.paths import Home
from hardwon.settings import Loaded, SettingsError, load, without_variables
from hardwon.store import control
from hardwon.store.connection import Store, open_store, redactor_of
from hardwon.store.erasure import forget
from hardwon.store.errors import RuleUnusable, StoreDamaged, StoreError
from hardwon.store.log import copies, copy_file, redo
from hardwon.store.maintenance import repair, wall_clock

LOW_SPACE = 100_000_000
NETWORK = frozenset({"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "fuse.sshfs", "afs", "glusterfs"})


def run(
    fix: Annotated[bool, typer.Option("--fix", help="Put right what can be put right")] = False,
    clients: Annotated[
        bool, typer.Option("--clients", help="What reaches which client's model at which moment; checks nothing")
    ] = False,
    json: Json = False,
) -> None:
    """Check that everything works, and say how to mend what does not

    Example: `hardwon doctor --fix`

    `ok` is well, `!!` is wrong and has a next step, `--` is neither: nothing is broken, but you may want it otherwise.
    Leaves with a non-zero status when something is wrong.
    """
    if clients:
        doctor_delivery.tell(json)
        return
    with output.progress("checking") as progress:
        findings = list(_examined(fix, progress))
    well = all(finding.ok for finding in findings)
    if json:
        output.print_json({"ok": well, "findings": [asdict(finding) for finding in findings]})
    else:
        _print(findings)
    raise typer.Exit(0 if well else 1)


def _print(findings: list[Finding]) -> None:
    colour = streams.is_coloured()
    for finding in findings:
        mark, shade = ("!!", "31;1") if not finding.ok else ("--", "33") if finding.note else ("ok", "32")
        if colour:
            mark = f"\x1b[{shade}m{mark}\x1b[0m"
        print(f"{mark} {finding.what}: {finding.says}")
        if finding.fix and (finding.note or not finding.ok):
            print(f"   → {finding.fix}")


def _examined(fix: bool, progress: repair.Progress) -> Iterator[Finding]:
    yield _versions()
    try:
        home, loaded = context.settings()
    except SettingsError as error:
        yield Finding("settings", False, str(error), "mend the file or the variable that it names")
        return
    try:
        redactor_of(loaded.settings)
    except RuleUnusable as error:
        yield Finding("settings", False, f"redact.rules: {error}", "mend the rule; what happens meanwhile waits for it")
        return
    yield Finding("settings", True, str(home.settings) if home.settings.exists() else "all defaults")
    yield from _variables(home, loaded)
    if not loaded.settings.control.enabled:
        yield Finding("switched off", True, status.SWITCHED_OFF, note=True)
    if not home.database.exists() and not copy_file.found(home) and redo.is_empty(home):
        yield Finding("home", True, f"{home.root} holds no memory: nothing is remembered yet", note=True)
    else:
        yield _permissions(home, fix)
        yield from _disk(home)
        yield from _database(home, loaded, fix, progress)
    yield from doctor_skills.findings()
    yield from doctor_clients.findings(home, fix)


def _variables(home: Home, loaded: Loaded) -> Iterator[Finding]:
    """Who keeps something out of the memory by a variable alone believes that it is kept out of sessions, too."""
    in_sessions = load(home, without_variables(os.environ)).sources
    for name, source in loaded.sources.items():
        protects = name.startswith(("control.exclude_", "redact."))
        if protects and source.origin == "environment" and source.value != in_sessions[name].value:
            says = f"{source.where} counts for commands, not in sessions: there {name} is what hardwon.toml says"
            yield Finding("variables", False, says, f"hardwon config set {name}, with the same value")


def _versions() -> Finding:
    from hardwon import __version__

    python = ".".join(map(str, sys.version_info[:3]))
    return Finding("versions", True, f"hardwon {__version__}, Python {python}, SQLite {apsw.sqlite_lib_version()}")


def _permissions(home: Home, fix: bool) -> Finding:
    """Only the owner may read the folder and what is in it."""
    loose = [path for path in (home.root, *home.root.rglob("*")) if _is_loose(path)]
    if loose and fix:
        for path in loose:
            path.chmod(0o700 if path.is_dir() else 0o600)
        return Finding("permissions", True, f"closed {output.counted(len(loose), 'file')} that others could read")
    if loose:
        return Finding("permissions", False, f"others can read {loose[0]}", "hardwon doctor --fix closes it")
    return Finding("permissions", True, f"{home.root} is yours alone")


def _is_loose(path: Path) -> bool:
    try:
        mode = path.lstat().st_mode
    except OSError:
        return False
    return not stat.S_ISLNK(mode) and bool(mode & 0o077)


def _disk(home: Home) -> Iterator[Finding]:
    free = shutil.disk_usage(home.root).free
    says = f"{free / 1_000_000_000:.1f} GB free"
    yield Finding("disk", free > LOW_SPACE, says, "free some space: a full disk keeps hardwon from remembering")
    kind = _file_system(home.root)
    if kind in NETWORK:
        yield Finding(
            "file system",
            False,
            f"{home.root} is on {kind}, where SQLite's locks don't hold",
            "set HARDWON_HOME to a local disk",
        )
    if not os.access(home.root, os.W_OK):
        yield Finding(
            "folder", False, f"{home.root} can't be written", "make it writable, or set HARDWON_HOME elsewhere"
        )


def _file_system(folder: Path) -> str:
    """The type of the file system that holds a folder (Linux; elsewhere unknown)."""
    mounts = Path("/proc/mounts")
    if not mounts.exists():
        return ""
    found = [line.split()[1:3] for line in mounts.read_text(errors="replace").splitlines()]
    resolved = str(folder.resolve())
    above = [
        (point, kind) for point, kind in found if resolved == point or resolved.startswith(point.rstrip("/") + "/")
    ]
    return max(above, key=lambda pair: len(pair[0]), default=("", ""))[1]


def _database(home: Home, loaded: Loaded, fix: bool, progress: repair.Progress) -> Iterator[Finding]:
    try:
        with open_store(home, loaded.settings, write=fix) as store:
            damage = [f"{home.database} is damaged: {found}" for found in repair.damage(store)]
            if not damage:
                yield Finding("database", True, f"{home.database} is sound")
                yield from _pause(store)
                yield from _excluded(store)
                yield from _tables(store, fix, progress)
                yield _copies(store, fix)
                yield from _clock(store)
                yield doctor_mirror.finding(store)
                yield from doctor_redaction.findings(store, fix, progress)
                yield doctor_vectors.finding(store)
                yield from doctor_clients.activity(store)
                return
    except StoreDamaged as error:
        damage = [str(error)]
    except StoreError as error:
        yield Finding("database", False, str(error))
        return
    if not fix:
        yield Finding(
            "database", False, damage[0], "hardwon doctor --fix restores it from the last good copy and the log"
        )
        return
    done = repair.restore(home, loaded.settings, context.now(), progress)
    source = f"the copy {done.from_copy}" if done.from_copy else "the log alone"
    aside = f", which is kept in {done.kept_aside}" if done.kept_aside else ""
    yield Finding(
        "database",
        True,
        f"restored {done.memories} memories from {source} ({done.redone} newer than it; {done.salvaged} more and "
        f"{done.journal_entries} journal entries from the damaged file{aside})",
    )


def _pause(store: Store) -> Iterator[Finding]:
    if until := control.paused(store, context.now()):
        end = status.pause_end(int(until) if until.isdigit() else None)
        yield Finding("paused", True, f"until {end}; agents keep nothing and are told nothing", note=True)


def _excluded(store: Store) -> Iterator[Finding]:
    here = doctor_skills.here().cwd
    if reason := here and context.excluded(store, here):
        yield Finding("excluded", True, f"{reason}; {status.EXCLUDED}", note=True)


def _tables(store: Store, fix: bool, progress: repair.Progress) -> Iterator[Finding]:
    lost = repair.take_in_missing(store, context.now()) if fix else repair.missing(store)
    if lost:
        says = f"{lost} records that the database had lost are back" if fix else f"the database has lost {lost} records"
        yield Finding("log", fix, says, "hardwon doctor --fix takes them from the redo log")
    wrong = repair.differences(store)
    if wrong and fix:
        count = repair.rebuild(store, progress)
        yield Finding("tables", True, f"rebuilt from the log: {count} memories")
    elif wrong:
        yield Finding(
            "tables", False, f"{len(wrong)} entries differ from the log", "hardwon doctor --fix rebuilds them"
        )
    else:
        yield Finding("tables", True, "equal to the log")
    if store.meta("purge_due"):
        if fix:
            forget.purge(store)
        says = "its last bytes are erased now" if fix else "bytes of a forgotten text may still be on the disk"
        yield Finding("forgotten", fix, says, "hardwon doctor --fix erases them")


def _clock(store: Store) -> Iterator[Finding]:
    """Nothing that has to be mended: what was kept is kept, and the log goes on from its own clock."""
    if ahead := wall_clock.ahead(store, context.now()):
        says = (
            f"something was kept while this machine's clock was {output.counted(ahead, 'day')} ahead of now; it is all "
            "there, but another home sets aside what it imports from here until then"
        )
        yield Finding("clock", True, says)
    if jumped := wall_clock.jumped(store):
        says = f"it went {output.counted(jumped, 'day')} ahead at once: nothing is removed for its age before tomorrow"
        yield Finding("clock", True, says)


def _copies(store: Store, fix: bool) -> Finding:
    found = copy_file.found(store.home)
    if fix and not found and store.writable:
        copies.refresh(store)
        found = copy_file.found(store.home)
    newest = f"the newest is {found[0].name}" if found else "none yet: the redo log holds everything"
    return Finding("copies", True, f"{len(found)}, {newest}; redo log {redo.size(store.home) / 1000:.0f} KB")
