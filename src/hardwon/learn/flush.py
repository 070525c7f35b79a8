"""From a summary, and from the raw notes before it, to lessons of a skill.

A checkpoint is put away only after its text has become a lesson, and then into the archive: nothing is lost by a
flush that found nothing, that was full, or that ran twice at once.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from hardwon.memory import GLOBAL, Draft, Kind, Memory, Scope, Status, Trust, normalise
from hardwon.redact import border
from hardwon.store import changes
from hardwon.store.changes import Outcome
from hardwon.store.connection import Store
from hardwon.store.index import wordings
from hardwon.store.tables import memories
from hardwon.text.skills import lessons
from hardwon.text.skills.lessons import Lesson


@dataclass(slots=True)
class Plan:
    """What a flush will do."""

    new: list[Lesson] = field(default_factory=list)
    known: list[Lesson] = field(default_factory=list)
    left_over: int = 0
    taken: list[Memory] = field(default_factory=list)
    """Checkpoints of which everything is a lesson then."""
    waiting: int = 0
    """Checkpoints for which there was no room."""

    @property
    def is_empty(self) -> bool:
        return not (self.new or self.known or self.taken)


@dataclass(slots=True)
class Flushed:
    kept: list[str] = field(default_factory=list)
    known: list[str] = field(default_factory=list)
    forgotten: int = 0
    archived: list[str] = field(default_factory=list)


def waiting(store: Store, skill: str, project: str) -> list[Memory]:
    """The skill's checkpoints of this project and of everywhere, oldest first."""
    which = memories.Filter((project, GLOBAL), skill, (Kind.CHECKPOINT,), (Status.ACTIVE,))
    return sorted(memories.listed(store, which)[0], key=lambda memory: (memory.created_at, memory.id))


def plan(store: Store, scope: Scope, found: Sequence[Lesson], checkpoints: Iterable[Memory], most: int) -> Plan:
    """`most` holds for the lessons of the checkpoints apart; those of the source are cut already."""
    made = Plan()
    seen: set[str] = set()
    for lesson in (_passed(store, one) for one in found):
        seen.add(normalise(lesson.text))
        is_known = _is_known(store, scope, lesson) or _is_reworded(store, scope, lesson)
        (made.known if is_known else made.new).append(lesson)
    room = most
    for checkpoint in checkpoints:
        material = (_passed(store, one) for one in _material(checkpoint))
        fresh = [one for one in material if not (_is_in(one, seen) or _is_known(store, scope, one))]
        seen.update(normalise(one.text) for one in fresh[:room])
        made.new += fresh[:room]
        if len(fresh) <= room:
            made.taken.append(checkpoint)
        else:
            made.waiting += 1
            made.left_over += len(fresh) - room
        room -= min(room, len(fresh))
    return made


def _material(checkpoint: Memory) -> Sequence[Lesson]:
    """Its lesson sections when it has any, else the note itself."""
    return lessons.find([checkpoint.body], sys.maxsize).lessons or (Lesson(checkpoint.body, checkpoint.title),)


def _passed(store: Store, lesson: Lesson) -> Lesson:
    """The border: without secrets."""
    return Lesson(**border.clean({"text": lesson.text, "title": lesson.title}, store.redactor))


def _is_in(lesson: Lesson, seen: set[str]) -> bool:
    return normalise(lesson.text) in seen


def _is_known(store: Store, scope: Scope, lesson: Lesson) -> bool:
    return memories.same_text(store, scope, lesson.text) is not None


def _is_reworded(store: Store, scope: Scope, lesson: Lesson) -> bool:
    draft = Draft(Kind.LESSON, lesson.text, scope, Trust.AGENT, "agent", title=lesson.title)
    return wordings.twin(store, draft) is not None


def carry_out(
    store: Store, made: Plan, draft: Callable[[Lesson], Draft], who: Trust, now: int, *, keep_checkpoints: bool
) -> Flushed:
    """In the running transaction, so that nobody else can change what was planned with."""
    done = Flushed()
    for place, lesson in enumerate((*made.new, *made.known)):
        made_of = changes.passed(store, draft(lesson))
        noted = changes.note(store, made_of, now + place)  # a millisecond apart, so that they stay in order
        if noted.id is None:
            done.forgotten += 1
        else:
            (done.kept if noted.outcome is Outcome.CREATED else done.known).append(noted.id)
    for checkpoint in made.taken:
        # What a person said is put away by a person.
        if not keep_checkpoints and checkpoint.trust.rank <= max(who.rank, Trust.VERIFIED.rank):
            changes.move(store, checkpoint.id, Status.ARCHIVED, now, reason="flushed: it became a lesson")
            done.archived.append(checkpoint.id)
    return done
