"""A gigabyte of past in one run: how fast `hardwon rehearse` plays it beside `hardwon learn`, and what it holds then.

    python -m bench rehearsal-size FOLDER [--sizes 100,1000] [--repository GIT_DIR]

FOLDER has real sessions (`python -m bench public-sessions`). They are copied into a temporary folder as often as it
takes, each time with other ids and another year, so that no copy is a fork of another and none overlaps. Both commands
run once per size, as processes of their own, in turn; ratios count, for the machine may have other work. The memory has
to stay within 1.5 times that of the smallest. At last Ctrl-C comes while the largest is mined, and another while the
smallest is played: how long each takes to end, and whether anything is left behind.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.measure import keep, print_table, progress

HARDWON = str(Path(sys.executable).with_name("hardwon"))
MB = 1_000_000
FLAT = 1.5
EARLY = 5.0
"""Seconds after which it still reads the large past for the first time."""
_ID = re.compile(rb"\b[0-9a-f]{8}(?=-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b)")
_CALL = re.compile(rb"\b(toolu|call)_(?=[0-9A-Za-z]{8})")
_YEAR = re.compile(rb'("timestamp":\s?")(\d{4})')


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench rehearsal-size", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sizes", type=_numbers, default=[100, 1000], metavar="MB,MB")
    parser.add_argument("--repository", type=Path)
    options = parser.parse_args(argv)
    files = sorted(options.folder.rglob("*.jsonl"))
    if not files:
        print(f"There is no session below {options.folder}: `python -m bench public-sessions` gets some.")
        return 1
    with tempfile.TemporaryDirectory(prefix="hardwon-bench-") as root:
        figures = {size: _figures(Path(root), files, size, options.repository) for size in sorted(options.sizes)}
        pasts = [Path(root) / f"past{size}" for size in (max(figures), min(figures))]
        stopped = [
            _interrupted(Path(root), past, options.repository, playing=playing)
            for past, playing in zip(pasts, (False, True), strict=True)
        ]
    flat = _report(figures, stopped)
    keep("rehearsal-size", {"sizes": figures, "interrupted": stopped})
    return 0 if flat else 1


def _numbers(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]


def _figures(root: Path, files: Sequence[Path], size: int, repository: Path | None) -> dict[str, Any]:
    past = root / f"past{size}"
    progress(f"writing {size} MB")
    written, sessions = _multiplied(files, past, size * MB)
    where = ["--repository", str(repository)] if repository else []
    progress(f"{size} MB: hardwon learn")
    learn = _run(root / f"home-learn{size}", past, "learn", "--yes", "--json")
    progress(f"{size} MB: hardwon rehearse")
    played = _run(root / f"home-play{size}", past, "rehearse", *where, "--json")
    for name, one in (("learn", learn), ("rehearse", played)):
        progress(
            f"{size} MB: {name} took {one['cpu']:.1f} s of the processor, {one['wall']:.0f} s, {one['rss']:.0f} MB"
        )
    return {"mb": written / MB, "sessions": sessions, "learn": learn, "rehearse": played}


def _multiplied(files: Sequence[Path], into: Path, size: int) -> tuple[int, int]:
    """So many bytes, and in how many sessions."""
    written = count = 0
    for number in range(10_000):
        for file in files:
            if written >= size:
                return written, count
            text = _copied(file.read_bytes(), number)
            made = into / "projects" / str(number) / f"{_ID.sub(_prefix(number), file.stem.encode()).decode()}.jsonl"
            made.parent.mkdir(parents=True, exist_ok=True)
            made.write_bytes(text)
            written, count = written + len(text), count + 1
    return written, count


def _copied(text: bytes, number: int) -> bytes:
    """The same session as another one, in another year; the first copy is the session itself."""
    if not number:
        return text
    text = _ID.sub(lambda found: _mixed(found[0], number), text)
    text = _CALL.sub(lambda found: found[0] + b"%dx" % number, text)
    return _YEAR.sub(lambda found: found[1] + b"%04d" % (int(found[2]) - number), text)


def _prefix(number: int) -> Any:
    return lambda found: _mixed(found[0], number) if number else found[0]


def _mixed(id: bytes, number: int) -> bytes:
    return b"%08x" % (int(id, 16) ^ (number * 0x9E3779B1 & 0xFFFFFFFF))


def _run(home: Path, past: Path, *words: str) -> dict[str, float]:
    """Seconds by the clock and of the processor, and the most memory that one process held."""
    began = time.monotonic()
    process = subprocess.Popen(
        [HARDWON, *words], env=_environment(home, past), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, f"hardwon {words[0]} ended with {process.returncode}"
    return {"wall": time.monotonic() - began, "cpu": _processor(used), "rss": used.ru_maxrss / 1000}


def _processor(used: resource.struct_rusage) -> float:
    return used.ru_utime + used.ru_stime


def _environment(home: Path, past: Path) -> dict[str, str]:
    home.mkdir(parents=True, exist_ok=True)
    scratch = home / "scratch"
    scratch.mkdir(exist_ok=True)
    return {"PATH": os.defpath, "HOME": str(home), "HARDWON_HOME": str(home / "memory"), "TMPDIR": str(scratch),
            "CLAUDE_CONFIG_DIR": str(past), "HARDWON_VECTORS_MODEL": "off", "LANG": "C.UTF-8"}  # fmt: skip


def _interrupted(root: Path, past: Path, repository: Path | None, *, playing: bool) -> dict[str, Any]:
    """Ctrl-C, some seconds after the start or once its own home is there."""
    home = root / f"home-stopped{playing}"
    where = ["--repository", str(repository)] if repository else []
    process = subprocess.Popen(
        [HARDWON, "rehearse", *where],
        env=_environment(home, past), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    scratch = home / "scratch"
    until = time.monotonic() + (1_800 if playing else EARLY)
    while process.poll() is None and time.monotonic() < until and not any(scratch.iterdir()):
        time.sleep(0.1)
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    return {"seconds": time.monotonic() - began, "code": process.returncode, "said": said.strip().splitlines()[-1:],
            "left": sum(1 for _ in scratch.iterdir())}  # fmt: skip


def _report(figures: dict[int, dict[str, Any]], stopped: Sequence[dict[str, Any]]) -> bool:
    least = figures[min(figures)]["rehearse"]["rss"]
    headings = ["MB", "sessions", "learn, MB per s of processor", "rehearse", "to learn", "minutes by the clock",
                "learn, MB held", "rehearse", "to the smallest"]  # fmt: skip
    rows = []
    for one in figures.values():
        size, learn, played = one["mb"], one["learn"], one["rehearse"]
        speeds = [f"{size / learn['cpu']:.1f}", f"{size / played['cpu']:.1f}", f"{played['cpu'] / learn['cpu']:.1f}×"]
        held = [f"{learn['rss']:.0f}", f"{played['rss']:.0f}", f"{played['rss'] / least:.2f}×"]
        rows.append([f"{size:.0f}", str(one["sessions"]), *speeds, f"{played['wall'] / 60:.1f}", *held])
    print_table("A large past", headings, rows)
    for one in stopped:
        print(f"\nCtrl-C: ended after {one['seconds']:.2f} s with {one['code']}, {one['left']} folders left; "
              f"said {' '.join(one['said'])}")  # fmt: skip
    return all(one["rehearse"]["rss"] <= FLAT * least for one in figures.values())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
