"""Messages in other languages, as the English ones that they translate."""

from __future__ import annotations

import re
from collections.abc import Callable

from hardwon.understand.errors.translations import REASONS, SENTENCES

_RULES: tuple[tuple[re.Pattern[str], str], ...] = (
    *((re.compile(rf"(?:{'|'.join(foreign)})[.。]?", re.MULTILINE), english) for english, foreign in REASONS.items()),
    *((re.compile("|".join(foreign), re.MULTILINE), english) for english, foreign in SENTENCES),
)
_GERMAN = re.compile(
    r"\b(?:nicht|Keine?|Die|Das|Ist|Zeile|Fehler|Auf|Verbindung\w*|Datei|Paket|Sperre|KONFLIKT|Schwerwiegend"
    r"|Verweigere|Eingabe|Konnte|Branch)\b"
)
_FRENCH = re.compile(
    r"\b(?:Aucune?|commande|Le|Opération|ligne|erreur|Connexion|de|Argument|Relais|Est|est|Impossible)\b"
)
_FULL_WIDTH = str.maketrans({"：": ": ", "（": "(", "）": ")", "，": ", "})


def translator(text: str) -> Callable[[str], str] | None:
    """What puts a line of this text into English; nothing when it seems to be English."""
    if text.isascii() and not _GERMAN.search(text) and not _FRENCH.search(text):
        return None
    text = _straight(text)
    rules = [(pattern, english) for pattern, english in _RULES if pattern.search(text)]
    return lambda line: _translated(_straight(line), rules)


def _straight(text: str) -> str:
    return text.translate(_FULL_WIDTH).replace(":  ", ": ").replace(" : ", ": ")


def _translated(line: str, rules: list[tuple[re.Pattern[str], str]]) -> str:
    for pattern, english in rules:
        line = pattern.sub(english, line)
    return line
