"""Planning what `hardwon setup` changes, and doing it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from hardwon import __version__
from hardwon.clients.installing import entries, files, manifest, other_home
from hardwon.clients.installing.change import Change, apply_all
from hardwon.clients.installing.json_text import JsonText
from hardwon.clients.installing.manifest import Manifest, Record, fingerprint
from hardwon.clients.installing.reading import parse, parsed
from hardwon.clients.installing.recipe import Config, Recipe, SetupError, Wanted
from hardwon.hook import install
from hardwon.paths import Home, make, quoted

UNDO = "`hardwon uninstall` takes it back, `hardwon setup` goes on."


@dataclass(frozen=True, slots=True)
class Plan:
    changes: tuple[Change, ...]
    manifest: Manifest
    remarks: tuple[str, ...]


def plan(home: Home, recipe: Recipe, environ: Mapping[str, str], user_hooks: bool | None = None) -> Plan:
    """What has to change so that the client uses this memory; looks and writes nothing."""
    _check(home)
    place = recipe.folder(environ)
    known = other_home.taken_over(manifest.load(home, recipe.name) or Manifest(recipe.name), home, recipe, place)
    by_hooks = known.places.get(str(place), False) if user_hooks is None else user_hooks
    wanted = recipe.wanted(home, place, user_hooks=by_hooks)
    settled = [_settled(config, known.files.get(str(config.path))) for config in wanted.configs if not config.by_client]
    whole = [*_whole(wanted, known), *_unwanted(wanted.files, known, place)]
    changes = [*_hook_files(home), *_own(home, recipe, wanted.own), *(change for change, _ in whole)]
    changes += [change for change, _ in settled]
    records = {str(change.path): record for change, record in [*whole, *settled]}
    return Plan(
        tuple(change for change in changes if change.before != change.after),
        _updated(_with_absent(known, place, wanted), str(place), by_hooks, records, changes),
        recipe.remarks(place),
    )


def apply(home: Home, planned: Plan) -> None:
    """Do it. What we are about to leave is on record before the first file of the client changes."""
    make(home)
    install.refresh(home)
    record = Change(
        manifest.path(home, planned.manifest.client),
        files.read(manifest.path(home, planned.manifest.client)),
        planned.manifest.to_json(),
    )
    rest = tuple(change for change in planned.changes if change.path.parent != home.hook)
    apply_all((record, *rest) if record.before != record.after else rest, UNDO)
    own = sorted(path for path in manifest.folder(home).rglob("*") if path.is_dir())
    for folder in [*reversed(own), *map(Path, reversed(planned.manifest.folders))]:
        files.remove_empty(folder)


def _check(home: Home) -> None:
    """What a hook's command line and a JSON file can say."""
    try:
        fits = "\n" not in str(home.root).encode().decode()
    except UnicodeEncodeError:
        fits = False
    if not fits:
        raise SetupError(
            f"The memory's folder {quoted(str(home.root))} has a name that can't be written into a client's settings: "
            "set HARDWON_HOME to another one."
        )


def _hook_files(home: Home) -> Iterator[Change]:
    for path, text, _ in install.files(home):
        yield Change(path, files.read(path), text)


def _own(home: Home, recipe: Recipe, wanted: Mapping[Path, bytes]) -> Iterator[Change]:
    """The files that the client reads from our home; those of an older version go."""
    for path, text in wanted.items():
        yield Change(path, files.read(path), text)
    for path in sorted((manifest.folder(home) / recipe.name).rglob("*")):
        if path.is_file() and path not in wanted:
            yield Change(path, files.read(path), None)


def _whole(wanted: Wanted, known: Manifest) -> Iterator[tuple[Change, Record | None]]:
    """Files of ours in the client's folder. One that is not ours and is in the way stays."""
    for path, text in wanted.files.items():
        found = files.read(path)
        if found is not None and wanted.sign not in found and str(path) not in known.files:
            raise SetupError(f"{path} is there already, and it is not ours: move it away and run this again.")
        yield Change(path, found, text, foreign=True), Record(fingerprint(text), created=True, whole=True)


def _unwanted(wanted: Mapping[Path, bytes], known: Manifest, place: Path) -> Iterator[tuple[Change, Record | None]]:
    """Files of ours that this way of setting up does not have."""
    for name, record in known.files.items():
        path = Path(name)
        if record.whole and path not in wanted and path.is_relative_to(place):
            found = files.read(path)
            yield Change(path, found, None if record.is_of(found) else found, foreign=True), None


def _settled(config: Config, record: Record | None) -> tuple[Change, Record | None]:
    """A settings file with our entries in it, and the way back to the file without them."""
    found = files.read(config.path)
    try:
        text, as_left = parsed(config, found, record)
    except SetupError:
        if entries.are_wanted(config):
            raise
        return Change(config.path, found, found), None
    if problem := entries.check(text.value, config):
        raise SetupError(f"{config.path}: {problem}: mend it and run this again. Nothing was changed.")
    try:
        return _put_in(config, record, found, text, as_left)
    except ValueError as error:
        raise SetupError(f"{config.path}: there is no place for our entry ({error}). Nothing was changed.") from error


def _put_in(
    config: Config, record: Record | None, found: bytes | None, text: JsonText, as_left: bool
) -> tuple[Change, Record | None]:
    created = found is None or (as_left and record is not None and record.created)
    before, undo = text.value, text.undo
    if entries.are_in(before, config):
        made = record.made if record else None
        entries.put_in(text, config, made)
        without = parse(config, text.text)
        entries.take_out(without, config, made)
        before, undo = without.value, without.done
        created = record is not None and record.created and not before
    else:
        entries.put_in(text, config)
        undo = text.undo
    if not entries.are_in(text.value, config):
        return Change(config.path, found, None if created else text.text.encode(), foreign=True), None
    after = text.text.encode()
    kept = Record(fingerprint(after), created, undo=undo, made=entries.missing(before, config))
    return Change(config.path, found, after, foreign=True), kept


def _with_absent(known: Manifest, place: Path, wanted: Wanted) -> Manifest:
    """Only at the first time it can be seen what the client will write on our account."""
    if str(place) in known.places:
        return known
    absent = [str(one.path) for one in wanted.configs if one.by_client and files.read(one.path) is None]
    return replace(known, absent=tuple(dict.fromkeys([*known.absent, *absent])))


def _updated(
    known: Manifest, place: str, by_hooks: bool, records: Mapping[str, Record | None], changes: list[Change]
) -> Manifest:
    made = [
        str(folder)
        for change in changes
        if change.foreign and change.before is None and change.after is not None
        for folder in files.missing_folders(change.path)
    ]
    kept = {**known.files, **records}
    return replace(
        known,
        version=__version__,
        places={**known.places, place: by_hooks},
        files={name: record for name, record in kept.items() if record is not None},
        folders=tuple(dict.fromkeys([*known.folders, *made])),
    )
