"""Who was told what, when, and whether it was right. Pure; part of what is frozen.

A text names the fix when one of the ways in which a scenario writes it occurs in it: a command, or a file together
with a word of the change. What is said when a session starts is about the project, not about a mistake, and what is
said while the fix is being applied comes too late: both count for the tokens and for nothing else.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

Fix = tuple[tuple[str, ...], ...]
"""Ways to name it; of each way all parts must be there."""


class Moment(StrEnum):
    START = "at the start"
    PROMPT = "at the prompt"
    STOPPED = "stopped before"
    RESULT = "with the result"
    FAILURE = "right after failing"
    AFTERWARDS = "while it was being fixed"


BEFORE = (Moment.PROMPT, Moment.STOPPED, Moment.RESULT)


@dataclass(frozen=True, slots=True)
class Said:
    moment: Moment
    text: str


@dataclass(frozen=True, slots=True)
class Heard:
    """One session that was played, and what was said in it."""

    scenario: str
    kind: str
    prompt: str
    said: tuple[Said, ...]
    stop_due: bool = False
    same_command: bool = False
    stopped_twice: bool = False
    hindered: bool = False
    """The fix itself was stopped."""
    verified: tuple[str, ...] = ()
    """The texts of the fixes that worked and are verified, in the project, after a first or a flaky session."""


@dataclass(frozen=True, slots=True)
class Verdict:
    heard: Heard
    told: Moment | None
    """When the right fix was named for the first time."""
    stopped: bool
    stopped_rightly: bool
    wrong: Moment | None
    """When the fix of the one mistake was named for another."""
    false_verified: int
    tokens: int


def names(fix: Fix, text: str) -> bool:
    text = _squeezed(text)
    return any(all(_squeezed(part) in text for part in way) for way in fix)


def _squeezed(text: str) -> str:
    """However it is wrapped and quoted: `sed -i 's/a/b/'` and `sed -i s/a/b/` are the same command."""
    return " ".join(text.replace("'", "").replace('"', "").split())


def tokens(text: str) -> int:
    """As the product counts them: four characters are one, of Chinese and Japanese each is."""
    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in text)
    return wide + (len(text) - wide + 3) // 4


def judge(heard: Heard, fix: Fix) -> Verdict:
    counts = (*BEFORE, Moment.FAILURE)
    right = [said for said in heard.said if said.moment in counts and names(fix, said.text)]
    stops = [said for said in heard.said if said.moment is Moment.STOPPED]
    near = [said for said in right if said.moment is Moment.FAILURE] if heard.same_command else right
    return Verdict(
        heard,
        told=right[0].moment if right else None,
        stopped=bool(stops),
        stopped_rightly=any(names(fix, said.text) for said in stops),
        wrong=near[0].moment if near and heard.kind == "near" else None,
        false_verified=_false_verified(heard, fix),
        tokens=sum(tokens(said.text) for said in heard.said),
    )


def _false_verified(heard: Heard, fix: Fix) -> int:
    """After a flaky session every one; after the first one those that are something else than the fix."""
    if heard.kind == "flaky":
        return len(heard.verified)
    return sum(not names(fix, text) for text in heard.verified) if heard.kind == "first" else 0


@dataclass(frozen=True, slots=True)
class Figure:
    name: str
    part: int
    of: int
    least: float | None = None
    most: float | None = None

    @property
    def share(self) -> float:
        return self.part / self.of if self.of else 0.0

    @property
    def goal(self) -> str:
        if self.least is not None:
            return f"≥ {self.least:.0%}"
        return f"≤ {self.most:.0%}" if self.most is not None else ""

    @property
    def missed(self) -> bool:
        if not self.of:
            return False
        return self.share < (self.least or 0.0) or self.share > (1.0 if self.most is None else self.most)


def figures(verdicts: Sequence[Verdict]) -> list[Figure]:
    """Of one run through all scenarios. A paraphrase is a repeat whose prompt describes it. The moments add up to those
    that were told."""
    repeats = _of(verdicts, "repeat")
    again = [*repeats, *_of(verdicts, "paraphrase")]
    due = [one for one in repeats if one.heard.stop_due]
    first, near, flaky, since = (_of(verdicts, kind) for kind in ("first", "near", "flaky", "fixed_since"))
    verified = sum(len(one.heard.verified) for one in first)
    return [
        _count("repeats told, in all", again, lambda one: one.told is not None, least=0.95),
        *(
            _count(f"– {moment}", again, lambda one, moment=moment: one.told is moment)  # type: ignore[misc]
            for moment in (Moment.PROMPT, Moment.STOPPED, Moment.RESULT, Moment.FAILURE)
        ),
        _count("stopped before, where stop once is due", due, lambda one: one.stopped_rightly, least=0.90),
        _count("paraphrases told at the prompt", _of(verdicts, "paraphrase"), lambda one: one.told is Moment.PROMPT),
        _count("wrong fix on what is near", near, lambda one: one.wrong is not None, most=0.05),
        _count("– of these at the prompt", near, lambda one: one.wrong is Moment.PROMPT),
        _count("flaky passes taken for a fix", flaky, lambda one: one.false_verified > 0, most=0.02),
        Figure("verified fixes that are none", sum(one.false_verified for one in first), verified, most=0.02),
        _count("first sessions with their fix verified", first, lambda one: _has_its_fix(one)),
        _count("fixed since, yet stopped", since, lambda one: one.stopped, most=0.02),
        _count("fixed since, and silent before", since, lambda one: not _spoke(one, (Moment.STOPPED, Moment.RESULT))),
        _count("stopped again when it insisted", verdicts, lambda one: one.heard.stopped_twice, most=0.0),
        _count("stopped on the way to the fix", again, lambda one: one.heard.hindered, most=0.02),
    ]


def unrelated(said: Iterable[Sequence[Said]], what: str) -> Figure:
    """Prompts or commands that have nothing to do with any scenario, and were answered all the same."""
    spoken = [any(one.moment in BEFORE for one in each) for each in said]
    return Figure(f"said into unrelated {what}", sum(spoken), len(spoken), most=0.02)


def _of(verdicts: Sequence[Verdict], kind: str) -> list[Verdict]:
    return [one for one in verdicts if one.heard.kind == kind]


def _has_its_fix(one: Verdict) -> bool:
    return len(one.heard.verified) > one.false_verified


def _spoke(one: Verdict, moments: Sequence[Moment]) -> bool:
    return any(said.moment in moments for said in one.heard.said)


def _count(
    name: str,
    among: Sequence[Verdict],
    counts: Callable[[Verdict], bool],
    *,
    least: float | None = None,
    most: float | None = None,
) -> Figure:
    return Figure(name, sum(map(counts, among)), len(among), least, most)
