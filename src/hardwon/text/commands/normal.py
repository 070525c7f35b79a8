"""One form for one command, however it was typed.

What doesn't change *what is run* goes: the folder and the variables before it, sudo and time and their like, what only
starts the same program (`uv run`, `npx`, `python -m`, `.venv/bin/`), what only shows its output otherwise (`| tail`,
`2>&1`, `-v`, `--color`), what is new on every run (seeds, temporary names, times). What does change it stays.

Some of that can still be why a call passes (`uv run pytest` where `pytest` failed): `circumstances` says what went.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from hardwon.text.commands import shell, vocabulary
from hardwon.text.commands.checking import checks
from hardwon.text.commands.shell import Part
from hardwon.text.commands.vocabulary import names

_PROMPT = re.compile(r"^\s*[$%❯>]\s+")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_MOST_BEFORE = 50
"""How many variables and wrappers before a program are looked at."""
_NUMBER = re.compile(r"[\d.]+[smhdkKMG]?")
_BEFORE = names("cd pushd popd export unset source . set shopt ulimit umask module")
_MARKS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"), "{uuid}"),
    (re.compile(r"\b\d{4}-\d\d-\d\d[T_ ]\d\d[:-]?\d\d(?:[:-]?\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?"), "{time}"),
    (re.compile(r"\b(?=[0-9a-f]{0,39}\d)(?=[0-9a-f]{0,39}[a-f])[0-9a-f]{7,64}\b(?![.\w-]*/)"), "{hash}"),
    (re.compile(r"\b1[5-9]\d{8}(?:\d{3})?\b"), "{time}"),
)
_TEMPORARY = re.compile(
    r"(?:/private)?(?:/tmp|/var/tmp|/var/folders|/dev/shm|\$\{?TMPDIR\}?|\$TMP|[A-Za-z]:\\(?:Windows\\)?Temp)[/\\]"
    r"(?P<rest>[^\s'\":]{1,400})"
)
_RANDOM = re.compile(
    r"(?i)tmp[._-]?\w{4,40}|\d+|[0-9a-f]{6,40}|[\w.-]{0,60}[._-](?=\w{0,40}\d)(?=\w{0,40}[a-z])\w{6,40}"
    r"|[\w.-]{0,60}[._-]\d{3,20}"
)


@lru_cache(maxsize=2_048)
def normalise(command: str) -> str:
    """The one form of a command."""
    return shell.joined(essential(command)) or " ".join(command.split())


def typed(command: str) -> str:
    """A normalised command to quote: a script that counts as a program has its interpreter again."""
    line = shell.parts(command)
    if not any(part.words[:1] and part.words[0] in vocabulary.SCRIPTS for part in line):
        return command
    return shell.joined(tuple(replace(part, words=_startable(part.words)) for part in line))


def _startable(words: tuple[str, ...]) -> tuple[str, ...]:
    return (*vocabulary.SCRIPTS.get(words[0], words[0]).split(" "), *words[1:]) if words else words


def begins(command: str, names: Sequence[str]) -> bool:
    """Whether a normalised command is one of these, such as `git diff`."""
    return any(command == name or command.startswith(f"{name} ") for name in names)


def circumstances(command: str) -> tuple[str, ...]:
    """What `normalise` took away and may still matter: the folder, variables, sudo, the program that started it."""
    found: list[str] = []
    for part in _unwrapped(shell.parts(_PROMPT.sub("", command.strip()))):
        if part.words and part.words[0] in _BEFORE:
            found.append(" ".join(part.words))
        else:
            found += _program(part.words)[1]
    return tuple(one for one in dict.fromkeys(found) if one not in vocabulary.WITHOUT_EFFECT)


def setting(command: str) -> frozenset[str]:
    """What `normalise` took away and can be all that tells a call that passes from one that fails: each variable with
    its value, what starts the program, its path. Without the folder, limits, and what only shows more."""
    found = {one for one in circumstances(command) if not one.startswith(_BESIDE)}
    words = {word for one in found for word in one.split() if _ASSIGNMENT.match(word)}
    shown = {word for word in words if word.partition("=")[0] in vocabulary.ONLY_SHOW}
    programs = {part.words[0] for part in shell.parts(command) if part.words and "/" in part.words[0]}
    return frozenset((found - shown) | {one for one in programs if one.rsplit("/", 1)[0].endswith("bin")})


_BESIDE = ("cd ", "pushd ", "popd", "timeout ", "gtimeout ", "nice", "ionice ", "stdbuf ", "caffeinate", "set ")


@lru_cache(maxsize=2_048)  # each reader of a session asks it of each of its commands, and commands come again
def essential(command: str) -> tuple[Part, ...]:
    """The parts of a command that say what is run, each in one form."""
    parts = [_plain(part) for part in _unwrapped(shell.parts(_PROMPT.sub("", command.strip())))]
    while len(parts) > 1 and _only_prepares(parts[0]) and parts[1].joint != "|":
        parts = parts[1:]
    while len(parts) > 1 and _only_shows(parts[-1], parts[-2]):
        parts = parts[:-1]
    if not parts:
        return ()
    return (replace(parts[0], joint=""), *parts[1:])


def without_keywords(words: tuple[str, ...]) -> tuple[str, ...]:
    """`do make test` runs `make test`."""
    while words and words[0] in vocabulary.KEYWORDS:
        words = words[1:]
    return words


def _unwrapped(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """`bash -lc "x"` is x."""
    if len(parts) == 1 and len(parts[0].words) >= 3:
        name, option, script = parts[0].words[:3]
        if name.rsplit("/", 1)[-1] in ("bash", "sh", "zsh", "dash") and option in ("-c", "-lc", "-ec", "-ic"):
            return shell.parts(shell.bare(script)) or parts
    return parts


def _plain(part: Part) -> Part:
    words = _named(_program(part.words)[0])
    words = tuple(_without_volatile(_without_noise(words)))
    kept = tuple(_steady(one) for one in part.redirections if not _harmless(one))
    return Part(words, kept, part.joint)


def _harmless(redirection: str) -> bool:
    """Only about where the output is seen."""
    return redirection.endswith(("/dev/null", "&1", "&2", ">&-", "&-"))


def _program(words: tuple[str, ...]) -> tuple[tuple[str, ...], list[str]]:
    """The words from the program on, and what stood before it: variables, wrappers, what only starts it."""
    gone: list[str] = []
    for _ in range(_MOST_BEFORE):
        if not words:
            break
        before = words
        if _ASSIGNMENT.match(words[0]) and len(words) > 1:
            words = words[1:]
        elif words[:2] in (("command", "-v"), ("command", "-V")):  # it asks, and runs nothing
            break
        elif words[0] in vocabulary.WRAPPERS:
            words = _after_options(words, vocabulary.WRAPPERS[words[0]])
        else:
            words = _without_runner(words)
        if words == before:
            break
        if len(words) < len(before):
            gone.append(" ".join(before[: len(before) - len(words)]))
    return words, gone


def _after_options(words: tuple[str, ...], with_value: str) -> tuple[str, ...]:
    """What a wrapper runs: after its options, their values and its numbers. All of it when it runs nothing."""
    at = 1
    while at < len(words):
        word = words[at]
        if word.startswith("-"):
            at += 2 if word[1:] in with_value.split() else 1
        elif _NUMBER.fullmatch(word) or _ASSIGNMENT.match(word):
            at += 1
        else:
            return words[at:]
    return words


def _without_runner(words: tuple[str, ...]) -> tuple[str, ...]:
    for length in (3, 2, 1):
        runner = " ".join(words[:length])
        if len(words) > length and runner in vocabulary.RUNNERS:
            rest = _after_options(words[length - 1 :], vocabulary.RUNNERS[runner])
            if rest[0] != words[length - 1]:
                return rest
        if len(words) > length and runner in vocabulary.SCRIPT_RUNNERS and words[length] in vocabulary.TOOLS:
            return words[length:]
    return words


def _named(words: tuple[str, ...]) -> tuple[str, ...]:
    """The program by its plain name, subcommands by their long one."""
    if not words:
        return words
    name = words[0]
    if "/bin/" in name or "/.bin/" in name or name.startswith("bin/"):
        name = name.rsplit("/", 1)[-1]
    name = vocabulary.NAMES.get(name.removesuffix(".exe"), name)
    words = (*name.split(" "), *words[1:])
    if words[:2] == ("python", "-m") and len(words) > 2 and words[2] in vocabulary.MODULES:
        return _named(words[2:])
    if words[:4] == ("coverage", "run", "-m", "pytest"):
        return words[3:]
    if words[0] in ("git", "make", "npm", "yarn", "pnpm", "cargo", "docker", "go"):
        words = _without_place(words)
    for length in (3, 2):
        if (known := vocabulary.LONG_FORMS.get(" ".join(words[:length]))) is not None:
            return (*known.split(" "), *words[length:])
    return words


def _without_place(words: tuple[str, ...]) -> tuple[str, ...]:
    """`git -C folder push` is `git push`; `cargo +nightly test` is `cargo test`."""
    at = 1
    while at < len(words):
        if words[at] in ("-C", "--prefix", "--cwd", "--dir", "-c") and words[0] != "docker" and at + 1 < len(words):
            at += 2
        elif words[at] in ("--no-pager", "--silent", "-s", "-P") or (words[0] == "cargo" and words[at][0] == "+"):
            at += 1
        else:
            break
    return (words[0], *words[at:])


def _without_noise(words: tuple[str, ...]) -> list[str]:
    """Without options about how much is printed, how it looks, and how many run side by side."""
    name = words[0] if words else ""
    quiet = vocabulary.QUIET | vocabulary.QUIET_OF.get(name, frozenset())
    valued = vocabulary.QUIET_VALUES | vocabulary.QUIET_VALUES_OF.get(name, frozenset())
    kept: list[str] = []
    skip = False
    for at, word in enumerate(words):
        option, equals, _ = word.partition("=")
        if skip:
            skip = False
        elif at and word.startswith("-") and (option in quiet or option in valued):
            skip = option in valued and not equals and at + 1 < len(words) and not words[at + 1].startswith("-")
        elif at and name in vocabulary.PARALLEL and re.fullmatch(r"-[jn]\d*", word):
            skip = word in ("-j", "-n") and at + 1 < len(words) and bool(re.fullmatch(r"\d+|auto", words[at + 1]))
        elif at and name in vocabulary.VERBOSE and re.fullmatch(r"-(?:v+|q+|s|x|[vqsx]{2,4}|r[aAfEsxXpPN]+)", word):
            continue
        else:
            kept.append(word)
    while kept and kept[-1] in (";", "--"):
        kept.pop()
    return kept


def _without_volatile(words: list[str]) -> list[str]:
    return words[:1] + [_steady(word) for word in words[1:]]


def _steady(word: str) -> str:
    """A word without what is new on every run."""
    word = _TEMPORARY.sub(lambda match: f"{{tmp}}{_temporary(match['rest'])}", word)
    if word.startswith("<<"):
        return word
    for pattern, mark in _MARKS:
        word = pattern.sub(mark, word)
    return word


def _temporary(rest: str) -> str:
    """Of a path below a temporary folder, the last name, when somebody chose it."""
    name = re.split(r"[/\\]", rest.rstrip("/\\"))[-1]
    return "" if not name or _RANDOM.fullmatch(name) or _RANDOM.fullmatch(name.split(".")[0]) else f"/{name}"


def _only_prepares(part: Part) -> bool:
    words = part.words
    return not words or words[0] in _BEFORE or all(_ASSIGNMENT.match(word) for word in words)


def _only_shows(part: Part, before: Part) -> bool:
    """Whether the last part of a line is about how the output is shown."""
    if not part.words:
        return True
    name = part.words[0]
    if part.joint == "|":
        return name in vocabulary.PAGERS or (name in ("grep", "egrep", "rg", "sed", "awk") and checks(before))
    if part.joint == ";":
        return name in ("echo", "printf", "exit") and ("$?" in " ".join(part.words) or len(part.words) == 1)
    return part.joint == "||" and (name in ("true", ":") or (name == "echo" and not part.redirections))
