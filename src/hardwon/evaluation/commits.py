"""A commit's subject as the question, its diff as the answer, among the diffs of the newest commits of a repository.

Merges are left out, and so are commits without a diff or with a longer one: a lock file says nothing about a subject.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from hardwon.evaluation.corpus import AGENT, Asked, BadData, Corpus, DataSet, Document

MEASURES = ("R@5", "R@1", "R@10", "MRR")
COMMITS = 300
LONGEST = 20_000
"""Characters of a diff."""
_LOG = ("--no-merges", "--patch", "--no-color", "--no-ext-diff", "--no-textconv", "--format=%x00%H%x1f%ct%x1f%s%x1f")
# What a repository's own configuration says must not run anything here.
_SAFE = ("-c", "core.fsmonitor=false", "-c", "log.showSignature=false", "-c", "core.pager=cat")


def load(repository: Path) -> DataSet:
    documents = []
    questions = []
    for hash, at, subject, diff in islice(_commits(repository), COMMITS):
        documents.append(Document(hash, hash, at, AGENT, diff))
        questions.append(Asked(hash, subject, frozenset({hash})))
    if not documents:
        raise BadData(f"{repository} has no commit with a diff of up to {LONGEST:,} characters.")
    name = repository.resolve().name
    return DataSet(f"commits of {name}", (Corpus(name, tuple(documents), tuple(questions), long=True),), MEASURES)


def _commits(repository: Path) -> Iterator[tuple[str, int, str, str]]:
    """Hash, time, subject and diff, newest first."""
    for record in _records(repository):
        hash, at, subject, diff = (*record.split("\x1f", 3), "")[:4]
        diff = diff.strip()
        if subject.strip() and diff and len(diff) <= LONGEST:
            yield hash, int(at) * 1000, subject.strip(), diff


def _records(repository: Path) -> Iterator[str]:
    """What git says about each commit, as it says it: a long history is not waited for."""
    command = ["git", "-C", str(repository), *_SAFE, "log", *_LOG]
    try:
        git = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except FileNotFoundError as error:
        raise BadData("git is not installed: it reads the commits.") from error
    with git:
        assert git.stdout is not None
        assert git.stderr is not None
        try:
            yield from _split(iter(lambda: git.stdout.read(65_536), b""))  # type: ignore[union-attr]
            problem = git.stderr.read().decode(errors="replace").strip()
            if git.wait():
                raise BadData(
                    f"{repository} can't be read by git ({problem.splitlines()[-1] if problem else 'why?'}). "
                    "Name the folder of a clone."
                )
        finally:
            git.terminate()


def _split(portions: Iterator[bytes]) -> Iterator[str]:
    rest: list[bytes] = []
    for portion in portions:
        first, *others = portion.split(b"\0")
        rest.append(first)
        for other in others:
            if whole := b"".join(rest):
                yield whole.decode(errors="replace")
            rest = [other]
    if whole := b"".join(rest):
        yield whole.decode(errors="replace")
