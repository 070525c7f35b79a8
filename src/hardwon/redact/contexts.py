"""Secrets that are known by where they stand: in a URL, a header, a cookie, a key file, a database's hash.

Keywords here are words or signs that may occur anywhere in the text, whatever their case. The pattern begins at the
keyword (or `offset` characters before it) and reaches a bounded distance.
"""

import re

from .assignments import ASSIGNMENTS
from .commands import COMMANDS
from .lazy import compiled
from .rules import Rule, Span
from .tools import TOOLS
from .values import has, is_code, is_placeholder, is_strange, is_wordy, loosely_random, random_looking

_QUOTE = r"\\{0,63}[\"'`]{0,3}"


def _long_enough(found: re.Match[str]) -> Span | None:
    return found.span(1) if (has(found[1], b"d") or len(found[1]) > 64) and not is_placeholder(found[1]) else None


def _header(found: re.Match[str]) -> Span | None:
    value = found[1].rstrip("\\.,;)")
    if is_code(value):
        return None
    literal = has(value, b"d") or random_looking(value) or value.endswith("=") or _is_login(value)
    return (found.start(1), found.start(1) + len(value)) if literal and not is_placeholder(value) else None


def _login(found: re.Match[str]) -> Span | None:
    return found.span(1) if _is_login(found[1]) else None


def _is_login(value: str) -> bool:
    """Base64 of `user:password`, which is what basic authentication and Docker's config hold."""
    from base64 import b64decode

    try:
        plain = b64decode(value + "=" * (-len(value) % 4), validate=True).decode()
    except ValueError:
        return False
    return ":" in plain[1:] and plain.isprintable()


def _random_token(found: re.Match[str]) -> Span | None:
    return (
        found.span(1) if (loosely_random(found[1]) or is_strange(found[1])) and not is_placeholder(found[1]) else None
    )


def _aws_secret(found: re.Match[str]) -> Span | None:
    """Forty characters of base64 are also what half a hash or a path can be: capitals, small letters and digits."""
    value = found[1]
    random = loosely_random(value) and has(value, b"lu") and not is_wordy(value)
    return found.span(1) if random and "EXAMPLE" not in value else None


def _netrc(found: re.Match[str]) -> Span | None:
    """`login or password incorrect` is prose; a `machine` before it or a digit in it makes it an entry."""
    before = found.string[max(0, found.start() - 200) : found.start()]
    entry = "machine" in before or "default" in before or has(found[1], b"d")
    return found.span(1) if entry and not is_placeholder(found[1]) else None


_ADDRESS = (
    r"(?:[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}|localhost|\[[0-9a-fA-F:.]{2,45}\]|[\w-]{1,63}(?=:\d))"
    r"(?::\d{1,5})?(?![\w.@:-])"
)
_LATER_AT = rf"[^\s\"'<>\\&=]{{0,256}}@(?={_ADDRESS})"


def _url_password(found: re.Match[str]) -> Span | None:
    """Only the password goes, whatever the host. With a raw `@` in it, it ends at the last that a host follows."""
    start, end = found.span(1)
    if longer := compiled(_LATER_AT).match(found.string, end + 1):
        end = longer.end() - 1
    return None if is_placeholder(found.string[start:end]) else (start, end)


def _raw_url_password(found: re.Match[str]) -> Span | None:
    """An unescaped `/`, `?` or `#` in a password; but `host:8080/path/@scope` has a port there."""
    web = found.string[max(0, found.start() - 6) : found.start()].lower().endswith(("http", "https"))
    first = re.split(r"[/?#]", found[1], maxsplit=1)[0]
    port = first.isdigit() and (web or len(first) > 1)
    return None if not first or port else _url_password(found)


def _pgpass(found: re.Match[str]) -> Span | None:
    """A host stands before it, and no more parts: `*:*:*` is also what patterns and addresses look like."""
    before = re.split(r"[\s\"'`>]", found.string[max(0, found.start() - 80) : found.start()])[-1]
    return found.span(1) if re.fullmatch(r"[+-]?(?:[\w.-]+|\*)", before) and not is_placeholder(found[1]) else None


