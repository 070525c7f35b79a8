"""Something was looked up, and what was found was used: a base branch, a number, the file of a symbol."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from hardwon import action
from hardwon.rehearsal.opportunities.happening import Happening, What
from hardwon.rehearsal.opportunities.opportunity import Candidate, Form, Kind, Opportunity, worth
from hardwon.rehearsal.opportunities.shell import Part, only_looks, parts
from hardwon.rehearsal.opportunities.window import Window
from hardwon.rehearsal.opportunities.words import form, names, whole, words

WITHIN = 10
"""Calls in which an answer is used, or it was not what was looked for."""
MOST_OFFERED = 6
"""Answers of one form: what lists more leaves open which one is meant, and is a survey."""
LONGEST = 60_000
SEARCHES = names("grep rg egrep find fd ag ack")
BY_NAME = names("Glob find fd")
"""They look for a file by its name: what lists a folder leaves open which file is meant."""
_MCP = re.compile(r"mcp__\w+?__.*(?:list|get|search|find|query|fetch|read)", re.IGNORECASE)
_DEFINES = re.compile(r"\b(?:func|type|class|def|interface|struct|const|fn|trait|enum|export)\b")
_POINTS = frozenset(
    ("git branch", "git remote", "git merge-base", "git worktree",
     "git show-branch", "git for-each-ref", "git ls-remote", "git config", "gh pr view", "gh pr list",
     "gh pr status", "gh issue view", "gh issue list", "gh repo view", "gh api")
)  # fmt: skip
"""Jobs whose answer is a name or a number; what others show is contents."""
_SYMBOL = re.compile(r"[A-Za-z][A-Za-z0-9_]{4,}")
_KEYWORDS = names("class const export function interface struct import return await async public private")
_FILE = re.compile(r"\.?/?(?:[\w.@+-]+/)+[\w.@+-]+\.[a-z][a-z0-9]{0,5}")
_ANYWHERE = names("main master origin/main origin/master head origin/head upstream/main and/or")
_WORKERS = names("Task Agent TodoWrite TaskCreate TaskUpdate AskUserQuestion ExitPlanMode Skill WebSearch")
"""They are given prose."""
_NO_ANSWER = re.compile(r"v?\d+(?:\.\d+)+\S*|(?=.*\d)[0-9a-f]{7,64}|(?:pulls?|issues|tree|blob|commits?)/.*")
"""Versions, hashes, parts of an address."""


@dataclass(slots=True)
class Look:
    number: int
    at: int
    kind: str
    """What is looked up how, such as "gh pr view --json number"; a habit is one of such."""
    symbol: str
    line: str
    before: int
    """Look-ups of the same kind right before it that had found nothing."""
    answers: dict[str, tuple[str, bool]]
    """By the words that a call uses: the answer, and whether it was in sight already."""
    calls: int = 0


class LookUps:
    """One agent of one session. `made` counts, by kind of look-up, answers that were not in sight and that were."""

    def __init__(self, made: dict[str, list[int]]) -> None:
        self._made = made
        self._recent: list[Look] = []
        self._called: dict[str, Happening] = {}
        self._vain: tuple[str, int] = ("", 0)

    def saw(self, one: Happening, window: Window) -> Iterator[Opportunity]:
        if one.what is What.CALL:
            yield from self._used(one, window)
            self._called[one.call] = one
        elif one.is_outcome and (began := self._called.pop(one.call, None)) and one.what is What.PASSED:
            self._looked(one, began, window)

    def _used(self, one: Happening, window: Window) -> Iterator[Opportunity]:
        given: set[str] | None = None
        for look in list(self._recent):
            look.calls += 1
            if look.calls > WITHIN:
                self._recent.remove(look)
                continue
            given = _given(one) if given is None else given
            used = [answer for word, answer in look.answers.items() if word in given and _fits(answer[0], one)]
            if used:
                self._recent.remove(look)
                yield from self._opportunity(look, used, one, window)

    def _opportunity(
        self, look: Look, used: list[tuple[str, bool]], one: Happening, window: Window
    ) -> Iterator[Opportunity]:
        made = self._made.setdefault(look.kind, [0, 0])
        fresh = [token for token, known in used if not known]
        made[not fresh] += 1
        if not fresh or not look.before:  # one look that found it is cheaper than to be told
            return
        found = tuple(
            Candidate(token, form(token), _evidence(one.project, look, token), sight=window.came(token, one.number))
            for token in fresh[:3]
        )
        yield Opportunity(
            Kind.LOOK_UP, one.session, one.agent, look.number, look.at, one.number, window.number,
            worth(1 + look.before, 0), (look.number,), (), one.project, look.line[:300],
            f"{one.tool} {one.target[:300]}", found, look.kind,
        )  # fmt: skip

    def _looked(self, one: Happening, began: Happening, window: Window) -> None:
        kind, symbol = _kind(began)
        if not kind:
            return
        own = {word.casefold() for word in words(f"{began.target}\n{began.text[:4_000]}")}
        offered: dict[Form, dict[str, tuple[str, bool]]] = {}
        for token in _answers(one.text[:LONGEST], kind):
            is_meant = kind.split()[0] not in BY_NAME or (
                symbol and symbol.casefold() in token.rsplit("/", 1)[-1].casefold()
            )
            if is_meant and token.casefold() not in own:
                known = window.had(token, began.number)
                offered.setdefault(form(token), {}).setdefault(token.casefold(), (token, known))
        answers = {word: one for some in offered.values() if len(some) <= MOST_OFFERED for word, one in some.items()}
        before = self._vain[1] if self._vain[0] == kind else 0
        self._vain = (kind, min(5, before + 1)) if not offered else ("", 0)
        if answers:
            line = began.target or began.text[:300]
            self._recent.append(Look(began.number, began.at, kind, symbol, line, before, answers))


def _evidence(project: str, look: Look, token: str) -> str:
    if look.symbol and form(token) is Form.PATH:
        return f"found|{project}|{look.symbol.casefold()}|{token.casefold()}"
    if token.lstrip("#").isdigit():
        return f"number|{project}|{token.lstrip('#')}"
    return f"result|{project}|{token.casefold()}"


def _kind(began: Happening) -> tuple[str, str]:
    """What sort of look-up a call is, and the symbol that it looks for; empty when it is none."""
    if began.tool in (action.SEARCH, action.FIND):
        pattern = began.target.split("|")[0]
        pattern = pattern if began.tool == action.SEARCH else pattern.rsplit("/", 1)[-1]
        return (f"{began.tool} definition" if _DEFINES.search(pattern) else began.tool), _symbol(pattern)
    if _MCP.match(began.tool):
        return began.tool, ""
    if began.tool != action.SHELL:
        return "", ""
    own = parts(began.target)
    looks = [part for part in own if only_looks(part)]
    if not looks or any(not only_looks(part) for part in own):
        return "", ""
    return _of_shell(looks[0], began.target)


def _of_shell(part: Part, line: str) -> tuple[str, str]:
    if part.program in SEARCHES or part.job == "git grep":
        sort = f"{part.program} definition" if _DEFINES.search(line) else part.program
        return sort, _symbol(" ".join(part.words)) or _symbol(line)
    if part.job in _POINTS and "--show-current" not in part.words:  # that is the state of now
        return " ".join((part.job, *_asked_for(part))), ""
    return "", ""


def _asked_for(part: Part) -> list[str]:
    """The options, and the fields of an answer: a branch's base is something else than its state."""
    found = {word.partition("=")[0] for word in part.words if word.startswith("--")}
    found |= {following for word, following in pairwise(part.words) if word == "--json"}
    return sorted(found)


