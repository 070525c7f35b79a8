"""Secrets that are told in groups or words: recovery keys, licences, backup codes, seeds of wallets.

    lrjrjfil-vrrltiue-rlnnggkb-erbgthrd      448635-425887-259226      velvet crystal dolphin river album adapt …

Their parts are short and look like words or numbers, so the word beside them decides.
"""

import re
from collections.abc import Iterator

from .announcers import RECOVERY
from .characters import model
from .lazy import compiled

Finding = tuple[str, int, int]

_REACH = 160
_GROUPS = r"(?<![\w/-])[A-Za-z0-9]{4,8}(?P<sign>[- ])(?:[A-Za-z0-9]{4,8}(?P=sign)){2,12}[A-Za-z0-9]{4,8}(?![\w/-])"
_PAIRS = r"(?<![\w-])[a-z0-9]{4,6}-[a-z0-9]{4,6}(?![\w-])"
_NUMBER = r"(?:\d{1,2}[.):][ ]?)?"
_WORD = rf"{_NUMBER}[a-z]{{3,8}}"
_WORDS = rf"(?<![\w-])(?:{_WORD}(?:[ ,]{{1,4}}|\s{{1,12}}(?=\d))){{11,23}}{_WORD}(?![\w-])"
_COMMON = frozenset(
    """
    the and for with from into are was not but its has have than then when them they our your off via per
    """.split()  # noqa: SIM905
)
_BYTES = r"\[\s{0,4}(?:\d{1,3}\s{0,2},\s{0,4}){31,127}\d{1,3}\s{0,4}\]"
_PRIVATE = r"(?i:id\.json|keypair|secret|private|priv[_ ]?key|wallet|solana|seed)"
_HEX_LINES = (
    r"(?i:priv(?:ate ?exponent)?|prime\d|exponent\d|coefficient):\s{1,8}"
    r"((?:[ \t]{0,12}(?:[0-9a-f]{2}:){7,20}[0-9a-f]{0,2}\s{0,2}){1,80}"
    r"(?:[ \t]{0,12}(?:[0-9a-f]{2}:){0,20}[0-9a-f]{2})?)"
)
_STEMS = tuple(
    b"""
    recover wiederherst bitlocker luks licen lizenz seed totp 2fa mfa two backup one mnemonic phrase wallet ledger
    trezor cold restore product activation words palabras app einmal
    """.split()
)


def findings(text: str, folded: bytes) -> Iterator[Finding]:
    for found in compiled(RECOVERY).finditer(text) if _may_tell(text, folded) else ():
        begin, stop = found.end(), min(len(text), found.end() + _REACH)
        yield from _groups(text, begin, stop)
        yield from _words(text, begin, min(len(text), stop + 400))


def private_numbers(text: str, folded: bytes) -> Iterator[Finding]:
    """A key as a list of bytes, or as OpenSSL prints its numbers."""
    if b"priv" not in folded and not (b"id.json" in folded or b"keypair" in folded):
        return
    for found in compiled(_BYTES).finditer(text):
        if compiled(_PRIVATE).search(text, max(0, found.start() - 120), found.start()):
            yield "private-key", *found.span()
    if b"exponent" in folded or b"priv:" in folded:
        for found in compiled(_HEX_LINES).finditer(text):
            yield "private-key", *found.span(1)


def _may_tell(text: str, folded: bytes) -> bool:
    return not text.isascii() or any(stem in folded for stem in _STEMS)


def _groups(text: str, begin: int, stop: int) -> Iterator[Finding]:
    for found in compiled(_GROUPS).finditer(text, begin, stop):
        parts = re.split(r"[- ]", found[0])
        even = len({len(part) for part in parts}) == 1
        joined = "".join(parts)
        if even and (joined.isdigit() or model().surprise(joined) > 5.2) and len(set(parts)) > 2:
            yield "recovery-code", *found.span()
    codes = list(compiled(_PAIRS).finditer(text, begin, min(len(text), stop + 400)))
    if len(codes) >= 4 and all(any(map(str.isdigit, code[0])) for code in codes[:4]):
        for code in codes:
            yield "recovery-code", *code.span()


def _words(text: str, begin: int, stop: int) -> Iterator[Finding]:
    for found in compiled(_WORDS).finditer(text, begin, stop):
        words = re.findall("[a-z]{3,8}", found[0])
        if len(_COMMON & set(words)) < 2 and len(set(words)) > len(words) * 0.7:
            yield "recovery-phrase", *found.span()
