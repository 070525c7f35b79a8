"""The second line: a token that no person would say, and that nothing beside it explains.

It knows no format and no vendor. A long run of characters is *random* when somebody who knows how words are spelled
finds each next character a surprise (`characters`). Most random things are no secrets: sums, ids, public keys, images.
They are explained by what they stand in (a path, a lock file's `sha512-`, a certificate) or by the name that they stand
right behind, `trace_id=…`.

What a word announces as a secret is taken out as one (`secret`). What nothing announces and nothing explains is
`unexplained`, and has to be longer: nobody will need it, and it may be a key.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from .announcers import OPENS, PUBLIC, SECRET, WAY_IN
from .characters import model
from .lazy import compiled
from .values import entropy, is_placeholder

Finding = tuple[str, int, int]

NAME = "unexplained"
ANNOUNCED = "secret"

_SHORTEST_ANNOUNCED = 16
_SHORTEST = 28
_SHORTEST_HEX = 24
_SHORTEST_OF_TWO = 36
"""Of two sorts of characters only, as names of pods and mangled symbols have."""
_SURPRISING = 6.3
_VERY_SURPRISING = 6.6
_SURPRISING_OF_TWO = 6.25
_STRANGE = 6.0
_FAMILIAR = 4.4
_LETTERS = r"[A-Z]?[a-z]{5,20}"
_DIVERSE = 3.2
"""Bits by which characters of the token differ among each other: a chess position and a table's rule have fewer."""
_REACH = 64
_FAR = 120
_APART = 16
_BETWEEN = r"[ \t>|\"'+,\\#*/;-]{0,12}[\r\n\x0b][ \t>|\"'+,\\#*/;-]{0,12}"
"""Between two lines of one block: what explains its first line explains the others."""
_LONGEST = 400
_BLOCK = 20_000

_DIGITS = b"0123456789"
_CAPITALS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_SMALL = b"abcdefghijklmnopqrstuvwxyz"
_RUN = r"[A-Za-z0-9_+/=-]{1,20000}"
_IN_PIECES = r"[A-Za-z0-9]{20,400}"

_ANNOUNCES = rf"(?ix)(?<![a-z])(?:{SECRET}|{OPENS})(?![a-z])|[a-z](?:Key|Token|Secret|Password|Pass|Auth)(?![a-z])"
_NAMES = (
    rf"(?ix)(?:(?<![a-z0-9])(?:{PUBLIC})|(?<=[a-z])(?:Id|ID|Hash|Sha|Digest|Tag|Commit|Cursor|Fingerprint|Version))"
)
# Such a name explains what it stands right before.
_NAMED = rf"{_NAMES}(?:[\"'`)\]]{{0,3}}[ \t]{{0,3}}(?:[:=#]|is|->|=>)?[ \t]{{0,3}}(?:W/)?[\"'`(\[<v]{{0,3}})$"

