"""A prompt that proposes what was turned down: the decision against it, with its reason.

Only a proposal counts ("let's use X", "why not X?"), not a mention: whoever removes X, or asks what it is, knows.
"""

from __future__ import annotations

import json
import re

from hardwon.memory import GLOBAL, Kind, Memory, Status
from hardwon.recall.budget import Item, fit
from hardwon.recall.rank import Candidate, Ranked
from hardwon.store import memories
from hardwon.store.connection import Store

LOOKED_AT = 200
"""The newest decisions of a project that turned something down."""
MOST, TOKENS = 2, 300

_PROPOSES = (
    r"\b(?:use|using|add|adding|install|try|trying|switch(?:ing)? to|move to|moving to|migrate to|migrating to|go with"
    r"|adopt|introduce|set ?up|bring in|replace [^.!?]{1,40} with|rewrite [^.!?]{1,40} (?:in|with)|port [^.!?]{1,40} to"
    r"|convert [^.!?]{1,40} to|based on|build [^.!?]{0,40} (?:with|on)|via|why not|what about|how about)"
    r"\s+(?:the |a |an |our |some |plain )?$"
)
_PROPOSES_WIDE = r"(?:用|使用|改用|换成|換成|换到|試試|试试|引入|采用|採用|加上|安装|安裝|迁移到|切换到|切換到)\s*$"
_AFTER_WIDE = (
    r"\s*(?:を(?:使|導入|入れ|試|採用)|に(?:しよう|しましょう|変え|切り替え|移行|して|する)|で(?:書|作|やろ|いこ)"
    r"|は?どう)"
)
_DECLINES = (
    r"(?:don't|do not|dont|never|(?<!why )not|stop|instead of|rather than|without|remove|removing|drop|dropping|from"
    r"|off|no|avoid|uninstall)\s+(?:(?:use|using|the|to|add)\s+)?$|(?:不要|不用|别|別|移除|删除|去掉)用?\s*$"
)


def against(store: Store, text: str, project: str, now: int) -> list[Item]:  # noqa: ARG001  a decision does not age
    """Decisions that turned down what this prompt proposes, newest first."""
    if not _MAY_PROPOSE.search(text):  # most prompts: they must not wait for the decisions to be read
        return []
    from hardwon.understand.wishes.spoken import listen  # most commands ask no such question

    sentences = listen(text)
    said = [sentences.restored(one).replace("`", "").lower() for one in sentences.sentences]
    if not said:
        return []
    found = [memory for memory in deciding(store, project, said) if _is_proposed(memory, said)]
    return fit([Ranked(Candidate(memory, coverage=1.0), 1.0) for memory in found], MOST, TOKENS)


_MAY_PROPOSE = re.compile(
    r"(?i)\b(?:us(?:e|ing)|add|install|try|switch|mov(?:e|ing)|migrat|go with|adopt|introduc|set ?up|bring in|replac"
    r"|rewrit|port|convert|based on|build|via|why not|what about|how about)|[用换換试試引采採加安迁切をにで]"
)


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


def _is_proposed(memory: Memory, said: list[str]) -> bool:
    return any(_proposes(sentence, bare(one.what)) for one in memory.rejected for sentence in said)


def _proposes(sentence: str, bare: str) -> bool:
    """Whether a sentence speaks of it as of something to be done."""
    if len(bare) < 2 or bare not in sentence:
        return False
    name = rf"(?<![a-z0-9_-]){re.escape(bare)}(?![a-z0-9_-])"
    for match in re.finditer(name, sentence):
        before, after = sentence[max(0, match.start() - 120) : match.start()], sentence[match.end() :]
        if re.search(_DECLINES, before):
            continue
        if (
            re.search(_PROPOSES + "$", before)
            or re.search(_PROPOSES_WIDE + "$", before)
            or re.match(_AFTER_WIDE, after)
        ):
            return True
    return False
