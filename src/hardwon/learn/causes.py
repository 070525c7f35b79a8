"""Did this make it pass? As far as can be told from what failed and from what was done until it passed.

Three answers. *Proven*: what was done has to do with what failed. *Unproven*: it passed after something that may have
nothing to do with it. *By itself*: nothing was done that could be the reason.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from hardwon.event import Event
from hardwon.learn import remedies
from hardwon.understand import commands, errors

EDITING = frozenset({"Edit", "Write", "MultiEdit", "NotebookEdit"})


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
    """What is named as the fix: what has to do with the failure, else all that was done."""


def judge(failed: Failed, done: Sequence[Event]) -> Verdict:
    causes = [event for event in done if can_be_cause(event) or _builds_what_is_missing(event, failed)]
    if not causes:
        return Verdict(Proof.BY_ITSELF)
    related = [event for event in causes if is_related(event, failed)]
    if failed.flaky:
        return Verdict(Proof.UNPROVEN, tuple(related or causes))
    if related:
        return Verdict(Proof.PROVEN, tuple(related))
    certain = failed.times > 1 and len(causes) == 1 and not errors.transient(failed.error)
    return Verdict(Proof.PROVEN if certain else Proof.UNPROVEN, tuple(causes))


def can_be_cause(event: Event) -> bool:
    """Whether a successful call changed anything that a command could depend on."""
    if event.tool in EDITING:
        return not _PROSE.search(event.target)
    if event.tool != "Bash" or commands.only_looks(event.target):
        return False
    if remedies.installs_something(event.target):
        return True
    command = commands.normalise(event.target)
    return not (commands.bookkeeping(command) or commands.waits(command) or commands.is_validation(command))


def _builds_what_is_missing(event: Event, failed: Failed) -> bool:
    """A build checks the work, and makes what another command needs."""
    if event.tool != "Bash" or commands.family(event.target) == commands.family(failed.command):
        return False
    return remedies.builds_something(event.target) and remedies.by_command(event.target, failed.error)


_PROSE = re.compile(
    r"(?i)(?:^|/)(?:readme|changelog|license|authors|notes|todo|contributing)[^/]*$|\.(?:md|rst|adoc)$"
    r"|(?:^|/)(?!requirements|constraints|cmakelists)[^/]*\.txt$"
)


def is_related(event: Event, failed: Failed) -> bool:
    if event.tool in EDITING:
        return _edit_is_related(event, failed)
    if remedies.starts_something(event.target):
        return remedies.by_command(event.target, failed.error)
    if errors.transient(failed.error):
        return False
    return remedies.by_command(event.target, failed.error) or bool(_words(event.target) & _telling(failed))


def _edit_is_related(event: Event, failed: Failed) -> bool:
    """The file is named by what failed, or the change is about what the error is about."""
    if errors.transient(failed.error):
        return False
    name = event.target.rpartition("/")[2]
    stem = name.split(".")[0].lower()
    said = f"{failed.command}\n{failed.error}".lower()
    if name.lower() in said or (
        len(stem) > 2 and re.search(rf"(?<![a-z0-9]){re.escape(stem)}(?![a-z0-9])", _spaced(said))
    ):
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
