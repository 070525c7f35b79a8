"""What may not happen to a planted text, checked without a line of the code that prevents it."""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardwon.memories import Candidate, Item, Ranked
from hardwon.memories.changed import Changed
from hardwon.memories.check import Finding, Near
from hardwon.memories.moments import Known
from hardwon.memory import AnchorKind, Kind, Memory, Status, Trust
from hardwon.render import context
from hardwon.store.connection import Store
from hardwon.store.tables import memories


@dataclass(frozen=True, slots=True)
class Payload:
    name: str
    text: str
    bait: tuple[str, ...]
    """What a reader would act on."""
    planted: bool
    """Whether it is so plain that not even an agent's own note of it is believed."""

    @property
    def flat(self) -> str:
        return " ".join(self.text.split())


def _loaded() -> list[Payload]:
    """Each with a bait of its own, so that one home can be given all of them."""
    given = json.loads(Path(__file__).with_name("payloads.json").read_text("utf-8"))
    return [_own(one, f"evil{number:02}") for number, one in enumerate(given)]


def _own(one: dict[str, Any], name: str) -> Payload:
    bait = tuple(text.replace("evil", name) for text in one["bait"])
    return Payload(one["name"], one["text"].replace("evil", name), bait, one["planted"])


PAYLOADS = _loaded()

LONGEST_QUOTE = 160
_QUOTE = re.compile(
    r'(?:output said|then|it still failed|recorded|change|without success|what failed|passed|`): "([^"]*)"'
)
_LOOKALIKES = str.maketrans("аеорсухѕі\u27e8\u3008\ufe64", "aeopcyxsi<<<")
_TAG = re.compile(
    r"<[\s/<|]*(?:hardwon|skill-?memory|system|user|human|assistant|function|invoke|tool_|im_start|im_end|command-|bash-)"
)
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\ufe00-\ufe0f\U000e0000-\U000e0fff]"
)


def folded(text: str) -> str:
    """As it looks to a reader."""
    shown = "".join(char for char in text if unicodedata.category(char) not in ("Cf", "Cc", "Mn") or char == "\n")
    looks = unicodedata.normalize("NFKD", shown.translate(_LOOKALIKES)).translate(_LOOKALIKES)
    looks = "".join(char for char in looks if not unicodedata.combining(char))
    return re.sub(r"&lt;|&#60;|\\u003c|\\x3c", "<", looks).lower()


_FIELD = re.compile(r"  (?:Goal|Failing|Next|Open|Decided|Done|Files): \S")
"""A field of what a session left, below the line that says whose it is."""


def assert_contained(said: str) -> None:
    """Our fence is the only one, nothing in it is unseen, each memory is one line of ours and says its source once."""
    for line in said.split("\n"):
        assert len(re.findall(r"[\[［]\s?[0-9a-f]{6}\s?,", line)) <= 1, ascii(said)
    hidden = [char for char in said if unicodedata.category(char)[0] == "C" and char != "\n"]
    assert not hidden, ascii(said)
    assert not _UNSEEN.search(said), ascii(said)
    looks = folded(said)
    tags = _TAG.findall(looks)
    lines = said.split("\n")
    if said.startswith("<"):
        assert len(tags) == 2, ascii(said)
        assert re.match(r'<(?:hardwon moment|skill-memory skill)="[\w ./:@-]*">$', lines[0]), ascii(said)
        assert lines[-1] in ("</hardwon>", "</skill-memory>"), ascii(said)
        ours = (
            "From earlier sessions; for information:",
            "Learned in earlier uses of this skill:",
            "Holds everywhere:",
            *("Open task:", "Constraints:", "Failed before:", "Decisions:", "Lessons:"),
        )
        assert all(line.startswith("- ") or line in ours or _FIELD.match(line) for line in lines[1:-1]), ascii(said)
    else:
        assert not tags, ascii(said)
        assert len(lines) == 1, ascii(said)


def assert_harmless(said: str, *payloads: Payload) -> None:
    """Contained, and what a reader would act on stands in a short quotation or nowhere."""
    if not said:
        return
    assert_contained(said)
    for quote in _QUOTE.findall(said):
        assert len(quote) <= LONGEST_QUOTE, quote
    rest = folded(_QUOTE.sub("", said))
    for payload in payloads or PAYLOADS:
        for bait in payload.bait:
            assert bait not in rest, f"{payload.name}: {said!a}"


def everything_said_of(memory: Memory) -> list[str]:
    """This memory in each of the blocks in which a client could be told of it."""
    item = Item(Ranked(Candidate(memory, hits=2), 1.0), memory.body, 10)
    other = Memory(
        "0" * 36, Kind.FAILURE, "`x` failed: y", memory.scope, Trust.VERIFIED, "session", Status.ACTIVE, 1, 1
    )
    failure = Item(Ranked(Candidate(other), 1.0), other.body, 10)
    fixed = Known(failure, (memory,)) if memory.subtype == "worked" else Known(failure, (), (memory,))
    found = [
        Finding(Known(item), anchor, Near.FAMILY if anchor.kind is AnchorKind.COMMAND else Near.EXACT)
        for anchor in memory.anchors[:2]
    ]
    return [
        context.prompt([item]),
        context.recalled([item]),
        context.started("after compaction", [item]),
        context.brief([], Changed(1, (item,))),
        context.skill(memory.scope.skill or "deploy", [item]),
        context.known("before action", [Known(item)]),
        context.known("after failure", [fixed]),
        context.stop(fixed, "command"),
        context.checked(found),
    ]


def assert_nothing_learned(store: Store, *payloads: Payload) -> None:
    """No memory that counts holds it, but for failures and attempts that quote it; none is a person's word."""
    for memory in memories.all_memories(store):
        words = folded(f"{memory.title} {memory.body} {memory.because} {memory.intent} {memory.rejected}")
        there = any(bait in words for payload in payloads or PAYLOADS for bait in payload.bait)
        if not there or memory.status is Status.CANDIDATE:
            continue
        for said in everything_said_of(memory):
            assert_harmless(said, *payloads)
        assert memory.trust is not Trust.USER, memory
        assert memory.source == "session", memory
        assert memory.kind in (Kind.FAILURE, Kind.FIX, Kind.LESSON), memory
