r"""Secrets that are known by the name they are given: `PASSWORD=…`, `"api_key": "…"`, `<secret>…</secret>`, 密码：….

One grammar serves all four kinds of name (`KINDS`): the name, what joins it to a value (`=`, `:`, `is`, a flag's blank,
a closing tag …), and the value, quoted or bare. How sure one has to be of the value depends on the three together: any
quoted string beside `password`, a literal rather than an expression when it is bare, something random beside `key`.
"""

import re
from dataclasses import dataclass

from .config_line import is_setting
from .lazy import compiled
from .longer_names import is_about_one, is_bypass
from .rules import Rule, Span
from .values import (
    has,
    is_chosen,
    is_code,
    is_environment_lookup,
    is_hex,
    is_placeholder,
    is_scrambled,
    is_strange,
    is_type,
    is_uuid,
    is_wordy,
    loosely_random,
    random_looking,
)

# A word begins after anything but a letter, or as a hump: dbPassword, db_password, DB-PASSWORD, but not compass.
_B = r"(?:(?<![A-Za-z])|(?<=[a-z])(?=[A-Z]))"
_END = r"(?![a-z]|(?<=[A-Z])[A-Z])"
_SUFFIX = (
    r"(?:[_\-. ]?(?i:key|value|string|str|text|plain|raw|new|old|current|confirm(?:ation|ed)?|again|prod(?:uction)?"
    r"|dev(?:elopment)?|stag(?:e|ing)|test|live|main|backup|base64|b64|hex|data|\d{1,3})(?![a-z])){0,2}"
)
# What else may follow in the same name: `SECRET_KEY_BASE`, `PASSWORD_ADMIN`, `tokenForCi`.
_MORE = r"(?P<more>(?:[_\-.][A-Za-z0-9]{1,20}|(?<=[a-z])[A-Z][a-z0-9]{1,15}){1,3}(?![\w(]))?"
_QUOTE = r"\\{0,63}(?:\"{3}|'{3}|[\"'`])"
# `the API key for staging is …`, `das Passwort für die Datenbank ist …`
_WHERE = (
    r"(?:[ ](?:for|of|on|in|at|für|fuer|von|auf|bei|im|am|para|del?|en|do|da|no|na|pour|sur|для|от|на|к)"
    r"(?:[ ][^\W\d_][\w.-]{0,40}){1,4}|[ ]?\([^()\n]{1,40}\))"
)
_IS = "|".join(
    (
        r"is|was|are|will[ ]be|should[ ]be|set[ ]to|changed[ ]to|now|to|of|is[ ](?:now|still|just|called|set[ ]to)|—|–",
        r"ist|lautet|war|wäre|jetzt|auf|ist[ ](?:jetzt|noch|immer[ ]noch)|es|era|será|sera|ahora|est|c'est|é|eh|agora",
        r"это|теперь|был|jest",
    )
)
# What joins the name to the value, most specific first.
_JOIN = rf"""(?:
    [ \t]{{0,4}}:[ \t]{{0,4}}[A-Za-z_][\w.]{{0,40}}(?:\[[^\]\n]{{0,40}}\])?(?:[ ]?\|[ ]?None)?[ \t]{{0,4}}=[ \t]{{0,4}}
      (?=[bBrRfFuU]{{0,2}}{_QUOTE})
  | [ \t]{{0,40}}(?:===?|!==?|:=|\?=|\|\|=|=>|->|<-|=|:)[ \t]{{0,40}}(?:\*\*[ ]?|[|>][+-]?[ \t]{{0,4}}\n[ \t]{{1,40}})?
  | (?P<pair>,[ \t]{{0,24}}|[ \t]{{1,3}})(?={_QUOTE})
  | (?P<call>\([ \t]{{0,4}})(?={_QUOTE})
  | (?P<tag>(?:[ \t][^<>\n]{{0,80}})?>[ \t]{{0,4}})(?=[^<>]{{1,2000}}<)
  | =>\s{{1,20}}string\(\d{{1,4}}\)[ ](?=")
  | ,?[\s\\#>*+|-]{{1,40}}(?:{_QUOTE})?[Vv]alue(?:{_QUOTE})?[ ]?[:=][ \t]{{0,4}}
  | (?P<prose>
        {_WHERE}?(?:'s|[ \t]{{1,3}}(?:{_IS}))[ \t:]{{1,3}}
      | {_WHERE}[ \t]{{0,3}}[:=][ \t]{{1,3}}
      | [ \t]{{0,2}}(?:[^\x00-\x7f]{{0,4}}(?:是|为|為|成了?|换成|用|は|が|を|に|==)|:)[ \t:、]{{0,3}}
    )
  | (?P<blank>[ \t]{{1,2}})
)"""
_CJK = "\u3000-\u303f\u3040-\u30ff\u4e00-\u9fff\uff00-\uffef"
_VALUE = rf"""(?:
    [bBrRfFuU@$]{{0,2}}(?P<q>{_QUOTE})(?P<quoted>[^\n]{{0,2000}}?)(?<!\\)(?P=q)
  | (?:{_QUOTE})?(?P<bare>[^\s"'`<>{_CJK}]{{1,256}})
)"""
# What `django-admin startproject` makes: fifty characters, every fourth one a sign.
_SIGNS = r"a-z0-9!@#$%^&*(\-_=+)"
_DJANGO = (
    rf"(?:django-insecure-(?=[^\s\"'\d]{{0,63}}+\d)[{_SIGNS}]{{16,64}}"
    rf"|(?=(?:[a-z0-9()\-_=]{{0,50}}+[!@#$%^&*+]){{3}}+)[{_SIGNS}]{{50}}+(?![\w!@#$%^&*(\-=+]))"
)
# Where a bare value ends although no blank follows: `hunter2;database=x`, `hunter2&user=x`, `hunter2),`.
_CUT = r"[;,&)}\]](?=$|[\"'`]?[\w.\-]{1,40}[\"'`]?[=:]|[;,&)}\]])"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of name, and how plain the value beside it may be."""

    name: str
    keywords: tuple[str, ...]
    words: str
    shortest: int
    plain: bool = False
    """Letters alone can be the secret."""


_QUALIFIED = tuple(
    """
    validation provisioning routing registration integration certificate recovery admin maps personal bot
    api access secret private auth signing sign encryption encrypt decryption master account service client license
    subscription shared storage ssh app application deploy webhook consumer session security admin hmac jwt server
    """.split()  # noqa: SIM905
)

_QUALIFIED_APART = frozenset(_QUALIFIED) - {"session", "storage", "ssh", "sign", "server"}
_LAST_WORD = r"(?:^|[^A-Za-z])([A-Za-z]{3,12})[ ]{1,2}$"

KINDS = (
    Kind(
        "password",
        (
            "pass",
            "pw",
            "kennwort",
            "contrase",
            "clave",
            "mdp",
            "senha",
            "haslo",
            "psk",
            "密码",
            "密碼",
            "口令",
            "パスワード",
            "暗証番号",
            "пароль",
            "Пароль",
            "пароля",
            "hasło",
            "비밀번호",
            "lösenord",
        ),
        rf"(?i:pass[wor0]{{1,4}}[dt]|passphrase|passcode|kennwort|contrase(?:ñ|n)a|mot de passe|motdepasse){_END}"
        rf"|(?<=[A-Za-z])pass{_END}"
        rf"|{_B}(?i:pass|pwd|pw|pswd|clave|mdp|senha|haslo|psk){_END}"
        r"|密码|密碼|口令|パスワード|暗証番号|пароль|Пароль|пароля|hasło|비밀번호|lösenord",
        4,
        plain=True,
    ),
    Kind(
        "secret",
        ("secret", "cred", "密钥", "密鑰", "秘钥"),
        rf"(?i:secrets?(?:[_-]?access)?){_END}|(?i:cred(?:ential)?s?){_END}|密钥|密鑰|秘钥",
        8,
    ),
    Kind(
        "token",
        ("token", "令牌"),
        rf"(?:{_B}|(?<=(?i:auth|user|push|csrf|xsrf|pass|rest|test|sync))|(?<=(?i:access|bearer|deploy|device|client))"
        rf"|(?<=(?i:api|bot|app|jwt|web|mfa|otp))|(?<=(?i:id))|(?<=(?i:refresh|session))|(?<=(?i:identity|security|personal)))"
        rf"(?i:token){_END}|令牌",
        8,
    ),
    Kind("api-key", ("key",), rf"(?i:key){_END}", 8),
)


# One pattern for all kinds: it is the largest of all, and takes longest to compile. No two kinds' names begin alike, so
# where the keyword of a kind stands, the name can only be of that kind.
_SOURCE = (
    rf"(?x)(?P<key>(?:{'|'.join(kind.words.replace(' ', '[ ]') for kind in KINDS)}){_SUFFIX})"
    rf"{_MORE}(?P<close>{_QUOTE}\]?|\]|\*\*)?{_JOIN}{_VALUE}"
)


def _judge(kind: Kind, found: re.Match[str]) -> Span | None:
    """The span of the value if it is a secret: first what kind of place this is, then what kind of value."""
    before = _name_before(found)
    apart = kind.name == "api-key" and not before and _is_qualified_apart(found)
    weak = kind.name == "api-key" and not apart and not _is_qualified(before)
    if weak and not has(found["quoted"] or found["bare"] or "", b"lud"):
        return None
    start, end = _extent(found)
    value = found.string[start:end]
    if len(value) < kind.shortest or not _place_fits(found, kind, before):
        return None
    if found["more"] and not _fits_longer_name(found, kind, value):
        return None
    if found["key"] == "pass" and before[-1:].isalpha() and (is_bypass(before) or not is_chosen(value)):
        return None
    if apart and value.startswith(_PUBLIC_KEYS):
        return None
    sure = _is_random_key(value, before) if weak else _is_sure(value, found, kind, before)
    if not sure or is_placeholder(value):
        return None
    return start + len(value) - len(value.lstrip()), end


def _fits_longer_name(found: re.Match[str], kind: Kind, value: str) -> bool:
    """`PASSWORD_ADMIN` is a password, `token_type` and `SECRET_NAME` are about one."""
    last = re.split(r"[_\-.]|(?<=[a-z])(?=[A-Z])", found["more"])[-1]
    if is_about_one(last) or found["prose"] is not None or found["blank"] is not None:
        return False
    return is_strange(value) or (kind.plain and is_chosen(value))


def _extent(found: re.Match[str]) -> Span:
    """A quoted value whole, an element's up to the next tag, a bare one without the punctuation around it."""
    if found["quoted"] is not None:
        return found.span("quoted")
    start, end = found.span("bare")
    if found["tag"] is not None:
        return start, found.string.index("<", start)
    if whole := compiled(_DJANGO).match(found.string, start):
        return whole.span()
    cut = compiled(_CUT).search(found.string, start + 1, end)
    value = found.string[start : cut.start() if cut else end].rstrip(".,;:)]}\\")
    return start, start + len(value)


