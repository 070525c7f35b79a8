"""``hardwon config set`` and ``unset``: one statement of ``hardwon.toml`` changes, every other byte stays.

The new text is read back before it replaces the old: it must mean the old settings with this one changed, or nothing is
written. Two edits at once wait for each other, so that neither is lost.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from hardwon.paths import Home, make
from hardwon.regular_file import replaced
from hardwon.settings import toml_edit
from hardwon.settings.keys import KEYS, Key
from hardwon.settings.kinds import SettingsError, WrongValueError
from hardwon.settings.load import complaint, not_a_setting
from hardwon.settings.toml_text import MOST_BYTES, Document, document, read

EXAMPLE = Path(__file__).parent.parent / "hardwon.example.toml"


@dataclass(frozen=True, slots=True)
class Change:
    """What an edit did to the file: the value as it was and is written there, or None where it is not."""

    path: Path
    key: str
    before: str | None
    after: str | None


def set_value(home: Home, key: str, text: str) -> Change:
    """Write one setting into the file, made from the example if there is none."""
    known = _known(key)
    raw = _value(known, text)
    make(home)
    with _alone(home.root):
        file = read(home.settings) or document(home.settings, EXAMPLE.read_text(encoding="utf-8"))
        return _change(file, known, raw, known.kind.to_toml(raw))


def unset_value(home: Home, key: str) -> Change:
    """Take one setting out of the file, so that its default counts again; its comments stay."""
    known = _known(key)
    if not home.root.is_dir():
        return Change(home.settings, key, None, None)
    with _alone(home.root):
        file = read(home.settings)
        return _change(file, known, None, None) if file else Change(home.settings, key, None, None)


def _known(name: str) -> Key:
    if name not in KEYS:
        raise SettingsError(f"{not_a_setting(name)} — hardwon config show lists them all")
    return KEYS[name]


def _value(key: Key, text: str) -> object:
    try:
        raw = key.kind.from_text(text)
        key.kind.try_out(key.kind.check(raw))
    except WrongValueError as wrong:
        raise SettingsError(complaint(key.name, wrong, key.kind.to_text(key.kind.example))) from None
    _refuse_secret(key, text)
    return raw


THE_USERS_OWN = ("redact.rules", "control.exclude_projects", "control.exclude_paths")
"""What stands there says what is not to be kept: it is written as it is given."""


def _refuse_secret(key: Key, text: str) -> None:
    """A setting is kept as it stands, so it is no place for a password."""
    from hardwon.redact import DEFAULT, border

    found = sorted({rule for rule, _, _ in DEFAULT.findings(text) if rule != border.UNEXPLAINED})
    if found and key.name not in THE_USERS_OWN:
        raise SettingsError(
            f"{key.name} was given with a secret in it ({', '.join(found)}), and settings are kept as they stand — "
            "leave it out: the key of a server goes into the variable that vectors.key_variable names, that of a "
            "repository into git's own credential store. Nothing was changed"
        )


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """One edit at a time; the lock is on the folder, as the file itself is replaced."""
    try:
        handle = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    except OSError as error:
        raise SettingsError(f"{folder} cannot be opened: {error.strerror} — nothing was changed") from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _change(file: Document, key: Key, raw: object, written: str | None) -> Change:
    """Write the file with ``written`` for this key, or without the key when that is None."""
    old = toml_edit.find(file.text, key.section, key.field)
    text = file.text
    if old is not None and not toml_edit.is_plain(old):
        raise SettingsError(_by_hand(file, key, file.text.count("\n", 0, old.start) + 1))
    if old is not None:
        text = toml_edit.remove(text, old) if written is None else toml_edit.replace(text, old, written)
    elif written is not None:
        text = toml_edit.insert(text, key.section, key.field, written)
    if text != file.text:
        _prove(file, text, key, {} if written is None else {key.field: raw})
        _write(file.path, file.mark + text)
    return Change(file.path, key.name, file.text[old.value : old.end] if old else None, written)


def _by_hand(file: Document, key: Key, line: int) -> str:
    usual = f"[{key.section}] with {key.field} = … below it"
    return f"{file.path.name} line {line}: {key.name} is not written as {usual} — change it there by hand"


def _prove(file: Document, text: str, key: Key, wanted: dict[str, object]) -> None:
    """The new text must mean the old settings with this one changed, and be a file that can be read."""
    try:
        others, _ = _apart(file.table, key)
        same = _apart(document(file.path, text).table, key) == (others, wanted) and len(text.encode()) <= MOST_BYTES
    except (SettingsError, RecursionError, UnicodeEncodeError):
        same = False
    if not same:
        raise SettingsError(f"{file.path.name}: {key.name} could not be changed in place — change it there by hand")


def _apart(table: dict[str, object], key: Key) -> tuple[dict[str, object], dict[str, object]]:
    """Everything but the key, and the key; a section without keys is as good as none."""
    section = table.get(key.section, {})
    assert isinstance(section, dict)
    rest = {name: value for name, value in section.items() if name != key.field}
    return {**table, key.section: rest}, {name: value for name, value in section.items() if name == key.field}


def _write(path: Path, text: str) -> None:
    """Whole and for its user alone, or not at all; a link to a file elsewhere stays a link."""
    try:
        with replaced(path) as file:
            file.write(text.encode())
    except OSError as error:
        raise SettingsError(f"{path} cannot be written: {error.strerror} — nothing was changed") from error
