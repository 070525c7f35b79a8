"""What a start costs on a branch: in a repository with few refs and with fifty thousand, beside one outside of git.

    python -m bench branch-refs [--rounds 200] [--refs 50000] [--quick]

In the daemon: HEAD, the refs that the card names, its facts, its lines. All of them take turns.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from hardwon import git_head
from hardwon.moments import where_stands
from hardwon.paths import Home, make
from hardwon.settings import Settings
from hardwon.store import projects
from hardwon.store.connection import Store, open_store
from hardwon.store.tables import branches
from hardwon.text.branches.fact import Fact, What

NOW = 1_790_000_000_000


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench branch-refs")
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--refs", type=int, default=50_000)
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args(argv)
    with tempfile.TemporaryDirectory(prefix="hw-refs-") as folder:
        root = Path(folder).resolve()
        home = Home(root / "home")
        make(home)
        with open_store(home, Settings()) as store:
            places = {"outside git": _plain(root), "10 refs": _repository(root, 10),
                      f"{given.refs:,} refs": _repository(root, given.refs)}  # fmt: skip
            ids = {name: _facts(store, place) for name, place in places.items()}
            times: dict[str, list[float]] = {name: [] for name in places}
            for _ in range(20 if given.quick else given.rounds):
                for name, place in places.items():
                    git_head._search.cache_clear()  # as after each fetch
                    began = time.perf_counter()
                    head = git_head.read(str(place))
                    where_stands.found(store, ids[name], head, NOW)
                    times[name].append((time.perf_counter() - began) * 1000)
    for name, each in times.items():
        ordered = sorted(each)
        print(f"{name:14} median {statistics.median(each):6.2f} ms   p95 {ordered[int(len(ordered) * 0.95)]:6.2f} ms")
    return 0


def _plain(root: Path) -> Path:
    (root / "plain").mkdir()
    return root / "plain"


def _repository(root: Path, refs: int) -> Path:
    place = root / f"with-{refs}"
    place.mkdir()
    git = "git -c user.name=a -c user.email=a@example.invalid"
    command = f"git init -q -b main && {git} commit -q --allow-empty -m one && git switch -qc feature"
    subprocess.run(["sh", "-c", command], cwd=place, check=True)
    sha = git_head.commit(git_head.read(str(place)))
    names = sorted([*(f"team/feature-{number:06}" for number in range(refs)), "main", "stack/one"])
    lines = "".join(f"{sha} refs/remotes/origin/{name}\n" for name in names)
    (place / ".git" / "packed-refs").write_text(f"# pack-refs with: peeled fully-peeled sorted \n{lines}")
    subprocess.run(["git", "remote", "add", "origin", "../nowhere"], cwd=place, check=True)
    return place


def _facts(store: Store, place: Path) -> str:
    _, project = projects.claim(store, place, NOW)
    born = git_head.life(str(place / ".git"), "feature").born
    seen = [Fact(What.BASE, "feature", "stack/one", rank=1, how="gh pr view"), Fact(What.PR, "feature", "12", "OPEN")]
    for number, fact in enumerate(seen):
        at = max(born, NOW) + number
        about = {"at": at, "host": "claude-code", "session": str(place), "key": f"k{number}", "worktree": str(place)}
        branches.record(store, project.id, [Fact(**{**{n: getattr(fact, n) for n in Fact.__slots__}, **about})])
    return project.id


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
