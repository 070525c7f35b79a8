"""What was seen of branches, what a job found out about their refs, and what sessions were told of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from hardwon.redact import border
from hardwon.store.connection import Store
from hardwon.text.branches.fact import Fact, What

KEPT = 30 * 86_400_000
"""Milliseconds that a fact counts at most."""
MOST = 2_000
"""Facts of a branch that are read: the latest."""
NEWS = (What.ISSUE, What.PR, What.PUSH, What.CHECK, What.MARK)
_COLUMNS = "what, branch, value, state, rank, how, worktree, at, host, session, key"


def record(store: Store, project: str, facts: Iterable[Fact]) -> None:
    """Each once; of a list that changes, and of a task, as it was last. In the caller's transaction."""
    rows = [(project, *_passed(store, fact)) for fact in facts]
    if rows:
        with store.transaction():
            store.db.executemany(_RECORD, rows)


def _passed(store: Store, fact: Fact) -> tuple[object, ...]:
    branch = border.identifier(fact.branch, store.redactor)
    value, how, worktree = border.clean([fact.value, fact.how, fact.worktree], store.redactor)
    return (branch, fact.what, value, fact.state, fact.rank, how, worktree, fact.at, fact.host, fact.session, fact.key)


_RECORD = """
insert into branch_facts (project, branch, what, value, state, rank, how, worktree, at, host, session, key)
values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
on conflict (host, session, key) do update set
  value = case excluded.value when '' then value else excluded.value end, state = excluded.state, at = excluded.at
where excluded.at >= at and what in ('task', 'todo')
"""


def of(store: Store, project: str, names: Mapping[str, tuple[int, int]], now: int) -> list[Fact]:
    """What is known of a branch, oldest first: by each name that it had, from when until when."""
    found: list[Fact] = []
    for name, (since, until) in names.items():
        bound = (project, name, max(since, now - KEPT), until, MOST)
        found += [_fact(row) for row in store.rows(_OF, bound)]
    return sorted(found, key=lambda fact: fact.at)


_OF = f"""
select {_COLUMNS} from branch_facts where project = ? and branch = ? and at >= ? and at < ? order by at desc limit ?
"""


def bases(store: Store, project: str, now: int) -> list[Fact]:
    """All that is known of what is based on what, oldest first."""
    sql = (
        f"select {_COLUMNS} from branch_facts where project = ? and at >= ? and what in ('base', 'confirmed', 'pr',"
        " 'deleted', 'renamed') order by at limit ?"
    )
    return [_fact(row) for row in store.rows(sql, (project, now - KEPT, MOST))]


def news(store: Store, project: str, host: str, session: str, since: int) -> list[Fact]:
    """What happened in other sessions since then, the latest first."""
    marks = ", ".join(f"'{one}'" for one in (*NEWS, What.EDIT))
    sql = (
        f"select {_COLUMNS} from branch_facts where project = ? and at >= ? and not (host = ? and session = ?)"
        f" and what in ({marks}) order by at desc limit 400"
    )
    return [_fact(row) for row in store.rows(sql, (project, since, host, session))]


def known(store: Store, project: str, most: int = 50) -> list[str]:
    """Branches of which something is known, the latest first."""
    sql = (
        "select branch from branch_facts where project = ? and branch <> '' group by branch"
        " order by max(at) desc limit ?"
    )
    return [name for (name,) in store.rows(sql, (project, most))]


def _fact(row: Sequence[object]) -> Fact:
    what, branch, value, state, rank, how, worktree, at, host, session, key = row
    return Fact(
        What(str(what)), str(branch), str(value), str(state), int(str(rank)), str(how), str(worktree), int(str(at)),
        str(host), str(session), str(key),
    )  # fmt: skip


# ── refs ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def contained(store: Store, common: str, base: str, mark: str) -> bool | None:
    """Whether a base is in the default branch, as a job found it for these very commits; None where it must look."""
    row = store.row(
        "select contained from branch_refs where common = ? and base = ? and mark = ?", (common, base, mark)
    )
    return bool(row[0]) if row else None


def found(store: Store, common: str, base: str, mark: str, contained: bool, now: int) -> None:
    path, name = border.clean([common, base], store.redactor)
    with store.transaction():
        store.db.execute(
            "insert or replace into branch_refs (common, base, mark, contained, at) values (?, ?, ?, ?, ?)",
            (path, name, mark, int(contained), now),
        )


# ── what was told ────────────────────────────────────────────────────────────────────────────────────────────────────


def told(store: Store, host: str, session: str) -> dict[tuple[str, int], set[str]]:
    """By agent and window: what it was told, by its mark."""
    known: dict[tuple[str, int], set[str]] = {}
    for agent, context, what in store.rows(
        "select agent, context, what from told where host = ? and session = ?", (host, session)
    ):
        known.setdefault((agent, context), set()).add(what)
    return known


def sessions_told(store: Store, project: str, what: str) -> int:
    """How many sessions of the project were told this."""
    sql = (
        "select count(*) from (select distinct t.host, t.session from told t"
        " join sessions s on s.host = t.host and s.id = t.session where t.what = ? and s.project = ?)"
    )
    return int(store.value(sql, (what, project)))


def tell(store: Store, host: str, session: str, agent: str, context: int, marks: Iterable[str], at: int) -> None:
    with store.transaction():
        store.db.executemany(
            "insert or ignore into told (host, session, agent, context, what, at) values (?, ?, ?, ?, ?, ?)",
            [(host, session, agent, context, mark, at) for mark in marks],
        )


# ── keeping house ────────────────────────────────────────────────────────────────────────────────────────────────────


def prune(store: Store, now: int) -> None:
    with store.transaction():
        store.db.execute("delete from branch_facts where at < ?", (now - KEPT,))
        store.db.execute("delete from branch_refs where at < ?", (now - KEPT,))
        store.db.execute("delete from told where at < ?", (now - KEPT,))


def drop_session(store: Store, host: str, session: str) -> None:
    for table in ("branch_facts", "told"):
        store.db.execute(f"delete from {table} where host = ? and session = ?", (host, session))


def cut(store: Store, cut_out: Callable[[str], str]) -> None:
    """What is forgotten is quoted here no longer."""
    for row, value in store.rows("select row, value from branch_facts where length(value) >= 16"):
        if (without := cut_out(value)) != value:
            store.db.execute("update branch_facts set value = ? where row = ?", (without, row))
