"""The kinds of value that a setting can have.

A kind reads a value as it is written in a variable (``from_text``), checks one as it stands in TOML (``check``), and
writes one back as TOML (``to_toml``) or as text (``to_text``). What does not fit is raised as ``WrongValueError``.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hardwon.paths import quoted
from hardwon.settings.values import shown, toml

TRUE = ("true", "yes", "on", "1")
FALSE = ("false", "no", "off", "0")


class SettingsError(ValueError):
    """Everything that is wrong with the settings, a sentence each."""

    def __init__(self, *problems: str) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class WrongValueError(ValueError):
    """A value that does not fit: what was expected, what was got, and at which part of the key."""

    def __init__(self, expected: str, got: str, part: str = "") -> None:
        super().__init__(f"expected {expected}, got {got}")
        self.expected, self.got, self.part = expected, got, part


@dataclass(frozen=True, slots=True)
class RedactRule:
    """A redaction rule of the user: what the found text is replaced by, and how it is found."""

    name: str
    pattern: str


class Kind:
    """What every kind can do; ``example`` is the good value that a message proposes."""

    __slots__ = ("example", "expected")

    def __init__(self, expected: str, example: object) -> None:
        self.expected, self.example = expected, example

    def from_text(self, text: str) -> object:
        """The value as TOML would have it, read from a variable or a command line."""
        raise NotImplementedError

    def check(self, value: object) -> object:
        """The value as a setting has it, from one that stands in TOML."""
        raise NotImplementedError

    def try_out(self, value: object) -> None:
        """What takes too long to be asked whenever the settings are read: asked before a value is written."""

    def to_toml(self, value: object) -> str:
        return toml(value)

    def to_text(self, value: object) -> str:
        """What ``from_text`` reads back."""
        return value if isinstance(value, str) else toml(value)

    def wrong(self, value: object, part: str = "") -> WrongValueError:
        return WrongValueError(self.expected, shown(value), part)


class Switch(Kind):
    """True or false."""

    __slots__ = ()

    def __init__(self, example: bool) -> None:
        super().__init__("true or false", example)

    def from_text(self, text: str) -> object:
        word = text.strip().casefold()
        if word not in TRUE + FALSE:
            raise self.wrong(text)
        return word in TRUE

    def check(self, value: object) -> object:
        if not isinstance(value, bool):
            raise self.wrong(value)
        return value


class Whole(Kind):
    """A whole number within bounds."""

    __slots__ = ("high", "low")

    def __init__(self, low: int, high: int, example: int) -> None:
        super().__init__(f"a whole number from {low} to {high}", example)
        self.low, self.high = low, high

    def from_text(self, text: str) -> object:
        try:
            return int(text)
        except ValueError:
            raise self.wrong(text) from None

    def check(self, value: object) -> object:
        if not isinstance(value, int) or isinstance(value, bool) or not self.low <= value <= self.high:
            raise self.wrong(value)
        return value

    def clamp(self, text: str) -> str:
        """The nearest allowed number, for a tool that had no bounds; anything else is left for ``check``."""
        try:
            return str(min(max(int(text), self.low), self.high))
        except ValueError:
            return text


class Number(Kind):
    """A number within bounds; ``above`` leaves the lower bound itself out."""

    __slots__ = ("above", "high", "low")

    def __init__(self, low: float, high: float, example: float, *, above: bool = False) -> None:
        start = f"above {toml(low)} and up to" if above else f"from {toml(low)} to"
        super().__init__(f"a number {start} {toml(high)}", example)
        self.low, self.high, self.above = low, high, above

    def from_text(self, text: str) -> object:
        try:
            return float(text)
        except ValueError:
            raise self.wrong(text) from None

    def check(self, value: object) -> object:
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise self.wrong(value)
        if not self.low <= value <= self.high or (self.above and value == self.low):
            raise self.wrong(value)
        return float(value)


class Choice(Kind):
    """One of a few words."""

    __slots__ = ("words",)

    def __init__(self, words: Sequence[str], example: str) -> None:
        super().__init__(" or ".join(map(quoted, words)), example)
        self.words = tuple(words)

    def from_text(self, text: str) -> object:
        return text.strip().casefold()

    def check(self, value: object) -> object:
        if not isinstance(value, str) or value not in self.words:
            raise self.wrong(value)
        return value


class Names(Kind):
    """A list of names or globs; in a variable separated by commas, or a JSON list when a name has one in it."""

    __slots__ = ("separator",)
    what = "a list of names"

    def __init__(self, example: Sequence[str] = ("client-*", "diary"), separator: str = ",") -> None:
        super().__init__(self.what, tuple(example))
        self.separator = separator

    def from_text(self, text: str) -> object:
        if text.lstrip().startswith(('["', "[]")):
            return from_json(self, text)
        return [part.strip() for part in text.split(self.separator) if part.strip()]

    def check(self, value: object) -> object:
        if not isinstance(value, list | tuple):
            raise self.wrong(value)
        return tuple(self.item(item, f"[{index}]") for index, item in enumerate(value))

    def item(self, item: object, part: str) -> str:
        if not isinstance(item, str) or not item.strip() or "\0" in item:
            raise WrongValueError("a name", shown(item), part)
        return item

    def to_text(self, value: object) -> str:
        assert isinstance(value, list | tuple)
        plain = value and all(self.separator not in item and item == item.strip() for item in value)
        return self.separator.join(value) if plain and not value[0].startswith(('["', "[]")) else to_json(list(value))


class Folders(Names):
    """A list of folders or globs; in a variable separated as PATH is. One that could match nothing is refused."""

    __slots__ = ()
    what = "a list of folders"

    def __init__(self) -> None:
        super().__init__(("~/private", "*/secret/*"), os.pathsep)

    def item(self, item: object, part: str) -> str:
        folder = super().item(item, part)
        if not (folder.startswith(("/", "*", "~/")) or folder == "~"):
            raise WrongValueError("a folder that starts with /, ~/ or *", shown(item), part)
        return folder

    @staticmethod
    def expand(folders: Sequence[str], user: Path | None) -> tuple[str, ...]:
        """Without ``~`` and without a slash at the end, as they are compared."""
        if user is None and any(one.startswith("~") for one in folders):
            raise WrongValueError("a list of full paths (HOME is not set)", "one with ~")
        whole = (f"{user}{one[1:]}" if one.startswith("~") else one for one in folders)
        return tuple(os.path.normpath("/" + one.lstrip("/") if one.startswith("/") else one) for one in whole)


class Address(Kind):
    """The address of something in the network, or none. Only these ways to it: others can run a program."""

    __slots__ = ("begins",)

    def __init__(self, example: str, begins: tuple[str, ...] = ("http://", "https://")) -> None:
        *most, last = [one.replace(":///", "://") for one in begins]
        super().__init__(f"an address that begins with {', '.join(most)} or {last}, or nothing", example)
        self.begins = begins

    def from_text(self, text: str) -> object:
        """What is typed now is looked at more closely than what a file has had for long: that must not stop all."""
        from urllib.parse import urlsplit

        address = self.check(text.strip())
        try:
            parts = urlsplit(str(address))
            is_one = not address or bool(parts.hostname and parts.port != 0)
        except ValueError:
            is_one = False
        if not is_one:
            raise WrongValueError("an address with a host and, if it has a port, a number for it", shown(address))
        return address

    def check(self, value: object) -> object:
        if value == "":
            return value
        if not isinstance(value, str) or not value.startswith(self.begins):
            raise self.wrong(value)
        if not value.isprintable() or " " in value:
            raise WrongValueError("an address without blanks", shown(value))
        if ":" in value.partition("://")[2].partition("/")[0].rpartition("@")[0]:
            raise WrongValueError("an address without a password", "one that has one")
        return value


class Repository(Address):
    """The address of a git repository."""

    __slots__ = ()

    def __init__(self, example: str) -> None:
        super().__init__(example, ("https://", "ssh://", "file:///"))

    def from_text(self, text: str) -> object:
        return text.strip()


class Word(Kind):
    """A name without blanks, or nothing."""

    __slots__ = ()

    def __init__(self, example: str) -> None:
        super().__init__("a name without blanks, or nothing", example)

    def from_text(self, text: str) -> object:
        return text.strip()

    def check(self, value: object) -> object:
        if not isinstance(value, str) or not (value == "" or (value.isprintable() and " " not in value)):
            raise self.wrong(value)
        return value


class Model(Kind):
    """Where a model comes from: one of three words, or a folder."""

    __slots__ = ()
    words = ("packaged", "endpoint", "off")

    def __init__(self, example: str) -> None:
        super().__init__('"packaged", "endpoint", "off", or a folder that starts with / or ~/', example)

    def from_text(self, text: str) -> object:
        word = text.strip()
        return word.casefold() if word.casefold() in self.words else word

    def check(self, value: object) -> object:
        if not isinstance(value, str) or not (value in self.words or value.startswith(("/", "~/"))) or "\0" in value:
            raise self.wrong(value)
        return value


class Rules(Kind):
    """A list of redaction rules; in a variable a JSON list."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__("a list of { name, pattern }", (RedactRule("ticket", "TICKET-[0-9]+"),))

    def from_text(self, text: str) -> object:
        return from_json(self, text)

    def check(self, value: object) -> object:
        if not isinstance(value, list | tuple):
            raise self.wrong(value)
        rules = tuple(self.rule(item, f"[{index}]") for index, item in enumerate(value))
        for index, rule in enumerate(rules):
            if rule.name in {earlier.name for earlier in rules[:index]}:
                raise WrongValueError("a name that no other rule has", shown(rule.name), f"[{index}].name")
        return rules

    def try_out(self, value: object) -> None:
        from hardwon.redact import own

        assert isinstance(value, tuple)
        for index, rule in enumerate(value):
            try:
                own.check(rule.name, rule.pattern)
            except ValueError as error:
                raise WrongValueError("a rule that can be used", str(error), f"[{index}]") from None

    def rule(self, item: object, part: str) -> RedactRule:
        if not isinstance(item, dict) or set(item) != {"name", "pattern"}:
            fields = ", ".join(map(str, item)) if isinstance(item, dict) else ""
            raise WrongValueError("{ name, pattern }", f"{{ {fields} }}" if fields else shown(item), part)
        return RedactRule(_rule_name(item["name"], part), _rule_pattern(item["pattern"], part))

    def to_toml(self, value: object) -> str:
        return toml(_rule_tables(value))

    def to_text(self, value: object) -> str:
        return to_json(_rule_tables(value))


