"""How characters follow each other in words, names and paths: `src/hardwon/redact/characters.bin`.

    python -m bench.fit.characters [--write]

Counted in the distinct words of the standard library, the installed packages, the clients' JavaScript and the system's
documentation. A word that looks random already is left out, and each distinct word counts once, so no file weighs more
for being long. Prints how random strings and real words of the same length are told apart.
"""

import argparse
import itertools
import random
import re
import string
import sysconfig
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from hardwon.redact import characters

_WORD = re.compile(r"[A-Za-z0-9_+/=-]{3,120}")
_ENDINGS = frozenset(".py .pyi .js .ts .md .txt .rst .json .c .h .sh .yaml .yml .toml .cfg".split())  # noqa: SIM905
_LARGEST = 300_000
_SHARE = 0.7
"""Of the distinct words, what is fitted on; the rest shows how well it tells."""


def texts(folders: list[Path]) -> Iterator[str]:
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix in _ENDINGS and path.is_file() and path.stat().st_size <= _LARGEST:
                yield path.read_text("utf-8", "ignore")


def words(folders: list[Path]) -> list[str]:
    found: set[str] = set()
    for text in texts(folders):
        found.update(_WORD.findall(text))
    return sorted(word for word in found if not _is_sum(word))


def _is_sum(word: str) -> bool:
    """A hash, an id or a piece of base64: what the model shall find strange. Told by digits alone, not by a model."""
    digits = sum(map(str.isdigit, word))
    hexadecimal = len(word) > 7 and digits > 1 and not word.strip("0123456789abcdefABCDEF-")
    mixed = len(word) > 15 and digits > 1 and word.lower() != word != word.upper() and not re.search("[a-z]{4}", word)
    return hexadecimal or mixed or (len(word) > 30 and digits > len(word) / 5)


def fit(known: list[str]) -> bytes:
    pairs: Counter[tuple[int, int]] = Counter()
    for word in known:
        symbols = characters.symbols(word)
        pairs.update(itertools.pairwise(symbols))
    return characters.packed(pairs)


def random_strings(count: int, length: int, alphabet: str) -> list[str]:
    chance = random.Random(7)
    return ["".join(chance.choices(alphabet, k=length)) for _ in range(count)]


def report(unknown: list[str], model: characters.Model) -> None:
    alphabets = {
        "base64": string.ascii_letters + string.digits + "+/",
        "base62": string.ascii_letters + string.digits,
        "small and digits": string.ascii_lowercase + string.digits,
        "capitals and digits": string.ascii_uppercase + string.digits,
    }
    for length in (16, 20, 24, 28, 32, 40):
        real = sorted(model.surprise(word) for word in unknown if len(word) == length)
        line = [
            f"{length:3}  words {len(real):6}: 99 % below {real[int(0.99 * len(real))]:.2f}" if real else f"{length}"
        ]
        for name, alphabet in alphabets.items():
            made = sorted(model.surprise(one) for one in random_strings(2_000, length, alphabet))
            line.append(f"{name}: 1 % below {made[20]:.2f}")
        print("; ".join(line))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("folders", nargs="*", type=Path)
    options = parser.parse_args()
    places = [sysconfig.get_path("stdlib"), sysconfig.get_path("purelib"), "clients/node_modules", "/usr/share/doc"]
    known = words(options.folders or [Path(place) for place in places])
    random.Random(1).shuffle(known)
    border = int(len(known) * _SHARE)
    table = fit(known[:border])
    print(f"{len(known)} distinct words, fitted on {border}")
    report(known[border:], characters.Model(table))
    if options.write:
        characters.PATH.write_bytes(table)


if __name__ == "__main__":
    main()
