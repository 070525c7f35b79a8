"""Models for tests: the packaged one, loaded once, and a made one whose vectors a test can foresee."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy

from hardwon.embedding import packaged

if TYPE_CHECKING:
    from hardwon.embedding.model import Vectors


@functools.cache
def real() -> packaged.PackagedModel:
    return packaged.load()


def laid_out(folder: Path) -> Path:
    """The packaged model as a local one is kept, in a folder of its own."""
    folder.mkdir()
    (folder / "model.onnx").write_bytes(packaged.checked(packaged.found()))
    packaged.tokenizer().save(str(folder / "tokenizer.json"))
    return folder


class Made:
    """A vector by chance for each text, always the same for the same text: no model, but a model's shape."""

    def __init__(self, name: str = "made", dims: int = 64) -> None:
        self.name, self.dims = name, dims
        self.seen: list[str] = []

    def understands(self, text: str) -> bool:
        return bool(text)

    def embed(self, texts: Sequence[str], seconds: float = 60.0) -> Vectors:  # noqa: ARG002
        self.seen.extend(texts)
        rows = [self._row(text) for text in texts]
        return numpy.stack([row / numpy.linalg.norm(row) for row in rows]).astype(numpy.float32)

    def _row(self, text: str) -> Vectors:
        seed = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest())
        return numpy.random.default_rng(seed).normal(size=self.dims).astype(numpy.float32)
