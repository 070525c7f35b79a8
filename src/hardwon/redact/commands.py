"""Passwords that a command takes as an argument, from a pipe or from a variable; SQL that sets one.

Most options that take a password mean something else to another command (`-p`, `-P`, `-S`), so the command's name
decides. A rule's pattern begins at its keyword; what stands before that, on the same line, the judge looks at.
"""

import re
from collections.abc import Iterator

from .lazy import compiled
from .rules import Rule, Span
from .values import has, is_placeholder

# A command up to the option that is meant, on one line; a value after it, quoted or not.
_UP_TO = r"[ \t][^\n\x0b|;&]{0,200}?(?<=[ \t])"
_QUOTE = r"\\{0,63}[\"']?"
_ARGUMENT = rf"{_QUOTE}([^\s\"']{{1,256}})"


def _not_digits(found: re.Match[str]) -> Span | None:
    """`-u 1000:1000` is a user and a group."""
    value = found[1]
    return None if value.isdigit() or is_placeholder(value) or value[0] in "([{" else found.span(1)


def _is_literal(value: str) -> bool:
    """A digit or a sign in it, so that it is no word of a sentence."""
    return has(value, b"d") or any(c in "!@#$%^&*+=?~" for c in value)


def _given(found: re.Match[str], group: int) -> Span | None:
    return None if is_placeholder(found[group]) else found.span(group)


def _same_line(found: re.Match[str], reach: int) -> str:
    """What stands before the match on its line."""
    return re.split(r"[\n\x0b]", found.string[max(0, found.start() - reach) : found.start()])[-1]


_NEXT, _SAME, _EITHER = "next word", "same word", "either"
# The commands whose -p or -P takes a password, and where.
_TAKES: dict[str, tuple[str, str]] = {
    **dict.fromkeys(("mongo", "mongosh", "mongodump", "mongorestore", "mongoimport", "mongoexport"), ("p", _NEXT)),
    **dict.fromkeys(("mongostat", "mongotop", "mongofiles", "cqlsh"), ("p", _NEXT)),
    **dict.fromkeys(("mosquitto_pub", "mosquitto_sub", "mosquitto_rr", "ipmitool"), ("P", _NEXT)),
    **dict.fromkeys(("sqlcmd", "bcp", "osql", "isql", "zip", "unzip"), ("P", _EITHER)),
    **dict.fromkeys(("7z", "7za", "7zr", "7zz", "rar", "unrar"), ("p", _SAME)),
}
# `docker run --name mongo -p 80:80`, `docker exec -it mongo mkdir -p data1`: a container, and what runs in it.
_NAMES = frozenset(("-i", "-t", "-it", "-ti", "-n"))
_OTHERS = frozenset("mkdir cp ssh scp run exec psql mysql git tar ls nc python python3 sh bash".split())  # noqa: SIM905
_PORTS = r"[\d.:-]{1,40}:\d{1,5}(?:-\d{1,5})?(?:/(?:tcp|udp))?"


def _option(found: re.Match[str]) -> Span | None:
    """`mongosh -p …`, `sqlcmd -P …`, `7z -p…`; but `mkdir -p`, `ssh -p 2222`, `grep -P`, and a `-p` that asks."""
    letter, blank, value = found[1], found[2], found[3]
    if value[0] in "-([{" or is_placeholder(value) or compiled(_PORTS).fullmatch(value):
        return None
    words = re.split(r"[|;&]", _same_line(found, 200))[-1].split()
    at, name = next(((at, name) for at, name in _names(words) if name in _TAKES or name in _OTHERS), (0, ""))
    takes, where = _TAKES.get(name, ("", ""))
    before = words[at - 1] if at else ""
    if letter != takes or before in _NAMES or before.startswith("--"):
        return None
    if (where == _NEXT and not blank) or (where == _SAME and blank):
        return None
    user = any(word.startswith(("-u", "-U", "--user")) for word in words[at + 1 :])
    return found.span(3) if user or not blank or _is_literal(value) else None


def _names(words: list[str]) -> Iterator[tuple[int, str]]:
    """The last command first, without its folder and what quotes it."""
    for at in range(len(words) - 1, -1, -1):
        yield at, words[at].strip("'\"`+($\\").rpartition("/")[2].removesuffix(".exe")


