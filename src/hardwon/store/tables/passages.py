"""What was said in past sessions, in passages of about a hundred words: prompts, and what the agents answered.

Long texts are cut because a passage in the middle of one would otherwise be outweighed by all that stands around it.
The journal's triggers keep a list of what is to be cut and take out what is gone; `index_new` works off the list.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hardwon.store.connection import Store
from hardwon.store.index.search_index import Hit, quoted, searchable

WORDS = 100
"""A passage's length."""
MOST_PARTS = 40
BEFORE = 60
"""Words of what a passage answers that are indexed with it."""
PORTION = 200
"""Entries that are cut in one transaction: an answer may be waiting for the database."""


NOWHERE = ""
"""The project of sessions that belong to none."""


@dataclass(frozen=True, slots=True)
class Passage:
    row: int
    host: str
    session: str
    project: str
    at: int
    author: str
    """What the sub-agent that said it is called; empty for the person and for the main agent."""
    role: str
    """user or agent."""
    text: str
    journal: int
    part: int


def cut(text: str, words: int = WORDS) -> list[str]:
    """In pieces of about so many words, at the ends of lines or sentences where there are any. Characters of scripts
    without blanks count as half a word each."""
    pieces: list[str] = []
    size, start = 0.0, 0
    for match in _SENTENCE.finditer(text):
        more = length(match[0])
        if size and size + more > words:
            pieces.append(text[start : match.start()])
            start, size = match.start(), 0.0
        size += more
    pieces.append(text[start:])
    return [piece.strip() for piece in pieces if piece.strip()][:MOST_PARTS]


_SENTENCE = re.compile(r"[^\n.!?。！？]{1,600}(?:[.!?。！？]+|\n+|$)?|[\n.!?。！？]+")
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def length(text: str) -> float:
    """In words; see `cut`."""
    wide = 0 if text.isascii() else len(_WIDE.findall(text))
    return len(text.split()) + wide / 2


def index_new(store: Store, most: int | None = None) -> int:
    """Cut what is on the list, at most so many entries; how many were."""
    done = 0
    while most is None or done < most:
        portion = PORTION if most is None else min(PORTION, most - done)
        with store.transaction():
            count = _index(store, portion)
        done += count
        if count < portion:
            break
    return done


def _index(store: Store, most: int) -> int:
    due = store.rows(_DUE, (most,))
    pieces = []
    for row, session, at, text in due:
        said = [*store.rows(_SAID_BEFORE, {"session": session, "at": at, "row": row}), (None, ""), (None, "")]
        (answers, before), (follows, earlier) = said[:2]
        about = (_end(before), _end(earlier), answers, follows)
        pieces += [(row, part, session, at, searchable(piece), *about) for part, piece in enumerate(cut(text))]
    # All at once: each statement that changes the index makes it write down what it has gathered.
    rows = ", ".join(str(row) for row, *_ in due)
    store.db.execute(f"delete from passages where journal in ({rows})")
    store.db.execute(_INSERT, (json.dumps(pieces, ensure_ascii=False),))
    store.db.execute(f"delete from passages_due where journal in ({rows})")
    return len(due)


_INSERT = """
insert into passages (journal, part, session, at, text, before, earlier, answers, follows)
select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7,
  value ->> 8 from json_each(?) order by key
"""


def _end(text: str) -> str:
    return searchable(" ".join(text.split()[-BEFORE:]))


_DUE = """
select j.row, j.session, j.at, j.text from passages_due d cross join journal j on j.row = d.journal
order by d.journal limit ?
"""
_SAID_BEFORE = """
select row, text from journal
where session = :session and (at, row) < (:at, :row) and type in ('prompt_submitted', 'turn_ended')
order by at desc, row desc limit 2
"""


def rebuild(store: Store) -> None:
    """Put everything on the list, after the tables have been made anew."""
    # The trigger takes words out one by one, and an index that lacks some of them would call that damage.
    taking_out = store.value("select sql from sqlite_schema where type = 'trigger' and name = 'passages_removed'")
    store.db.execute("drop trigger passages_removed")
    store.db.execute("delete from passages")
    store.db.execute("insert into passage_search (passage_search) values ('delete-all')")
    store.db.execute(str(taking_out))
    store.db.execute(
        "insert or ignore into passages_due (journal)"
        " select row from journal where type in ('prompt_submitted', 'turn_ended') and text <> ''"
    )


def due(store: Store) -> int:
    return int(store.value("select count(*) from passages_due"))


def rows_with(store: Store, word: str, limit: int) -> int:
    """In how many passages a word stands, counted no further than `limit`."""
    sql = "select count(*) from (select 1 from passage_search where passage_search match ? limit ?)"
    return int(store.value(sql, (quoted(word), limit)))


def having(store: Store, word: str, limit: int) -> list[int]:
    """The passages in which a word stands, or in what they answer; at most so many."""
    return _matching(store, quoted(word), limit)


def having_itself(store: Store, word: str, limit: int) -> list[int]:
    """Those in whose own text it stands."""
    return _matching(store, f"text : {quoted(word)}", limit)


