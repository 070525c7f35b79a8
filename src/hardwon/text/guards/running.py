"""Which programs a line runs in the end: behind `sudo` and `env`, in `bash -c` and `eval`, piped to a shell."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from hardwon.text.commands import vocabulary
from hardwon.text.guards import script
from hardwon.text.guards.script import DEEPEST, UNKNOWN, Simple, Variables, Word

_SHELLS = frozenset({"sh", "bash", "zsh", "dash", "ksh", "ash", "fish"})
_KEYWORDS = frozenset({*vocabulary.KEYWORDS, "}", "fi", "done", "esac", "time", "coproc", "{"})
_MORE_WRAPPERS = {
    "builtin": "",
    "busybox": "",
    "watch": "n",
    "xargs": "I n P L d s E a",
    "parallel": "j",
    "nohup": "",
    "su": "",
}
_VALUES = {**vocabulary.WRAPPERS, **_MORE_WRAPPERS}
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w{0,80}=")
_NUMBER = re.compile(r"[\d.]+[smhd]?")
_MOST = 500
"""Programs of one line."""


@dataclass(frozen=True, slots=True)
class Run:
    """One program that is started, by its plain name."""

    words: tuple[Word, ...]
    environment: dict[str, str] = field(default_factory=dict)
    writes: tuple[tuple[str, Word], ...] = ()
    document: str | None = None
    is_sure: bool = True

    @property
    def name(self) -> str:
        return self.words[0].text.rpartition("/")[2].removesuffix(".exe")

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(word.text for word in self.words)


def runs(line: str) -> list[Run]:
    """In their order. A name that the line itself makes an alias or a function is what it stands for."""
    return list(_of_line(line, Variables(), {}, 0))[:_MOST]


def _of_line(line: str, variables: Variables, aliases: dict[str, str], depth: int) -> Iterator[Run]:
    if depth > DEEPEST:
        return
    before: Simple | None = None
    for simple in script.read(line, variables, depth):
        if simple.document is None and before is not None and simple.joint in ("|", "|&"):
            simple.document = _printed(before)
        yield from _of_simple(simple, variables, aliases, depth)
        before = simple


def _printed(simple: Simple) -> str | None:
    """What a command hands on, where that stands in the line."""
    texts = [word.text for word in simple.words]
    if texts[:1] == ["echo"]:
        return " ".join(one for one in texts[1:] if one not in ("-n", "-e", "-ne"))
    if texts[:1] == ["printf"]:
        return _formatted(texts[1:])
    return simple.document if texts[:1] == ["cat"] and len(texts) == 1 else None


def _formatted(texts: Sequence[str]) -> str:
    said = " ".join(one for one in texts if one not in ("%s", "%s\\n", "--"))
    return said.replace("\\n", "\n")


def _of_simple(simple: Simple, variables: Variables, aliases: dict[str, str], depth: int) -> Iterator[Run]:
    words, environment = _program(list(simple.words), dict(simple.assigned))
    is_sure = simple.is_sure
    if not words:
        if simple.writes:
            yield Run((), environment, tuple(simple.writes), simple.document, is_sure)
        return
    name = words[0].text.rpartition("/")[2]
    if name == "alias":
        for word in words[1:]:
            given, equals, meaning = word.text.partition("=")
            if equals:
                aliases[given] = meaning
        return
    if name in aliases and not words[0].is_quoted:
        meaning = aliases[name]
        rest = " ".join(_requoted(word) for word in words[1:])
        yield from _of_line(f"{meaning} {rest}", variables, {k: v for k, v in aliases.items() if k != name}, depth + 1)
        return
    inner = _script_of(name, words, simple.document)
    if inner is not None:
        yield from _of_line(inner, variables, aliases, depth + 1)
    if name == "find":
        yield from _of_find(words, variables, aliases, depth)
    yield Run(tuple(words), environment, tuple(simple.writes), simple.document, is_sure)


def _program(words: list[Word], environment: dict[str, str]) -> tuple[list[Word], dict[str, str]]:
    """The words from the program on, and the variables that it is given."""
    for _ in range(50):
        if not words:
            break
        name = words[0].text.rpartition("/")[2]
        if name in _KEYWORDS and not words[0].is_quoted and (len(words) > 1 or name in ("}", "fi", "done", "esac")):
            words = words[1:]
            while name == "time" and len(words) > 1 and words[0].text in ("-p", "--"):
                words = words[1:]
        elif _ASSIGNMENT.match(words[0].text):
            key, _, value = words[0].text.partition("=")
            environment[key] = value
            words = words[1:]
        elif (name == "command" and len(words) > 1 and words[1].text in ("-v", "-V")) or (
            name == "su" and any(word.text == "-c" for word in words)
        ):
            break
        elif name in _VALUES and (rest := _after_options(words, _VALUES[name].split())):
            words = rest
        else:
            break
    return words, environment


def _after_options(words: list[Word], with_value: Sequence[str]) -> list[Word]:
    """What a wrapper runs: after its options, their values, its numbers and its variables."""
    at = 1
    while at < len(words):
        text = words[at].text
        if text == "--":
            return words[at + 1 :]
        if text.startswith("-") and len(text) > 1:
            at += 2 if text[1:] in with_value else 1
        elif _NUMBER.fullmatch(text):
            at += 1
        else:
            return words[at:]
    return []


def _script_of(name: str, words: Sequence[Word], document: str | None) -> str | None:
    """The script that a program is handed as a text."""
    if name == "eval":
        return " ".join(word.text for word in words[1:])
    if name in _SHELLS or name == "su":
        for at, word in enumerate(words[1:], 1):
            if re.fullmatch(r"-[a-zA-Z]*c[a-zA-Z]*", word.text) and at + 1 < len(words):
                return words[at + 1].text
        files = [word for word in words[1:] if not word.text.startswith("-")]
        return document if not files else None
    if name in ("source", ".") and len(words) > 1 and words[1].text in ("/dev/stdin", "-"):
        return document
    return None


def _of_find(words: list[Word], variables: Variables, aliases: dict[str, str], depth: int) -> Iterator[Run]:
    for at, word in enumerate(words):
        if word.text in ("-exec", "-execdir", "-ok"):
            inner: list[Word] = []
            for one in words[at + 1 :]:
                if one.text in (";", "+"):
                    break
                inner.append(one)
            yield from _of_simple(Simple(inner), variables, aliases, depth + 1)


def _requoted(word: Word) -> str:
    return UNKNOWN if not word.is_known else "'" + word.text.replace("'", "'\\''") + "'"
