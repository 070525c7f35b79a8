"""What there is to say about a push, given what is known of its repository."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from hardwon.text import commands
from hardwon.text.commands.vocabulary import names
from hardwon.text.guards import push as pushes
from hardwon.text.guards.finding import Finding, Rule, named
from hardwon.text.guards.git_command import Git, Ground, of_run
from hardwon.text.guards.push import Push, Refspec
from hardwon.text.guards.running import Run
from hardwon.text.guards.script import HEAD, UNKNOWN

_CHANGES = names(
    "commit add stash reset restore clean merge rebase am cherry-pick revert apply rm mv pull checkout switch"
)
"""After which what is not committed is another matter."""
_VERSION = re.compile(r"(?:refs/tags/.+|tags/.+|[\w-]{0,30}?v?\d+(?:\.\d+)+[\w.+-]*)")
_NAMED = 3


@dataclass(frozen=True, slots=True)
class Pushing:
    """A push in its line: where, from which branch, and what the line does before it."""

    push: Push
    branches: frozenset[str] = frozenset()
    """The branch that is checked out by then: one of these; none where that is not known."""
    changes_first: bool = False
    """The line commits, stashes or the like before it."""
    checks_first: bool = False


@dataclass(frozen=True, slots=True)
class Repository:
    """What is known of the repository that is pushed; what is not known is left out."""

    branch: str = ""
    uncommitted: tuple[str, ...] = ()
    """Files that are changed, and belong to the work."""
    failed: str = ""
    """A check that failed after the last push and was not run since."""
    held: tuple[tuple[str, str], ...] = ()
    """Files of what is pushed that hold a secret, and what sort of."""
    unscanned: int = 0
    """Files of what is pushed that there was no time to look into; below 0 nobody knows how many."""
    tags: frozenset[str] = frozenset()


def of_line(line: Sequence[Run], branch: str = "", config: Mapping[str, str] | None = None) -> list[Pushing]:
    """The pushes of a line, in their order."""
    ground = Ground(config=dict(config or {}))
    found: list[Pushing] = []
    branches = frozenset({branch} if branch else ())
    changes = checks = False
    for run in line:
        for git in of_run(run, ground):
            if pushed := pushes.of(git):
                here = branches if not pushed.folder else frozenset[str]()
                found.append(Pushing(pushed, here, changes, checks))
                continue
            branches = _after(git, branches)
            changes = changes or git.name in _CHANGES
        checks = checks or (bool(run.words) and commands.is_validation(" ".join(run.texts)))
    return found


def _after(git: Git, branches: frozenset[str]) -> frozenset[str]:
    """Which branch may be checked out afterwards. `git checkout x` may also mean a file."""
    if git.name not in ("checkout", "switch") or git.folder or "--" in git.texts:
        return branches
    texts, makes = git.texts, ("-b", "-B", "-c", "-C", "--create", "--orphan", "--force-create")
    made = [texts[at + 1] for at, text in enumerate(texts[:-1]) if text in makes]
    if made:
        return frozenset(made) if UNKNOWN not in made[0] else frozenset()
    operands = [text for text in texts if not text.startswith("-")]
    if len(operands) != 1 or UNKNOWN in operands[0]:
        return frozenset() if len(operands) <= 1 or any(UNKNOWN in one for one in operands) else branches
    return frozenset({operands[0]}) | (branches if git.name == "checkout" else frozenset())


def findings(one: Pushing, known: Repository) -> Iterator[Finding]:
    """What a colleague would say, the worst first."""
    push = one.push
    if push.is_dry:
        return
    sure = push.is_sure
    for file, what in known.held[:_NAMED]:
        yield Finding(Rule.PUSHED_SECRET, f"What is pushed has `{named(file)}`, which holds {what}.", sure, file)
    yield from _of_history(one, known)
    yield from _of_branch(one, known)
    if known.failed and not one.checks_first:
        said = f"`{named(known.failed, 120)}` failed after the last push and was not run since."
        yield Finding(Rule.FAILED_CHECK, said, sure, known.failed)
    if known.uncommitted and not one.changes_first and not _only_deletes(push):
        files = ", ".join(f"`{named(file)}`" for file in known.uncommitted[:_NAMED])
        more = ", …" if len(known.uncommitted) > _NAMED else ""
        many = "1 changed file is" if len(known.uncommitted) == 1 else f"{len(known.uncommitted)} changed files are"
        yield Finding(Rule.UNCOMMITTED, f"{many} not committed and not in this push: {files}{more}.", sure, files)
    if known.unscanned and not known.held:
        files = (
            "1 file of" if known.unscanned == 1 else f"{known.unscanned} files of" if known.unscanned > 0 else "All of"
        )
        yield Finding(Rule.PUSHED_SECRET, f"{files} this push: not scanned for secrets yet.", False, "unscanned")


def _of_history(one: Pushing, known: Repository) -> Iterator[Finding]:
    push, where = one.push, named(one.push.remote) or "the remote"
    if push.mirrors:
        said = f"`--mirror` makes {where} like this repository: branches and tags that are only there are deleted."
        yield Finding(Rule.FORCE_PUSH, said, push.is_sure, "mirror", "mirror")
    elif push.is_forced:
        what = _targets(one, known)
        by = named(push.forced_by)
        if "lease" in push.forced_by:
            said = f"This push overwrites {what} on {where} (`{by}`), unless it has moved since the last fetch."
        else:
            said = f"This push overwrites {what} on {where} (`{by}`): commits that are only there are lost."
        yield Finding(Rule.FORCE_PUSH, said, push.is_sure, what, "force")
    if push.deletes and not push.mirrors:
        gone = [f"`{named(spec.target)}`" for spec in push.refspecs if not spec.source]
        what = ", ".join(gone[:_NAMED]) or "branches that are gone here"
        yield Finding(Rule.FORCE_PUSH, f"This push deletes {what} on {where}.", push.is_sure, what, "delete")


def _targets(one: Pushing, known: Repository) -> str:
    if one.push.everything:
        return "all branches"
    forced = [spec for spec in one.push.refspecs if spec.is_forced] or list(one.push.refspecs)
    names = [_target(spec, one, known) for spec in forced if spec.source]
    if not forced:
        names = [next(iter(one.branches))] if len(one.branches) == 1 else []
        if one.push.tags:
            names.append("tags")
    told = [f"`{named(name)}`" for name in names if name and UNKNOWN not in name and "*" not in name]
    return ", ".join(told[:_NAMED]) or "what is there"


def _target(spec: Refspec, one: Pushing, known: Repository) -> str:
    if spec.target != HEAD:
        return spec.target
    return next(iter(one.branches)) if len(one.branches) == 1 else known.branch


def _of_branch(one: Pushing, known: Repository) -> Iterator[Finding]:
    """Another branch than the one that is checked out, or onto another one than its own."""
    push = one.push
    specs = [
        spec
        for spec in push.refspecs
        if spec.source and _is_branch(spec.source, known) and _is_branch(spec.target, known)
    ]
    if not specs or len(specs) < len([spec for spec in push.refspecs if spec.source]):
        return
    for spec in specs:
        source = spec.source
        if source == HEAD:
            if not one.branches or spec.target == HEAD or spec.target in one.branches:
                continue
            source = next(iter(one.branches)) if len(one.branches) == 1 else HEAD
        if source != spec.target and source != HEAD:
            said = f"This pushes `{named(source)}` onto `{named(spec.target)}`."
            yield Finding(Rule.WRONG_BRANCH, said, push.is_sure, spec.target)
            return
    sources = {spec.source for spec in specs}
    if len(sources) == 1 and one.branches and HEAD not in sources and not sources & one.branches:
        here = named(next(iter(one.branches))) if len(one.branches) == 1 else ""
        said = (
            f"This pushes `{named(specs[0].source)}`, while {f'`{here}`' if here else 'another branch'} is checked out."
        )
        yield Finding(Rule.WRONG_BRANCH, said, push.is_sure, specs[0].source)


def _is_branch(name: str, known: Repository) -> bool:
    """A tag, a commit, a place such as `refs/for/main` and a pattern are none."""
    if UNKNOWN in name or "*" in name or name.startswith("refs/") or name in known.tags or _VERSION.fullmatch(name):
        return False
    return not re.fullmatch(r"[0-9a-f]{7,40}|.*[~^@{}].*", name) or name == HEAD


def _only_deletes(push: Push) -> bool:
    return push.deletes and all(not spec.source for spec in push.refspecs)
