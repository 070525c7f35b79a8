"""What may be said at each moment: which question it asks of the memory, and how much may be answered."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from hardwon import kinds
from hardwon.memories import Item, memory_lines
from hardwon.memories.search import quiet
from hardwon.memories.search.budget import fit
from hardwon.memories.search.rank import Candidate, Ranked, rank
from hardwon.memories.skills import EXPLORING, Wanted, lessons
from hardwon.memory import (
    ACCEPTED,
    GLOBAL,
    HEARD,
    IN_VAIN,
    SAID,
    Anchor,
    AnchorKind,
    Kind,
    LinkKind,
    Memory,
    Status,
    Trust,
)
from hardwon.store.connection import Store
from hardwon.store.tables import memories, showings
from hardwon.store.tables.showings import NEVER
from hardwon.text.skills.frontmatter import UNTUNED, SkillTuning

ACTION_KINDS = kinds.having("action")
ACTION_TOKENS = 300
BRIEF_TOKENS = 800
PASSED = "the same command passed"
"""The reason of a failure that is over though nothing was done about it that is known."""
TOLD_ALONG = 2
"""So many attempts are said with a failure."""
SPARE = 5
"""More than may be said, in place of those that are quiet, or that later ones took the place of."""


def at_skill(
    store: Store,
    skill: str,
    intent: str,
    project: str,
    now: int,
    *,
    exploring: bool = False,
    prompt: str = "",
    anchors: tuple[Anchor, ...] = (),
    tuning: SkillTuning = UNTUNED,
    until: float = math.inf,
    files: tuple[str, ...] = (),
) -> list[Item]:
    wanted = Wanted(skill, (project, GLOBAL), intent, prompt, anchors, until, files)
    top = store.settings.recall.skill_top if tuning.top is None else tuning.top
    most = min(top, EXPLORING) if exploring else top
    found = lessons(store, wanted, now, tuning, limit=most + SPARE if most > 0 else 0).items
    unspoken = quiet.unspoken(store, [item.ranked.memory for item in found])
    return [item for item in found if item.ranked.memory.id not in unspoken][:most]


@dataclass(frozen=True, slots=True)
class Known:
    """A memory about exactly this, what worked, and what was tried in vain."""

    item: Item
    fixes: tuple[Memory, ...] = ()
    tried: tuple[Memory, ...] = ()
    worked_again: bool = False
    """A proven fix has been one more than once."""

    @property
    def memory(self) -> Memory:
        return self.item.ranked.memory

    @property
    def times(self) -> int:
        return self.item.ranked.candidate.hits + 1

    @property
    def should_stop(self) -> bool:
        """Failed here at least twice, not succeeded since (that would have resolved it), and a fix is known that was
        proven twice, or that a person vouches for: who is stopped wrongly once trusts no stop any more."""
        open_again = self.memory.status is Status.ACTIVE and self.times > 1
        proven_twice = self.worked_again or self.item.ranked.candidate.helped > 0
        by_person = any(fix.trust is Trust.USER for fix in self.fixes)
        return self.memory.kind is Kind.FAILURE and open_again and self.is_proven and (proven_twice or by_person)

    def is_worth_a_note(self, session: str) -> bool:
        """Whether it is said before a call, when nobody knows whether it will fail: only where it is nearly sure to.

        A failure that was fixed in the code is over. One whose remedy was a command belongs to the surroundings (a
        service, a file that is not in the repository) and will be missed there again, if it was missed there twice, and
        the command has not passed without it since. One
        that nobody has fixed is an old story, or what this session is working at. What was told twice, and not needed,
        is not told a third time.
        """
        if self.memory.kind is not Kind.FAILURE:
            return True
        if self.is_told_in_vain:
            return False
        if self.times == 1 and self.memory.source == "session" and not self.is_known_from_elsewhere(session):
            return False
        if not self.fixes and self.memory.source != "session":  # somebody has marked it
            return self.memory.status is Status.ACTIVE
        if not self.fixes:
            return self.memory.status is Status.ACTIVE and self.times > 1 and self.is_known_from_elsewhere(session)
        by_command = not any(anchor.kind is AnchorKind.FILE for anchor in self.fixes[0].anchors)
        missed_again = by_command and self.is_proven and self.times > 1
        return self.memory.status is Status.ACTIVE or (missed_again and self.memory.reason != PASSED)

    @property
    def is_told_in_vain(self) -> bool:
        """It was shown more than once, and nobody was helped."""
        return self.item.ranked.candidate.shown > 1 and not self.item.ranked.candidate.helped

    @property
    def is_rule_of_the_user(self) -> bool:
        """A person said or accepted it; nothing else may hold up a call."""
        memory = self.memory
        person = memory.trust is Trust.USER and memory.status is Status.ACTIVE
        # What was only said in passing holds up nothing until a person has said so in a terminal or in a review.
        vouched = memory.source not in (*HEARD, "prompt") or memory.pinned or memory.reason == ACCEPTED
        return person and vouched and memory.kind in (Kind.RULE, Kind.CONSTRAINT)

    @property
    def is_proven(self) -> bool:
        return any(fix.trust in (Trust.VERIFIED, Trust.USER) for fix in self.fixes)

    def is_known_from_elsewhere(self, session: str) -> bool:
        """Learned before this session."""
        return not any(f":{session}:" in one for one in self.memory.evidence if not one.startswith(SAID))


def about(store: Store, anchor: Anchor, project: str, now: int, among: frozenset[Kind] = ACTION_KINDS) -> list[Known]:
    """Memories that carry exactly this anchor, best first."""
    rows = memories.anchored(store, [anchor], (project, GLOBAL), 20)
    found = [memory for memory in memories.by_rows(store, {row for row, _ in rows}).values() if memory.kind in among]
    return known_among(store, found, anchor, now, 2)


def known_among(store: Store, found: Sequence[Memory], anchor: Anchor, now: int, most: int) -> list[Known]:
    """The best of these, each with what was done against it; `anchor` is why they were looked at."""
    hits = memories.hits(store, [memory.id for memory in found])
    counts = showings.counts(store, [memory.id for memory in found])
    candidates = [
        Candidate(
            memory,
            anchors=(anchor,),
            hits=hits.get(memory.id, 0),
            shown=came.shown,
            helped=came.helped,
            ignored=came.ignored,
        )
        for memory in found
        for came in [counts.get(memory.id, NEVER)]
    ]
    ranked = rank(candidates, now, store.settings.recall.half_life_days)
    return [with_attempts(store, item) for item in fit(ranked, most, ACTION_TOKENS)]


MOST_RULES = 200


def rules_on_commands(store: Store, project: str, now: int) -> list[tuple[Known, str]]:
    """What a person said of commands here, with the command that it is about."""
    which = memories.Filter(projects=(project, GLOBAL), kinds=(Kind.RULE, Kind.CONSTRAINT), statuses=(Status.ACTIVE,))
    found = [memory for memory in memories.listed(store, which, MOST_RULES)[0] if memory.trust is Trust.USER]
    pairs = [(memory, one) for memory in found for one in memory.anchors if one.kind is AnchorKind.COMMAND]
    return [(known, anchor.value) for memory, anchor in pairs for known in known_among(store, [memory], anchor, now, 1)]


def with_attempts(store: Store, item: Item) -> Known:
    attempts = attempts_at(store, item.ranked.memory)
    tried = tuple(one for one in attempts if one.subtype in IN_VAIN)
    fixes = tuple(one for one in attempts if one not in tried)
    proven = [one.id for one in fixes if one.trust in (Trust.VERIFIED, Trust.USER)]
    return Known(item, fixes, tried, any(memories.hits(store, proven).values()) if proven else False)


def fixes_of(store: Store, memory: Memory) -> tuple[Memory, ...]:
    """What worked."""
    return tuple(one for one in attempts_at(store, memory) if one.subtype not in IN_VAIN)


def told_along(store: Store, failure: Memory) -> tuple[Memory, ...]:
    """What is said with a failure: what worked; only where nothing did, what was tried."""
    attempts = attempts_at(store, failure)
    return tuple([one for one in attempts if one.subtype not in IN_VAIN] or attempts)[:TOLD_ALONG]


def attempts_at(store: Store, memory: Memory) -> tuple[Memory, ...]:
    """What was done against a failure, the proven first, then the newest."""
    rows = store.rows("select source from links where target = ? and kind = ?", (memory.id, LinkKind.FIXES))
    found = memories.by_ids(store, [id for (id,) in rows]).values()
    active = [one for one in found if one.status is Status.ACTIVE and not quiet.is_no_way(one)]
    return tuple(sorted(active, key=lambda one: (one.trust not in (Trust.VERIFIED, Trust.USER), -one.updated_at)))


def brief(store: Store, project: str, *, compacted: bool, spare: int = 0) -> list[Item]:
    """What a session should begin with: the handoff, open tasks, hard rules; after compaction what holds, too.

    `spare` tokens are left for what else is said then.
    """
    found = [memory for _, _, some in starting(store, project, compacted=compacted) for memory in some]
    return fit([plain(memory) for memory in found], 12, BRIEF_TOKENS - spare)


def starting(store: Store, project: str, *, compacted: bool) -> list[tuple[Kind, int, list[Memory]]]:
    """The same by kind, each with its place in the order, before it is looked at what fits."""
    found: list[tuple[Kind, int, list[Memory]]] = []
    for kind, most in kinds.at_start(compacted=compacted):
        which = memories.Filter(projects=(project, GLOBAL), kinds=(kind,), statuses=(Status.ACTIVE,))
        holding = memory_lines.holding(store, memories.listed(store, which, most + SPARE)[0])[:most]
        unspoken = quiet.unspoken(store, holding)
        said = [one for one in holding if one.trust is not Trust.UNTRUSTED and one.id not in unspoken]
        found.append((kind, kinds.of(kind).order, said))
    return found


def plain(memory: Memory) -> Ranked:
    """As it stands, without a question that it answers."""
    return Ranked(Candidate(memory), 1.0)
