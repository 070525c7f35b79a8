"""The folder of a skill, from its name and back.

A name is what somebody typed or a client sent; a folder must stay inside ours on every file system. `/` becomes `__`,
as people who come from the predecessor know it; letters, digits and a few signs stay; the rest is written `%XX`.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Mapping

LONGEST = 180
"""Bytes of a folder's name; file systems take 255."""
_TAIL = "%~"
"""Begins the tail of a name that was cut or had to be told apart; no escape looks like it."""


def folder(skill: str, taken: Mapping[str, str] | None = None) -> str:
    """The folder for this skill; with a tail when a different skill has it already.

    `taken` holds the skill of each folder in use, by `same(folder)`: on some file systems `Git` and `git` are one.
    """
    plain = "".join(_safe(skill, at) for at in range(len(skill)))
    other = (taken or {}).get(same(plain), skill) != skill
    if other or len(plain.encode()) > LONGEST:
        return _cut(plain) + _TAIL + hashlib.blake2b(skill.encode("utf-8", "replace"), digest_size=8).hexdigest()
    return plain


def skill_of(name: str) -> str | None:
    """The skill whose folder is called so; None for a name that is none, or that has a tail."""
    try:
        skill = re.sub(r"__|(?:%[0-9A-F]{2})+", _meant, name)
    except UnicodeDecodeError:
        return None
    return skill if skill and folder(skill) == name else None


def same(name: str) -> str:
    """What two folders have in common that a file system may take for one."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def _safe(skill: str, at: int) -> str:
    letter = skill[at]
    if letter == "/":
        return "__"
    if letter == "_":  # beside another one, or beside a slash, it would be read as a slash
        around = skill[max(0, at - 1) : at] + skill[at + 1 : at + 2]
        return "%5F" if set(around) & set("_/") else "_"
    at_an_end = at in (0, len(skill) - 1)
    if letter in "-. ":
        return _escaped(letter) if at_an_end else letter
    stays = letter.isalnum() and unicodedata.normalize("NFC", letter) == letter
    return letter if stays else _escaped(letter)


def _escaped(letter: str) -> str:
    return "".join(f"%{byte:02X}" for byte in letter.encode("utf-8", "replace"))


def _meant(found: re.Match[str]) -> str:
    return "/" if found[0] == "__" else bytes.fromhex(found[0].replace("%", "")).decode("utf-8")


def _cut(plain: str) -> str:
    """The beginning, without half a letter or half an escape at its end."""
    short = plain.encode()[: LONGEST - 20].decode("utf-8", "ignore")
    return re.sub(r"%[0-9A-F]?$", "", short)
