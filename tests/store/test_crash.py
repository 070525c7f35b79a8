"""`kill -9` at any moment: what was acknowledged is there, what was forgotten is gone."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from hardwon.paths import Home
from hardwon.settings import Settings
from hardwon.store.erasure import forget
from hardwon.store.maintenance import repair
from tests.commandline import Cli
from tests.support import contents, files_with, go, note, now, opened, output, ready, start

KILLS = 200


def killed(what: str, *arguments: object) -> list[str]:
    """What the processes said before they were killed."""
    worker = start(what, *arguments)
    ready(worker)
    go(worker)
    return output(worker)


@pytest.mark.slow
def test_every_acknowledged_id_survives_two_hundred_kills(tmp_path: Path) -> None:
    """An id that was returned is a memory; the file is sound, its tables are what the log says, and the copy and the
    redo log alone would give back the same. The first kills hit the making of the home, others the taking of a copy.
    """
    home = Home(tmp_path / "home")
    acknowledged = killed("killed_writing", home.root, KILLS, 1)
    assert [line for line in acknowledged if line.startswith("failed")] == []
    assert len(acknowledged) > 2 * KILLS, "most writers must get to write before they are killed"

    with opened(home.root) as store:
        before = contents(store)
        assert set(acknowledged) - before.keys() == set()
        assert store.value("pragma integrity_check") == "ok"
        assert repair.damage(store) == []
        assert repair.differences(store) == []
        repair.rebuild(store)
        assert contents(store) == before

    for file in home.root.glob("memory.db*"):
        file.unlink()
    repair.restore(home, Settings(), now())
    with opened(home.root) as store:
        after = contents(store)
        assert {id: after.get(id) for id in before} == before
        assert repair.differences(store) == []


@pytest.mark.parametrize("forgettings", [10, pytest.param(100, marks=pytest.mark.soak)])
def test_forgetting_that_was_killed_is_finished_by_doctor(cli: Cli, forgettings: int) -> None:
    """Killed at any moment between `forget` and its last byte: the next `doctor --fix` leaves nothing of the text."""
    with opened(cli.home) as store:
        ordinary = {note(store, f"an ordinary lesson, number {number}, with some words in it") for number in range(200)}
        began = time.monotonic()
        forget.forget(store, [note(store, "how long does forgetting take?")], now())
        whole = time.monotonic() - began

    killer = start("killed_forgetting", cli.home, forgettings, 2, whole)
    ready(killer)
    go(killer)
    found = []
    for number in range(forgettings):
        go(killer)
        assert killer.stdout is not None
        found.append(killer.stdout.readline().strip())
        cli.run("doctor", "--fix")
        assert files_with(cli.home, f"quixotry{number}zephyr", "wound up before") == {}, found
    output(killer)
    assert found.count("halfway") >= 3, f"kills must hit the time between the commit and the last byte: {found}"
    with opened(cli.home) as store:
        assert contents(store).keys() == ordinary
