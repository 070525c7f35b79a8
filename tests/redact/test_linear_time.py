"""Time grows with the length of the text, whatever is in it."""

from time import process_time

import pytest

from hardwon.redact import DEFAULT

_PEM = "-----BEGIN RSA PRIVATE" + " KEY-----"
HOSTILE = {
    "one letter": "a",
    "one capital": "A",
    "digits": "0",
    "dashes": "-",
    "blanks": " ",
    "line ends": "\n",
    "ats": "@",
    "colons": ":",
    "quotes": '"',
    "escaped quotes": '\\\\\\"',
    "backslashes": "\\",
    "escaped line ends": "\\n",
    "escapes": "\\u002d",
    "colours": "\x1b[31m",
    "zero-width": "\u200b",
    "Chinese": "文",
    "entities": "&quot;",
    "password=": "password=",
    "password quoted": 'password="',
    "password escaped": 'password=\\"',
    "password long": 'password="' + "a1" * 990 + "\n",
    "password templates": 'password="' + "{a}" * 500 + '1" ',
    "password versions": 'password="' + "1." * 600 + '!" ',
    "password names": 'password="' + "ab-" * 600 + '!" ',
    "elements": "<password>",
    "pass": "pass ",
    "keys": "key=",
    "secrets": "secret_key=",
    "tokens": "token: ",
    "all names": "key=token=secret=password=",
    "密码": "密码：",
    "PEM begins": "-----BEGIN",
    "PEM headers": _PEM,
    "PEM lines": f"{_PEM}\n{'A' * 64}\n",
    "PuTTY": "Private-Lines: 9\nAAAA\n",
    "eyJ": "eyJ",
    "JWT parts": "eyJaaaaaaaaaaaa.",
    "JWT dashes": "eyJ-",
    "sk-": "sk-",
    "sk_live_": "sk_live_",
    "AKIA": "AKIA",
    "ghp_": "ghp_",
    "base64 PEM": "LS0tLS1CRUdJTi",
    "schemes": "://",
    "users": "://a:",
    "logins": "://a:b@",
    "cookies": "cookie=",
    "cookie lines": "cookie: a=b; ",
    "authorization": "authorization: ",
    "bearer": "bearer ",
    "login": "login a password ",
    "curl": "curl -u ",
    "mysql": "mysql ",
    "-p": " -p a",
    "mongosh -p": "mongosh -p ",
    "sudo": "echo a1|sudo -S ",
    "echoes": "echo a ",
    "sudoes": "|sudo ",
    "fed": "sudo -S <<<a1",
    "htpasswd": "htpasswd -b ",
    "chpasswd": "echo a:b|chpasswd ",
    "SQL passwords": "alter user a password ",
    "identified": "create user identified by ",
    "smbclient": "smbclient -U a%",
    "sqlplus": "sqlplus a/@",
    "Django": "SECRET_KEY=a1!@#",
    "perm": "perm:aa.aa.",
    "AZDO": "A1AZDO",
    "aws": "aws",
    "signatures": "sig=",
    "mnemonic": "mnemonic:abc ",
    "vendor": "datadog key aaaaaaaaaaaaaaaaaaaaaaa1 ",
    "markers": "password=[redacted:password] ",
    ".pgpass": "a:5432:a:a:a",
    "crypt": "$2b$10$",
}
ORDINARY = """The build failed again because the token cache was cold; see the log of run 4711.
def refresh(session: Session, key: str = "primary") -> Token:
    return session.get(f"https://api.corp.dev/v1/{key}", timeout=30).json()["token"]
2026-02-03T04:05:06Z INFO worker[12] request done path=/v1/items status=200 ms=12.5 user=ann
"""


def seconds(text: str, runs: int = 2) -> float:
    """The least processor time of a few runs: other programs on the machine only ever add to it."""
    best = float("inf")
    for _ in range(runs):
        began = process_time()
        DEFAULT.findings(text)
        best = min(best, process_time() - began)
    return best


def repeated(piece: str, size: int) -> str:
    return (piece * (size // len(piece) + 1))[:size]


@pytest.mark.parametrize("name", HOSTILE)
def test_twice_the_text_takes_about_twice_the_time(name: str) -> None:
    """A pattern that backtracks would take four times as long, or for ever; below 20 ms the clock decides."""
    small, large = (repeated(HOSTILE[name], size) for size in (50_000, 100_000))
    for _ in range(3):
        once, twice = seconds(small), seconds(large)
        if twice <= max(3 * once, 0.02):
            return
    pytest.fail(f"{name}: {once:.3f} s for 50,000 characters, {twice:.3f} s for 100,000")


def test_no_hostile_text_takes_more_than_sixty_times_as_long_as_an_ordinary_one() -> None:
    """The ordinary text is prose, code and a log. `python -m bench.redact --hostile` does this with a million."""
    ordinary = seconds(repeated(ORDINARY, 200_000), runs=8)
    for name, piece in HOSTILE.items():
        text = repeated(piece, 200_000)
        spent = min(seconds(text, runs=1) for _ in range(3)) if seconds(text, runs=1) > 40 * ordinary else 0
        assert spent <= 60 * ordinary, f"{name}: {spent / ordinary:.0f} times as long"
