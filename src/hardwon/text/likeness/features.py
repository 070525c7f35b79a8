"""What speaks for and against two troubles having the same cause: numbers about their lines, none about their commands.

That the same command was run says nothing: the same command fails for many causes. So a word that the command itself
has is nearly no evidence either.
"""

from __future__ import annotations

import difflib
import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from hardwon.text import errors
from hardwon.text.likeness.lines import key_lines
from hardwon.text.likeness.rarity import Rarity
from hardwon.text.likeness.words import Sort, Word, words

OF_THE_COMMAND = 0.25
"""What a word weighs that the command has."""
PARTLY = 0.5
"""What a name weighs of which only a part is there, at most."""
SURE = 25.0
"""So much weight in common is as good as any more: some four names that nobody else has."""

_CLAUSE = re.compile(r"(?:: | - |; |\. (?=[A-Z])|, | => | -> )")
_ASIDE = re.compile(r" ?\([^()]{0,200}\)?\.?$")


@dataclass(frozen=True)
class Trouble:
    """A failure as it is compared: what was run, and the lines that say what went wrong."""

    command: str
    lines: tuple[str, ...]
    signature: str = ""

    @cached_property
    def read(self) -> tuple[tuple[Word, ...], ...]:
        return tuple(found for line in self.lines if (found := tuple(words(line))))

    @cached_property
    def ends(self) -> tuple[tuple[Word, ...], ...]:
        """The last clause of each line that has more than one word."""
        found = []
        for line in self.lines:
            clauses = [words(clause) for clause in _CLAUSE.split(_ASIDE.sub("", line))]
            found += [clause for clause in clauses if len([word for word in clause if word.text != "#"]) > 1][-1:]
        return tuple(found)

    @cached_property
    def by_text(self) -> dict[str, Word]:
        return {word.text: word for line in self.read for word in line if word.text != "#"}

    @cached_property
    def all_words(self) -> frozenset[str]:
        """With the parts of its names."""
        return frozenset(part for word in self.by_text.values() for part in (word.text, *word.parts))

    @cached_property
    def run(self) -> frozenset[str]:
        return frozenset(part for word in words(self.command) for part in (word.text, *word.parts))


def trouble(command: str, output: str) -> Trouble:
    return Trouble(command, key_lines(output), errors.signature(output))


@dataclass(frozen=True)
class Fix:
    """What helped, by its words."""

    text: str

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(
            part for line in self.text.split("\n")[:20] for word in words(line) for part in (word.text, *word.parts)
        )


@dataclass
class Pair:
    """Two troubles side by side, `old` with what helped against it."""

    old: Trouble
    new: Trouble
    rarity: Rarity
    fix: Fix | None = None
    _weights: dict[str, float] = field(default_factory=dict)

    def weight(self, word: Word) -> float:
        known = self._weights.get(word.text)
        if known is None:
            run = word.text in self.old.run or word.text in self.new.run
            known = self.rarity.of(word.text) * (OF_THE_COMMAND if run else 1.0)
            known = self._weights[word.text] = 0.0 if word.text == "#" else known
        return known

    def shares(self, word: Word, other: frozenset[str]) -> float:
        """How much of a word the other side has: all, a part of a name, nothing."""
        if word.text in other:
            return 1.0
        return PARTLY * sum(part in other for part in word.parts) / len(word.parts) if word.parts else 0.0

    def covered(self, one: Sequence[Word], other: frozenset[str]) -> tuple[float, float]:
        """The weight of the words that the other side has, and of all."""
        unique = {word.text: word for word in one}.values()
        pairs = [(self.weight(word), self.shares(word, other)) for word in unique]
        return sum(weight * share for weight, share in pairs), sum(weight for weight, _ in pairs)


@lru_cache(maxsize=1_024)
def _texts(line: tuple[Word, ...]) -> frozenset[str]:
    return frozenset(part for word in line for part in (word.text, *word.parts))


@dataclass(frozen=True, slots=True)
class _Beside:
    """Two lines."""

    old: tuple[Word, ...]
    new: tuple[Word, ...]
    common: float = 0.0
    dice: float = 0.0

    @property
    def score(self) -> float:
        return self.dice * min(self.common, SURE)


def _closest(pair: Pair) -> _Beside:
    """The two lines that are most alike, where a rare likeness counts more than a common one."""
    best = _Beside((), ())
    news = [(line, _texts(line), _total(pair, line)) for line in pair.new.read]
    for old in pair.old.read:
        own, all_there = _texts(old), _total(pair, old)
        for new, texts, all_here in news:
            if min(all_there, all_here) <= best.score or own.isdisjoint(texts):
                continue
            there, _ = pair.covered(old, texts)
            if there <= best.score:
                continue
            here, _ = pair.covered(new, own)
            found = _Beside(old, new, min(there, here), (there + here) / ((all_there + all_here) or 1.0))
            if found.score > best.score:
                best = found
    return best


