"""Starter lessons: the form of a file of them, and what is wrong with one. Pure.

A file has frontmatter (`skill`, `also`, `sources`) and entries, each a title, a fact and where it is documented:

    - [state first] The numbers are those of the last `state`.
      source: readme

Somebody else's text that a model will read: so it states facts and gives no orders, downloads nothing, and can be
looked up.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from hardwon.memory import normalise
from hardwon.redact import Redactor

LONGEST = 300
"""Characters of one lesson."""
LONGEST_TITLE = 60


@dataclass(frozen=True, slots=True)
class Lesson:
    title: str
    text: str
    source: str
    """The address where it is documented, or the name that was given for one."""
    line: int


@dataclass(frozen=True, slots=True)
class Starter:
    skill: str
    also: tuple[str, ...] = ()
    """Other names under which clients load it, such as `plugin:skill`."""
    lessons: tuple[Lesson, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return (self.skill, *self.also)


@dataclass(frozen=True, slots=True)
class Problem:
    line: int
    says: str


@dataclass(slots=True)
class _Reading:
    """A file half read."""

    fields: dict[str, str] = field(default_factory=dict)
    sources: dict[str, tuple[str, int]] = field(default_factory=dict)
    entries: list[tuple[int, str]] = field(default_factory=list)
    cited: dict[int, str] = field(default_factory=dict)
    """The source of the entry that begins in a line."""
    problems: list[Problem] = field(default_factory=list)


def parse(text: str) -> tuple[Starter, list[Problem]]:
    """The starter that a text is, and everything that is wrong with its form."""
    lines = text.removeprefix("\ufeff").splitlines()
    found = _Reading()
    body = _frontmatter(lines, found)
    _entries(lines, body, found)
    lessons = tuple(_lesson(line, entry, found) for line, entry in found.entries)
    _check_sources(found)
    also = tuple(name.strip() for name in found.fields.get("also", "").split(",") if name.strip())
    return Starter(found.fields.get("skill", ""), also, lessons), found.problems


def check(text: str, redactor: Redactor) -> list[Problem]:
    """Everything that is wrong with a file, in the order of its lines."""
    starter, problems = parse(text)
    if not starter.skill:
        problems.append(Problem(1, "the frontmatter names no skill: add `skill: NAME`"))
    if not starter.lessons:
        problems.append(Problem(1, "there is no lesson: add lines such as `- [title] fact` with a `source:` below"))
    problems += [Problem(one.line, says) for one in starter.lessons for says in _wrong(one, redactor)]
    problems += _repeated(starter.lessons)
    return sorted(problems, key=lambda problem: problem.line)


def _frontmatter(lines: Sequence[str], found: _Reading) -> int:
    """Reads the fields; the index of the first line after them."""
    if not lines or lines[0].strip() != "---":
        found.problems.append(Problem(1, "it does not begin with `---`: a file needs frontmatter"))
        return 0
    for number, line in enumerate(lines[1:], 2):
        if line.strip() == "---":
            return number
        key, colon, value = (part.strip() for part in line.partition(":"))
        if not line.strip():
            continue
        if not colon:
            found.problems.append(Problem(number, f'"{_short(line)}" is not `name: value`'))
        elif line[0] in " \t":
            found.sources[key] = (value, number)
        elif key in ("skill", "also"):
            found.fields[key] = value
        elif key != "sources":
            found.problems.append(Problem(number, f'"{_short(key)}" is unknown: there are skill, also and sources'))
    found.problems.append(Problem(1, "the frontmatter has no end: close it with `---`"))
    return len(lines)


def _entries(lines: Sequence[str], start: int, found: _Reading) -> None:
    for number, line in enumerate(lines[start:], start + 1):
        bare = line.strip()
        if line.startswith("- "):
            found.entries.append((number, bare[2:].strip()))
        elif not bare or line.startswith("#"):
            continue
        elif line[0] in " \t" and found.entries:
            began, entry = found.entries[-1]
            if bare.startswith("source:"):
                found.cited[began] = bare.removeprefix("source:").strip()
            else:
                found.entries[-1] = (began, f"{entry} {bare}")
        else:
            found.problems.append(
                Problem(number, f'"{_short(bare)}" is neither a lesson (`- [title] fact`) nor a heading')
            )


def _lesson(line: int, entry: str, found: _Reading) -> Lesson:
    match = re.match(r"\[([^\]]*)\]\s*(.*)", entry)
    title, text = (match[1].strip(), match[2].strip()) if match else ("", entry)
    cited = found.cited.get(line, "")
    address, _ = found.sources.get(cited, (cited, 0))
    return Lesson(title, text, address, line)


def _check_sources(found: _Reading) -> None:
    for name, (address, line) in found.sources.items():
        if not _is_address(address):
            found.problems.append(
                Problem(line, f'the source "{_short(name)}" is not an address that begins with https://')
            )
        if name not in found.cited.values():
            found.problems.append(Problem(line, f'the source "{_short(name)}" is used by no lesson'))


def _wrong(lesson: Lesson, redactor: Redactor) -> Iterator[str]:
    if not lesson.title or len(lesson.title) > LONGEST_TITLE:
        yield f"a lesson begins with a title of 1 to {LONGEST_TITLE} characters: `- [title] fact`"
    if not lesson.text:
        yield "the lesson has no text"
    if len(lesson.text) > LONGEST:
        yield f"the lesson has {len(lesson.text)} characters, {LONGEST} are allowed"
    if not lesson.source:
        yield "the lesson has no source: add a line `  source: NAME` or `  source: https://…` below it"
    elif not _is_address(lesson.source):
        yield f'the source "{_short(lesson.source)}" is neither in the frontmatter nor an address'
    whole = f"{lesson.title} {lesson.text}"
    if order := _order(lesson.text):
        yield f'"{order}" is an order: state the fact and leave the decision to the reader'
    if _DOWNLOADS.search(whole):
        yield "it runs what it downloads: a lesson must not"
    if not whole.isprintable():
        yield "it has invisible or control characters"
    if names := sorted({name for name, _, _ in redactor.findings(whole)}):
        yield f"it holds what looks like a secret ({', '.join(names)})"


def _order(text: str) -> str:
    """The words that tell the reader what to do; empty when there are none."""
    found = _FIRST_WORD.match(text) or _ADDRESSED.search(text)
    return found[1] if found else ""


# Words that make a sentence an order when it begins with them; in code they are names.
_FIRST_WORD = re.compile(
    r"[^\w`]{0,20}(add|always|avoid|be|call|check|choose|close|copy|create|delete|disable|do|don['’]t|download|enable|ensure"
    r"|execute|follow|forget|ignore|insert|install|keep|launch|make|must|never|obey|open|paste|please|pretend|put|read"
    r"|remember|remove|replace|restart|run|send|set|skip|start|stop|switch|tell|treat|try|use|verify|wait|write)\b",
    re.IGNORECASE,
)
_ADDRESSED = re.compile(
    r"\b(you (?:must|should|have to|need to|are (?:to|now))"
    r"|(?:ignore|disregard|forget) (?:all|any|the|your|previous))\b",
    re.IGNORECASE,
)
_SHELL = r"(?:sudo )?(?:(?:ba|z|da|k|fi)?sh|python[\d.]{0,5}|perl|ruby|node|iex)\b"
_DOWNLOADS = re.compile(
    rf"\b(?:curl|wget|iwr|irm|fetch|invoke-\w{{1,20}})\b[^|]{{0,300}}\|\s{{0,5}}{_SHELL}"
    rf"|(?:\b{_SHELL}|\beval\b|\bsource\b)[^\n]{{0,40}}(?:<\(|\$\(|`)\s{{0,5}}(?:curl|wget)\b",
    re.IGNORECASE,
)


def _repeated(lessons: Iterable[Lesson]) -> Iterator[Problem]:
    first: dict[str, int] = {}
    for lesson in lessons:
        key = normalise(lesson.text)
        if key and first.setdefault(key, lesson.line) != lesson.line:
            yield Problem(lesson.line, f"line {first[key]} says the same")


def _is_address(text: str) -> bool:
    return re.fullmatch(r"https://[\w.-]{3,200}(?:/\S{0,500})?", text) is not None


def _short(text: str) -> str:
    clipped = " ".join(text.split())[:60]
    return "".join(letter for letter in clipped if letter.isprintable())
