"""A client's settings file as it is now: as we left it, or changed since."""

from __future__ import annotations

from hardwon.clients.installing.json_text import JsonText, spliced
from hardwon.clients.installing.manifest import Record
from hardwon.clients.installing.recipe import Config, SetupError
from hardwon.clients.installing.toml_text import TomlText


def parse(config: Config, text: str) -> JsonText:
    return TomlText(text) if _form(config) == "TOML" else JsonText(text)


def _form(config: Config) -> str:
    return "TOML" if config.path.suffix == ".toml" else "JSON"


def parsed(config: Config, found: bytes | None, record: Record | None) -> tuple[JsonText, bool]:
    """The text to begin with, and whether the file is as we left it: then it is the text from before us."""
    as_left = record is not None and record.is_of(found)
    try:
        text = (found or b"").decode()
        its_text = parse(config, spliced(text, record.undo) if record is not None and as_left else text)
    except ValueError as error:
        raise SetupError(
            f"{config.path} is not valid {_form(config)} ({error}): mend it and run this again. Nothing was changed."
        ) from error
    return its_text, as_left
