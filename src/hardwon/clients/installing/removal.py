"""Planning what `hardwon uninstall` changes in a client, and doing it."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from hardwon.clients.installing import entries, files, manifest, other_home
from hardwon.clients.installing.change import Change, apply_all
from hardwon.clients.installing.manifest import Manifest, Record
from hardwon.clients.installing.reading import parsed
from hardwon.clients.installing.recipe import Config, Recipe, SetupError, Wanted
from hardwon.paths import Home

AGAIN = "`hardwon uninstall` goes on from there."


@dataclass(frozen=True, slots=True)
class Plan:
    changes: tuple[Change, ...]
    remarks: tuple[str, ...]
    """What was changed since we left it, and what stays."""
    leftovers: tuple[Path, ...]
    """Folders that the client made for us."""
    folders: tuple[Path, ...]
    """Those that we made: they go when they are empty, the innermost first."""
    own: tuple[Path, ...]
    """What the client reads from the home."""
    elsewhere: bool
    """It uses another memory, and goes on to."""

    @property
    def is_empty(self) -> bool:
        return not self.changes and not self.leftovers and not any(path.exists() for path in self.own)


def plan(home: Home, recipe: Recipe, environ: Mapping[str, str]) -> Plan:
    """What has to change so that nothing of ours stays in the client; looks and writes nothing.

    Works without a record, too: our entries are known by what they are.
    """
    known = manifest.load(home, recipe.name) or Manifest(recipe.name)
    places = dict.fromkeys([*map(Path, known.places), recipe.folder(environ)])
    elsewhere = {place: other for place in places if (other := other_home.used(home, recipe, place))}
    ours = [place for place in places if place not in elsewhere]
    wanted = [recipe.wanted(home, place, user_hooks=False) for place in ours]
    changes, remarks = [], [_stays(place, recipe, other) for place, other in elsewhere.items()]
    by_hooks = [recipe.wanted(home, place, user_hooks=True) for place in ours]
    unrecorded = list(_unrecorded(by_hooks, known))
    for change, remark in [*_configs(wanted, known), *_files(known, elsewhere), *unrecorded]:
        changes.append(change)
        remarks.append(remark)
    return Plan(
        tuple(change for change in changes if change.before != change.after),
        tuple(filter(None, remarks)),
        tuple(folder for one in wanted for folder in one.leftovers if folder.is_dir()),
        tuple(dict.fromkeys([*(change.path.parent for change, _ in unrecorded), *map(Path, reversed(known.folders))])),
        (manifest.path(home, recipe.name), manifest.folder(home) / recipe.name),
        bool(elsewhere),
    )


def _stays(place: Path, recipe: Recipe, other: Path) -> str:
    undo = f"`HARDWON_HOME={shlex.quote(str(other))} hardwon uninstall`"
    return f"{recipe.title} in {place} uses the memory in {other}, so its entries stay: {undo} takes them out"


def apply(planned: Plan) -> None:
    """Give the client its files back."""
    apply_all(planned.changes, AGAIN)
    for folder in planned.leftovers:
        shutil.rmtree(folder)
        files.remove_empty(folder.parent)
    for folder in planned.folders:
        files.remove_empty(folder)


def clear(home: Home, planned: Plan) -> None:
    """Remove what lies in the home for this client and, when no other client is left, for the hooks."""
    record, folder = planned.own
    if folder.is_dir():
        shutil.rmtree(folder)
    record.unlink(missing_ok=True)
    if others(home):
        return
    if home.hook.is_dir():
        shutil.rmtree(home.hook)
    files.remove_empty(manifest.folder(home))


def others(home: Home) -> list[str]:
    """The clients that are still set up."""
    return sorted(path.stem for path in manifest.folder(home).glob("*.json"))


def _configs(wanted: list[Wanted], known: Manifest) -> Iterator[tuple[Change, str]]:
    for config in (config for one in wanted for config in one.configs):
        record = known.files.get(str(config.path))
        change, remark = _without_us(config, record)
        if str(config.path) in known.absent and change.after is not None and entries.is_bare(change.after, config):
            change = Change(config.path, change.before, None, foreign=True)
        yield change, remark


def _without_us(config: Config, record: Record | None) -> tuple[Change, str]:
    found = files.read(config.path)
    if found is None or (record is None and b"hardwon" not in found and b"client.py" not in found):
        return Change(config.path, found, found), ""
    try:
        text, as_left = parsed(config, found, record)
    except SetupError:
        if config.by_client:
            return Change(config.path, found, found), f"{config.path} is not valid JSON and stays as it is"
        raise
    if record is not None and as_left:
        return Change(config.path, found, None if record.created else text.text.encode(), foreign=True), ""
    there = entries.are_in(text.value, config)
    entries.take_out(text, config, () if config.by_client else record.made if record else None)
    gone = record is not None and record.created and not text.value
    change = Change(config.path, found, None if gone else text.text.encode() if there else found, foreign=True)
    return change, _only_ours(config, record) if there and not config.by_client else ""


def _only_ours(config: Config, record: Record | None) -> str:
    why = "was changed since setup" if record else "has no record of its setup"
    return f"{config.path} {why}: only our entries are taken out"


def _files(known: Manifest, elsewhere: Collection[Path]) -> Iterator[tuple[Change, str]]:
    for name, record in known.files.items():
        path = Path(name)
        ours = record.whole and not any(path.is_relative_to(place) for place in elsewhere)
        found = files.read(path) if ours else None
        if found is not None and record.is_of(found):
            yield Change(path, found, None, foreign=True), ""
        elif found is not None:
            yield Change(path, found, found), f"{path} was changed since setup and stays: remove it if you like"


def _unrecorded(wanted: list[Wanted], known: Manifest) -> Iterator[tuple[Change, str]]:
    """Files of ours that are left from a setup whose record is gone."""
    for one in wanted:
        for path in one.files:
            found = files.read(path)
            if found is not None and str(path) not in known.files and one.sign in found:
                yield Change(path, found, None, foreign=True), ""
