"""The pages say what the program does: generated parts are up to date, links lead somewhere, commands exist."""

from __future__ import annotations

import contextlib
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from docs import transcripts
from docs.cli_reference import Command, commands

from hardwon.cli.app import _texts_last, root

ROOT = Path(__file__).resolve().parent.parent
REFERENCE = ROOT / "docs" / "reference" / "cli.md"
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "changelog.d").glob("*.md")])
COMMANDS = list(commands())


def page(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def name(command: Command) -> str:
    return command.name


@pytest.mark.slow
def test_generated_pages_are_up_to_date() -> None:
    """The references and the output of every command on the pages are what `make docs` would write."""
    done = subprocess.run(
        [sys.executable, "-m", "docs.generate", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{done.stdout}{done.stderr}run `make docs`"


def test_the_example_of_the_guide_to_vectors_works() -> None:
    """What the page says is found by its meaning is, among other notes, and not without the model."""
    pytest.importorskip("onnxruntime")
    pytest.importorskip("tokenizers")
    guide = ROOT / "docs" / "guides" / "vectors.md"
    text = transcripts.page(guide)
    assert text == guide.read_text("utf-8"), "run `make docs`"
    before, after = re.findall(r"^\$ hardwon recall .*\n((?:(?!\$|```).*\n)*)", text, re.MULTILINE)
    assert before == "nothing fits\n"
    assert "its meaning (cosine " in after


@pytest.mark.parametrize("command", COMMANDS, ids=name)
def test_every_command_and_option_is_in_the_reference(command: Command) -> None:
    """Whoever reads the reference has seen everything."""
    sections = re.split(r"^#{2,3} ", REFERENCE.read_text("utf-8"), flags=re.MULTILINE)
    (section,) = [one for one in sections if one.startswith(f"{command.name}\n")]
    options = [option for one in command.parameters for option in one.opts if option.startswith("-")]
    assert [option for option in options if f"`{option}`" not in section] == []


@pytest.mark.parametrize("command", COMMANDS, ids=name)
def test_every_command_has_help(command: Command) -> None:
    """One phrase that begins with a capital and has no full stop, and an example that works."""
    assert command.phrase
    assert command.phrase[0].isupper()
    assert not command.phrase.endswith(".")
    assert command.example.startswith("hardwon "), "its docstring needs a line: Example: `hardwon ...`"
    for call in calls(split(command.example)):
        parse(call)


@pytest.mark.parametrize("command", COMMANDS, ids=name)
def test_every_option_has_help(command: Command) -> None:
    """So has every argument and option."""
    for one in command.parameters:
        assert one.help, one.name
        assert not one.help.endswith("."), one.name


LINK = re.compile(r"(?<!!)\[[^\]\n]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("path", PAGES, ids=page)
def test_links_lead_somewhere(path: Path) -> None:
    """A link inside the repository names a file that is there, and a heading of it."""
    text = FENCE.sub("", path.read_text("utf-8"))
    broken = [link for link in LINK.findall(text) if not link.startswith(("http", "mailto")) and not leads(path, link)]
    assert broken == []


def leads(path: Path, link: str) -> bool:
    file, _, heading = link.partition("#")
    target = (path.parent / file).resolve() if file else path
    if not target.exists() or not target.is_relative_to(ROOT):
        return False
    return not heading or heading in set(headings(target))


def headings(path: Path) -> Iterator[str]:
    """As GitHub makes an anchor of a heading."""
    for line in re.findall(r"^#+ (.+)$", FENCE.sub("", path.read_text("utf-8")), re.MULTILINE):
        yield re.sub(r"[^\w\- ]", "", line.lower()).replace(" ", "-")


def command_lines(path: Path) -> Iterator[str]:
    """Every line in a fenced block that runs hardwon; the reference has usages, not commands."""
    for language, block in FENCE.findall(path.read_text("utf-8")):
        if path != REFERENCE and language in ("console", "sh", ""):
            joined = re.sub(r"\\\n(?:> )?", " ", block)
            prompt = r"\$ " if language == "console" else ""
            yield from re.findall(rf"^{prompt}((?:\w+=\S+ )*hardwon .+)$", joined, re.MULTILINE)


@pytest.mark.parametrize("path", PAGES, ids=page)
def test_commands_on_the_pages_exist(path: Path) -> None:
    """Every verb, argument and option that a page tells people to type is one that hardwon has."""
    for line in command_lines(path):
        for call in calls(split(line)):
            parse(call)


def split(line: str) -> list[str]:
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|;&<>")
    lexer.whitespace_split = True
    return list(lexer)


def calls(words: list[str]) -> Iterator[list[str]]:
    """The arguments of each hardwon in a line: up to a pipe, a redirection or the next command."""
    for start, word in enumerate(words):
        if word == "hardwon":
            end = next((at for at in range(start, len(words)) if set(words[at]) <= set("|;&<>")), len(words))
            yield words[start + 1 : end]


def parse(arguments: list[str]) -> None:
    """Raises what the command line itself would for a verb, an option or a value that it does not know."""
    command: Any = root()
    arguments = _texts_last(arguments)
    while hasattr(command, "commands") or hasattr(command, "list_commands"):
        if not arguments or arguments[0].startswith("-"):
            break
        verb, *arguments = arguments
        found = command.get_command(None, verb)
        assert found is not None, f'there is no command "{verb}"'
        command = found
    with contextlib.suppress(typer.Exit), command.make_context(command.name, list(arguments)):  # --help leaves
        pass


FOREIGN = re.compile(
    r"/work/|/root/|/Users/(?!NAME\b)|/home/(?!ana\b|me\b|NAME\b)|/tmp/hardwon-docs"
    r"|(?:pypi|pythonhosted|npmjs|ghcr|docker|crates)\.(?:org|com|io)\b",
)


@pytest.mark.parametrize("path", PAGES, ids=page)
def test_no_machine_and_no_registry_is_named(path: Path) -> None:
    """A page is about the project, not about the machine that it was written on."""
    assert FOREIGN.findall(path.read_text("utf-8")) == []
