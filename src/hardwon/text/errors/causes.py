"""Which line of an output says why: below a test's header or a bare code, the deepest cause, the exception, what was
asserted. Nothing here knows a runner: whatever it calls its headers, what went wrong is told below them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from hardwon.text.errors.form import Found, Rank
from hardwon.text.errors.text import Reading

MOST_LINES = 80
"""Below a header."""
_DEEPER = re.compile(r"(?i)^(?:Caused by:? |\[?cause\]?: |Root cause:? )(?P<what>\S.*)")
_RAISED = re.compile(
    r"^(?:Uncaught |Unhandled |Error: |E )?"
    r"(?:[\w$]{1,80}[.:\\]{1,2}){0,8}[\w$]{0,80}(?:Error|Exception|Failure|Fault|Panic)\b"
    r"(?: \[\w.-]{1,60}\])?(?:: ?| - | \()\S"
)
_PANICKED = re.compile(r"\bpanicked at\b|^panic: ")
_PLACE = re.compile(r"^[\w./-]{1,200}\.\w{1,5}:\d+(?::\d+)?: (?P<what>\S.*)")
_ASSERTS = re.compile(
    r"(?i)\bassert|\bexpect(?:ed|\()|\bto (?:equal|be|have)\b|\bshould (?:be|have|equal)\b"
    r"|^(?:left|right|got|want|actual)\b"
    r"|\bmismatch|\bdoes not match"
)
_OF_LIBRARY = re.compile(
    r"(?:E +)?(?!(?:java|javax|kotlin|scala|com|org|net|io|dev|builtins|unittest|src|app|tests?)\.)"
    r"[a-z]\w{1,60}(?:\.\w{1,60}){0,6}\.[A-Z]\w{2,80}(?:: |$)"
)
_BARE = re.compile(r"(?i)(?:npm (?:err!|error) )?(?:code|errno|error|err)?:? ?[A-Z][A-Z0-9_]{3,40}")
_WORDY = re.compile(r"[^\W\d_]{2,}\W+(?:[\w'\"@/.-]+\W+)+\w")


def line(reading: Reading, found: Sequence[Found]) -> int | None:
    """Where it says why; None where no form was found."""
    if not found:
        return None
    first = found[0]
    if first.form.rank is Rank.TEST and " - " not in reading.lines[first.line]:
        return _below(reading, first.line, alone=len(found) == 1)
    if _BARE.fullmatch(reading.lines[first.line]):
        after = range(first.line + 1, min(len(reading.lines), first.line + 4))
        return next((at for at in after if _WORDY.search(reading.lines[at])), first.line)
    return first.line


def beyond_test(reading: Reading, found: Sequence[Found]) -> str:
    """What broke a test that is no matter of the test: an exception with its words, and no assertion. Empty where it
    is one, or where nothing is said."""
    if not found or found[0].form.rank is not Rank.TEST or (at := line(reading, found)) in (None, found[0].line):
        return ""
    said = reading.lines[at] if at is not None else ""
    if match := (_DEEPER.match(said) or _PLACE.match(said)):
        said = match["what"]
    if asserts(said) or not (_RAISED.match(said) or _PANICKED.search(reading.lines[(at or 1) - 1])):
        return ""
    return said


def asserts(said: str) -> bool:
    """Whether a line tells what was expected and what came: a matter of the code under test."""
    return bool(_ASSERTS.search(said))


def of_library(said: str) -> bool:
    """Whether an exception is named with the module of a library before it."""
    return bool(_OF_LIBRARY.match(said))


def _below(reading: Reading, header: int, *, alone: bool) -> int:
    places = range(header + 1, min(len(reading.lines), header + MOST_LINES))
    deeper = [at for at in places if _DEEPER.match(reading.lines[at])]
    if deeper:
        return deeper[-1]
    for at in places:
        said = reading.lines[at]
        if _PANICKED.search(said):
            return at + 1 if said.endswith(":") and at + 1 < len(reading.lines) else at
        if _RAISED.match(said) or _PLACE.match(said):
            return at
    if found := next((at for at in places if asserts(reading.lines[at])), None):
        return found
    above = range(header - 1, max(-1, header - MOST_LINES), -1)  # a summary comes last
    raised = (at for at in above if _RAISED.match(reading.lines[at]) or asserts(reading.lines[at]))
    return next(raised, header) if alone else header
