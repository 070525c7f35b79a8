from __future__ import annotations

from collections.abc import Iterator

import pytest

from hardwon.memory import GLOBAL, Kind, Rejected
from tests.daemon.answers import other_project
from tests.daemon.running import Daemon, keep, place


@pytest.fixture
def daemon() -> Iterator[Daemon]:
    """A home of its own and a project, and no daemon yet; at the end no process of it may be left."""
    with place() as one:
        yield one


@pytest.fixture
def brief(daemon: Daemon) -> dict[str, str]:
    """One memory of each kind here, one of each in another project: the ids of those that are here."""
    with daemon.store(write=True) as store:
        for kind in (Kind.HANDOFF, Kind.TASK, Kind.RULE, Kind.CONSTRAINT, Kind.DECISION):
            keep(store, f"the other project's {kind}", kind, folder=other_project(daemon))
        return {
            "handoff": keep(store, "the parser is half done, see branch x", Kind.HANDOFF, folder=daemon.folder),
            "task": keep(store, "write the release notes", Kind.TASK, folder=daemon.folder),
            "rule": keep(store, "use pnpm, never npm", Kind.RULE, folder=daemon.folder),
            "everywhere": keep(store, "answer in English", Kind.RULE, project=GLOBAL),
            "constraint": keep(store, "Python 3.11 must work", Kind.CONSTRAINT, folder=daemon.folder),
            "decision": keep(store, "SQLite, not Postgres", Kind.DECISION, folder=daemon.folder, because="no server",
                             rejected=(Rejected("Postgres", "needs a server"),)),
            "lesson": keep(store, "the tests need Redis", folder=daemon.folder),
        }  # fmt: skip


@pytest.fixture
def parser(daemon: Daemon) -> dict[str, str]:
    with daemon.store(write=True) as store:
        return {
            "decision": keep(store, "the tokenizer is written by hand, no regex", Kind.DECISION, folder=daemon.folder),
            "file": keep(store, "it is generated, edit grammar.txt", folder=daemon.folder, file="src/parser.py"),
            "task": keep(store, "the tokenizer needs unicode tests", Kind.TASK, folder=daemon.folder),
            "skill": keep(store, "the tokenizer of deploy is slow", folder=daemon.folder, skill="deploy"),
            "other": keep(store, "the tokenizer over there is fast", folder=other_project(daemon)),
        }
