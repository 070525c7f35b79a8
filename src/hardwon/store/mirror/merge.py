"""Three ways into one: what we wrote last, the file as it is now, the memories as they are now.

A bullet has no id: people would have to look at it. It is known by its words: first those that we wrote, then those
that are the same but for case and blanks, then the most similar ones, best in the same place between the same
neighbours. Where that is not certain the bullet counts as new and the memory stays: a lesson too many is a nuisance,
one too few a loss. Everything here is pure.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from hardwon.memory import normalise

IN_PLACE = 0.5
"""How similar a bullet must be to the one that stood between the same neighbours to be that one, edited."""
ELSEWHERE = 0.75
"""The same for one that stands somewhere else."""
CLEARLY = 0.08
"""By how much the best match must lead the second."""
MOST_PAIRS = 2_500
"""More comparisons than these are not made: who rewrites a whole file writes new lessons."""
_COMPARED = 600
"""Characters of each; the beginning tells enough."""

FEW = 10
"""Fewer bullets than these can be deleted at once, unless they are all."""


@dataclass(frozen=True, slots=True)
class Known:
    """A memory that the file had when it was written last, or that it should have now."""

    id: str
    project: str
    title: str
    text: str
    live: bool = True
    """Still to be in the file: active, and of this skill."""
    fits: bool = True
    """Within the number of entries that the file may have."""
    base: bytes | None = None
    """The mark of what the file said about it; None when it was not in it."""
    base_project: str = ""

    @property
    def mark(self) -> bytes:
        return mark(self.title, self.text)

    @property
    def changed(self) -> bool:
        """Other words than those that we wrote."""
        return self.base is not None and self.mark != self.base


@dataclass(frozen=True, slots=True)
class Bullet:
    index: int
    project: str
    title: str
    text: str

    @property
    def mark(self) -> bytes:
        return mark(self.title, self.text)


@dataclass(slots=True)
class Merge:
    """What became of each bullet (by its index) and of each memory that has none any more."""

    same: dict[int, str] = field(default_factory=dict)
    moved: dict[int, str] = field(default_factory=dict)
    """Put under another project's heading."""
    edited: dict[int, str] = field(default_factory=dict)
    both: dict[int, str] = field(default_factory=dict)
    """Changed here and there: the memory stays, the bullet becomes another one."""
    new: list[int] = field(default_factory=list)
    dropped: list[int] = field(default_factory=list)
    """A second bullet with the same words, or that of a memory that was put away."""
    deleted: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    """Not in the file, and yet not deleted: changed meanwhile, beyond the number, or not certain."""
    asks: bool = False
    """So much is gone that somebody should be asked."""


def mark(title: str, text: str) -> bytes:
    """Tells two wordings apart without keeping them."""
    return hashlib.blake2b(f"{title}\0{text}".encode("utf-8", "replace"), digest_size=12).digest()


def merge(known: Sequence[Known], bullets: Sequence[Bullet] | None) -> Merge:
    """`known` in the order in which the file had them, then the others; `bullets` is None when there is no file."""
    done = Merge()
    left = _claim_by_words(done, known, bullets or ())
    unclaimed = [one for one in known if one.id not in left.claimed and one.base is not None]
    pairs, uncertain = _pairs(unclaimed, left.bullets, known, done, bullets or ())
    for bullet in left.bullets:
        _settle(done, bullet, pairs.get(bullet.index))
    paired = {one.id for one in pairs.values()}
    for one in unclaimed:
        if one.live and one.id not in paired:
            certain = not one.changed and one.fits and one.id not in uncertain
            (done.deleted if certain else done.kept).append(one.id)
    done.asks = _is_much(len(done.deleted), sum(one.base is not None for one in known), len(bullets or ()))
    return done


def _is_much(deleted: int, before: int, bullets: int) -> bool:
    return bool(deleted) and (bullets == 0 or (deleted >= FEW and deleted * 2 > before))


@dataclass(frozen=True, slots=True)
class _Left:
    bullets: list[Bullet]
    claimed: set[str]


def _claim_by_words(done: Merge, known: Sequence[Known], bullets: Sequence[Bullet]) -> _Left:
    """Bullets that say exactly what a memory says or what we wrote for it."""
    by_words: dict[tuple[str, bytes], list[Known]] = {}
    for one in known:
        for key in _keys(one):
            by_words.setdefault(key, []).append(one)
    claimed: set[str] = set()
    left: list[Bullet] = []
    for bullet in bullets:
        there = by_words.get((bullet.project, bullet.mark), [])
        free = next((each for each in there if each.id not in claimed), None)
        if free:
            claimed.add(free.id)
        if free and free.live:
            done.same[bullet.index] = free.id
        elif there:
            done.dropped.append(bullet.index)
        else:
            left.append(bullet)
    return _Left(list(_moved(done, known, left, claimed)), claimed)