def _rule_name(name: object, part: str) -> str:
    import re

    from hardwon.redact.own import NAME

    if not isinstance(name, str) or not re.fullmatch(NAME, name):
        raise WrongValueError("a word of up to 40 letters from a to z, digits, - and _", shown(name), f"{part}.name")
    return name


def _rule_pattern(pattern: object, part: str) -> str:
    import re

    expected = "a regular expression that finds at least one character"
    if not isinstance(pattern, str):
        raise WrongValueError(expected, shown(pattern), f"{part}.pattern")
    try:
        if not re.compile(pattern).search(""):
            return pattern
    except (re.error, OverflowError, RecursionError) as error:
        raise WrongValueError(expected, f"{shown(pattern)} ({error})", f"{part}.pattern") from None
    raise WrongValueError(expected, f"{shown(pattern)}, which finds nothing everywhere", f"{part}.pattern")


def _rule_tables(value: object) -> list[dict[str, str]]:
    assert isinstance(value, list | tuple)
    return [item if isinstance(item, dict) else {"name": item.name, "pattern": item.pattern} for item in value]


def from_json(kind: Kind, text: str) -> object:
    import json

    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise WrongValueError(f"{kind.expected} in JSON", shown(text)) from None


def to_json(value: object) -> str:
    import json

    return json.dumps(value, ensure_ascii=False)
