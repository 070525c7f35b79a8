"""Which of two versions is the newer one, in Python's order: 1.0.dev1, 1.0rc1, 1.0, 1.0+own.1, 1.0.post1, 1.1."""

from __future__ import annotations

import functools
import math
import re

_VERSION = re.compile(
    r"v?(?:(?P<epoch>\d{1,9})!)?(?P<release>\d{1,9}(?:\.\d{1,9}){0,9})"
    r"(?:[-_.]?(?P<pre>alpha|a|beta|b|preview|pre|c|rc)[-_.]?(?P<pre_number>\d{0,9}))?"
    r"(?:-(?P<bare_post>\d{1,9})|[-_.]?(?P<post>post|rev|r)[-_.]?(?P<post_number>\d{0,9}))?"
    r"(?:[-_.]?(?P<dev>dev)[-_.]?(?P<dev_number>\d{0,9}))?"
    r"(?:\+(?P<local>[a-z0-9]{1,40}(?:[-_.][a-z0-9]{1,40}){0,9}))?",
    re.ASCII | re.IGNORECASE,
)
_PHASES = {"a": 0, "b": 1, "c": 2, "r": 2, "p": 2}
"""By the first letter: `rc`, `c`, `pre` and `preview` are the same. A version without one is 3."""

Key = tuple[int, tuple[int, ...], tuple[int, int], float, float, tuple[tuple[int, str], ...]]


def is_newer(one: str, other: str) -> bool:
    """Whether a version is newer than another; one that is no version is neither newer nor older."""
    if one == other:  # on nearly every message
        return False
    first, second = _key(one), _key(other)
    return first is not None and second is not None and first > second


@functools.lru_cache(64)
def _key(version: str) -> Key | None:
    """What versions are put in order by; None for what is none."""
    found = _VERSION.fullmatch(version)
    if found is None:
        return None
    release = [int(part) for part in found["release"].split(".")]
    while release and not release[-1]:  # 1.0 is 1
        release.pop()
    is_post = bool(found["post"] or found["bare_post"])
    if found["pre"]:
        phase = (_PHASES[found["pre"][0].lower()], int(found["pre_number"] or 0))
    else:  # 1.0.dev1 comes before 1.0a1, 1.0.post1.dev1 after 1.0
        phase = (-1, 0) if found["dev"] and not is_post else (3, 0)
    post = int(found["bare_post"] or found["post_number"] or 0) if is_post else -1
    dev = int(found["dev_number"] or 0) if found["dev"] else math.inf
    return int(found["epoch"] or 0), tuple(release), phase, post, dev, _local(found["local"] or "")


def _local(text: str) -> tuple[tuple[int, str], ...]:
    """What stands behind the `+`: a number counts as one, and for more than a word."""
    parts = re.split(r"[-_.]", text.lower()) if text else []
    return tuple((int(part), "") if part.isdigit() else (-1, part) for part in parts)
