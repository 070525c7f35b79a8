"""Whether a command is what a person's rule names, in whatever spelling.

`git push --force origin main` also means `git push -f` on main, `+main`, `--mirror`, an alias of it, and each of these
in a chain or behind `sudo`. Of other programs: the same program with at least the rule's options and names, in order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from hardwon.text.guards import pushing
from hardwon.text.guards.git_command import Ground, of_run
from hardwon.text.guards.push import Push
from hardwon.text.guards.pushing import Pushing
from hardwon.text.guards.running import Run, runs
from hardwon.text.guards.script import HEAD, UNKNOWN

_SAME = {
    "--force": "-f",
    "--recursive": "-r",
    "-R": "-r",
    "--all": "-a",
    "--delete": "-d",
    "--yes": "-y",
    "--no-verify": "-n",
    "--interactive": "-i",
    "--detach": "-d",
    "--volumes": "-v",
    "--global": "-g",
}
_CLUSTER = re.compile(r"-[A-Za-z]{2,5}")
_Form = tuple[str, frozenset[str], tuple[str, ...], bool]


def covers(rule: str, command: str, branch: str = "", config: Mapping[str, str] | None = None) -> bool | None:
    """Whether the command is one that the rule means; None where that can't be told for sure, but may well be."""
    line, of_rule = runs(command), runs(rule)
    wanted = pushing.of_line(of_rule)
    if wanted:
        found = [one for one in pushing.of_line(line, branch, config) if _same_push(wanted[0].push, one)]
        return _sure(one.push.is_sure for one in found)
    meant = [form for run in of_rule for form in _forms(run, {})]
    if not meant:
        return False
    matches = [form for run in line for form in _forms(run, config or {}) if _has(form, meant[-1])]
    return _sure(form[3] for form in matches)


def _sure(found: Iterable[bool]) -> bool | None:
    known = list(found)
    return any(known) or (None if known else False)


def _same_push(rule: Push, one: Pushing) -> bool:
    push = one.push
    if (
        push.is_dry
        or (rule.is_forced and not push.is_forced)
        or (rule.deletes and not push.deletes and not push.mirrors)
    ):
        return False
    if rule.mirrors and not push.mirrors:
        return False
    if rule.remote and push.remote and UNKNOWN not in push.remote and rule.remote != push.remote:
        return False
    targets = {spec.target for spec in rule.refspecs} - {HEAD}
    if not targets or push.mirrors or push.everything:
        return True
    reached = {
        spec.target for spec in push.refspecs if not rule.is_forced or spec.is_forced or push.forced_by.startswith("-")
    }
    if not reached or HEAD in reached:
        reached |= one.branches
        if not one.branches:
            return True
    return bool(targets & reached) or any(UNKNOWN in name or "*" in name for name in reached)


def _forms(run: Run, config: Mapping[str, str]) -> list[_Form]:
    """A program, or a subcommand of git, with its options one by one and its names in order."""
    if not run.words:
        return []
    gits = list(of_run(run, Ground(config=dict(config))))
    if run.name == "git":
        return [_form(f"git {git.name}", git.texts, is_sure=git.is_sure) for git in gits]
    return [_form(run.name, run.texts[1:], is_sure=run.is_sure)]


def _form(name: str, texts: Sequence[str], *, is_sure: bool) -> _Form:
    options: set[str] = set()
    names: list[str] = []
    for text in texts:
        if text.startswith("-") and len(text) > 1:
            options.add(_SAME.get(text, text))
            if _CLUSTER.fullmatch(text):
                options |= {_SAME.get(f"-{letter}", f"-{letter}") for letter in text[1:]}
        else:
            names.append(text.removeprefix("./").rstrip("/") or text)
    return name, frozenset(options), tuple(names), is_sure


def _has(form: _Form, rule: _Form) -> bool:
    if form[0] != rule[0]:
        return False
    wanted = {
        one for one in rule[1] if not (_CLUSTER.fullmatch(one) and {f"-{letter}" for letter in one[1:]} & rule[1])
    }
    if not wanted <= form[1]:
        return False
    rest = iter(form[2])
    return all(any(name == other for other in rest) for name in rule[2])
