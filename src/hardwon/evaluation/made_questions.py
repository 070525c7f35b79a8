"""Questions that any conversations answer, made from these themselves: a word or two that somebody remembers, and what
was asked before in the same words. Whoever tunes the answers to real questions must not lose these.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterable
from typing import TypeVar

from hardwon.evaluation.corpus import USER, Asked, Corpus, DataSet, Document
from hardwon.text.common_words import COMMON_WORDS
from hardwon.text.speech import discourse

MOST = 60
"""Questions of each kind."""
RARE = 3
"""A word that stands in more exchanges is not what somebody looks for."""
_FORM = 5
"""Letters by which the search may take one word for another: such words are left out."""
_SHORTEST, _LONGEST = 5, 30
"""Words of a prompt that is asked again."""
Question = TypeVar("Question", str, tuple[str, ...])
_MEASURES = ("exchange hit@1", "exchange hit@5", "MRR")


def remembered_words(corpus: Corpus) -> DataSet:
    """One rare word, or two of the same text: what has them is right."""
    having = _having(corpus.documents)
    exchanges = corpus.exchanges
    rare = [word for word, ids in having.items() if len({exchanges[id] for id in ids}) <= RARE]
    pairs = _pairs(corpus.documents, frozenset(rare))
    asked = [(word,) for word in _some(rare, MOST // 2)] + _some(pairs, MOST - MOST // 2)
    questions = (
        Asked(" ".join(words), " ".join(words), frozenset.intersection(*(having[word] for word in words)), "words")
        for words in asked
    )
    return DataSet("a word or two", (Corpus("words", corpus.documents, tuple(questions)),), _MEASURES)


def asked_again(corpus: Corpus) -> DataSet:
    """Prompts that ask something, once more: right is what was answered."""
    same: dict[str, set[str]] = defaultdict(set)
    for one in corpus.documents:
        if _is_asked(one):
            same[one.text].add(one.id)
    questions = (Asked(text[:40], text, frozenset(same[text]), "again") for text in _some(same, MOST))
    return DataSet("asked again", (Corpus("again", corpus.documents, tuple(questions)),), _MEASURES)


def _is_asked(one: Document) -> bool:
    return one.role == USER and discourse.is_question(one.text) and _SHORTEST <= len(one.text.split()) <= _LONGEST


def _having(documents: Iterable[Document]) -> dict[str, frozenset[str]]:
    """In which documents each word stands that no other word begins like."""
    having: dict[str, set[str]] = defaultdict(set)
    alike: dict[str, set[str]] = defaultdict(set)
    for one in documents:
        for word in _words(one.text):
            having[word].add(one.id)
            alike[word[:_FORM]].add(word)
    return {word: frozenset(ids) for word, ids in having.items() if len(alike[word[:_FORM]]) == 1}


def _pairs(documents: Iterable[Document], rare: frozenset[str]) -> list[tuple[str, ...]]:
    chosen = random.Random(0)
    found = (sorted(_words(one.text) & rare) for one in documents)
    return [tuple(chosen.sample(words, 2)) for words in found if len(words) > 1]


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.lower())) - _COMMON


_WORD = re.compile(r"[a-z][a-z0-9]{3,}")
_COMMON = frozenset(COMMON_WORDS.split())


def _some(of: Iterable[Question], most: int) -> list[Question]:
    every = sorted(of)
    return sorted(random.Random(0).sample(every, min(most, len(every))))