def _symbol(pattern: str) -> str:
    names = [name for name in _SYMBOL.findall(pattern) if name not in _KEYWORDS]
    return max(names, key=len, default="")


def _answers(text: str, kind: str) -> Iterator[str]:
    """What a result offers: files by their last two names, or branches, numbers and ids."""
    for word in whole(text):
        if not kind.startswith(("git ", "gh ", "mcp__")):
            path = word.partition(":")[0]
            if _FILE.fullmatch(path):
                yield "/".join(path.split("/")[-2:])
        elif len(word) > 1 and word.casefold() not in _ANYWHERE and not _NO_ANSWER.fullmatch(word):
            sort = form(word)
            if sort is Form.ID and not kind.startswith("git "):
                yield word
            elif sort is Form.BRANCH and not kind.startswith("mcp__") and "://" not in word:
                yield word.removeprefix("remotes/").removeprefix("origin/")


def _given(one: Happening) -> set[str]:
    """The words that a call is given as arguments; free text is none."""
    if one.tool == action.SHELL:
        line = " ".join(word for part in parts(one.target) for word in part.words)
        return set(words(line.casefold()))
    if one.tool.startswith("mcp__"):
        return {word for line in one.text.casefold().splitlines() if len(line) < 80 for word in words(line)}
    return set() if one.tool in _WORKERS else set(words(one.target.casefold()))


def _fits(token: str, one: Happening) -> bool:
    """A bare number is only an answer where numbers are asked for."""
    if form(token) is not Form.ID or not token.lstrip("#").isdigit():
        return True
    return one.tool.startswith("mcp__") or (
        one.tool == action.SHELL and any(part.program == "gh" for part in parts(one.target))
    )
