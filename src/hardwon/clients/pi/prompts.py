"""A prompt of Pi: what it is called, and what of it the person typed."""

from __future__ import annotations

import hashlib
import re

from hardwon.clients.speech import own_words

FIRST = "first"
_SKILL = re.compile(r'<skill name="(?P<name>[^"\n]{1,200})" location="(?P<file>[^"\n]{1,4000})">')
_END = "\n</skill>"


def id_of(before: str, prompt: str) -> str:
    """The same when it is sent and when it is read: what it follows (an entry of the session's file), and a hash of
    its words. Two prompts can follow the same entry, for a session is a tree."""
    words = hashlib.sha1(prompt.encode("utf-8", "surrogatepass"), usedforsecurity=False)
    return f"{before or FIRST}.{words.hexdigest()[:8]}"


def skill_in(prompt: str) -> tuple[str, str, str] | None:
    """The skill that a typed `/skill:NAME` put into a prompt, its file, and what was typed behind it."""
    found = _SKILL.match(prompt)
    if found is None:
        return None
    return found["name"], found["file"], prompt.rpartition(_END)[2].strip() if _END in prompt else ""


def typed_in(prompt: str) -> str:
    """What the person typed, as far as the prompt says; empty when a machine wrote it all."""
    if skill := skill_in(prompt):
        return f"/skill:{skill[0]} {skill[2]}".strip()
    return own_words(prompt)