def _before_the_at(found: re.Match[str]) -> Span | None:
    """Go's `user:password@tcp(host)/database`."""
    text, start = found.string, found.start()
    while start > 0 and found.start() - start < 128 and text[start - 1] not in " :\n\t\"'`/":
        start -= 1
    secret = text[start : found.start()]
    return (start, found.start()) if secret and text[start - 1] == ":" and not is_placeholder(secret) else None


_END_LINE = r"-{4,8} ?END (?:[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V\d) ?-{4,5}"
_KEY_LINE = r"[\s\\\"',+>|#*/;-]{0,80}(?:\d{1,6}[→:|\t ]{1,4})?[\s+>|#*-]{0,8}[A-Za-z0-9+/=]{16,20000}"
_KEY_HEAD = r"[\s\\\"',+>|#*/;-]{0,80}(?:Proc-Type|DEK-Info|Comment|Version|Hash|Subject): [^\n\x0b]{0,200}"
_LAST_LINE = r"[\s\\\"',+>|#*/;-]{0,80}[A-Za-z0-9+/=]{1,15}(?=[\s\\\"']|$)"


def _pem(found: re.Match[str]) -> Span | None:
    """The block with its first and last line; without a last one, as far as the lines look like a key's."""
    text, start, end = found.string, *found.span()
    dashes = text.find("----", end, end + 20_000)
    if dashes >= 0 and (last := compiled(_END_LINE).match(text, dashes)):
        return (start, last.end()) if dashes - end > 40 else None
    while line := compiled(_KEY_LINE).match(text, end) or compiled(_KEY_HEAD).match(text, end):
        end = line.end()
    if end == found.end():
        return None
    return start, (tail.end() if (tail := compiled(_LAST_LINE).match(text, end)) else end)


_IS = rf"{_QUOTE}\]?[ \t]{{0,4}}(?:[:=]|,(?=[ \t]{{0,4}}\\{{0,63}}[\"'`]))[ \t]{{0,4}}{_QUOTE}"

_PGPASS = r"[^:\s]{1,64}:[^:\s]{1,64}:([^\s:\"'][^\s\"']{0,255})"

