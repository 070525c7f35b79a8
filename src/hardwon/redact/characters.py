"""How surprising a string is to somebody who knows how words, names and paths are spelled.

A table of how often each character follows another, in bits: four kilobytes, fitted by `bench/fit/characters.py`
on the words of programs and their documentation. `getUserById2` costs about four bits a character, a random string
about eight. It knows no format and no vendor.
"""

from collections.abc import Mapping
from functools import cache
from itertools import pairwise
from math import log2
from pathlib import Path

PATH = Path(__file__).with_name("characters.bin")

_ALPHABET = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_SIZE = len(_ALPHABET) + 1
"""All signs are one."""
_STEP = 16
"""A byte of the table is so many parts of a bit."""
_SYMBOL = bytes(_ALPHABET.find(chr(code)) if chr(code) in _ALPHABET else _SIZE - 1 for code in range(256))


def symbols(word: str) -> bytes:
    return word.encode("ascii", "replace").translate(_SYMBOL)


def packed(pairs: Mapping[tuple[int, int], int]) -> bytes:
    """The table of a model from how often each pair was counted."""
    table = bytearray()
    for first in range(_SIZE):
        row = [pairs.get((first, second), 0) + 0.5 for second in range(_SIZE)]
        total = sum(row)
        table += bytes(min(255, round(-log2(count / total) * _STEP)) for count in row)
    return bytes(table)


class Model:
    def __init__(self, table: bytes) -> None:
        if len(table) != _SIZE * _SIZE:
            raise ValueError(f"a table of {_SIZE * _SIZE} bytes is expected, this one has {len(table)}")
        self._table = table

    def surprise(self, word: str) -> float:
        """Bits per character; 0 for a single one."""
        found = symbols(word)
        if len(found) < 2:
            return 0.0
        table = self._table
        bits = sum(table[first * _SIZE + second] for first, second in pairwise(found))
        return bits / _STEP / (len(found) - 1)


@cache
def model() -> Model:
    """The one that is shipped, read at the first use."""
    return Model(PATH.read_bytes())
