"""The part of `setup` that offers to copy settings of earlier tools into hardwon.toml."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from hardwon.cli.app import fail
from hardwon.cli.support import output
from hardwon.clients.installing.recipe import Recipe
from hardwon.paths import Home
from hardwon.settings import SettingsError, carried_over
from hardwon.settings.carried_over import Offer, Place


def found(place: Home, recipes: Sequence[Recipe]) -> Offer:
    """In the clients' settings first: what the shell sets may be meant for this one command."""
    files = [named for recipe in recipes for named in recipe.variables(recipe.folder(os.environ)).items()]
    places = [Place(str(path), variables) for path, variables in files]
    return carried_over.offer(place, [*places, Place("the environment", os.environ)])


def show(place: Home, offer: Offer) -> None:
    if offer.copies:
        print(f"Settings of earlier tools, for {place.settings}")
        for copy in offer.copies:
            print(f"  {copy.line:<28} from {copy.variable}={copy.text} in {copy.where}: {copy.key.means}")
    for remark in offer.remarks:
        output.remark(remark)


def copy(place: Home, offer: Offer, yes: bool) -> bool:
    """Ask, and write them; whether they are in the file now."""
    if not offer.copies:
        return False
    if not output.confirm("Copy these settings?", yes):
        output.remark("The settings were not copied. Say --yes to copy them without a question.")
        return False
    try:
        carried_over.write(place, offer.copies)
    except SettingsError as error:
        fail(f"Not all settings were copied: {error}")
    return True


def conclude(place: Home, offer: Offer, copied: bool) -> None:
    if not copied:
        return
    print(f"{output.counted(len(offer.copies), 'setting')} copied into {place.settings}")
    if any(copy.key.name == "control.enabled" and copy.value is False for copy in offer.copies):
        output.remark("control.enabled is false now: nothing is kept or said until it is true")


def as_json(place: Home, offer: Offer, copied: bool) -> dict[str, Any]:
    return {
        "file": str(place.settings),
        "found": [
            {"variable": one.variable, "where": one.where, "key": one.key.name, "value": one.value}
            for one in offer.copies
        ],
        "copied": copied,
        "remarks": list(offer.remarks),
    }