_CONTEXTS: tuple[Rule, ...] = (
    # PEM, OpenSSH, PGP and SSH2; a block may be cut off, on one line, in a diff or numbered by `cat -n`.
    Rule(
        "private-key",
        ("---- begin", "-----begin"),
        r"-{4,5} ?BEGIN (?:(?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V\d) ?-{4,5}",
        judge=_pem,
    ),
    # PuTTY's.
    Rule(
        "private-key",
        ("private-lines",),
        r"(?i:Private-Lines): ?\d{1,3}((?:[\s\\#>*+|-]{1,80}[A-Za-z0-9+/=]{1,64}(?![\w-])){1,200})",
        1,
    ),
    # user:password@ of any scheme.
    Rule(
        "url-password",
        ("://",),
        r"://[^\s/?#:\"'<>\\]{0,256}:([^\s/?#\"'<>\\]{1,256})@(?=[\w.\-\[$%{])",
        1,
        judge=_url_password,
    ),
    Rule(
        "url-password",
        ("://",),
        r"://[^\s/?#:@\"'<>\\]{0,256}:([^\s@\"'<>\\]{1,256})@(?=[\w.\-\[])",
        1,
        judge=_raw_url_password,
    ),
    Rule("url-password", ("://",), r"://([\w-]{20,256})@(?=[\w.\-])", 1, judge=_random_token),
    Rule("url-password", ("@tcp(",), r"@tcp\(", judge=_before_the_at),
    Rule(
        "authorization",
        ("auth",),
        rf"(?i:authorization){_IS}(?i:(?:bearer|basic|token|digest|api-?key|negotiate|bot|key|sso-key)[ \t]{{1,4}})?"
        r"([^\s\"'`,;<>]{8,4096})",
        1,
        judge=_header,
    ),
    Rule(
        "authorization",
        ("bearer",),
        r"(?i:bearer)(?:[ \t]{1,4}|%20|\+)\\{0,63}[\"']?([\w\-.~+/=%]{16,4096})",
        1,
        judge=_header,
    ),
    Rule("authorization", ("basic",), r"(?i:basic)[ \t]{1,4}([A-Za-z0-9+/_-]{8,1024}={0,2})", 1, judge=_login),
    Rule("docker-auth", ("auth",), rf"(?i:auth){_IS}([A-Za-z0-9+/_-]{{8,1024}}={{0,2}})", 1, judge=_login),
    # Of a response's cookie the value, of a request's cookies everything.
    Rule(
        "cookie",
        ("cookie",),
        rf"(?<=(?i:set-))(?i:cookie){_IS}[\w.\-]{{1,64}}=([^\s;,\"'`]{{6,4096}})",
        1,
        judge=_long_enough,
    ),
    Rule(
        "cookie",
        ("cookie",),
        rf"(?<!(?i:set-))(?i:cookie){_IS}([\w.\-]{{1,64}}=[^\n\x0b\"'`]{{4,4096}})",
        1,
        judge=_long_enough,
    ),
    Rule(
        "cookie", ("sess", ".sid="), r"(?i:sess(?:id|ionid|ion)|\.sid)=([\w%\-.+/=]{16,1024})", 1, judge=_random_token
    ),
    # .netrc
    Rule(
        "password",
        ("login",),
        r"(?i:login)\s{1,8}[^\s]{1,128}\s{1,8}(?:account\s{1,8}[^\s]{1,64}\s{1,8})?(?i:password)\s{1,8}([^\s\"']{3,256})",
        1,
        judge=_netrc,
    ),
    # .pgpass: host:port:database:user:password
    Rule("password", ("432:",), rf":[56]432:{_PGPASS}", 1, judge=_pgpass, offset=2),
    Rule("password", (":*:*:",), rf":\*:{_PGPASS}", 1, judge=_pgpass),
    # Hashes of passwords, which can be guessed: Apache's, crypt's, bcrypt, argon2, Django's, PostgreSQL's, LDAP's.
    Rule("password-hash", ("$apr1$", "$1$"), r"\$(?:apr1|1)\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{22}"),
    Rule("password-hash", ("$5$", "$6$"), r"\$[56]\$(?:rounds=\d{1,9}\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{43,86}"),
    Rule("password-hash", ("$y$",), r"\$y\$[./A-Za-z0-9]{3,6}\$[./A-Za-z0-9]{1,86}\$[./A-Za-z0-9]{43}"),
    Rule("password-hash", ("$2",), r"\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}"),
    Rule(
        "password-hash",
        ("$argon2",),
        r"\$argon2(?:id|i|d)\$v=\d{1,3}\$[\w=,]{5,60}\$[A-Za-z0-9+/]{8,100}\$[A-Za-z0-9+/]{16,200}",
    ),
    Rule("password-hash", ("pbkdf2_sha256$",), r"pbkdf2_sha256\$\d{1,8}\$[A-Za-z0-9+/]{4,64}\$[A-Za-z0-9+/=]{20,100}"),
    Rule(
        "password-hash",
        ("scram-sha-256$",),
        r"(?i:SCRAM-SHA-256)\$\d{1,6}:[A-Za-z0-9+/=]{16,64}\$[A-Za-z0-9+/=]{40,64}:[A-Za-z0-9+/=]{40,64}",
    ),
    Rule("password-hash", ("sha}",), r"(?<=\{)(?i:sha\})[A-Za-z0-9+/]{27}="),
    Rule("password-hash", ("sha}",), r"(?<=\{[sS])(?i:sha\})[A-Za-z0-9+/]{27,64}={0,2}"),
    Rule("signed-url", ("sig",), r"(?i:sig(?:nature)?)=([A-Za-z0-9%+/_-]{20,1024}={0,2})", 1, judge=_long_enough),
    # The key of an Azure Function: 54 or 56 characters, and mostly two signs of equality.
    Rule(
        "azure-function-key",
        ("?code=",),
        r"\?code=([A-Za-z0-9_/+%-]{40,120}(?:={1,2}|(?<=%3[dD])))",
        1,
        judge=_long_enough,
    ),
    Rule(
        "aws-secret-key",
        ("aws", "secret"),
        r"(?i:aws|secret[_ ]?(?:access|key))[^\n\x0b]{0,60}?(?<![A-Za-z0-9/+])([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])",
        1,
        judge=_aws_secret,
    ),
    # The first bytes of a session token are always the same.
    Rule("aws-session-token", ("iqojb3jpz2lu",), r"IQoJb3JpZ2lu[A-Za-z0-9/+=%]{50,4000}"),
    Rule("aws-session-token", ("ogzxivyxdz",), r"F[wQ]oGZXIvYXdz[A-Za-z0-9/+=%]{50,4000}", offset=2),
    Rule(
        "azure-storage-key",
        ("key=",),
        r"(?:(?<=(?i:account))|(?<=(?i:access)))(?i:key)=([A-Za-z0-9+/]{40,100}={0,2})",
        1,
    ),
    Rule("azure-client-secret", ("q~",), r"(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,34}(?![\w~-])", offset=4),
    # Standard base64, in which no long run without + and / is certain.
    Rule("stripe-webhook-secret", ("whsec_",), r"whsec_[A-Za-z0-9+/]{24,100}={0,2}"),
    Rule("fly-token", ("fm",), r"fm(?:1[ar]|2)_[A-Za-z0-9+/]{60,4000}={0,3}", beside="_"),
    Rule("slack-webhook", ("hook",), r"hooks\.slack\.com/(?:services|workflows|triggers)/([\w/+-]{30,120})", 1),
    Rule("discord-webhook", ("hook",), r"(?<=/api/web)hooks/(\d{15,22}/[\w-]{50,100})", 1),
    Rule(
        "teams-webhook",
        ("hook",),
        r"(?<=web)hook\.office\.com/webhookb2/([\w@-]{30,90}/IncomingWebhook/[\w/-]{30,120})",
        1,
    ),
    Rule("braintree-token", ("token",), r"(?<=access_)token\$(?:production|sandbox)\$([a-z0-9]{16}\$[a-f0-9]{32})", 1),
    Rule(
        "recovery-phrase",
        ("mnemonic", "phrase", "助记词"),
        r"(?:(?i:mnemonic)|(?<=(?i:seed[ _]))(?i:phrase)|(?<=(?i:recovery[ _]))(?i:phrase)|助记词)"
        r"[^\n\x0b]{0,12}?[:=][ \\\"']{0,70}((?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})(?![a-z])",
        1,
        judge=lambda found: found.span(1),
    ),
)

