from __future__ import annotations

import dataclasses
from importlib import resources
from typing import Annotated

import typer

from hardwon.cli.app import fail
from hardwon.cli.support import context, output
from hardwon.cli.support.group import group
from hardwon.cli.support.options import Json
from hardwon.paths import home

app = group("show")

Name = Annotated[str, typer.Argument(metavar="KEY", help="A setting, as recall.limit", show_default=False)]


@app.callback()
def config() -> None:
    """See and change settings; none are needed

    Example: `hardwon config set recall.limit 8`

    Without a verb it is `hardwon config show`.
    """


@app.command()
def show(json: Json = False) -> None:
    """Show every setting, its value and where that came from

    Example: `hardwon config show`
    """
    _, loaded = context.settings()
    if json:
        values = {
            key: {"value": _plain(source.value), "origin": source.origin, "where": source.where}
            for key, source in loaded.sources.items()
        }
        output.print_json({"settings": values, "remarks": list(loaded.remarks)})
        return
    for key, source in loaded.sources.items():
        print(f"{key}\t{_text(key, source.value)}\t{source.origin}{' ' + source.where if source.where else ''}")
    for one in loaded.remarks:
        output.remark(one)


def _plain(value: object) -> object:
    """As JSON has it: a rule of the user's is an object."""
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return dataclasses.asdict(value) if dataclasses.is_dataclass(value) and not isinstance(value, type) else value


def _text(key: str, value: object) -> str:
    from hardwon.settings import KEYS

    return KEYS[key].kind.to_toml(value)


@app.command("set")
def set_(
    key: Name,
    value: Annotated[str, typer.Argument(metavar="VALUE", help="Its new value", show_default=False)],
) -> None:
    """Change one setting in hardwon.toml, keeping your comments

    Example: `hardwon config set recall.limit 8`
    """
    from hardwon.settings import set_value

    change = set_value(home(), key, value)
    print(f"{key} = {change.after} in {change.path}")
    if key == "vectors.model":
        _tell_what_the_model_lacks()


def _tell_what_the_model_lacks() -> None:
    """A setting may name what is put there later; until then nothing is found by meaning, and nobody would know."""
    from hardwon.cli.support import context, output
    from hardwon.embedding import choose, extra
    from hardwon.embedding.model import NoModel

    wanted = context.settings()[1].settings.vectors
    try:
        choose.name(wanted)
    except NoModel as error:
        output.remark(str(error))
        return
    if wanted.model != choose.OFF and (missing := choose.lacking(wanted)):
        output.remark(f"{missing} is not installed: `{extra.command()}` brings what vectors need.")


@app.command()
def unset(key: Name) -> None:
    """Take one setting out of hardwon.toml, back to its default

    Example: `hardwon config unset recall.limit`
    """
    from hardwon.settings import unset_value

    change = unset_value(home(), key)
    if change.before is None:
        fail(f"{key} is not set in {change.path}; nothing was changed.")
    print(f"{key} is no longer set: its default counts again")


@app.command()
def path() -> None:
    """Show where the settings file is

    Example: `hardwon config path`
    """
    print(home().settings)


@app.command()
def example() -> None:
    """Print the commented example file

    Example: `hardwon config example`
    """
    file = resources.files("hardwon") / "hardwon.example.toml"
    if not file.is_file():
        fail("The example file is missing from this installation: install hardwon again.")
    print(file.read_text(encoding="utf-8"), end="")
