"""What can't be changed safely is not changed, and a sentence says why."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardwon.clients.installing import manifest, setup
from hardwon.clients.installing.change import Change
from hardwon.clients.installing.recipe import SetupError
from hardwon.paths import Home
from tests.setup.machine import CLIENT, WAYS, Machine, tree

UNREADABLE = {
    "a comment": b'{\n  // mine\n  "a": 1\n}',
    "a trailing comma": b'{"a": 1,}',
    "a list": b"[]",
    "half": b'{"a": ',
    "Latin-1": '{"a": "é"}'.encode("latin-1"),
    "UTF-16": '{"a": 1}'.encode("utf-16"),
    "NaN": b'{"a": NaN}',
    "too deep": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
}


@pytest.mark.parametrize("text", UNREADABLE.values(), ids=UNREADABLE)
def test_settings_that_are_not_json(machine: Machine, text: bytes) -> None:
    """Setup names the file and the next step, and changes nothing."""
    machine.write(text)
    before = tree(machine.root)
    for user_hooks in WAYS:
        with pytest.raises(SetupError, match=r"settings\.json is not valid JSON .+: mend it and run this again"):
            machine.set_up(user_hooks)
    assert tree(machine.root) == before
    machine.take_out()
    assert tree(machine.root) == before


@pytest.mark.parametrize(
    ("text", "user_hooks", "what"),
    [
        ('{"hooks": []}', True, '"hooks" is not an object'),
        ('{"hooks": null}', True, '"hooks" is not an object'),
        ('{"hooks": {"Stop": {}}}', True, '"hooks.Stop" is not a list'),
        ('{"enabledPlugins": ["a"]}', False, '"enabledPlugins" is not an object'),
        ('{"extraKnownMarketplaces": null}', False, '"extraKnownMarketplaces" is not an object'),
    ],
)
def test_settings_of_another_shape(machine: Machine, text: str, user_hooks: bool, what: str) -> None:
    """An entry would have no place to go."""
    machine.write(text)
    before = tree(machine.root)
    with pytest.raises(SetupError, match=what):
        machine.set_up(user_hooks)
    assert tree(machine.root) == before


def test_settings_that_broke_after_setup(machine: Machine) -> None:
    """Uninstall changes nothing then, and goes through when the file is mended."""
    machine.write("{}")
    machine.set_up()
    whole = machine.settings.read_text()
    machine.write(whole[:-1])
    before = tree(machine.root)
    with pytest.raises(SetupError, match="is not valid JSON"):
        machine.take_out()
    assert tree(machine.root) == before
    machine.write(whole)
    machine.take_out()
    assert machine.settings.read_text() == "{}"


def test_a_skill_of_somebody_else(machine: Machine) -> None:
    """A file that is in the way and not ours is not written over."""
    skill = machine.config / "skills" / "hardwon" / "SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("mine")
    before = tree(machine.root)
    with pytest.raises(SetupError, match=r"SKILL\.md is there already, and it is not ours"):
        machine.set_up(user_hooks=True)
    assert tree(machine.root) == before
    machine.set_up(user_hooks=False)
    machine.take_out()
    assert skill.read_text() == "mine"


def test_settings_that_change_between_looking_and_writing(machine: Machine) -> None:
    """The question may have waited for an hour: what was written meanwhile is not lost."""
    machine.write("{}")
    plan = setup.plan(machine.home, CLIENT, machine.environ)
    machine.write('{"a": 1}')
    with pytest.raises(SetupError, match=r"changed by somebody else .* Done before that: .*hooks\.json"):
        setup.apply(machine.home, plan)
    assert machine.settings.read_text() == '{"a": 1}'
    machine.take_out()
    assert machine.settings.read_text() == '{"a": 1}'
    assert tree(machine.config).keys() == {"settings.json"}


def test_a_file_that_cannot_be_written(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was done before it is named, and both setup and uninstall can go on from there."""
    machine.write('{"a": 1}')

    def full(path: Path, data: bytes) -> None:
        if path == machine.settings:
            raise OSError(28, "No space left on device")
        write(path, data)

    from hardwon.clients.installing import files

    write = files.write
    monkeypatch.setattr(files, "write", full)
    said = (
        r"settings\.json can't be edited: No space left .* Done before that: .*known_marketplaces\.json\. `hardwon un"
    )
    with pytest.raises(SetupError, match=said):
        machine.set_up()
    monkeypatch.undo()
    machine.set_up()
    machine.take_out()
    assert machine.settings.read_text() == '{"a": 1}'
    assert tree(machine.config).keys() == {"settings.json"}


@pytest.mark.parametrize("name", ["two\nlines", "\udcff"])
def test_a_home_that_cannot_be_named(machine: Machine, name: str) -> None:
    """A command line and a JSON file have to be able to say it."""
    other = Machine(machine.root, Home(machine.root / name))
    with pytest.raises(SetupError, match="set HARDWON_HOME to another one"):
        other.set_up()


def test_a_damaged_record(machine: Machine) -> None:
    """It is named, and without it our entries are still found."""
    machine.write('{"a": 1}')
    machine.set_up()
    record = manifest.path(machine.home, "claude-code")
    record.write_text('{"files": 1}')
    with pytest.raises(SetupError, match=r"claude-code\.json is damaged: .* Move it away"):
        machine.take_out()
    record.unlink()
    machine.take_out()
    assert machine.settings.read_text() == '{"a": 1}'


def test_hooks_that_are_switched_off(machine: Machine) -> None:
    """Setup says what keeps it from working."""
    machine.write('{"disableAllHooks": true}')
    (remark,) = machine.set_up().remarks
    assert "disableAllHooks" in remark


def test_a_change_is_shown_as_a_diff(tmp_path: Path) -> None:
    """Line by line, with the file's name."""
    change = Change(tmp_path / "a.json", b'{\n  "a": 1\n}\n', b'{\n  "a": 2\n}\n')
    assert change.word == "edit"
    assert change.diff().splitlines()[2:] == ["@@ -1,3 +1,3 @@", " {", '-  "a": 1', '+  "a": 2', " }"]
