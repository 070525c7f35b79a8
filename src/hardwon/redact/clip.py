"""Cuts a long text in the middle so that no half of a secret is left that no rule would know.

Each end is looked at together with `MARGIN` characters of what will be cut away, more than any secret is long. The
secrets are replaced first, and only then is the end cut, never inside a marker.
"""

from collections.abc import Callable

from .lazy import compiled
from .scan import Finding

MARGIN = 24_000
NOTICE = 64
SMALLEST = 4 * NOTICE

Find = Callable[[str], list[Finding]]

_MARKER = r"\[redacted:[\w.-]{1,64}\]"


def replaced(text: str, findings: list[Finding]) -> str:
    """The text with a marker in the place of each finding; these are in order and do not overlap."""
    parts: list[str] = []
    done = 0
    for name, start, end in findings:
        parts += text[done:start], f"[redacted:{name}]"
        done = end
    return "".join(parts) + text[done:]


def clipped(text: str, limit: int, find: Find) -> str:
    """At most `limit` characters: the redacted beginning, a notice, the redacted end."""
    keep = (limit - NOTICE) // 2
    head, of_head = _beginning(text[: keep + MARGIN], keep, find)
    tail, of_tail = _ending(text[-keep - MARGIN :], keep, find)
    dropped = max(0, len(text) - of_head - of_tail)
    return f"{_cut(head, keep)}[clipped {dropped} characters]{_cut_start(tail, keep)}"


def _beginning(text: str, keep: int, find: Find) -> tuple[str, int]:
    """What the first `keep` characters become, with the whole of a secret that begins in them; how many that are."""
    findings = [finding for finding in find(text) if finding[1] < keep]
    last = max([keep, *(end for _, _, end in findings)])
    return replaced(text[:last], findings), last


def _ending(text: str, keep: int, find: Find) -> tuple[str, int]:
    """The same for the last ones, and a secret that ends in them."""
    border = len(text) - keep
    findings = [finding for finding in find(text) if finding[2] > border]
    first = min([border, *(start for _, start, _ in findings)])
    return replaced(text[first:], [(name, start - first, end - first) for name, start, end in findings]), len(
        text
    ) - first


def _cut(head: str, size: int) -> str:
    for marker in compiled(_MARKER).finditer(head, max(0, size - 80)):
        if marker.start() < size < marker.end():
            return head[: marker.start()]
    return head[:size]


def _cut_start(tail: str, size: int) -> str:
    border = max(0, len(tail) - size)
    for marker in compiled(_MARKER).finditer(tail, max(0, border - 80), border + 80):
        if marker.start() < border < marker.end():
            return tail[marker.end() :]
    return tail[border:]
