"""The miner: reads what happened, session by session and in order, and says where something came back.

Two looks at the same stream. The first finds, within each session, what was answered later in it; the second, with
`Evidence`, which of these answers stood in a session before. So neither holds more than the windows that are open.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from hardwon.rehearsal.opportunities.happening import Happening, What
from hardwon.rehearsal.opportunities.lint import Lint
from hardwon.rehearsal.opportunities.looked_up import LookUps
from hardwon.rehearsal.opportunities.missing import Missing
from hardwon.rehearsal.opportunities.opportunity import Opportunity
from hardwon.rehearsal.opportunities.statements import Statements
from hardwon.rehearsal.opportunities.window import Window
from hardwon.rehearsal.opportunities.wording import Wordings


@dataclass(slots=True)
class Agent:
    """One agent of one session: what it has in sight, and what waits for its end."""

    lookups: LookUps
    window: Window = field(default_factory=Window)
    wordings: Wordings = field(default_factory=Wordings)
    missing: Missing = field(default_factory=Missing)
    lint: Lint = field(default_factory=Lint)


class Miner:
    """All sessions of one person."""

    def __init__(self) -> None:
        self._sessions: dict[str, dict[str, Agent]] = {}
        self._began: dict[str, str] = {}
        self._found: list[Opportunity] = []
        self._statements = Statements()
        self._made: dict[str, list[int]] = {}

    def saw(self, one: Happening) -> None:
        if one.what is What.BEGAN:
            self._began[one.session] = one.text
        agents = self._sessions.setdefault(one.session, {})
        agent = agents.get(one.agent) or self._agent(agents, one)
        if one.what is What.COMPACTED:
            agent.window = Window(agent.window.number + 1)
            agent.window.saw(self._began.get(one.session, ""), one.number)
        elif not one.is_repeat:
            for finder in (agent.wordings, agent.missing, agent.lookups, agent.lint, self._statements):
                self._found += finder.saw(one, agent.window)
        agent.window.saw(f"{one.target}\n{one.text}" if one.target else one.text, one.number)
        if one.what is What.ENDED:
            self._sessions.pop(one.session, None)
            self._began.pop(one.session, None)

    def _agent(self, agents: dict[str, Agent], one: Happening) -> Agent:
        made = agents[one.agent] = Agent(LookUps(self._made))
        if one.what is not What.BEGAN:
            made.window.saw(self._began.get(one.session, ""), one.number)
        return made

    def opportunities(self) -> Iterator[Opportunity]:
        """Whether their answer stood in the past is not known yet; `Evidence` says it."""
        yield from (one for one in self._found if not (one.habit and self._is_habit(one.habit)))
        yield from self._statements.repeated()

    def _is_habit(self, kind: str) -> bool:
        """A look-up that is also made when its answer is in sight is made anyway: it counts nothing."""
        return self._made.get(kind, [0, 0])[1] > 0

    @property
    def habits(self) -> dict[str, tuple[int, int]]:
        """By kind of look-up: how often its answer was not in sight, and how often it was."""
        return {kind: (fresh, known) for kind, (fresh, known) in self._made.items()}
