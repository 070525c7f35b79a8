"""Setup and uninstall leave a client as they found it, and what others wrote alone."""

from __future__ import annotations

import json
import shutil
from typing import Any

import pytest

from hardwon.clients.claude_code.recipe import MARKETPLACE, PLUGIN, SIGN
from hardwon.clients.installing import manifest
from hardwon.hook import install
from tests.setup.machine import WAYS, Machine, tree
from tests.support import files_with

OTHERS = {
    "model": "opus",
    "hooks": {
        "Stop": [{"hooks": [{"type": "command", "command": "say done"}]}],
        "PostToolUse": [{"matcher": "Edit", "hooks": [{"type": "command", "command": 'fmt "$F" || :'}]}],
        "Notification": [],
    },
    "enabledPlugins": {"formatter@tools": True},
    "permissions": {"allow": ["Bash(ls:*)"]},
}
DEEP: Any = {}
for _ in range(200):
    DEEP = {"a": [DEEP, "]}"]}

SETTINGS = {
    "empty": "",
    "blank": "  \n",
    "an empty object": "{}",
    "an empty object with blanks": "{ \n }\n",
    "two blanks": json.dumps(OTHERS, indent=2) + "\n",
    "tabs, no last line end": json.dumps(OTHERS, indent="\t"),
    "one line": json.dumps(OTHERS, separators=(",", ":")),
    "CRLF": (json.dumps(OTHERS, indent=4) + "\n").replace("\n", "\r\n"),
    "escapes and other scripts": '{\n  "a": "\\u00e9\\ud83d\\ude00 é 日本 \\"}",\n  "hooks": {}\n}\n',
    "a byte order mark": "\ufeff" + json.dumps(OTHERS, indent=2),
    "a byte order mark alone": "\ufeff",
    "very nested": json.dumps({"deep": DEEP}, indent=1),
    "uneven": '{ "a" : 1 ,\n\n      "hooks":{"Stop" :[ ]\n}   ,"z":[\n1]}\n\n\n',
    "one name twice": '{"hooks": {"Stop": []}, "model": "a", "hooks": {}, "model": "b"}',
    "empty containers": '{"hooks": {"Stop": []}, "enabledPlugins": {}, "extraKnownMarketplaces": {}}',
}


@pytest.mark.parametrize("user_hooks", WAYS)
@pytest.mark.parametrize("text", SETTINGS.values(), ids=SETTINGS)
def test_uninstall_gives_back_every_byte(machine: Machine, text: str, user_hooks: bool) -> None:
    """However the settings are written, they are the same afterwards, and the home is empty."""
    machine.write(text)
    before = tree(machine.config)
    machine.set_up(user_hooks)
    assert tree(machine.config) != before
    machine.take_out()
    assert tree(machine.config) == before
    assert tree(machine.home.root) == {}


@pytest.mark.parametrize("user_hooks", WAYS)
@pytest.mark.parametrize("text", SETTINGS.values(), ids=SETTINGS)
def test_setup_only_adds(machine: Machine, text: str, user_hooks: bool) -> None:
    """Everything that was there is there, in the same order."""
    machine.write(text)
    before = machine.value()
    machine.set_up(user_hooks)
    assert _holds(machine.value(), before)


@pytest.mark.parametrize("user_hooks", WAYS)
def test_without_settings(machine: Machine, user_hooks: bool) -> None:
    """Files and folders that setup made are gone."""
    machine.set_up(user_hooks)
    assert machine.settings.stat().st_mode & 0o777 == 0o600
    machine.take_out()
    assert tree(machine.config) == {}


@pytest.mark.parametrize("user_hooks", WAYS)
def test_without_a_configuration_folder(machine: Machine, user_hooks: bool) -> None:
    """A client that was never started gets its folder, and loses it."""
    machine.config.rmdir()
    machine.set_up(user_hooks)
    assert machine.config.stat().st_mode & 0o777 == 0o700
    machine.take_out()
    assert not machine.config.exists()


