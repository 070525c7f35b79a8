"""Is this value a secret, or a stand-in for one?

`password = …` is followed by a real password about as often as by `os.environ[…]`, `<your password>` or `str`. These
functions tell them apart by the value alone. All of them look at every character a fixed number of times.
"""

import re
from collections import Counter
from math import log2

from .characters import model
from .lazy import compiled

# Words that stand for a secret. A value made of them protects nothing: `your-api-key-here`, `changeme`, `test123`.
_STAND_INS = frozenset(
    """
    a access account admin an api apikey app auth authorization authtoken aws bad bar base basic baz bearer by change
    changeit changeme client correct credential credentials current default demo digest dummy empty enter env
    environment example fake for foo from generated goes guest hash header here hidden hmac id in incorrect insert
    invalid is it jwt key keys letmein login masked md me mock my mykey mypassword mysecret mytoken name new no none
    not notasecret null oauth of old omitted or pass passcode passphrase passwd password passwords phrase placeholder
    please postgres private prod public put pw pwd qux random redacted refresh removed repeat replace required root rsa
    same sample secret secrets service session set sha some string super supersecret tbd temp test testing the this to
    todo token tokens top topsecret type unset use user username utf valid value with word wrong x xx xxx xxxx you your
    yours
    """.split()  # noqa: SIM905
)
# Words of programs and forms that stand where a secret could: `token: str`, `"password": "Required field"`.
_LABELS = _STAND_INS | frozenset(
    """
    add again algorithm all any arg args argon argument arguments attr bcrypt blank bool boolean buffer byte bytes
    callback cert certificate char cipher class code config confirm const count custom data date db def delete disabled
    double edit element else enabled encoded encrypted end environ eof error expected expired export false field file
    fixme flag flags float fn forgot format function get go group hashed hex hint host http https identifier if index
    info init input int integer item iv json label len length line list local localhost long lookup map max method min
    missing mode msg needed newline next nil node num number obj object on only op option optional options os out page
    param parameter parse parser path pattern pbkdf pem pin pkcs plain plaintext port pre prefix prompt props raw read
    ref regex req request res reset response result retype salt scheme scope scrypt select self server settings short
    show sign signature size split src ssh ssl start state static status std stdin store str strong style subject
    symbol tag text time title tls true tuple undefined unicode union unknown update url uuid val values var variable
    verify version via void yaml yes
    """.split()  # noqa: SIM905
)
# Of names in programs, where a word could also be a password's.
_PROGRAMS = frozenset(
    """
    again argument args argv attempt attrs auth body cleaned client cls config connection context correct creds ctx
    current data dialog document driver element entry equal event expired fake faker fields final first form forgotten
    generate generated generator global handler hashed helper helpers hidden incorrect input instance invalid item
    kwargs last line manager match mismatch missing model nil node null obj object one options params parsed payload
    plain policy prompt props query random record ref refs req required reset result row sanitize saved schema self
    service session state stored strength strong struct target too undefined updated utils value values vault vm weak
    window wrong
    """.split()  # noqa: SIM905
)
_PART = r"([A-Za-z]*)(\d{0,4})"
_WORD = r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])"
_NAMED_STAND_IN = r"[A-Za-z_-]*(?i:password|passwd|secret|token|pass|[_-]key|[_-]pw)"
_TEMPLATE = r"\$\{[^{}]{0,200}\}|\{\{[^{}]{0,200}\}\}|\{[A-Za-z_]?[^{}\s]{0,80}\}|%\(\w{1,40}\)[sdr]|%[sdrv]\b"
_VARIABLE = (
    r"\$(?:[A-Z_][A-Z0-9_]*|[a-z_]+|\d|\(.*|\{.*|env:.*)|%[A-Za-z_]\w*%|@[A-Za-z_.]+@|<[^<>]+>|&(?:lt|#x?3[cC]);.*"
)
_MARKER = r"\[redacted:[\w.-]{1,64}\]|\[clipped \d+ characters\]"
_REFERENCE = (
    r"(?i:op|vault|env|file|ref\+\w+|secret|ssm|keychain|keyring|https?|s3|gs|data|urn|arn)(?::|://)"
    r"|ENC\[|!\w+ |\$ANSIBLE|ssh-\w+ |ecdsa-"
)
_PATH = r"(?:~|\.{1,2}|[A-Za-z]:)?[/\\][\w. -]*(?:[/\\][\w. -]*)*$|[\w-]+/[\w./-]+\.\w{1,5}$|[\w-]+(?:/[\w.-]+){2,}$"
_VERSION = r"v?\d+(?:\.\d+)+(?:[-+.]\w+)*$"
# What regular expressions and calls have, and hardly any random text does.
_PATTERN = r"[\\]|\(\?|[\])][+*?{]|\[\^|a-z|A-Z|0-9|\.[*+]|[a-z]{3}\(|\(\)|\[\]|\{\}|\$\{|\{\{|://|[,;|].*[,;|].*[,;|]"
_HEX = r"(?:0x)?[0-9a-fA-F]+$"
_UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"
_KINDS = bytes(
    108 if 97 <= c <= 122 else 117 if 65 <= c <= 90 else 100 if 48 <= c <= 57 else 46  # l, u, d or .
    for c in range(256)
)
_TURN = re.compile(rb"(?=lu|ul|ld|dl|ud|du)")

