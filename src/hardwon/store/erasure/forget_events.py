"""The events that a forgotten memory was made from.

What a session taught is put together from pieces of them: `` `make` failed: … ``, `` `make` works after: … ``. So they
never quote it as a whole. The error is cut out wherever it was printed; the events themselves are emptied, unless
another memory rests on them. Their keys stay, so that reading a transcript again does not bring them back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hardwon.store.connection import Store
from hardwon.store.log import records
from hardwon.text import tiers, untrusted

LEARNED = "session"
"""The source of what a session taught."""
SHORTEST = 16
"""A shorter command ("make test") stands in other events in its own right."""
LONGEST_COMMAND, LONGEST_CHANGE, LONGEST_HALF = 160, 320, 60
"""Characters of an event as they are quoted by what is learned from it."""
_ERROR = re.compile(r"\b(?:failed|then|success): (.+)", re.S)
_DONE = re.compile(r"(?:after|`): (.+)", re.S)
_DAY = re.compile(r"@\d{4}-\d\d-\d\d$")


@dataclass(frozen=True, slots=True)
class Origin:
    """What has to be known of a memory before its records are emptied."""

    bodies: tuple[str, ...]
    evidence: tuple[str, ...]

    @property
    def errors(self) -> list[str]:
        """What was printed when something failed, as the texts have it."""
        found = (_ERROR.search(body) for body in self.bodies)
        return [match[1].strip(' "…') for match in found if match]


def origin(store: Store, id: str) -> Origin:
    payloads = [record.payload or {} for record in records.of_memory(store, id)]
    if not any(payload.get("source") == LEARNED for payload in payloads):
        return Origin((), ())
    bodies = [payload["body"] for payload in payloads if "body" in payload]
    evidence = [one for payload in payloads for name in ("evidence", "more_evidence") for one in payload.get(name, ())]
    return Origin(tuple(dict.fromkeys(bodies)), tuple(dict.fromkeys(_DAY.sub("", one) for one in evidence)))


def empty(store: Store, origins: Iterable[Origin], mark: str) -> int:
    """Empty the events that these were made from; how many. To be called when the memories are gone."""
    rows: set[int] = set()
    for one in origins:
        for evidence in one.evidence:
            rows.update(_named(store, evidence, mark))
        for session in sorted({row for evidence in one.evidence for row, _ in _sessions(store, evidence)}):
            rows.update(_told(store, session, one.bodies))
    doomed = [row for row in sorted(rows) if not _is_needed(store, row)]
    store.db.executemany(_EMPTY, [{"mark": mark, "row": row} for row in doomed])
    return len(doomed)


_EMPTY = """
update journal set
  target = case target when '' then '' else :mark end,
  text = case text when '' then '' else :mark end,
  error = case error when '' then '' else :mark end
where row = :row
"""


def _sessions(store: Store, evidence: str) -> list[tuple[int, str]]:
    """The session that an evidence names, with the id of the call or the prompt in it."""
    found = store.rows(_SESSION, (evidence,))
    return [(row, evidence[length:]) for row, length in found]


_SESSION = """
select row, length(host) + length(id) + 2 from sessions
where substr(?1, 1, length(host) + length(id) + 2) = host || ':' || id || ':'
"""


def _named(store: Store, evidence: str, mark: str) -> Iterator[int]:
    """A call's entries; a prompt's, if what it said was learned in other words: else that was cut out of it."""
    for session, id in _sessions(store, evidence):
        for row, type_, text in store.rows(_ENTRIES, {"session": session, "id": id}) if id else ():
            if type_ != "prompt_submitted" or mark not in text:
                yield row


_ENTRIES = """
select row, type, text from journal where session = :session
  and (call = :id or (type = 'prompt_submitted' and (prompt = :id or (prompt = '' and cast(at as text) = :id))))
"""


def _told(store: Store, session: int, bodies: tuple[str, ...]) -> Iterator[int]:
    """What was done in this session and is told by one of these texts: the commands and edits that helped, or did
    not."""
    done = "\n".join(match[1] for body in bodies if (match := _DONE.search(body)))
    told = "\n".join(bodies)
    for row, target, text in store.rows(_CALLS, (session,)):
        if (len(target) >= SHORTEST and _as_command(target) in done) or any(
            piece in told for piece in _as_changes(text)
        ):
            yield row


_CALLS = """
select row, target, text from journal
where session = ? and type like 'tool%' and call <> '' and (length(target) >= 16 or length(text) >= 16)
"""


def _as_command(target: str) -> str:
    """As the texts of `learn` quote what was run."""
    flat = tiers.clip(" ".join(target.split()), LONGEST_COMMAND).replace("\n", " ")
    return f"`{flat}`"


def _as_changes(text: str) -> Iterator[str]:
    """As they quote what was edited: the whole change, or what was there before and after."""
    for piece, longest in ((text, LONGEST_CHANGE), *((half, LONGEST_HALF) for half in text[2:].split("\n+ "))):
        if len(piece) >= SHORTEST:
            yield untrusted.quoted(piece, longest)


def _is_needed(store: Store, row: int) -> bool:
    """Whether a memory that stays rests on this event."""
    return store.row(_RESTING, (row,)) is not None


_RESTING = """
select 1 from memories m, (
  select s.host || ':' || s.id || ':' || case j.call when '' then coalesce(nullif(j.prompt, ''), j.at) else j.call end
    as name
  from journal j join sessions s on s.row = j.session where j.row = ?
) e
where instr(m.evidence, '"' || e.name || '"') > 0 or instr(m.evidence, '"' || e.name || '@') > 0 limit 1
"""
