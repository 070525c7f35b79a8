"""A known text said again, with something beside it: what is new is added, what is there is not overwritten unasked.

A person's call may change what contradicts it. An agent adds to what agents said, and changes nothing of a person's.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hardwon.memory import Draft, Kind, Memory, Trust, normalise
from hardwon.text.speech.made import is_made


@dataclass(slots=True)
class Beside:
    """What a draft says beside the text of a memory that has the same."""

    fields: dict[str, Any] = field(default_factory=dict)
    """To be changed, as the payload of an edit."""
    added: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    """What the draft has and the memory did not take."""


def compare(twin: Memory, draft: Draft) -> Beside:
    found = _Found(twin, draft)
    if draft.kind not in (twin.kind, Kind.LESSON):  # a lesson is what a text is when nobody says what it is
        found.take("kind", draft.kind, [f"kind {draft.kind}"], contradicts=twin.kind is not Kind.LESSON)
    for name, word in (("title", "title"), ("subtype", "type"), ("intent", "intent"), ("because", "reason")):
        new, old = getattr(draft, name), getattr(twin, name)
        if new and normalise(new) != normalise(old):
            found.take(name, new, [f'{word} "{new}"'], contradicts=bool(old))
    anchors = [anchor for anchor in draft.anchors if anchor not in twin.anchors]
    both = [(anchor.kind, anchor.value) for anchor in (*twin.anchors, *anchors)]
    if found.may_add and anchors:
        found.beside.fields["anchors"] = both
    found.take("anchors", both, [f"anchor {anchor}" for anchor in anchors if not is_made(anchor)])
    _compare_rejected(found, twin, draft)
    return found.beside


class _Found:
    def __init__(self, twin: Memory, draft: Draft) -> None:
        self.beside = Beside()
        self.is_person = draft.trust is Trust.USER
        self.may_add = self.is_person or (draft.trust is not Trust.UNTRUSTED and twin.trust is not Trust.USER)

    def take(self, name: str, value: Any, words: list[str], *, contradicts: bool = False) -> None:
        if not words:
            return
        if not (self.is_person if contradicts else self.may_add):
            self.beside.kept += words
            return
        self.beside.fields[name] = value
        (self.beside.changed if contradicts else self.beside.added).extend(words)


def _compare_rejected(found: _Found, twin: Memory, draft: Draft) -> None:
    """An alternative that is there already may get a reason; another reason for it contradicts."""
    reasons = {normalise(one.what): one.why for one in twin.rejected}
    new = [one for one in draft.rejected if not reasons.get(normalise(one.what), "")]
    new = [one for one in new if one.why or normalise(one.what) not in reasons]
    other = [
        one for one in draft.rejected if one.why and reasons.get(normalise(one.what), one.why) not in ("", one.why)
    ]
    for words, contradicts in ((new, False), (other, True)):
        named = {normalise(one.what) for one in words}
        left = [pair for pair in _pairs(found, twin) if normalise(pair[0]) not in named]
        both = [*left, *((one.what, one.why) for one in words)]
        found.take("rejected", both, [f'rejected "{one.what}"' for one in words], contradicts=contradicts)


def _pairs(found: _Found, twin: Memory) -> list[tuple[str, str]]:
    """What was turned down, with what was taken in just now."""
    pairs: list[tuple[str, str]] = found.beside.fields.get("rejected", [(one.what, one.why) for one in twin.rejected])
    return pairs
