"""What a session's calls and results tell of the branches that it worked on. Pure: an event in, facts out.

A fact is one thing that was seen once: that a branch was made from another, that a pull request has a base, that a
check passed. What holds now is decided later, from all of them and from git's own refs
(`memories/branches/branch_card.py`).
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from typing import TypeAlias

from hardwon import action
from hardwon.event import Event, EventType
from hardwon.text.branches import checks, forge, git, tasks
from hardwon.text.branches.fact import FROM_PERSON, Fact, Place, What, is_name
from hardwon.text.branches.line import runs

__all__ = ["Reader"]

Lookup: TypeAlias = Callable[[str], tuple[str, str]]
"""The top of the work tree that a folder lies in, and the branch it is on just now; empty where that is not known."""
EDITS = action.EDITS


class Reader:
    """One log, read in order. A client that writes down the branch may be behind by some calls: from a switch that was
    seen on, it is only believed again when it says something else than before."""

    def __init__(self) -> None:
        self.look: Lookup = lambda folder: (folder, "")
        self._seen: dict[tuple[str, str, str], tuple[str, str]] = {}
        """By session, agent and folder: the branch that a call led to, and what the client said of it then."""
        self._before: dict[tuple[str, str, str], str] = {}

    def facts(self, event: Event) -> list[Fact]:
        """Each once, however often the event is read: its key is made of the client's own id."""
        return list(self._of(event, self._place(event, event.cwd))) if event.cwd else []

    def _place(self, event: Event, folder: str) -> Place:
        root, now = self.look(folder)
        led, said = self._seen.get((event.session, event.agent, root or folder), ("", ""))
        is_own = folder == event.cwd or posixpath.commonpath((folder, event.cwd)) in (folder, event.cwd)
        if led and (not is_own or said == event.branch):
            return Place(root or folder, led)
        return Place(root or (event.cwd if is_own else folder), (event.branch or now) if is_own else now)

    def _of(self, event: Event, here: Place) -> Iterator[Fact]:
        whose = (event.session, event.agent, event.cwd)
        before = self._before.get(whose, "")
        self._before[whose] = here.branch
        if event.type is EventType.PROMPT_SUBMITTED and not event.agent:
            yield from _of_prompt(event, here)
        if event.type not in (EventType.TOOL_FINISHED, EventType.TOOL_FAILED) or not event.call:
            return
        passed = event.type is EventType.TOOL_FINISHED
        if event.tool == action.SHELL:
            yield from self._of_line(event, here, before, passed)
        elif passed and event.tool in EDITS:
            yield Fact(What.EDIT, here.branch, event.target[:200], worktree=here.root).of(event, 0)
        elif passed:
            found = [] if event.agent else [*tasks.facts(event, here)]
            yield from (fact.of(event, 0) for fact in (*found, *forge.created_issue(event, here)))

    def _of_line(self, event: Event, here: Place, before: str, passed: bool) -> Iterator[Fact]:
        """Of the commands of a line, each on the branch to which those before it led."""
        for number, run in enumerate(runs(event.target, event.cwd, event.error or event.text, passed)):
            place = self._place(event, run.folder)
            was = place.branch
            if was == git.made(run) and was == event.branch:  # the client knows it already
                was = before
            for fact in (*git.facts(run, place, was), *forge.facts(run, place)):
                yield fact.of(event, number)
            if led := git.leads_to(run):
                self._seen[event.session, event.agent, place.root] = (led, event.branch)
                self._before[event.session, event.agent, event.cwd] = led
        here = self._place(event, event.cwd)
        yield from (fact.of(event, 0) for fact in checks.facts(event, here, passed))


_BASE = re.compile(
    r"(?:\b(?:base|parent|target)(?: branch)?(?: (?:of|for) (?:this|the|it|our|my)(?: (?:branch|pr|one))?)?(?: is|:|=)|"
    r"\b(?:based|stacked|built|sits) (?:on top of|on|upon)|\bon top of|\bbranched (?:off|from)(?: of)?|"
    r"(?:基于|父分支是|目标分支是)|ベースは)\s*[`'\"]?(?:origin/)?([\w][\w./#+@-]{1,79})"
)
_ASKS = re.compile(r"\?|？|\b(?:not|isn't|no longer|never|should|could|if|was|why)\b|不是|ではな", re.IGNORECASE)


def _of_prompt(event: Event, here: Place) -> Iterator[Fact]:
    """The person's word on what this branch is based on; and the ticket whose name the branch has, as it is written.
    Whether there is such a branch is asked when it is to be said."""
    if not here.branch:
        return
    for sentence in re.split(r"[\n。!;]|\.\s", event.text[:4_000]):
        found = _BASE.search(sentence)
        if found and not _ASKS.search(sentence):
            name = found[1].rstrip(".,:/-")
            if is_name(name) and name != here.branch:
                yield Fact(What.BASE, here.branch, name, rank=FROM_PERSON, how="the person's word",
                           worktree=here.root).of(event, 0)  # fmt: skip
    for ticket in dict.fromkeys(re.findall(r"\b[A-Z][A-Z0-9]{1,9}-\d{1,6}\b", event.text[:4_000])):
        if ticket.casefold() in here.branch.casefold():
            yield Fact(What.TICKET, here.branch, ticket, worktree=here.root).of(event, 0)
