"""How fast redaction is, and how often it is wrong.

    python -m bench.redact              speed, and false positives over the installed packages
    python -m bench.redact --show 20    with the place of twenty of them, the secret left out
    python -m bench.redact --tree DIR   over another tree
    python -m bench.redact --hostile    time of hostile texts of a million characters, against an ordinary one

Speed is characters redacted per second of processor time, the best of several interleaved runs, and the ratio to
`str.lower()` over the same texts in the same run, which says more on a machine that does other things too.
"""

import argparse
import random
import sys
import sysconfig
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time

from tests.redact.canaries import canaries

from hardwon.redact import DEFAULT

SUFFIXES = {
    ".py",
    ".pyi",
    ".md",
    ".rst",
    ".txt",
    ".json",
    ".toml",
    ".cfg",
    ".ini",
    ".yaml",
    ".yml",
    ".js",
    ".sh",
    ".html",
}
ROUNDS = 5
LONGEST_CORPUS = 8_000_000


def main(argv: list[str]) -> int:
    options = _options(argv)
    files = list(_files(options.tree))
    if options.hostile:
        _hostile()
        return 0
    _speed({"code": _code(files), "log": _log(), "canaries": _laden()})
    _false_positives(files, options.tree, options.show)
    return 0


def _options(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench.redact", description="speed and false positives of redaction")
    parser.add_argument(
        "--tree", type=Path, default=Path(sysconfig.get_paths()["purelib"]), help="default: site-packages"
    )
    parser.add_argument("--show", type=int, default=0, metavar="N", help="list the first N false positives")
    parser.add_argument("--hostile", action="store_true", help="time hostile texts instead")
    return parser.parse_args(argv)


def _files(tree: Path) -> Iterator[tuple[Path, str]]:
    for path in sorted(tree.rglob("*")):
        if path.suffix in SUFFIXES and path.is_file():
            yield path, path.read_text(encoding="utf-8", errors="replace")


def _code(files: list[tuple[Path, str]]) -> list[str]:
    """Every n-th file, so that the corpus is as mixed as the tree and no larger than need be."""
    step = sum(len(text) for _, text in files) // LONGEST_CORPUS + 1
    return [text for _, text in files[::step]]


def _log() -> list[str]:
    """What a server says in an hour, in the pieces a client would hand over."""
    rng = random.Random(1)
    lines = [
        f"2026-02-03T04:{rng.randrange(60):02}:{rng.randrange(60):02}Z {rng.choice(['INFO', 'WARN', 'DEBUG'])} "
        f"worker[{rng.randrange(99)}] request done path=/v1/items/{rng.randrange(10**6)} status={rng.choice([200, 404])} "
        f"ms={rng.random() * 100:.1f} trace={rng.getrandbits(128):032x} user=u{rng.randrange(999)}"
        for _ in range(30_000)
    ]
    return ["\n".join(lines[at : at + 100]) for at in range(0, len(lines), 100)]


def _laden() -> list[str]:
    """A secret in every few lines, far more than any real text has."""
    return [canary.text for seed in range(3) for canary in canaries(seed)]


def _speed(corpora: dict[str, list[str]]) -> None:
    print(f"{'text':10} {'MB':>6} {'redact MB/s':>12} {'lower MB/s':>11} {'ratio':>6}")
    for name, texts in corpora.items():
        size = sum(map(len, texts)) / 1e6
        redact, lower = _interleaved(texts, DEFAULT.text, str.lower)
        print(f"{name:10} {size:6.1f} {size / redact:12.1f} {size / lower:11.0f} {redact / lower:6.0f}")


def _interleaved(texts: list[str], *actions: Callable[[str], str]) -> list[float]:
    """The best processor time of each action over all texts, the actions taking turns."""
    best = [float("inf")] * len(actions)
    for _ in range(ROUNDS):
        for index, action in enumerate(actions):
            began = process_time()
            for text in texts:
                action(text)
            best[index] = min(best[index], process_time() - began)
    return best


def _false_positives(files: list[tuple[Path, str]], tree: Path, show: int) -> None:
    """Whatever is found in published packages is taken to be no secret."""
    hits: Counter[str] = Counter()
    places = []
    for path, text in files:
        for name, start, end in DEFAULT.findings(text):
            hits[name] += 1
            places.append(
                f"{path.relative_to(tree)}:{text.count(chr(10), 0, start) + 1}: {_around(text, name, start, end)}"
            )
    size = sum(len(text) for _, text in files) / 1e6
    print(f"\nfalse positives in {len(files)} files, {size:.1f} MB: {hits.total()}, {hits.total() / size:.2f} per MB")
    for name, count in hits.most_common():
        print(f"  {name:24} {count:5} {count / size:7.3f} per MB")
    for place in places[:show]:
        print(f"  {place}")


def _around(text: str, name: str, start: int, end: int) -> str:
    """Twenty characters on each side; other secrets in them are left out as well."""
    return DEFAULT.text(repr(f"{text[max(0, start - 20) : start]}[redacted:{name}]{text[end : end + 20]}"))


def _hostile() -> None:
    from tests.redact.test_linear_time import HOSTILE, ORDINARY, repeated, seconds

    ordinary = seconds(repeated(ORDINARY, 1_000_000))
    print(f"ordinary text: {ordinary * 1000:.0f} ms for 1,000,000 characters; hostile texts in multiples of it:")
    times = {name: seconds(repeated(piece, 1_000_000)) for name, piece in HOSTILE.items()}
    for name, spent in sorted(times.items(), key=lambda item: -item[1]):
        print(f"  {name:20} {spent / ordinary:6.1f}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
