"""What a `git push` would do, from its arguments and settings alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from hardwon.text.guards.git_command import Git
from hardwon.text.guards.script import HEAD, UNKNOWN

_OPTIONS = [
    "all",
    "branches",
    "mirror",
    "delete",
    "tags",
    "follow-tags",
    "dry-run",
    "porcelain",
    "force",
    "force-with-lease",
    "force-if-includes",
    "repo",
    "receive-pack",
    "exec",
    "set-upstream",
    "progress",
    "prune",
    "verbose",
    "quiet",
    "verify",
    "signed",
    "atomic",
    "push-option",
    "recurse-submodules",
    "ipv4",
    "ipv6",
    "thin",
]
_WITH_VALUE = frozenset({"repo", "receive-pack", "exec", "push-option", "recurse-submodules"})
"""Of which the value may be the next word."""
_OPTIONAL = frozenset({"force-with-lease", "signed"})
_LETTERS = {"f": "force", "d": "delete", "n": "dry-run", "u": "set-upstream", "v": "verbose", "q": "quiet", "4": "ipv4",
            "6": "ipv6"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Refspec:
    source: str
    """Empty: what it goes to is deleted."""
    target: str
    is_forced: bool = False


@dataclass(frozen=True, slots=True)
class Push:
    remote: str
    """Empty: the usual one."""
    refspecs: tuple[Refspec, ...]
    """Empty: what the settings say, mostly the branch that is checked out."""
    forced_by: str = ""
    """How it says that it overwrites: the option or the refspec as it was written, or the setting."""
    deletes: bool = False
    mirrors: bool = False
    everything: bool = False
    """All branches, or all that both sides have."""
    tags: bool = False
    is_dry: bool = False
    folder: str = ""
    is_sure: bool = True

    @property
    def is_forced(self) -> bool:
        return bool(self.forced_by)


def of(git: Git) -> Push | None:
    """None for what pushes nothing."""
    if git.name == "subtree" and git.texts[:1] == ("push",):
        return _of_subtree(git)
    if git.name not in ("push", "send-pack"):
        return None
    options, operands = _parsed(git.texts)
    remote = options.get("repo") or (operands[0] if operands else "")
    refs = operands if options.get("repo") and not operands else operands[1:]
    settings = _of_settings(git.config, remote, with_refs=bool(refs) or "tags" in options)
    specs = tuple(_refspec(ref, "delete" in options) for ref in refs) or settings.refspecs
    mirrors = "mirror" in options or settings.mirrors
    forced = _forced_by(options, git.texts) or next((_written(one) for one in specs if one.is_forced), "")
    return Push(
        remote,
        specs,
        forced or ("--mirror" if mirrors else ""),
        deletes="delete" in options or "prune" in options or any(not one.source for one in specs),
        mirrors=mirrors,
        everything="all" in options or "branches" in options or settings.everything,
        tags="tags" in options,
        is_dry="dry-run" in options,
        folder=git.folder,
        is_sure=git.is_sure,
    )


def _of_subtree(git: Git) -> Push:
    """It pushes a folder's own history; nothing of it is overwritten unless a `+` says so."""
    operands = [text for text in git.texts[1:] if not text.startswith("-")]
    forced = next((text for text in operands if text.startswith("+")), "")
    return Push("", (), forced, folder=git.folder, is_sure=git.is_sure)


def _parsed(texts: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """Options by their long names with their values, and the rest. git takes any beginning that only one name has."""
    options: dict[str, str] = {}
    operands: list[str] = []
    words = iter(texts)
    for text in words:
        if text == "--":
            operands += words
        elif text.startswith("--"):
            name, equals, value = text[2:].partition("=")
            negated = name.startswith("no-")
            long = _long(name.removeprefix("no-"))
            if negated:
                options.pop(long, None)
                continue
            options[long] = value if equals else next(words, "") if long in _WITH_VALUE else ""
        elif text.startswith("-") and len(text) > 1:
            for at, letter in enumerate(text[1:], 1):
                if letter == "o":
                    if at == len(text) - 1:
                        next(words, "")
                    break
                options[_LETTERS.get(letter, letter)] = ""
        else:
            operands.append(text)
    return options, operands


def _long(name: str) -> str:
    if name in _OPTIONS:
        return name
    meant = [one for one in _OPTIONS if one.startswith(name)]
    return (
        meant[0]
        if len(meant) == 1
        else "force"
        if meant and all(one.startswith("force") for one in meant) and name == "force"
        else name
    )


def _forced_by(options: Mapping[str, str], texts: Sequence[str]) -> str:
    for option in ("force", "force-with-lease"):
        if option in options:
            return next((text for text in texts if text.startswith("-") and _says(text, option)), f"--{option}")
    return ""


def _says(text: str, option: str) -> bool:
    if text.startswith("--"):
        return _long(text[2:].partition("=")[0]) == option
    return option == "force" and "f" in text[1:].partition("o")[0]


def _refspec(text: str, deletes: bool) -> Refspec:
    forced = text.startswith("+")
    source, colon, target = text.removeprefix("+").partition(":")
    if deletes:
        return Refspec("", _plain(source or target))
    if not colon:
        return Refspec(_plain(source), _plain(source), forced)
    if not source and not target:  # a bare colon: all that both sides have
        return Refspec("*", "*", forced)
    return Refspec(_plain(source), _plain(target), forced)


def _plain(name: str) -> str:
    return HEAD if name == "@" else name.removeprefix("refs/heads/").removeprefix("heads/")


def _written(spec: Refspec) -> str:
    return f"+{spec.source}" if spec.source == spec.target else f"+{spec.source}:{spec.target}"


@dataclass(frozen=True, slots=True)
class _Settings:
    refspecs: tuple[Refspec, ...] = ()
    mirrors: bool = False
    everything: bool = False


def _of_settings(config: Mapping[str, str], remote: str, *, with_refs: bool) -> _Settings:
    """What counts where nothing is named."""
    name = remote or config.get("remote.pushdefault") or "origin"
    mirrors = config.get(f"remote.{name}.mirror", "").lower() in ("true", "yes", "on", "1")
    if with_refs or UNKNOWN in name:
        return _Settings(mirrors=mirrors and not with_refs)
    refspecs = config.get(f"remote.{name}.push", "").split()
    return _Settings(
        tuple(_refspec(one, False) for one in refspecs), mirrors, config.get("push.default", "").lower() == "matching"
    )


def pushes(gits: Sequence[Git]) -> Iterator[Push]:
    for git in gits:
        if found := of(git):
            yield found
