"""A skill whose name turns out to hold a secret: its folder and what the tables know of it get another name."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from hardwon.store.connection import Store
from hardwon.store.mirror import folder, tables


def rename(store: Store, clean: Callable[[str], str], *, dry_run: bool = False) -> int:
    """Every folder and file under the name that `clean` leaves of its skill's; how many were changed."""
    changed = 0
    places = tables.places(store)
    for skill, place in places.items():
        name = clean(skill)
        if name == skill:
            continue
        changed += 1
        if not dry_run:
            others = {folder.same(one): other for other, one in tables.places(store).items() if other != skill}
            _move(store, place, name, folder.folder(name, others))
    if not dry_run:
        old = [(skill,) for skill in tables.due(store) if store.redactor.text(skill) != skill]
        store.db.executemany("delete from mirror_due where skill = ?", old)
    return changed + _clean_headings(store, clean, dry_run)


def _move(store: Store, place: str, skill: str, target: str) -> None:
    source, wanted = store.home.skills / place, store.home.skills / target
    if source.is_dir():
        _move_files(source, wanted)
    for name in tables.NAMES.values():
        old, new = f"skills/{place}/{name}", f"skills/{target}/{name}"
        store.db.execute("update or ignore mirror_files set file = ?, skill = ? where file = ?", (new, skill, old))
        store.db.execute("update or ignore mirror_entries set file = ? where file = ?", (new, old))
        store.db.execute("delete from mirror_files where file = ?", (old,))
        store.db.execute("delete from mirror_entries where file = ?", (old,))
    store.db.execute("insert into mirror_due (skill) values (?) on conflict (skill) do nothing", (skill,))


def _move_files(source: Path, target: Path) -> None:
    """Where a file of this name is there already, behind its text: its bullets are taken in like ones typed there."""
    target.mkdir(mode=0o700, exist_ok=True)
    for one in sorted(source.iterdir()):
        other = target / one.name
        if other.is_file() and one.is_file():
            with other.open("ab") as file:
                file.write(b"\n" + one.read_bytes())
            one.unlink()
        else:
            one.rename(other)
    source.rmdir()


def _clean_headings(store: Store, clean: Callable[[str], str], dry_run: bool) -> int:
    """The headings under which a file has shown projects."""
    changed = 0
    for file, headings in store.rows("select file, projects from mirror_files"):
        before: dict[str, str] = json.loads(headings)
        after = {clean(heading): project for heading, project in before.items()}
        if after != before:
            changed += 1
            if not dry_run:
                text = json.dumps(after, ensure_ascii=False)
                store.db.execute("update mirror_files set projects = ? where file = ?", (text, file))
    return changed
