"""Passwords as people tell them: beside a word for a password, a login or a lock, in a sentence, a list or a table.

No grammar lists all the ways in which that is said, so this looks at the thing that is told: a token *chosen* as
passwords are (`values.is_chosen`: letters with digits or signs among them, and no name, version, date or path), near a
word that announces one. A word for a password reaches far and takes nearly any such token; a word for an account, a
network or an archive only one that hardly can be anything else. What stands right before the token may explain it:
`for user app_user1` names a user. Lines of code have rules of their own and are not read here.
"""

import re
from collections.abc import Iterator

from .announcers import ACCESS, OF_ANOTHER, PASSWORD
from .lazy import compiled
from .values import has, is_chosen, is_placeholder, is_strange

Finding = tuple[str, int, int]

_ANNOUNCED = rf"(?P<password>{PASSWORD})|(?P<access>{ACCESS})"
_TOKEN = r"[^\s\"'`*,;:()<>|/\[\]{}，。；：、（）「」『』“”„‚／|→\u3040-\u30ff\u4e00-\u9fff]{5,64}"
_CODE = "|".join(
    (
        r"[{}=]|;[ \t]*$|[\w)]\(|::|\$[A-Za-z_{(]|</?[a-z]",
        r"^[ \t]*(?:import|from|def|class|return|if|for|const|let|var|func)\b|^[ \t]*(?:at |File )",
        r"^\W{0,3}\d{4}-\d\d-\d\d|[ \t]--?[A-Za-z]|[a-z+]{2,9}://[^\s/]*:[^\s/]*@",
    )
)
_QUOTE = r"[`*\"'“”「」]{0,2}"
_SLASH = r"(?:[ \t]{1,2}/[ \t]{1,2}|[ \t]{0,2}／[ \t]{0,2})"
_PAIR = rf"(?<![\w/.@-])[\w.@+-]{{2,48}}{_QUOTE}{_SLASH}{_QUOTE}(?P<value>{_TOKEN})"
_AND = r"[/:]|[ \t]{0,2}(?:und(?: dann)?|and|y|et|e|と|и|和)[ \t]{0,2}"
_WELL_KNOWN = rf"(?i)(?<![\w/.@-])(?:admin|root|user|guest|test|pi|administrator|sa|demo)(?:{_AND})(?P<value>{_TOKEN})"
# Capitals in the middle, right behind the word: `pw: TwoBlackCats`, `Passwort lautet Regenschirm-Dienstag`.
_SPOKEN = (
    r"[^\S\n]{0,3}(?:is|ist|lautet|war|es|era|est|é|это|是|は|を|:|：|=|->)?[^\S\n]{0,3}[`\"'„“「(]{0,2}"
    r"(?P<value>(?!\w*(?i:pass|manager|required|field))[A-Z][a-zäöüß]{2,}"
    r"(?:(?:[-_&][A-ZÄÖÜa-zäöüß]{3,}){1,4}|(?:[A-ZÄÖÜ][a-zäöüß]{2,}){2,4}))(?![\w(.-])"
)
_MARKS = b"0123456789!#$%^&*+=?~"
_MARKED = r"[A-Za-z][0-9!#$%^&*+=?~]"
"""A token of which a part is no letter: without one a line has nothing that is chosen, unless a word for it says so."""
_COMPOUND = r"[a-z]+\d*(?:[-_.][a-z]+\d*)+"
"""Packages, machines and branches are called so: `libfoo22-dev`."""
_LONGEST_LINE = 1_000
_FAR, _NEAR = 90, 60
_ENDINGS = (
    r"(?i)\.(?:7z|gz|xz|bz2|py|js|ts|md|txt|json|ya?ml|toml|pdf|zip|rar|docx?|xlsx?|csv|png|jpe?g|log|sh|sql|html?"
    r"|com|net|org|de|io|lan|local|example|dev|app|css)$"
)


_STEMS = tuple(b"pas pw psw kennw mdp clave contra senha segreto parola haslo zugang".split())