_PIPED = (
    r"(?:echo|printf)(?:[ \t]{1,3}-[neE]{1,3})?(?:[ \t]{1,3}\\{0,63}[\"']?%s(?:\\{1,64}n|[ \t]\x0b)?\\{0,63}[\"']?)?"
    rf"[ \t]{{1,3}}{_QUOTE}([^\s\"'|;&<>]{{1,256}}(?:[ \t][^\s\"'|;&<>]{{1,64}}){{0,6}}?){_QUOTE}"
    r"[ \t]{0,3}\|[ \t]{0,3}[^\n\x0b|;&]{0,200}"
)


def _piped(found: re.Match[str]) -> Span | None:
    """What `echo` hands to a command that reads a password: `echo … | sudo -S`."""
    text, end = found.string, found.start()
    start = max(text.rfind(word, max(0, end - 500), end) for word in ("echo", "printf"))
    said = compiled(_PIPED).fullmatch(text, start, end) if start >= 0 else None
    return _handed_over(said, of_user=found[0] == "passwd") if said else None


_READS = (
    r"(?:--password-stdin|(?<![\w-])(?:(?P<user>chpasswd)|sudo[ \t](?:.{0,60}[ \t])?(?:-\w{0,4}S|--stdin)))(?![\w-])"
)


def _fed(found: re.Match[str]) -> Span | None:
    """The same after `<<<`."""
    reads = compiled(_READS).search(re.split(r"[|;&]", _same_line(found, 200))[-1])
    return _handed_over(found, of_user=reads["user"] is not None) if reads else None


def _handed_over(found: re.Match[str], *, of_user: bool) -> Span | None:
    """Of `user:password`, which chpasswd reads, the password."""
    begin, stop = found.span(1)
    begin = found.string.find(":", begin, stop) + 1 if of_user else begin
    value = found.string[begin:stop].rstrip("\\")
    return (begin, begin + len(value)) if begin and value and not is_placeholder(value) else None


_OF_SQL = r"(?i)(?:alter|create)[ \t]{1,3}(?:user|role|login)[ \t]{1,3}[^\s;]{1,80}[ \t]{1,3}[\w \t]{0,60}$"
_SQL_WORDS = frozenset(
    """
    by default disable enable expire external for from history is lock never null of policy random require reuse to
    unlock values via with
    """.split()  # noqa: SIM905
)


def _after_pass(found: re.Match[str]) -> Span | None:
    """What follows a word with `pass` in it: each of the forms has a group of its own."""
    group = found.lastgroup or ""
    value = found[group].rstrip("\\;")
    span = found.start(group), found.start(group) + len(value)
    if group == "htpasswd":
        return _htpasswd(found)
    if not value or is_placeholder(value):
        return None
    if group == "sql" and (_is_word(found.string, *span) or not compiled(_OF_SQL).search(_same_line(found, 240))):
        return None
    return span


def _is_word(text: str, start: int, end: int) -> bool:
    """Of SQL, or of a sentence that goes on: letters alone are a password only where the statement ends."""
    value = text[start:end]
    ends = text[end : end + 66].lstrip(" \\")[:1] in ("", ";", "\n", "\r", "\x0b", '"', "'", "`")
    return value.lower() in _SQL_WORDS or not (_is_literal(value) or ends)


def _htpasswd(found: re.Match[str]) -> Span | None:
    """`htpasswd -b FILE USER PASSWORD`, and without the file after -n."""
    words = list(compiled(r"[^\s\"'\\]+").finditer(found.string, *found.span("htpasswd")))
    options = "".join(word[0] for word in words if word[0].startswith("-"))
    plain = [word for word in words if not word[0].startswith("-")]
    if "C" in options and plain and plain[0][0].isdigit():  # the cost of bcrypt
        plain = plain[1:]
    at = 1 if "n" in options else 2
    if "b" not in options or len(plain) <= at or is_placeholder(plain[at][0]):
        return None
    return plain[at].span()


