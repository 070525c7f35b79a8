"""What a git command that passed tells: where a branch came from, what it was rebased onto, what was committed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hardwon.text.branches.fact import FROM_REBASE, FROM_START, Fact, Place, What, bare, is_name
from hardwon.text.branches.line import Run

_COMMITTED = re.compile(r"^\[(?P<branch>\S+)(?: \(root-commit\))? (?P<sha>[0-9a-f]{7,40})\] ", re.MULTILINE)


def facts(run: Run, here: Place, was: str) -> Iterator[Fact]:
    """`was` is the branch that the folder was on before the call."""
    if run.program != "git" or not run.words or not run.passed:
        return
    tell = _TELL.get(run.words[0])
    if tell:
        yield from tell(run, here, was)


def made(run: Run) -> str:
    """The branch that it makes and goes to."""
    if run.program != "git" or run.words[:1] not in (("switch",), ("checkout",)):
        return ""
    return bare(run.value("-c", "-C", "--create", "--force-create", "-b", "-B"))


def leads_to(run: Run) -> str:
    """The branch that the folder is on from here on, where the command or its output says so for sure."""
    if run.program != "git" or not run.words or not run.passed:
        return ""
    if name := made(run):
        return name
    verb = run.words[0]
    if verb in ("switch", "checkout"):
        if found := _SWITCHED.search(run.output):
            return bare(found[1])
        plain = run.plain()
        sure = len(plain) == 1 and "--" not in run.words and not run.has("--detach", "-d", "--orphan")
        is_switch = verb == "switch" or (run.has("-q", "--quiet") and "." not in plain[0] if plain else False)
        return bare(plain[0]) if sure and is_switch else ""
    if verb == "commit" and (found := _COMMITTED.search(run.output)):
        return found["branch"] if is_name(found["branch"]) and found["branch"] != "detached" else ""
    return ""


_SWITCHED = re.compile(r"^(?:Switched to(?: a new)?|Already on)(?: and reset)?(?: branch)? '([^']+)'", re.MULTILINE)


def _made(branch: str, start: str, how: str, here: Place) -> Iterator[Fact]:
    """A branch that is new, with what it starts from, where that is a branch."""
    name = bare(branch)
    if not name:
        return
    yield Fact(What.BORN, name, start, how=how, worktree=here.root)
    base = bare(start)
    if base and base != name:
        yield Fact(What.BASE, name, base, rank=FROM_START, how=how, worktree=here.root)


def _switch(run: Run, here: Place, was: str) -> Iterator[Fact]:
    name = run.value("-c", "-C", "--create", "--force-create", "-b", "-B")
    if not name or run.has("--orphan"):
        return
    plain = run.plain("-c", "-C", "--create", "--force-create", "-b", "-B", "-t", "--track")
    start = plain[0] if plain else was
    start = "" if start == name else start
    how = f"git {run.words[0]} {next((word for word in run.words if word in _MAKES), '-c')}"
    yield from _made(name, start, how, here)


_MAKES = frozenset({"-c", "-C", "--create", "--force-create", "-b", "-B"})


def _worktree(run: Run, here: Place, was: str) -> Iterator[Fact]:
    name = run.value("-b", "-B")
    if len(run.words) < 2 or run.words[1] != "add" or not name:
        return
    plain = run.plain("-b", "-B", "--reason")[1:]  # without `add`
    yield from _made(name, plain[1] if len(plain) > 1 else was, "git worktree add -b", here)


def _branch(run: Run, here: Place, was: str) -> Iterator[Fact]:
    plain = run.plain("-u", "--set-upstream-to", "--contains", "--merged", "--no-merged", "--sort", "--format")
    if run.has("-d", "-D", "--delete"):
        if not run.has("-r", "--remotes"):
            yield from (Fact(What.DELETED, name, "", how="git branch -d", worktree=here.root) for name in plain)
    elif run.has("-m", "-M", "--move") and plain:
        old, new = (plain[0], plain[1]) if len(plain) > 1 else (was, plain[0])
        if old and is_name(new):
            yield Fact(What.RENAMED, new, old, how="git branch -m", worktree=here.root)
    elif plain and not any(word.startswith("-") and word not in _TRACKS for word in run.words[1:]):
        yield from _made(plain[0], plain[1] if len(plain) > 1 else was, "git branch", here)


_TRACKS = ("-f", "--force", "-t", "--track", "--no-track", "--track=direct", "--track=inherit")


def _rebase(run: Run, here: Place, was: str) -> Iterator[Fact]:
    if run.has("--continue", "--abort", "--skip", "--quit", "--edit-todo", "--root"):
        return
    plain = run.plain("--onto", "-s", "--strategy", "-X", "-x", "--exec")
    base = bare(run.value("--onto") or (plain[0] if plain else ""))
    branch = bare(plain[1]) if len(plain) > 1 else here.branch or was
    if base and branch and base != branch:
        yield Fact(What.BASE, branch, base, rank=FROM_REBASE, how="git rebase", worktree=here.root)


def _pull(run: Run, here: Place, was: str) -> Iterator[Fact]:
    branch, plain = here.branch or was, run.plain("-s", "-X")
    base = bare(plain[1]) if len(plain) > 1 else ""
    if not base or base == branch or not branch:
        return
    if run.has("--rebase", "-r"):
        yield Fact(What.BASE, branch, base, rank=FROM_REBASE, how="git pull --rebase", worktree=here.root)
    else:
        yield Fact(What.CONFIRMED, branch, base, how="git pull", worktree=here.root)


def _merge(run: Run, here: Place, was: str) -> Iterator[Fact]:
    plain = run.plain("-m", "-s", "-X", "-F")
    if plain and (base := bare(plain[0])) and (branch := here.branch or was) and base != branch:
        yield Fact(What.CONFIRMED, branch, base, how="git merge", worktree=here.root)


def _commit(run: Run, here: Place, was: str) -> Iterator[Fact]:  # noqa: ARG001
    if found := _COMMITTED.search(run.output):
        yield Fact(What.COMMIT, found["branch"], found["sha"][:12], how="git commit", worktree=here.root)


def _push(run: Run, here: Place, was: str) -> Iterator[Fact]:
    if run.has("--delete", "-d", "--dry-run", "-n", "--tags") or "Everything up-to-date" in run.output:
        return
    plain = run.plain("-o", "--push-option", "--repo")
    branch = bare(plain[1].rpartition(":")[2].lstrip("+")) if len(plain) > 1 and plain[1] != "HEAD" else ""
    if branch := branch or here.branch or was:
        yield Fact(What.PUSH, branch, "", state="ok", how="git push", worktree=here.root)


_TELL = {
    "switch": _switch,
    "checkout": _switch,
    "worktree": _worktree,
    "branch": _branch,
    "rebase": _rebase,
    "pull": _pull,
    "merge": _merge,
    "commit": _commit,
    "push": _push,
}