def _name_before(found: re.Match[str]) -> str:
    """What belongs to the same name, with the sign before it: `--db-` of `--db-password`, `<ns:` of `<ns:password>`."""
    text, begin = found.string, found.start()
    start = begin
    while start > 0 and begin - start < 40 and (text[start - 1].isalnum() or text[start - 1] in "_-.:<$"):
        start -= 1
    return text[start:begin]


def _is_qualified(before: str) -> bool:
    """`api_key`, `accessKey`, `X-Api-Key`; but not `key`, `primary_key`, `keyboard`."""
    return before.rstrip("_-. ").lower().endswith(_QUALIFIED)


def _is_qualified_apart(found: re.Match[str]) -> bool:
    """`API key`, `Access key`; but not `map key`, and no key that is as often a public one or an entry's."""
    text, end = found.string, found.start()
    if text[end - 1 : end] != " ":
        return False
    word = compiled(_LAST_WORD).search(text, max(0, end - 16), end)
    return word is not None and word[1].lower() in _QUALIFIED_APART


def _place_fits(found: re.Match[str], kind: Kind, before: str) -> bool:
    """Some joins mean something only in some places: a comma between two strings, a blank after a flag, a tag's end."""
    if _is_verb(found, before) and (found["prose"] is not None or not has(found["quoted"] or "1", b"d")):
        return False
    if found["pair"] is not None:
        return _pair_fits(found, kind, before)
    if found["tag"] is not None:
        return before.startswith("<") or "<" in before
    if found["call"] is not None:
        return kind.name in ("password", "secret")
    if found["blank"] is not None:
        registry = before.lower().endswith((":_auth", ":_"))  # npm config set //registry/:_authToken …
        bare = found["bare"] or ""
        if before.startswith("-") or registry or random_looking(bare) or is_strange(bare):
            return True
        return kind.plain and found["key"].lower() != "pass" and is_chosen(bare)
    return True


