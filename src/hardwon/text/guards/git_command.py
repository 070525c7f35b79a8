"""What a call of git does: its own options before the subcommand, aliases and settings put in."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from hardwon.text.guards.running import Run, runs
from hardwon.text.guards.script import UNKNOWN, Word

_WITH_VALUE = frozenset({"-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--config-env",
                         "--super-prefix", "--attr-source", "--list-cmds"})  # fmt: skip
_DEEPEST = 4


@dataclass(frozen=True, slots=True)
class Git:
    """One subcommand with its arguments, in a folder, under settings."""

    name: str
    arguments: tuple[Word, ...]
    folder: str = ""
    """Relative to where the line starts, or absolute; empty for just there."""
    config: Mapping[str, str] = field(default_factory=dict)
    is_sure: bool = True

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(word.text for word in self.arguments)


@dataclass(slots=True)
class Ground:
    """Where the line is: what came before it on the same line counts."""

    folder: str = ""
    config: dict[str, str] = field(default_factory=dict)


def of_run(run: Run, ground: Ground, depth: int = 0) -> Iterator[Git]:
    """What this program does with git; nothing for another one. Moves the ground along for what follows."""
    if not run.words or depth > _DEEPEST:
        return
    if (run.name == "cd" and len(run.words) > 1) or (run.name in ("pushd",) and len(run.words) > 1):
        ground.folder = joined(ground.folder, run.words[1].text)
    elif run.name == "popd":
        ground.folder = UNKNOWN
    if run.name in ("git", "hub"):
        yield from _git(run, ground, depth)
    elif run.name.startswith("git-") and run.name != "git-":
        yield Git(run.name.removeprefix("git-"), run.words[1:], ground.folder, dict(ground.config), run.is_sure)


def _git(run: Run, ground: Ground, depth: int) -> Iterator[Git]:
    config = {**ground.config, **_from_environment(run.environment)}
    folder, at, words = ground.folder, 1, run.words
    while at < len(words) and words[at].text.startswith("-"):
        option, equals, value = words[at].text.partition("=")
        if option in _WITH_VALUE and not equals:
            value = words[at + 1].text if at + 1 < len(words) else ""
            at += 1
        at += 1
        if option == "-C":
            folder = joined(folder, value)
        elif option == "-c":
            key, _, set_ = value.partition("=")
            config[_key(key)] = set_
        elif option in ("--git-dir", "--work-tree"):
            folder = joined(folder, value.removesuffix("/.git"))
    if run.environment.get("GIT_DIR") or run.environment.get("GIT_WORK_TREE"):
        folder = joined(
            folder, (run.environment.get("GIT_WORK_TREE") or run.environment["GIT_DIR"]).removesuffix("/.git")
        )
    if at >= len(words):
        return
    name, arguments = words[at].text, words[at + 1 :]
    if name == "config":
        ground.config.update(_configured([word.text for word in arguments]))
    meaning = config.get(f"alias.{name}")
    if meaning is None:
        yield Git(name, tuple(arguments), folder, config, run.is_sure)
        for script in _handed(name, [word.text for word in arguments]):
            for one in runs(script):
                yield from of_run(one, Ground(folder, dict(config)), depth + 1)
        return
    rest = " ".join("'" + word.text.replace("'", "'\\''") + "'" for word in arguments)
    line = f"{meaning.removeprefix('!')} {rest}" if meaning.startswith("!") else f"git {meaning} {rest}"
    inner = Ground(folder, {key: value for key, value in config.items() if key != f"alias.{name}"})
    for one in runs(line):
        yield from of_run(one, inner, depth + 1)


def _handed(name: str, texts: Sequence[str]) -> Iterator[str]:
    """The scripts that a subcommand is given to run: in each submodule, after each commit, at each step."""
    if name == "submodule" and "foreach" in texts:
        rest = list(texts[texts.index("foreach") + 1 :])
        while rest and rest[0] in ("--recursive", "--quiet", "-q", "--"):
            rest.pop(0)
        yield " ".join(rest)
    elif name == "bisect" and texts[:1] == ["run"]:
        yield " ".join(texts[1:])
    elif name == "rebase":
        for at, text in enumerate(texts):
            option, equals, value = text.partition("=")
            if option in ("-x", "--exec"):
                yield value if equals else " ".join(texts[at + 1 : at + 2])
            elif text.startswith("-x"):
                yield text[2:]


def _from_environment(given: Mapping[str, str]) -> dict[str, str]:
    """`GIT_CONFIG_COUNT`, `GIT_CONFIG_KEY_0`, `GIT_CONFIG_VALUE_0`."""
    count = given.get("GIT_CONFIG_COUNT", "0")
    numbers = range(min(int(count), 50)) if count.isdigit() else range(0)
    return {
        _key(given[f"GIT_CONFIG_KEY_{number}"]): given.get(f"GIT_CONFIG_VALUE_{number}", "")
        for number in numbers
        if f"GIT_CONFIG_KEY_{number}" in given
    }


def _configured(words: Sequence[str]) -> dict[str, str]:
    """What `git config` sets."""
    given = [word for word in words if not word.startswith("-") and word != "set"]
    if len(given) < 2 or any(word.startswith(("--get", "--unset", "--list")) for word in words):
        return {}
    return {_key(given[0]): given[1]}


def _key(key: str) -> str:
    """Section and name don't mind their case, what stands between does."""
    parts = key.split(".")
    return ".".join([parts[0].lower(), *parts[1:-1], parts[-1].lower()]) if len(parts) > 1 else key.lower()


def joined(folder: str, more: str) -> str:
    if more.startswith(("/", "~")) or UNKNOWN in more:
        return UNKNOWN if UNKNOWN in more or more == "-" else more
    if more == "-" or UNKNOWN in folder:
        return UNKNOWN
    path = posixpath.normpath(posixpath.join(folder, more))
    return "" if path == "." else path
