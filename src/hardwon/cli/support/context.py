"""What a command needs: the home, its settings, an open store, the project it is about."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from functools import partial

import apsw

from hardwon.cli.app import fail
from hardwon.cli.support import caller
from hardwon.cli.verbs import leaving
from hardwon.memory import GLOBAL, Memory, Trust
from hardwon.paths import Home, home
from hardwon.project import Place
from hardwon.settings import Loaded, load
from hardwon.store import control, projects
from hardwon.store.changes import Refused
from hardwon.store.connection import Store, open_store
from hardwon.store.errors import StoreError
from hardwon.store.log import records
from hardwon.store.maintenance import upkeep
from hardwon.store.projects import Project
from hardwon.store.tables import memories


def now() -> int:
    return int(time.time() * 1000)


def settings() -> tuple[Home, Loaded]:
    """The home and its settings. A home that clients are wired to gets this version's hook on the way."""
    place = home()
    if place.hook.is_dir():
        from hardwon.hook import install

        with contextlib.suppress(OSError):  # a read-only home: the hook stays as it is
            install.refresh(place)
    return place, load(place, os.environ)


@contextlib.contextmanager
def reading(skill: str | None = None) -> Iterator[Store]:
    """A store to read from; with what somebody wrote into the files of this skill."""
    place, loaded = settings()
    if skill and _has_edits(place, loaded, skill):
        with open_store(place, loaded.settings) as store:
            _take_in(store, skill)
    with open_store(place, loaded.settings, write=False) as store:
        leaving.use(store.redactor)
        yield store


@contextlib.contextmanager
def writing(skill: str | None = None) -> Iterator[Store]:
    """A store to write to; what has to be done now and then is done afterwards."""
    place, loaded = settings()
    with open_store(place, loaded.settings) as store:
        if skill and place.skills.is_dir():
            _take_in(store, skill)
        before = records.last_sequence(store)
        leaving.use(store.redactor)
        yield store
        _look_after(store, before)


def _has_edits(place: Home, loaded: Loaded, skill: str) -> bool:
    """Whether the markdown files of a skill are not as we left them; asked without making or changing anything."""
    if not (loaded.settings.mirror.enabled and place.skills.is_dir()):
        return False
    from hardwon.store import mirror

    with open_store(place, loaded.settings, write=False) as store:
        return store.writable and bool(mirror.touched(store, skill))


def _take_in(store: Store, skill: str) -> None:
    from hardwon.store import mirror

    _beside(lambda: mirror.absorb(store, now(), skill), "the markdown files could not be read")


def _look_after(store: Store, before: int) -> None:
    """The command has done its work; what goes wrong here is a remark and not its failure."""
    action = records.action_since(store, before)
    _beside(lambda: _make_room(store, action), "done; only the markdown files have to wait")
    _beside(lambda: _upgrade(store), "done; only what was kept before has to wait for today's redaction rules")
    if upkeep.due(store, now()):
        _beside(lambda: upkeep.run(store, now()), "done; only the upkeep has to wait")


UPGRADE = 1.0
"""Seconds that a command gives to a home of before today's redaction rules; the next one, or the daemon, goes on."""


def _upgrade(store: Store) -> None:
    from hardwon.store.index import failure_words
    from hardwon.store.maintenance import upgrade

    if failure_words.due(store):
        failure_words.step(store, UPGRADE)
    if not upgrade.due(store):
        return
    done = upgrade.step(store, UPGRADE, now())
    if done and (done.memories or done.rows):
        from hardwon.cli.support import output

        output.remark(f"{upgrade.told(done)}; the copies of it go, too")
        upgrade.erase(store, quick=True)


def _make_room(store: Store, action: int) -> None:
    made = upkeep.lessons(store, now(), action)
    if not (made and made.archived):
        return
    from hardwon.cli.support import output

    shown = [one for one in map(partial(memories.get, store), made.archived[:3]) if one]
    names = "; ".join(f'{one.short_id} "{one.headline[:60]}"' for one in shown)
    more = "; …" if len(made.archived) > len(shown) else ""
    later = f", and will archive {made.left} more" if made.left else ""
    back = "`hardwon undo` takes it back with the command" if action else "`hardwon reopen` brings one back"
    output.remark(
        f"made room: archived {len(made.archived)} ({names}{more}){later}; {back}. The limits are the settings "
        f"skills.max ({store.settings.skills.max} lessons of a skill) and skills.global_max "
        f"({store.settings.skills.global_max} that hold everywhere), 0 for none"
    )


