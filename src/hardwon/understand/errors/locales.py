"""Messages in other languages, as the English ones that they translate."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from hardwon.understand.errors.translations import REASONS, SENTENCES

Rule = tuple[re.Pattern[str], str]

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
    rules = [(pattern, english) for pattern, english in _rules() if pattern.search(text)]
    if not rules:
        return None
    return lambda line: _translated(_straight(line), rules)


@cache
def _rules() -> tuple[Rule, ...]:
    """When they are first needed: most outputs are in English."""
    return (
        *(
            (re.compile(rf"(?:{'|'.join(foreign)})[.。]?", re.MULTILINE), english)
            for english, foreign in REASONS.items()
        ),
        *((re.compile("|".join(foreign), re.MULTILINE), english) for english, foreign in SENTENCES),
    )


def _straight(text: str) -> str:
    return text.translate(_FULL_WIDTH).replace(":  ", ": ").replace(" : ", ": ")


def _translated(line: str, rules: list[Rule]) -> str:
    for pattern, english in rules:
        line = pattern.sub(english, line)
    return line
