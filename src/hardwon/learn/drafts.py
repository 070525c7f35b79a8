"""How failures and what was done against them are written down."""

from __future__ import annotations

from collections.abc import Sequence

from hardwon import action
from hardwon.event import Event
from hardwon.learn.causes import EDITING, Proof, Verdict, can_be_cause, is_related
from hardwon.learn.trouble import Trouble
from hardwon.memory import PAST, SAID, Anchor, AnchorKind, Draft, Kind, Scope, Trust
from hardwon.text import commands, errors, likeness, untrusted
from hardwon.text.commands.another_way import INSTEAD, another_way, quoted

MOST_CHANGES = 4
"""Named in one fix; what was done last counts most."""
LONGEST_EDIT = 320


def failure(event: Event, command: str, signature: str) -> Draft:
    said = errors.headline(event.error)
    named = [one for one in errors.named(event.error) if one.kind in (AnchorKind.SYMBOL, AnchorKind.PACKAGE)]
    return Draft(
        kind=Kind.FAILURE,
        body=f"`{quoted(commands.typed(command))}` failed: {said}",
        scope=Scope(event.project or ""),
        trust=Trust.VERIFIED,
        source="session",
        anchors=(
            Anchor(AnchorKind.COMMAND, command),
            *([Anchor(AnchorKind.ERROR, signature)] if signature else []),
            *named[:4],
        ),
        evidence=(_evidence(event), *(f"{SAID}{line}" for line in likeness.kept(event.error))),
        origin_key=failure_key(event),
    )


def attempt(known: Trouble, tried: Sequence[Event], event: Event) -> Draft:
    """What did not help."""
    return Draft(
        kind=Kind.FIX,
        subtype="failed",
        body=f"{tried_for(known.command)}: {steps(tried)}; it still failed: {errors.headline(event.error)}",
        scope=Scope(event.project or ""),
        trust=Trust.VERIFIED,
        source="session",
        anchors=(Anchor(AnchorKind.COMMAND, known.command),),
        evidence=(_evidence(event),),
        origin_key=f"{event.host}:{event.call}:attempt",
    )


def past(known: Trouble, verdict: Verdict, event: Event, then: Sequence[Event] = ()) -> Draft:
    """What cured this layer: another error came, and perhaps what cured that one in its turn."""
    body = f"{steps(verdict.causes)} got past this; then `{quoted(commands.typed(known.command))}` failed: "
    body += errors.headline(event.error)
    if then:
        body = f"{steps(verdict.causes)} got past this; then {steps(then)}, against: {errors.headline(event.error)}"
    return Draft(
        kind=Kind.FIX,
        subtype=PAST,
        body=body,
        scope=Scope(event.project or ""),
        trust=Trust.VERIFIED if verdict.proof is Proof.PROVEN else Trust.AGENT,
        source="session",
        anchors=_about(known, verdict.causes),
        evidence=(_evidence(event),),
        origin_key=past_key(known, event, whole=bool(then)),
        candidate=only_destroys(verdict.causes),
    )


def fix(known: Trouble, verdict: Verdict, passed: Event) -> Draft:
    return Draft(
        kind=Kind.FIX,
        subtype="worked",
        body=f"`{quoted(commands.typed(_passed(known, passed)))}`{WORKS_AFTER}{steps(verdict.causes)}",
        scope=Scope(passed.project or ""),
        trust=Trust.VERIFIED if verdict.proof is Proof.PROVEN else Trust.AGENT,
        source="session",
        anchors=_about(known, verdict.causes),
        evidence=(_evidence(passed),),
        origin_key=fix_key(known, passed),
        candidate=only_destroys(verdict.causes),
    )


def _passed(known: Trouble, passed: Event) -> str:
    """The command that passed, as far as it is one of those that failed; a broader one was not what was wanted. With
    what was set for it, where that is new."""
    command = commands.normalise(passed.target)
    met = known.met_by.get(command)
    if met and commands.setting(passed.target) - commands.setting(met.target):
        return passed.target
    return command if met else known.command


WORKS_AFTER = " works after: "


def other_way(known: Trouble, since: Sequence[Event], passed: Event) -> Draft:
    """What failed again and again as it was, and then passed in other words, passed because of these words."""
    return Draft(
        kind=Kind.FIX,
        subtype=INSTEAD,
        body=f"{another_way(passed.target)} `{quoted(known.event.target)}` failed{_after(known, since)}",
        scope=Scope(passed.project or ""),
        trust=Trust.VERIFIED if known.times > 1 and not known.flaky else Trust.AGENT,
        source="session",
        anchors=(Anchor(AnchorKind.COMMAND, known.command),),
        evidence=(_evidence(passed),),
        origin_key=fix_key(known, passed),
    )


def only_destroys(causes: Sequence[Event]) -> bool:
    """Whether a fix only takes something away for good: it waits for a person, or until it was the fix once more."""
    return bool(causes) and all(one.tool == action.SHELL and commands.only_destroys(one.target) for one in causes)


def _after(known: Trouble, done: Sequence[Event]) -> str:
    causes = [one for one in done if can_be_cause(one) and is_related(one, known.failed)]
    return f", after: {steps(causes)}" if causes else ""


def _about(known: Trouble, causes: Sequence[Event]) -> tuple[Anchor, ...]:
    files = [Anchor(AnchorKind.FILE, one.target) for one in causes if one.tool in EDITING]
    return (Anchor(AnchorKind.COMMAND, known.command), *dict.fromkeys(files[:4]))


def tried_for(command: str) -> str:
    return f"Tried for `{quoted(commands.typed(command))}`"


def steps(changes: Sequence[Event]) -> str:
    """In the order in which they were done, those that came last."""
    return "; ".join(list(dict.fromkeys(step(event) for event in changes))[-MOST_CHANGES:])


def step(event: Event) -> str:
    if event.tool in EDITING:
        return f"edited {event.target} (change: {untrusted.quoted(event.text, LONGEST_EDIT)})"
    return f"`{quoted(event.target)}`"


def _evidence(event: Event) -> str:
    return f"{event.host}:{event.session}:{event.call}"


def failure_key(event: Event) -> str:
    return f"{event.host}:{event.call}:failure"


def fix_key(known: Trouble, passed: Event) -> str:
    return f"{passed.host}:{passed.call}:fix:{known.key}"


def past_key(known: Trouble, event: Event, *, whole: bool) -> str:
    return f"{event.host}:{event.call}:{'layers' if whole else 'past'}:{known.key}"
