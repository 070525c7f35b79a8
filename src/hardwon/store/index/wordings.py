"""Finding the lesson that a draft says in other words (`text/skills/wordings.py` judges).

Candidates come from the index: lessons of the same skill and project that have the draft's rarest words. A draft with a
word that no memory has is new at once, and few candidates are read, however many lessons there are; one that is missed
so is kept beside the other, and nothing is lost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardwon.memory import Draft, Kind, Memory, Status, Trust, normalise
from hardwon.store.connection import Store
from hardwon.store.index import search_index
from hardwon.store.tables import memories

if TYPE_CHECKING:
    from hardwon.text.skills.wordings import Piece

CANDIDATES = 20
MOST_POSTINGS = 300
"""Memories that have the words: so many are looked at, the newest ones."""
TOGETHER = 3
"""Words that a candidate must have all of."""
LONGEST = 1_000
"""Characters of a lesson that is compared at all."""
MOST = 20
"""Other wordings of one lesson; what comes then is a lesson of its own."""


def twin(store: Store, draft: Draft) -> Memory | None:
    """The active lesson of the same scope that says the same. None for what nobody may take for said already: a text
    that waits for a person, or what was derived from a session and has its own way to be recognised."""
    is_told = draft.kind is Kind.LESSON and draft.source != "session" and len(draft.body) <= LONGEST
    if not is_told or draft.candidate or draft.trust is Trust.UNTRUSTED:
        return None
    from hardwon.text.skills import wordings  # only who keeps a lesson compares it

    raw = wordings.pieces(draft.body)
    if not wordings.FEWEST <= len(raw) <= wordings.MOST:
        return None
    found = _candidates(store, draft, raw)
    wanted = _stemmed(store, raw) if found else raw
    return next((one for one in found if _fits(store, draft, wanted, one)), None)


def pieces(store: Store, text: str) -> tuple[Piece, ...]:
    from hardwon.text.skills import wordings

    return _stemmed(store, wordings.pieces(text))


def _stemmed(store: Store, raw: tuple[Piece, ...]) -> tuple[Piece, ...]:
    from hardwon.text.skills import wordings

    plain = wordings.words(raw)
    return wordings.stemmed(raw, dict(zip(plain, search_index.stems(store, " ".join(plain)), strict=True)))


def _fits(store: Store, draft: Draft, wanted: tuple[Piece, ...], one: Memory) -> bool:
    if one.status is not Status.ACTIVE or len(one.body) > LONGEST or len(one.wordings) >= MOST:
        return False
    from hardwon.text.skills import wordings

    # What stands beside the text must not get lost with it, nor tell the two apart.
    beside = ((draft.title, one.title), (draft.subtype, one.subtype), (draft.because, one.because))
    is_alike = all(not new or normalise(new) == normalise(old) for new, old in beside) and not draft.rejected
    may_be = is_alike and wordings.may_be_same(draft.body, one.body)
    return may_be and wordings.are_same(wanted, pieces(store, one.body))


def _candidates(store: Store, draft: Draft, raw: tuple[Piece, ...]) -> list[Memory]:
    from hardwon.text.skills import wordings

    # Chinese is indexed by pairs of characters; of other texts those words count that have only one spelling.
    text = " ".join(piece.key for piece in raw if piece.key not in wordings.SPELLINGS)
    words = search_index.words(store, text if draft.body.isascii() else draft.body)
    spare = len(raw) // wordings.ONE_MORE_IN  # so many words may be the draft's alone
    counts: dict[str, int] = {}
    for word in words.values():
        counts[word] = search_index.frequency(store, word, MOST_POSTINGS)
        spare -= not counts[word]
        if spare < 0:
            return []
    there = sorted((word for word, count in counts.items() if count), key=counts.__getitem__)
    # With a word to spare, one group of words may miss one: then another has all of its own.
    groups = [there[start : start + TOGETHER] for start in range(0, TOGETHER * (spare + 1), TOGETHER)]
    either = " OR ".join(f"({' AND '.join(map(search_index.quoted, group))})" for group in groups if group)
    if not either:
        return []
    rows = store.rows(_LESSONS, (either, draft.scope.project, draft.scope.skill, CANDIDATES))
    return list(memories.by_rows(store, [row for (row,) in rows]).values())


_LESSONS = f"""
select m.row from (select rowid from memory_search where memory_search match ? order by rowid desc
                   limit {MOST_POSTINGS}) s cross join memories m on m.row = s.rowid
where m.project = ? and m.skill is ? and m.status = 'active' and m.kind = 'lesson' order by m.row desc limit ?
"""
