"""How fast secrets are taken out of text, how often something else is, and what a hostile text can cost.

    python -m bench.redact              speed, and false positives in the installed packages
    python -m bench.redact --show 20    with the place of twenty of them; the text itself is left out
    python -m bench.redact --tree DIR   false positives in another tree
    python -m bench.redact --hostile    hostile texts of a million characters, against an ordinary one

Speed is in megabytes (a million characters) per second of processor time, beside `str.lower()` over the same texts in
the same run: the ratio means the same on a busy machine and on an idle one.
"""

from __future__ import annotations

import argparse
import random
import sys
import sysconfig
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path

from tests.redact.canaries import canaries

from bench.measure import interleaved, keep, print_table, ratio
from hardwon.redact import DEFAULT

SUFFIXES = frozenset(".py .pyi .md .rst .txt .json .toml .cfg .ini .yaml .yml .js .ts .sh .html .xml .css".split())  # noqa: SIM905

Files = list[tuple[Path, str]]


def main(argv: list[str]) -> int:
    options = _options(argv)
    if options.hostile:
        _hostile()
        return 0
    files = list(_files(options.tree))
    corpora = {"code": _code(files, options.quick), "prose": _prose(files), "log": _log(), "canaries": _laden()}
    speed = _speed(corpora, rounds=3 if options.quick else 9)
    wrong = _false_positives(files, options.tree, options.show)
    keep("redact", {"speed": speed, "false_positives": wrong})
    return 0


def _options(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.redact", description=__doc__.splitlines()[0])
    parser.add_argument(
        "--tree", type=Path, default=Path(sysconfig.get_paths()["purelib"]), help="default: site-packages"
    )
    parser.add_argument("--show", type=int, default=0, metavar="N", help="list the first N false positives")
    parser.add_argument("--hostile", action="store_true", help="time hostile texts instead")
    parser.add_argument("--quick", action="store_true", help="fewer rounds over less text")
    return parser.parse_args(argv)


def _files(tree: Path) -> Iterator[tuple[Path, str]]:
    for path in sorted(tree.rglob("*")):
        if path.suffix in SUFFIXES and path.is_file():
            yield path, path.read_text(encoding="utf-8", errors="replace")


# ── speed ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _code(files: Files, quick: bool) -> list[str]:
    """Every n-th file, so that the corpus is as mixed as the tree and no larger than need be."""
    step = sum(len(text) for _, text in files) // (2_000_000 if quick else 8_000_000) + 1
    return [text for _, text in files[::step]]


def _prose(files: Files) -> list[str]:
    """Descriptions and licences."""
    texts = (text for path, text in files if path.suffix in (".md", ".rst", ".txt"))
    return list(islice(texts, 400))


def _log() -> list[str]:
    """What a server says in an hour, in pieces as a client hands them over."""
    rng = random.Random(1)
    return ["\n".join(_log_line(rng) for _ in range(100)) for _ in range(200)]


def _log_line(rng: random.Random) -> str:
    at = f"2026-02-03T04:{rng.randrange(60):02}:{rng.randrange(60):02}Z {rng.choice(['INFO', 'WARN', 'DEBUG'])}"
    what = f"request done path=/v1/items/{rng.randrange(10**6)} status={rng.choice([200, 404])}"
    return f"{at} worker[{rng.randrange(99)}] {what} ms={rng.random() * 100:.1f} trace={rng.getrandbits(128):032x}"


def _laden() -> list[str]:
    """Nothing but secrets with a few words around each."""
    return [canary.text for canary in canaries()]


def _speed(corpora: dict[str, list[str]], rounds: int) -> dict[str, dict[str, float]]:
    figures = {name: _measured(texts, rounds) for name, texts in corpora.items()}
    print_table(
        "Speed, with all rules on",
        ["text", "MB", "redact MB/s", "lower MB/s", "ratio"],
        [
            [name, f"{one['MB']:.1f}", f"{one['MB/s']:.1f}", f"{one['lower MB/s']:.0f}", ratio(one["ratio"], 1)]
            for name, one in figures.items()
        ],
    )
    return figures


def _measured(texts: list[str], rounds: int) -> dict[str, float]:
    variants = {"redact": partial(_each, DEFAULT.text, texts), "lower": partial(_each, str.lower, texts)}
    taken = interleaved(variants, rounds)
    size, spent, lower = sum(map(len, texts)) / 1e6, taken["redact"].cpu.least, taken["lower"].cpu.least
    return {"MB": size, "MB/s": size / spent * 1000, "lower MB/s": size / lower * 1000, "ratio": spent / lower}


def _each(action: Callable[[str], str], texts: list[str], _round: int) -> None:
    for text in texts:
        action(text)


# ── false positives ──────────────────────────────────────────────────────────────────────────────────────────────────


def _false_positives(files: Files, tree: Path, show: int) -> dict[str, float]:
    """Whatever is found in published packages is counted as wrong, made-up passwords in their documentation too."""
    hits: Counter[str] = Counter()
    places = []
    for path, text in files:
        for name, start, end in DEFAULT.findings(text):
            hits[name] += 1
            line = text.count("\n", 0, start) + 1
            places.append(f"{path.relative_to(tree)}:{line}: {_around(text, name, start, end)}")
    size = sum(len(text) for _, text in files) / 1e6
    rows = [[name, str(count), f"{count / size:.3f}"] for name, count in hits.most_common()]
    rows.append(["all", str(hits.total()), f"{hits.total() / size:.3f}"])
    print_table(f"False positives in {len(files)} files, {size:.1f} MB", ["rule", "hits", "per MB"], rows)
    for place in places[:show]:
        print(place)
    return {"MB": size, **hits}


def _around(text: str, name: str, start: int, end: int) -> str:
    """Twenty characters on each side; other secrets in them are left out as well."""
    return DEFAULT.text(repr(f"{text[max(0, start - 20) : start]}[redacted:{name}]{text[end : end + 20]}"))


# ── hostile texts ────────────────────────────────────────────────────────────────────────────────────────────────────


def _hostile() -> None:
    from tests.redact.test_linear_time import HOSTILE, ORDINARY, repeated, seconds

    ordinary = seconds(repeated(ORDINARY, 1_000_000))
    times = {name: seconds(repeated(piece, 1_000_000)) for name, piece in HOSTILE.items()}
    rows = [
        [name, f"{spent:.2f}", ratio(spent, ordinary)] for name, spent in sorted(times.items(), key=lambda one: -one[1])
    ]
    print_table(
        f"A million characters; ordinary text takes {ordinary * 1000:.0f} ms", ["text", "seconds", "ratio"], rows
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
