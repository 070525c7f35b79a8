"""LongMemEval's file: a list of questions, each with sessions of its own in which the answer is somewhere.

Sessions are named by `answer_session_ids`, turns by `has_answer`. Questions whose id ends in `_abs` have no answer in
their sessions and are left out. Each question is a corpus of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hardwon.evaluation.corpus import AGENT, USER, Asked, BadData, Corpus, DataSet, Document
from hardwon.evaluation.reading import json_file

MEASURES = ("session R@5", "session R@10", "session hit@5", "session nDCG@10", "R@5", "R@10", "nDCG@10")
_TIME = re.compile(r"(\d{4})/(\d{1,2})/(\d{1,2})\D+(\d{1,2}):(\d{2})")
_BETWEEN = 30_000
"""Milliseconds between two turns: the file has only the time of a session."""


def load(path: Path) -> DataSet:
    entries = json_file(path, list)
    try:
        corpora = tuple(_corpus(one) for one in entries if not str(one["question_id"]).endswith("_abs"))
    except (KeyError, TypeError, ValueError) as error:
        raise BadData(f"{path} is not LongMemEval's file: {type(error).__name__} {error}.") from error
    if not corpora:
        raise BadData(f"{path} has no question with an answer.")
    return DataSet(f"LongMemEval ({path.name})", corpora, MEASURES)


def _corpus(entry: dict[str, Any]) -> Corpus:
    id = str(entry["question_id"])
    placed = list(_documents(entry))
    asked = Asked(
        id,
        str(entry["question"]),
        frozenset(document.id for document, answers in placed if answers),
        str(entry["question_type"]),
        frozenset(map(str, entry["answer_session_ids"])),
        at=_time(entry["question_date"]),
    )
    return Corpus(id, tuple(document for document, _ in placed), (asked,))


def _documents(entry: dict[str, Any]) -> Iterator[tuple[Document, bool]]:
    """Each turn, and whether it has the answer."""
    sessions = zip(entry["haystack_session_ids"], entry["haystack_dates"], entry["haystack_sessions"], strict=True)
    for session, date, turns in sessions:
        began = _time(date)
        for number, turn in enumerate(turns):
            role = USER if turn["role"] == "user" else AGENT
            at = began + number * _BETWEEN
            document = Document(f"{session}/{number}", str(session), at, role, turn["content"])
            yield document, bool(turn.get("has_answer"))


def _time(text: str) -> int:
    """ "2023/05/30 (Tue) 23:40"."""
    found = _TIME.match(text)
    if not found:
        raise ValueError(f"{text!r} is not a time like 2023/05/30 (Tue) 23:40")
    return int(datetime(*map(int, found.groups()), tzinfo=UTC).timestamp() * 1000)  # type: ignore[misc, arg-type]
