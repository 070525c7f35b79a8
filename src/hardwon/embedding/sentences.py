"""Texts as vectors, by a model that gives a vector for each token: the mean of them, made one long.

Texts are run in groups of the same length rather than padded to the longest: that is faster, and a vector can't depend
on what stands beside it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from hardwon.embedding.model import NoModel

if TYPE_CHECKING:
    from tokenizers import Tokenizer

    from hardwon.embedding.model import Vectors

MOST_TOKENS = 256
GROUP = 8
"""Texts that are run at once; more are no faster on one core, and take more memory."""
AGAIN = "copy model.onnx and tokenizer.json of one model there anew."
"""The next step with files that do not belong together, or are not whole."""


class Tokenizing:
    """What the tokenizers raise is an Exception of no sort of its own: this and nothing else becomes a sentence."""

    def __init__(self, problem: str) -> None:
        self.problem = problem

    def __enter__(self) -> None: ...

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> None:
        if kind is Exception:
            raise NoModel(f"{self.problem} ({first_line(error)}): {AGAIN}") from error


class Sentences:
    def __init__(
        self,
        name: str,
        tokenizer: Tokenizer,
        run: Callable[[list[list[int]]], Vectors],
        at_once: int = GROUP * MOST_TOKENS,
    ) -> None:
        """`run` gives a vector for each text of one length, or one for each of its tokens; `at_once` is how many tokens
        it is given at once."""
        self._name, self._tokenizer, self._run, self._at_once = name, tokenizer, run, at_once
        tokenizer.no_padding()
        tokenizer.enable_truncation(MOST_TOKENS)
        self.dims = int(self.embed(["one"]).shape[1])

    def embed(self, texts: Sequence[str]) -> Vectors:
        import numpy

        tokens = self._tokens(texts)
        order = sorted(range(len(texts)), key=lambda index: len(tokens[index]))
        found: dict[int, Vectors] = {}
        for length, same in itertools.groupby(order, key=lambda index: len(tokens[index])):
            for group in _batched(list(same), max(1, min(GROUP, self._at_once // max(1, length)))):
                found.update(zip(group, self._means([tokens[index] for index in group]), strict=True))
        rows = numpy.stack([found[index] for index in range(len(texts))])
        lengths = numpy.linalg.norm(rows, axis=1, keepdims=True)
        unit: Vectors = rows / numpy.maximum(lengths, 1e-12)
        return unit

    def _tokens(self, texts: Sequence[str]) -> list[list[int]]:
        with Tokenizing(f"The tokenizer of {self._name} can't cut a text"):
            return [encoding.ids for encoding in self._tokenizer.encode_batch(list(texts))]

    def _means(self, tokens: list[list[int]]) -> Vectors:
        import numpy

        answer = self._run(tokens)
        mean: Vectors = answer if answer.ndim == 2 else answer.mean(axis=1)
        return mean.astype(numpy.float32, copy=False)


def _batched(indices: list[int], most: int) -> list[list[int]]:
    return [indices[at : at + most] for at in range(0, len(indices), most)]


def first_line(error: BaseException | None) -> str:
    line, _, _ = str(error).strip().partition("\n")
    return line[:200]