def _is_verb(found: re.Match[str], before: str) -> bool:
    """`pass` alone, more often a keyword or a verb than a password; `DB_PASS` and `user.pass` are none."""
    alone = before[-1:] not in ("_", "-", ".") and not before[-1:].isalpha()
    told = (found["prose"] or "").strip().rstrip(":").split(" ")[-1:] not in (["of"], ["to"], ["on"])
    if found["prose"] is not None and told and is_chosen(found["bare"] or ""):
        return False  # `the pass is gooseberry11`
    return alone and found["key"][:5].lower() in ("pass", "pass ")


_PHRASE = r"[a-z]{3,20}(?:-[a-z]{2,20}){2,9}"
_HOST = r"[\w.-]+:\d{2,5}|[\w-]+(?:\.[\w-]+)+"


def _pair_fits(found: re.Match[str], kind: Kind, before: str) -> bool:
    """`("password", "hunter2")`, SQL's `PASSWORD 'hunter2'`, `--token "…"`; but no list of words, no "pass `x`"."""
    value = found["quoted"] or ""
    if "," in found["pair"]:
        literal = (has(value, b"d") or _symbols(value)) and not compiled(_HOST).fullmatch(value)
        return found["close"] is not None and literal
    if before.startswith("-"):
        return True
    sql = found["close"] is None and found["key"].lower() != "pass" and "`" not in (found["q"] or "")
    return kind.plain and sql


