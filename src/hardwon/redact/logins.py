"""A user and a password side by side, as people write them: `log in with admin / Hunter2024`, `creds: bob:…`."""

import re

from .rules import Rule, Span
from .values import has, is_chosen

_ANNOUNCED = (
    r"(?i:log[ -]?[io]n|sign[ -]?in|logged in|creds?|credentials?|accounts?|zugang\w{0,8}|anmeld\w{0,6}|konto|usuario|acceso"
    r"|cuenta|identifiants?|compte|acc[eè]s|conta|usu[aá]rio|logowani\w{0,3}|ssh|rdp|vpn|wifi|wlan|ftp)"
    r"|登录|登陆|登入|账号|帐号|账户|帳號|用户名?|ログイン|アカウント|ユーザー?|логин|учётк\w|учетк\w|доступ"
)
_USER = r"(?P<user>[\w.@+\\-]{2,48})"
_BETWEEN = r"[ \t]{0,2}(?:/|:|,|\||，|、|;|->|=>)[ \t]{0,2}|[ \t]{1,2}(?:and|und|y|et|e|mit|with|con|avec|com|и|с)[ \t]{1,2}"
_QUOTE = r"[\"'`*“”「]{0,2}"
_PASSWORD = r"(?P<password>[^\s\"'`，。、；“”「」<>|()]{6,64})"


def _pair(found: re.Match[str]) -> Span | None:
    """A password here has to look chosen, with a capital or a sign in it: `accounts: alice, 2024` has none."""
    value = found["password"].rstrip(".,;:")
    if not is_chosen(value) or "/" in value or ":" in value or value.count(".") > 1 or value.count("-") > 2:
        return None
    signs = sum(c in "!@#$%^&*+=?~" for c in value)
    strong = has(value, b"d") and (has(value, b"lu") or signs) and "@" not in value[1:-1]
    announced = not re.search(r"[:/=]", found["between"]) or strong
    return (found.start("password"), found.start("password") + len(value)) if strong and announced else None


SPEECH = frozenset(
    """
    log in|logon|logged in|sign in|signin|account|zugang|anmeld|konto|usuario|acceso|cuenta|identifiant|compte|ssh |rdp|vpn
    |wifi|wlan|kennwort|contrase|clave|mdp|senha|haslo|psk|rabbitmqctl|airportnetwork|alias set|obscure|qpdf
    """.replace("\n    ", "").strip().split("|")
)
"""Keywords that are looked for only in texts short enough to be somebody's words: each one costs a search."""

LOGINS: tuple[Rule, ...] = (
    Rule(
        "password",
        (
            "login", "log in", "logon", "logged in", "sign in", "signin", "cred", "account", "zugang", "anmeld", "konto",
            "usuario", "acceso", "cuenta", "identifiant", "compte", "ssh ", "rdp", "vpn", "wifi", "wlan", "登录", "登陆", "账号", "帐号",
            "账户", "用户", "ログイン", "アカウント", "логин", "доступ",
        ),
        rf"(?:{_ANNOUNCED})[^\n\x0b]{{0,60}}?(?<![\w.@+/\\:-]){_QUOTE}{_USER}{_QUOTE}(?P<between>{_BETWEEN}){_QUOTE}{_PASSWORD}",
        judge=_pair,
    ),
)  # fmt: skip
