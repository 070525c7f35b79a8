"""The card of the branch that a session works on: found, and told at its moments, each line once in a window."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hardwon import git_head
from hardwon.event import Event
from hardwon.git_head import Head, Life
from hardwon.memories import marked
from hardwon.memories.branches.branch_card import Card, Line, Refs, card, renamed
from hardwon.memories.branches.branch_refs import CUSTOM, DiskRefs, NoRefs
from hardwon.moments.answered import Here
from hardwon.moments.conversation import Conversation
from hardwon.redact import border
from hardwon.render import branch as render
from hardwon.store.connection import Store
from hardwon.store.tables import branches
from hardwon.text.branches.fact import Fact, What

PLAN = 1_500
"""Characters from which on a prompt of several lines is a plan that was made before: it says where things stand."""

SAME = 60
"""Characters by which what was marked is known again in a summary."""


@dataclass(frozen=True, slots=True)
class Found:
    card: Card
    lines: tuple[Line, ...]


def head_of(where: Here, cwd: str) -> Head:
    return where.head or git_head.read(cwd)


def found(store: Store, project: str, head: Head, now: int) -> Found | None:
    """None where there is nothing to say at all: outside git, on the default branch, on no branch, in a bisect."""
    if not project or not head.branch or head.bisecting:
        return None
    refs: Refs = DiskRefs(store, head) if head.common else NoRefs(branches.known(store, project, 200))
    if head.branch == refs.default or (not refs.default and head.branch in CUSTOM):
        return None
    life = git_head.life(head.common, head.branch) if head.common else Life()
    names = renamed(life.names, border.identifier(head.branch, store.redactor), life.born)
    facts = branches.of(store, project, names, now)
    facts = _renamed_by_command(store, project, facts, now)
    if not facts:
        return None
    others = branches.bases(store, project, now)
    root = border.clean(head.root, store.redactor)
    marks = marked.of_branch(store, [fact.value for fact in facts if fact.what is What.MARK])
    known = card(head.branch, root, facts, others, refs, now, marks)
    return Found(known, tuple(render.lines(known)))


def _renamed_by_command(store: Store, project: str, facts: list[Fact], now: int) -> list[Fact]:
    """Where git's own log tells of no renaming, the command that was seen does."""
    for fact in facts:
        if fact.what is What.RENAMED and not any(one.branch == fact.value for one in facts):
            before = branches.of(store, project, {fact.value: (0, fact.at)}, now)
            return sorted([*before, *facts], key=lambda one: one.at)
    return facts


def at_start(
    talk: Conversation, event: Event, here: Found | None, head: Head, worth: Callable[[Card], Card], *, again: bool
) -> tuple[Line, ...]:
    """What the session does not know, of what is `worth` saying then. `again`: its context is empty, so that it knows
    nothing of what it did itself."""
    talk.branches[event.agent] = head.branch
    if here is None:
        return ()
    talk.is_unsure = here.card.unsure
    said = Found(here.card, tuple(render.lines(worth(here.card))))
    return _fresh(talk, event, said, own_too=again)


def on_the_way(store: Store, talk: Conversation, event: Event, where: Here, now: int) -> tuple[Line, ...]:
    """At a prompt that names a merge, a rebase, a pull request or a branch, and after a switch: what is new to it."""
    head = head_of(where, event.cwd)
    before = talk.branches.get(event.agent)
    talk.branches[event.agent] = head.branch
    if before is None and event.agent:  # a sub-agent that just began
        return ()
    switched = before is not None and head.branch != before
    prompted = event.text if event.text and not event.tool else ""
    asked = bool(prompted) and (names_git(prompted, head.branch) or talk.is_unsure or talk.is_put_off)
    if prompted and talk.is_put_off and is_plan(prompted):
        talk.is_put_off = talk.is_unsure = False
        return ()
    if not switched and not asked:
        return ()
    here = found(store, where.project, head, now)
    talk.is_put_off = talk.is_unsure = False
    return _fresh(talk, event, here, own_too=False) if here else ()


def _fresh(talk: Conversation, event: Event, here: Found, *, own_too: bool) -> tuple[Line, ...]:
    known = talk.told[event.agent, talk.context]
    lines = [line for line in here.lines if line.mark not in known]
    return tuple(line for line in lines if own_too or line.session != event.session)


def is_said(here: Found, line: Line, said: str) -> bool:
    """Whether all that was marked and that this line tells stands in a text."""
    marks = here.card.marked
    known = {one.id: one for one in (*marks.decisions, *marks.tasks, *marks.traps)}
    begins = [" ".join(known[id].headline.split())[:SAME] for id in line.memories if id in known]
    return bool(begins) and all(one in said for one in begins)


def texts(lines: Sequence[Line]) -> tuple[str, ...]:
    return tuple(line.text for line in lines)


_WORDS = re.compile(
    r"\b(?:merg(?:e|es|ed|ing)|rebas(?:e|es|ed|ing)|pull requests?|PRs?|branch(?:es)?|stack(?:ed)?|cherry.?pick)\b"
    r"|合并|变基|分支|拉取请求|マージ|リベース|プルリク|ブランチ",
    re.IGNORECASE,
)


def names_git(prompt: str, branch: str) -> bool:
    return _WORDS.search(prompt) is not None or (len(branch) > 3 and branch in prompt)


def is_plan(prompt: str) -> bool:
    return len(prompt) >= PLAN and prompt.count("\n") >= 10
