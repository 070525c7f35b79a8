"""One copy of the database, checked before it counts as one; and which there are."""

from __future__ import annotations

import time
from pathlib import Path

import apsw

from hardwon.paths import Home
from hardwon.store import migrate


def take(db: apsw.Connection, home: Home, label: str = "") -> Path:
    """A checked copy of the database as it is now. Writers go on meanwhile."""
    home.copies.mkdir(mode=0o700, exist_ok=True)
    name = time.strftime("%Y%m%dT%H%M%S", time.gmtime()) + (f"-{label}" if label else "")
    target = home.copies / f"{name}.db"
    draft = target.with_suffix(".draft")
    draft.unlink(missing_ok=True)
    try:
        db.execute("vacuum into ?", (str(draft),))
        draft.chmod(0o600)
        check(draft)
        draft.rename(target)
    finally:
        draft.unlink(missing_ok=True)
    _put_behind(home, target)
    return target


def _put_behind(home: Home, newest: Path) -> None:
    """A copy with a later name was taken while the clock was ahead; what is restored begins with the last name."""
    for number, copy in enumerate(sorted(copy for copy in found(home) if copy.name > newest.name)):
        copy.rename(copy.with_name(f"{newest.stem}-ahead{number:02}.db"))


def check(copy: Path) -> None:
    db = apsw.Connection(str(copy), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        verdict = db.execute("pragma quick_check(1)").get
        lacking = migrate.lacking(db)
    finally:
        db.close()
    if verdict != "ok":
        raise apsw.CorruptError(f"{copy.name}: {verdict}")
    if lacking:
        raise apsw.CorruptError(f"{copy.name} has no {lacking[0]}")


def found(home: Home) -> list[Path]:
    """Copies, newest first."""
    if not home.copies.is_dir():
        return []
    return sorted(home.copies.glob("*.db"), reverse=True)
