"""Whether a file holds secrets, by its name; and whether it is a document that wants to be asked for."""

from __future__ import annotations

import re

from hardwon.text.commands.vocabulary import names

_NAMES = names(
    "id_rsa id_dsa id_ecdsa id_ed25519 id_ecdsa_sk id_ed25519_sk .netrc _netrc .pgpass .my.cnf .htpasswd "
    ".git-credentials .dockercfg .vault-token .s3cfg .boto kubeconfig master.key shadow"
)
_KEYS = re.compile(r".+\.(?:pem|key|p12|pfx|jks|keystore|kdbx?|ppk|p8|gpg|age|ovpn|agekey|tfvars)")
_ENVIRONMENT = re.compile(r"(?:.+)?\.env(?:rc)?(?:[._-].+)?|env\.(?:local|prod|production|staging|dev|development)")
_WORDS = re.compile(
    r"(?:^|[._-])(?:secrets?|credentials?|passwords?|passwd|passphrase|service[._-]?account|client[._-]?secret"
    r"|private[._-]?key|api[._-]?keys?|tokens?|auth[._-]?token)(?=$|[._-])"
)
_DATA = names(
    "json yml yaml toml ini cfg conf txt csv env properties xml plist secret secrets bak local prod db enc dat"
) | {""}
"""A `passwords.py` is a program."""
_HARMLESS = re.compile(
    r"(?:^|[._-])(?:examples?|samples?|templates?|tmpl|tpl|dist|defaults?|schema|spec|tests?|mock|stub|dummy|fake"
    r"|encrypted|sealed|pub|public|j2|erb|d|types?)(?=$|[._-])"
)
_PUBLIC = re.compile(
    r"-----BEGIN (?:CERTIFICATE|PUBLIC KEY|RSA PUBLIC KEY|X509 CRL|CERTIFICATE REQUEST|PGP PUBLIC KEY BLOCK)-----"
)
_PRIVATE = re.compile(r"PRIVATE KEY|\[redacted:[\w-]*(?:private|key)")
_DOCUMENTS = re.compile(
    r"(?i)(readme|changelog|changes|todo|history)(?:[._-]\w{1,12})?(?:\.(?:md|markdown|mdx|txt|rst|adoc|org))?"
)
_OUTSIDE = re.compile(r"/(?:tmp|var|etc|dev|proc|root|run|private|opt|usr|sys|Users/[^/]+/\.|home/[^/]+/\.)|~|\$HOME\b")


def name(path: str) -> str:
    return path.replace("\\", "/").rstrip("/").rpartition("/")[2]


def is_secret(path: str, text: str = "") -> bool:
    """By its name; a text that is plainly public, such as a certificate, speaks for it."""
    base = name(path).lower()
    stem, _, ending = base.rpartition(".")
    if text and is_empty(text):
        return False
    if _HARMLESS.search(base) or (_PUBLIC.search(text) and not _PRIVATE.search(text)):
        return False
    if base in _NAMES or _ENVIRONMENT.fullmatch(base) or _KEYS.fullmatch(base):
        return True
    if base == "credentials" and ("/.aws/" in f"/{path}" or "/" not in path):
        return True
    return bool(_WORDS.search(stem or base)) and ending in _DATA


def is_outside(path: str) -> bool:
    """Whether it is surely in no repository: a temporary folder, the system, the home."""
    return _OUTSIDE.match(path) is not None


def document(path: str) -> str:
    """Which sort of document it is: `readme`, `changelog`, `todo`; empty for another file."""
    match = _DOCUMENTS.fullmatch(name(path))
    return match[1].lower() if match else ""


_ASKED = re.compile(
    r"(?i)\b(?:docs?|document\w*|notes?|release\w*|instructions|write[- ]?up|summar\w+|report|guide|markdown)\b|\.md\b"
    r"|文档|說明|说明|記錄|记录|ドキュメント|説明|メモ|\bdoku\w*|\banleitung|\bnotiz\w*"
)
_SORTS = {"changes": "changelog", "history": "changelog"}


def is_asked_for(path: str, prompts: str) -> bool:
    """Whether the person spoke of it, or of documentation at all."""
    sort = _SORTS.get(document(path), document(path))
    folded = prompts.lower().replace("-", "").replace(" ", "")
    return sort in folded or name(path).lower() in prompts.lower() or _ASKED.search(prompts) is not None


_TAKEN_OUT = re.compile(r"\[redacted:([\w.-]{1,64})\]")
_WEAK = names(
    "password secret token api-key url-password authorization cookie password-hash signed-url recovery-phrase"
)
"""Known by what stands beside them: in a program mostly made up for a test or an example."""
_VAGUE = frozenset({"unexplained", "email", "user-name"})
_CONFIGURES = _DATA - {"", "csv", "xml", "txt"}
_TRIES = re.compile(
    r"(?i)(?:^|[/._-])(?:tests?|specs?|fixtures?|testdata|mocks?|examples?|samples?|docs?|__tests__)(?=$|[/._-])"
)


def secrets_in(path: str, text: str) -> list[str]:
    """The types of the secrets in a text that has passed the border, where they mean something in such a file."""
    found = [kind for kind in _TAKEN_OUT.findall(text) if kind not in _VAGUE]
    if not found or _TRIES.search(path) or _HARMLESS.search(name(path).lower()):
        return []
    ending = name(path).lower().rpartition(".")[2]
    return [kind for kind in found if kind not in _WEAK or ending in _CONFIGURES or is_secret(path)]


def is_empty(text: str) -> bool:
    """Whether each value in it is left open, as in a template."""
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    return all(re.fullmatch(r"(?:export\s+)?[\w.-]+\s*[=:]\s*[\"']?[\"']?\s*", line) for line in lines)
