"""What a session taught, put to the skill that was at work; and everywhere, once two projects agree."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable, Iterator

from hardwon.clients.skills import Place
from hardwon.event import Event, EventType
from hardwon.learn.at_work import AtWork, Described
from hardwon.learn.skill_edits import Mended
from hardwon.learn.steps import Learned
from hardwon.memories import skill_file
from hardwon.memories.skill_file import SkillFile
from hardwon.memory import GLOBAL, IN_VAIN, Draft, Kind, Memory, Scope, Status, Trust
from hardwon.store import changes, projects
from hardwon.store.connection import Store
from hardwon.store.tables import memories

KINDS = frozenset({Kind.FAILURE, Kind.FIX, Kind.RULE, Kind.LESSON})
MOST = 20_000
"""Events of a session of which it is known whose they are."""
_TOLD = frozenset({EventType.TOOL_FAILED, EventType.TOOL_FINISHED, EventType.PROMPT_SUBMITTED})


class OfSkills:
    """Reads a session along with whoever learns from it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._files: dict[str, SkillFile] = {}
        self._at_work = AtWork(self._described)
        self._mended = Mended()
        self._owners: dict[str, str] = {}
        self.lessons: list[Learned] = []
        """Of skills whose own file was mended."""

    def following(self, journal: Iterable[Event]) -> Iterator[Event]:
        for event in journal:
            owner = self._at_work.saw(event)
            if owner and event.type in _TOLD and len(self._owners) < MOST and self._is_on(owner):
                self._owners[event.call or event.key] = owner
            if lesson := self._mended.saw(event, owner):
                self.lessons.append(lesson)
            yield event

    def scoped(self, found: Learned) -> Learned:
        """A fix belongs where what it fixes does."""
        draft = found.draft
        if draft.kind not in KINDS or draft.scope.skill or not draft.scope.project:
            return found
        call = found.fixes.split(":")[1] if found.fixes and found.fixes.count(":") == 2 else ""
        event = found.event
        owner = self._owners.get(call or (event.call or event.key if event else ""), "")
        if not owner:
            return found
        mark = self._files.get(owner, SkillFile()).mark
        scope = Scope(draft.scope.project, owner)
        return dataclasses.replace(found, draft=dataclasses.replace(draft, scope=scope, skill_mark=mark))

    def _described(self, name: str, event: Event) -> Described:
        root = projects.look(self._store, event.cwd).place.root if event.cwd else ""
        settings = os.path.dirname(os.path.dirname(os.path.dirname(event.transcript)))  # noqa: PTH120
        place = Place(event.cwd, root, event.host, (settings,) if settings else ())
        file = self._files[name] = skill_file.of_name(name, place)
        return Described(file.description, file.body)

    def _is_on(self, name: str) -> bool:
        return skill_file.is_on(self._files.get(name, SkillFile()), self._store.settings)


def everywhere(store: Store, draft: Draft, now: int) -> None:
    """Where two projects taught a skill the same, it holds in all of them; the text is then of no single project."""
    if not draft.scope.skill or draft.scope.project == GLOBAL or not _may_hold(draft):
        return
    same = memories.by_ids(store, memories.with_text(store, draft.body)).values()
    here = [one for one in same if one.scope == draft.scope and _holds(one)]
    others = [one for one in same if one.scope.skill == draft.scope.skill and _holds(one) and one not in here]
    if not here or not others or any(one.scope.project == GLOBAL for one in others):
        return
    evidence = tuple(dict.fromkeys((*here[0].evidence, *others[0].evidence)))
    changes.note(
        store,
        Draft(
            kind=Kind.LESSON,
            body=here[0].body,
            scope=Scope(GLOBAL, draft.scope.skill),
            trust=min(here[0].trust, others[0].trust, key=lambda trust: trust.rank),
            source="session",
            anchors=here[0].anchors,
            evidence=evidence,
            origin_project=others[0].scope.project,
            skill_mark=here[0].skill_mark,
        ),
        now,
    )


def _may_hold(draft: Draft) -> bool:
    return draft.kind in (Kind.FIX, Kind.LESSON) and draft.subtype not in IN_VAIN and not draft.candidate


def _holds(memory: Memory) -> bool:
    return memory.status is Status.ACTIVE and memory.trust is not Trust.UNTRUSTED and memory.subtype not in IN_VAIN