@pytest.mark.parametrize("mode", [0o400, 0o444, 0o600, 0o644, 0o660])
def test_the_mode_stays(machine: Machine, mode: int) -> None:
    """A file that only its owner may read stays so, all the time."""
    machine.write('{"a": 1}')
    machine.settings.chmod(mode)
    before = tree(machine.config)
    machine.set_up()
    assert machine.settings.stat().st_mode & 0o777 == mode
    machine.take_out()
    assert tree(machine.config) == before


@pytest.mark.parametrize("exists", [True, False])
def test_a_link_stays_a_link(machine: Machine, exists: bool) -> None:
    """Settings that live in a folder of dotfiles are changed there."""
    dotfiles = machine.root / "dotfiles"
    dotfiles.mkdir()
    if exists:
        (dotfiles / "claude.json").write_text('{"a": 1}')
    machine.settings.symlink_to("../dotfiles/claude.json")
    before = tree(machine.root / "dotfiles"), tree(machine.config)
    machine.set_up()
    assert machine.settings.is_symlink()
    assert "enabledPlugins" in json.loads((dotfiles / "claude.json").read_text())
    machine.take_out()
    assert (tree(dotfiles), tree(machine.config)) == before


def test_a_second_setup_changes_nothing(machine: Machine) -> None:
    """Whichever way was chosen is kept."""
    for user_hooks in WAYS:
        machine.write(SETTINGS["two blanks"])
        machine.set_up(user_hooks)
        before = tree(machine.root)
        assert machine.set_up().changes == ()
        assert tree(machine.root) == before
        machine.take_out()


@pytest.mark.parametrize("user_hooks", WAYS)
def test_what_was_added_later_stays(machine: Machine, user_hooks: bool) -> None:
    """A file that was changed since setup loses our entries, and nothing else; the user is told."""
    machine.write(SETTINGS["two blanks"])
    machine.set_up(user_hooks)
    theirs = {"hooks": [{"type": "command", "command": "theirs"}]}
    changed = machine.value()
    changed["model"] = "sonnet"
    changed["hooks"].setdefault("Stop", []).append(theirs)
    changed["hooks"].setdefault("SessionStart", []).insert(0, theirs)
    changed["enabledPlugins"]["more@tools"] = False
    machine.write(json.dumps(changed, indent=3))
    plan = machine.take_out()
    assert [str(machine.settings) in remark for remark in plan.remarks] == [True]
    expected = json.loads(json.dumps(OTHERS))
    expected["model"] = "sonnet"
    expected["hooks"]["Stop"].append(theirs)
    expected["hooks"]["SessionStart"] = [theirs]
    expected["enabledPlugins"]["more@tools"] = False
    assert machine.value() == expected
    assert '\n   "model"' in machine.settings.read_text()


def test_a_hook_of_theirs_in_a_group_of_ours_stays(machine: Machine) -> None:
    """Ours is taken out of a group that somebody made use of."""
    machine.set_up(user_hooks=True)
    changed = machine.value()
    changed["hooks"]["PreToolUse"][0]["hooks"].append({"type": "command", "command": "theirs"})
    machine.write(json.dumps(changed))
    machine.take_out()
    (group,) = machine.value()["hooks"]["PreToolUse"]
    assert group["hooks"] == [{"type": "command", "command": "theirs"}]
    assert list(machine.value()["hooks"]) == ["PreToolUse"]


def test_empty_lists_of_theirs_stay(machine: Machine) -> None:
    """What was there and empty is there and empty, also in a file that was changed since."""
    machine.write(SETTINGS["empty containers"])
    for user_hooks in WAYS:
        machine.set_up(user_hooks)
        machine.write(json.dumps({**machine.value(), "new": 1}))
        machine.take_out()
        assert machine.value() == {
            "hooks": {"Stop": []}, "enabledPlugins": {}, "extraKnownMarketplaces": {}, "new": 1,
        }  # fmt: skip


def test_a_file_that_we_made_and_others_filled_stays(machine: Machine) -> None:
    """Removing it would lose what they wrote, also when setup ran again in between."""
    machine.set_up()
    machine.write(json.dumps({**machine.value(), "model": "opus"}))
    machine.set_up()
    machine.take_out()
    assert machine.value() == {"model": "opus"}


