"""Setting hardwon up in Pi, by its own commands: one file, there and gone again."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from hardwon.clients.pi import own, recipe
from hardwon.hook import mcp
from hardwon.paths import Home
from tests.commandline import Cli


@pytest.fixture
def pi(tmp_path: Path) -> Path:
    """Pi's folder, as it is after a first start."""
    folder = tmp_path / "home" / ".pi" / "agent"
    folder.mkdir(parents=True)
    (folder / "settings.json").write_text('{"theme": "dark"}')
    return folder


@pytest.fixture
def cli(tmp_path: Path, pi: Path) -> Cli:
    return Cli(tmp_path / "home" / ".hardwon", tmp_path)


def everything(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_what_was_there_is_there_again(cli: Cli, pi: Path) -> None:
    """One file more after setup, also when it is done twice; none after uninstall, and no folder of ours."""
    before = everything(pi)
    cli.run("setup", "pi", "--yes")
    installed = everything(pi)
    assert installed.keys() - before.keys() == {recipe.FILE}
    assert "nothing" in cli.run("setup", "pi", "--yes").stdout.lower()
    assert everything(pi) == installed
    (pi / "sessions").mkdir()  # the client has run in between
    (pi / "sessions" / "s.jsonl").write_text("{}\n")
    cli.run("uninstall", "pi", "--yes")
    assert everything(pi) == before | {"sessions/s.jsonl": b"{}\n"}
    assert not (pi / "extensions").exists()


def test_extensions_of_others_stay(cli: Cli, pi: Path) -> None:
    """Beside ours, before and after."""
    (pi / "extensions").mkdir()
    (pi / "extensions" / "theirs.ts").write_text("export default () => {}\n")
    before = everything(pi)
    cli.run("setup", "pi", "--yes")
    cli.run("uninstall", "pi", "--yes")
    assert everything(pi) == before


def test_a_file_of_that_name_that_is_not_ours_is_not_touched(cli: Cli, pi: Path) -> None:
    """It is named, and setup ends."""
    (pi / "extensions").mkdir()
    (pi / recipe.FILE).write_text("export default () => {}\n")
    assert recipe.FILE in cli.run("setup", "pi", "--yes", code=1).stderr
    assert (pi / recipe.FILE).read_text() == "export default () => {}\n"


def test_an_older_file_of_ours_is_brought_up_to_date(cli: Cli, pi: Path) -> None:
    """Also where the record of its setup is gone."""
    (pi / "extensions").mkdir()
    (pi / recipe.FILE).write_bytes(recipe.SIGN + b"\nexport default () => {}\n")
    cli.run("setup", "pi", "--yes")
    assert (pi / recipe.FILE).read_bytes() == recipe.extension(Home(cli.home))


def test_without_pi_it_says_what_to_do(tmp_path: Path) -> None:
    """The folder that it looked for, and the next step."""
    (tmp_path / "home").mkdir()
    refused = Cli(tmp_path / "home" / ".hardwon", tmp_path).run("setup", "pi", "--yes", code=1)
    assert "start it once" in refused.stderr


def test_the_installed_file_is_whole(tmp_path: Path) -> None:
    """Every place that setup fills in is filled in, whatever the home is called; its beginning says whose it is."""
    home = Home(tmp_path / 'a "quoted" ✓ home')
    text = recipe.extension(home).decode()
    assert text.encode().startswith(recipe.SIGN)
    assert re.findall(r"@[A-Z]+@", text) == []
    assert json.dumps(str(home.socket)) in text


def test_it_has_the_memorys_tools_with_the_names_that_are_not_learned_from() -> None:
    """As the server has them, and two of skills; each with a schema that asks for what it needs."""
    tools = recipe.tools()
    assert {tool["name"] for tool in tools} == own.NAMES
    assert {tool["asked"] for tool in tools} == {str(tool["name"]) for tool in mcp.TOOLS}
    for tool in tools:
        assert set(tool["schema"].get("required", ())) <= set(tool["schema"]["properties"])


def test_other_agents_are_known_by_their_variables() -> None:
    """Pi's own mark is not among them: it sets that for itself, too. The session of a Pi above it is."""
    assert {"CLAUDECODE", "CODEX_THREAD_ID", "PI_SESSION_ID"} <= set(recipe.marks())
    assert "PI_CODING_AGENT" not in recipe.marks()
