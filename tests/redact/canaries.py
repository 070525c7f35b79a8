"""Made-up secrets of every format, each in several realistic surroundings.

Nothing here is a secret, and nothing here looks like one: a format is a description (`ghp_<b62:36>`), from which a
seeded random generator makes a value when the tests run. So no scanner of any forge has a reason to stop this file.

    for canary in canaries():
        assert canary.secret not in whatever_was_kept(canary.text)
"""

import json
import random
import re
import string
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass

from .formats import FORMATS, Format


@dataclass(frozen=True, slots=True)
class Canary:
    rule: str
    """The type that redaction gives it, unless a more general rule sees it first."""
    secret: str
    """What must not appear anywhere."""
    text: str
    """The secret in its surroundings."""
    context: str
    """What kind of surroundings these are."""


_LETTERS = string.ascii_letters
_ALPHABETS = {
    "b62": _LETTERS + string.digits,
    "b58": "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
    "b64": _LETTERS + string.digits + "+/",
    "url": _LETTERS + string.digits + "_-",
    "hex": "0123456789abcdef",
    "low": string.ascii_lowercase + string.digits,
    "up": string.ascii_uppercase + string.digits,
    "b32": string.ascii_uppercase + "234567",
    "abc": string.ascii_lowercase,
    "num": string.digits,
    "num1": "123456789",
    "mix": _LETTERS + string.digits + "!#%^*-_+=?~",
    "safe": _LETTERS + string.digits + "!$%^*-_+=~@,",
    "letters": _LETTERS,
    "django": string.ascii_lowercase + string.digits + "!@#$%^&*(-_=+)",
    "crypt": _LETTERS + string.digits + "./",
}
_PIECE = re.compile(r"<(\w+)(?::(\d+))?>")


def make(description: str, rng: random.Random) -> str:
    """A value of this description: `<alphabet:length>` pieces and literal text."""
    return _PIECE.sub(lambda piece: _piece(piece[1], int(piece[2] or 0), rng), description)


def _piece(kind: str, size: int, rng: random.Random) -> str:
    if kind == "uuid":
        return "-".join(_piece("hex", part, rng) for part in (8, 4, 4, 4, 12))
    if kind == "login":
        return b64encode(make("deploy:<mix:14>", rng).encode()).decode()
    if kind == "json":
        body = json.dumps({"alg": "HS256", "sub": _piece("b62", size, rng)}).encode()
        return b64encode(body).decode().replace("+", "-").replace("/", "_").rstrip("=")
    if kind == "id64":
        return b64encode(_piece("num1", 18, rng).encode()).decode().rstrip("=")
    if kind == "pem64":
        block = make("-----BEGIN RSA PRIVATE" + " KEY-----\n<b64:64>\n<b64:64>\n", rng)
        return b64encode(block.encode()).decode()
    if kind == "words":
        return " ".join(_piece("abc", rng.randint(3, 8), rng) for _ in range(size))
    return _random(_ALPHABETS[kind], size, rng)


def _random(alphabet: str, size: int, rng: random.Random) -> str:
    """With a digit and a letter, as nearly every real one has."""
    while True:
        value = "".join(rng.choice(alphabet) for _ in range(size))
        if alphabet.isdigit() or size < 8 or alphabet.isalpha() or _is_mixed(value):
            return value


def _is_mixed(value: str) -> bool:
    return (
        any(c.isdigit() for c in value)
        and any(c.isalpha() for c in value)
        and value[0].isalnum()
        and value[-1].isalnum()
    )


_PEM_KINDS = ("RSA ", "EC ", "OPENSSH ", "", "ENCRYPTED ", "PGP ")
_PUTTY = "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nPrivate-Lines: 2\n{0}\n{1}\nPrivate-MAC: 00"


def _block(kind: str, lines: list[str]) -> str:
    label = f"{kind}PRIVATE KEY{' BLOCK' if kind == 'PGP ' else ''}"
    return "\n".join([f"-----BEGIN {label}-----", *lines, f"-----END {label}-----"])