def test_edits_between_two_setups_are_kept(machine: Machine) -> None:
    """The way back leads to what the user had last, not to what they had first."""
    machine.write('{"model": "opus"}\n')
    machine.set_up(user_hooks=True)
    machine.write(machine.settings.read_text().replace("opus", "sonnet"))
    machine.set_up()
    machine.take_out()
    assert machine.settings.read_text() == '{"model": "sonnet"}\n'


def test_from_one_way_to_the_other(machine: Machine) -> None:
    """Hooks are never registered twice, and the way back is the same."""
    machine.write(SETTINGS["two blanks"])
    before = tree(machine.config)
    machine.set_up(user_hooks=True)
    by_hooks = tree(machine.config)
    machine.set_up(user_hooks=False)
    assert commands(machine.value()) == []
    assert not (machine.config / "skills").exists()
    assert PLUGIN in machine.value()["enabledPlugins"]
    machine.set_up(user_hooks=True)
    assert tree(machine.config) == by_hooks
    assert not (manifest.folder(machine.home) / "claude-code").exists()
    machine.take_out()
    assert tree(machine.config) == before


def test_entries_of_an_older_version(machine: Machine) -> None:
    """They are brought up to date where they stand; the way back leads to a file without them."""
    machine.write(SETTINGS["two blanks"])
    before = tree(machine.config)
    machine.set_up(user_hooks=True)
    fresh = machine.settings.read_text()
    stale = machine.value()
    stale["hooks"]["OldEvent"] = stale["hooks"].pop("PreCompact")
    del stale["hooks"]["SubagentStop"]
    old = json.dumps(stale, indent=2).replace(install.base_python(), "/opt/python3.9") + "\n"
    machine.write(old)
    manifest.path(machine.home, "claude-code").unlink()
    machine.set_up(user_hooks=True)
    assert sorted(commands(machine.value())) == sorted(commands(json.loads(fresh)))
    assert "OldEvent" not in machine.value()["hooks"]
    assert list(machine.value()["hooks"])[:5] == list(stale["hooks"])[:5]
    machine.take_out()
    assert {name: tree(machine.config)[name] for name in before} == before


def test_folders_of_ours_without_a_record(machine: Machine) -> None:
    """When the home was deleted by hand, the folders that are named after us go with what was in them."""
    machine.set_up(user_hooks=True)
    shutil.rmtree(machine.home.root)
    machine.take_out()
    assert list(machine.config.rglob("hardwon*")) == []


def test_a_file_that_we_made_and_others_emptied_goes(machine: Machine) -> None:
    """Nothing but the braces is left of it."""
    machine.set_up()
    (machine.config / "plugins" / "known_marketplaces.json").write_text("{}")
    machine.take_out()
    assert not (machine.config / "plugins").exists()


def test_two_configuration_folders(machine: Machine) -> None:
    """Uninstall finds the one that CLAUDE_CONFIG_DIR named at the time of setup."""
    machine.write("{}")
    machine.set_up()
    other = Machine(machine.root / "b", machine.home)
    other.config.mkdir(parents=True)
    other.write('{"b": 1}')
    other.set_up(user_hooks=True)
    other.take_out()
    assert machine.settings.read_text() == "{}"
    assert other.settings.read_text() == '{"b": 1}'


def test_uninstall_without_a_record(machine: Machine) -> None:
    """When the home was deleted by hand, our entries are still known for what they are."""
    machine.write(SETTINGS["tabs, no last line end"])
    before = machine.settings.read_bytes()
    for user_hooks in WAYS:
        machine.set_up(user_hooks)
        manifest.path(machine.home, "claude-code").unlink()
        machine.take_out()
        assert machine.settings.read_bytes() == before
        assert list(machine.config.rglob("*.md")) == []


