"""The memory to compare with: the same texts, and at every prompt the five best by BM25, whatever they are worth."""

from __future__ import annotations

import re
from collections.abc import Sequence

import apsw

MOST = 5
_WORD = re.compile(r"\w+")


def best(texts: Sequence[str], prompt: str) -> str:
    """What it would say to this prompt; empty when no word of it occurs."""
    words = list(dict.fromkeys(_WORD.findall(prompt.lower())))
    if not words or not texts:
        return ""
    db = apsw.Connection(":memory:")
    db.execute("create virtual table texts using fts5(text, tokenize = 'porter unicode61')")
    db.executemany("insert into texts values (?)", [(text,) for text in texts])
    query = " or ".join(f'"{word}"' for word in words).replace(" or ", " OR ")
    found = db.execute("select text from texts where texts match ? order by rank limit ?", (query, MOST)).fetchall()
    db.close()
    return "\n\n".join(str(text) for (text,) in found)
