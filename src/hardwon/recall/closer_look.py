"""The second look at past conversations: the leading passages, judged by what their signs say together.

The first look weighs each sign by itself, which is quick and finds what leads; `judge.py` says what that can't see.
Here are the signs that only the second look needs: what the question asks for, how a passage begins, and what was said
right after it, for "done, and tested" means that the prompt before it settled something.
"""

from __future__ import annotations

from collections.abc import Mapping

from hardwon.recall import judge
from hardwon.recall.judge import Judge
from hardwon.recall.passage_rank import Signs
from hardwon.store import passages
from hardwon.store.passages import Read
from hardwon.understand import speech

JUDGED = 40
"""Of the leading passages."""
BY_MEANING, BY_WORDS = "passages_by_meaning", "passages_by_words"
MANY, LONG, SEVERAL = 12, 60, 4
"""Words of a question, words of what follows, and sentences, from which on more do not count."""


def of_question(text: str) -> Signs:
    """The same for all passages: it says what the others mean."""
    return {
        "for a cause": float(speech.asks_for_cause(text)),
        "for a reason": float(speech.wants_reason(text)),
        "for a figure": float(speech.wants_figure(text)),
        "for what was": float(speech.asks_what_was(text)),
        "much asked": min(passages.length(text), MANY) / MANY,
    }


def of_passage(one: Read, after: str) -> Signs:
    """How it is said, and what was said after it; empty when nothing was."""
    text = one.passage.text
    return {
        "by a person": float(one.passage.role == "user"),
        "answers nothing": float(not one.before),
        "finds cause": float(speech.finds_cause(text)),
        "carries out": float(speech.carries_out(text)),
        "replies": float(speech.replies(text)),
        "turns to another": float(speech.turns_to_another(text)),
        "has a colon": float(":" in text or "：" in text),
        "names code": float(speech.names_code(text)),
        "sentences": min(speech.sentences(text), SEVERAL) / SEVERAL,
        "has a question": float("?" in text or "？" in text),
        "nothing after": float(not after),
        "after carries out": float(speech.carries_out(after)),
        "after replies": float(speech.replies(after)),
        "after asks": float("?" in after or "？" in after or speech.is_question(after)),
        "long after": min(passages.length(after), LONG) / LONG,
    }


def beside_others(signs: Signs) -> Signs:
    """That nothing in its talk is nearer to the question, itself or in its place."""
    return {
        "nearest of talk": float("near" in signs and signs["near"] >= signs.get("best of talk", 1.0)),
        "nearest in place": float("in place" in signs and signs["in place"] >= signs.get("best in place", 1.0)),
    }


def corrected(signs: Mapping[int, Signs], first: Mapping[int, float], by: Judge) -> dict[int, float]:
    """What the second look adds to each score of the first: to those that were judged by their signs, so that the best
    of them scores what the best did before; and so much to the others, which stood behind them, that they still do."""
    if not signs:
        return {}
    said = {row: first[row] + by(some) for row, some in signs.items()}
    shift = max(first[row] for row in signs) - max(said.values())
    least = min(said.values()) + shift
    return {row: said[row] + shift - first[row] if row in said else min(0.0, least - first[row]) for row in first}


def judge_of(*, by_meaning: bool) -> Judge:
    return judge.taught(BY_MEANING if by_meaning else BY_WORDS)
