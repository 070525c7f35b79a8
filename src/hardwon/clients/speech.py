"""Whose words these are: a person's, or a machine's that were put into the person's place."""

from __future__ import annotations

import re
from collections import defaultdict, deque

# Blocks that clients, and hardwon itself, put into prompts and results.
_TAG = re.compile(
    r"<(/?)(hardwon|skill-memory|system-reminder|task-notification|local-command-stdout|local-command-stderr"
    r"|local-command-caveat|command-name|command-message|command-args|bash-input|bash-stdout|bash-stderr|ide_\w+)"
    r"\b[^<>]{0,500}>"
)
_OPEN_BLOCK = re.compile(r"<(?:task-notification|command-name|local-command-stdout|local-command-caveat)\b")
_CONTINUED = (
    "This session is being continued from a previous conversation",
    "Caveat: The messages below were generated",
    "[Request interrupted by user",
)


def own_words(prompt: str) -> str:
    """What the person typed; empty when a machine wrote it all."""
    text = prompt.strip()
    if text.startswith(_CONTINUED) or _OPEN_BLOCK.match(text):
        return ""
    return _without_blocks(text).strip()


def _without_blocks(text: str) -> str:
    """Each block up to the first end of its own kind; one that never ends is plain text. Takes linear time."""
    tags = list(_TAG.finditer(text))
    ends: dict[str, deque[int]] = defaultdict(deque)
    for tag in tags:
        if tag[1]:
            ends[tag[2]].append(tag.end())
    kept: list[str] = []
    at = 0
    for tag in tags:
        while (left := ends[tag[2]]) and left[0] <= tag.end():
            left.popleft()
        if not tag[1] and tag.start() >= at and left:
            kept.append(text[at : tag.start()])
            at = left[0]
    return "".join(kept) + text[at:]


def without_ours(text: str) -> str:
    """A text that may quote what hardwon said, without it: we don't learn from ourselves."""
    ours = "<" in text and ("<hardwon" in text or "<skill-memory" in text)
    return _without_blocks(text) if ours else text
