"""Which stored failure a new one is: the few that share its rarest words, weighed one by one.

Candidates come from an index (`store/index/failure_words.py`), a bounded number however large the home is. Whether
one of them has the same cause is for `text/likeness` to say. All that are known are one cause: one of them is said,
that with the best fix, and how often it was seen counts them together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from hardwon.memories.moments import ACTION_TOKENS, Known, known_among, with_attempts
from hardwon.memories.search.budget import fit
from hardwon.memories.search.rank import Ranked
from hardwon.memory import GLOBAL, Anchor, AnchorKind, Kind, Memory, Status, Trust
from hardwon.store.connection import Store
from hardwon.store.index import failure_words
from hardwon.store.tables import memories
from hardwon.text import errors, likeness
from hardwon.text.commands.another_way import INSTEAD, instead_of
from hardwon.text.likeness import At, Fix, Rarity, Tier, Trouble

WORDS = 24
"""Of a new failure's words, so many are looked up."""
POSTINGS = 200
"""Of each, the newest failures of the project."""
CANDIDATES = 8
ANCHORED = 3
"""Of those with the same signature, and of those of the same command, the newest."""
SAYS_NOTHING = 3.0
"""A word that every twentieth output has finds nothing."""


@dataclass(frozen=True, slots=True)
class Like:
    """A stored failure, with what was done against it, and how probably it is the same."""

    known: Known
    chance: float
    tier: Tier

    @property
    def is_known(self) -> bool:
        return self.tier is Tier.KNOWN


def look_up(store: Store, new: Trouble, project: str, now: int, at: At = At.AFTER_FAILURE) -> list[Like]:
    """The failures of this project that a new one is, or looks like, the most probable first."""
    if not new.lines:
        return []
    rows, rarity = _candidates(store, new, project)
    found = [one for one in memories.by_rows(store, rows).values() if _may_be_said(one)] if rows else []
    likes = []
    for known in known_among(store, found, Anchor(AnchorKind.ERROR, new.signature), now, len(found)):
        chance = _chance(known, new, rarity)
        if tier := likeness.tier(chance, at):
            likes.append(Like(known, chance, tier))
    return sorted(likes, key=lambda one: -one.chance)


def best(likes: Sequence[Like], *, hedged: bool = True) -> list[Like]:
    """What is said of them: the one that is known, with all sightings of its cause; else the one that it looks like, if
    something proven helped there."""
    known = [one for one in likes if one.is_known]
    if known:
        told = max(known, key=lambda one: (one.known.is_proven, bool(one.known.fixes), one.chance))
        return [replace(told, known=_with_all(told.known, [one.known for one in known]))]
    if hedged:
        return [one for one in likes if one.known.is_proven and not one.known.memory.complaints][:1]
    return []


def merged(store: Store, found: Sequence[Ranked], project: str, now: int) -> list[Ranked]:
    """The same with one failure for each cause: in place of several spellings that where something helped, at the rank
    of the first. Of those that nobody has mended one is enough."""
    kept: dict[str, Ranked] = {}
    unmended = False
    for one in found:
        if one.memory.kind is not Kind.FAILURE or one.memory.source != "session":
            kept.setdefault(one.memory.id, one)
            continue
        known = same_cause(store, one, project, now)
        if known.fixes or not unmended:
            kept.setdefault(known.memory.id, replace(one, candidate=replace(one.candidate, memory=known.memory)))
        unmended = unmended or not known.fixes
    return list(kept.values())


def same_cause(store: Store, one: Ranked, project: str, now: int) -> Known:
    """A stored failure with what helped: its own fix, or that of another spelling of it."""
    own = with_attempts(store, fit([one], 1, ACTION_TOKENS)[0])
    if own.fixes or one.memory.kind is not Kind.FAILURE:
        return own
    likes = look_up(store, failure_words.trouble_of(one.memory), project, now, At.CHECK)
    mended = [like.known for like in likes if like.is_known and like.known.is_proven]
    return mended[0] if mended else own


def _with_all(one: Known, same: Sequence[Known]) -> Known:
    """One of several that are the same, seen as often as they all."""
    hits = sum(other.times for other in same) - 1
    ranked = one.item.ranked
    item = replace(one.item, ranked=replace(ranked, candidate=replace(ranked.candidate, hits=hits)))
    return replace(one, item=item)


def _may_be_said(memory: Memory) -> bool:
    told = memory.status in (Status.ACTIVE, Status.RESOLVED) and memory.trust is not Trust.UNTRUSTED
    return memory.kind is Kind.FAILURE and told


def _candidates(store: Store, new: Trouble, project: str) -> tuple[list[int], Rarity]:
    """Their rows, and what a word weighs in this home."""
    plain = Rarity()
    weighed = {word: plain.of(word) for word in new.all_words}
    rare = sorted((word for word in weighed if weighed[word] > SAYS_NOTHING), key=lambda word: -weighed[word])[:WORDS]
    seen = failure_words.counts(store, rare)
    rarity = Rarity(seen, failure_words.total(store))
    rows: Counter[int] = Counter()
    for word in rare:
        if 0 < seen[word] < failure_words.COUNTED:
            for row in failure_words.rows_with(store, word, project, POSTINGS):
                rows[row] += round(100 * rarity.of(word))
    chosen = [row for row, _ in rows.most_common(CANDIDATES)]
    return list(dict.fromkeys((*chosen, *_anchored(store, new, project)))), rarity


def _anchored(store: Store, new: Trouble, project: str) -> list[int]:
    """Those with the very signature or of the very command: also in a home that is not indexed yet."""
    anchors = [Anchor(AnchorKind.COMMAND, new.command)] if new.command else []
    if new.signature and not errors.generic(new.signature):
        anchors.append(Anchor(AnchorKind.ERROR, new.signature))
    return [row for row, _ in memories.anchored(store, anchors, (project, GLOBAL), ANCHORED)]


def _chance(known: Known, new: Trouble, rarity: Rarity) -> float:
    old = failure_words.trouble_of(known.memory)
    fix = Fix("\n".join(_way(one) for one in known.fixes[:2])) if known.fixes else None
    chance = likeness.probability(old, new, rarity, fix)
    # What a person, an agent or an older version has kept is one line: its signature is all there is to go by.
    return 1.0 if not known.memory.said and _is_the_same(old, new) else chance


def _is_the_same(old: Trouble, new: Trouble) -> bool:
    if not old.signature or old.signature != new.signature:
        return False
    return old.command == new.command or not errors.generic(new.signature)


def _way(fix: Memory) -> str:
    """What a fix says to do, without the command that it helps."""
    if fix.subtype == INSTEAD:
        return instead_of(fix.body) or fix.body
    return fix.body.partition(" works after: ")[2] or fix.body
