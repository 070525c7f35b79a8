"""One rehearsal from beginning to end: mined in one reading, played in a second one, scored."""

from __future__ import annotations

import contextlib
import dataclasses
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hardwon import clients
from hardwon.clients.past_sessions import Log
from hardwon.paths import Home
from hardwon.rehearsal.grounds import Grounds
from hardwon.rehearsal.opportunities import Miner, Opportunity, What, fingerprint
from hardwon.rehearsal.opportunities.evidence import Evidence
from hardwon.rehearsal.player import Player
from hardwon.rehearsal.saying import Saying
from hardwon.rehearsal.score import Score, placebo, score
from hardwon.rehearsal.stream import Counts, Source, merged, sources
from hardwon.rehearsal.transcript import Told
from hardwon.settings import Settings
from hardwon.store import control
from hardwon.store.connection import Store, open_store

SPOKE = "hardwon had spoken in them already"
NO_CLIENT = "of a client that nothing is said to: learned from only"
NO_INSTRUCTIONS = "what CLAUDE.md said at the time is not known"
NO_CALLS = "without a single call"


@dataclass(slots=True)
class Session:
    """What is known of one before it is played."""

    began: int = 0
    calls: int = 0
    turns: int = 0
    apart: str = ""
    """Why it doesn't count."""
    instructions: tuple[str, ...] = ()


@dataclass(slots=True)
class Rehearsal:
    """What came of it."""

    counts: Counts = field(default_factory=Counts)
    sessions: dict[str, Session] = field(default_factory=dict)
    habits: dict[str, tuple[int, int]] = field(default_factory=dict)
    candidates: Counter[str] = field(default_factory=Counter)
    """By kind: what was answered later in its own session, wherever else it may have stood."""
    score: Score = field(default_factory=lambda: Score([], [], []))
    placebo: Score = field(default_factory=lambda: Score([], [], []))
    miner: str = ""
    since: int = 0
    """Sessions begun before are what is known, and don't count."""
    found: list[Opportunity] = field(default_factory=list)
    sayings: list[Saying] = field(default_factory=list)

    def scored(self) -> Rehearsal:
        """With the score of the sessions that count."""
        self.score = score(self.counted, self.found, self.sayings)
        self.placebo = score(self.counted, self.score.opportunities, placebo(self.score.sayings))
        return self

    @property
    def counted(self) -> list[str]:
        return [id for id, one in self.sessions.items() if self._counts(one)]

    def _counts(self, one: Session) -> bool:
        return not one.apart and one.began >= self.since

    @property
    def apart(self) -> dict[str, int]:
        return dict(Counter(one.apart for one in self.sessions.values() if one.apart and one.began >= self.since))

    @property
    def calls(self) -> int:
        return sum(one.calls for one in self.sessions.values() if self._counts(one))

    @property
    def turns(self) -> int:
        return sum(one.turns for one in self.sessions.values() if self._counts(one))


def rehearse(
    logs: Sequence[Log],
    settings: Settings,
    grounds: Grounds,
    done: Callable[[int], object] = lambda _: None,
    pauses: dict[str, str] | None = None,
) -> Rehearsal:
    """`done` is told of the bytes read: each file twice. `pauses` are those of the person's own home."""
    made = Rehearsal(miner=fingerprint())
    files = sources(logs, made.counts)
    found = _mined(files, made, grounds, done)
    evidence = Evidence(found)
    with home_of_its_own(settings) as store:
        control.take_over(store, pauses or {})
        player = Player(store, (id for id, one in made.sessions.items() if one.apart))
        for told in _placed(merged(files, Counts(), done), grounds):
            evidence.saw(told.happening)
            one = told.happening
            if told.event:
                grounds.place(store, told.cwd, one.at)
            player.play(told, made.sessions[one.session].instructions if one.what is What.BEGAN else ())
    made.found = list(evidence.opportunities())
    made.sayings = player.sayings
    return made.scored()


def _mined(
    files: Sequence[Source], made: Rehearsal, grounds: Grounds, done: Callable[[int], object]
) -> list[Opportunity]:
    miner = Miner()
    for told in _placed(merged(files, made.counts, done), grounds):
        one = told.happening
        own = made.sessions.get(one.session) or made.sessions.setdefault(one.session, _began(told, grounds))
        own.calls += one.what is What.CALL and not one.is_repeat
        own.turns += one.what is What.PROMPT and not one.is_repeat
        text = "\n".join(own.instructions)
        miner.saw(dataclasses.replace(one, text=text) if one.what is What.BEGAN else one)
    for id, own in made.sessions.items():
        own.apart = own.apart or (SPOKE if id in made.counts.spoke else NO_CALLS if not own.calls else "")
    found = list(miner.opportunities())
    made.habits = miner.habits
    made.candidates = Counter(str(one.kind) for one in found)
    return found


def _began(told: Told, grounds: Grounds) -> Session:
    at = told.happening.at
    if not (found := clients.find(told.host)) or not found.delivery:
        return Session(at, apart=NO_CLIENT)
    texts = grounds.instructions.at(told.cwd, at)
    return Session(at, instructions=texts or (), apart=NO_INSTRUCTIONS if texts is None else "")


def _placed(stream: Iterator[Told], grounds: Grounds) -> Iterator[Told]:
    """Each with its project: that of its folder, or of the last folder of its session."""
    projects: dict[str, str] = {}
    for told in stream:
        one = told.happening
        if told.cwd:
            projects[one.session] = grounds.project(told.cwd)
        yield dataclasses.replace(told, happening=dataclasses.replace(one, project=projects.get(one.session, "")))
        if one.what is What.ENDED:
            projects.pop(one.session, None)


@contextlib.contextmanager
def home_of_its_own(settings: Settings) -> Iterator[Store]:
    """An empty memory with the person's own settings; gone afterwards, whatever happens."""
    own = dataclasses.replace(
        settings,
        vectors=dataclasses.replace(settings.vectors, model="off"),
        updates=dataclasses.replace(settings.updates, check=False),
        mirror=dataclasses.replace(settings.mirror, enabled=False),
        store=dataclasses.replace(settings.store, copies=1),
    )
    with (
        tempfile.TemporaryDirectory(prefix="hardwon-rehearsal-") as folder,
        open_store(Home(Path(folder).resolve()), own) as store,
    ):
        store.db.execute("pragma synchronous = off")  # it is thrown away
        yield store
