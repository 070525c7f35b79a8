"""A client that was set up with one memory and then with another: each uninstall takes out what is its own."""

from __future__ import annotations

import shutil

import pytest

from hardwon.clients.claude_code.messages import HOOKS
from hardwon.paths import Home
from tests.setup.machine import WAYS, Machine, tree
from tests.setup.test_round_trip import SETTINGS, commands


def test_another_home_takes_over(machine: Machine) -> None:
    """A client has one memory: the last that it was set up with."""
    machine.set_up(user_hooks=True)
    other = Machine(machine.root, Home(machine.root / "other"))
    other.set_up(user_hooks=True)
    assert len(commands(machine.value())) == len(HOOKS)
    assert all("/other/hook/client.py" in command for command in commands(machine.value()))


@pytest.mark.parametrize("user_hooks", WAYS)
@pytest.mark.parametrize("was_set_up", [False, True])
def test_the_connection_of_another_home_stays(machine: Machine, user_hooks: bool, was_set_up: bool) -> None:
    """Uninstall takes out its own memory's connection; one that leads to another memory stays, and that is said."""
    machine.write(SETTINGS["two blanks"])
    before = machine.settings.read_bytes()
    other = Machine(machine.root, Home(machine.root / "an other"))
    if was_set_up:
        other.set_up(user_hooks)
    machine.set_up(user_hooks)
    connected = tree(machine.config)
    plan = other.take_out()
    assert tree(machine.config) == connected
    (remark,) = [one for one in plan.remarks if "HARDWON_HOME" in one]
    assert f"uses the memory in {machine.home.root}" in remark
    machine.take_out()
    assert machine.settings.read_bytes() == before


def test_entries_of_a_home_that_is_gone(machine: Machine) -> None:
    """Nobody else can take them out: any uninstall does. The false reason, a change since setup, is not given."""
    machine.write(SETTINGS["two blanks"])
    before = machine.settings.read_bytes()
    for user_hooks in WAYS:
        machine.set_up(user_hooks)
        shutil.rmtree(machine.home.root)
        plan = Machine(machine.root, Home(machine.root / "other")).take_out()
        assert machine.settings.read_bytes() == before
        assert not any("was changed since setup" in remark for remark in plan.remarks)


@pytest.mark.parametrize("ways", [(one, two) for one in WAYS for two in WAYS])
@pytest.mark.parametrize("first_out", ["the first", "the second"])
@pytest.mark.parametrize("text", [None, *SETTINGS.values()], ids=["none", *SETTINGS])
def test_two_homes_leave_nothing(machine: Machine, text: str | None, ways: tuple[bool, bool], first_out: str) -> None:
    """In whichever order they are taken out: what setup made is gone, and every byte that was there is as it was."""
    if text is not None:
        machine.write(text)
    before = tree(machine.config)
    other = Machine(machine.root, Home(machine.root / "other"))
    machine.set_up(ways[0])
    other.set_up(ways[1])
    for one in (machine, other) if first_out == "the first" else (other, machine):
        one.take_out()
    assert tree(machine.config) == before


def test_what_was_written_between_two_homes_stays(machine: Machine) -> None:
    """The first one made the file, but it is not only ours any more."""
    other = Machine(machine.root, Home(machine.root / "other"))
    machine.set_up()
    machine.write(machine.settings.read_text().replace("{", '{\n  "model": "opus",', 1))
    other.set_up()
    machine.take_out()
    other.take_out()
    assert machine.value() == {"model": "opus"}


def test_a_damaged_record_of_the_other_home_is_no_obstacle(machine: Machine) -> None:
    """The settings are taken over as if there were none."""
    machine.write(SETTINGS["two blanks"])
    before = machine.settings.read_bytes()
    other = Machine(machine.root, Home(machine.root / "other"))
    machine.set_up()
    (machine.home.root / "clients" / "claude-code.json").write_text("{")
    other.set_up()
    other.take_out()
    assert machine.settings.read_bytes() == before
