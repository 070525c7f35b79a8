"""The table `skill_memory` in the database of magic-context.

A copy is read, with its write-ahead log: SQLite would otherwise write beside the original. Columns differ between its
versions, so only the skill and the text are needed. Embeddings belong to their model and are left where they are.
"""

from __future__ import annotations

import datetime
import shutil
import tempfile
from pathlib import Path
from typing import Any

import apsw

from hardwon.memory import GLOBAL, LessonType
from hardwon.regular_file import regular
from hardwon.store.foreign import Foreign, Gathered
from hardwon.store.foreign.knowledge_file import LONGEST, MOST_HITS

TABLE = "skill_memory"
_TEXTS = ("delta", "content", "note", "text", "body")
"""The column with the text, by the first of these names that is there."""
_HEADER = b"SQLite format 3\0"


class NotReadable(Exception):
    """The database can't be read; a sentence without its name."""


def gather(file: Path) -> Gathered:
    gathered = Gathered(files=[str(file)])
    with tempfile.TemporaryDirectory(prefix="hardwon-") as folder:
        copy = Path(folder) / "copy.db"
        _copy(file, copy)
        db = apsw.Connection(str(copy))
        try:
            db.execute("pragma trusted_schema = off")
            _read(db, file, gathered)
        except (apsw.Error, UnicodeDecodeError) as error:
            raise NotReadable(f"is damaged or in use ({error}): close the client and try again") from error
        finally:
            db.close()
    return gathered


def _copy(file: Path, copy: Path) -> None:
    try:
        with open(file, "rb", opener=regular) as source:
            if source.read(len(_HEADER)) != _HEADER:
                raise NotReadable("is no SQLite database")
        shutil.copyfile(file, copy)
        log = file.with_name(f"{file.name}-wal")
        if log.exists():
            shutil.copyfile(log, copy.with_name(f"{copy.name}-wal"))
    except OSError as error:
        raise NotReadable(f"can't be read: {error.strerror}") from error


def _read(db: apsw.Connection, file: Path, gathered: Gathered) -> None:
    columns = [str(row[1]) for row in db.execute(f"pragma table_info({TABLE})")]
    text = next((name for name in _TEXTS if name in columns), None)
    if text is None or "skill_id" not in columns:
        has = f"has the columns {', '.join(columns)}" if columns else "is not there"
        raise NotReadable(f'holds no skill memory: the table "{TABLE}" {has}')
    wanted = [name for name in columns if not name.endswith("_embedding")]
    rows = db.execute(f"select {', '.join(map(_quoted, wanted))} from {TABLE} order by rowid")
    for order, values in enumerate(rows):
        row = dict(zip(wanted, values, strict=True))
        where = f"{file}: row {row.get('id', order + 1)}"
        body, skill = row[text], row["skill_id"]
        if not (isinstance(body, str) and body.strip() and isinstance(skill, str) and skill.strip()):
            gathered.problems.append(f"{where}: without a text or a skill")
        elif len(body.encode("utf-8", "replace")) > LONGEST:
            gathered.problems.append(f"{where}: a text of more than {LONGEST // 1000} KB")
        else:
            gathered.found.append(_foreign(row, body.strip(), skill.strip(), where, order))


def _quoted(column: str) -> str:
    return '"' + column.replace('"', '""') + '"'


def _foreign(row: dict[str, Any], body: str, skill: str, where: str, order: int) -> Foreign:
    kind = str(row.get("kind") or "")
    hits = row.get("hit_count")
    return Foreign(
        body=body,
        where=where,
        skill=skill,
        title=str(row.get("title") or ""),
        subtype=kind if kind in list(LessonType) else "",
        intent=str(row.get("intent") or ""),
        author=str(row.get("source_type") or ""),
        created_at=_moment(row.get("created_at")),
        hits=min(max(hits, 0), MOST_HITS) if isinstance(hits, int) else 0,
        pinned=bool(row.get("pinned")),
        project="" if row.get("tier") == "global" else _project(row.get("project_identity")),
        order=order,
    )


def _project(identity: Any) -> str:
    return "" if identity in (None, "", GLOBAL) else str(identity)


_YEAR_2000 = 946_684_800


def _moment(value: Any) -> int | None:
    """UTC milliseconds from seconds, milliseconds or a text."""
    if isinstance(value, str):
        try:
            parsed = datetime.datetime.fromisoformat(value)
        except ValueError:
            return None
        aware = parsed if parsed.tzinfo else parsed.replace(tzinfo=datetime.UTC)
        return int(aware.timestamp() * 1000)
    if not isinstance(value, int | float) or value < _YEAR_2000:
        return None
    return int(value if value > _YEAR_2000 * 100 else value * 1000)
