"""Text that others wrote: what in it could pass for somebody else's words, and how that is prevented.

An error message, a page, a file, a commit subject say what their author likes. Before such a text is shown to a model,
what can't be seen is left out, what looks like a tag of ours or of a client is disarmed, and what is only quoted stands
in quotation marks that it can't close. Nothing here judges whether a text is true.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from hardwon.redact import DEFAULT

LONGEST_QUOTE = 160
"""Characters of a quotation: enough to recognise an error by, too little for a story."""

# Characters that Python calls printable and that nobody sees: fillers, blanks of other scripts, variation selectors.
_UNSEEN = "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\ufe00-\ufe0f\U000e0100-\U000e01ef]"

# Looks like `<`; each is one character, so that places stay the same.
_ANGLES = "\uff1c\ufe64\u2039\u3008\u27e8\u2329\u276e\u2770\u02c2\u1438\u226a\u300a\u27ea\u00ab"
_ESCAPED = r"&lt;?|&#0{0,6}60;?|&#x0{0,6}3c;?|\\u003c|\\x3c|%3c"
# Letters of other scripts that look like Latin ones. What NFKC folds (fullwidth, mathematical) need not stand here.
_ALIKE = dict(
    zip(
        "аеорсухѕіјһԁոмткԝнɡɩοαερτυνικηωѵԛᴀᴇᴍɴᴏʀꜱᴛᴡʏᴅʜɪⅼıⅰ",
        "aeopcyxsijhdnmtkwhgioaeptuviknwvqaemnorstwydhilii",
        strict=True,
    )
)
# Tags of ours, and those by which clients tell whose words follow.
_OURS = r"hardwon|skill[\s_-]?memory|system"
_CLIENTS = (
    r"human|assistant|user|developer|functions?|function[\s_-]?(?:calls?|results?)|invoke|antml|thinking"
    r"|tool[\s_-]?(?:use|result|call|response|error)s?(?:[\s_-]error)?|task[\s_-]?notification"
    r"|local[\s_-]?command[\w-]{0,20}|command[\s_-]?(?:name|message|args)|bash[\s_-]?(?:input|stdout|stderr)"
    r"|ide_\w{1,30}|claude\w{0,20}|instructions?|important|reminder|sys|im_start|im_end|endoftext"
)


def seen(text: str) -> str:
    """Without control characters and what can't be seen: neither a terminal nor a reader is played tricks on."""
    if text.isascii() and text.isprintable():
        return text
    shown = text if text.isprintable() else "".join(char for char in text if char.isprintable() or char in "\n\t")
    return _unseen().sub("", shown)


def disarmed(text: str) -> str:
    """With another sign in the place of `<` where a tag of ours or of a client would begin or end, and in the place of
    `[` where something looks like an id and a source of ours.

    A sign, not nothing: what is left could join to another tag. Other tags, comparisons and redirections stay.
    """
    text = _FORGED.sub("(", text)
    if not _may_have_tags(text):
        return text
    letters, places = _skeleton(text)
    signs = list(text)
    for match in _tags().finditer(letters):
        first, last = places[match.start()], places[match.end() - 1]
        signs[first : last + 1] = ["‹", *[""] * (last - first)]
    return "".join(signs)


_FORGED = re.compile(r"[\[\uff3b](?=\s?[0-9a-f]{6}\s?[,\]\uff3d])")
"""The beginning of an id with its source, as only we write it: `[7f3a1c, said by the user]`."""


def quoted(text: str, longest: int = LONGEST_QUOTE) -> str:
    """On one line, cut, in quotation marks; those inside become single ones, so that only ours end it."""
    if len(text) > longest:  # half a secret no rule would know
        text = DEFAULT.text(text)
    flat = _MARKERS.sub(r"\1", disarmed(" ".join(_QUOTES.sub("'", seen(text)).split())))
    return f'"{flat if len(flat) <= longest else flat[: longest - 1] + "…"}"'