def _keys(one: Known) -> Iterator[tuple[str, bytes]]:
    if one.base is not None:
        yield one.base_project, one.base
    if one.live and (one.project, one.mark) != (one.base_project, one.base):
        yield one.project, one.mark


def _moved(done: Merge, known: Sequence[Known], left: list[Bullet], claimed: set[str]) -> Iterator[Bullet]:
    """Bullets with the words of one that is missing elsewhere; yields the others."""
    missing: dict[bytes, list[Known]] = {}
    for one in known:
        if one.base is not None and one.live and one.id not in claimed:
            missing.setdefault(one.base, []).append(one)
    for bullet in left:
        there = [one for one in missing.get(bullet.mark, ()) if one.id not in claimed]
        if len(there) == 1:
            claimed.add(there[0].id)
            done.moved[bullet.index] = there[0].id
        else:
            yield bullet


def _settle(done: Merge, bullet: Bullet, one: Known | None) -> None:
    """A bullet that is this memory with other words, or nobody's."""
    if one is None or not one.live:
        done.new.append(bullet.index)
    elif not one.changed:
        done.edited[bullet.index] = one.id
    elif _plain(one) == _plain(bullet):
        done.same[bullet.index] = one.id
    else:
        done.both[bullet.index] = one.id


def _plain(one: Known | Bullet) -> str:
    return normalise(f"{one.title} {one.text}")


def _pairs(
    missing: Sequence[Known],
    bullets: Sequence[Bullet],
    known: Sequence[Known],
    done: Merge,
    everything: Sequence[Bullet],
) -> tuple[dict[int, Known], set[str]]:
    """Which bullet is which memory with other words; and the memories that could be meant by some bullet or other."""
    found: dict[int, Known] = {}
    if len(missing) * len(bullets) > MOST_PAIRS:
        return found, {one.id for one in missing}
    slots = _Slots(known, done, everything)
    scores = {
        (one.id, bullet.index): _similar(one, bullet)
        for one in missing
        for bullet in bullets
        if one.base_project == bullet.project
    }
    for one in missing:
        for bullet in bullets:
            if bullet.index not in found and _is_pair(one, bullet, scores, slots):
                found[bullet.index] = one
                break
    likely = {id for (id, index), score in scores.items() if score >= IN_PLACE and index not in found}
    return found, likely


def _is_pair(one: Known, bullet: Bullet, scores: dict[tuple[str, int], float], slots: _Slots) -> bool:
    score = scores.get((one.id, bullet.index), 0.0)
    if score >= IN_PLACE and slots.alone(one, bullet, scores):
        return True
    rivals = [
        other
        for (id, index), other in scores.items()
        if (id == one.id) != (index == bullet.index)  # either's other choices
    ]
    return score >= ELSEWHERE and score - max(rivals, default=0.0) >= CLEARLY


class _Slots:
    """Between which neighbours something stands: those that were recognised by their words."""

    def __init__(self, known: Sequence[Known], done: Merge, bullets: Sequence[Bullet]) -> None:
        owners = done.same | done.moved
        anchors = set(owners.values())
        self._of_memory = _between((one.id, one.id if one.id in anchors else None) for one in known if one.base)
        self._of_bullet = _between((str(bullet.index), owners.get(bullet.index)) for bullet in bullets)

    def alone(self, one: Known, bullet: Bullet, scores: dict[tuple[str, int], float]) -> bool:
        """They stand between the same two, and nothing else that is not recognised does."""
        slot = self._of_memory.get(one.id)
        if slot is None or slot != self._of_bullet.get(str(bullet.index)):
            return False
        memories = {id for id, _ in scores if self._of_memory.get(id) == slot}
        bullets = {index for _, index in scores if self._of_bullet.get(str(index)) == slot}
        return len(memories) == len(bullets) == 1


def _between(sequence: Iterable[tuple[str, str | None]]) -> dict[str, tuple[str, str]]:
    """For each that is no anchor itself, the anchors before and behind it."""
    found: dict[str, tuple[str, str]] = {}
    waiting: list[str] = []
    before = ""
    for name, anchor in sequence:
        if anchor is None:
            waiting.append(name)
            continue
        found |= dict.fromkeys(waiting, (before, anchor))
        waiting, before = [], anchor
    return found | dict.fromkeys(waiting, (before, ""))


def _similar(one: Known, bullet: Bullet) -> float:
    import difflib  # only where somebody has edited something

    if _plain(one) == _plain(bullet):
        return 1.0
    first, second = (f"{each.title} {each.text}"[:_COMPARED] for each in (one, bullet))
    matcher = difflib.SequenceMatcher(None, first, second, autojunk=False)
    if min(matcher.real_quick_ratio(), matcher.quick_ratio()) < IN_PLACE:
        return 0.0
    return matcher.ratio()