def _total(pair: Pair, line: Sequence[Word]) -> float:
    return sum(pair.weight(word) for word in {word.text: word for word in line}.values())


NAMES = (
    "dice", "common", "old_covered", "new_covered", "both_covered", "least_covered", "rarest", "rarest_name",
    "signature", "other_name", "other_code", "fix_named", "fix_missing", "new_names", "old_names", "dice_common", "end",
    "end_common",
)  # fmt: skip


def features(old: Trouble, new: Trouble, rarity: Rarity, fix: Fix | None = None) -> tuple[float, ...]:
    """In the order of `NAMES`, each about between 0 and 1."""
    pair = Pair(old, new, rarity, fix)
    beside = _closest(pair)
    if not beside.common:
        return (0.0,) * len(NAMES)
    there, all_there = pair.covered(list(old.by_text.values()), new.all_words)
    here, all_here = pair.covered(list(new.by_text.values()), old.all_words)
    old_covered, new_covered = there / (all_there or 1.0), here / (all_here or 1.0)
    shared = [word for word in old.by_text.values() if word.text in new.by_text]
    names = [word for word in shared if word.names or word.sort is Sort.CODE]
    common = min(beside.common, SURE) / SURE
    fix_named, fix_missing = _of_fix(pair)
    return (
        beside.dice,
        common,
        old_covered,
        new_covered,
        old_covered * new_covered,
        min(old_covered, new_covered),
        max((pair.weight(word) for word in shared), default=0.0) / 10,
        max((pair.weight(word) for word in names), default=0.0) / 10,
        float(bool(old.signature) and old.signature == new.signature and not errors.generic(old.signature)),
        _other_name(pair, beside),
        _other_code(pair),
        fix_named,
        fix_missing,
        _unknown(pair, new, old),
        _unknown(pair, old, new),
        beside.dice * common,
        *_ends(pair),
    )


def _of_fix(pair: Pair) -> tuple[float, float]:
    """How much of what both the old error and its fix name the new error names too, and how much it does not: where
    `pip install redis` helped against "No module named redis", redis is the point."""
    if pair.fix is None:
        return 0.0, 0.0
    point = [
        word for word in pair.old.by_text.values() if word.text in pair.fix.words and pair.rarity.of(word.text) > 5
    ]
    weights = [(pair.rarity.of(word.text), pair.shares(word, pair.new.all_words)) for word in point]
    most = max((weight for weight, _ in weights), default=0.0)
    named = max((weight * share for weight, share in weights), default=0.0)
    missing = max((weight * (1 - share) for weight, share in weights), default=0.0)
    return named / 10, (missing if missing > most / 2 else 0.0) / 10


def _other_name(pair: Pair, beside: _Beside) -> float:
    """How plainly the same sentence is about another thing: a name in the place of a name, without a part in common."""
    old, new = [word.text for word in beside.old], [word.text for word in beside.new]
    worst = 0.0
    for kind, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind != "replace" or b - a > 3 or d - c > 3:
            continue
        for one, other in itertools.product(beside.old[a:b], beside.new[c:d]):
            if (one.names or one.quoted) and (other.names or other.quoted):
                alike = _alike(one, other)
                worst = max(worst, min(pair.weight(one), pair.weight(other)) / 10 * (1 - alike))
    return min(1.0, worst)


def _alike(one: Word, other: Word) -> float:
    mine, its = {one.text, *one.parts}, {other.text, *other.parts}
    return 2 * len(mine & its) / (len(mine) + len(its))


def _other_code(pair: Pair) -> float:
    """Both have codes, and none in common."""
    mine, its = ({word.text for word in one.by_text.values() if word.sort is Sort.CODE} for one in (pair.old, pair.new))
    return float(bool(mine and its) and mine.isdisjoint(its))


def _unknown(pair: Pair, one: Trouble, other: Trouble) -> float:
    """The rarest thing that the one names and the other nowhere has."""
    return (
        max(
            (
                pair.weight(word) * (1 - pair.shares(word, other.all_words))
                for word in one.by_text.values()
                if word.names or word.sort is Sort.CODE
            ),
            default=0.0,
        )
        / 10
    )


def _ends(pair: Pair) -> tuple[float, float]:
    """How alike the last clauses of the lines are, which mostly say why: of the likest pair, and what they weigh."""
    best = (0.0, 0.0)
    news = [(end, _texts(end)) for end in pair.new.ends]
    for old in pair.old.ends:
        own = _texts(old)
        for new, texts in news:
            there, all_there = pair.covered(old, texts)
            here, all_here = pair.covered(new, own)
            dice = (there + here) / ((all_there + all_here) or 1.0)
            common = min(1.0, min(there, here) / SURE * 2)
            if dice * common > best[0] * best[1]:
                best = (dice, common)
    return best
