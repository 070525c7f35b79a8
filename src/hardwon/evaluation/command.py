"""What the command line asks for: which data, which model, and the figures of all of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hardwon.evaluation import commits, locomo, longmemeval, own_sets, report, run, sde_bench, silence, transcripts
from hardwon.evaluation.corpus import BadData, DataSet, at_most
from hardwon.evaluation.kept_vectors import KeptVectors
from hardwon.evaluation.locomo import REPORTING
from hardwon.evaluation.production import Embedding
from hardwon.evaluation.run import Result, Told
from hardwon.evaluation.silence import Silence
from hardwon.settings import DEFAULTS
from hardwon.settings.keys import Vectors
from hardwon.store.connection import redactor_of


@dataclass(frozen=True, slots=True)
class Wanted:
    locomo: Path | None = None
    conversations: tuple[int, ...] = tuple(REPORTING)
    longmemeval: Path | None = None
    sde_bench: Path | None = None
    commits: tuple[Path, ...] = ()
    transcripts: Path | None = None
    questions: Path | None = None
    sets: str | None = None
    most: int | None = None
    """Questions of each data set."""


@dataclass(slots=True)
class Measured:
    model: str
    """The name of the one whose vectors were used; empty without."""
    results: list[Result] = field(default_factory=list)
    silence: Silence | None = None
    sets: str | None = None

    def as_json(self, *, misses: bool = False) -> dict[str, Any]:
        return {
            "model": self.model,
            "sets": self.sets,
            "data": [result.as_json() | ({"misses": result.misses} if misses else {}) for result in self.results],
            "silence": self.silence.as_json() if self.silence else None,
        }

    def as_text(self) -> str:
        parts = [report.of_result(result) for result in self.results]
        if self.silence:
            parts.append(report.of_silence(self.silence))
        return "\n\n".join(parts)


def measure(wanted: Wanted, embedding: Embedding | None, told: Told) -> Measured:
    measured = Measured(embedding.model.name if embedding else "", sets=wanted.sets)
    own = own_sets.load(own_sets.found(wanted.sets)) if wanted.sets else None
    data = [*_given(wanted), *(own.data if own else ())]
    for one in data:
        measured.results.append(run.measure(at_most(one, wanted.most), embedding, told))
    if own and own.prompts:
        told("silence and the gate")
        measured.silence = silence.measure(own, embedding)
    return measured


def _given(wanted: Wanted) -> Iterator[DataSet]:
    if wanted.locomo:
        yield locomo.load(wanted.locomo, wanted.conversations)
    if wanted.longmemeval:
        yield longmemeval.load(wanted.longmemeval)
    if wanted.sde_bench:
        yield from sde_bench.load(wanted.sde_bench)
    yield from map(commits.load, wanted.commits)
    if bool(wanted.transcripts) is not bool(wanted.questions):
        raise BadData("--transcripts needs --questions and the other way round: the one is asked about the other.")
    if wanted.transcripts and wanted.questions:
        yield transcripts.load(wanted.transcripts, wanted.questions)


def embedding_of(wanted: Vectors, kept: Path | None) -> Embedding:
    """The model that the settings name, with what it made before. NoModel says why there is none."""
    from hardwon.embedding import choose

    redact = redactor_of(DEFAULTS).text  # an endpoint is sent nothing that the store would not keep
    return Embedding(wanted, KeptVectors(choose.load(wanted, redact), kept))


def numbers(text: str) -> tuple[int, ...]:
    """ "6-10", "1,3,5"."""
    found: list[int] = []
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        try:
            found += range(int(first), int(last if dash else first) + 1)
        except ValueError as error:
            raise BadData(f'"{text}" names no conversations. Try 6-10, or 1,3,5.') from error
    return tuple(found)
