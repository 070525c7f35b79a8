"""What the forge's own program answers: the base and the number of a pull request, an issue that was made."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from hardwon.event import Event
from hardwon.text.branches.fact import FROM_FORGE, Fact, Place, What, bare
from hardwon.text.branches.line import Run

_PULL = re.compile(r"https?://[^\s/]+/[\w.-]+/[\w.-]+/(?:pull|-/merge_requests)/(\d{1,7})\b")
_ISSUE = re.compile(r"https?://[^\s/]+/[\w.-]+/[\w.-]+/(?:-/)?issues/(\d{1,7})\b")
_INTO = re.compile(r"^Creating (?:draft )?pull request for \S+ into (\S+) in ", re.MULTILINE)
_NUMBER = re.compile(r"^number:\t(\d{1,7})$", re.MULTILINE)
_STATE = re.compile(r"^state:\t(OPEN|MERGED|CLOSED|DRAFT)$", re.MULTILINE)
_TICKET = re.compile(r"\b[A-Z][A-Z0-9]{1,9}-\d{1,6}\b")
MOST = 50
"""Objects of an answer that are looked at."""


def facts(run: Run, here: Place) -> Iterator[Fact]:
    if run.program != "gh" or len(run.words) < 2 or not run.passed:
        return
    noun, verb = run.words[:2]
    if noun == "pr":
        yield from _of_pull_request(run, verb, here)
    elif (noun, verb) == ("issue", "create"):
        yield from _issues([f"#{number}" for number in _ISSUE.findall(run.output)[-1:]], here)
    elif noun == "api":
        yield from _of_answer(run, "", here)


def _of_pull_request(run: Run, verb: str, here: Place) -> Iterator[Fact]:
    selected = next((word for word in run.plain(*_WITH_VALUE)[1:2]), "")
    if at := _PULL.fullmatch(selected):
        selected = at[1]
    own = "" if selected and bare(selected) != here.branch else here.branch
    if verb == "create":
        branch = bare(run.value("--head", "-H").rpartition(":")[2]) or here.branch
        if branch and (number := _last(_PULL, run.output)):
            yield _pr(branch, number, "OPEN", "gh pr create", here)
            said = _INTO.search(run.output)
            if base := bare(run.value("--base", "-B")) or bare(said[1] if said else ""):
                yield _base(branch, base, "gh pr create", here)
    elif verb == "edit" and (base := bare(run.value("--base", "-B"))):
        if number := selected if selected.isdigit() else "":
            yield _base(f"#{number}", base, "gh pr edit", here)
        elif own:
            yield _base(own, base, "gh pr edit", here)
    elif verb in ("merge", "close") and not run.has("--auto"):
        state = "MERGED" if verb == "merge" else "CLOSED"
        if selected.isdigit():
            yield Fact(What.PR, f"#{selected}", selected, state=state, how=f"gh pr {verb}", worktree=here.root)
        elif own:
            yield Fact(What.PR, own, "", state=state, how=f"gh pr {verb}", worktree=here.root)
    elif verb in ("view", "list", "status"):
        if own and verb == "view" and (found := _NUMBER.search(run.output)):
            said = _STATE.search(run.output)
            yield _pr(own, found[1], said[1] if said else "OPEN", "gh pr view", here)
        yield from _of_answer(run, own if verb == "view" else "", here)


_WITH_VALUE = ("--json", "-q", "--jq", "-t", "--template", "-R", "--repo", "--title", "--body", "-b", "--base", "-B",
               "--head", "-H", "-L", "--limit", "-s", "--state", "--search", "-S", "--author", "-A", "--label", "-l",
               "--body-file", "-F", "--add-label", "--remove-label", "--add-reviewer", "--subject")  # fmt: skip


def _of_answer(run: Run, own: str, here: Place) -> Iterator[Fact]:
    """Every pull request in it. One that does not say whose it is, is that of this branch, if it was asked for so."""
    how = "gh api" if run.words[0] == "api" else f"gh pr {run.words[1]}"
    asked, by = run.value("--json"), run.value("-q", "--jq").strip()
    if own and asked in ("baseRefName", "number") and by == f".{asked}":
        answer = run.output.strip()
        if asked == "number" and answer.isdigit():
            yield _pr(own, answer, "OPEN", how, here)
        elif asked == "baseRefName" and (base := bare(answer)):
            yield _base(own, base, how, here)
        return
    for one in _objects(run.output):
        base, head = _ref(one, "baseRefName", "base"), _ref(one, "headRefName", "head")
        branch = bare(head) or own
        number = one.get("number")
        if not branch or not (base or isinstance(number, int)):
            continue
        if isinstance(number, int):
            state = "MERGED" if one.get("merged") or one.get("mergedAt") else str(one.get("state") or "OPEN").upper()
            yield _pr(branch, str(number), state, how, here)
        if base := bare(base):
            yield _base(branch, base, how, here)


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """The JSON objects of an answer, one or a list of them, also line by line, as far as they can be read."""
    decode, at, count = json.JSONDecoder(), 0, 0
    while count < MOST and (starts := [place for place in (text.find("{", at), text.find("[", at)) if place >= 0]):
        try:
            value, at = decode.raw_decode(text, min(starts))
        except (ValueError, RecursionError):
            at = min(starts) + 1
            count += 1
            continue
        for one in value if isinstance(value, list) else [value]:
            count += 1
            if isinstance(one, dict):
                yield one


def _ref(one: dict[str, Any], name: str, nested: str) -> str:
    inner = one.get(nested)
    found = one.get(name) or (inner.get("ref") if isinstance(inner, dict) else "")
    return found if isinstance(found, str) else ""


def _pr(branch: str, number: str, state: str, how: str, here: Place) -> Fact:
    return Fact(What.PR, branch, number, state=state, how=how, worktree=here.root)


def _base(branch: str, base: str, how: str, here: Place) -> Fact:
    return Fact(What.BASE, branch, base, rank=FROM_FORGE, how=how, worktree=here.root)


def _last(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.findall(text)
    return found[-1] if found else ""


def created_issue(event: Event, here: Place) -> Iterator[Fact]:
    """By a tool of another server: its name says what it does, its answer which one it is."""
    name = event.tool.casefold()
    if name.startswith("mcp__") and "issue" in name and ("create" in name or "save" in name):
        yield from _issues(_TICKET.findall(event.text)[:1], here)


def _issues(ids: list[str], here: Place) -> Iterator[Fact]:
    yield from (Fact(What.ISSUE, here.branch, id, how="created", worktree=here.root) for id in ids)
