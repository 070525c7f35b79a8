"""A skill's own file that was edited to mend something: what it says now is a lesson of that skill. Pure.

It counts where something went wrong before, in the same session and at the same skill: a call failed, or the person
corrected it. A new wording of the same, a typo, is none: words must have come or gone that tell something.
"""

from __future__ import annotations

from hardwon.clients import skills
from hardwon.event import Event, EventType
from hardwon.learn.causes import EDITING
from hardwon.learn.steps import Learned
from hardwon.memory import Draft, Kind, LessonType, Scope, Trust
from hardwon.text import untrusted

LONGEST = 400
FEWEST = 2
"""Words that came or went."""


class Mended:
    """The skills at which something went wrong so far."""

    def __init__(self) -> None:
        self._trouble: set[str] = set()

    def saw(self, event: Event, owner: str) -> Learned | None:
        """`owner` is the skill at work. What a person says to it counts as a correction as soon as it has been at
        work: they steer by words, and the agent then writes them down."""
        if owner and event.type in (EventType.TOOL_FAILED, EventType.PROMPT_SUBMITTED):
            self._trouble.add(owner)
        if event.type is not EventType.TOOL_FINISHED or event.tool not in EDITING:
            return None
        name = skills.name_of(f"x/{event.target}")
        if not name or name not in self._trouble:
            return None
        old, new = changed(event.text)
        if not new or is_wording(old, new):
            return None
        return Learned(_draft(name, old, new, event), event=event)


def changed(text: str) -> tuple[str, str]:
    """What an edit took out and what it put in, without the lines that both have."""
    before, _, after = text.removeprefix("- ").partition("\n+ ")
    old, new = before.splitlines(), after.splitlines()
    gone = [line.strip() for line in old if line not in new]
    come = [line.strip() for line in new if line not in old]
    return "\n".join(filter(None, gone)), "\n".join(filter(None, come))


def is_wording(old: str, new: str) -> bool:
    """Whether next to nothing came or went: letters of a word, a comma."""
    one, other = old.split(), new.split()
    came = [word for word in other if word not in one]
    went = [word for word in one if word not in other]
    if len(came) == len(went) == 1:
        return _is_near(came[0], went[0])
    return len(came) + len(went) < FEWEST


def _is_near(one: str, other: str) -> bool:
    """A typo of a plain word; of a command, a path, a number each letter counts."""
    return one.isalpha() and other.isalpha() and sorted(one.lower())[:3] == sorted(other.lower())[:3]


def _draft(name: str, old: str, new: str, event: Event) -> Draft:
    before = f" (before: {untrusted.quoted(old, LONGEST)})" if old else ""
    return Draft(
        kind=Kind.LESSON,
        subtype=LessonType.WORKFLOW,
        body=f"{new[:LONGEST]}{before}",
        scope=Scope(event.project or "", name),
        trust=Trust.AGENT,
        source="session",
        evidence=(f"{event.host}:{event.session}:{event.call}",),
        origin_key=f"{event.host}:{event.call}:mended",
    )
