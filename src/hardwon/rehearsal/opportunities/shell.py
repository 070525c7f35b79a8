"""What a shell line runs, roughly: its parts, each with its program, its job and its words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from hardwon import action
from hardwon.rehearsal.opportunities.happening import Happening
from hardwon.rehearsal.opportunities.words import names

_PARTS = re.compile(r"\s*(?:&&|\|\||;|\n|\|)\s*")
_SYMBOL = re.compile(r"[A-Za-z_]{5,}")
_CONTINUED = re.compile(r"\\\n\s*")
_HEREDOC = re.compile(r"<<-?\s*['\"]?(\w+)['\"]?.*?^\s*\1\b", re.DOTALL | re.MULTILINE)
_QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'[^']*'", re.DOTALL)
_ASSIGNED = re.compile(r"\w+=\S*$")
_REDIRECTED = re.compile(r"[\d&]?>{1,2}\S*|<\S*")
_PREFIXES = names("sudo time command env nohup exec builtin")
_NOTHING = names("cd echo printf export set sleep true : source . pushd popd wait exit fi done then else do")
_RUNNERS = frozenset(("npx", "bunx", "uv run", "poetry run", "mise exec", "mise x", "pnpm exec", "bun x", "yarn dlx"))
_TWO_VERBS = names("gh docker kubectl gcloud aws az terraform uv cargo helm")
_VERBS = names("git go npm pnpm yarn bun mise make just pip brew apt systemctl dotnet mvn gradle deno rustup entire")
_WRITES = names("-X --method -f -F --field --raw-field --input")
"""With one of these `gh api` changes something: another job than to look."""
_VERB = re.compile(r"[a-z][a-z0-9:_-]*")


@dataclass(frozen=True, slots=True)
class Part:
    program: str
    job: str
    """The program with its verb: "git push", "gh pr view", "golangci-lint run"."""
    words: tuple[str, ...]
    """What stands behind the program, without free text."""


@lru_cache(maxsize=512)
def parts(line: str) -> tuple[Part, ...]:
    """Those that do something; a text in quotes with a blank in it is free text and left out."""
    plain = _CONTINUED.sub(" ", _QUOTED.sub(_unquoted, _HEREDOC.sub(" ", line[:20_000])))
    found = (_part(piece.split()) for piece in _PARTS.split(plain))
    return tuple(part for part in found if part and part.program not in _NOTHING)


SEARCH_TOOLS = names("Grep Glob LS")
LONGEST_VALUE = 80
"""Characters up to which a line of a call's arguments is a value, and not prose."""


def run_by(began: Happening) -> tuple[Part, ...]:
    """What a call runs: the parts of a shell line; a search or a server's tool is a program itself, with its values."""
    if began.tool == action.SHELL:
        return parts(began.target)
    if began.tool in SEARCH_TOOLS:
        return (Part(began.tool, began.tool, tuple(began.target.split("|")[0].split())),)
    if not began.tool.startswith("mcp__"):
        return ()
    values = [line for line in began.text[:20_000].splitlines() if len(line) <= LONGEST_VALUE]
    return (Part(began.tool, began.tool, tuple(word for line in values for word in line.split())),)


def searches_alike(line: str, other: str) -> bool:
    """Whether a search by a tool and one in the shell are for the same name."""
    return bool(set(_SYMBOL.findall(line.split("|")[0])) & set(_SYMBOL.findall(other)))


def _unquoted(found: re.Match[str]) -> str:
    inner = found[0][1:-1]
    return " " if re.search(r"\s", inner) or len(inner) > 120 else inner


def _part(words: Sequence[str]) -> Part | None:
    left = [word for word in words if not _REDIRECTED.fullmatch(word)]
    while left and (left[0] in _PREFIXES or _ASSIGNED.match(left[0]) or left[0] in ("(", "{", "!")):
        left = left[1:]
    if left and left[0] in ("timeout", "nice"):
        left = [word for word in left[1:] if not re.fullmatch(r"-?\d+[smh]?|-n|-k", word)]
    if " ".join(left[:2]) in _RUNNERS:
        left = left[2:]
    elif left and left[0] in _RUNNERS:
        left = left[1:]
    if not left:
        return None
    program = left[0].lstrip("({").rsplit("/", 1)[-1]
    rest = tuple(word.strip("()") for word in left[1:] if word not in ("--", "-", "\\"))
    if program == "git":  # `git -C folder status` is the job of `git status`
        rest = tuple(_without_folder(rest))
    return Part(program, _job(program, rest), rest)


def _job(program: str, words: Sequence[str]) -> str:
    most = 2 if program in _TWO_VERBS or (program == "go" and words[:1] == ("mod",)) else 1 if program in _VERBS else 0
    verbs: list[str] = []
    for word in words:
        if len(verbs) == most:
            break
        if word.startswith("-") and not verbs:
            continue
        if not _VERB.fullmatch(word):
            break
        verbs.append(word)
    writes = ["write"] if program == "gh" and verbs[:1] == ["api"] and _WRITES & set(words) else []
    return " ".join((program, *verbs[: 1 if writes else None], *writes))


def _without_folder(words: Sequence[str]) -> Sequence[str]:
    while len(words) > 1 and words[0] in ("-C", "-c", "--git-dir", "--work-tree"):
        words = words[2:]
    return words


LOOKING = names(
    "ls cat head tail find grep rg egrep fgrep fd wc stat file tree sed awk sort uniq cut jq which type pwd less more "
    "test [ diff cmp du df ps pgrep lsof date env printenv id whoami uname column xxd od strings tr tee yq nl"
)
"""Programs that look at something; their failures are answers."""
_LOOKING_JOBS = frozenset(
    ("git status", "git log", "git diff", "git show", "git branch", "git rev-parse", "git remote", "git merge-base",
     "git ls-files", "git ls-tree", "git blame", "git worktree", "git for-each-ref", "git symbolic-ref", "git grep",
     "git ls-remote", "git show-branch", "git config", "git reflog", "git cat-file", "git describe", "git name-rev",
     "git rev-list", "git show-ref", "git stash list", "git check-ignore", "gh pr view", "gh pr list", "gh pr status",
     "gh pr diff", "gh pr checks", "gh issue view", "gh issue list", "gh repo view", "gh run list", "gh run view",
     "gh api", "gh search", "gh auth status", "go doc", "go list", "go env", "go version", "npm ls", "npm view")
)  # fmt: skip


ANSWERING = names("git-config git-check-ignore git-show-ref git-merge-base git-diff gh-pr-checks gh-run-watch")
"""Jobs whose status is an answer, written with dashes."""


def only_looks(part: Part) -> bool:
    if part.program in LOOKING:
        return not (part.program == "sed" and any(word.startswith("-i") for word in part.words))
    if part.job == "gh api":
        return not any(
            word in ("-X", "--method", "-f", "-F", "--field", "--raw-field", "--input") for word in part.words
        )
    return part.job in _LOOKING_JOBS
