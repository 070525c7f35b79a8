"""Did this make it pass? As far as can be told from what failed and from what was done until it passed.

Three answers. *Proven*: what was done has to do with what failed, or it is all that was done. *Unproven*: it passed
after something that may have nothing to do with it. *By itself*: nothing was done that could be the reason.

Each successful call between the last failure and the pass is a candidate, unless it only looks. What came before a run
that still failed is none any more: who asks leaves it out. Some candidates are strong, because they change what a
command depends on; others, such as a commit or another check, seldom do, and count only where the error speaks of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from hardwon import action
from hardwon.event import Event
from hardwon.learn import remedies
from hardwon.text import commands, errors

EDITING = action.EDITS


class Proof(StrEnum):
    PROVEN = "proven"
    UNPROVEN = "unproven"
    BY_ITSELF = "it passed by itself"


@dataclass(frozen=True, slots=True)
class Failed:
    """A call that failed: what was run, what it said, how often in a row with the same words."""

    command: str
    error: str
    signature: str
    times: int = 1
    flaky: bool = False
    """It has failed and passed without a reason before."""


@dataclass(frozen=True, slots=True)
class Verdict:
    proof: Proof
    causes: tuple[Event, ...] = ()
    """What is named as the fix: what has to do with the failure, else what was done last."""
    candidates: tuple[Event, ...] = ()
    """All that could have been it."""


def judge(failed: Failed, done: Sequence[Event]) -> Verdict:
    strong = [event for event in done if can_be_cause(event)]
    related = [event for event in done if is_related(event, failed) and (event in strong or could_matter(event))]
    named = [event for event in related if event in strong] or related
    if not strong and not named:
        return Verdict(Proof.BY_ITSELF)
    if failed.flaky:
        return Verdict(Proof.UNPROVEN, tuple(named or strong[-1:]), tuple(strong))
    if named:
        return Verdict(Proof.PROVEN, tuple(named), tuple(strong))
    return Verdict(
        Proof.PROVEN if _is_all_it_took(failed, strong) else Proof.UNPROVEN, tuple(strong[-1:]), tuple(strong)
    )


def _is_all_it_took(failed: Failed, strong: Sequence[Event]) -> bool:
    """It fails without it and passes with it: nothing else was done. A change of a file is so often beside the point
    that it takes two failures."""
    if len(strong) != 1 or errors.transient(failed.error):
        return False
    return failed.times > 1 or strong[0].tool not in EDITING


def can_be_cause(event: Event) -> bool:
    """Whether a successful call changed anything that a command could well depend on."""
    if event.tool in EDITING:
        return not _PROSE.search(event.target)
    if event.tool != action.SHELL:
        return False
    if commands.sets_up_shell(event.target):
        return True
    if commands.only_looks(event.target):
        return False
    if remedies.installs_something(event.target):
        return True
    command = commands.normalise(event.target)
    return not (commands.bookkeeping(command) or commands.only_waits(command) or commands.is_validation(command))


def could_matter(event: Event) -> bool:
    """Whether it could be the cause where the error speaks of it: a commit, a build, a text that a script demands."""
    if event.tool in EDITING:
        return True
    return (
        event.tool == action.SHELL and not commands.only_looks(event.target) and not commands.only_waits(event.target)
    )


_PROSE = re.compile(
    r"(?i)(?:^|/)(?:readme|changelog|license|authors|notes|todo|contributing)[^/]*$|\.(?:md|rst|adoc)$"
    r"|(?:^|/)(?!requirements|constraints|cmakelists)[^/]*\.txt$"
)


def is_related(event: Event, failed: Failed) -> bool:
    if event.tool in EDITING:
        return _edit_is_related(event, failed)
    if event.tool != action.SHELL:
        return False
    if remedies.starts_something(event.target):
        return remedies.by_command(event.target, failed.error)
    if errors.transient(failed.error):
        return False
    if not can_be_cause(event):
        return _weak_is_related(event, failed)
    return remedies.by_command(event.target, failed.error) or bool(_words(event.target) & _telling(failed))


def _weak_is_related(event: Event, failed: Failed) -> bool:
    """A build makes what another command misses, or names what its error names; whatever it is, the error may tell to
    run it."""
    if commands.family(event.target) == commands.family(failed.command):
        return False
    missed = (_words(event.target) & _telling(failed)) - _words(failed.command)
    plausible = bool(missed) or remedies.by_command(event.target, failed.error)
    builds = remedies.builds_something(event.target) and plausible
    family = commands.family(event.target)
    told = " " in family and re.search(rf"(?<![\w-]){re.escape(family)}(?![\w-])", failed.error) is not None
    return builds or told


def _edit_is_related(event: Event, failed: Failed) -> bool:
    """The file is named by what failed, or the change is about what the error is about."""
    if errors.transient(failed.error):
        return False
    name = event.target.rpartition("/")[2]
    said = f"{failed.command}\n{failed.error}".lower()
    if name.lower() in said:
        return True
    if _PROSE.search(event.target):
        return False
    stem = name.split(".")[0].lower()
    if len(stem) > 2 and re.search(rf"(?<![a-z0-9]){re.escape(stem)}(?![a-z0-9])", _spaced(said)):
        return True
    return remedies.by_file(event.target, failed.error) or bool(_words(event.text) & _telling(failed))


def _spaced(text: str) -> str:
    """test_calc.py names calc, too."""
    return text.replace("_", " ").replace("-", " ").replace("::", " ")


def _telling(failed: Failed) -> set[str]:
    """The words that tell this error from others: names and numbers of its signature, without the error's own class."""
    named = " ".join(anchor.value for anchor in errors.named(failed.error))
    return _words(f"{failed.signature} {named}") - remedies.COMMON_WORDS


def _words(text: str) -> set[str]:
    """Names whole and in their parts: REDIS_URL is about redis."""
    whole = re.findall(r"[a-z0-9_@][\w@-]{2,}", text[:8_000].lower())
    parts = [part for word in whole for part in re.split(r"[_@-]", word) if len(part) > 2]
    return {word for word in (*whole, *parts) if not word.isdigit()}
