"""What nobody has vouched for, printed for an agent: quoted, as it is where a client is told something.

A candidate may be a stranger's words. A person who decides about it must see it as it is; an agent that runs the same
command reads what it prints as part of its task. The JSON has every text as it was kept.
"""

from __future__ import annotations

import dataclasses
from functools import cache

from hardwon.cli.support import caller
from hardwon.cli.verbs import leaving
from hardwon.memory import Memory, Rejected, Status, Trust
from hardwon.text import untrusted

LONGEST = 2_000
"""Characters of a text that is shown whole."""
HEADLINE = 150
"""In a list, which cuts a line at 160: the quotation ends before that."""


def shown(memory: Memory, longest: int = LONGEST) -> Memory:
    """As whoever runs this command may see it."""
    memory = leaving.memory(memory)
    if not is_quoted(memory):
        return memory

    def quoted(text: str) -> str:
        return untrusted.quoted(text, longest) if text else ""

    return dataclasses.replace(
        memory,
        title=quoted(memory.title),
        body=quoted(memory.body),
        intent=quoted(memory.intent),
        because=quoted(memory.because),
        author=quoted(memory.author),
        source=quoted(memory.source),
        reason=quoted(memory.reason),
        rejected=tuple(Rejected(quoted(one.what), quoted(one.why)) for one in memory.rejected),
        evidence=tuple(map(quoted, memory.evidence)),
        complaints=tuple(map(quoted, memory.complaints)),
        anchors=tuple(dataclasses.replace(one, value=quoted(one.value)) for one in memory.anchors),
    )


def words(memory: Memory, text: str) -> str:
    """A text of this memory."""
    return untrusted.quoted(text, LONGEST) if text and is_quoted(memory) else text


def is_quoted(memory: Memory) -> bool:
    vouched = memory.status is not Status.CANDIDATE and memory.trust is not Trust.UNTRUSTED
    return not vouched and not is_person()


@cache
def is_person() -> bool:
    return caller.trust() is Trust.USER