def _matching(store: Store, match: str, limit: int) -> list[int]:
    sql = "select rowid from passage_search where passage_search match ? limit ?"
    return [row for (row,) in store.rows(sql, (match, limit))]


_COUNTED = """
select each.value, (select count(*) from (select 1 from passage_search where passage_search match each.value limit ?2))
from json_each(?1) each
"""


def frequencies(store: Store, words: Iterable[str], limit: int) -> dict[str, int]:
    """The same of many words at once, which takes half as long or less."""
    spelled = {quoted(word): word for word in words}
    found = store.rows(_COUNTED, (json.dumps(list(spelled), ensure_ascii=False), limit)) if spelled else []
    return {spelled[match]: count for match, count in found}


def size(store: Store) -> int:
    """About how many there are."""
    return int(store.value("select max(row) from passages") or 0)


WITH_BEFORE, WITH_EARLIER = 0.5, 0.3
"""What a word in what is answered weighs, and in what stood before that, against one in the passage itself."""
# Ranked before the rest is looked up, as in `search_index`.
_BEST = """
select s.row, s.score from
(select rowid as row, -bm25(passage_search, 1.0, {before}, {earlier}) as score from passage_search
 where passage_search match ? order by score desc limit 1000000) s
cross join passages p on p.row = s.row cross join sessions h on h.row = p.session
where {where} order by s.score desc limit ?
"""


def best(
    store: Store, words: Sequence[str], projects: Sequence[str], limit: int, together: Sequence[Sequence[str]] = ()
) -> list[Hit]:
    """The passages of these projects (of all, if none is named) with any of these words, or with a word of each group
    of `together`. The caller bounds them."""
    return _ranked(store, _match(words, together), *_in(projects), limit)


def later(store: Store, than: Passage, words: Sequence[str], limit: int) -> list[Hit]:
    """Those with any of these words from later sessions of the same project. The caller bounds the words."""
    where = "coalesce(h.project, '') = ? and p.at > ? and (h.host, h.id) <> (?, ?)"
    return _ranked(store, _match(words), where, (than.project, than.at, than.host, than.session), limit)


def newest(store: Store, words: Sequence[str], projects: Sequence[str], limit: int, among: int) -> list[Hit]:
    """Those of the last `among` passages with all of these words: for words too common to rank by."""
    where, given = _in(projects)
    match = " AND ".join(map(quoted, words))
    return [Hit(row, 1.0) for (row,) in store.rows(_NEWEST.format(where=where), (match, among, *given, limit))]


_NEWEST = """
select s.row from
(select rowid as row from passage_search where passage_search match ? order by rowid desc limit ?) s
cross join passages p on p.row = s.row cross join sessions h on h.row = p.session
where {where} order by s.row desc limit ?
"""


def together(store: Store, groups: Sequence[Sequence[str]], limit: int) -> int:
    """How many passages have a word of each group, counted no further than `limit`."""
    sql = "select count(*) from (select 1 from passage_search where passage_search match ? limit ?)"
    return int(store.value(sql, (_match((), groups), limit)))


def _in(projects: Sequence[str]) -> tuple[str, Sequence[str]]:
    return (f"coalesce(h.project, '') in ({', '.join('?' * len(projects))})" if projects else "1"), projects


def _match(words: Sequence[str], together: Sequence[Sequence[str]] = ()) -> str:
    groups = " AND ".join(f"({' OR '.join(map(quoted, group))})" for group in together)
    return " OR ".join([*map(quoted, words), *([f"({groups})"] if groups else [])])


def _ranked(store: Store, match: str, where: str, given: Sequence[str | int], limit: int) -> list[Hit]:
    sql = _BEST.format(where=where, before=WITH_BEFORE, earlier=WITH_EARLIER)
    return [Hit(row, score) for row, score in store.rows(sql, (match, *given, limit))]


@dataclass(frozen=True, slots=True)
class Read:
    passage: Passage
    indexed: str
    """Its text as it is indexed."""
    before: str
    """What it answers, as it is indexed."""
    earlier: str
    """What stood before that."""
    begins: bool = False
    """With it a talk begins that goes on: the first prompt, and what was answered to it."""
    ends: bool = False
    """Nobody asked for anything after it."""
    answered: bool = True
    """Somebody else speaks in its session, too: it is a talk."""


_READ = """
select p.row, s.host, s.id, coalesce(s.project, ''), p.at, j.tool,
  case j.type when 'prompt_submitted' then 'user' else 'agent' end, j.text, p.journal, p.part,
  p.text, p.before, p.earlier,
  p.earlier = '' and 2 < (
    select count(*) from (select 1 from passages o where o.session = p.session and o.part = 0 limit 3)
  ),
  not exists (
    select 1 from journal n where n.session = j.session and (n.at, n.row) > (j.at, j.row)
    and n.type in ('prompt_submitted', 'turn_ended') and n.type = 'prompt_submitted'
  ),
  exists (
    select 1 from journal o where o.session = j.session
    and o.type in ('prompt_submitted', 'turn_ended') and o.type <> j.type
  )
from passages p join journal j on j.row = p.journal join sessions s on s.row = p.session
where p.row in ({rows})
"""


