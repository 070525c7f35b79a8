"""Programs that take a password as an argument, as data: which option, or which place among their words.

The same letter means something else to nearly every program, so a letter counts only behind a program's name. Options
whose name says it (`--db-password`, `-storepass`) need no entry here: `assignments` reads them.
"""

import re

from .lazy import compiled
from .rules import Rule, Span
from .values import is_placeholder

_VALUE = (
    r"(?:\\{0,63}\"(?P<double>[^\"\n]{1,256})|\\{0,63}'(?P<single>[^'\n]{1,256})'"
    r"|(?P<bare>[^\s\"'|;&<>`]{1,256}))"
)


def _tools(letters: str, names: str) -> dict[str, str]:
    return dict.fromkeys(names.split(), letters)


# After these letters stands a password, as the next word.
PASSWORD_AFTER: dict[str, str] = {
    **_tools(
        "p",
        "cypher-shell evil-winrm crackmapexec nxc netexec hydra ncftpput ncftpget ncftpls wput plink twine psexec"
        " PsExec PsExec64 gmysql",
    ),
    **_tools("p", "az oc cf skopeo podman oras crane jf jfrog nuget rdesktop govc racadm steghide useradd usermod"),
    **_tools("pP", "security ssh-keygen sshpass ncrack medusa patator rabbitmqadmin neo4j-admin davtest weblogic"),
    **_tools("w", "ldapsearch ldapmodify ldapadd ldapdelete ldappasswd ldapwhoami mosquitto_passwd security-add"),
    **_tools("AX", "snmpwalk snmpget snmpset snmpbulkwalk snmptable snmpusm snmpinform"),
    **_tools("a", "redis-cli redis-benchmark valkey-cli keydb-cli"),
    **_tools("k", "openssl"),
    **_tools("N", "ssh-keygen"),
}
# A program after one of those above: the option is its own.
_OTHERS = frozenset("mkdir cp ssh scp run exec psql mysql git tar ls nc python python3 sh bash grep sed".split())  # noqa: SIM905
# After these stands `user:password`, or with the sign that the program wants.
LOGIN_AFTER: dict[str, str] = {
    **_tools("uU", "curl siege"),
    **_tools("a", "http https xh hey oha"),
    **_tools("uU", "lftp smbclient smbmap rpcclient net nmblookup wbinfo smbget ncftpget ncftpput wput"),
    **_tools("A", "ab"),
}
_LETTER = rf"(?<=[ \t])-([A-Za-z]{{0,3}}?)([apAPwXNkuU])([ \t=]{{0,3}}){_VALUE}"
_JOINER = r"(?P<user>[^\s:%,\"'/]{1,128})(?P<sign>[:%,])(?P<password>[^\s\"']{1,256})"
_PORTS = r"[\d.:-]{1,40}:\d{1,5}(?:-\d{1,5})?(?:/(?:tcp|udp))?|\d{1,6}"


def _line_before(found: re.Match[str], reach: int = 240) -> str:
    return re.split(r"[\n\x0b|;&]", found.string[max(0, found.start() - reach) : found.start()])[-1]


def _tool(found: re.Match[str], tables: tuple[dict[str, str], ...]) -> str:
    """The last program named before an option, if it is one of these."""
    for word in reversed(_line_before(found).split()):
        name = word.strip("'\"`+($\\").rpartition("/")[2].removesuffix(".exe")
        if name in _OTHERS:
            return ""
        if any(name in table for table in tables):
            return name
    return ""


def _given(found: re.Match[str]) -> tuple[str, int]:
    """The value and where it begins; a backslash before its closing quote is not part of it."""
    group = found.lastgroup or "bare"
    return found[group].rstrip("\\"), found.start(group)


def _letter(found: re.Match[str]) -> Span | None:
    value, start = _given(found)
    if not value or value[0] in "-([{$" or is_placeholder(value) or compiled(_PORTS).fullmatch(value):
        return None
    name = _tool(found, (PASSWORD_AFTER, LOGIN_AFTER))
    if found[2] in LOGIN_AFTER.get(name, ""):
        return _login(start, value)
    blank = bool(found[3]) or found.lastgroup != "bare"
    return (start, start + len(value)) if found[2] in PASSWORD_AFTER.get(name, "") and not found[1] and blank else None


