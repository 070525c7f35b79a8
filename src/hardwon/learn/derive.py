"""derive: from one session's journal, whole and in order, to what was learned. Pure.

Live hooks, a late transcript and a second reading give the same journal and therefore the same memories; each has an
`origin_key`, so that nothing is learned twice. Here: a command that failed, and what made the same command pass.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from hardwon.event import Event, EventType
from hardwon.memory import Anchor, AnchorKind, Draft, Kind, Scope, Trust
from hardwon.understand import anchors, commands, errors
from hardwon.understand.tiers import clip

CHANGING = frozenset({"Edit", "Write", "MultiEdit", "NotebookEdit"})


@dataclass(frozen=True, slots=True)
class Learned:
    """A draft, and for a fix the origin key of the failure that it fixes."""

    draft: Draft
    fixes: str | None = None


@dataclass(slots=True)
class _Open:
    """A failure that nothing has fixed yet, and what was done since."""

    event: Event
    key: str
    changes: list[Event] = field(default_factory=list)
    changed: bool = False
    """Whether anything was changed since it failed last: else it passed by itself."""


def derive(journal: Sequence[Event]) -> list[Learned]:
    return list(_walk(journal))


def _walk(journal: Sequence[Event]) -> Iterator[Learned]:
    still_open: dict[str, _Open] = {}
    for event in journal:
        if event.type is EventType.TOOL_FAILED and event.tool == "Bash" and _is_lesson(event):
            command = commands.normalise(event.target)
            yield Learned(_failure(event, command))
            known = still_open.get(command)
            changes = known.changes if known else []
            still_open[command] = _Open(event, _key(event), changes)
        elif event.type is EventType.TOOL_FINISHED and event.tool == "Bash":
            command = commands.normalise(event.target)
            failed = still_open.pop(command, None)
            if failed and failed.changed:
                yield Learned(_fix(failed, event, command), failed.key)
            if not commands.only_looks(event.target):
                _note_change(still_open, event, but=command)
        elif event.type is EventType.TOOL_FINISHED and event.tool in CHANGING:
            _note_change(still_open, event)


def _note_change(still_open: dict[str, _Open], event: Event, but: str = "") -> None:
    for command, failed in still_open.items():
        if command != but:
            failed.changes.append(event)
            failed.changed = True


def _is_lesson(event: Event) -> bool:
    """Not a denial, not Esc, not a search that found nothing."""
    if event.exit_status is None:
        return False
    return not (event.exit_status == 1 and commands.begins(commands.normalise(event.target), _ASKING))


_ASKING = ("grep", "rg", "diff", "test", "[", "[[", "cmp", "git diff", "git grep")
"""Commands that answer no by their exit status."""


def _failure(event: Event, command: str) -> Draft:
    said = errors.headline(event.error)
    return Draft(
        kind=Kind.FAILURE,
        body=f"`{_short(command)}` failed: {said}",
        scope=Scope(event.project or ""),
        trust=Trust.VERIFIED,
        source="session",
        anchors=(
            Anchor(AnchorKind.COMMAND, command),
            *([Anchor(AnchorKind.ERROR, signature)] if (signature := errors.signature(event.error)) else []),
            *(one for one in anchors.named_in(said) if one.kind is AnchorKind.SYMBOL),
        ),
        evidence=(f"{event.host}:{event.session}:{event.call}",),
        origin_key=_key(event),
    )


def _fix(failed: _Open, passed: Event, command: str) -> Draft:
    done = "; ".join(dict.fromkeys(_said(event) for event in failed.changes[-4:]))
    return Draft(
        kind=Kind.FIX,
        subtype="worked",
        body=f"`{_short(command)}` works after: {done}",
        scope=Scope(passed.project or ""),
        trust=Trust.VERIFIED,
        source="session",
        anchors=(Anchor(AnchorKind.COMMAND, command),),
        evidence=(f"{passed.host}:{passed.session}:{passed.call}",),
        origin_key=f"{passed.host}:{passed.call}:fix",
    )


def _said(event: Event) -> str:
    if event.tool == "Bash":
        return f"`{_short(commands.normalise(event.target))}`"
    return f"edited {event.target} ({_short(event.text.replace(chr(10), ' '))})"


def _short(text: str) -> str:
    return clip(" ".join(text.split()), 160).replace("\n", " ")


def _key(event: Event) -> str:
    return f"{event.host}:{event.call}:failure"