def by_rows(store: Store, rows: Iterable[int]) -> dict[int, Read]:
    marks = ", ".join(str(int(row)) for row in rows)
    found = {}
    for row, host, session, project, at, author, role, text, journal, part, *about in store.rows(
        _READ.format(rows=marks)
    ):
        indexed, before, earlier, *place = about
        pieces = cut(text)
        piece = pieces[part] if part < len(pieces) else text
        passage = Passage(row, host, session, project, at, author, role, piece, journal, part)
        found[row] = Read(passage, indexed, before, earlier, *map(bool, place))
    return found


def answered(store: Store, row: int) -> str:
    """What a passage answers, whole; empty for the first of a session."""
    sql = "select j.text from passages p join journal j on j.row = p.answers where p.row = ?"
    return str(store.value(sql, (row,)) or "")


_PLACE = """
select p.session, p.at, p.journal, j.type from passages p join journal j on j.row = p.journal where p.row = ?
"""
_AROUND = """
select p.row, j.type from passages p join journal j on j.row = p.journal
where p.session = :session and (p.at, p.row) {than} (:at, :row) and p.journal <> :journal
order by p.at {order}, p.row {order} limit {most}
"""


AFTER = 3
"""So many passages later an answer may still belong to what was said."""


@dataclass(frozen=True, slots=True)
class Around:
    before: int | None = None
    after: tuple[int, ...] = ()
    """The next ones, in order."""


def around(store: Store, row: int) -> Around:
    """The passages beside this one in its session, from where somebody else speaks: nobody answers themselves, and the
    parts of one text don't answer each other."""
    sql = (
        "select p.session, p.at, p.journal, j.type from passages p join journal j on j.row = p.journal where p.row = ?"
    )
    place = store.row(sql, (row,))
    if place is None:
        return Around()
    asked = {"session": place[0], "at": place[1], "journal": place[2], "row": row}
    before = store.row(_AROUND.format(than="<", order="desc", most=1), asked)
    after = store.rows(_AROUND.format(than=">", order="asc", most=AFTER), asked)
    answered = itertools.dropwhile(lambda one: one[1] == place[3], after)
    return Around(before[0] if before and before[1] != place[3] else None, tuple(one for one, _ in answered))


_PARTNERS = """
select p.row, case j.type
  when 'prompt_submitted' then (
    select case when a.type <> j.type then o.row end from passages o join journal a on a.row = o.journal
    where o.session = p.session and (o.at, o.row) > (p.at, p.row) and o.journal <> p.journal
    order by o.at, o.row limit 1
  )
  else (
    select o.row from passages o join journal a on a.row = o.journal
    where o.journal = p.answers and a.type <> j.type order by o.part desc limit 1
  )
end
from passages p join journal j on j.row = p.journal where p.row in ({rows})
"""


def partners(store: Store, rows: Iterable[int]) -> dict[int, int]:
    """With which other passage each makes an exchange: a prompt with its answer, an answer with what it answers."""
    marks = ", ".join(str(int(row)) for row in rows)
    return {row: other for row, other in store.rows(_PARTNERS.format(rows=marks)) if other is not None}


@dataclass(frozen=True, slots=True)
class Turn:
    role: str
    author: str
    """As a passage's."""
    at: int
    text: str
    journal: int


_PROMPT = """
select 'user', tool, at, text, row from journal
where session = :session and (at, row) {than} (:at, :row) and type = 'prompt_submitted' and text <> ''
order by at desc, row desc limit 1
"""
_ANSWERS = """
select 'agent', tool, at, text, row from journal
where session = :session and (at, row) > (:at, :row) and type = 'turn_ended' and text <> ''
  and (at, row) < (coalesce(:until, at + 1), coalesce(:until_row, row))
order by at, row limit 1
"""
_NEXT_PROMPT = """
select at, row from journal where session = :session and (at, row) > (:at, :row) and type = 'prompt_submitted'
order by at, row limit 1
"""


def exchange(store: Store, passage: Passage) -> list[Turn]:
    """The prompt and what was answered to it, one of which is this passage's; either may be missing."""
    own = store.row("select session, at, row from journal where row = ?", (passage.journal,))
    if own is None:
        return []
    place = {"session": own[0], "at": own[1], "row": own[2]}
    than = "<=" if passage.role == "user" else "<"
    prompt = store.row(_PROMPT.format(than=than), place)
    if passage.role == "agent":
        answer = store.row("select 'agent', tool, at, text, row from journal where row = ?", (passage.journal,))
    else:
        until = store.row(_NEXT_PROMPT, place) or (None, None)
        answer = store.row(_ANSWERS, place | {"until": until[0], "until_row": until[1]})
    return [Turn(*turn) for turn in (prompt, answer) if turn is not None]
