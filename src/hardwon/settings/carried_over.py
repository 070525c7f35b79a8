"""The variables of earlier tools that a client's settings hold, and what each would become in ``hardwon.toml``.

A variable counts for a command and for the daemon at its start; what stands in a client's settings reaches one of them
only by chance. In the file it counts always. Paths are import sources and stay where they are; so does whatever looks
like a secret.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from hardwon.paths import Home
from hardwon.redact import Redactor
from hardwon.settings import predecessors
from hardwon.settings.edit import set_value
from hardwon.settings.keys import KEYS, Key
from hardwon.settings.kinds import SettingsError, WrongValueError
from hardwon.settings.load import complaint
from hardwon.settings.toml_text import read


@dataclass(frozen=True, slots=True)
class Place:
    """Where variables were found, as a message names it."""

    name: str
    variables: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Copy:
    """One variable, and the line of the file that it would become."""

    variable: str
    text: str
    where: str
    key: Key
    value: object

    @property
    def line(self) -> str:
        return f"{self.key.name} = {self.key.kind.to_toml(self.value)}"


@dataclass(frozen=True, slots=True)
class Offer:
    """What can be copied, and what can't and why."""

    copies: tuple[Copy, ...] = ()
    remarks: tuple[str, ...] = ()


def offer(home: Home, places: Sequence[Place]) -> Offer:
    """What of these places the file does not say yet; the first place that sets a key counts. Writes nothing."""
    try:
        file = read(home.settings)
    except SettingsError as error:
        return Offer((), (f"Settings of earlier tools are not looked for: {error}",))
    found: dict[str, Copy] = {}
    remarks: list[str] = []
    for place, key in _set(places):
        try:
            copy = _copy(place, key)
        except WrongValueError as wrong:
            told = complaint(f"{key.alias} in {place.name}", wrong, key.kind.to_text(key.kind.example))
            remarks.append(f"{Redactor().text(told)}; it is left out")
            continue
        known = _written(file.table if file else {}, key, found)
        if known is None:
            found[key.name] = copy
        elif known != copy.value:
            remarks.append(_other(copy, known, key.name in found))
    for place in places:
        remarks += [f"{place.name}: {said}" for said in predecessors.remarks(place.variables)]
    return Offer(tuple(found.values()), tuple(dict.fromkeys(remarks)))


def _set(places: Sequence[Place]) -> Iterator[tuple[Place, Key]]:
    for place in places:
        for key in KEYS.values():
            if key.alias and place.variables.get(key.alias, "").strip():
                yield place, key


def _copy(place: Place, key: Key) -> Copy:
    text = place.variables[key.alias]
    if Redactor().text(f"{key.alias}={text}") != f"{key.alias}={text}":
        raise WrongValueError(key.kind.expected, "what looks like a secret")
    raw = key.kind.from_text(key.convert(text))
    key.kind.check(raw)
    return Copy(key.alias, text.strip(), place.name, key, raw)


def _written(table: Mapping[str, object], key: Key, found: Mapping[str, Copy]) -> object:
    """The value that the file has, or that an earlier place gives it; None when there is none."""
    section = table.get(key.section)
    if isinstance(section, dict) and key.field in section:
        return section[key.field]
    return found[key.name].value if key.name in found else None


def _other(copy: Copy, known: object, from_place: bool) -> str:
    said = "will be" if from_place else "is"
    return (
        f"{copy.variable} in {copy.where} says {copy.text}, and {copy.key.name} {said} "
        f"{copy.key.kind.to_toml(known)} already: that stays"
    )


def write(home: Home, copies: Sequence[Copy]) -> None:
    """One line of the file each; its other bytes stay."""
    for copy in copies:
        set_value(home, copy.key.name, copy.key.kind.to_text(copy.value))
