"""From an output to its signature, its headline, and the things that it names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from hardwon.memory import Anchor, AnchorKind
from hardwon.text.errors import (
    causes,
    compiled,
    dotnet,
    hollow,
    infrastructure,
    javascript,
    jvm,
    packages,
    python,
    runners,
    scripting,
    services,
    shells,
    steady,
    versioning,
)
from hardwon.text.errors.form import Form, Found, Rank, matches
from hardwon.text.errors.text import Reading, is_source, read

MOST = 240
"""Letters of a headline."""
MOST_TESTS = 3

FORMS: tuple[Form, ...] = (
    *javascript.FORMS,
    *python.FORMS,
    *compiled.FORMS,
    *jvm.FORMS,
    *packages.FORMS,
    *services.FORMS,
    *infrastructure.FORMS,
    *dotnet.FORMS,
    *versioning.FORMS,
    *runners.FORMS,
    *shells.FORMS,
    *scripting.FORMS,
)
_BY_RANK: dict[Rank, tuple[Form, ...]] = {rank: tuple(one for one in FORMS if one.rank is rank) for rank in Rank}
_TELLING = re.compile(
    r"(?i)\b(?:\w{0,60}(?:error|exception|panic)\b|fatal|failed|failure|cannot|can't|could not|couldn't|unable to"
    r"|not found"
    r"|no such|denied|undefined|unresolved|missing|refused|timed? ?out|invalid|unknown|unexpected|not allowed|must be"
    r"|does not exist|unsupported|conflict)|错误|失败|找不到|エラー|無法|无法|Fehler|erreur"
)
# Lines that only say that something below them failed.
_HOLLOW = re.compile(
    r"Exit code \d+$|exit status \d+$|make(?:\[\d+\])?: \*\*\*|(?:code|errno|A complete log|Lifecycle)\b"
    r"|error: command .{0,300} failed|Error: Process completed"
    r"|.{0,300}(?:exited with|exit status|exit code|returned non-zero).{0,60}\d+\W*$|"
    r"(?:subprocess\.)?CalledProcessError"
    r"|error: could not compile|error: aborting due to|For more information about this error|error: test failed"
    r"|FAIL(?:ED)?$|FAILURE: Build failed|BUILD FAILED|.{0,40}\d+ (?:failed|errors?|problems?)\b.{0,80}$|Found \d+"
    r" errors?"
    r"|Failed to restore |Build (?:FAILED|failed)|The build failed|The (?:error|offending line) appears to be"
    r"|\$ \S"
    r"|nginx: configuration file .{0,300} test failed|ERROR: (?:Build did NOT|Analysis of target)|could not compile dep"
    r"|error: failed to push some refs|fatal: Could not read from remote|note: |hint: |warning: |ELIFECYCLE|info "
)
_GENERIC = re.compile(
    r"(?:raised |python |node |java )?(?:AssertionError|AssertionFailedError|Error|Exception|RuntimeError|ValueError"
    r"|TypeError"
    r"|NullPointerException|SystemExit|Failed)(?: (?:assert|expected|but was|to|be|equal|got|is|not|false|true|none"
    r"|null"
    r"|[^\w\s]+|#)\b)*[^\w]*"
    r"|segmentation fault|killed|aborted|error|failed|failure|fatal|panic|make \S+|npm script \S+|docker step .*|E"
    r"(?!NOSPC|MFILE|NOMEM)[A-Z]{3,14}|gradle (?:Execution failed|A problem|Could not determine).*"
    r"|exit (?:code|status) #?\d*",
    re.IGNORECASE,
)
_SUMMARY = re.compile(
    r"(?m)^=+ .{0,80}\d+ (?:failed|errors?)\b|^Tests: +\d+ failed|^BUILD FAILED|^test result: FAILED|^FAIL\s"
)
_LOCATION = re.compile(r"(?P<file>(?:[A-Za-z]:)?[\w./\\@+-]{1,300}\.[A-Za-z]\w{0,7})(?:', line |:|\()\d+")
_FOREIGN = re.compile(
    r"site-packages|node_modules|dist-packages|"
    r"[/\\]lib[/\\]python|\.cargo[/\\]|/rustc/|/usr/(?:lib|include|local/lib)|^node:|/internal/|\.venv[/\\]"
)
_NAMES = {"package": AnchorKind.PACKAGE, "symbol": AnchorKind.SYMBOL, "file": AnchorKind.FILE}
_VERSION = re.compile(r"(?<=.)[=<>~!@]|\s")
_SIMPLE = re.compile(r"[A-Za-z_$][\w$]{1,80}")


@lru_cache(maxsize=64)
def find(error: str) -> tuple[Found, ...]:
    """What the strongest form that is found says; several places only for failing tests."""
    reading = read(error)
    for rank in Rank:
        if rank is Rank.WRAPPER and telling(reading):  # any word about the cause is better
            return ()
        if found := _of_rank(rank, reading):
            return found
    return ()


def _of_rank(rank: Rank, reading: Reading) -> tuple[Found, ...]:
    best: Found | None = None
    text = reading.text
    for one in [form for form in _BY_RANK[rank] if form.needs in text]:  # of hundreds a few
        found = list(matches(one, reading))
        if not found:
            continue
        if rank is Rank.TEST:
            return tuple(sorted(found, key=Found.said))
        chosen = found[-1] if rank.last else found[0]
        if best is None or (chosen.line > best.line if rank.last else chosen.line < best.line):
            best = chosen
    return (best,) if best else ()


def recognised(error: str) -> bool:
    """Whether an output has the form of an error that is known, not only words that sound like one."""
    return any(one.form.rank is not Rank.WRAPPER for one in find(error))


def failed(output: str) -> bool:
    """Whether an output plainly says that a check failed, whatever the exit status: `pytest | tail` ends with 0."""
    reading = read(output)
    return any(_of_rank(rank, reading) for rank in (Rank.TEST, Rank.COMPILER)) or bool(_SUMMARY.search(reading.text))


def headline(error: str) -> str:
    """The line that says what went wrong: why it did, not which test or script noticed."""
    reading = read(error)
    at = causes.line(reading, find(error))
    if at is None:
        at = next(iter((telling(reading) or solid(reading) or list(range(len(reading.lines))))[-1:]), None)
    return "" if at is None else reading.printed[at][:MOST]


def raised_elsewhere(error: str) -> bool:
    """Whether the code of a library raised it, and not the repository's: the place next to its words is there, or the
    exception is one of a library. An assertion, and what a compiler says, is about the code it was run on."""
    reading, found = read(error), find(error)
    at = causes.line(reading, found)
    if at is None or causes.asserts(reading.lines[at]) or found[0].form.rank is Rank.COMPILER:
        return False
    if causes.of_library(reading.lines[at].rpartition(" - ")[2]):
        return True
    near = (*reversed(reading.lines[max(0, at - 4) : at]), *reading.lines[at + 1 : at + 5])
    place = next((match for line in near if (match := _LOCATION.search(line))), None)
    return place is not None and bool(_FOREIGN.search(place["file"]))


def signature(error: str) -> str:
    """A short form of the mistake; empty when the output says nothing about it."""
    if found := find(error):
        if why := causes.beyond_test(read(error), found):
            return signature(why)
        said = list(dict.fromkeys(one.said() for one in found))
        tool = found[0].form.says.partition("{")[0]
        more = [one.removeprefix(tool) for one in said[1:MOST_TESTS]]
        return " ".join([said[0], *(f"+ {one}" for one in more)])[:MOST]
    reading = read(error)
    last = (telling(reading) or solid(reading))[-1:]
    return steady.words(reading.lines[last[0]]).lower() if last else ""


def generic(signature: str) -> bool:
    """Whether a signature says nothing by itself, such as a bare AssertionError or a task runner's last line."""
    return not signature or bool(_GENERIC.fullmatch(signature)) or hollow.is_hollow(signature)


