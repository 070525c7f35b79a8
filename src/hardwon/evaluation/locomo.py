"""LoCoMo: long chats of two people, questions about them, and the turns that answer.

The file is its authors' own, whose licence does not let us ship it. Categories 1 to 4 have an answer, 5 has none.
A turn with a picture has the picture's caption behind it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hardwon.evaluation.corpus import AGENT, USER, Asked, BadData, Corpus, DataSet, Document
from hardwon.evaluation.reading import json_file

CATEGORIES = {1: "several turns", 2: "time", 3: "common knowledge", 4: "one turn"}
MEASURES = ("R@5", "R@10", "MRR", "nDCG@10")
REPORTING = range(6, 11)
"""1 to 5 are for tuning."""
_SESSION = re.compile(r"session_(\d+)")
_EVIDENCE = re.compile(r"D:?(\d+):(\d+)")
_BETWEEN = 30_000
"""Milliseconds between two turns: the file has only the time at which a session began."""


def load(path: Path, conversations: Collection[int] = REPORTING) -> DataSet:
    """`conversations` are counted from 1, in the order of the file."""
    samples = json_file(path, list)
    chosen = [(number, one) for number, one in enumerate(samples, 1) if number in conversations]
    if not chosen:
        raise BadData(f"{path} has {len(samples)} conversations, none of those that were asked for.")
    try:
        corpora = tuple(_corpus(number, one) for number, one in chosen)
    except (KeyError, TypeError, ValueError) as error:
        raise BadData(f"{path} is not LoCoMo's file: {type(error).__name__} {error}.") from error
    return DataSet(f"LoCoMo {_span([number for number, _ in chosen])}", corpora, MEASURES)


def _span(numbers: list[int]) -> str:
    whole = numbers == list(range(numbers[0], numbers[-1] + 1))
    return f"{numbers[0]}–{numbers[-1]}" if whole and len(numbers) > 1 else ", ".join(map(str, numbers))


def _corpus(number: int, sample: dict[str, Any]) -> Corpus:
    documents = tuple(_documents(sample["conversation"]))
    known = {document.id for document in documents}
    questions = (
        Asked(
            f"{number}.{index}",
            str(one["question"]),
            frozenset(_evidence(one.get("evidence", ()))) & known,
            CATEGORIES[one["category"]],
        )
        for index, one in enumerate(sample["qa"])
        if one["category"] in CATEGORIES
    )
    return Corpus(f"conversation {number}", documents, tuple(one for one in questions if one.gold))


def _documents(conversation: dict[str, Any]) -> Iterator[Document]:
    for name, turns in conversation.items():
        if not (_SESSION.fullmatch(name) and isinstance(turns, list)):
            continue
        began = _time(conversation[f"{name}_date_time"])
        for index, turn in enumerate(turns):
            caption = f" [{turn['blip_caption']}]" if turn.get("blip_caption") else ""
            role = USER if turn["speaker"] == conversation["speaker_a"] else AGENT
            at = began + index * _BETWEEN
            yield Document(turn["dia_id"], name, at, role, turn["text"] + caption, turn["speaker"])


def _evidence(given: Collection[str]) -> Iterator[str]:
    """As the turns are called: the file has some of them joined, or with a zero or a colon too many."""
    for text in given:
        yield from (f"D{int(session)}:{int(turn)}" for session, turn in _EVIDENCE.findall(text))


def _time(text: str) -> int:
    """ "1:56 pm on 8 May, 2023"."""
    found = datetime.strptime(text, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
    return int(found.timestamp() * 1000)
