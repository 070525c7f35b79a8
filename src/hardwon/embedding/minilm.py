"""all-MiniLM-L6-v2 as numpy computes it, with its weights in int8 as they stand in the file.

A runtime for models makes four bytes of each weight when it loads them: 110 MB for a model of 23. Here a matrix becomes
floating-point numbers when it is multiplied, and these are forgotten then. A question takes as long either way. Many
long texts take twice as long as with the runtime, but they are done in the background.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from hardwon.embedding.onnx_tensors import tensors

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hardwon.embedding.model import Vectors

LAYERS, HEADS, SIZE = 6, 12, 384
TINY = 1e-12
"""Added to a variance before it is divided by, as in training."""
EMBEDDINGS = "inner.embeddings"


class MiniLM:
    def __init__(self, content: bytes | bytearray | memoryview) -> None:
        self._known = tensors(content)
        matrices = [name for name, one in self._known.items() if one.dtype.itemsize == 1 and EMBEDDINGS not in name]
        self._matrices = sorted(matrices, key=lambda name: int(name.split("_")[1]))
        """In the order in which they are used: six in each layer."""

    def last_hidden_state(self, tokens: list[list[int]]) -> Vectors:
        """A vector for each token; the texts are of one length."""
        import numpy

        ids = numpy.array(tokens)
        texts, length = ids.shape
        flow = self._words(f"{EMBEDDINGS}.word_embeddings", ids)
        flow += self._words(f"{EMBEDDINGS}.position_embeddings", numpy.arange(length))
        flow += self._known[f"{EMBEDDINGS}.token_type_embeddings.weight"][0]
        flow = self._normal(flow.reshape(-1, SIZE), f"{EMBEDDINGS}.LayerNorm")
        for number in range(LAYERS):
            flow = self._layer(number, flow, texts, length)
        answer: Vectors = flow.reshape(texts, length, SIZE)
        return answer

    def _words(self, name: str, ids: NDArray[Any]) -> Vectors:
        import numpy

        found: Vectors = self._known[f"{name}.weight_q"][ids].astype(numpy.float32)
        found *= self._known[f"{name}.weight_scale"][ids]
        return found

    def _layer(self, number: int, flow: Vectors, texts: int, length: int) -> Vectors:
        at, name = 6 * number, f"inner.encoder.layer.{number}"
        heads = [
            (self._times(flow, at + which) + self._known[f"{name}.attention.self.{part}.bias"])
            .reshape(texts, length, HEADS, SIZE // HEADS)
            .transpose(0, 2, 1, 3)
            for which, part in enumerate(("query", "key", "value"))
        ]
        seen = _attended(*heads).transpose(0, 2, 1, 3).reshape(-1, SIZE)
        flow = flow + self._dense(seen, at + 3, f"{name}.attention.output.dense")
        flow = self._normal(flow, f"{name}.attention.output.LayerNorm")
        wide = _gelu(self._dense(flow, at + 4, f"{name}.intermediate.dense"))
        return self._normal(flow + self._dense(wide, at + 5, f"{name}.output.dense"), f"{name}.output.LayerNorm")

    def _dense(self, flow: Vectors, matrix: int, name: str) -> Vectors:
        found: Vectors = self._times(flow, matrix) + self._known[f"{name}.bias"]
        return found

    def _times(self, flow: Vectors, matrix: int) -> Vectors:
        """A scale belongs to a column, so it may come afterwards."""
        import numpy

        name = self._matrices[matrix]
        found: Vectors = flow @ self._known[name].astype(numpy.float32)
        found *= self._known[f"{name.removesuffix('_q')}_scale"].reshape(-1)
        return found

    def _normal(self, flow: Vectors, name: str) -> Vectors:
        import numpy

        flow = flow - flow.mean(axis=-1, keepdims=True)
        size = numpy.sqrt((flow * flow).mean(axis=-1, keepdims=True) + numpy.float32(TINY))
        normal: Vectors = flow / size * self._known[f"{name}.weight"] + self._known[f"{name}.bias"]
        return normal


def _attended(query: Vectors, key: Vectors, value: Vectors) -> Vectors:
    import numpy

    weights: Vectors = query @ key.transpose(0, 1, 3, 2)
    weights *= numpy.float32(1 / math.sqrt(SIZE // HEADS))
    weights -= weights.max(axis=-1, keepdims=True)
    numpy.exp(weights, out=weights)
    weights /= weights.sum(axis=-1, keepdims=True)
    seen: Vectors = weights @ value
    return seen


def _gelu(flow: Vectors) -> Vectors:
    """x/2 (1 + erf(x/√2)), with the error function by Abramowitz and Stegun, 7.1.26: at most 1.5e-7 beside it."""
    import numpy

    size = numpy.abs(flow)
    size *= numpy.float32(0.5**0.5)
    t = numpy.float32(1) / (numpy.float32(1) + numpy.float32(0.3275911) * size)
    rest = numpy.float32(1.061405429) * t
    for factor in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        rest += numpy.float32(factor)
        rest *= t
    rest *= numpy.exp(-size * size)
    half: Vectors = flow * (1 + numpy.copysign(1 - rest, flow))
    half *= numpy.float32(0.5)
    return half
