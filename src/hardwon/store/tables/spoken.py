"""What people said in one session, as the journal has it, and what was kept of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hardwon.store.connection import Store

MOST = 60
"""Prompts of a session that are looked through, the newest."""


@dataclass(frozen=True, slots=True)
class Words:
    """A person's words, as far as that is known: a prompt, or the answer to a call."""

    text: str
    origin: str
    prompt: str
    at: int
    call: str = ""
    tool: str = ""
    target: str = ""
    agent: str = ""


def of_session(store: Store, host: str, session: str) -> list[Words]:
    """Newest first. What a sub-agent was told was written by an agent; what a person said to its calls was not."""
    return [Words(*row) for row in store.rows(_SAID, (host, session, MOST))]


_SAID = """
select j.text, j.origin, j.prompt, j.at, j.call, j.tool, j.target, j.agent
from journal j join sessions s on s.row = j.session
where s.host = ? and s.id = ? and (j.type = 'prompt_submitted' and j.agent = '' or j.type = 'call_answered')
order by j.at desc, j.row desc limit ?
"""


def answered(store: Store, host: str, session: str, at: int) -> str:
    """What the agent had said before this, at the end of its turn."""
    return str(store.value(_BEFORE, (host, session, at)) or "")


_BEFORE = """
select j.text from journal j join sessions s on s.row = j.session
where s.host = ? and s.id = ? and j.type = 'turn_ended' and j.agent = '' and j.at <= ? order by j.at desc limit 1
"""


def used(store: Store, host: str, session: str, at: int, most: int = 8) -> list[str]:
    """The last commands that the agent had run before this."""
    return [target for (target,) in store.rows(_USED, (host, session, at, most))]


_USED = """
select j.target from journal j join sessions s on s.row = j.session
where s.host = ? and s.id = ? and j.tool = 'Bash' and j.type in ('tool_finished', 'tool_failed') and j.at <= ?
order by j.at desc limit ?
"""


def asked(store: Store, host: str, session: str, now: str, most: int) -> tuple[list[str], bool]:
    """What a person asked for in this session before what they ask now, the newest first, and whether they refused a
    call since."""
    found = [(type_, str(text)) for type_, text in store.rows(_ASKED, (host, session, most))]
    if found and found[0] == ("prompt_submitted", now[:600]):  # it is kept already
        found = found[1:]
    return [text for type_, text in found if type_ == "prompt_submitted"], bool(found) and found[0][
        0
    ] == "call_answered"


_ASKED = """
select j.type, substr(j.text, 1, 600) from journal j join sessions s on s.row = j.session
where s.host = ? and s.id = ? and j.agent = ''
  and (j.type = 'prompt_submitted' or j.type = 'call_answered' and j.origin = 'refused')
order by j.at desc, j.row desc limit ?
"""


def transcript(store: Store, host: str, session: str) -> str:
    return str(store.value("select transcript from sessions where host = ? and id = ?", (host, session)) or "")


def name_authors(store: Store, host: str, session: str, origins: Mapping[str, str]) -> None:
    """Who wrote these prompts, where that was not known."""
    with store.transaction():
        for prompt, origin in origins.items():
            store.db.execute(_AUTHOR, (origin, host, session, prompt))


_AUTHOR = """
update journal set origin = ?1 where type = 'prompt_submitted' and origin = '' and prompt = ?4 and agent = ''
  and session = (select row from sessions where host = ?2 and id = ?3)
"""


def went_on_as(store: Store, host: str, session: str) -> str:
    """The session that a person went on in after /clear; the client's server is not told of it. Empty when there is
    none, or when it can't be told which."""
    found = [id for (id,) in store.rows(_CLEARED, (NEAR, NEAR, host, session))]
    return found[0] if len(found) == 1 else ""


NEAR = 5_000
"""Milliseconds between the end of the one and the beginning of the other."""
_CLEARED = """
select n.id from sessions o
join journal e on e.session = o.row and e.type = 'session_ended' and e.text = 'clear'
join sessions n on n.host = o.host and n.row <> o.row and n.cwd = o.cwd
join journal b on b.session = n.row and b.type = 'session_started' and b.text = 'clear'
  and b.at between e.at - ? and e.at + ?
where o.host = ? and o.id = ?
"""


def marked(store: Store, host: str, session: str) -> list[str]:
    """The ids of what was marked in a session."""
    key = prefix(host, session)
    return [id for (id,) in store.rows("select memory from origins where key >= ? and key < ?", (key, key[:-1] + ";"))]


def prefix(host: str, session: str) -> str:
    """What the origin keys of all that was marked in a session begin with."""
    return f"marked:{host}:{session}:"
