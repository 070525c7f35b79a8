"""What has failed in a session and has not passed since: one cause, with all the commands that met it."""

from __future__ import annotations

from dataclasses import dataclass, field

from hardwon.event import Event
from hardwon.learn.causes import Failed, Verdict
from hardwon.learn.same_cause import Cause


@dataclass(slots=True)
class Trouble:
    event: Event
    """The last call that met it."""
    cause: Cause
    key: str
    """Of the first failure."""
    touched: frozenset[str]
    """What the session had changed when it failed first."""
    met_by: dict[str, Event] = field(default_factory=dict)
    """The commands that met it, each in its one form, and the last call of each."""
    times: int = 1
    flaky: bool = False
    is_work: bool = False
    """It points into code that the session had changed, and nowhere else."""
    calls: int = 0
    """How many calls the session had when it failed last."""
    done: int = 0
    """How many changes, likewise."""
    other: set[str] = field(default_factory=set)
    """The words of another command that passed where this one failed; it may itself pass later."""
    ways: dict[str, str] = field(default_factory=dict)
    """All such commands since the first failure, by the origin keys of the fixes that name them."""
    below: list[Layer] = field(default_factory=list)
    """What had stood in the way of the same command before, and what got past that."""

    @property
    def command(self) -> str:
        return self.cause.command

    @property
    def failed(self) -> Failed:
        return Failed(self.command, self.event.error, self.cause.signature, self.times, self.flaky)


@dataclass(frozen=True, slots=True)
class Layer:
    """A trouble that was got past, by what, and the failure that came then."""

    trouble: Trouble
    verdict: Verdict
    then: Event
    told: str = ""
    """The origin key of the fix that tells of it, where there is one already."""
