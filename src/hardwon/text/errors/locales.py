"""Messages in other languages, as the English ones that they translate."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from hardwon.text.errors.phrases import PHRASES
from hardwon.text.errors.translations import REASONS, SENTENCES

_GERMAN = re.compile(
    r"\b(?:nicht|[Kk]eine?|Die|Das|Der|Ist|Zeile|Fehler|FEHLER|Auf|Verbindung\w*|Datei|Paket|Sperre|KONFLIKT"
    r"|Schwerwiegend|Verweigere|Eingabe|Konnte|Branch|bereits|doppelter|Fehlender?s?|fehlender|Rezept)\b"
)
_ROMANCE = re.compile(
    r"\b(?:Aucune?|commande|Le|[Ll]a|Opération|ligne|erreur|ERREUR|Connexion|de|Argument|Relais|Est|est|Impossible"
    r"|variable|option|existe|ya|ruta|rama|falta)\b"
)
_FULL_WIDTH = str.maketrans({"：": ": ", "（": "(", "）": ")", "，": ", "})
_SLOT = re.compile(r"('?)\{(\w)\}('?)")
_WHOLE_WORDS = r"(?<![^\s:(])"
"""Where a message that begins with a name begins."""


class Rule(NamedTuple):
    needs: str
    """What a text of this form has in it; looked for before the pattern."""
    pattern: re.Pattern[str]
    english: str


def translator(text: str) -> Callable[[str], str] | None:
    """What puts a line of this text into English; nothing when it seems to be English."""
    if text.isascii() and not _GERMAN.search(text) and not _ROMANCE.search(text):
        return None
    text = _straight(text)
    rules = [rule for rule in _rules() if rule.needs in text and rule.pattern.search(text)]
    if not rules:
        return None
    return lambda line: _translated(_straight(line), rules)


@cache
def _rules() -> tuple[Rule, ...]:
    """When they are first needed: most outputs are in English."""
    return (
        *(_phrase(english, foreign) for english, *others in PHRASES for foreign in others),
        *(
            Rule("", re.compile(rf"(?:{'|'.join(foreign)})[.。]?", re.MULTILINE), english)
            for english, foreign in REASONS.items()
        ),
        *(Rule("", re.compile("|".join(foreign), re.MULTILINE), english) for english, foreign in SENTENCES),
    )


def _phrase(english: str, foreign: str) -> Rule:
    """A rule from a message with names in it: `{a}` is any word, or what stands between quotation marks."""
    pattern, at = "", 0
    for slot in _SLOT.finditer(foreign):
        before, name, after = slot.groups()
        pattern += _literal(foreign[at : slot.start()])
        if before and after:
            pattern += rf"' ?(?P<{name}>[^'\n]{{1,200}}?) ?'"
        elif slot.end() == len(foreign):
            pattern += rf"{before}(?P<{name}>[^\s']{{1,160}}){after}"
        else:
            pattern += rf"{before}(?P<{name}>[^\s']{{1,160}}?){after}"
        at = slot.end()
    pattern += _literal(foreign[at:])
    if foreign.startswith("{"):
        pattern = _WHOLE_WORDS + pattern
    needs = max(re.split(r"'?\{\w\}'?|\s", foreign), key=len)
    return Rule(needs, re.compile(pattern), re.sub(r"\{(\w)\}", r"\\g<\1>", english))


def _literal(text: str) -> str:
    return " {0,3}".join(re.escape(piece) for piece in text.split(" "))


def _straight(text: str) -> str:
    return text.translate(_FULL_WIDTH).replace(":  ", ": ").replace(" : ", ": ")


def _translated(line: str, rules: list[Rule]) -> str:
    for rule in rules:
        if rule.needs in line:
            line = rule.pattern.sub(rule.english, line)
    return line
