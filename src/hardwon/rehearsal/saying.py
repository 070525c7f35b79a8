"""What was said in a rehearsal, when it reached the model, and what it cost."""

from __future__ import annotations

from dataclasses import dataclass, field

from hardwon.event import Moment
from hardwon.rehearsal.contradiction import Against


@dataclass(slots=True)
class Saying:
    session: str
    agent: str
    number: int
    """The happening at which it was said."""
    at: int
    moment: Moment
    text: str
    tokens: int
    window: int
    """Which window of its agent it was said in."""
    memories: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    call: str = ""
    target: str = ""
    """The command or file of the call, if it was said at one."""
    is_stop: bool = False
    delivered: int | None = None
    """The happening with which it came into the window; None: it never did."""
    stays: int = 0
    """Calls of its agent for which it stayed in the window."""
    against: Against = field(default_factory=Against)
    contradicted: bool = False
    """The session then did with success what it speaks against, with nothing done about it."""

    @property
    def lines(self) -> int:
        """Those that say something: not the fence, not a heading."""
        own = [line.strip() for line in self.text.splitlines()]
        said = [line for line in own if len(line) > 2 and not line.startswith("<") and not line.endswith(":")]
        return max(1, len(said))
