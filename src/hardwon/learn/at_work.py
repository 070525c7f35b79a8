"""Which skill is at work: to whose memory it belongs what fails, what mends it and what the person corrects. Pure.

A skill is at work from its load on. That it no longer is cannot be read off a word: people say "and now the header" for
the skill's next step as for something else. So each prompt is held against what the skill is about: its name and its
description, the commands that it names, what it was loaded for, and what has been done since. Much in common, or hardly
a word of its own ("go on", "now prod"): the skill is at work. Nothing in common: it rests, until a prompt is about it
again. In between, each call is asked for itself: it belongs to the skill whose commands it runs.

A sub-agent goes on with the skill under which it was sent, until it loads one of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from enum import Enum

from hardwon import action
from hardwon.event import Event, EventType
from hardwon.text import commands
from hardwon.text.common_words import COMMON_WORDS

MUCH = 0.34
"""The share of a prompt's telling words that the skill has, from which on it is about the skill."""
FEW = 1
"""Telling words of a prompt that says only: go on."""
SHORT = 3
"""With so many the calls must say whether it is about the skill."""
MOST_SKILLS = 4
"""Of one agent: a skill may load inside of another's work, and the other goes on afterwards."""
MOST_WORDS = 400
"""Of a skill and its work."""
LONGEST = 4_000


@dataclass(frozen=True, slots=True)
class Described:
    """What a skill's own file says."""

    description: str = ""
    body: str = ""


Describe = Callable[[str, Event], Described]
"""What is known of a skill by its name; nothing, when its file is not found."""


class Phase(Enum):
    AT_WORK = "at work"
    UNSURE = "unsure"
    """The calls say it."""
    AT_REST = "at rest"


@dataclass(frozen=True, slots=True)
class Skill:
    name: str
    about: frozenset[str] = frozenset()
    """The words of its name, its description and what it was loaded for."""
    text: frozenset[str] = frozenset()
    """The words of its file."""
    named: frozenset[str] = frozenset()
    """Families of the commands that its file names."""
    work: frozenset[str] = frozenset()
    """Families of the commands that were run for it, and the words of what was changed."""
    phase: Phase = Phase.AT_WORK

    def owns(self, command: str) -> bool:
        return commands.family(command) in self.named | self.work


@dataclass(slots=True)
class AtWork:
    """Follows a session; `saw` says whose each event is, empty for no skill's."""

    describe: Describe
    _skills: dict[str, list[Skill]] = field(default_factory=dict)
    """Of each agent, the one that was loaded last at the end."""

    def saw(self, event: Event) -> str:
        known = self._skills.get(event.agent)
        if known is None:
            known = self._skills[event.agent] = self._sent_with(event)
        if event.type is EventType.SKILL_LOADED or (
            event.type is EventType.TOOL_FINISHED and event.tool == action.SKILL
        ):
            self._loaded(known, event)
            return ""
        if event.type is EventType.PROMPT_SUBMITTED:
            known[:] = [heard(one, event.text) for one in known]
            return _corrected(known, event.text)
        owner = owner_of(known, event)
        if owner and event.type is EventType.TOOL_FINISHED:
            at = next(place for place, one in enumerate(known) if one.name == owner)
            known[at] = _worked(known[at], event)
        return owner

    def _sent_with(self, event: Event) -> list[Skill]:
        main = self._skills.get("", []) if event.agent else []
        return [one for one in main if one.phase is Phase.AT_WORK]

    def _loaded(self, known: list[Skill], event: Event) -> None:
        if not event.target:
            return
        is_read = event.tool == action.READ  # looked at, for its own sake or to do as it says: the calls will tell
        before = next((one for one in known if one.name == event.target), None)
        if is_read and known and any(one.phase is Phase.AT_WORK for one in known):
            return
        skill = before or of_file(event.target, self.describe(event.target, event))
        about = skill.about | telling(event.text)
        known[:] = [one for one in known if one.name != event.target][-MOST_SKILLS + 1 :]
        known.append(replace(skill, about=about, phase=Phase.UNSURE if is_read else Phase.AT_WORK))


def of_file(name: str, described: Described) -> Skill:
    about = telling(f"{name} {described.description}")
    named = frozenset(commands.family(one) for one in named_commands(described.body))
    return Skill(name, about, telling(described.body[:LONGEST]), named - {""})


def named_commands(text: str) -> list[str]:
    """What stands in code: a line of a fence, or a span with a blank in it."""
    found: list[str] = []
    in_fence = False
    for line in text.splitlines():
        if line.lstrip().startswith(("```", "~~~")):
            in_fence = not in_fence
        elif in_fence:
            found.append(line.strip().removeprefix("$ "))
        else:
            found += _SPAN.findall(line)
    return [one for one in found if one and not one.startswith("#")][:100]


_SPAN = re.compile(r"`([^`\n]{2,200})`")


def heard(skill: Skill, prompt: str) -> Skill:
    """The skill after a prompt."""
    words = telling(prompt)
    if len(words) <= FEW and skill.phase is not Phase.AT_REST:
        return skill
    share = len(words & (skill.about | skill.text | skill.work)) / len(words) if words else 0.0
    if share >= MUCH or (words & skill.about and share >= MUCH / 2):
        phase = Phase.AT_WORK
    elif (share > 0 or len(words) <= SHORT) and skill.phase is not Phase.AT_REST:
        phase = Phase.UNSURE
    else:
        phase = Phase.AT_REST
    return replace(skill, phase=phase)


def owner_of(known: Iterable[Skill], event: Event) -> str:
    """Whose a call is: of those at work the last one, unless only an earlier one names its command; of those of which
    nobody is sure, the one whose command it is."""
    skills = list(known)[::-1]
    if event.tool == action.SHELL:
        runs = [one for one in skills if one.phase is not Phase.AT_REST and one.owns(event.target)]
        if runs:
            return runs[0].name
        if commands.only_looks(event.target):  # a look at something that is not there
            return ""
    first = next((one for one in skills if one.phase is Phase.AT_WORK), None)
    return first.name if first else ""


def _corrected(known: Iterable[Skill], prompt: str) -> str:
    """Whose a prompt is: it names what the skill is about, not only what was done under it."""
    words = telling(prompt)
    for one in list(known)[::-1]:
        if one.phase is Phase.AT_WORK and words & (one.about | one.text):
            return one.name
    return ""


def _worked(skill: Skill, event: Event) -> Skill:
    if event.tool == action.SHELL:
        more = frozenset({commands.family(event.target)} if not commands.only_looks(event.target) else ())
    else:
        more = telling(event.target.rpartition("/")[2])
    return replace(skill, work=skill.work | more) if more and len(skill.work) < MOST_WORDS else skill


def telling(text: str) -> frozenset[str]:
    """The beginnings of its words, without those that stand everywhere; of a text without blanks its pairs."""
    plain = text[:LONGEST].lower()
    words = {word[:_BEGINNING] for word in _WORD.findall(plain) if word not in _COMMON and not word.isdigit()}
    pairs = {run[at : at + 2] for run in _CJK.findall(plain) for at in range(max(1, len(run) - 1))}
    return frozenset(words | pairs)


_BEGINNING = 5
_WORD = re.compile(r"[a-z0-9]{3,}")
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_COMMON = frozenset(COMMON_WORDS.split())
