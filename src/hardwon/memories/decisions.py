"""A prompt that names what was turned down: the decision against it, with its reason.

To name it is enough, however much else is remembered; whoever removes it, or asks what it is, knows.
"""

from __future__ import annotations

import json
import re

from hardwon.memories.search.budget import Item, fit
from hardwon.memories.search.rank import Candidate, Ranked
from hardwon.memory import GLOBAL, Kind, Memory, Status
from hardwon.store.connection import Store
from hardwon.store.tables import memories

LOOKED_AT = 200
"""The newest decisions of a project that turned something down."""
MOST, TOKENS = 2, 300

_DECLINES = (
    r"(?:don't|do not|dont|never|(?<!why )not|stop|instead of|rather than|without|remove|removing|drop|dropping|from"
    r"|off|no|avoid|uninstall)\s+(?:(?:use|using|the|to|add)\s+)?$|(?:不要|不用|别|別|移除|删除|去掉)用?\s*$"
)


def against(store: Store, text: str, project: str, now: int) -> list[Item]:  # noqa: ARG001  a decision does not age
    """Decisions that turned down what this prompt proposes, newest first."""
    from hardwon.text.speech.spoken import listen  # most commands ask no such question

    sentences = listen(text)
    said = [sentences.restored(one).replace("`", "").lower() for one in sentences.sentences]
    if not said:
        return []
    found = [memory for memory in deciding(store, project, said) if _is_named(memory, said)]
    return fit([Ranked(Candidate(memory, coverage=1.0), 1.0) for memory in found], MOST, TOKENS)


def deciding(store: Store, project: str, said: list[str]) -> list[Memory]:
    """Those of the newest decisions that turned down something which is named here."""
    rows: list[int] = []
    for place in dict.fromkeys((project, GLOBAL)):
        for row, rejected in store.rows(_DECIDED, (place, LOOKED_AT)):
            if any(bare(what) in sentence for what, _ in json.loads(rejected) for sentence in said):
                rows.append(row)
    found = memories.by_rows(store, rows) if rows else {}
    return [found[row] for row in rows if row in found]


# The conditions are those of the index, word for word, or SQLite would not use it.
_DECIDED = f"""
select row, rejected from memories indexed by memories_by_decision
where project = ? and kind = '{Kind.DECISION}' and status = '{Status.ACTIVE}' and rejected <> '[]'
order by updated_at desc limit ?
"""


def bare(what: str) -> str:
    return re.sub(r"^(?:the|a|an|to|using|use)\s+", "", what.lower().strip(" `\"'“”.,"))


def _is_named(memory: Memory, said: list[str]) -> bool:
    return any(_names(sentence, bare(one.what)) for one in memory.rejected for sentence in said)


def _names(sentence: str, bare: str) -> bool:
    """Whether a sentence speaks of it, and not of doing without it."""
    if len(bare) < 2 or bare not in sentence or _ASKS_WHAT.match(sentence):
        return False
    name = rf"(?<![a-z0-9_-]){re.escape(bare)}(?![a-z0-9_-])"
    return any(
        not re.search(_DECLINES, sentence[max(0, match.start() - 120) : match.start()])
        for match in re.finditer(name, sentence)
    )


_ASKS_WHAT = re.compile(r"(?:what(?:'s| is| are| was)|who|where is|explain|什么是|とは)\b")
