"""The words of a question that can tell one memory from another."""

from __future__ import annotations

import math
from collections.abc import Mapping

from hardwon.store import search_index
from hardwon.store.connection import Store

_STOP = """
a about above after again all also am an and any are aren as at be because been before being below between both but
by can cannot could couldn d did didn do does doesn doing don done down during each else ever every few for from
further get gets getting give go going got had hadn has hasn have haven having he her here hers him his how i if in
into is isn it its itself just know let like ll m made make makes many may me might more most much must my need no
nor not now of off on once one only or other our out over own please put re s same say see shall she should shouldn
show so some such t take tell than that the their them then there these they thing this those through to too try
under until up us use used using ve very want was wasn way we well were weren what when where which while who whom
why will with won would wouldn yes yet you your
"""

_STOP_STEMS: set[str] = set()
"""The same as stems, filled by the first question: the tokeniser is the same in every store."""

MOST_WORDS = 48
"""Of a pasted log only the first and the last words are looked at: there stand the command and the error."""


def telling(store: Store, text: str) -> dict[str, str]:
    """The words of a question by their stems, in order, without those that stand everywhere."""
    if not _STOP_STEMS:
        _STOP_STEMS.update(search_index.stems(store, _STOP))
    kept = [(stem, word) for stem, word in search_index.words(store, text).items() if stem not in _STOP_STEMS]
    if len(kept) > MOST_WORDS:
        kept = kept[: MOST_WORDS // 2] + kept[-MOST_WORDS // 2 :]
    return dict(kept)


def weights(frequencies: Mapping[str, int], total: int) -> dict[str, float]:
    """Inverse document frequency. A word that stands nowhere weighs as much as one that stands once."""
    known = {word: min(max(df, 1), max(total, 1)) for word, df in frequencies.items()}
    return {word: math.log(1 + (max(total, 1) - df + 0.5) / (df + 0.5)) for word, df in known.items()}


def affordable(frequencies: Mapping[str, int], most_postings: int) -> list[str]:
    """The rarest words whose index entries together stay under the bound."""
    chosen: list[str] = []
    postings = 0
    for word, df in sorted(frequencies.items(), key=lambda item: item[1]):
        if df and postings + df <= most_postings:
            chosen.append(word)
            postings += df
    return chosen


def coverage(present: set[str], weighed: Mapping[str, float]) -> float:
    """The share of the question's weight that these words cover."""
    total = sum(weighed.values())
    return sum(weight for word, weight in weighed.items() if word in present) / total if total else 0.0
