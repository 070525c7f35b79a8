"""Whether a failure is known again in other clothes: what is told right after it, and what of that is wrong.

    python -m bench likeness [--set FILE…] [--stored 3 30 300 10000] [--json]

Each case is learned into a home (its failure, and what helped); then its repeat fails, then the near one, each asked of
a home in which so many other failures are stored as well. Without `--set` it measures the cases that the model was
fitted on. Vectors have no part in it: the figures with and without are the same.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.measure import print_table
from bench.store import NOW
from bench.troubles import Case, Failed, load, without_lesson
from hardwon.memories import likeness as recall
from hardwon.memories.likeness import Like
from hardwon.memory import SAID, Anchor, AnchorKind, Draft, Kind, LinkKind, Scope, Trust
from hardwon.paths import Home, make
from hardwon.settings import DEFAULTS
from hardwon.store import changes
from hardwon.store.connection import Store, open_store
from hardwon.text import commands, errors, likeness
from hardwon.text.likeness import At, Fix, Rarity, Tier

FOLDER = Path(__file__).parent / "fit" / "troubles"
STORED = (3, 30, 300, 10_000)
SYLLABLES = "ba cor del fin gar hol jen kal lum mor nap pel ruk sol tav wex".split()  # noqa: SIM905


@dataclass
class Count:
    """Of the cases of one size of home, by what was told."""

    repeats: int = 0
    known: int = 0
    both: int = 0
    near: int = 0
    near_known: int = 0
    near_both: int = 0
    other_known: int = 0
    """Somebody else's fix was told as known."""
    other_both: int = 0
    asked: int = 0
    same: int = 0
    """Repeats of the very command..."""
    same_known: int = 0
    milliseconds: list[float] = field(default_factory=list)

    def shares(self) -> dict[str, Any]:
        def share(part: int, whole: int) -> float | None:
            return round(part / whole, 4) if whole else None

        times = sorted(self.milliseconds) or [0.0]
        return {
            "repeats": self.repeats,
            "told as known": share(self.known, self.repeats),
            "told in both tiers": share(self.both, self.repeats),
            "very same command, known": share(self.same_known, self.same),
            "near, wrongly known": share(self.near_known, self.near),
            "near, wrong in both tiers": share(self.near_both, self.near),
            "another's fix, known": share(self.other_known, self.asked),
            "another's fix, both tiers": share(self.other_both, self.asked),
            "look-up ms, median": round(times[len(times) // 2], 2),
            "look-up ms, p95": round(times[len(times) * 95 // 100], 2),
        }


def measure(cases: Sequence[Case], loose: Sequence[Failed], stored: int) -> Count:
    """Homes of `stored` failures each: the cases in groups that fit, filled up with failures that nobody asks for."""
    count = Count()
    size = min(stored, len(cases))
    for start in range(0, len(cases), size):
        group = cases[start : start + size]
        with tempfile.TemporaryDirectory() as folder:
            home = Home(Path(folder) / "home")
            make(home)
            with open_store(home, DEFAULTS, write=True) as store:
                own = _fill(store, group, cases, stored)
                for case in group:
                    _ask(store, case, own, count)
                for failed in loose:
                    _ask_loose(store, failed, count)
    return count


def _fill(store: Store, group: Sequence[Case], cases: Sequence[Case], stored: int) -> dict[str, str]:
    """The cases of a group, by the ids of their failures."""
    own = {}
    filling = _made(cases, stored - len(group))
    with store.transaction():
        for failed in filling:
            _keep(store, failed, "")
        for case in group:
            for failed in case.failures[-1:]:
                own[_keep(store, failed, case.helped)] = case.name
    return own


def _keep(store: Store, failed: Failed, helped: str) -> str:
    """As it would be learned from a session."""
    command, signature = commands.normalise(failed.command), errors.signature(failed.output)
    draft = Draft(
        kind=Kind.FAILURE,
        body=f"`{command[:160]}` failed: {errors.headline(failed.output)}",
        scope=Scope("*"),
        trust=Trust.VERIFIED,
        source="session",
        anchors=(Anchor(AnchorKind.COMMAND, command), Anchor(AnchorKind.ERROR, signature)),
        evidence=tuple(f"{SAID}{line}" for line in likeness.kept(failed.output)),
    )
    noted = changes.note(store, changes.passed(store, draft), NOW)
    assert noted.id
    if helped:
        fix = Draft(
            Kind.FIX,
            f"`{command[:160]}` works after: {helped}",
            Scope("*"),
            Trust.VERIFIED,
            "session",
            subtype="worked",
        )
        kept = changes.note(store, changes.passed(store, fix), NOW)
        if kept.id:
            changes.link(store, kept.id, LinkKind.FIXES, noted.id, NOW)
    return noted.id


def _made(cases: Sequence[Case], count: int) -> Iterator[Failed]:
    """Failures of other projects: the outputs of the cases with all their rarer names written in other letters."""
    chance = random.Random(11)
    plain = Rarity()
    for _ in range(max(0, count)):
        case = chance.choice(cases)
        failed = chance.choice(case.failures)
        names = {
            word
            for trouble in [failed.trouble]
            for word in trouble.all_words
            if plain.of(word) > 4 and word.isascii() and word.isalnum()
        }
        output, command = failed.output, failed.command
        for name in sorted(names, key=len, reverse=True):
            other = "".join(chance.choices(SYLLABLES, k=2))
            output, command = _renamed(output, name, other), _renamed(command, name, other)
        yield Failed(command, output)


def _renamed(text: str, name: str, other: str) -> str:
    return re.sub(re.escape(name), other, text, flags=re.IGNORECASE)


def _look(store: Store, failed: Failed, count: Count) -> list[Like]:
    began = time.perf_counter()
    new = likeness.trouble(commands.normalise(failed.command), failed.output)
    told = recall.best(recall.look_up(store, new, "*", NOW))
    count.milliseconds.append((time.perf_counter() - began) * 1000)
    return [one for one in told if one.known.fixes]


def _ask(store: Store, case: Case, own: dict[str, str], count: Count) -> None:
    assert case.repeat
    told = _look(store, case.repeat, count)
    right = [one for one in told if own.get(one.known.memory.id) == case.name or _names(case, one)]
    count.repeats += 1
    count.known += any(one.is_known for one in right)
    count.both += bool(right)
    _others(told, right, count)
    if case.level == "very same command":
        count.same += 1
        count.same_known += any(one.is_known for one in right)
    if case.near:
        told = _look(store, case.near, count)
        wrong = [one for one in told if own.get(one.known.memory.id) == case.name]
        count.near += 1
        count.near_known += any(one.is_known for one in wrong)
        count.near_both += bool(wrong)
        _others(told, wrong, count)


def _names(case: Case, one: Like) -> bool:
    """Another case's fix that is this one's, too."""
    return any(word in fix.body for fix in one.known.fixes for word in case.words)


def _others(told: Sequence[Like], own: Sequence[Like], count: Count) -> None:
    others = [one for one in told if one not in own]
    count.asked += 1
    count.other_known += any(one.is_known for one in others)
    count.other_both += bool(others)


def _ask_loose(store: Store, failed: Failed, count: Count) -> None:
    """Work in progress: whatever is told is somebody else's."""
    _others(_look(store, failed, count), (), count)


def pairs(cases: Sequence[Case]) -> dict[str, Any]:
    """Each new failure beside each stored one of all other cases: what share of the pairs would be told."""
    plain, told, total = Rarity(), {Tier.KNOWN: 0, Tier.LOOKED_LIKE: 0}, 0
    for case in cases:
        for _, new in case.later:
            for other in cases:
                for old in other.stored[-1:] if other is not case else ():
                    total += 1
                    if tier := likeness.tier(
                        likeness.probability(old, new, plain, Fix(other.helped)), At.AFTER_FAILURE
                    ):
                        told[tier] += 1
    known, hedged = told[Tier.KNOWN], told[Tier.LOOKED_LIKE]
    return {"pairs": total, "known": round(known / total, 5), "both tiers": round((known + hedged) / total, 5)}


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench likeness", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--set", nargs="+", type=Path, default=sorted(FOLDER.glob("*.json")), help="files of cases")
    parser.add_argument("--stored", nargs="+", type=int, default=list(STORED), help="failures that a home has")
    parser.add_argument("--quick", action="store_true", help="small homes only")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args(argv)
    cases = [case for file in given.set for case in load(file)]
    loose = [failed for file in given.set for failed in without_lesson(file)]
    sizes = [size for size in given.stored if size <= 300 or not given.quick]
    found = {size: measure(cases, loose, size).shares() for size in sizes}
    beside = pairs(cases) if not given.quick else {}
    if given.json:
        print(json.dumps({"cases": len(cases), "stored": found, "foreign pairs": beside}, indent=2))
        return 0
    names = list(next(iter(found.values())))
    rows = [[name, *(_shown(found[size][name]) for size in sizes)] for name in names]
    print_table("After a failure", ["stored failures", *(f"{size:,}" for size in sizes)], rows)
    if beside:
        known, both = beside["known"], beside["both tiers"]
        print(f"\nof {beside['pairs']:,} foreign pairs: {known:.2%} known, {both:.2%} in both tiers")
    return 0


def _shown(value: Any) -> str:
    return "–" if value is None else f"{value:.1%}" if isinstance(value, float) and value <= 1 else str(value)