def _beside(work: Callable[[], object], otherwise: str) -> None:
    try:
        work()
    except (StoreError, apsw.Error, OSError) as error:
        from hardwon.cli.support import output

        output.remark(f"{otherwise} ({error})")


def folder() -> str:
    try:
        return os.getcwd()  # noqa: PTH109
    except OSError:
        fail("This folder no longer exists: change to another one, or name the project with --project or --global.")


def scope_to_write(store: Store, project: str | None, everywhere: bool, who: Trust) -> tuple[Place | None, str]:
    """Where a new memory belongs: the named project, everywhere, or the project of this folder; if it may be kept."""
    only_one(project, everywhere)
    if everywhere:
        _may_keep(store, "", "", who)
        return None, GLOBAL
    if project is not None:
        named = projects.named(store, project)
        _may_keep(store, named.name, "", who)
        return None, named.id
    place, known = projects.look_up(store, folder())
    for one in (place.root, folder()):
        _may_keep(store, known.name if known else place.name, one, who)
    place, found = projects.claim(store, folder(), now())
    return place, found.id


def scopes_to_read(store: Store, project: str | None, everywhere: bool) -> tuple[Place | None, tuple[str, ...]]:
    """Where to look: everywhere means only what holds everywhere; a project includes it."""
    only_one(project, everywhere)
    if everywhere:
        return None, (GLOBAL,)
    if project is not None:
        return None, (projects.named(store, project).id, GLOBAL)
    place, found = projects.look_up(store, folder())
    return place, (found.id, GLOBAL) if found else (GLOBAL,)


def scopes_to_tell(store: Store, project: str | None, everywhere: bool) -> tuple[Place | None, tuple[str, ...]]:
    """Where to look for somebody who wants to know, if that may be told."""
    may_tell(store)
    place, scopes = scopes_to_read(store, project, everywhere)
    known = projects.get(store, scopes[0])
    name = known.name if known else place.name if place else ""
    for one in (place.root, folder()) if place else ("",):
        if reason := control.excluded(store.settings, name, one):
            fail(f"Nothing was looked up: {reason}.")
    return place, scopes


def excluded(store: Store, folder: str) -> str | None:
    """Which setting closes this folder, or the project that it is in, to everybody."""
    place, known = projects.look_up(store, folder)
    name = known.name if known else place.name
    return next(filter(None, (control.excluded(store.settings, name, one) for one in (place.root, folder))), None)


def may_tell(store: Store) -> None:
    """A pause, and the switch, close hardwon to agents; a person who asks means it."""
    reason = control.switched_off(store, now())
    if reason and caller.trust() is not Trust.USER:
        fail(f"Nothing was looked up: {reason}.")


def only_one(project: str | None, everywhere: bool, all_projects: bool = False) -> None:
    given = [("--all", all_projects), ("--project", project is not None), ("--global", everywhere)]
    if len(said := [name for name, is_given in given if is_given]) > 1:
        fail(f"{' and '.join(said)} exclude each other: give one of them.", code=2)


def _may_keep(store: Store, project_name: str, root: str, who: Trust) -> None:
    """Excluded places are closed to everybody; a pause only to agents, for a person who notes means it."""
    reason = control.why_not(store, project_name, root, now())
    if who is Trust.USER and store.settings.control.enabled:
        reason = control.excluded(store.settings, project_name, root)
    if reason:
        fail(f"Nothing was kept: {reason}.")


def existing(store: Store, reference: str) -> Memory:
    found = memories.get(store, memories.find(store, reference))
    assert found is not None
    return found


def may_change(memory: Memory, who: Trust, verb: str) -> None:
    """What a person said is changed by a person."""
    if memory.trust.rank > max(who.rank, Trust.VERIFIED.rank):
        raise Refused(
            f"{memory.short_id} was said by a person, and this call comes from an agent. Nothing was changed; "
            f"the person can `hardwon {verb} {memory.short_id}` in their own terminal, "
            f"or `hardwon wrong {memory.short_id}` puts it up for review."
        )


def project_name(store: Store, id: str) -> str:
    if id == GLOBAL:
        return "everywhere"
    found: Project | None = projects.get(store, id)
    return found.name if found else "unknown project"
