"""A client's settings file as it is now: as we left it, or changed since."""

from __future__ import annotations

from hardwon.clients.installing.json_text import JsonText, spliced
from hardwon.clients.installing.manifest import Record
from hardwon.clients.installing.recipe import Config, SetupError


def parsed(config: Config, found: bytes | None, record: Record | None) -> tuple[JsonText, bool]:
    """The text to begin with, and whether the file is as we left it: then it is the text from before us."""
    as_left = record is not None and record.is_of(found)
    try:
        text = (found or b"").decode()
        json_text = JsonText(spliced(text, record.undo) if record is not None and as_left else text)
    except ValueError as error:
        raise SetupError(
            f"{config.path} is not valid JSON ({error}): mend it and run this again. Nothing was changed."
        ) from error
    return json_text, as_left