_STRANGE = 6.0
"""Bits per character from which on a string is spelled by nobody."""
_ENOUGH = 100
"""Characters of a value that decide what it is."""


def entropy(value: str) -> float:
    """Bits per character, by how often each character occurs in the value itself."""
    total = len(value)
    return -sum(n / total * log2(n / total) for n in Counter(value).values())


def random_looking(value: str) -> bool:
    """Long, mixed, and turning between letters, capitals and digits far more often than words and identifiers do."""
    value = value[:_ENOUGH]
    return (len(value) >= 16 and _turns(value) >= 0.42) or (loosely_random(value) and _numbers(value) > 1)


def loosely_random(value: str) -> bool:
    """As random as a key without its best side; for places where hardly anything else can be meant."""
    value = value[:_ENOUGH]
    if len(value) < 16 or not has(value, b"d") or compiled(_UUID).match(value):
        return False
    turning = _turns(value) >= 0.25 or (compiled(_HEX).match(value) is not None and _numbers(value) > 1)
    return turning and entropy(value) >= 3


def is_scrambled(value: str) -> bool:
    """Letters, digits and signs in no order, as a generator of passwords makes them; no call, list, path or pattern."""
    value = value[:_ENOUGH]
    if len(value) >= 32 and has(value, b"lud") and len({c for c in value if not c.isalnum()}) >= 10:
        return compiled(r"[a-z]{6}|\d{5}").search(value) is None  # whatever it looks like, nobody wrote this
    if len(value) < 20 or " " in value or "\t" in value or not has(value, b"ld") or compiled(_PATTERN).search(value):
        return False
    signs = {c for c in value if not c.isalnum() and c not in "_-./:"}
    return len(signs) > 2 and entropy(value) >= 3.8 and compiled(r"[A-Za-z]{6}|\d{5}").search(value) is None


_DATE = r"\d{2,4}[-./]\d{1,2}[-./]\d{1,4}|\d{1,2}:\d{2}"
_ORDINARY = (
    r"(?:v|utf|sha|md|rsa|ed|x|p|h|http|ipv|es|py|python|node|java|go|base|aes|http/)-?\d[\w.-]*"
    r"|\d+[a-z]{1,4}|\d+(?:st|nd|rd|th)"
)


def is_chosen(value: str) -> bool:
    """As people choose passwords: letters with digits or signs among them, and no name, date, version, sum or code."""
    value = value.rstrip("?:")
    if not 6 <= len(value) <= 64 or value[0] in "-+?/<>=|&([{" or re.search(r"[{}]|^\w+=|://|[/\\].*[/\\]", value):
        return False
    signs = sum(c in "!@#$%^&*+=?~" for c in value)
    letters = sum(map(str.isalpha, value))
    if letters < 2 or not (has(value, b"d") or signs) or is_code(value) or is_uuid(value) or is_placeholder(value):
        return False
    ordinary = compiled("(?i)" + _ORDINARY).fullmatch(value) or compiled(_DATE).search(value)
    if ordinary or (is_hex(value) and len(value) > 6) or is_label(value.strip("0123456789").lower()):
        return False
    return not is_type(value) and not (is_wordy(value) and len(value) < 8)


def is_strange(value: str) -> bool:
    """A string that nobody would spell, by the model of characters."""
    value = value[:_ENOUGH]
    if len(value) < 12 or not has(value, b"d") or is_uuid(value):
        return False
    return model().surprise(value) >= _STRANGE and entropy(value) >= 3


def _turns(value: str) -> float:
    """How often the kind of character changes, per character; 0 for what is mostly signs."""
    kinds = value.encode("ascii", "replace").translate(_KINDS)
    return len(_TURN.findall(kinds)) / len(kinds) if kinds.count(b".") < 0.3 * len(kinds) else 0


