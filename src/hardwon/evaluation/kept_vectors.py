"""A model that remembers what it was asked, in a file if one is given: measuring the same texts twice costs nothing.

Production and the plain methods ask the same model, so that neither waits for the other's texts. A text's vector does
not depend on its neighbours, or it could not be kept.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

if TYPE_CHECKING:
    from hardwon.embedding.model import Model, Vectors

AT_ONCE = 64


class KeptVectors:
    def __init__(self, model: Model, file: Path | None = None) -> None:
        self._model = model
        self.name, self.dims = model.name, model.dims
        self._db = apsw.Connection(str(file) if file else "")
        self._db.set_busy_timeout(60_000)
        self._db.execute("create table if not exists vectors (text blob primary key, vector blob) without rowid")

    def understands(self, text: str) -> bool:
        return self._model.understands(text)

    def embed(self, texts: Sequence[str], seconds: float = 60.0) -> Vectors:
        import numpy

        keys = [hashlib.sha256(f"{self.name}\n{text}".encode(errors="replace")).digest() for text in texts]
        known = {key: found for key in keys if (found := self._known(key)) is not None}
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        for some in _portions(list(missing.items())):
            made = self._model.embed([text for _, text in some], seconds)
            vectors = [vector.astype(numpy.float32).tobytes() for vector in made]
            new = dict(zip((key for key, _ in some), vectors, strict=True))
            with self._db:
                self._db.executemany("insert or ignore into vectors values (?, ?)", list(new.items()))
            known |= new
        joined = b"".join(known[key] for key in keys)
        return numpy.frombuffer(joined, dtype=numpy.float32).reshape(len(texts), self.dims)

    def _known(self, key: bytes) -> bytes | None:
        found: bytes | None = self._db.execute("select vector from vectors where text = ?", (key,)).get
        return found


def _portions(items: list[tuple[bytes, str]]) -> Iterator[list[tuple[bytes, str]]]:
    left = iter(items)
    while some := list(islice(left, AT_ONCE)):
        yield some
