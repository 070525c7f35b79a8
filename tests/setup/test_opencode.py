"""OpenCode and Kilo: the plugin is put beside the person's own files, and taken out again."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from hardwon.clients import recipe
from hardwon.clients.installing import removal, setup
from hardwon.clients.installing.recipe import Recipe
from hardwon.paths import Home
from tests.setup.machine import tree


@dataclass(frozen=True, slots=True)
class Machine:
    root: Path
    client: Recipe

    @property
    def home(self) -> Home:
        return Home(self.root / "memory")

    @property
    def environ(self) -> dict[str, str]:
        return {"HOME": str(self.root), "PATH": ""}

    @property
    def config(self) -> Path:
        return self.client.folder(self.environ)

    def planned(self) -> setup.Plan:
        return setup.plan(self.home, self.client, self.environ)

    def set_up(self) -> None:
        setup.apply(self.home, self.planned())

    def take_out(self) -> removal.Plan:
        plan = removal.plan(self.home, self.client, self.environ)
        removal.apply(plan)
        removal.clear(self.home, plan)
        return plan


@pytest.fixture(params=["opencode", "kilo"])
def machine(request: pytest.FixtureRequest, tmp_path: Path) -> Machine:
    client = recipe(request.param)
    assert client
    made = Machine(tmp_path, client)
    made.config.mkdir(parents=True)
    (made.config / f"{client.name}.json").write_text('{\n  // mine\n  "theme": "plain"\n}\n')
    return made


def test_its_files_are_as_they_were(machine: Machine) -> None:
    """Settings with comments, which we never touch; nothing of ours stays, in the home neither."""
    before = tree(machine.config)
    machine.set_up()
    assert (machine.config / "plugin" / "hardwon.js").exists()
    assert machine.planned().changes == ()
    machine.take_out()
    assert tree(machine.config) == before
    assert tree(machine.home.root) == {}


def test_the_plugin_knows_this_memory(machine: Machine) -> None:
    """Which client, which socket, what starts the daemon; no place is left open."""
    machine.set_up()
    text = (machine.config / "plugin" / "hardwon.js").read_text()
    assert f'"{machine.client.name}"' in text
    assert json.dumps(str(machine.home.socket)) in text
    assert json.dumps(str(machine.home.hook / "start")) in text
    assert '"@' not in text


def test_the_plugin_knows_by_which_client_it_was_started(machine: Machine) -> None:
    """By what others set for their commands, and not by what this one does: Kilo says that it is OpenCode, too."""
    machine.set_up()
    text = (machine.config / "plugin" / "hardwon.js").read_text()
    (marks,) = (line for line in text.splitlines() if line.startswith("var MARKS = "))
    assert "CLAUDECODE" in marks
    assert "OPENCODE" not in marks
    assert ("KILO" in marks) == (machine.client.name == "opencode")


def test_a_plugin_of_another_version_is_replaced(machine: Machine) -> None:
    """By the next setup; an own one under that name stays, and is said."""
    machine.set_up()
    file = machine.config / "plugin" / "hardwon.js"
    right = file.read_bytes()
    file.write_bytes(right + b"// older\n")
    machine.set_up()
    assert file.read_bytes() == right
    machine.take_out()
    file.parent.mkdir()
    file.write_text("export default {}\n")
    with pytest.raises(ValueError, match="not ours"):
        machine.planned()


@pytest.mark.parametrize("name", ["package.json", "package-lock.json", "bun.lock", "node_modules/some/index.js"])
def test_where_packages_are_kept_none_of_ours_is_written(machine: Machine, name: str) -> None:
    """What shortens the start is only written where nothing of the kind stands."""
    own = machine.config / name
    own.parent.mkdir(parents=True, exist_ok=True)
    own.write_text("{}\n")
    before = tree(machine.config)
    machine.set_up()
    added = set(tree(machine.config)) - set(before)
    assert added == {"plugin", "plugin/hardwon.js"}
    machine.take_out()
    assert tree(machine.config) == before


def test_what_shortens_the_start_names_the_client_s_package(machine: Machine) -> None:
    """In any version; when it is gone, that is seen."""
    machine.set_up()
    lock = machine.config / "package-lock.json"
    package = {"opencode": "@opencode-ai/plugin", "kilo": "@kilocode/plugin"}[machine.client.name]
    assert json.loads(lock.read_text())["packages"][""]["dependencies"] == {package: "*"}
    lock.unlink()
    (machine.config / "node_modules" / ".hardwon").unlink()
    (machine.config / "node_modules").rmdir()
    assert {change.path for change in machine.planned().changes} == {lock, machine.config / "node_modules/.hardwon"}


def test_packages_that_the_client_installed_stay(machine: Machine) -> None:
    """It made our lock file its own: that is as it should be, and is left to it."""
    machine.set_up()
    lock = machine.config / "package-lock.json"
    lock.write_text('{"lockfileVersion": 3, "packages": {}}\n')
    (machine.config / "package.json").write_text("{}\n")
    assert machine.planned().changes == ()
    plan = machine.take_out()
    assert lock.read_text() == '{"lockfileVersion": 3, "packages": {}}\n'
    assert any(str(lock) in remark for remark in plan.remarks)
    assert not (machine.config / "node_modules").exists()
