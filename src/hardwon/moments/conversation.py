"""What one session has been shown: each thing once per context window and agent, all of it under one cap.

Decided here, in memory and before the reply, so that two calls at once don't say the same thing. The showings in the
store bring it back after a restart of the daemon.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from hardwon.event import Moment
from hardwon.memories.search.budget import Item
from hardwon.memory import Anchor, AnchorKind
from hardwon.store.tables.showings import Showing
from hardwon.text import commands

MOST_EDITED = 2_000

AT_ACT = "@act"
"""Behind an id: it was said before a call."""


@dataclass(slots=True)
class Conversation:
    """One session of one client."""

    context: int = 0
    tokens: int = 0
    shown: dict[tuple[str, int], set[str]] = field(default_factory=lambda: defaultdict(set))
    """Memory ids by agent and context window."""
    stopped: set[str] = field(default_factory=set)
    """Failures for which a call was stopped, or told of before the call; issued again it passes."""
    skilled: set[tuple[str, int]] = field(default_factory=set)
    """Agents that a skill was loaded by, with the context window."""
    languages: set[str] = field(default_factory=set)
    """Of the files that were edited since the daemon knows it, by any of its agents."""
    prompt: str = ""
    """What the person asked last."""
    reminded: int = 0
    """How often its agent was reminded to mark what is said."""
    acts: int = 0
    """Calls so far that may have changed something."""
    failed: dict[tuple[str, Anchor | None], int] = field(default_factory=dict)
    """What failed in this session, by agent and target, and how many of them there had been by then."""
    told: dict[tuple[str, int], set[str]] = field(default_factory=lambda: defaultdict(set))
    """What else was said, by its marks: lines on a branch, news of other windows."""
    branches: dict[str, str] = field(default_factory=dict)
    """The branch that each agent was on when it was last heard of."""
    is_unsure: bool = False
    """At its start something of the branch could not be told yet."""
    is_put_off: bool = False
    """What its start would have said waits for its first prompt."""
    began: int = 0
    """When it was first heard of here."""
    checks: dict[str, str] = field(default_factory=dict)
    """Checks that failed since the last push and were not run since, by what they are a form of."""
    edited: set[str] = field(default_factory=set)
    """Files that were edited in this session, as the project knows them."""
    noted: set[str] = field(default_factory=set)
    """What a guard has said already."""
    is_over: bool = False
    """Its client has said that it ended. It can be taken up again."""
    lock: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def remembered(
        cls, showings: Sequence[Showing], window: int = 0, told: Mapping[tuple[str, int], set[str]] | None = None
    ) -> Conversation:
        known = cls(context=max([window, *(one.context for one in showings)]))
        for place, marks in (told or {}).items():
            known.told[place] |= marks
        for one in showings:
            known.shown[one.agent, one.context].add(one.memory)
            known.tokens += one.tokens
            if one.moment == Moment.BEFORE_ACTION:
                known.stopped.add(one.memory)
                known.shown[one.agent, one.context].add(one.memory + AT_ACT)
            if one.moment == Moment.SKILL:
                known.skilled.add((one.agent, one.context))
        return known

    def may_stop(self, failure: str) -> bool:
        """True once per session and failure."""
        with self.lock:
            first = failure not in self.stopped
            self.stopped.add(failure)
            return first

    def acting(self, agent: str, target: Anchor | None, changes: bool) -> bool:
        """A call begins. True when it has failed in this session, or another command of its program, and something
        was done about it since: who tries again then, in whatever spelling, wants to see whether it helped."""
        with self.lock:
            times = [at for (whose, failed), at in self.failed.items() if whose == agent and _is_alike(failed, target)]
            mended = any(self.acts > at for at in times)
            self.acts += changes
            return mended

    def failing(self, agent: str, target: Anchor | None) -> None:
        with self.lock:
            self.failed[agent, target] = self.acts

    def checking(self, command: str) -> None:
        """A check is run; should it fail, that is told at once."""
        with self.lock:
            for one in [
                one for one in self.checks if one == commands.family(command) or commands.is_broader(command, one)
            ]:
                del self.checks[one]

    def check_failed(self, command: str) -> None:
        with self.lock:
            self.checks[commands.family(command)] = command

    @property
    def failed_check(self) -> str:
        with self.lock:
            return next(reversed(self.checks.values()), "")

    def pushes(self) -> None:
        """What failed before it was said, or is no matter of the next push."""
        with self.lock:
            self.checks.clear()

    def edits(self, file: str) -> None:
        with self.lock:
            if len(self.edited) < MOST_EDITED:
                self.edited.add(file)

    def may_note(self, key: str) -> bool:
        """True once per session and thing."""
        with self.lock:
            first = key not in self.noted
            self.noted.add(key)
            return first

    def is_first_skill(self, agent: str) -> bool:
        """True once per agent and context window."""
        with self.lock:
            first = (agent, self.context) not in self.skilled
            self.skilled.add((agent, self.context))
            return first

    def is_first_edit(self, language: str) -> bool:
        """True once per session and language."""
        with self.lock:
            first = language not in self.languages
            self.languages.add(language)
            return first

    def was_shown(self, memory: str) -> bool:
        """Whether any of its agents was shown this, in any window."""
        with self.lock:
            return any(memory in seen for seen in self.shown.values())

    def new_context(self) -> None:
        """Compaction and clearing: what was said before is out of sight."""
        self.context += 1

    def fresh(self, items: Sequence[Item], agent: str) -> list[Item]:
        """Those that this agent has not seen in this window; nothing is counted yet."""
        with self.lock:
            seen = self.shown[agent, self.context]
            return [item for item in items if item.ranked.memory.id not in seen]

    def say_at_act(self, items: Sequence[Item], agent: str, cap: int) -> list[Item]:
        """What a call goes against is said at it also when the session began with it: once, it had not helped."""
        fresh: list[Item] = []
        with self.lock:
            seen = self.shown[agent, self.context]
            for item in items:
                id = item.ranked.memory.id
                if id + AT_ACT in seen or self.tokens + item.tokens > cap:
                    continue
                seen.update((id, id + AT_ACT))
                self.tokens += item.tokens
                fresh.append(item)
        return fresh

    def say(self, items: Sequence[Item], agent: str, cap: int) -> list[Item]:
        """Those that this agent has not seen in this window and that fit under the cap: said now, and paid for."""
        fresh: list[Item] = []
        with self.lock:
            seen = self.shown[agent, self.context]
            for item in items:
                if item.ranked.memory.id in seen or self.tokens + item.tokens > cap:
                    continue
                seen.add(item.ranked.memory.id)
                self.tokens += item.tokens
                fresh.append(item)
        return fresh

    def tell(self, marks: Iterable[str], agent: str) -> None:
        with self.lock:
            self.told[agent, self.context].update(marks)

    def spend(self, tokens: int) -> None:
        """What the words around the items cost."""
        with self.lock:
            self.tokens += tokens

    def unsay(self, items: Sequence[Item], agent: str, tokens: int, told: Iterable[str] = ()) -> None:
        """The answer came too late and was not given."""
        with self.lock:
            self.told[agent, self.context].difference_update(told)
            ids = {item.ranked.memory.id for item in items}
            self.shown[agent, self.context] -= ids | {id + AT_ACT for id in ids}
            self.skilled.discard((agent, self.context))
            self.tokens -= tokens


def _is_alike(one: Anchor | None, other: Anchor | None) -> bool:
    """The same file, or commands of one program."""
    if one is None or other is None or one.kind is not other.kind:
        return one == other
    if one.kind is AnchorKind.COMMAND:
        return one.value.split()[:1] == other.value.split()[:1]
    return one == other
