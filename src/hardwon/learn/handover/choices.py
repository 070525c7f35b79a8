"""What a person lays down in passing: "sliding window please, no fixed buckets", "keep the old columns for a release".

Only for the handover: it quotes the clause, and nothing is learned from it."""

from __future__ import annotations

import re

MOST = 3
LONGEST, SHORTEST = 120, 8
_CLAUSE = re.compile(
    r"(?<=[.!?;,:])\s+|(?<=[。！？；，、])|\s+[-–—]\s+|\n+|\s+\b(?=but )|\s+\band (?=(?:keep|use"
    r"|don't|do not|no|never|only|leave)\b)"
)
_LAYS_DOWN = re.compile(
    r"(?i)^(?:(?:ok|okay|yes|yeah|no|fine|right|and|but|please|then|so|let's|we|we'll|i'd|i want|ja|nein"
    r"|also)[\s,]+){0,3}"
    r"(?:keep|use|don't|do not|never|always|only|no|not|must|without|prefer|stick|go with|go for|make it|avoid|leave|"
    r"take|pick|skip|it (?:must|should|has to)|should (?:be|not)|has to|nimm|nutze|benutze|kein|keine|ohne|nur"
    r"|immer|nie|lass|behalt|"
    r"utilise|garde|pas de|sans|usa|usar|sin|mantén|nunca|siempre)\b(?! (?:idea|problem|worries|need|hurry"
    r"|matter|longer|one|it\b))"
    r"|^(?:用|使用|不要|不用|别|保留|只|必须|必須|采用|採用)|(?:を使って|は使わない|ではなく|にして|でいこう|のまま|ないで)"
    r"|(?i:\b(?:please|bitte|instead|, not \w+)$)"
)
_ASKS = re.compile(r"\?\s*$|？\s*$")


def choices(prompt: str) -> list[str]:
    """Clauses of a prompt that say how it shall be; the first ones of a long list."""
    if len(prompt) > 4_000:
        return []
    found = []
    for clause in _CLAUSE.split(prompt):
        said = " ".join(clause.split()).strip(" .,;:!。，；！")
        if (
            SHORTEST <= len(said) + 4 * (not said.isascii()) <= LONGEST
            and _LAYS_DOWN.search(said)
            and not _ASKS.search(clause)
        ):
            found.append(said)
    return found[:MOST]
