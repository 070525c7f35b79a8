"""Failures that go away by themselves: the network, a busy server, a lock that somebody else holds.

What passes after one of these proves nothing about what was done in between. A refused connection to this machine is no
such failure: somebody has to start the service.
"""

from __future__ import annotations

import re

from hardwon.text.errors.text import read

_ALWAYS = re.compile(
    r"ETIMEDOUT|ECONNRESET|EAI_AGAIN|ESOCKETTIMEDOUT|ENETUNREACH|EHOSTUNREACH|socket hang up|[Cc]onnection reset by"
    r" peer"
    r"|[Cc]onnection (?:was )?(?:aborted|closed unexpectedly)|[Cc]onnection timed out|[Oo]peration timed out"
    r"|ReadTimeout"
    r"|ConnectTimeout|Read timed out|i/o timeout|TLS handshake timeout|context deadline exceeded|Gateway Time-?out"
    r"|[Tt]emporary failure in name resolution|[Nn]etwork is unreachable|No route to host|Bad Gateway"
    r"|Service (?:Temporarily )?Unavailable|[Tt]oo [Mm]any [Rr]equests|[Rr]ate ?limit(?:ed| exceeded)|overloaded_error"
    r"|[Rr]esource temporarily unavailable|Try again later|please try again|Could not get lock|index\.lock': File"
    r" exists"
    r"|database is locked|[Dd]eadlock (?:detected|found)|Lock wait timeout|Error acquiring the state lock|Text file"
    r" busy"
    r"|waiting for file lock|could not obtain lock|unexpected disconnect|early EOF|RPC failed|Remote end closed"
    r" connection"
    r"|IncompleteRead|ChunkedEncodingError|toomanyrequests|RemoteDisconnected|[Uu]nexpected EOF from|fetch-pack: "
)
_STATUS = re.compile(
    r"(?:status(?: code)?:?|returned error:|HTTP(?:/[\d.]{1,3})?(?: Error)?|HTTPError:|response:?|ERROR|code)"
    r" ?(?:429|50[0234])\b"
)
_REFUSED = re.compile(r"ECONNREFUSED|[Cc]onnection refused")
_HERE = re.compile(r"127\.0\.0\.1|localhost|::1|0\.0\.0\.0")
_TEST_LIMIT = re.compile(r"timeout of \d+ ?ms|Timeout >|Exceeded timeout|Test timeout")
_LINES = 80


def transient(error: str) -> bool:
    """Whether this is the kind of failure that goes away by itself."""
    reading = read(error)
    for line in reading.lines[-_LINES:]:
        if _TEST_LIMIT.search(line):
            continue
        if _ALWAYS.search(line) or _STATUS.search(line):
            return True
        if _REFUSED.search(line) and "://" in line + reading.text[:2_000] and not _HERE.search(reading.text):
            return True
    return False
