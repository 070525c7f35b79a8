"""A folder of what clients wrote down, and a file of questions: one object per line, `{question, session, contains}`.

`session` is the id of a session or its beginning, `contains` a few words of the turn that answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from hardwon.clients import past_sessions
from hardwon.clients.speech import without_ours
from hardwon.evaluation.corpus import AGENT, USER, Asked, BadData, Corpus, DataSet, Document
from hardwon.evaluation.reading import json_lines
from hardwon.event import Event, EventType

MEASURES = ("hit@1", "hit@5", "MRR", "session hit@1", "session hit@5")
_ROLES = {EventType.PROMPT_SUBMITTED: USER, EventType.TURN_ENDED: AGENT}


def load(folder: Path, questions: Path) -> DataSet:
    documents = tuple(_documents(folder))
    if not documents:
        raise BadData(f"{folder} has no transcript with a turn in it.")
    asked = tuple(_asked(questions, documents))
    if not asked:
        raise BadData(f'{questions} has no question: each line is {{"question": …, "session": …, "contains": …}}.')
    return DataSet(f"transcripts in {folder.name}", (Corpus(folder.name, documents, asked),), MEASURES)


def _documents(folder: Path) -> Iterator[Document]:
    """What people and agents said, each once: a resumed session repeats what was said before."""
    seen: set[tuple[str, str]] = set()
    for log in past_sessions.below(folder):
        for file in log.files:
            for event in _events(log.client, file):
                if event.type in _ROLES and event.text.strip() and (event.session, event.key) not in seen:
                    seen.add((event.session, event.key))
                    text = without_ours(event.text)
                    yield Document(
                        f"{event.session}/{len(seen)}", event.session, event.at, _ROLES[event.type], text, event.agent
                    )


def _events(client: str, file: Path) -> Iterator[Event]:
    for portion in past_sessions.opened(client, file).portions():
        yield from portion


def _asked(questions: Path, documents: Sequence[Document]) -> Iterator[Asked]:
    for number, one in json_lines(questions):
        try:
            question, session, contains = (str(one[name]) for name in ("question", "session", "contains"))
        except KeyError as error:
            raise BadData(f"{questions}, line {number} has no {error}.") from error
        there = [document for document in documents if document.session.startswith(session)]
        gold = frozenset(document.id for document in there if _plain(contains) in _plain(document.text))
        if not gold:
            raise BadData(f'{questions}, line {number}: no turn of a session "{session}" contains "{contains}".')
        yield Asked(str(number), question, gold)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