def _login(start: int, value: str) -> Span | None:
    login = compiled(_JOINER).fullmatch(value)
    if not login or is_placeholder(login["password"]) or login["password"].isdigit():
        return None
    return start + login.start("password"), start + login.end("password")


def _literal(found: re.Match[str]) -> Span | None:
    """A place among a program's words: `net user bob PASSWORD`. A variable or a stand-in is no password."""
    value, start = _given(found)
    if len(value) < 3 or is_placeholder(value) or value[0] in "-([{$/*<":
        return None
    word = found.lastgroup == "bare" and value.isalpha() and value.islower()
    return None if word else (start, start + len(value))


_Q = r"\\{0,63}[\"']"
_WORD = r"[^\s\"'|;&<>`]{1,128}"
_MAYBE_QUOTED = rf"(?:\\{{0,63}}\"[^\"\n]{{1,128}}\"|\\{{0,63}}'[^'\n]{{1,128}}'|{_WORD})"
_BLANK = r"[ \t]{1,3}"
# What stands before the password, from the keyword on. Most keywords are those of other rules, which costs nothing.
_PLACES: tuple[tuple[str, str], ...] = (
    ("net u", rf"(?i:net use){_BLANK}(?:[A-Za-z*]:?{_BLANK})?\\{{2,8}}[^\s]{{1,120}}{_BLANK}(?=[^/*\s])"),
    ("net u", rf"(?i:net user){_BLANK}{_MAYBE_QUOTED}{_BLANK}(?=[^/*\s])"),
    (
        "rabbitmqctl",
        rf"rabbitmqctl[^\n]{{0,80}}?(?:add_user|change_password|authenticate_user){_BLANK}{_MAYBE_QUOTED}{_BLANK}",
    ),
    ("pass", rf"(?<=set-initial-)password{_BLANK}"),
    ("pass", rf"(?<=wpa_)passphrase{_BLANK}{_MAYBE_QUOTED}{_BLANK}"),
    ("pass", rf"(?<=require)pass{_BLANK}"),
    ("pw", rf"(?<=root)pw{_BLANK}--plaintext{_BLANK}"),
    ("connect", rf"(?<=[_ai])connect\((?:[ ]?{_Q}[^\"'\n]{{1,80}}{_Q},){{2}}[ ]?"),
    ("auth", rf"(?<=master)auth{_BLANK}"),
    ("basic", rf"(?<=http-)basic\.[\w.-]{{1,64}}{_BLANK}{_MAYBE_QUOTED}{_BLANK}"),
    ("pw", rf"(?<=user_)pw{_BLANK}|(?<=owner_)pw{_BLANK}|(?<=-u)pw{_BLANK}|(?<=-o)pw{_BLANK}"),
    ("cred", rf"(?<=-)creds?(?:entials?)?(?:{_BLANK}|=)[^\s:\"']{{1,64}}:(?=\S)"),
    ("airportnetwork", rf"airportnetwork{_BLANK}\w{{1,12}}{_BLANK}{_MAYBE_QUOTED}{_BLANK}"),
    ("alias set", rf"alias set{_BLANK}[\w.-]{{1,64}}{_BLANK}\S{{1,120}}{_BLANK}{_MAYBE_QUOTED}{_BLANK}"),
    ("obscure", rf"(?<=rclone )obscure{_BLANK}"),
    ("securestring", rf"(?i:securestring)(?:{_BLANK}-(?:String|AsPlainText|Force))*{_BLANK}"),
    ("qpdf", rf"qpdf[^\n]{{0,80}}?--encrypt{_BLANK}(?={_MAYBE_QUOTED}{_BLANK}{_MAYBE_QUOTED}{_BLANK}(?:40|128|256))"),
)
_SLASH = r"(?<=[ \t])/(?i:p|pw|pass|pwd|password):(?=\S)"


def _place(keyword: str, before: str) -> Rule:
    return Rule("password", (keyword,), rf"(?:{before}){_VALUE}", judge=_literal)


TOOLS: tuple[Rule, ...] = (
    Rule("password", (" -",), rf"[ ]{_LETTER}", judge=_letter),
    Rule("password", (" /p",), rf"[ ]{_SLASH}{_VALUE}", judge=_literal),
    *(_place(keyword, before) for keyword, before in _PLACES),
)
