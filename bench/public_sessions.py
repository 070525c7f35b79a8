"""Real sessions that a public repository keeps on its branch of checkpoints, as a folder of transcripts.

    python -m bench public-sessions GIT_DIR FOLDER [--branch entire/checkpoints/v1]

Each checkpoint has the session as far as it had come (`full.jsonl`, `transcript.jsonl`): the largest one is taken. They
go into FOLDER/<n>, a folder per person, told apart by the home folder that the sessions name, the one with the most
first. What is missing in the clone, and what is no session that hardwon can read, is counted. The texts are other
people's: measure on them, and keep them out of the repository. `hardwon rehearse FOLDER/1 --repository GIT_DIR` plays
them.
"""

from __future__ import annotations

import argparse
import collections
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.measure import print_table
from hardwon.clients import past_sessions

BRANCH = "entire/checkpoints/v1"
NAMES = ("/full.jsonl", "/transcript.jsonl")
_SESSION = re.compile(rb'"(?:sessionId|session_id)":\s?"([\w-]{8,64})"')
_ROLLOUT = re.compile(rb'"type":\s?"session_meta".{0,200}?"id":\s?"([\w-]{8,64})"', re.DOTALL)
_HOME = re.compile(rb'"cwd":\s?"(/(?:Users|home)/[^/"]{1,60}|/root)')
HEAD = 2_000_000
"""Bytes in which a session says what it is and where it was."""


@dataclass(frozen=True, slots=True)
class Blob:
    name: str
    size: int


@dataclass(frozen=True, slots=True)
class Session:
    id: str
    person: str
    text: bytes


def main(argv: list[str]) -> int:
    options = _options(argv)
    blobs, missing = _blobs(options.git_dir, options.branch)
    largest: dict[str, Session] = {}
    unreadable = 0
    for text in _texts(options.git_dir, blobs):
        if (session := _session(text)) is None:
            unreadable += 1
        elif len(text) > len(known.text if (known := largest.get(session.id)) else b""):
            largest[session.id] = session
    counts = _write(list(largest.values()), options.folder)
    rows = [[str(number), str(sessions), f"{size / 1e6:.1f}"] for number, sessions, size in counts]
    print_table("Sessions", ["person", "sessions", "MB"], rows)
    print(f"\n{len(blobs)} files read, {missing} missing in the clone, {unreadable} that hardwon can't read")
    return 0 if largest else 1


def _options(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench public-sessions", description=__doc__)
    parser.add_argument("git_dir", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--branch", default=BRANCH)
    return parser.parse_args(argv)


def _git(folder: Path, *words: str, given: str = "") -> str:
    command = ["git", "-C", str(folder), *words]
    return subprocess.run(command, input=given, capture_output=True, text=True, check=True).stdout


def _blobs(folder: Path, branch: str) -> tuple[list[Blob], int]:
    """Those that are there, and how many the clone came without."""
    listed = _git(folder, "ls-tree", "-r", branch).splitlines()
    wanted = dict.fromkeys(line.split()[2] for line in listed if line.endswith(NAMES))
    looked = _git(folder, "cat-file", "--batch-check", given="\n".join(wanted)).splitlines()
    there = [line.split() for line in looked if not line.endswith("missing")]
    return [Blob(name, int(size)) for name, _, size in there], len(looked) - len(there)


def _texts(folder: Path, blobs: Sequence[Blob]) -> Iterator[bytes]:
    """One at a time: together they may be more than the memory holds."""
    command = ["git", "-C", str(folder), "cat-file", "--batch"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        for blob in blobs:
            process.stdin.write(f"{blob.name}\n".encode())
            process.stdin.flush()
            process.stdout.readline()
            yield process.stdout.read(blob.size)
            process.stdout.read(1)


def _session(text: bytes) -> Session | None:
    head = text[:HEAD]
    if past_sessions.client_of(head) is None:
        return None
    found = _ROLLOUT.search(head) or _SESSION.search(head)
    home = _HOME.search(head)
    person = home[1].decode("utf-8", "replace") if home else "nobody"
    return Session(found[1].decode(), person, text) if found else None


def _write(sessions: Sequence[Session], folder: Path) -> list[tuple[int, int, int]]:
    """A folder for each person; its number, sessions, bytes."""
    by_person: dict[str, list[Session]] = collections.defaultdict(list)
    for one in sessions:
        by_person[one.person].append(one)
    counts = []
    for number, own in enumerate(sorted(by_person.values(), key=lambda some: -len(some)), 1):
        place = folder / str(number)
        place.mkdir(parents=True, exist_ok=True)
        for one in own:
            (place / f"{one.id}.jsonl").write_bytes(one.text)
        counts.append((number, len(own), sum(len(one.text) for one in own)))
    return counts


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
