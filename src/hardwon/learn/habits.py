"""What a person asks for again and again, session after session: offered as a rule, without being understood.

Near-equal short sentences are counted ("run the linter before you commit", "please run the linter before committing").
In the third session the sentence waits in the review, where a person says whether it is a rule.
"""

from __future__ import annotations

from hardwon.memory import Draft, Kind, Memory, Scope, Trust
from hardwon.store import changes
from hardwon.store.connection import Store
from hardwon.store.tables import memories
from hardwon.text.speech import quotes
from hardwon.text.speech.blocks import Hand, sentences

SOURCE = "habit"
SESSIONS = 3
ALIKE = 0.75
"""Of the words of both."""
SHORTEST, LONGEST = 3, 20
"""Telling words: "go on" tells nothing, and what is longer is told anew each time."""
LOOKED_AT = 600
"""Prompts of the project that are looked through, the newest."""
LONGEST_PROMPT = 400
"""Characters of a prompt that is."""


def follow(store: Store, host: str, session: str, now: int) -> int:
    """Keep what this session's person asked for in two other sessions, too; how many are new."""
    project = str(store.value("select project from sessions where host = ? and id = ?", (host, session)) or "")
    said = _said(store, project) if project else []
    asked = [found for text, other in said if other == session for found in _sentences(text)]
    if not asked:
        return 0
    wanted = frozenset().union(*(words for _, words in asked))
    others = [
        (words, other)
        for text, other in said
        if other != session and len(quotes.telling(text) & wanted) >= SHORTEST
        for _, words in _sentences(text)
    ]
    often = [one for one, words in asked if _times(words, others) >= SESSIONS - 1]
    return sum(_keep(store, one, project, host, session, now) for one in often)


def _said(store: Store, project: str) -> list[tuple[str, str]]:
    return [(str(text), str(session)) for text, session in store.rows(_PROMPTS, (project, LONGEST_PROMPT, LOOKED_AT))]


_PROMPTS = """
select j.text, s.id from journal j join sessions s on s.row = j.session
where s.project = ? and j.type = 'prompt_submitted' and j.agent = '' and j.origin <> 'program'
  and length(j.text) <= ? order by j.at desc limit ?
"""


def _sentences(text: str) -> list[tuple[str, frozenset[str]]]:
    own = [one.text for one in sentences(text) if one.hand is Hand.OWN and not one.text.rstrip().endswith(("?", "？"))]
    told = [(one, quotes.telling(one)) for one in own]
    return [(one, words) for one, words in told if SHORTEST <= len(words) <= LONGEST]


def _times(words: frozenset[str], others: list[tuple[frozenset[str], str]]) -> int:
    """In how many other sessions nearly the same was said."""
    return len({session for other, session in others if _are_alike(words, other)})


def _are_alike(some: frozenset[str], others: frozenset[str]) -> bool:
    return len(some & others) >= ALIKE * len(some | others)


def _keep(store: Store, said: str, project: str, host: str, session: str, now: int) -> bool:
    words = quotes.telling(said)
    if any(_are_alike(quotes.telling(one.body), words) for one in _waiting(store, project)):
        return False
    draft = Draft(
        kind=Kind.RULE,
        body=" ".join(said.split()),
        scope=Scope(project),
        trust=Trust.USER,
        source=SOURCE,
        intent="",
        evidence=(f"{host}:{session}",),
        origin_key=f"{host}:{session}:habit:{quotes.fold(said)[:80]}",
        candidate=True,
    )
    return changes.note(store, changes.passed(store, draft), now).outcome is changes.Outcome.CREATED


def _waiting(store: Store, project: str) -> list[Memory]:
    found, _ = memories.listed(store, memories.Filter((project,), kinds=(Kind.RULE,)), 200)
    return [one for one in found if one.source == SOURCE]
