"""Whose words these are: a person's, or a machine's that were put into the person's place."""

from __future__ import annotations

import re

# Blocks that clients, and hardwon itself, put into prompts and results.
_BLOCK = re.compile(
    r"<(hardwon|skill-memory|system-reminder|task-notification|local-command-stdout|local-command-stderr"
    r"|local-command-caveat|command-name|command-message|command-args|ide_\w+)\b[^>]*>.*?</\1>",
    re.DOTALL,
)
_OPEN_BLOCK = re.compile(r"<(?:task-notification|command-name|local-command-stdout|local-command-caveat)\b")
_CONTINUED = (
    "This session is being continued from a previous conversation",
    "Caveat: The messages below were generated",
)


def own_words(prompt: str) -> str:
    """What the person typed; empty when a machine wrote it all."""
    text = prompt.strip()
    if text.startswith(_CONTINUED) or _OPEN_BLOCK.match(text):
        return ""
    return _BLOCK.sub("", text).strip()


def without_ours(text: str) -> str:
    """A text that may quote what hardwon said, without it: we don't learn from ourselves."""
    return _BLOCK.sub("", text) if "<hardwon" in text or "<skill-memory" in text else text