# What our own sentences have before a quotation: a text that has it would be taken for one of them.
_MARKERS = re.compile(r"(?i)(output said|then|failed|success|passed|change):")
_QUOTES = re.compile('["\u201c\u201d\u201e\u201f\u2033\u02ba\u3003\uff02\u00ab\u00bb]')


def why_planted(text: str) -> str:
    """Why a text looks as if somebody had planted it for an agent to repeat; empty when it does not.

    Only what has hardly any other reason to be in a note. It costs a person a glance (`hardwon review`), no more.
    """
    if re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e01ef]", text):
        return "it has characters in it that can't be seen"
    bare = seen(text)
    if _may_have_tags(bare) and _tags().search(_skeleton(bare)[0]):
        return "it has a tag in it that is ours or a client's"
    folded = unicodedata.normalize("NFKC", bare)
    if _runs_a_download().search(folded):
        return "it runs what it downloads"
    if _overrides().search(folded):
        return "it speaks against earlier instructions"
    return ""


def plain_letters(text: str) -> str:
    """As a reader takes it: in lower-case Latin letters where others only look like them, nothing unseen in between."""
    return " ".join(_skeleton(seen(text))[0].replace("\u2019", "'").split(" "))


def _may_have_tags(text: str) -> bool:
    return "<" in text or any(sign in text for sign in _ANGLES) or bool(re.search(_ESCAPED, text, re.IGNORECASE))


def _skeleton(text: str) -> tuple[str, list[int]]:
    """The text as it looks, in lower-case Latin letters, and where each of them stands in it."""
    if text.isascii():
        return text.lower(), list(range(len(text)))
    letters: list[str] = []
    places: list[int] = []
    for place, char in enumerate(text):
        looks = "<" if char in _ANGLES else unicodedata.normalize("NFKD", char)
        for one in looks.lower():
            if not unicodedata.combining(one):
                letters.append(_ALIKE.get(one, one))
                places.append(place)
    return "".join(letters), places


# Compiled when they are needed: every command imports this, few meet such a text.
@cache
def _unseen() -> re.Pattern[str]:
    return re.compile(_UNSEEN)


@cache
def _tags() -> re.Pattern[str]:
    """Of a client only what is written like a tag: `a < user` is a comparison, `List<User>` a type."""
    sign, between = rf"(?:<|{_ESCAPED})", r"[\s/<|!?]{0,40}"
    client = rf"(?:{_CLIENTS})(?![a-z0-9])"
    return re.compile(rf"{sign}(?={between}(?:{_OURS})|\s{{0,9}}[/<|!?]{between}{client})|(?<!\w){sign}(?={client})")


@cache
def _runs_a_download() -> re.Pattern[str]:
    shells = r"(?:sudo\s+|env\s+)?(?:\S{0,40}/)?(?:(?:ba|z|da|k|fi)?sh|python[\d.]*|perl|ruby|node|iex)\b"
    return re.compile(
        rf"(?i)\b(?:curl|wget|fetch|iwr|irm|invoke-webrequest|base64)\b[^\n]{{0,300}}\|\s*{shells}"
        rf"|{shells}[^\n]{{0,40}}[<$]\(\s*(?:curl|wget)\b|\beval\b[^\n]{{0,20}}\$\(\s*(?:curl|wget)\b"
    )


@cache
def _overrides() -> re.Pattern[str]:
    before = r"(?:previous|prior|above|earlier|preceding|foregoing)"
    return re.compile(
        rf"(?i)\b(?:ignore|disregard|forget|override)\b[^.\n]{{0,30}}\b{before}\b[^.\n]{{0,30}}"
        r"\b(?:instruction|prompt|message|rule|direction|context)s?"
        r"|(?:忽略|无视|無視|不要理会|忘记|忘掉)[^。\n]{0,12}(?:之前|以上|前面|先前|所有|上述|系统|系統)[^。\n]{0,12}"
        r"(?:指令|指示|说明|說明|提示|规则|規則|命令)"
        r"|(?:以前|これまで|上記|前)の(?:指示|命令|ルール)を?(?:全て|すべて)?(?:無視|忘れ)"
    )
