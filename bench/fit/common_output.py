"""How common words are in what tools print: `src/hardwon/text/likeness/common.txt`.

    python -m bench.fit.common_output [--write]

A new home holds three failures and knows no frequencies. Counted here: messages of programs (catalogues of
translations, whose keys are the English messages; texts in the sources of installed Python packages; messages in the
machine's own programs), each distinct message once, and the failing outputs of our own scenarios. Of a word only how
common it is goes into the table, in steps of a factor of 1.5; no text does.
"""

from __future__ import annotations

import argparse
import ast
import gettext
import json
import math
import re
import sys
import sysconfig
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from hardwon.text.likeness.rarity import STEP, TABLE
from hardwon.text.likeness.words import Sort, words

PROGRAMS = "git gcc bash tar make ssh curl psql node docker openssl dpkg apt-get ld as perl find grep rsync".split()  # noqa: SIM905
SCENARIOS = Path(__file__).parent.parent / "replay" / "scenarios"
MOST_BYTES = 96_000
_MESSAGE = re.compile(r"[ -~]{12,300}")
_SOUNDS = re.compile(r"(?:[A-Za-z'%<{\"]\S* ){2,}")
_PLACEHOLDER = re.compile(
    r"%[-#0 +]*(?:\d+|\*)?(?:\.\d+)?(?:l|ll|h|z)?[a-zA-Z]|\{[^{}]{0,40}\}|%\(\w+\)\w|\$\{[^}]{0,40}\}"
)


def messages() -> set[str]:
    found: set[str] = set()
    for file in Path("/usr/share/locale").glob("*/LC_MESSAGES/*.mo"):
        found |= _catalogue(file)
    for folder in {sysconfig.get_path("purelib"), sysconfig.get_path("stdlib")}:
        for file in Path(folder).rglob("*.py"):
            found |= set(_raised(file))
    for name in PROGRAMS:
        for folder in ("/usr/bin", "/usr/local/bin", "/usr/lib/git-core"):
            file = Path(folder) / name
            if file.is_file():
                found |= set(_printed(file))
    return {text for text in found if _SOUNDS.search(text)}


def _catalogue(file: Path) -> set[str]:
    try:
        with file.open("rb") as given:
            keys = gettext.GNUTranslations(given)._catalog  # type: ignore[attr-defined]
    except (OSError, ValueError, LookupError):
        return set()
    texts = (key if isinstance(key, str) else key[0] for key in keys)
    return {line for text in texts for line in text.partition("\x04")[2 if "\x04" in text else 0].split("\n") if line}


def _raised(file: Path) -> Iterator[str]:
    """The texts that a source raises, prints or logs."""
    try:
        tree = ast.parse(file.read_text("utf-8", "ignore"))
    except (SyntaxError, ValueError, OSError, RecursionError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise | ast.Expr) and node is not None:
            for inner in ast.walk(node):
                if isinstance(inner, ast.Call):
                    yield from (
                        one.value
                        for one in ast.walk(inner)
                        if isinstance(one, ast.Constant) and isinstance(one.value, str)
                    )


def _printed(file: Path) -> Iterator[str]:
    text = file.read_bytes()[:150_000_000].decode("latin-1")
    yield from (match[0] for match in _MESSAGE.finditer(text) if _SOUNDS.search(match[0]))


def outputs() -> Iterator[str]:
    """What failing commands print in our own scenarios."""
    for file in sorted(SCENARIOS.glob("*/*.json")):
        for scenario in json.loads(file.read_text("utf-8")):
            steps = [*scenario["first"], *(step for later in scenario["later"] for step in later.get("steps", ()))]
            for step in steps:
                if "fails" in step:
                    yield step["fails"] if isinstance(step["fails"], str) else "\n".join(step["fails"])


def count(texts: Iterator[str]) -> tuple[Counter[str], int]:
    """In how many texts each word stands."""
    counted: Counter[str] = Counter()
    total = 0
    for text in texts:
        found: set[str] = set()
        for line in _PLACEHOLDER.sub(" # ", text[:4_000]).split("\n"):
            for word in words(line[:400]):
                if word.sort is not Sort.NUMBER and word.text != "#":
                    found |= {word.text, *word.parts}
        counted.update(found)
        total += 1
    return counted, total


def table() -> dict[str, int]:
    """The level of each word: the probability is `STEP ** -level`."""
    told, all_told = count(iter(sorted(messages())))
    seen, all_seen = count(outputs())
    print(f"{all_told:,} messages, {all_seen:,} outputs", file=sys.stderr)
    chance = {
        word: 0.5 * told[word] / all_told + 0.5 * seen[word] / all_seen
        for word in told.keys() | seen.keys()
        if (told[word] > 5 or seen[word] > 2)
        and word.isascii()
        and len(word) < 25
        and not re.search(r"[0-9]{2}|\\", word)
    }
    levels = {word: round(-math.log(share, STEP)) for word, share in chance.items()}
    kept, size = {}, 0
    for word in sorted(levels, key=lambda one: (levels[one], one)):
        size += len(word) + 1
        if size > MOST_BYTES:
            break
        kept[word] = levels[word]
    return kept


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="write the table")
    given = parser.parse_args()
    found = table()
    lines = [
        f"{level} {' '.join(sorted(w for w in found if found[w] == level))}" for level in sorted(set(found.values()))
    ]
    text = "\n".join(lines) + "\n"
    print(f"{len(found):,} words, {len(text):,} bytes")
    if given.write:
        TABLE.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
