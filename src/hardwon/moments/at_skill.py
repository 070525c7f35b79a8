"""What is said when a skill loads: its lessons, and with the first skill of a session what holds everywhere."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from hardwon import action, clients
from hardwon.clients.skills import Place
from hardwon.event import Event, Heard
from hardwon.memories import Item, legacy, moments, skill_file, skills
from hardwon.memories.skill_file import SkillFile
from hardwon.moments.conversation import Conversation
from hardwon.render import context
from hardwon.store.connection import Store
from hardwon.text import anchors


@dataclass(frozen=True, slots=True)
class Loaded:
    """A skill that was loaded, and what may be said to it."""

    name: str = ""
    mark: str = ""
    lessons: list[Item] = field(default_factory=list)
    principles: list[Item] = field(default_factory=list)

    @property
    def items(self) -> list[Item]:
        return [*self.lessons, *self.principles]

    def block(self, said: list[Item]) -> str:
        """The block with those of the items that are to be said."""
        general = {item.ranked.memory.id for item in self.principles}
        lessons = [item for item in said if item.ranked.memory.id not in general]
        rest = [item for item in said if item.ranked.memory.id in general]
        return context.skill(self.name, lessons, mark=self.mark, principles=rest)


def loaded(
    store: Store, heard: Heard, event: Event, talk: Conversation, project: str, root: str, now: int, until: float
) -> Loaded:
    """Nothing for a skill that has its memory off. `event` is the last one of `heard`, without secrets."""
    file = _file(heard, root)
    if not skill_file.is_on(file, store.settings):
        return Loaded()
    exploring = event.tool == action.READ
    lessons = moments.at_skill(
        store,
        event.target,
        event.text,
        project,
        now,
        exploring=exploring,
        prompt="" if event.agent else talk.prompt,  # a sub-agent works at something of its own
        anchors=anchors.named_in(event.text, root, event.cwd),
        tuning=file.tuning,
        until=until,
        files=legacy.files(event.target, file.path, root),
    )
    first = not exploring and talk.is_first_skill(event.agent)
    return Loaded(event.target, file.mark, lessons, skills.principles(store, now) if first else [])


def _file(heard: Heard, root: str) -> SkillFile:
    """The file that was read; else the one that the client finds by the skill's name."""
    event = heard.events[-1]
    read = next((one.target for one in heard.events if one.tool == action.READ and one is not event), "")
    if read:
        return skill_file.read(os.path.join(event.cwd, read))  # noqa: PTH118
    logs = clients.logs(event.host)
    settings = logs.settings(event.transcript) if logs and event.transcript else ""
    return skill_file.of_name(event.target, Place(event.cwd, root, event.host, (settings,) if settings else ()))