_PEM_SHAPES: dict[str, Callable[[str], str]] = {
    "whole": lambda block: block,
    "cut off": lambda block: block[: block.index("-----END")],
    "cut off in a line": lambda block: block[: block.index("-----END") - 20],
    "one line": lambda block: block.replace("\n", "\\n"),
    "blanks": lambda block: block.replace("\n", " "),
    "service account": lambda block: json.dumps({"type": "service_account", "private_key": block + "\n"}),
    "numbered": lambda block: "\n".join(f"{n:6}\t{line}" for n, line in enumerate(block.splitlines(), 1)),
    "removed in a diff": lambda block: "\n".join("-" + line for line in block.splitlines()),
    "in yaml": lambda block: "key: |\n" + "\n".join("    " + line for line in block.splitlines()),
    "in code": lambda block: "KEY = (\n" + "\n".join(f'    "{line}\\n"' for line in block.splitlines()) + "\n)",
}

# Surroundings of a line, whatever is in it; and of a value that is known by itself.
_AROUND_LINES: dict[str, Callable[[str], str]] = {
    "alone": lambda line: line,
    "shell": lambda line: f"$ cd /srv/app\n$ {line}\n$ echo done",
    "json": lambda line: json.dumps({"tool": "Bash", "output": f"first\n{line}\nlast"}),
    "json in json": lambda line: json.dumps({"message": json.dumps({"output": f"first\n{line}\nlast"})}),
    "diff": lambda line: f"@@ -1,2 +1,2 @@\n-old\n+{line}\n context",
    "markdown": lambda line: f"Run this:\n\n```\n{line}\n```\n",
    "traceback": lambda line: (
        f'Traceback (most recent call last):\n  File "a.py", line 3\nValueError: bad value: {line}'
    ),
    "log": lambda line: f"2026-02-03T04:05:06Z INFO worker[12] {line}",
    "coloured": lambda line: f"\x1b[1;32m{line}\x1b[0m\n",
    "numbered": lambda line: f"     7\t{line}\n     8\tpass",
    "Chinese": lambda line: f"配置如下：\n{line}\n请勿外传。",
}
_AROUND_VALUES: dict[str, Callable[[str], str]] = {
    "env": lambda value: f"# .env\nTHING={value}\nDEBUG=1\n",
    "json value": lambda value: json.dumps({"thing": value, "n": 1}),
    "url": lambda value: f"GET https://api.corp.dev/v1/items?x={value}&page=2 401",
    "code": lambda value: f'client = Client("{value}", timeout=3)  # why?',
    "shell": lambda value: f"curl -H 'X-Thing: {value}' https://api.corp.dev",
    "yaml": lambda value: f"thing:\n  value: {value}\n",
    "traceback": lambda value: f"RuntimeError: HTTP 401 for '{value}'",
    "markdown": lambda value: f"I used `{value}` and it **failed**.",
    "diff": lambda value: f"-thing = 1\n+thing = '{value}'",
    "coloured": lambda value: f"thing: \x1b[33m{value}\x1b[0m",
    "Chinese": lambda value: f"我用的是{value}，结果失败了。",
    "json in json": lambda value: json.dumps({"m": json.dumps({"out": f"x\n{value}\ny"})}),
}


def canaries(seed: int = 1) -> list[Canary]:
    """All formats in at least four surroundings each; the same for the same seed."""
    rng = random.Random(seed)
    made = [canary for format in FORMATS for canary in _of_format(format, rng)]
    return made + [canary for kind in _PEM_KINDS for canary in _of_pem(kind, rng)] + _of_putty(rng)


def _of_format(format: Format, rng: random.Random) -> list[Canary]:
    made = []
    around = _AROUND_LINES if format.lines else _AROUND_VALUES
    for line in format.lines or ("{}",):
        for context in rng.sample(sorted(around), 5):
            secret = make(format.secret, rng)
            made.append(Canary(format.rule, secret, around[context](line.replace("{}", secret)), context))
    return made


def _of_pem(kind: str, rng: random.Random) -> list[Canary]:
    made = []
    for context, shape in _PEM_SHAPES.items():
        lines = [make("<b64:64>", rng) for _ in range(5)]
        text = f"found this:\n{shape(_block(kind, lines))}\nand that is all."
        made += [Canary("private-key", line, text, context) for line in lines if line in text]
    return made


def _of_putty(rng: random.Random) -> list[Canary]:
    lines = [make("<b64:64>", rng), make("<b64:30>", rng)]
    return [Canary("private-key", line, _PUTTY.format(*lines), "PuTTY") for line in lines]