_SUM = (
    r"(?i)(?:sha-?\d{1,3}|md5|h1|blake\w{1,3}|crc\w{0,3}|sri|narhash)[\"']?[ ]?[-:=~@ ]{1,2}[\"']?(?:[\w+/]{0,40}%)?$"
)
_SUM_WITHIN = r"(?:sha-?\d{1,3}|md5|h1|blake\w{1,3})[-:=_]"
_IMAGE = r"(?i)base64,[ \"']?$"
_PUBLIC_KEY = r"AAAA[A-Za-z0-9]|(?:ssh-|ecdsa-)"
_MANGLED = r"_{0,3}(?:R[NIMCXYF][A-Za-z]|Z[A-Z0-9]|T[A-Z])|\$[sS]\w|\?{1,2}[A-Za-z]"
# What files of pictures, fonts and archives begin with, in base64.
_MAGIC = tuple("iVBORw0KGgo /9j/ R0lGOD UklGR AAABAA d09GM d09GRg PHN2Zy UEsDB H4sI JVBER AGFzbQ".split())  # noqa: SIM905
# Ids say of what they are: `msg_…`, `run_…`, `chatcmpl-…`.
_ID = (
    r"(?:msg|run|evt|event|thread|toolu?|chatcmpl|req|resp|call|asst|file|batch|cus|price|prod|acct|txn|ord(?:er)?|item|conv"
    r"|gen|job|task|step|org|proj|usr|user|inv|sub|img|doc|node|pod|task|build|dep)[_-]"
)
_FILE = r"\.(?!com\b|net\b|org\b|io\b)[a-z][a-z0-9]{0,4}(?![\w(])"
_UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_OPEN = (
    r"-----BEGIN [A-Z0-9 ]{0,40}"
    r"(?:CERTIFICATE(?: REQUEST)?|PUBLIC KEY(?: BLOCK)?|SIGNATURE|MESSAGE|CRL|PARAMETERS)-----"
)
_URL = r"[a-z][a-z0-9+.-]{1,15}://[^\s\"'<>`]{0,300}$"
_PATH = r"(?:^|[\s\"'`=:(\[,>])(?:[A-Za-z]:[\\/]|~?/|\.{1,2}/|@?[\w.-]{1,60}/)[^\s\"'`]{0,200}$"
_HIDDEN_IN_URL = (
    r"(?i)hook|token|secret|[^a-z]key(?!s/)|auth|invite|reset|verif|confirm|magic|sig(?:n(?:ed|ature)?)?[=/]|log-?in"
)


_LINE = r"(?:[^\"'\n]{0,40}[\"']|[ \t>|+#*:;,-]{0,40})([A-Za-z0-9+/_=-]{12,200})(?:[\"',;+\\) \t]|\\n){0,12}"


def _rest_of_block(text: str, start: int, end: int, *, after: int) -> list[tuple[int, int]]:
    """The lines above and below that are of the same block: nothing but such characters, however few in a row. No line
    is looked at twice: those before `after` belong to the block before."""
    begin, stop = text.rfind("\n", 0, start) + 1, _end_of_line(text, end)
    found: list[tuple[int, int]] = []
    if compiled(_LINE).fullmatch(text, begin, stop) is None:
        return found
    while begin > after and (line := _line_of_block(text, text.rfind("\n", 0, begin - 1) + 1, begin - 1)):
        found.append(line)
        begin = text.rfind("\n", 0, begin - 1) + 1
    while stop < len(text) and (line := _line_of_block(text, stop + 1, _end_of_line(text, stop + 1))):
        found.append(line)
        stop = _end_of_line(text, stop + 1)
    return found


def _line_of_block(text: str, begin: int, stop: int) -> tuple[int, int] | None:
    line = compiled(_LINE).fullmatch(text, begin, stop)
    return line.span(1) if line and model().surprise(line[1].strip("=")) >= _STRANGE - 0.4 else None


