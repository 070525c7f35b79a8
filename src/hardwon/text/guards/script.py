"""A shell line read as the shell would read it: which simple commands it has, with the words that they are handed.

`text/commands/shell.py` gives a line one form, so that two spellings compare; here the question is what is really run.
So quotation marks are taken off, variables that were set on the same line are put in, `{a,b}` is two words, the body of
a here-document belongs to its command, and what stands in `$(…)` is read too. What nobody can know is said to be
unknown instead of guessed. Nothing is run, and nothing is looked at outside the line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

LONGEST = 40_000
"""Characters that are read; of a longer line nothing is sure."""
DEEPEST = 6
"""How far substitutions are followed into each other."""
UNKNOWN = "\ufffc"
"""Stands in a word for what is not known."""
HEAD = "HEAD"

_BLANK = " \t\r"
_SIGN = re.compile(r"(?:\{\w+\}|\d{1,2})?(?:<<<|<<-?|<>|<&|>>|>\||>&|<(?!\()|>(?!\())|&>>?")
_JOINT = re.compile(r"&&|\|\||\|&|;;&|;;|;&|[;|&\n]")
_NAME = re.compile(r"[A-Za-z_]\w{0,80}")
_ASSIGNMENT = re.compile(r"([A-Za-z_]\w{0,80})(\+?)=")
_BRACES = re.compile(r"\{([^{}\s\"'\\$`]{0,200},[^{}\s\"'\\$`]{0,200})\}")
_DOCUMENT = re.compile(r"<<-?[ \t]*(['\"]?)(\w{1,60})\1[^\n]*\n(?:.*?\n)??[ \t]*\2(?=[ \t]*(?:\n|\)|$))", re.DOTALL)
_ANSI = re.compile(r"\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|([0-7]{1,3})|(.))", re.DOTALL)
_ANSI_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "e": "\x1b", "f": "\f", "v": "\v"}


@dataclass(frozen=True, slots=True)
class Word:
    text: str
    is_quoted: bool = False

    @property
    def is_known(self) -> bool:
        return UNKNOWN not in self.text


@dataclass(slots=True)
class Simple:
    """One simple command."""

    words: list[Word] = field(default_factory=list)
    assigned: dict[str, str] = field(default_factory=dict)
    """Variables that stand before it."""
    writes: list[tuple[str, Word]] = field(default_factory=list)
    """Redirections into files: the sign and the file."""
    document: str | None = None
    """What it is handed on its standard input, where that stands in the line."""
    joint: str = ""
    """What stands before it."""
    is_sure: bool = True


class Variables(dict[str, str]):
    """Those whose values the line itself says."""

    def value(self, name: str) -> str:
        return " \t\n" if name == "IFS" and name not in self else self.get(name, UNKNOWN)


class Unread(Exception):
    """It goes on where it should have ended."""


def read(text: str, variables: Variables | None = None, depth: int = 0) -> list[Simple]:
    """Its simple commands in the order in which they are run, what stands in a substitution before what holds it."""
    script = Script(text[:LONGEST], Variables() if variables is None else variables, depth)
    script.whole()
    if script.is_odd or len(text) > LONGEST:
        for one in script.found:
            one.is_sure = False
    return script.found


class Script:
    """Where the reading of one text is."""

    def __init__(self, text: str, variables: Variables, depth: int) -> None:
        self.text = text
        self.at = 0
        self.variables = variables
        self.depth = depth
        self.found: list[Simple] = []
        self.is_odd = False
        """Something in it does not end; from there on it is only guessed."""
        self._now = Simple()
        self._waiting: list[tuple[Simple, str, bool, bool]] = []
        """Here-documents whose bodies come with the next line: command, end, whether tabs go, whether it is quoted."""

    def whole(self) -> None:
        while self.at < len(self.text):
            begins = self.at
            try:
                self._step()
            except Unread:
                self.is_odd = True
                self.at = begins + 1
        self.finish()

    def _step(self) -> None:
        text, at = self.text, self.at
        here = text[at]
        if here in _BLANK:
            self.at += 1
        elif text.startswith("\\\n", at):
            self.at += 2
        elif here == "#":
            end = text.find("\n", at)
            self.at = len(text) if end < 0 else end
        elif here == "(" and text.startswith("((", at) and not self._now.words and (end := text.find("))", at)) > 0:
            self.at = end + 2
        elif here in "()":
            self._parenthesis()
        elif sign := _SIGN.match(text, at):
            self.at = sign.end()
            self._redirection(sign[0].lstrip("0123456789"))
        elif joint := _JOINT.match(text, at):
            self.at = joint.end()
            self._end(joint[0])
        else:
            self._now.words += self.word()

    def _parenthesis(self) -> None:
        """A subshell, the name of a function before its body, or the end of a pattern of `case`."""
        if self.text[self.at] == "(" and self._now.words and self.text[self.at + 1 :].lstrip(_BLANK).startswith(")"):
            self._now.words.clear()
        self.at += 1
        self._end(self._now.joint if not self._now.words else ";")

    def _end(self, joint: str) -> None:
        """A simple command is complete."""
        now = self._now
        _take_assignments(now)
        if now.words or now.assigned or now.writes:
            self.found.append(now)
            if not now.words:
                self.variables.update(now.assigned)
            elif now.words[0].text in ("export", "declare", "local", "readonly", "typeset"):
                self.variables.update(_exported(now.words[1:]))
            elif now.words[0].text in ("for", "select", "read") and len(now.words) > 1:
                self.variables[now.words[1].text] = UNKNOWN
        self._now = Simple(joint=joint)
        if joint == "\n":
            self._documents()

    def finish(self) -> None:
        self._end("\n")

    def _documents(self) -> None:
        for simple, end, strips, quoted in self._waiting:
            lines: list[str] = []
            while self.at < len(self.text):
                line, _, _ = self.text[self.at :].partition("\n")
                self.at += len(line) + 1
                bare = line.lstrip("\t") if strips else line
                if bare.strip() == end:
                    break
                lines.append(bare)
            body = "\n".join(lines)
            simple.document = body
            if not quoted and self.depth < DEEPEST:
                self.found += _substitutions(body, self.variables, self.depth)
        self._waiting.clear()

    def _redirection(self, sign: str) -> None:
        while self.at < len(self.text) and self.text[self.at] in _BLANK:
            self.at += 1
        begins = self.at
        target = (self.word() or [Word("")])[0]
        if sign.startswith("<<<"):
            self._now.document = target.text
        elif sign.startswith("<<"):
            raw = self.text[begins : self.at]
            self._waiting.append((self._now, target.text, sign.endswith("-"), raw != target.text))
        elif ">" in sign and not (sign.endswith("&") and re.fullmatch(r"\d+|-", target.text)):
            self._now.writes.append((sign, target))

    # ── words ────────────────────────────────────────────────────────────────────────────────────────────────────────

    def word(self) -> list[Word]:
        """The word that begins here; several where an unquoted variable has blanks, or braces have alternatives."""
        begins = self.at
        fields: list[str] = [""]
        quoted = started = False
        while self.at < len(self.text):
            here = self.text[self.at]
            if here in _BLANK or here in "\n;|&()<>":
                if here not in "<>" or not self.text.startswith("(", self.at + 1):
                    break
                self._nested(self.at + 2, ")")  # a process substitution: a file whose name nobody knows
                fields[-1] += UNKNOWN
            elif here == "\\":
                following = self.text[self.at + 1 : self.at + 2]
                fields[-1] += "" if following == "\n" else following
                self.at += 2
            elif here == "'":
                fields[-1] += self._until("'")
                quoted = True
            elif here == '"':
                fields[-1] += self._quoted()
                quoted = True
            elif here == "`" or here == "$":
                if self.text.startswith("$'", self.at):
                    self.at += 1
                    fields[-1] += self._ansi()
                    quoted = True
                elif self.text.startswith('$"', self.at):
                    self.at += 1
                else:
                    _split(self._expansion(), fields)
            else:
                fields[-1] += here
                self.at += 1
            started = True
        if not started:  # a lone sign: go on behind it
            self.at = max(self.at, begins + 1)
            return []
        words = [Word(one, quoted) for one in fields if one or quoted]
        raw = self.text[begins : self.at]
        return [Word(one) for one in _alternatives(raw)] if len(words) == 1 and _BRACES.search(raw) else words

    def _until(self, end: str) -> str:
        stop = self.text.find(end, self.at + 1)
        if stop < 0:
            raise Unread
        inner = self.text[self.at + 1 : stop]
        self.at = stop + 1
        return inner

    def _ansi(self) -> str:
        """`$'…'`: with escapes, of which `\\'` does not end it."""
        match = re.compile(r"'((?:[^'\\]|\\.)*)'", re.DOTALL).match(self.text, self.at)
        if match is None:
            raise Unread
        self.at = match.end()
        return _ANSI.sub(_character, match[1])

    def _quoted(self) -> str:
        self.at += 1
        text = ""
        while self.at < len(self.text):
            here = self.text[self.at]
            if here == '"':
                self.at += 1
                return text
            if here == "\\":
                following = self.text[self.at + 1 : self.at + 2]
                text += "" if following == "\n" else following if following in '$`"\\' else "\\" + following
                self.at += 2
            elif here in "`$":
                text += self._expansion()
            else:
                text += here
                self.at += 1
        raise Unread

    def _expansion(self) -> str:
        """What begins with `$` or a back quote."""
        text, at = self.text, self.at
        if text[at] == "`":
            inner = self._until("`")
            return self._output(inner.replace("\\`", "`").replace("\\$", "$"))
        if text.startswith("$((", at) and (end := text.find("))", at)) > 0:
            self.at = end + 2
            return UNKNOWN
        if text.startswith("$(", at):
            return self._output(self._nested(at + 2, ")"))
        if text.startswith("${", at):
            return self._parameter(self._nested(at + 2, "}"))
        if name := _NAME.match(text, at + 1):
            self.at = name.end()
            return self.variables.value(name[0])
        self.at += 2 if text[at + 1 : at + 2] in tuple("0123456789@*#?$!-_") and at + 1 < len(text) else 1
        return UNKNOWN if self.at - at == 2 else "$"

    def _nested(self, begins: int, end: str) -> str:
        """The text up to the sign that ends it, with quotation marks and what is nested in it respected."""
        opening = {")": "(", "}": "{"}[end]
        at, open_ = begins, 1
        while at < len(self.text):
            here = self.text[at]
            if here == "\\":
                at += 1
            elif here == "<" and end == ")" and (document := _DOCUMENT.match(self.text, at)):
                at = document.end() - 1
            elif here == "'" and end == ")":
                stop = self.text.find("'", at + 1)
                at = len(self.text) if stop < 0 else stop
            elif here == '"':
                match = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL).match(self.text, at)
                at = match.end() - 1 if match else len(self.text)
            elif here == opening:
                open_ += 1
            elif here == end:
                open_ -= 1
                if not open_:
                    self.at = at + 1
                    return self.text[begins:at]
            at += 1
        raise Unread

    def _output(self, script: str) -> str:
        """What a substitution gives, where that is plain; what it runs is run before the command that holds it."""
        if self.depth >= DEEPEST:
            return UNKNOWN
        inner = read(script, Variables(self.variables), self.depth + 1)
        self.found += inner
        words = [word.text for word in inner[0].words] if len(inner) == 1 else []
        if words[:1] == ["echo"]:
            return " ".join(word for word in words[1:] if word not in ("-n", "-e"))
        if words[:1] == ["printf"] and len(words) > 1:
            return (
                words[2]
                if words[1] in ("%s", "%s\\n") and len(words) == 3
                else words[1]
                if len(words) == 2
                else UNKNOWN
            )
        return HEAD if " ".join(words) in _CURRENT_BRANCH else UNKNOWN

    def _parameter(self, inner: str) -> str:
        name = _NAME.match(inner)
        if name is None:
            return UNKNOWN
        known, rest = self.variables.value(name[0]), inner[name.end() :]
        if not rest:
            return known
        if rest.startswith((":-", "-")) and known == UNKNOWN:
            return rest.lstrip(":").removeprefix("-") if "$" not in rest and "`" not in rest else UNKNOWN
        return known if rest.startswith((":-", "-", ":?", "?")) else UNKNOWN


_CURRENT_BRANCH = (
    "git branch --show-current",
    "git rev-parse --abbrev-ref HEAD",
    "git symbolic-ref --short HEAD",
    "git symbolic-ref --short -q HEAD",
    "git symbolic-ref HEAD --short",
)


def _take_assignments(now: Simple) -> None:
    while now.words and (match := _ASSIGNMENT.match(now.words[0].text)):
        value = now.words.pop(0).text[match.end() :]
        now.assigned[match[1]] = UNKNOWN if match[2] else value


def _exported(words: list[Word]) -> Iterator[tuple[str, str]]:
    for word in words:
        if match := _ASSIGNMENT.match(word.text):
            yield match[1], word.text[match.end() :]


def _split(value: str, fields: list[str]) -> None:
    """An unquoted value is cut at its blanks."""
    pieces = re.split(r"[ \t\n]+", value)
    fields[-1] += pieces[0]
    fields += pieces[1:]


def _alternatives(raw: str) -> list[str]:
    """`{a,b}c` is two words; only where nothing in it is quoted."""
    done: list[str] = []
    todo = [raw]
    while todo and len(done) + len(todo) < 50:
        one = todo.pop(0)
        match = _BRACES.search(one)
        if match is None:
            done.append(one)
            continue
        todo = [one[: match.start()] + piece + one[match.end() :] for piece in match[1].split(",")] + todo
    return [one for one in done if one]


def _character(match: re.Match[str]) -> str:
    if match[1] or match[2]:
        return chr(int(match[1] or match[2], 16))
    return chr(int(match[3], 8)) if match[3] else _ANSI_LETTERS.get(match[4], match[4])


def _substitutions(body: str, variables: Variables, depth: int) -> list[Simple]:
    """What the body of a here-document runs."""
    found: list[Simple] = []
    for match in re.finditer(r"\$\(([^()]{1,2000})\)", body):
        found += read(match[1], Variables(variables), depth + 1)
    return found
