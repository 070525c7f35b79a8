"""The words of a question that can tell one memory from another."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence

from hardwon.store.connection import Store
from hardwon.store.index import search_index
from hardwon.text.common_words import COMMON_WORDS

_STOP_STEMS: set[str] = set()
"""The same as stems, filled by the first question: the tokeniser is the same in every store."""

FEW = 100
"""Texts that there are at least when it is told how rare a word is."""
COMMONEST = 0.25
"""How rare a word is at least: stop words are left out anyway, and another project may be full of it."""
MOST_WORDS = 48
"""Of a pasted log only the first and the last words are looked at: there stand the command and the error."""


def telling(store: Store, text: str) -> dict[str, str]:
    """The words of a question by their stems, in order, without those that stand everywhere."""
    common = _common(store)
    kept = [(stem, word) for stem, word in search_index.words(store, text).items() if stem not in common]
    if len(kept) > MOST_WORDS:
        kept = kept[: MOST_WORDS // 2] + kept[-MOST_WORDS // 2 :]
    return dict(kept)


def stem_of_each(store: Store, text: str) -> dict[str, str]:
    """The stems of a text by its words, without those that stand everywhere."""
    common = _common(store)
    return {word: stem for word, stem in search_index.stem_of_each(store, text).items() if stem not in common}


def _common(store: Store) -> set[str]:
    if not _STOP_STEMS:
        _STOP_STEMS.update(search_index.stems(store, COMMON_WORDS))
    return _STOP_STEMS


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


def reaching(postings: Mapping[str, Sequence[int]], weighed: Mapping[str, float], least: float) -> dict[int, float]:
    """The rows that may cover `least` of the question's weight, and how much at most: by the words that were looked up,
    and by all others, of which nobody knows where they stand."""
    total, left = sum(weighed.values()), sum(weighed[word] for word in postings)
    others, wanted = total - left, least * total
    covered: dict[int, float] = {}
    for word in sorted(postings, key=lambda word: -weighed[word]):
        # A row that has none of the words so far can't reach it by those that are left.
        rows = postings[word] if left + others >= wanted else covered.keys() & postings[word]
        for row in rows:
            covered[row] = covered.get(row, 0.0) + weighed[word]
        left -= weighed[word]
    return {row: (weight + others) / total for row, weight in covered.items() if weight + others >= wanted}


def worth_reading(
    reaching: Mapping[int, float], weighed: Mapping[str, float], postings: Mapping[str, object], least: float
) -> Callable[[int, str], bool]:
    """Whether a text has enough of the common words, as far as a look can tell, for its row to cover `least`.

    Where the others stand is known, so a text without these need not be cut into words. A stem is the beginning of its
    word but for the last letter, in plain letters; any other text is read to be sure, and so is a row of which
    nothing is known.
    """
    total = sum(weighed.values()) or 1.0
    common = [(stem[:-1], weight / total) for stem, weight in weighed.items() if stem not in postings]
    others = sum(share for _, share in common)

    def worth(row: int, text: str) -> bool:
        if row not in reaching or not text.isascii():
            return True
        found = sum(share for start, share in common if start in text)
        return reaching[row] - others + found >= least - 1e-9

    return worth


def bm25(texts: Mapping[int, Sequence[str]], weighed: Mapping[str, float]) -> dict[int, float]:
    """How well each text fits, by how often it has which words, and how long it is among these texts."""
    usual = sum(map(len, texts.values())) / len(texts) if texts else 0.0
    found: dict[int, float] = {}
    for row, stems in texts.items():
        length = 0.25 + 0.75 * len(stems) / usual if usual else 1.0
        times = Counter(stem for stem in stems if stem in weighed)
        found[row] = sum(weighed[stem] * count * 2.2 / (count + 1.2 * length) for stem, count in times.items())
    return found


def rarity(frequencies: Mapping[str, int], total: int) -> dict[str, float]:
    """How rare each word is: 1 if it stands in one text alone. Few texts can't tell, so they count as more."""
    total = max(total, FEW)
    rarest = weights({"": 1}, total)[""]
    return {word: max(COMMONEST, weight / rarest) for word, weight in weights(frequencies, total).items()}


def size(store: Store, present: Collection[str]) -> int:
    """How many different words these are, without those that stand everywhere."""
    return len(set(present) - _common(store))


def coverage(present: Collection[str], weighed: Mapping[str, float]) -> float:
    """The share of the question's weight that these words cover."""
    total = sum(weighed.values())
    return sum(weight for word, weight in weighed.items() if word in present) / total if total else 0.0


def alike(one: Collection[str], other: Collection[str], weight: Callable[[str], float]) -> float:
    """The cosine of two sets of words by what these weigh."""

    def length(stems: Collection[str]) -> float:
        return math.fsum(weight(stem) ** 2 for stem in stems)

    both = length(one) * length(other)
    return length(set(one) & set(other)) / math.sqrt(both) if both else 0.0