def _end_of_line(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end


Look = Callable[[str], bool]


def findings(
    text: str, plain: bytes, starts: Sequence[int], announced: frozenset[int], look: Look
) -> Iterator[Finding]:
    """Of the long runs that begin at `starts`, those that are secrets; a word such as key stands before `announced`.
    `look` tells whether something is found in a text: in what a run means that is base64."""
    end, last, block = 0, "", 0
    for start in starts:
        if start < end or not (found := compiled(_RUN).match(text, start)):
            continue
        run = plain[start : min(found.end(), start + _LONGEST)]
        if len(run.translate(None, _DIGITS)) in (0, len(run)):
            continue
        span = _token(text, _begin(text, start), found.end())
        if span is None:
            continue
        goes_on = bool(end) and span[0] - end < _APART and compiled(_BETWEEN).fullmatch(text, end, span[0]) is not None
        if not goes_on:
            last = _verdict(text, *span, near=start in announced, look=look)
        end = max(span[1], found.end())
        if last:
            yield last, *span
        if last and span[0] >= block:
            lines = _rest_of_block(text, *span, after=block)
            yield from ((last, *line) for line in lines)
            block = max([span[1], *(stop for _, stop in lines)])


def _begin(text: str, start: int) -> int:
    """Where the token begins: signs of base64 before the run are part of it, unless they belong to a path or a name."""
    begin = start
    while (
        begin > 0
        and start - begin < _LONGEST
        and ((text[begin - 1].isascii() and text[begin - 1].isalnum()) or text[begin - 1] in "+/")
    ):
        begin -= 1
    return begin


def _token(text: str, begin: int, end: int) -> tuple[int, int] | None:
    """The random part of a run: all of it, or the longest piece between its signs."""
    whole = text[begin:end]
    _name, sign, value = whole.partition("=")
    if sign and value.strip("=") and len(value) >= 16:  # name=value
        begin, whole = end - len(value), value
    core = whole.rstrip("=/_-").lstrip("=/_-")
    begin += len(whole.rstrip("=/_-")) - len(core) if whole[:1] in "=/_-" else 0
    if len(core) >= _SHORTEST_HEX and not core.strip("0123456789abcdefABCDEF-"):
        return begin, begin + len(core)
    if _is_random(core) and not _is_path(core):
        return begin, begin + len(core) + len(whole) - len(whole.rstrip("="))
    pieces = [piece for piece in compiled(_IN_PIECES).finditer(core) if _is_random(piece[0])]
    if not pieces:
        return None
    longest = max(pieces, key=lambda piece: len(piece[0]))
    return begin + longest.start(), begin + longest.end()


def _is_random(value: str) -> bool:
    value = value[:_LONGEST]
    if len(value) < 16 or "abcdefgh" in value.lower() or model().surprise(value) < _STRANGE:
        return False
    return entropy(value) >= _DIVERSE and not any(map(_is_word, compiled(_LETTERS).findall(value)))


def _is_word(letters: str) -> bool:
    """`Transform` in the middle of a token; as many small letters in a row have no such order by chance."""
    return model().surprise(letters) < _FAMILIAR


def _meaning(value: str) -> str | None:
    """What base64 says, if that is a text that can be read."""
    from base64 import b64decode

    try:
        said = b64decode(value.replace("-", "+").replace("_", "/") + "=" * (-len(value) % 4), validate=True).decode()
    except ValueError:
        return None
    return said if len(said) > 8 and said.replace("\n", "").replace("\r", "").replace("\t", "").isprintable() else None


def _is_path(value: str) -> bool:
    """Words between slashes: base64 has a slash now and then, and hardly a word between two."""
    parts = value.split("/")
    return len(parts) > 1 and any(len(part) > 3 and part.isalpha() and model().surprise(part) < 5.2 for part in parts)


def _sorts(value: str) -> int:
    plain = value.encode("ascii", "replace")
    return sum(len(plain.translate(None, sort)) < len(plain) for sort in (_DIGITS, _CAPITALS, _SMALL))


def _verdict(text: str, start: int, end: int, *, near: bool, look: Look) -> str:
    """The type of the finding; none for what is explained or not strange enough."""
    value = text[start:end].strip("=")[:_LONGEST]
    sorts, bits = _sorts(value), model().surprise(value)
    if is_placeholder(value):
        return ""
    if compiled(_UUID).search(value) or not value.strip("0123456789abcdefABCDEF-"):
        return _of_hexadecimal(text, start, end, value)
    if (meaning := _meaning(value)) is not None:
        return ANNOUNCED if look(meaning) else ""
    announced = near or _is_announced(text, start)
    if announced and len(value) >= _SHORTEST_ANNOUNCED and bits >= (_SURPRISING if sorts == 3 else 6.0):
        return "" if _is_explained(text, start, end, value) else ANNOUNCED
    enough = len(value) >= _SHORTEST and sorts == 3 and bits >= _VERY_SURPRISING
    small = sorts == 2 and not value.isupper() and len(set(value) - set("0123456789_-")) > 9
    enough = enough or (len(value) >= _SHORTEST_OF_TWO and bits >= _SURPRISING_OF_TWO and small)
    return NAME if enough and not _is_explained(text, start, end, value) else ""


_HEX_NEAR = 24
_OF_SUM = r"(?i)cache|finger|gpg|recv|lock|digest|commit|verif|signing.key"
_RIGHT_BEFORE = (
    rf"(?ix)(?:(?<![a-z])(?:(?:{SECRET})|(?:{WAY_IN}))|[a-z](?:Key|Token|Secret|Password|Pass|Auth))(?![a-z])"
    r"[^a-z0-9#\n]{0,4}(?:[:=]|[ ]|\||is|was|now|to|ist|是|换成|は|への|:){0,4}[ ]{0,2}[\"'`(\[]{0,4}$"
)


def _of_hexadecimal(text: str, start: int, end: int, value: str) -> str:
    """Sums, commits and ids look like this; only what stands right behind a word for a key is one."""
    before = re.split(r"[\n\r\x0b]", text[max(0, start - _REACH) : start])[-1]
    if len(value) < _SHORTEST_HEX or not compiled(_RIGHT_BEFORE).search(before[-_HEX_NEAR - 24 :]):
        return ""
    if compiled(_OF_SUM).search(before):
        return ""
    return "" if _is_explained(text, start, end, value) else ANNOUNCED


def _is_explained(text: str, start: int, end: int, value: str) -> bool:
    before = text[max(0, start - _REACH) : start]
    line = re.split(r"[\n\r\x0b]", before)[-1]
    if compiled(_SUM).search(line) or compiled(_IMAGE).search(line) or compiled(_SUM_WITHIN).match(value):
        return True
    if compiled(_PUBLIC_KEY).match(value) or value.startswith(_MAGIC) or compiled(_FILE).match(text, end):
        return True
    if compiled(_MANGLED).match(text, _name_begins(text, start)) or compiled(_ID).match(
        text, _name_begins(text, start)
    ):
        return True
    if _is_public_der(value) or _in_public_block(text, start):
        return True
    if (inside := _in_place(text, start)) is not None:
        return inside
    return compiled(_NAMED).search(line) is not None


def _name_begins(text: str, start: int) -> int:
    begin = start
    while begin > 0 and start - begin < _LONGEST and (text[begin - 1].isalnum() or text[begin - 1] in "_$-"):
        begin -= 1
    return begin


def _is_announced(text: str, start: int) -> bool:
    """By a word on the same line, or at the end of the one before."""
    line = re.split(r"[\n\r\x0b]", text[max(0, start - _FAR) : start])
    heads = len(line) > 1 and line[-2].rstrip().endswith((":", "：")) and not line[-1].strip(" \t\"'`>|-*")
    above = line[-2] if heads else ""
    return compiled(_ANNOUNCES).search(line[-1]) is not None or compiled(_ANNOUNCES).search(above) is not None


def _in_place(text: str, start: int) -> bool | None:
    """Whether a path or an address explains it; None where it stands in neither."""
    before = text[max(0, start - 300) : start]
    if (address := compiled(_URL).search(before)) is not None:
        if compiled(_HIDDEN_IN_URL).search(address[0]):
            return False
        return ("?" not in address[0] and "@" not in address[0]) or None
    return True if text[start - 1 : start] in "/\\" and compiled(_PATH).search(before) else None


def _is_public_der(value: str) -> bool:
    """A certificate or a public key in base64 begins with a list in a list; a private key with a number in one."""
    if not value.startswith(("MI", "MC", "MF", "ME", "MH")):
        return False
    from base64 import b64decode

    try:
        head = b64decode(value[:16] + "=" * (-len(value[:16]) % 4))
    except ValueError:
        return False
    at = 2 + (head[1] & 0x7F if head[1] & 0x80 else 0)
    return head[0] == 0x30 and len(head) > at and head[at] == 0x30


def _in_public_block(text: str, start: int) -> bool:
    begin = text.rfind("-----BEGIN ", max(0, start - _BLOCK), start)
    return begin >= 0 and text.find("-----END ", begin, start) < 0 and compiled(_OPEN).match(text, begin) is not None
