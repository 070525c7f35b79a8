"""What every embedding model can do, and how a long text is cut for it.

A model turns texts into unit vectors, so that the product of two is their cosine. A text's vector never depends on the
texts beside it: vectors are stored, and a query must meet the same vector however it was made.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Vectors = NDArray[numpy.float32]

WORDS = 100
"""Words of a chunk. A model reads some 250 tokens and passes over the rest; near its limit a vector blurs."""
MOST_CHUNKS = 20
"""Of one text: what stands behind the first 2,000 words is found by its words alone."""
CJK_PER_WORD = 2
"""Characters of a text without blanks that count as one word."""


class NoModel(ValueError):
    """There is no model to be had: says what is missing or wrong, and the next step."""


class Model(Protocol):
    """A loaded model. `name` is stored with its vectors: another model, or another file, has another name."""

    @property
    def name(self) -> str: ...

    @property
    def dims(self) -> int: ...

    def understands(self, text: str) -> bool:
        """Whether a cosine says something about this text: a model knows only the languages it was trained on."""

    def embed(self, texts: Sequence[str], seconds: float = 60.0) -> Vectors:
        """A row of length one for each text; `seconds` is for a model that another process runs."""


def chunks(text: str, most: int = MOST_CHUNKS) -> list[str]:
    """The text in pieces of about WORDS words, at least one piece.

    Chinese and Japanese have no blanks: a long "word" counts by its characters and is cut between them.
    """
    pieces: list[str] = []
    piece: list[str] = []
    size = 0
    for word in _words(text):
        weight = _weight(word)
        if piece and size + weight > WORDS:
            pieces.append(" ".join(piece))
            piece, size = [], 0
            if len(pieces) == most:
                return pieces
        piece.append(word)
        size += weight
    return [*pieces, " ".join(piece)] if piece or not pieces else pieces


def _words(text: str) -> list[str]:
    longest = WORDS * CJK_PER_WORD
    return [word[at : at + longest] for word in text.split() for at in range(0, len(word), longest)]


def _weight(word: str) -> int:
    return 1 if word.isascii() else max(1, len(word) // CJK_PER_WORD)


def is_mostly_cjk(text: str) -> bool:
    """More characters that stand for words or syllables than letters in words of the other scripts."""
    cjk = sum("\u3040" <= one <= "\u9fff" or "\uac00" <= one <= "\ud7af" for one in text)
    return cjk * CJK_PER_WORD > sum(map(str.isalpha, text)) - cjk
