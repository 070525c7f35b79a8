"""Which memory a client uses, where that is another one than ours."""

from __future__ import annotations

import dataclasses
import shlex
from collections.abc import Iterator
from pathlib import Path

from hardwon.clients.installing import entries, files, manifest
from hardwon.clients.installing.manifest import Manifest
from hardwon.clients.installing.reading import parsed
from hardwon.clients.installing.recipe import Recipe, SetupError
from hardwon.paths import Home


def used(home: Home, recipe: Recipe, place: Path) -> Path | None:
    """The memory that the client uses, where that is another one with a record of it; what nobody has a record of
    can be taken out by anybody."""
    for config in recipe.wanted(home, place, user_hooks=False).configs:
        try:
            value = parsed(config, files.read(config.path), None)[0].value
        except SetupError:
            continue  # said where the file is to be changed
        homes = {found for text in entries.texts(value, config) for found in _homes_in(text, recipe.name)}
        for found in homes - {home.root}:
            if manifest.path(Home(found), recipe.name).is_file():
                return found
    return None


def _homes_in(text: str, client: str) -> Iterator[Path]:
    """The home that a path or a command of ours leads to."""
    try:
        words = [text, *shlex.split(text)]
    except ValueError:  # a path with a quotation mark in it
        words = [text]
    for path in map(Path, words):
        if path.parts[-2:] in (("hook", "client.py"), ("hook", "run"), ("hook", "mcp"), (manifest.FOLDER, client)):
            yield path.parents[1]


def taken_over(known: Manifest, home: Home, recipe: Recipe, place: Path) -> Manifest:
    """What we know with what the other home knows of the settings in this place: it found them as they were before
    either of us, and when it is taken out, nobody but us is left to give them back."""
    other = used(home, recipe, place)
    try:
        theirs = manifest.load(Home(other), recipe.name) if other else None
    except SetupError:
        theirs = None  # damaged: then it is as if there were no record
    if theirs is None:
        return known
    records = {name: one for name, one in theirs.files.items() if Path(name).is_relative_to(place) and not one.whole}
    made = [one for one in theirs.folders if Path(one).is_relative_to(place) or place.is_relative_to(one)]
    folders = tuple(dict.fromkeys([*known.folders, *made]))
    return dataclasses.replace(known, files={**known.files, **records}, folders=folders)
