"""sde-bench: bug reports, each with the talk in which it was settled how the project wants it, among 140 others.

A clone of its authors' repository is read, not shipped. Of its tasks those count that were settled in talks: once, or
once more in a later one, and then the later is right and the earlier outdated. Tasks that were settled in commits are
left out. The question is the bug report as an agent gets it, which is about what was seen and names no rule. The files
have no times: the other talks are said a day apart, before, between and after those of the task.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from hardwon.evaluation.corpus import AGENT, DAY, USER, Asked, BadData, Corpus, DataSet, Document
from hardwon.evaluation.reading import json_file

OTHERS = Path("gen", "decoy_conversations.json")
ONCE, AMENDED = "conversation", "conversation-amended"
MEASURES = ("session hit@1", "session hit@5", "session MRR")
_BEGAN = 1_767_225_600_000
_BETWEEN = 30_000
"""Milliseconds between two turns."""

Turns = list[dict[str, str]]


def load(folder: Path) -> tuple[DataSet, DataSet]:
    """What was settled once, and what was amended."""
    others = json_file(folder / OTHERS, list)
    tasks = [json_file(file, dict) for file in sorted(folder.glob("*/tasks/main/task.json"))]
    try:
        talks = [one["turns"] for one in others]
        once, amended = (
            tuple(_corpus(one, talks) for one in tasks if one["source"] == source) for source in (ONCE, AMENDED)
        )
    except (IndexError, KeyError, TypeError) as error:
        raise BadData(f"{folder} is not a clone of sde-bench: {type(error).__name__} {error}.") from error
    if not (once and amended):
        raise BadData(f"{folder} has no tasks that were settled in talks, such as boltons-slalog/tasks/main/task.json.")
    return (
        DataSet("sde-bench, settled once", once, MEASURES),
        DataSet("sde-bench, amended", amended, (*MEASURES, "session before")),
    )


def _corpus(task: dict[str, Any], others: Sequence[Turns]) -> Corpus:
    id, own = str(task["task_id"]), _talks(task["conversations"])
    talks = list(_placed(own, others))
    documents = tuple(
        Document(f"{name}/{place}", name, at + place * _BETWEEN, _role(turn), turn["text"])
        for name, at, turns in talks
        for place, turn in enumerate(turns)
    )
    *earlier, last = (
        frozenset(f"{_named(number)}/{place}" for place in range(len(turns))) for number, turns in enumerate(own)
    )
    asked = Asked(id, str(task["bug_report"]), last, str(task["category"]), outdated=frozenset().union(*earlier))
    return Corpus(id, documents, (asked,))


def _talks(given: list[Any]) -> list[Turns]:
    """A task with one talk has its turns, one with several has them in a list."""
    return given if isinstance(given[0], list) else [given]


def _placed(own: Sequence[Turns], others: Sequence[Turns]) -> Iterator[tuple[str, int, Turns]]:
    """The talks of a task spread evenly among the others, each with its name and when it began."""
    part = -(-len(others) // (len(own) + 1))
    day = 0
    for number in range(len(own) + 1):
        some = others[number * part : (number + 1) * part]
        named = [(f"other {number * part + place}", turns) for place, turns in enumerate(some)]
        for name, turns in (*named, *((_named(number), turns) for turns in own[number : number + 1])):
            yield name, _BEGAN + day * DAY, turns
            day += 1


def _named(number: int) -> str:
    return f"its own {number}"


def _role(turn: dict[str, str]) -> str:
    return USER if turn["role"] == "user" else AGENT