def _identified(found: re.Match[str]) -> Span | None:
    """In quotes in any case; bare only in a statement, for prose identifies things by their names."""
    if found[1] is not None:
        return _given(found, 1)
    statement = compiled(r"(?i)(?:(?:create|alter)[ \t]{1,3}user|grant)[ \t]").search(_same_line(found, 240))
    return _given(found, 2) if statement and not _is_word(found.string, *found.span(2)) else None


COMMANDS: tuple[Rule, ...] = (
    Rule(
        "password",
        ("curl",),
        r"(?i:curl)(?=\s)[^\x00]{0,300}?\s(?:-u|-U|--user|--proxy-user)(?:[ \t=]{1,3}|(?=\w))"
        r"\\{0,63}[\"']?[^\s:\"'/]{1,128}:([^\s\"']{1,256})",
        1,
        judge=_not_digits,
    ),
    Rule(
        "password",
        ("mysql", "mariadb"),
        rf"(?i:mysql|mariadb)[a-z]{{0,12}}{_UP_TO}-p\\{{0,63}}[\"']?([^\s\"'|;&]{{3,256}})",
        1,
        judge=_not_digits,
    ),
    Rule("password", ("-p",), rf"(?<=[ \t])-([pP])([ \t]{{0,3}}){_ARGUMENT}", 3, judge=_option),
    # sshpass, openssl, htpasswd, SQL without quotes.
    Rule(
        "password",
        ("pass",),
        r"(?:(?<=ssh)pass[ \t]{1,3}-p[ \t]{0,3}\\{0,63}[\"']?(?P<sshpass>[^\s\"']{1,256})"
        r"|(?<=SSH)PASS=\\{0,63}[\"']?(?P<variable>[^\s\"']{1,256})"
        r"|(?<=-)pass(?:in|out)? pass:(?P<openssl>[^\s\"'<>]{1,256})"
        r"|(?<=ht)passwd(?P<htpasswd>(?:[ \t]{1,3}[^\s|;&<>`]{1,256}){3,9})"
        r"|(?<=[ \t])(?i:password)[ \t]{1,3}(?P<sql>[^\s\"'`\\]{4,256}))",
        judge=_after_pass,
    ),
    # What comes from a pipe, or after <<<.
    Rule("password", ("pass",), r"(?:(?<=--)password-stdin|(?<=ch)passwd)(?![\w.-])", judge=_piped),
    Rule(
        "password",
        ("sudo",),
        r"sudo[ \t][^\n\x0b|;&]{0,60}?(?<=[ \t])(?:-[A-Za-z]{0,4}S|--stdin)(?![\w-])",
        judge=_piped,
        beside="|",
    ),
    Rule("password", ("<<<",), rf"<<<[ \t]{{0,3}}{_ARGUMENT}", judge=_fed),
    Rule("password", ("auth",), rf"(?<=REDISCLI_)AUTH={_ARGUMENT}", 1),
    Rule("password", ("login",), rf"(?<=[a-z] )login{_UP_TO}-p[ \t]{{1,3}}{_ARGUMENT}", 1, judge=_not_digits),
    # Oracle: user/password@database
    Rule(
        "password",
        ("sqlplus",),
        rf"(?i:sqlplus)(?:[ \t]{{1,3}}-\w{{1,12}}){{0,4}}[ \t]{{1,3}}{_QUOTE}[\w$#.\[\]]{{1,64}}"
        r"/([^\s\"'@/\\]{1,128})(?=@)",
        1,
        beside="@",
    ),
    Rule(
        "password",
        ("oracle:",),
        r"(?<=jdbc:)oracle:[a-z0-9]{2,8}:[^\s/@\"']{1,64}/([^\s@\"']{1,128})(?=@)",
        1,
        beside="@",
    ),
    Rule(
        "password",
        ("identified",),
        r"(?i:identified(?:[ \t]{1,3}with[ \t]{1,3}\S{1,40})?[ \t]{1,3}(?:by|as)[ \t]{1,3}(?:password[ \t]{1,3})?)"
        r"\\{0,63}(?:[\"']([^\"'\n]{1,256})[\"']|([^\s\"'`;,()\\]{3,256}))",
        judge=_identified,
    ),
)