CONTEXTS: tuple[Rule, ...] = _CONTEXTS + COMMANDS + TOOLS + ASSIGNMENTS

_NOT_PRIVATE = r"(?i)@(?:[\w-]+\.)*(?:example\.\w+|users\.noreply\.github\.com|\w+\.(?:png|jpe?g|svg|gif|webp))$"
_SHARED = frozenset("shared public default all user username you your me name runner ...".split())  # noqa: SIM905


def _address(found: re.Match[str]) -> Span | None:
    """An address of a person: no examples, no `git@host:path`, no `icon@2x.png`."""
    text, start = found.string, found.start()
    while start > 0 and found.start() - start < 64 and (text[start - 1].isalnum() or text[start - 1] in "._%+-"):
        start -= 1
    name = text[start : found.start()].lower().lstrip(".-")
    public = name in ("", "git", "noreply", "no-reply") or text[found.end() : found.end() + 1] in (":", "/")
    return None if public or compiled(_NOT_PRIVATE).search(found[0]) else (found.start() - len(name), found.end())


# Off unless asked for.
EMAIL = Rule("email", ("@",), r"(?<=[\w+])@(?:[A-Za-z0-9-]{1,63}\.){1,4}[A-Za-z]{2,24}(?![\w@-])", judge=_address)
USER_NAME = Rule(
    "user",
    ("/home/", "/users/", "\\users\\"),
    r"(?i:[/\\]{1,4}(?:home|users)[/\\]{1,4})([^\s/\\:*?\"'<>|$,;()\[\]{}`]{1,64})",
    1,
    judge=lambda found: None if found[1].lower() in _SHARED else found.span(1),
)
