"""Sheets for readers who judge a rehearsal without knowing what it made of a place, in Markdown.

`opportunities.md` has what was mined, with what stood around it and the earlier place that is said to have had the
answer; `sayings.md` what was said, with what came before and after. `key.json` says which is which, and of which kind.
"""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

from bench.rehearsal_places import Around, Clean, around, excerpt, line, short
from hardwon.clients.past_sessions import Log
from hardwon.rehearsal.opportunities import Opportunity
from hardwon.rehearsal.run import Rehearsal
from hardwon.rehearsal.saying import Saying

BEFORE, AFTER = 8, 14
"""Happenings that are shown."""
WIDE, WIDER = 420, 700
SEED = 60
DAY = 86_400_000
Any_ = TypeVar("Any_")

_OPPORTUNITIES = """# Opportunities

Each is a place in a real session of a coding agent. Judge each by itself: **is this a real opportunity? Would knowing
the answer, before the place that is marked with ▶, have spared the episode, or a good part of it?** The answer is what
is said to have been known from an earlier session of the same person. Say yes or no for each number, with a word on why
where it is no.
"""
_SAYINGS = """# Sayings

Each is a place in a real session of a coding agent, at which a memory would have put a text into the agent's context
(at ▶; what the agent then did, it did without that text). **In place: would a senior colleague, reading over the
shoulder, say exactly this now? yes or no**, with a word on why.
"""


class Person(Protocol):
    @property
    def project(self) -> str: ...
    @property
    def logs(self) -> Sequence[Log]: ...
    @property
    def made(self) -> Rehearsal: ...


def write(people: Sequence[Person], number: int, folder: Path, clean: Clean) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    key: dict[str, Any] = {"seed": SEED, "miner": people[0].made.miner}
    opportunities = [(one, each) for one in people for each in one.made.score.opportunities]
    sayings = [(one, each) for one in people for each in one.made.score.sayings if each.delivered is not None]
    key["of"] = {"opportunities": len(opportunities), "sayings": len(sayings)}
    some = spread(opportunities, number, lambda pair: (pair[0].project, str(pair[1].kind)))
    key["opportunities"] = [{"kind": str(one.kind), "id": one.id} for _, one in some]
    (folder / "opportunities.md").write_text(_sheet(_OPPORTUNITIES, some, _opportunity, clean), "utf-8")
    told = spread(sayings, number, lambda pair: (pair[0].project, str(pair[1].moment)))
    key["sayings"] = [{"moment": str(one.moment), "session": one.session, "number": one.number} for _, one in told]
    (folder / "sayings.md").write_text(_sheet(_SAYINGS, told, _saying, clean), "utf-8")
    (folder / "key.json").write_text(json.dumps(key, indent=1), "utf-8")


def spread(found: Sequence[Any_], number: int, group: Callable[[Any_], object], seed: int = SEED) -> list[Any_]:
    """So many of them, the same each time, one of each group in turn; then shuffled."""
    chance = random.Random(seed)
    groups: dict[object, list[Any_]] = defaultdict(list)
    for one in found:
        groups[group(one)].append(one)
    for own in groups.values():
        chance.shuffle(own)
    left = [own for _, own in sorted(groups.items(), key=lambda each: str(each[0]))]
    chosen: list[Any_] = []
    while left and len(chosen) < number:
        chosen += [own.pop() for own in left]
        left = [own for own in left if own]
    chosen = chosen[:number]
    chance.shuffle(chosen)
    return chosen


def _sheet(
    heading: str, some: Sequence[tuple[Person, Any]], tell: Callable[[Around, Any], Iterator[str]], clean: Clean
) -> str:
    places: dict[int, Around] = {}
    for person in {id(one): one for one, _ in some}.values():
        sessions = {name for one, each in some if one is person for name in (each.session, getattr(each, "source", ""))}
        places[id(person)] = around(person.logs, sessions - {""})
    parts = [heading]
    for number, (person, each) in enumerate(some, 1):
        told = "\n".join(tell(places[id(person)], each))
        parts.append(f"## {number}\n\n{clean(told)}\n")
    return "\n".join(parts)


def _opportunity(places: Around, one: Opportunity) -> Iterator[str]:
    yield from _asked(places, one.session, one.number)
    yield from _happened(places, one.session, one.agent, one.number, one.until)
    answer = ", ".join(f"`{word}`" for word in ((one.answer.token, *one.answer.along) if one.answer else ()))
    earlier = places.source(one)
    when = f"{max(0, one.at - one.source_at) / DAY:.1f} days earlier"
    yield f"\n**The answer**: {answer}. It stood in another session, {when}:"
    if earlier and one.answer:
        if earlier.target:
            yield f"    {earlier.what} {earlier.tool}: {short(earlier.target, WIDE)}"
        yield f"    > {short(excerpt(earlier.text, one.answer.token, WIDER), WIDER)}"


def _saying(places: Around, one: Saying) -> Iterator[str]:
    yield from _asked(places, one.session, one.number + (one.moment == "prompt"))
    yield f"\n**Moment**: {one.moment}{f', {short(one.target, WIDE)}' if one.target else ''}. **Said**:\n"
    yield from (f"    {text}" for text in one.text.splitlines() if not text.startswith("<"))
    yield ""
    yield from _happened(places, one.session, one.agent, one.number, one.number)


def _asked(places: Around, session: str, number: int) -> Iterator[str]:
    first, last = places.asked(session, number)
    yield f"**Asked first**: {short(first, WIDER) or '(nothing yet)'}  "
    if last != first:
        yield f"**Asked last**: {short(last, WIDER)}"


def _happened(places: Around, session: str, agent: str, number: int, until: int) -> Iterator[str]:
    yield "\n**What happened**:\n"
    yield from (f"- {line(each, WIDE)}" for each in places.before(session, agent, number, BEFORE))
    after = places.after(session, agent, number, 400)
    shown = after[:AFTER]
    for place, each in enumerate(shown):
        yield f"- {'▶ ' if not place else ''}{line(each, WIDER)}"
    late = [each for each in after[AFTER:] if until - 4 <= each.number <= until + 3]
    if late:
        yield "- …"
        yield from (f"- {line(each, WIDE)}" for each in late)
