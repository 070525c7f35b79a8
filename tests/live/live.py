"""hardwon live in a client: a home wired to it, and what was kept."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import apsw

from hardwon import clients
from hardwon.daemon import lifecycle
from hardwon.memory import Draft, Kind, Scope, Trust
from hardwon.paths import Home, make
from hardwon.settings import DEFAULTS
from hardwon.store import changes, projects
from hardwon.store.connection import Store, open_store
from tests.commandline import Cli

NOW = 1_794_000_000_000
PATIENCE = 60.0


class Alone(Protocol):
    """A client in a folder of its own."""

    home: Path
    config: Path
    project: Path


class Live:
    """One home of hardwon, set up in one client by its own command."""

    def __init__(self, claude: Alone, client: str = "claude-code") -> None:
        self.claude = claude
        found = clients.find(client)
        self.variable = found.settings_variable if found else ""
        self.home = Home(claude.home / ".hardwon")
        make(self.home)
        self.cli = Cli(self.home.root, claude.project)
        # Every daemon would load a model otherwise: half a second of a core that the sessions want.
        self.home.settings.write_text('[vectors]\nmodel = "off"\n')
        self.hardwon("setup", client, "--yes")

    def awake(self) -> None:
        """A daemon is there: on a busy machine one that is only being started answers later than a hook waits."""
        until = time.monotonic() + PATIENCE
        while lifecycle.start(self.home, how="serve") is None:
            assert time.monotonic() < until, "no daemon came up"

    def hardwon(self, *arguments: str, code: int = 0) -> str:
        environment = {"HOME": str(self.claude.home)}
        if self.variable:
            environment[self.variable] = str(self.claude.config)
        return self.cli.run(*arguments, env=environment, code=code).stdout

    def keep(self, body: str, kind: Kind = Kind.LESSON, **fields: Any) -> str:
        """A memory of the client's project."""
        with self.store() as store:
            _, project = projects.claim(store, self.cli.folder, NOW)
            skill = fields.pop("skill", None)
            draft = Draft(kind, body, Scope(project.id, skill), Trust.USER, "test", **fields)
            id = changes.note(store, draft, NOW).id
        assert id is not None
        return id

    def store(self) -> Store:
        return open_store(self.home, DEFAULTS)

    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        db = apsw.Connection(str(self.home.database), flags=apsw.SQLITE_OPEN_READWRITE)
        try:
            db.set_busy_timeout(5000)
            return db.execute(sql, values).fetchall()
        finally:
            db.close()

    def journal(self, session: str, *types: str) -> list[tuple[Any, ...]]:
        """Tool, target, error and agent of what was kept of a session, once it is all written."""
        self.settled()
        marks = ", ".join("?" * len(types))
        return self.rows(
            f"select j.tool, j.target, j.error, j.agent from journal j join sessions s on s.row = j.session"
            f" where s.id = ? and j.type in ({marks}) order by j.at, j.row",
            session,
            *types,
        )

    def settled(self) -> None:
        """Wait until the daemon has written everything down; stopping it does that."""
        lifecycle.stop(self.home)

    def wait_for(self, sql: str, *values: Any, seconds: float = PATIENCE) -> None:
        until = time.monotonic() + seconds
        while not self.rows(sql, *values):
            assert time.monotonic() < until, f"never came true: {sql}"
            time.sleep(0.05)

    def processes(self) -> Sequence[int]:
        """Of this home, wherever they were started."""
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    command = (entry / "cmdline").read_bytes()
                except OSError:
                    continue
                if str(self.home.root).encode() in command and b"hardwon" in command:
                    found.append(int(entry.name))
        return found

    def close(self) -> None:
        lifecycle.stop(self.home)
