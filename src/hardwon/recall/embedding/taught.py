"""What the packaged model was taught about talk between programmers and agents: an addition to each of its matrices.

all-MiniLM-L6-v2 was trained on sentences of the web. A question in other words than what was settled in a talk ("after
how long idle does someone have to sign in again", of "members who are checked in: 4 hours") is understood better by
one that has seen such questions. An addition is the product of two thin matrices, so that all of them fit into
`taught.bin`, a file of this project; the package stays as it is, is checked by its hash, and the additions are put
into its bytes when it is loaded. `python -m bench recall-model` teaches them.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hardwon.recall.embedding.model import NoModel

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

FILE = Path(__file__).with_name("taught.bin")
SHA256 = "6a97622e5e66fc3b3cdbf237aae216a966e2fff069d6b68cd5185e030034e14a"
"""Of that file. It is part of the model's name, which is asked for without reading anything."""
_HEAD = struct.Struct("<5I")
"""Where the numbers of a matrix begin in the model's file, where its scales do, its two sides, and the thin side."""
MOST = 127


class Addition(NamedTuple):
    matrix: int
    """Where the numbers of the matrix begin in the model's file."""
    scales: int
    """Where its scales do, one for each column."""
    down: NDArray[numpy.float32]
    up: NDArray[numpy.float32]


def checked() -> bytes:
    try:
        additions = FILE.read_bytes()
    except OSError as error:
        raise NoModel(f"{FILE} can't be read ({error.strerror}): install hardwon anew.") from error
    if (actual := hashlib.sha256(additions).hexdigest()) != SHA256:
        raise NoModel(
            f"{FILE} is not as it was written (SHA-256 {actual[:12]}…, expected {SHA256[:12]}…): install hardwon anew."
        )
    return additions


def with_additions(model: bytes, additions: bytes) -> bytes:
    """The bytes of a model whose matrices have these additions: each becomes whole numbers again, with new scales."""
    import numpy

    changed = bytearray(model)
    for one in read(additions):
        rows, columns = one.down.shape[0], one.up.shape[1]
        whole = numpy.frombuffer(model, dtype=numpy.int8, count=rows * columns, offset=one.matrix)
        scales = numpy.frombuffer(model, dtype=numpy.float32, count=columns, offset=one.scales)
        matrix = whole.reshape(rows, columns).astype(numpy.float32) * scales + one.down @ one.up
        scales = numpy.maximum(numpy.abs(matrix).max(axis=0), 1e-12).astype(numpy.float32) / MOST
        numbers = numpy.rint(matrix / scales).astype(numpy.int8).tobytes()
        changed[one.matrix : one.matrix + len(numbers)] = numbers
        changed[one.scales : one.scales + 4 * columns] = scales.tobytes()
    return bytes(changed)


def read(additions: bytes) -> Iterator[Addition]:
    import numpy

    at = 0
    while at < len(additions):
        matrix, scales, rows, columns, thin = _HEAD.unpack_from(additions, at)
        at += _HEAD.size
        down = numpy.frombuffer(additions, dtype=numpy.float16, count=rows * thin, offset=at)
        at += 2 * rows * thin
        up = numpy.frombuffer(additions, dtype=numpy.float16, count=thin * columns, offset=at)
        at += 2 * thin * columns
        yield Addition(
            matrix,
            scales,
            down.reshape(rows, thin).astype(numpy.float32),
            up.reshape(thin, columns).astype(numpy.float32),
        )


def as_bytes(additions: Sequence[Addition]) -> bytes:
    import numpy

    return b"".join(
        _HEAD.pack(one.matrix, one.scales, one.down.shape[0], one.up.shape[1], one.down.shape[1])
        + one.down.astype(numpy.float16).tobytes()
        + one.up.astype(numpy.float16).tobytes()
        for one in additions
    )
