"""Past conversations as text: the exchange, when and where it was, what was said of the same before, and perhaps since.

What people look for is not a sentence but what was asked and what was answered: that is shown, once, however many
passages of it were found.
"""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hardwon.recall.conversations import FoundPassage
from hardwon.store import passages
from hardwon.store.connection import Store
from hardwon.store.forget_session import short
from hardwon.store.passages import Passage, Turn
from hardwon.understand import speech

SPARE = 3
"""Passages to look at for one exchange: several may be of the same."""
LONGEST, BESIDE = 600, 160
"""Characters of a turn, and of what was said before, or later."""

Shown = Callable[[str, int], str]
"""A text, no longer than this, as whoever reads it may see it."""


@dataclass(frozen=True, slots=True)
class Exchange:
    found: FoundPassage
    turns: tuple[Turn, ...]
    before: tuple[Passage, ...]
    """What does not hold any more: of each session what tells most."""
    perhaps_since: Passage | None = None
    """What was said later and may be of the same, unless it is shown further up."""


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
    return _with_since(store, kept[:limit], found)


def _with_since(store: Store, kept: Sequence[Exchange], found: Sequence[FoundPassage]) -> list[Exchange]:
    """What may be of the same since, by any passage of an exchange; unless it is shown, or named, further up."""
    since: dict[int, Passage] = {}
    for one in found:
        if one.perhaps_since:
            since.setdefault(one.passage.journal, one.perhaps_since)
    above: set[int] = set()
    complete = []
    for exchange in kept:
        above |= {turn.journal for turn in exchange.turns}
        later = next((since[turn.journal] for turn in _best_first(exchange) if turn.journal in since), None)
        if later:
            entries = {turn.journal for turn in passages.exchange(store, later)} | {later.journal}
            later = None if entries & above else later
            above |= entries
        complete.append(dataclasses.replace(exchange, perhaps_since=later))
    return complete


def _best_first(exchange: Exchange) -> list[Turn]:
    """The turn that was found, then the others."""
    return sorted(exchange.turns, key=lambda turn: turn.journal != exchange.found.passage.journal)


def _once(earlier: Sequence[Passage]) -> list[Passage]:
    """One passage of each session, rather what was answered than what was asked."""
    chosen: dict[tuple[str, str], Passage] = {}
    for one in earlier:
        known = chosen.setdefault((one.host, one.session), one)
        if not _tells(known) and _tells(one):
            chosen[one.host, one.session] = one
    return list(chosen.values())


def _tells(passage: Passage) -> bool:
    return passage.role == "agent" or speech.settles(passage.text) or speech.states(passage.text)


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
        *(
            f"  perhaps since: {day(other.at)}  {shown(told(store, other), BESIDE)}"
            for other in (one.perhaps_since,)
            if other
        ),
    ]


def day(at: int) -> str:
    return datetime.datetime.fromtimestamp(at / 1000, datetime.UTC).strftime("%Y-%m-%d")