def test_what_the_client_wrote_for_us_goes(machine: Machine) -> None:
    """The client's own notes about our plugin are taken back; those about others stay."""
    machine.set_up()
    plugins = machine.config / "plugins"
    notes = {"version": 2, "plugins": {PLUGIN: [{"scope": "user"}], "other@tools": [{"scope": "user"}]}}
    (plugins / "installed_plugins.json").write_text(json.dumps(notes))
    (plugins / "data" / f"hardwon-{MARKETPLACE}").mkdir(parents=True)
    (plugins / "cache" / MARKETPLACE / "hardwon").mkdir(parents=True)
    known = json.loads((plugins / "known_marketplaces.json").read_text())
    known[MARKETPLACE]["lastUpdated"] = "2026-11-15T00:00:00.000Z"
    (plugins / "known_marketplaces.json").write_text(json.dumps(known))
    assert machine.set_up().changes == ()
    machine.take_out()
    del notes["plugins"][PLUGIN]  # type: ignore[attr-defined]
    assert json.loads((plugins / "installed_plugins.json").read_text()) == notes
    assert [path.name for path in plugins.iterdir()] == ["installed_plugins.json"]


@pytest.mark.parametrize("others", [False, True])
def test_a_file_that_the_client_made_for_us_goes(machine: Machine, others: bool) -> None:
    """When there was none before, and nothing of others is in it now; a second setup does not take it for old."""
    before = tree(machine.config)
    machine.set_up()
    file = machine.config / "plugins" / "installed_plugins.json"
    more = {"other@tools": [{"scope": "user"}]} if others else {}
    file.write_text(json.dumps({"version": 2, "plugins": {PLUGIN: [{"scope": "user"}], **more}}))
    machine.set_up()
    machine.take_out()
    if others:
        assert json.loads(file.read_text()) == {"version": 2, "plugins": more}
    else:
        assert tree(machine.config) == before


def test_a_file_of_the_client_that_was_empty_before_stays(machine: Machine) -> None:
    """It was not made for us."""
    file = machine.config / "plugins" / "installed_plugins.json"
    file.parent.mkdir()
    file.write_text('{"version": 2, "plugins": {}}')
    before = tree(machine.config)
    machine.set_up()
    file.write_text(json.dumps({"version": 2, "plugins": {PLUGIN: []}}))
    machine.take_out()
    assert json.loads(file.read_text()) == {"version": 2, "plugins": {}}
    assert tree(machine.config).keys() == before.keys()


def test_a_skill_that_was_changed_stays(machine: Machine) -> None:
    """Somebody made it theirs."""
    machine.set_up(user_hooks=True)
    skill = machine.config / "skills" / "hardwon" / "SKILL.md"
    skill.write_text("mine")
    plan = machine.take_out()
    assert skill.read_text() == "mine"
    assert [str(skill) in remark for remark in plan.remarks] == [True]


def test_the_record_holds_nothing_of_theirs(machine: Machine) -> None:
    """Settings may have keys in them; no copy of them is made, in no encoding."""
    import base64

    key = "gh" + "p_" + "a1B2" * 9
    machine.write(json.dumps({"env": {"TOKEN": key}, "hooks": {}}))
    for user_hooks in WAYS:
        machine.set_up(user_hooks)
        forms = [base64.b64encode(key[at:].encode()).decode()[2:20] for at in range(3)]
        assert files_with(machine.home.root, key, *forms) == {}


def test_a_crash_before_the_settings_are_written(machine: Machine) -> None:
    """The record is there first: what it says of a file that was not reached yet does no harm."""
    machine.write('{"a": 1}\n')
    machine.set_up()
    machine.write('{"a": 1}\n')
    machine.take_out()
    assert machine.settings.read_text() == '{"a": 1}\n'
    assert not (machine.config / "plugins").exists()


def commands(value: Any) -> list[str]:
    """Our commands in these settings."""
    groups = [group for one in value.get("hooks", {}).values() for group in one]
    commands = [hook["command"] for group in groups for hook in group["hooks"]]
    return [command for command in commands if SIGN.search(command)]


def _holds(value: Any, part: Any) -> bool:
    """Whether everything of the part is in the value, in the same order."""
    if isinstance(part, dict):
        kept = [key for key in value if key in part]
        return kept == list(part) and all(_holds(value[key], part[key]) for key in part)
    if isinstance(part, list):
        return bool(value[: len(part)] == part)
    return bool(value == part)