def _is_sure(value: str, found: re.Match[str], kind: Kind, before: str) -> bool:
    if not value.isascii() and not value.encode("ascii", "ignore").strip():
        return False  # a label in another script
    if not kind.plain and compiled(_DJANGO).match(value):
        return True
    if found["quoted"] is not None or found["tag"] is not None:
        return _quoted_secret(value, found["key"], kind)
    joined = found.string[found.end("key")] == "="
    if joined and ((before + found["key"]).isupper() or before.startswith("-")):
        return _literal_secret(value, kind)
    if kind.plain:
        flag = before.startswith("-") and found["blank"] is not None
        return (
            (flag and _literal_secret(value, kind) and (not value.isalpha() or _ends_the_line(found)))
            or _bare_password(value, found)
            or (_ends_the_line(found) and is_setting(value, found))
        )
    return _bare_secret(value, found)


def _literal_secret(value: str, kind: Kind) -> bool:
    """After `NAME=` and `--name=` a shell or a .env file has the value as it is."""
    telling = kind.plain or len(value) > 15 or has(value, b"d")
    return telling and value[0] not in "([-?" and not is_environment_lookup(value)


def _bare_password(value: str, found: re.Match[str]) -> bool:
    """Letters alone are a password only as the rest of a line, as in YAML; elsewhere they are a name. So are words
    with dashes between them, `correct-horse-battery`."""
    if is_code(value):
        plain = value.isalpha() and value.islower() and len(value) > 5
        return plain and _ends_the_line(found) and not found["prose"]
    if compiled(_PHRASE).fullmatch(value):
        return _ends_the_line(found) and not found["prose"] and found["key"].lower() != "pass"
    if found["prose"] is not None and len(value) < 6:
        return False
    return (has(value, b"d") and len(value) > 4) or _symbols(value)


