"""What the packaged model is taught: questions, each with the passages that answer it, among those of its set.

The questions are those of the sets for tuning, and more of them in other words (`other_words.json` beside a set). A
passage is seen as the search sees it, by itself and in its place.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from bench.recall.weights import own_data
from hardwon.store import passages
from hardwon.store.passage_vectors import Unembedded
from hardwon.surfaces.bench import own_sets
from hardwon.surfaces.bench.corpus import Corpus, Document
from hardwon.surfaces.bench.reading import json_file

OTHER_WORDS = "other_words.json"


@dataclass(frozen=True, slots=True)
class Said:
    talk: str
    itself: str
    in_place: str


@dataclass(frozen=True, slots=True)
class Lesson:
    questions: tuple[str, ...]
    """Which mean the same."""
    answers: tuple[int, ...]
    """The passages that answer them, by their place in the set."""


@dataclass(frozen=True, slots=True)
class Lessons:
    name: str
    said: tuple[Said, ...]
    lessons: tuple[Lesson, ...]


def of_set(name: str) -> Iterator[Lessons]:
    """Of its talks, and of its notes."""
    for data in own_data(name):
        yield from (_of_talks(data.name, corpus, other_words(name)) for corpus in data.corpora if corpus.questions)


def of_notes(name: str) -> Iterator[Lessons]:
    own = own_sets.load(own_sets.found(name))
    if own.prompts:
        said = tuple(Said(note.id, note.text, f"{note.title}\n{note.text}") for note in own.notes)
        places = {note.id: number for number, note in enumerate(own.notes)}
        lessons = (Lesson((one.text,), (places[one.answer],)) for one in own.prompts if one.answer)
        yield Lessons(f"{name}: notes", said, tuple(lessons))


def other_words(name: str) -> dict[str, list[str]]:
    file = own_sets.found(name) / OTHER_WORDS
    return json_file(file, dict) if file.is_file() else {}


def _of_talks(name: str, corpus: Corpus, worded: dict[str, list[str]]) -> Lessons:
    documents = sorted(corpus.documents, key=lambda one: (one.session, one.at))
    places = {one.id: number for number, one in enumerate(documents)}
    said = tuple(
        said for _, talk in itertools.groupby(documents, key=lambda one: one.session) for said in _talk(list(talk))
    )
    by_answers: dict[tuple[int, ...], list[str]] = {}
    for asked in corpus.questions:
        right = asked.gold | (asked.outdated if asked.kind == "amended" else frozenset())
        # Decisions and amended ones are numbered apart.
        key = f"{'decisions' if asked.kind not in ('amended', 'control') else 'amended'}/{asked.id}"
        questions = by_answers.setdefault(tuple(sorted(places[one] for one in right)), [])
        questions += [asked.text, *worded.get(key, ())]
    return Lessons(name, said, tuple(Lesson(tuple(questions), answers) for answers, questions in by_answers.items()))


def _talk(turns: list[Document]) -> Iterator[Said]:
    ends = ["", "", *(" ".join(one.text.split()[-passages.BEFORE :]) for one in turns)]
    for number, one in enumerate(turns):
        (text, *_) = passages.cut(one.text)
        yield Said(one.session, text, Unembedded(0, text, ends[number + 1], ends[number]).context)
