"""Sheets for readers who judge a rehearsal without knowing what it made of a place: one JSON object per line.

A sheet of opportunities shows what was mined, with what stood around it and the earlier place that is said to have had
the answer. A sheet of sayings shows what was said, with what came before and after.
"""

from __future__ import annotations

import random
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from hardwon.hosts.past_sessions import Log
from hardwon.rehearsal.opportunities import Happening, Opportunity, What
from hardwon.rehearsal.saying import Saying
from hardwon.rehearsal.stream import Counts, merged, sources

AROUND = 14
"""Happenings before and after."""
WIDE = 600
EXCERPT = 500
SEED = 60
Clean = Callable[[str], str]


@dataclass(slots=True)
class Place:
    """Where in a session something is, and what is around it."""

    session: str
    number: int
    before: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)


def of_opportunities(logs: Sequence[Log], some: Sequence[Opportunity], clean: Clean) -> Iterator[dict[str, Any]]:
    places = [Place(one.session, one.number) for one in some]
    earlier = _look(logs, places, some)
    for one, place in zip(some, places, strict=True):
        answer = [one.answer.token, *one.answer.along] if one.answer else []
        yield {"id": one.id, "kind": str(one.kind), "claim": _claim(one), "answer": answer, "cost": one.cost,
               "what": clean(one.what), "then": clean(one.how), "before": [clean(line) for line in place.before],
               "after": [clean(line) for line in place.after], "earlier": clean(earlier.get(one.id, "")),
               "real": None}  # fmt: skip


def of_sayings(logs: Sequence[Log], some: Sequence[Saying], clean: Clean) -> Iterator[dict[str, Any]]:
    places = [Place(one.session, one.number) for one in some]
    _look(logs, places, [])
    for one, place in zip(some, places, strict=True):
        yield {"id": f"{one.session}:{one.agent}:{one.number}:{one.moment}", "moment": str(one.moment),
               "said": clean(one.text), "to": clean(one.target[:WIDE]),
               "before": [clean(line) for line in place.before], "after": [clean(line) for line in place.after],
               "in_place": None}  # fmt: skip


def drawn(found: Sequence[Any], number: int) -> list[Any]:
    """The same ones each time."""
    return random.Random(SEED).sample(list(found), min(number, len(found)))


def _claim(one: Opportunity) -> str:
    answer = one.answer.token if one.answer else ""
    return f"An earlier session had {answer!r}; known before this place it would have saved {one.cost} calls."


def _look(logs: Sequence[Log], places: Iterable[Place], some: Sequence[Opportunity]) -> dict[str, str]:
    """Fill in what stands around the places; and the earlier places of the opportunities."""
    by_session: dict[str, list[Place]] = defaultdict(list)
    for place in places:
        by_session[place.session].append(place)
    sought: dict[tuple[str, int], list[Opportunity]] = defaultdict(list)
    for one in some:
        sought[one.source, one.source_at].append(one)
    earlier: dict[str, str] = {}
    last: dict[str, deque[str]] = defaultdict(lambda: deque(maxlen=AROUND))
    for told in merged(sources(logs, Counts()), Counts()):
        happening = told.happening
        for one in sought.get((happening.session, happening.at), ()):
            if one.answer and (excerpt := _excerpt(happening, one.answer.token)):
                earlier.setdefault(one.id, excerpt)
        if not (line := _line(happening)):
            continue
        for place in by_session.get(happening.session, ()):
            if place.number == happening.number:
                place.before = [*last[happening.session]]
            if happening.number >= place.number and len(place.after) < AROUND:
                place.after.append(line)
        last[happening.session].append(line)
    return earlier


def _line(one: Happening) -> str:
    if one.what in (What.BEGAN, What.ENDED, What.TURN_ENDED):
        return ""
    said = " ".join((one.target if one.what is What.CALL else one.text).split())
    return f"{one.what}{f' {one.tool}' if one.what is What.CALL else ''}: {said[:WIDE]}"


def _excerpt(one: Happening, token: str) -> str:
    text = f"{one.target}\n{one.text}"
    at = text.casefold().find(token.casefold())
    return "" if at < 0 else f"{one.what}: {text[max(0, at - EXCERPT // 2) : at + EXCERPT // 2]}"