def _bare_secret(value: str, found: re.Match[str]) -> bool:
    if not (has(value, b"d") or has(value, b"lu")) or is_code(value):
        return False
    if random_looking(value) or is_uuid(value) or (loosely_random(value) and not is_wordy(value)):
        return True
    if found["prose"] is not None and not (len(value) > 15 and has(value, b"lud")):
        return False
    return value.isalnum() and (has(value, b"dl") or has(value, b"du")) and not is_type(value)


def _quoted_secret(value: str, name: str, kind: Kind) -> bool:
    if kind.plain:
        if " " in value.strip():
            return "phrase" in name.lower() or _is_passphrase(value)
        label = value.isalpha() and "pass" in value.lower()
        joined = is_wordy(value) and ("_" in value or "-" in value or "." in value) and not value[-3:].isdigit()
        return not label and not joined
    if compiled(_DJANGO).match(value):
        return True
    if len(re.findall(r"\\x[0-9a-fA-F]{2}", value)) > 1:
        return True
    if any(c in value for c in " \t()[]{}<>|\\^,;"):
        return is_scrambled(value)
    if random_looking(value) or is_uuid(value):
        return True
    return has(value, b"d") and not value.isdigit() and not is_wordy(value)


def _is_passphrase(value: str) -> bool:
    """A few words and a number; `Your password must have 8 characters` is what a form says."""
    said = "pass" in value.lower() or "character" in value.lower()
    return has(value, b"d") and not said and len(value) < 80 and value.count(" ") < 6


_TOKEN = r"[A-Za-z0-9+/=_.~-]+"
_PUBLIC_KEYS = ("MFkw", "MIIB", "MIGf", "MCow", "AAAA")


def _is_random_key(value: str, before: str) -> bool:
    """Beside `key` alone, which mostly names an entry or a public key."""
    public = value.startswith(_PUBLIC_KEYS) or "pub" in before.lower()[-8:]
    named = is_wordy(re.sub(r"[0-9a-f]{32,128}", "", value).strip("-_.:"))
    if len(value) < 24 or public or named or is_code(value):
        return False
    return random_looking(value) and not is_hex(value) and compiled(_TOKEN).fullmatch(value) is not None


def _symbols(value: str) -> bool:
    return any(c in "!@#$%^&*+=?~" for c in value) and any(c.isalnum() for c in value)


def _ends_the_line(found: re.Match[str]) -> bool:
    """Nothing follows but the end of a line, or of the string that it is in."""
    rest = found.string[found.end() : found.end() + 66].lstrip(" \\")
    return not rest or rest[0] in "\r\n\x0b\"'`"


def kind_of_name(name: str) -> Kind | None:
    """What a value of this name would be: `db_password`, `X-Api-Key`, `--token`; None for `token_type`, `keyboard`."""
    lowered = name.lower()
    one = name[:-1] if lowered.endswith("s") and not lowered.endswith("ss") else name
    for kind in KINDS:
        if any(keyword in lowered for keyword in kind.keywords):
            found = compiled(rf"(?x)(?:{kind.words}){_SUFFIX}[\]\"']{{0,2}}$").search(one)
            if found and (kind.name != "api-key" or _is_qualified(one[: found.start()])):
                return kind
    return None


def stands_for_a_secret(kind: Kind, name: str, value: str) -> bool:
    """Whether a string that has this name is a secret, by the measure of a quoted value."""
    plausible = kind.shortest <= len(value) <= 4096 and "\n" not in value
    return plausible and _quoted_secret(value, name, kind) and not is_placeholder(value)


def _rule(kind: Kind) -> Rule:
    return Rule(kind.name, kind.keywords, _SOURCE, judge=lambda found: _judge(kind, found))


ASSIGNMENTS: tuple[Rule, ...] = tuple(map(_rule, KINDS))
