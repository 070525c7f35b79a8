"""What every data set becomes: documents that were said at some time, and questions with the documents that answer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

DAY = 86_400_000
USER, AGENT = "user", "agent"


class BadData(ValueError):
    """A file is not what an adapter reads; says which, where and what was expected."""


@dataclass(frozen=True, slots=True)
class Document:
    id: str
    session: str
    at: int
    """Milliseconds."""
    role: str
    text: str
    author: str = ""
    project: str = "bench"
    title: str = ""
    kind: str = "lesson"
    """These two are for notes."""

    @property
    def said(self) -> str:
        """For methods that know neither authors nor titles: as one would read it."""
        if self.title:
            return f"{self.title}\n{self.text}"
        return f"{self.author}: {self.text}" if self.author else self.text


@dataclass(frozen=True, slots=True)
class Asked:
    id: str
    text: str
    gold: frozenset[str]
    """Documents that answer it."""
    kind: str = ""
    sessions: frozenset[str] = frozenset()
    """Sessions that answer it, where the data names them."""
    outdated: frozenset[str] = frozenset()
    """Documents that must not stand before the gold ones."""
    at: int = 0
    """When it was asked; 0: a day after the last document."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """Documents that are searched together, and the questions asked of them."""

    name: str
    documents: tuple[Document, ...]
    questions: tuple[Asked, ...]
    long: bool = False
    """Its documents may be longer than an event is kept: they are cut into several."""
    notes: bool = False
    """Its documents are notes, not turns of a conversation."""

    @property
    def now(self) -> int:
        return max((document.at for document in self.documents), default=0) + DAY

    @property
    def projects(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(document.project for document in self.documents))

    @property
    def sessions(self) -> dict[str, str]:
        """The session of each document."""
        return {document.id: document.session for document in self.documents}

    @property
    def exchanges(self) -> dict[str, str]:
        """The prompt of each document's exchange: its own, or the last one before it in its session."""
        prompts: dict[str, str] = {}
        found: dict[str, str] = {}
        for document in sorted(self.documents, key=lambda one: one.at):
            if document.role == USER or document.session not in prompts:
                prompts[document.session] = document.id
            found[document.id] = prompts[document.session]
        return found


@dataclass(frozen=True, slots=True)
class DataSet:
    """Corpora that are measured together, and what is measured, the main figure first."""

    name: str
    corpora: tuple[Corpus, ...]
    measures: tuple[str, ...]

    @property
    def questions(self) -> int:
        return sum(len(corpus.questions) for corpus in self.corpora)

    @property
    def documents(self) -> int:
        return sum(len(corpus.documents) for corpus in self.corpora)


def at_most(data: DataSet, count: int | None) -> DataSet:
    """With so many questions at most, spread evenly over the corpora; documents stay."""
    if count is None or data.questions <= count:
        return data
    step = data.questions / count
    wanted = {int(number * step) for number in range(count)}
    numbers = iter(range(data.questions))
    kept = [(corpus, _chosen(corpus, islice(numbers, len(corpus.questions)), wanted)) for corpus in data.corpora]
    corpora = tuple(
        Corpus(corpus.name, corpus.documents, questions, corpus.long, corpus.notes)
        for corpus, questions in kept
        if questions
    )
    return DataSet(data.name, corpora, data.measures)


def _chosen(corpus: Corpus, numbers: Iterable[int], wanted: set[int]) -> tuple[Asked, ...]:
    return tuple(asked for asked, number in zip(corpus.questions, list(numbers), strict=True) if number in wanted)