def _numbers(value: str) -> int:
    return len(re.findall(r"\d+", value))


def is_uuid(value: str) -> bool:
    return compiled(_UUID).match(value) is not None


def is_hex(value: str) -> bool:
    return compiled(_HEX).match(value) is not None


def has(value: str, kinds: bytes) -> bool:
    """Whether the value has a character of each of these kinds: `l`, `u` or `d`."""
    found = value.encode("ascii", "replace").translate(_KINDS)
    return all(kind in found for kind in kinds)


def made_of_words(value: str) -> bool:
    """Only words that stand for a secret, joined by blanks, dashes and the like: `your-api-key`, `TEST_TOKEN_1`."""
    if len(value) > _ENOUGH:
        return False
    known = _STAND_INS if has(value, b"d") else _LABELS
    parts = map(compiled(_PART).fullmatch, re.split(r"[-_ .:/,()]+", value))
    return all(part and _known(part[1], known) for part in parts)


def _known(words: str, known: frozenset[str]) -> bool:
    return words.lower() in known or all(word.lower() in known for word in compiled(_WORD).findall(words))


def is_label(word: str) -> bool:
    """A word of programs and forms, or one that stands for a secret."""
    return word in _LABELS or word in _PROGRAMS


def is_placeholder(value: str) -> bool:
    """Nothing is lost when this is kept: a template, a reference, a mask, a path, words that stand for a secret."""
    bare = (compiled(_MARKER).sub("", value) if "[" in value else value).rstrip("\\ ").strip()
    if sum(map(str.isalnum, bare[:80])) < 2 or len(set(bare[-16:])) <= (3 if len(bare) >= 16 else 2):
        return True
    if made_of_words(bare.strip("[]")) or compiled(_NAMED_STAND_IN).fullmatch(bare) or _is_masked(bare):
        return True
    if compiled(_VARIABLE).fullmatch(bare) or compiled(_REFERENCE).match(bare):
        return True
    if len(bare) < 32 and compiled(_VERSION).match(bare):
        return True
    if ("{" in bare or "%" in bare) and (rest := compiled(_TEMPLATE).sub("", bare)) != bare:
        return not has(rest, b"d") or is_placeholder(rest)
    return compiled(_PATH).match(bare) is not None and not random_looking(bare)


def _is_masked(value: str) -> bool:
    """`abc*****`, `•••`, `sk-12…`: somebody took the secret out already."""
    if "*****" in value or 3 * value.count("*") >= len(value) or "•••" in value:
        return True
    return ("..." in value or "…" in value) and len(value.strip(".…")) <= 12


_CODE = r"[&*!]?[A-Za-z_$][\w$]*((?:(?:\.|::|->|\?\.)[A-Za-z_$][\w$]*)*)(-?$|[(\[{]|![(\[]|\?\.)"
_NAME = r"[A-Za-z][a-z]+\d{0,2}(?:[-_. :/](?:[A-Za-z][a-z]*\d{0,2}|\d{1,4}))*|[A-Z]{2,}(?:[-_][A-Z]+)*"
_TYPE = r"[A-Z]{0,3}\d{0,2}(?:[A-Z][a-z]+\d{0,2}|V\d{1,2}(?:(?:alpha|beta)\d{0,2})?){2,}"
_ENVIRONMENT = r"(?:os|process|sys|std|import|config|settings|self|this|ENV|System|env|getenv|secrets)\b[.:\[(]"


def is_code(value: str) -> bool:
    """An expression rather than a literal: a name, a path of names, a call, a subscript."""
    if value[0] in "([{":
        return True
    found = compiled(_CODE).match(value)
    if not found or any(map(random_looking, re.split(r"\W+", value[:_ENOUGH]))):
        return False
    dotted, opened = found.groups()
    return bool(opened.strip("-") or dotted) or value[0] == "$" or not has(value, b"d")


def is_environment_lookup(value: str) -> bool:
    return compiled(_ENVIRONMENT).match(value) is not None


def is_wordy(value: str) -> bool:
    """Words joined by separators, as names of things are: `user-supplied`, `bert_base2`, `Content.Type`."""
    return compiled(_NAME).fullmatch(value) is not None or is_type(value)


def is_type(value: str) -> bool:
    """A name as classes have it: `V1TokenReview`."""
    return compiled(_TYPE).fullmatch(value) is not None