def named(error: str) -> tuple[Anchor, ...]:
    """The packages, symbols and files that an error names. Files as they are written there, relative ones plainly."""
    return tuple(dict.fromkeys(_named(error)))


def _named(error: str) -> Iterator[Anchor]:
    reading = read(error)
    for found in find(error)[:MOST_TESTS]:
        for group, value in found.groups.items():
            kind = _NAMES.get(group)
            if kind is AnchorKind.PACKAGE and value:
                yield Anchor(kind, _VERSION.split(value.strip("'").lower())[0])
            elif kind is AnchorKind.SYMBOL and _SIMPLE.fullmatch(value.strip("'")):
                yield Anchor(kind, value.strip("'"))
            elif kind is AnchorKind.FILE and value and "." in value:
                yield Anchor(kind, value.strip("'").removeprefix("./"))
        yield from _places(reading, found.line)


def _places(reading: Reading, at: int) -> Iterator[Anchor]:
    """The project's own files with a line number on and around a line."""
    for line in (reading.lines[at], *reversed(reading.lines[max(0, at - 8) : at]), *reading.lines[at + 1 : at + 5]):
        for match in _LOCATION.finditer(line):
            if not _FOREIGN.search(match["file"]):
                yield Anchor(AnchorKind.FILE, match["file"].removeprefix("./"))
                return


def solid(reading: Reading) -> list[int]:
    """The lines that say more than that something failed, and are no code that is shown."""
    found = [at for at, line in enumerate(reading.lines) if not (_HOLLOW.match(line) or hollow.is_hollow(line))]
    return [at for at in found if not is_source(reading.lines, at)]


def telling(reading: Reading) -> list[int]:
    """Those of them that sound like an error."""
    return [at for at in solid(reading) if _TELLING.search(reading.lines[at])]
