"""The seat belts at work: which findings there are before a call, and what becomes of it (`text/guards`)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hardwon import action
from hardwon.event import Event, EventType
from hardwon.moments import pushed
from hardwon.moments.conversation import Conversation
from hardwon.moments.pushed import Scans
from hardwon.project import relative_file
from hardwon.redact import Redactor
from hardwon.settings.keys import Guards
from hardwon.store.connection import Store
from hardwon.text import commands, guards
from hardwon.text.guards import Finding, Pushing, Repository, Surroundings, Written
from hardwon.text.guards import files as named
from hardwon.text.guards.script import UNKNOWN

WRITES = action.EDITS
_PROMPTS = f"""
select j.text from journal j join sessions s on s.row = j.session
where s.host = ? and s.id = ? and j.type = '{EventType.PROMPT_SUBMITTED}' order by j.at desc limit 50
"""


@dataclass(frozen=True, slots=True)
class Decision:
    """What becomes of the call."""

    notes: tuple[Finding, ...] = ()
    ask: tuple[Finding, ...] = ()
    deny: tuple[Finding, ...] = ()


@dataclass(slots=True)
class Guard:
    """What it remembers from call to call."""

    scans: Scans = field(default_factory=Scans)

    def close(self) -> None:
        self.scans.close()


def takes_long(event: Event) -> bool:
    """Whether git may have to be asked: then the answer is found in a thread."""
    if event.tool == action.SHELL:
        return guards.may_push(event.target) or any(
            named.is_secret(one.file, one.text) or named.secrets_in(one.file, one.text)
            for one in guards.written(guards.runs(event.target))
            if guards.may_matter(event.target)
        )
    if event.tool in WRITES:
        return named.is_secret(event.target, event.text) or bool(named.secrets_in(event.target, event.text))
    return False


def decide(guard: Guard, store: Store, event: Event, talk: Conversation, root: str, until: float) -> Decision:
    """Until then, by the monotonic clock, the repository may be looked at. Each thing is noted once in a session; what
    a person switched on is asked or refused each time."""
    settings = store.settings.guards
    if not settings.enabled:
        return Decision()
    found = _before_command(guard, store, event, talk, root, until) if event.tool == action.SHELL else []
    if event.tool in WRITES:
        found = _before_write(store, event, talk, root, until)
        talk.edits(relative_file(event.target, root, event.cwd) if root else event.target)
    sorted_: dict[str, list[Finding]] = {"note": [], "ask": [], "deny": []}
    for one in found:
        if level := level_of(one, event.host, settings):
            sorted_[level].append(one)
    notes = [one for one in sorted_["note"] if talk.may_note(one.key)]
    return Decision(tuple(notes), tuple(sorted_["ask"]), tuple(sorted_["deny"]))


def level_of(one: Finding, client: str, settings: Guards) -> str:
    """`note`, `ask`, `deny`, or nothing at all. What is not sure is noted at most."""
    names = {one.rule.value, f"{client}:{one.rule.value}"}
    if names & set(settings.off):
        return ""
    if one.is_sure and names & set(settings.deny):
        return "deny"
    return "ask" if one.is_sure and names & set(settings.ask) else "note"


def _before_command(
    guard: Guard, store: Store, event: Event, talk: Conversation, root: str, until: float
) -> list[Finding]:
    command = event.target
    if commands.is_validation(command):
        talk.checking(command)
    if not guards.may_matter(command):
        return []
    line = guards.runs(command)
    found: list[Finding] = []
    if guards.may_push(command):
        settings = pushed.config(event.cwd, until) if event.cwd else {}
        here = pushed.branch(event.cwd, until) if event.cwd else ""
        for one in guards.of_line(line, here, settings):
            known = _repository(guard, one, event, talk, root, store.redactor, until, here)
            found += guards.findings(one, known)
            if not one.push.is_dry:
                talk.pushes()
    around = _surroundings(store, event, talk, root, until)
    for written in guards.written(line):
        found += guards.writes(_placed(written, event, root), around)
    return found


def _repository(
    guard: Guard,
    one: Pushing,
    event: Event,
    talk: Conversation,
    root: str,
    redactor: Redactor,
    until: float,
    branch: str,
) -> Repository:
    folder = one.push.folder
    if UNKNOWN in folder or not event.cwd:
        return Repository(branch if not folder else "", failed=talk.failed_check if not folder else "")
    place = os.path.normpath(Path(event.cwd, Path(folder).expanduser()))
    if folder:
        branch = pushed.branch(place, until)
    sources = [
        spec.source
        for spec in one.push.refspecs
        if spec.source and UNKNOWN not in spec.source and "*" not in spec.source
    ]
    tags = pushed.tags(place, [name for spec in one.push.refspecs for name in (spec.source, spec.target)], until)
    changed = pushed.changed(place, until)
    going = pushed.outgoing(place, sources, redactor, guard.scans, until)
    mine = tuple(file for file in changed if file in talk.edited) if _is_below(place, root) else ()
    return Repository(branch, mine, talk.failed_check, going.held, going.unscanned, tags)


def _is_below(place: str, root: str) -> bool:
    return bool(root) and (place == root or place.startswith(f"{root}/"))


def _before_write(store: Store, event: Event, talk: Conversation, root: str, until: float) -> list[Finding]:
    is_new = event.tool == action.WRITE and not os.path.lexists(Path(event.cwd, event.target))
    one = _placed(Written(event.target, _added(event)), event, root)
    return list(guards.writes(one, _surroundings(store, event, talk, root, until), is_new=is_new))


def _added(event: Event) -> str:
    """Of an edit what is new: a secret that is taken out is no danger."""
    if event.tool in (action.EDIT, "MultiEdit"):
        return event.text.rpartition("\n+ ")[2]
    return event.text


def _placed(one: Written, event: Event, root: str) -> Written:
    """As the project knows it; a file outside of it is nobody's business."""
    path = Path(one.file).expanduser()
    if not root:
        return one
    absolute = os.path.normpath(Path(event.cwd or root, path))
    file = os.path.relpath(absolute, root) if _is_below(absolute, root) else f"~/{Path(absolute).name}"
    return Written(file, one.text, one.source, one.is_sure)


def _surroundings(store: Store, event: Event, talk: Conversation, root: str, until: float) -> Surroundings:
    def is_ignored(file: str) -> bool | None:
        return pushed.is_ignored(root or event.cwd, str(Path(root or event.cwd, file)), until) if event.cwd else None

    return Surroundings(
        is_ignored, lambda file: os.path.lexists(Path(root or event.cwd, file)), _asked(store, event, talk)
    )


def _asked(store: Store, event: Event, talk: Conversation) -> str | None:
    """What the person has said in this session; None where nothing is known of it."""
    said = [str(text) for (text,) in store.rows(_PROMPTS, (event.host, event.session))]
    together = "\n".join([talk.prompt, *said]).strip()
    return together or None


def told(found: Sequence[Finding]) -> list[str]:
    return [one.said for one in found]
