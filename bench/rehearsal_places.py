"""What stood around a place of a session: for readers of a sheet, and for a model that goes on from there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from hardwon.clients.past_sessions import Log
from hardwon.rehearsal.opportunities import Happening, Opportunity, What
from hardwon.rehearsal.opportunities.words import holds
from hardwon.rehearsal.stream import Counts, merged, sources

Clean = Callable[[str], str]
"""Takes secrets out of a text."""
MOST = 20_000
"""Characters of one text that are kept: enough to find an answer in it."""
_SILENT = (What.BEGAN, What.ENDED, What.TURN_ENDED)


@dataclass(slots=True)
class Around:
    """The sessions that are wanted, in full: what happened in each, in order."""

    happened: dict[str, list[Happening]] = field(default_factory=lambda: defaultdict(list))

    def before(self, session: str, agent: str, number: int, most: int) -> list[Happening]:
        """The last ones, of this agent and its window."""
        own = [one for one in self.happened[session] if one.agent == agent and one.number < number]
        begins = max((place for place, one in enumerate(own) if one.what is What.COMPACTED), default=0)
        return own[begins:][-most:]

    def after(self, session: str, agent: str, number: int, most: int) -> list[Happening]:
        return [one for one in self.happened[session] if one.agent == agent and one.number >= number][:most]

    def asked(self, session: str, number: int) -> tuple[str, str]:
        """What a person said first in the session, and last before a place."""
        own = [one.text for one in self.happened[session] if one.what is What.PROMPT and one.number < number]
        return (own[0], own[-1]) if own else ("", "")

    def source(self, one: Opportunity) -> Happening | None:
        """The place of the earlier session that had the answer."""
        if one.answer is None:
            return None
        near = [other for other in self.happened[one.source] if other.at == one.source_at]
        return next((other for other in near if holds(f"{other.target}\n{other.text}", one.answer.token)), None)


def around(logs: Sequence[Log], sessions: Iterable[str]) -> Around:
    wanted = set(sessions)
    own = [log for log in logs if log.path.stem in wanted]
    if {log.path.stem for log in own} != wanted:
        own = list(logs)  # some are not named by their files
    found = Around()
    for told in merged(sources(own, Counts()), Counts()):
        one = told.happening
        if one.session in wanted and one.what not in _SILENT:
            found.happened[one.session].append(one)
    return found


def line(one: Happening, wide: int) -> str:
    said = one.target or one.text if one.what is What.CALL else one.text
    return f"{one.what}{f' {one.tool}' if one.tool else ''}: {short(said, wide)}"


def short(text: str, wide: int) -> str:
    """One line of it, from its beginning and its end: an error often ends with what it is about."""
    plain = " ".join(text.split())
    return plain if len(plain) <= wide else f"{plain[: wide * 2 // 3]} […] {plain[-wide // 3 :]}"


def excerpt(text: str, token: str, wide: int) -> str:
    """What stands around a word."""
    at = max(0, text.casefold().find(token.casefold()))
    start, end = max(0, at - wide // 2), at + wide // 2
    return f"{'… ' if start else ''}{text[start:end].strip()}{' …' if end < len(text) else ''}"
