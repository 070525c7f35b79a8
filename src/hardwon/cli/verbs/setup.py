from __future__ import annotations

import contextlib
import os
from typing import Annotated

import typer

from hardwon.cli.app import fail
from hardwon.cli.support import output
from hardwon.cli.support.options import Json, Yes
from hardwon.cli.verbs import clients, learn, rehearse, setup_settings, starters, vectors
from hardwon.cli.verbs.clients import Client, DryRun
from hardwon.clients.installing import setup
from hardwon.clients.installing.recipe import Consenting, Recipe, SetupError
from hardwon.clients.installing.setup import Plan
from hardwon.paths import Home, home
from hardwon.settings import SettingsError


def run(
    client: Client = None,
    user_hooks: Annotated[
        bool | None,
        typer.Option(
            "--user-hooks/--plugin", help="Into the settings themselves, or as a plugin", show_default="plugin"
        ),
    ] = None,
    yes: Yes = False,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    """Connect the clients on this machine with the memory

    Example: `hardwon setup claude-code --dry-run`

    Shows what it changes in the client's own files and asks; --dry-run lists every file. Run again, after an upgrade,
    it brings what it wrote up to date; what others wrote stays. Settings of earlier tools that stand in a client's
    settings or in the environment are offered to be copied into hardwon.toml. `hardwon uninstall` takes it out again.
    """
    place = home()
    plans = [(recipe, _planned(place, recipe, user_hooks)) for recipe in _present(client)]
    offer = setup_settings.found(place, [recipe for recipe, _ in plans])
    if not json:
        for recipe, plan in plans:
            _show(place, recipe, plan, dry_run)
        setup_settings.show(place, offer)
    if not dry_run and any(plan.changes for _, plan in plans):
        if not output.confirm("Make these changes?", yes):
            fail("Nothing was changed. Say --yes to set up without a question.")
        for _, plan in plans:
            _apply(place, plan)
    copied = not dry_run and setup_settings.copy(place, offer, yes)
    if json:
        done = [clients.as_json(recipe, plan.changes, plan.remarks) for recipe, plan in plans]
        settings = setup_settings.as_json(place, offer, copied)
        output.print_json({"clients": done, "settings": settings, "dry_run": dry_run})
    else:
        _conclude(plans, dry_run)
        setup_settings.conclude(place, offer, copied)
        if not dry_run:
            _offer_more(yes)


def _offer_more(yes: bool) -> None:
    """What there is to begin with. A wrong setting, named above already, is no reason for a set-up to fail."""
    with contextlib.suppress(SettingsError):
        starters.offer(yes)
        learn.offer(yes)
        rehearse.offer(yes)
        vectors.offer()


def _present(client: str | None) -> list[Recipe]:
    meant = clients.meant(client)
    here = [recipe for recipe in meant if recipe.is_here(os.environ)]
    if not here:
        fail(" ".join(recipe.missing(os.environ) for recipe in meant))
    return here


def _planned(place: Home, recipe: Recipe, user_hooks: bool | None) -> Plan:
    try:
        return setup.plan(place, recipe, os.environ, user_hooks)
    except SetupError as error:
        fail(str(error))


def _apply(place: Home, plan: Plan) -> None:
    try:
        setup.apply(place, plan)
    except SetupError as error:
        fail(str(error))


def _show(place: Home, recipe: Recipe, plan: Plan, dry_run: bool) -> None:
    if plan.changes:
        clients.show(place, recipe, plan.changes, whole=dry_run)
    for remark in plan.remarks:
        output.remark(remark)


def _conclude(plans: list[tuple[Recipe, Plan]], dry_run: bool) -> None:
    for recipe, plan in plans:
        if not plan.changes:
            print(f"{recipe.title} is set up already: nothing to change")
        elif dry_run:
            print(f"{recipe.title}: nothing was changed, this was a dry run")
        elif isinstance(recipe, Consenting) and recipe.consent in plan.remarks:
            print(f"{recipe.title} is set up, and waits for you: what to do stands above")
        else:
            print(f"{recipe.title} is set up: its next session uses the memory. `hardwon uninstall` takes it out again")
