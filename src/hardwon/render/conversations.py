"""Past conversations as text: the exchange, when and where it was, and what was said of the same before.

What people look for is not a sentence but what was asked and what was answered: that is shown, once, however many
passages of it were found.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hardwon.conversations.conversations import FoundPassage
from hardwon.store.connection import Store
from hardwon.store.erasure.forget_session import short
from hardwon.store.tables import passages
from hardwon.store.tables.passages import Passage, Turn
from hardwon.text.speech import discourse

SPARE = 3
"""Passages to look at for one exchange: several may be of the same."""
LONGEST, BESIDE = 600, 160
"""Characters of a turn, and of what was said before."""

Shown = Callable[[str, int], str]
"""A text, no longer than this, as whoever reads it may see it."""


@dataclass(frozen=True, slots=True)
class Exchange:
    found: FoundPassage
    turns: tuple[Turn, ...]
    before: tuple[Passage, ...]
    """What does not hold any more: of each session what tells most."""


def exchanges(store: Store, found: Sequence[FoundPassage], limit: int) -> list[Exchange]:
    """Each once, at the place of its best passage; without those that another one, further up, shows as its history."""
    seen: set[int] = set()
    kept: list[Exchange] = []
    for one in found:
        turns = passages.exchange(store, one.passage)
        entries = {turn.journal for turn in turns}
        if entries and not entries & seen:
            before = tuple(_once(one.earlier))
            history = (passages.exchange(store, earlier) for earlier in before)
            seen |= entries | {turn.journal for earlier in history for turn in earlier}
            kept.append(Exchange(one, tuple(turns), before))
    return kept[:limit]


def _once(earlier: Sequence[Passage]) -> list[Passage]:
    """One passage of each session, rather what was answered than what was asked."""
    chosen: dict[tuple[str, str], Passage] = {}
    for one in earlier:
        known = chosen.setdefault((one.host, one.session), one)
        if not _tells(known) and _tells(one):
            chosen[one.host, one.session] = one
    return list(chosen.values())


def _tells(passage: Passage) -> bool:
    return passage.role == "agent" or discourse.settles(passage.text) or discourse.states(passage.text)


def told(store: Store, passage: Passage) -> str:
    """A passage, or what was answered where it only asks."""
    turns = passages.exchange(store, passage)
    return passage.text if _tells(passage) or not turns else turns[-1].text


def lines(store: Store, one: Exchange, where: str, shown: Shown) -> list[str]:
    passage = one.found.passage
    return [
        f"{day(passage.at)}  {passage.host} {short(store, passage.session)}{f'  {where}' if where else ''}",
        *(
            f"  {'you' if turn.role == 'user' else turn.author or 'agent'}: "
            + shown(passage.text if turn.journal == passage.journal else turn.text, LONGEST)
            for turn in one.turns
        ),
        *(f"  before: {day(other.at)}  {shown(told(store, other), BESIDE)}" for other in one.before),
    ]


def day(at: int) -> str:
    return datetime.datetime.fromtimestamp(at / 1000, datetime.UTC).strftime("%Y-%m-%d")
