"""Default ← ``hardwon.toml`` ← the variables of earlier tools ← ``HARDWON_*``, each value with the place it came from.

Nothing wrong is skipped over: a rule that keeps a project out and has a typing error must not silently let it in. So
every wrong value is named, all at once, and nothing is loaded. What is only unknown or unused is a remark.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path

from hardwon.paths import Home, quoted, user_folder
from hardwon.settings import predecessors
from hardwon.settings.keys import DEFAULTS, KEYS, Key, Settings, nearest
from hardwon.settings.kinds import Folders, SettingsError, WrongValueError
from hardwon.settings.values import shown

MOST_UNKNOWN = 20  # unknown keys that are named one by one
NOT_SETTINGS = ("HARDWON_HOME", "HARDWON_STRICT_BORDERS")


@dataclass(frozen=True, slots=True)
class Source:
    """A value and where it came from: "default", "file" with path and line, or "environment" with the variable."""

    value: object
    origin: str
    where: str = ""


@dataclass(frozen=True, slots=True)
class Loaded:
    """The settings, where each came from, and what is worth a remark."""

    settings: Settings
    sources: dict[str, Source]
    remarks: tuple[str, ...] = ()


def load(home: Home, environ: Mapping[str, str]) -> Loaded:
    """The settings that count now; raises one ``SettingsError`` with everything that is wrong."""
    reading = _Reading(environ)
    reading.file(home.settings)
    reading.variables()
    if reading.problems:
        raise SettingsError(*reading.problems)
    remarks = (*reading.remarks, *_unknown_variables(environ), *predecessors.remarks(environ))
    return Loaded(_build(reading.sources), reading.sources, remarks)


def without_variables(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment without any that is a setting."""
    settings = {name for key in KEYS.values() for name in (key.variable, key.alias)}
    return {name: value for name, value in environ.items() if name not in settings}


class _Reading:
    """What has been read so far: a later source replaces an earlier one, problems and remarks add up."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self.environ = environ
        self.sources = {name: Source(key.default, "default") for name, key in KEYS.items()}
        self.problems: list[str] = []
        self.remarks: list[str] = []

    def file(self, path: Path) -> None:
        if not _there(path):
            return  # most people have none, and do not pay for reading TOML
        from hardwon.settings import toml_text

        try:
            document = toml_text.read(path)
        except SettingsError as error:
            self.problems.extend(error.problems)
            return
        if document:
            self._document(path, document.table, document.lines())

    def variables(self) -> None:
        for key in KEYS.values():
            if key.alias:
                self._variable(key, key.alias, key.convert(self.environ.get(key.alias, "")))
        for key in KEYS.values():
            self._variable(key, key.variable, self.environ.get(key.variable, ""))

    def _variable(self, key: Key, variable: str, text: str) -> None:
        if not text.strip():
            return  # empty is unset
        try:
            value = settle(key, key.kind.from_text(text), self.environ)
        except WrongValueError as wrong:
            self.problems.append(complaint(variable, wrong, key.kind.to_text(key.kind.example)))
        else:
            self.sources[key.name] = Source(value, "environment", variable)

    def _document(self, path: Path, table: Mapping[str, object], lines: Mapping[tuple[str, ...], int]) -> None:
        unknown = []
        for section, name, raw in _entries(table):
            line = lines.get((section, name or "")) or lines.get((section,)) or 1
            place = f"{path.name} line {line}:"
            if name is None and section in SECTIONS:
                step = f"write [{section}] on a line of its own, and its keys below it"
                self.problems.append(f"{place} {section} must be a section, got {shown(raw)} — {step}")
            elif f"{section}.{name}" in KEYS:
                self._written(KEYS[f"{section}.{name}"], raw, place, f"{path}:{line}")
            else:
                unknown.append((place, section if name is None else f"{section}.{name}"))
        self.remarks.extend(_unknown_keys(path, unknown))

    def _written(self, key: Key, raw: object, place: str, where: str) -> None:
        try:
            self.sources[key.name] = Source(settle(key, raw, self.environ), "file", where)
        except WrongValueError as wrong:
            self.problems.append(complaint(f"{place} {key.name}", wrong, key.kind.to_toml(key.kind.example)))


SECTIONS = {key.section for key in KEYS.values()}


def settle(key: Key, raw: object, environ: Mapping[str, str]) -> object:
    """The value as the settings have it, or ``WrongValueError``."""
    value = key.kind.check(raw)
    if isinstance(key.kind, Folders) and isinstance(value, tuple):
        return key.kind.expand(value, user_folder(environ))
    return value


def complaint(thing: str, wrong: WrongValueError, good: str) -> str:
    return f"{thing}{wrong.part} must be {wrong.expected}, got {wrong.got} — try {good}"


def not_a_setting(name: str) -> str:
    meant = nearest(name)
    return f"{quoted(name, 60)[1:-1]} is not a setting" + (f"; did you mean {meant}?" if meant else "")


def _there(path: Path) -> bool:
    """Whether there may be a file; one behind a locked door counts, as reading it will say so."""
    try:
        os.lstat(path)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return True


def _entries(table: Mapping[str, object]) -> Iterator[tuple[str, str | None, object]]:
    """Section, key and value; a section that is no table has no key."""
    for section, value in table.items():
        if isinstance(value, dict):
            yield from ((section, name, raw) for name, raw in value.items())
        else:
            yield section, None, value


def _unknown_keys(path: Path, unknown: list[tuple[str, str]]) -> Iterator[str]:
    for place, name in unknown[:MOST_UNKNOWN]:
        yield f"{place} {not_a_setting(name)}"
    if len(unknown) > MOST_UNKNOWN:
        yield f"{path.name}: {len(unknown) - MOST_UNKNOWN} more keys are not settings"


def _unknown_variables(environ: Mapping[str, str]) -> Iterator[str]:
    """A variable that is nearly one of ours; other parts of hardwon have variables that are no settings."""
    known = {key.variable: key for key in KEYS.values()}
    for variable in environ:
        if variable.startswith("HARDWON_") and variable not in known and variable not in NOT_SETTINGS:
            meant = nearest(variable.removeprefix("HARDWON_").lower().replace("_", ".", 1))
            if meant:
                yield f"{quoted(variable, 60)[1:-1]} is not a setting; did you mean {KEYS[meant].variable}?"


def _build(sources: Mapping[str, Source]) -> Settings:
    sections: dict[str, dict[str, object]] = {}
    for key in KEYS.values():
        sections.setdefault(key.section, {})[key.field] = sources[key.name].value
    return Settings(**{one.name: type(getattr(DEFAULTS, one.name))(**sections[one.name]) for one in fields(DEFAULTS)})
