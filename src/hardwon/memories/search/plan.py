"""How a prompt is to be answered, before anything is looked up: what it names, what it is after, how much may be said.

Pure. The plan chooses among what fits; whether anything fits at all is the gate's to say, and the intent has no part in
that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from hardwon.memory import Anchor, AnchorKind, Kind
from hardwon.settings.keys import Recall
from hardwon.text import errors
from hardwon.text.speech import intents, mentions
from hardwon.text.speech.intents import Intent, Risk

__all__ = ["Intent", "Plan", "Policy", "Risk", "plan", "policy"]

MOST = {
    AnchorKind.FILE: 8,
    AnchorKind.COMMAND: mentions.MOST_COMMANDS,
    AnchorKind.SYMBOL: 10,
    AnchorKind.PACKAGE: mentions.MOST_PACKAGES,
    AnchorKind.ERROR: 2,
    AnchorKind.TOPIC: mentions.MOST_TOPICS,
    AnchorKind.DIRECTORY: 4,
}
"""A pasted log names hundreds of things; each one is a look into the index."""

END = 3_000
"""Characters at both ends in which things are sought that are named in plain words: between them is what was pasted."""

# How much ahead a kind is for an intent: enough to decide between two that fit alike, never more.
LIKED: dict[Intent, Mapping[Kind, float]] = {
    Intent.CHANGE: {Kind.FAILURE: 1.1, Kind.CONSTRAINT: 1.1, Kind.RULE: 1.05, Kind.FIX: 1.05},
    Intent.WHY: {Kind.DECISION: 1.15, Kind.CONSTRAINT: 1.05},
    Intent.DEBUG: {Kind.FAILURE: 1.1, Kind.FIX: 1.1},
    Intent.GENERAL: {},
}
_CERTAIN = frozenset({AnchorKind.FILE, AnchorKind.COMMAND})


@dataclass(frozen=True, slots=True)
class Plan:
    pivots: tuple[Anchor, ...] = ()
    """What the prompt names, in order, each once and of each kind a few."""
    intent: Intent = Intent.GENERAL
    risk: Risk = Risk.LOW

    @property
    def liked(self) -> Mapping[Kind, float]:
        """The kinds that are wanted a little more, with their factor."""
        return LIKED[self.intent]


@dataclass(frozen=True, slots=True)
class Policy:
    candidates: int
    """So many of the best are looked at more closely."""
    items: int
    tokens: int
    min_coverage: float


def plan(text: str, anchors: Iterable[Anchor]) -> Plan:
    """`anchors` are those that are certain by their form, and an error by its signature (`understand.anchors`)."""
    told = text if len(text) <= 2 * END else f"{text[:END]}\n{text[-END:]}"
    named = dict.fromkeys(
        (*anchors, *mentions.commands_in(told), *mentions.packages_in(told), *mentions.topics_in(told))
    )
    pivots = _bounded(named)
    kinds = {anchor.kind for anchor in pivots}
    # Any text has a signature: its last line. Whether that is an error's is another question.
    pasted = AnchorKind.ERROR in kinds and errors.recognised(text)
    intent, risk = intents.read(text, pasted_error=pasted, names_a_thing=pasted or not _CERTAIN.isdisjoint(kinds))
    if AnchorKind.ERROR in kinds and not pasted and "\n" not in text and intent in (Intent.GENERAL, Intent.WHY):
        pivots = tuple(anchor for anchor in pivots if anchor.kind is not AnchorKind.ERROR)
    return Plan(pivots, intent, risk)


def _bounded(named: Iterable[Anchor]) -> tuple[Anchor, ...]:
    seen: Counter[AnchorKind] = Counter()
    kept = []
    for anchor in named:
        seen[anchor.kind] += 1
        if seen[anchor.kind] <= MOST[anchor.kind]:
            kept.append(anchor)
    return tuple(kept)


def policy(risk: Risk, settings: Recall) -> Policy:
    """The settings are for prompts at which there is something to lose; a mere question gets less. Of the coverage less
    than they say is enough: at a prompt the words must be rare ones as well."""
    limit, tokens, least = settings.limit, settings.budget_tokens, settings.min_coverage
    match risk:
        case Risk.HIGH:
            return Policy(limit * 5, limit, tokens, least * 0.85)
        case Risk.MEDIUM:
            return Policy(limit * 3, limit, tokens, least * 0.9)
        case Risk.LOW:
            return Policy(limit * 2, -(-limit * 3 // 5), tokens * 2 // 3, least)