def findings(text: str, folded: bytes) -> Iterator[Finding]:
    """For a text that is short enough to be somebody's words."""
    tells = not text.isascii() or any(stem in folded for stem in _STEMS)
    if not tells and len(folded.translate(None, _MARKS)) == len(folded):
        return
    if tells:
        yield from below(text)
    begin = 0
    while begin < len(text):
        end = text.find("\n", begin)
        end = len(text) if end < 0 else end
        worth = 5 < end - begin < _LONGEST_LINE and (tells or compiled(_MARKED).search(text, begin, end))
        if worth and not compiled(_CODE).search(text, begin, end):
            yield from _in_line(text, begin, end)
        begin = end + 1


_OVER_IT = (
    rf"(?:{PASSWORD})[^\n]{{0,80}}[:：][^\S\n]{{0,4}}\n[^\S\n]{{0,8}}(?P<value>[^\s]{{6,64}})[^\S\n]{{0,4}}(?:\n|$)"
)


def below(text: str) -> Iterator[Finding]:
    """Alone on the line below one that announces it and ends with a colon."""
    for found in compiled(_OVER_IT).finditer(text):
        value = found["value"]
        if not is_placeholder(value) and (is_chosen(value) or is_strange(value)):
            yield "password", *found.span("value")


def _in_line(text: str, begin: int, end: int) -> Iterator[Finding]:
    for source in (_PAIR, _WELL_KNOWN):
        for pair in compiled(source).finditer(text, begin, end):
            if span := _chosen(text, *pair.span("value"), strong=source is _PAIR):
                yield "password", *span
    far = near = begin
    for word in compiled(_ANNOUNCED).finditer(text, begin, end):
        if word["password"]:
            far = word.end() + _FAR
        near = word.end() + _NEAR
        following = compiled(_ANNOUNCED).search(text, word.end(), end)
        stop = min(end, max(far, near), following.start() if following else end)
        if word["password"] and (named := compiled(_SPOKEN).match(text, word.end(), end)):
            yield "password", *named.span("value")
        for token in compiled(_TOKEN).finditer(
            text, word.end(), stop if stop == end or text[stop - 1 : stop].isspace() else end
        ):
            sure = token.start() < far
            if token.start() >= max(far, near) or token.start() >= stop:
                break
            if not _is_named_otherwise(text, begin, token.start()) and (
                span := _chosen(text, *token.span(), strong=not sure)
            ):
                yield "password", *span


def _is_named_otherwise(text: str, begin: int, start: int) -> bool:
    return compiled(OF_ANOTHER).search(text, max(begin, start - 24), start) is not None


def _chosen(text: str, start: int, end: int, *, strong: bool) -> tuple[int, int] | None:
    value = text[start:end].rstrip(".?-_~…")
    value = value[:-1] if value.endswith("!") and value[:-1].isalpha() and value[:-1].islower() else value
    if text[end : end + 1] in ("(", "[") or text[end : end + 3] == "://" or compiled(_ENDINGS).search(value):
        return None
    if text[start - 1 : start] in ("/", "\\", "=") or "{" in value or len(value) < 6:
        return None
    if value.startswith("@") or is_placeholder(value.partition("@")[0]) or (len(value) > 16 and is_strange(value)):
        return None
    if not is_chosen(value) or is_placeholder(value) or _is_number_of_something(value):
        return None
    if strong and not _can_hardly_be_else(value):
        return None
    return start, start + len(value)


def _is_number_of_something(value: str) -> bool:
    """`ABC-1234`, `web7`, `10.30.0.0`, `2fa`: tickets, machines, addresses."""
    return (
        re.fullmatch(
            r"[A-Za-z]{1,4}[-_#]?\d{1,4}|[A-Za-z]{5,6}[-_#]?\d{1,2}|[A-Z]{2,10}-\d+|[\d.:-]+|\d+[A-Za-z]{1,5}|[A-Z0-9_-]{5,}|#\d+",
            value,
        )
        is not None
    )


def _can_hardly_be_else(value: str) -> bool:
    """Two digits and more at the end of a word, capitals within it, or a sign that names have not."""
    signs = sum(c in "!#$%^&*+=?~" for c in value)
    digits = sum(map(str.isdigit, value))
    letters = sum(map(str.isalpha, value))
    if compiled(_COMPOUND).fullmatch(value):
        return False
    if letters < 4 or ("_" in value[1:-1] and not signs and not has(value, b"u")):
        return False
    return (
        bool(signs and (digits or has(value, b"lu")))
        or digits >= 2
        or (digits == 1 and has(value, b"lu") and letters > 6)
    )
