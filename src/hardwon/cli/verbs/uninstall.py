from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Annotated, Any

import typer

from hardwon.cli.app import fail
from hardwon.cli.support import caller, output
from hardwon.cli.support.options import Json, Yes
from hardwon.cli.verbs import clients
from hardwon.cli.verbs.clients import Client, DryRun
from hardwon.clients.installing import files, manifest, removal
from hardwon.clients.installing.recipe import Recipe, SetupError
from hardwon.clients.installing.removal import Plan
from hardwon.daemon import lifecycle
from hardwon.memory import Trust
from hardwon.paths import NAMES, Home, home


def run(
    client: Client = None,
    purge: Annotated[bool, typer.Option("--purge", help="Erase the memory, too")] = False,
    yes: Yes = False,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    """Take hardwon out of the clients; the memory stays unless --purge is said

    Example: `hardwon uninstall --dry-run`

    A file that is as setup left it becomes what it was, byte for byte. One that was changed since loses only what is
    ours.
    """
    place = home()
    recipes = _concerned(place, client)
    if purge:
        _may_purge(place, recipes)
    plans = [(recipe, _planned(place, recipe)) for recipe in recipes]
    concerned = [one for one in plans if one[1].elsewhere or not one[1].is_empty] or plans
    if not json:
        _show(place, concerned, dry_run)
    report: dict[str, Any] = {
        "clients": [clients.as_json(recipe, plan.changes, plan.remarks) for recipe, plan in plans],
        "home": str(place.root),
        "dry_run": dry_run,
    }
    if not dry_run:
        report["daemon_stopped"] = _take_out(place, plans, yes)
        report["purged"] = purge and _purge(place, yes)
    if json:
        output.print_json(report)
    elif dry_run or purge or not all(plan.elsewhere for _, plan in concerned):
        _conclude(place, report)


def _concerned(place: Home, client: str | None) -> tuple[Recipe, ...]:
    """The one that is named; else those that are here or were set up; all where there is none."""
    known = clients.meant(client)
    if client:
        return known
    here = [one for one in known if one.is_here(os.environ) or manifest.path(place, one.name).exists()]
    return tuple(here) or known


def _may_purge(place: Home, recipes: tuple[Recipe, ...]) -> None:
    """The memory holds what a person said, and is not erased on anybody else's word."""
    if caller.trust() is not Trust.USER:
        fail("--purge erases the memory and is for a person at a terminal. Nothing was changed.")
    if left := set(removal.others(place)) - {recipe.name for recipe in recipes}:
        fail(f"{', '.join(sorted(left))} would lose the memory, too: run `hardwon uninstall --purge` without a client.")


def _planned(place: Home, recipe: Recipe) -> Plan:
    try:
        return removal.plan(place, recipe, os.environ)
    except SetupError as error:
        fail(str(error))


def _show(place: Home, plans: list[tuple[Recipe, Plan]], dry_run: bool) -> None:
    for recipe, plan in plans:
        if not plan.is_empty:
            clients.show(place, recipe, plan.changes, whole=dry_run)
        elif not plan.elsewhere:
            print(f"{recipe.title} has nothing of hardwon")
        for path in (*plan.leftovers, *filter(Path.exists, plan.own)):
            print(f"  remove  {path}")
        for remark in plan.remarks:
            output.remark(remark)


def _take_out(place: Home, plans: list[tuple[Recipe, Plan]], yes: bool) -> bool:
    """The clients first, so that nothing starts the daemon again; whether one was stopped."""
    full = [(recipe, plan) for recipe, plan in plans if not plan.is_empty]
    if full and not output.confirm("Take hardwon out?", yes):
        fail("Nothing was changed. Say --yes to uninstall without a question.")
    for recipe, plan in full:
        _apply(recipe, plan)
    if set(removal.others(place)) - {recipe.name for recipe, _ in plans}:
        stopped = False
    else:
        with output.progress("stopping the daemon"):
            stopped = _stop(place)
    _clear(place, plans)
    return stopped


def _stop(place: Home) -> bool:
    try:
        return lifecycle.stop(place)
    except lifecycle.StillRunning as error:
        fail(f"The clients have their files back, but nothing else was removed. {error}")


def _apply(recipe: Recipe, plan: Plan) -> None:
    try:
        removal.apply(plan)
    except SetupError as error:
        fail(f"{recipe.title}: {error}")
    except OSError as error:
        fail(f"{recipe.title} has its files back, but {error.filename} can't be removed: {error.strerror}.")


def _clear(place: Home, plans: list[tuple[Recipe, Plan]]) -> None:
    try:
        for _, plan in plans:
            removal.clear(place, plan)
    except OSError as error:
        fail(f"The clients have their files back, but {error.filename} can't be removed: {error.strerror}.")
    files.remove_empty(place.root)


def _purge(place: Home, yes: bool) -> bool:
    """Erase what is ours in the home; a file that somebody else put there stays."""
    if not place.root.exists():
        return False
    if not output.confirm(f"Erase the memory in {place.root} for good?", yes):
        output.remark("The memory was not erased.")
        return False
    try:
        for path in list(place.root.iterdir()):
            if path.name in OURS or path.name.startswith("memory.db"):
                _erase(path)
    except OSError as error:
        fail(f"The memory is erased in part: {error.filename} can't be removed: {error.strerror}.")
    if not files.remove_empty(place.root):
        left = ", ".join(sorted(path.name for path in place.root.iterdir()))
        output.remark(f"{place.root} stays, because these are not ours: {left}")
    return True


def _erase(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()


OURS = NAMES | {"clients", "daemon.lock"}


def _conclude(place: Home, report: dict[str, Any]) -> None:
    if report["dry_run"]:
        print("Nothing was changed, this was a dry run")
    elif report["purged"]:
        print("hardwon is taken out and the memory erased")
    elif place.root.exists():
        print(f"hardwon is taken out. The memory stays in {place.root}: `hardwon uninstall --purge` erases it")
    elif report["clients"]:
        print("hardwon is taken out, and there is no memory")
