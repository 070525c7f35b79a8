"""The numbers in an ONNX file, as arrays that stand where the file's bytes stand: nothing is copied.

Only what is needed to find them: fields of a message are passed over by their lengths.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Fields of the three messages that lead there: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
_GRAPH = 7
_INITIALIZER = 5
_DIMS, _TYPE, _NAME, _RAW = 1, 2, 8, 9
_TYPES = {1: "<f4", 3: "<i1"}


def tensors(content: bytes | bytearray | memoryview) -> dict[str, NDArray[Any]]:
    """Each initializer of single or of 8 bit numbers, by its name."""
    import numpy

    found = {}
    for field, graph in _fields(memoryview(content)):
        for inner, tensor in _fields(graph) if field == _GRAPH and isinstance(graph, memoryview) else ():
            if inner != _INITIALIZER or not isinstance(tensor, memoryview):
                continue
            parts = list(_fields(tensor))
            said = dict(parts)
            if said[_TYPE] in _TYPES and _RAW in said:
                dims = [dim for name, dim in parts if name == _DIMS]
                found[bytes(said[_NAME]).decode()] = numpy.frombuffer(said[_RAW], _TYPES[said[_TYPE]]).reshape(dims)
    return found


def _fields(message: memoryview) -> Iterator[tuple[int, Any]]:
    at = 0
    while at < len(message):
        key, at = _number(message, at)
        match key & 7:
            case 0:
                value, at = _number(message, at)
                yield key >> 3, value
            case 2:
                length, at = _number(message, at)
                yield key >> 3, message[at : at + length]
                at += length
            case wire:
                at += {1: 8, 5: 4}[wire]


def _number(message: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at
