"""What was shown when, where, at what cost, and what came of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from hardwon.store.connection import Store

DAY = 86_400_000


class Outcome(StrEnum):
    UNKNOWN = "unknown"
    HELPED = "helped"
    IGNORED = "ignored"


@dataclass(frozen=True, slots=True)
class Showing:
    memory: str
    moment: str
    at: int
    tokens: int
    outcome: Outcome = Outcome.UNKNOWN
    agent: str = ""
    context: int = 0
    """Which context window of the session: compaction and clearing begin a new one."""


@dataclass(frozen=True, slots=True)
class Counts:
    """What the showings of one memory have come to."""

    shown: int = 0
    helped: int = 0
    ignored: int = 0
    ignored_at_prompt: int = 0


NEVER = Counts()


def record(store: Store, shown: list[Showing], session: tuple[str, str] | None = None) -> None:
    """Keep what was shown; `session` is the host and its session's id."""
    row = store.value("select row from sessions where host = ? and id = ?", session) if session else None
    with store.transaction():
        store.db.executemany(
            "insert into showings (memory, session, agent, context, moment, at, tokens, outcome)"
            " values (?, ?, ?, ?, ?, ?, ?, ?)",
            [(one.memory, row, one.agent, one.context, one.moment, one.at, one.tokens, one.outcome) for one in shown],
        )


def of_session(store: Store, host: str, session: str) -> list[Showing]:
    rows = store.rows(
        "select memory, moment, at, tokens, outcome, agent, context from showings"
        " where session = (select row from sessions where host = ? and id = ?) order by at",
        (host, session),
    )
    return [Showing(m, moment, at, tokens, Outcome(o), agent, c) for m, moment, at, tokens, o, agent, c in rows]


def undecided(store: Store, host: str, session: str) -> list[tuple[int, Showing]]:
    """Those of a session of which nothing is known yet, with their rows."""
    rows = store.rows(
        "select row, memory, moment, at, tokens, agent, context from showings"
        " where session = (select row from sessions where host = ? and id = ?) and outcome = ? order by at, row",
        (host, session, Outcome.UNKNOWN),
    )
    return [(row, Showing(m, moment, at, tokens, Outcome.UNKNOWN, a, c)) for row, m, moment, at, tokens, a, c in rows]


def decide(store: Store, outcomes: Sequence[tuple[int, Outcome]]) -> None:
    """What came of these rows. What is decided stays so: a second reading of the session changes nothing."""
    with store.transaction():
        store.db.executemany(
            "update showings set outcome = ? where row = ? and outcome = 'unknown'",
            [(outcome, row) for row, outcome in outcomes],
        )


def counts(store: Store, ids: Iterable[str]) -> dict[str, Counts]:
    """Of those that were ever shown."""
    wanted = tuple(ids)
    marks = ", ".join("?" * len(wanted))
    sql = f"select memory, shown, helped, ignored, ignored_at_prompt from showing_counts where memory in ({marks})"
    return {id: Counts(*numbers) for id, *numbers in store.rows(sql, wanted)}


def of_memory(store: Store, memory: str) -> list[Showing]:
    rows = store.rows(
        "select memory, moment, at, tokens, outcome from showings where memory = ? order by at", (memory,)
    )
    return [Showing(id, moment, at, tokens, Outcome(outcome)) for id, moment, at, tokens, outcome in rows]


def sessions_told(store: Store, memory: str, since: int) -> int:
    """How many sessions one memory was shown in since then."""
    sql = "select count(distinct session) from showings where memory = ? and at >= ?"
    return int(store.value(sql, (memory, since)))


def since(store: Store, at: int) -> list[tuple[int, str, str, int, str, str | None, str | None]]:
    """What was shown since then, in order: when, at which moment, which memory, tokens, outcome, session, project."""
    return store.rows(
        "select n.at, n.moment, n.memory, n.tokens, n.outcome, s.id, s.project from showings n"
        " left join sessions s on s.row = n.session where n.at >= ? order by n.at, n.row",
        (at,),
    )


def totals(store: Store, since: int) -> tuple[int, int]:
    """How many memories were shown since then, and how many tokens they took."""
    ((count, tokens),) = store.rows("select count(*), coalesce(sum(tokens), 0) from showings where at >= ?", (since,))
    return count, tokens


def in_session(store: Store, session: str) -> tuple[int, int]:
    """The same of one session, whichever client it is of."""
    ((count, tokens),) = store.rows(
        "select count(*), coalesce(sum(tokens), 0) from showings"
        " where session in (select row from sessions where id = ?)",
        (session,),
    )
    return count, tokens


def outcomes(store: Store, since: int) -> dict[str, int]:
    """How often each outcome followed a showing since then."""
    return dict(store.rows("select outcome, count(*) from showings where at >= ? group by outcome", (since,)))


def prune(store: Store, days: int, now: int) -> int:
    if not days:
        return 0
    with store.transaction():
        store.db.execute("delete from showings where at < ?", (now - days * DAY,))
        return store.db.changes()
