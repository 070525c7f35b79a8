"""Secrets as people write them: a name of two words, the place that a key is for, a passphrase, a Japanese sentence."""

from __future__ import annotations

import json
import random

import pytest

from hardwon.redact import DEFAULT
from tests.redact.canaries import make
from tests.redact.test_linear_time import repeated, seconds

KEY, PASSWORD = "<b62:20>", "<b62:10>"
TOLD = [
    ("API key: {}", KEY),
    ("the API key is {}.", KEY),
    ("The api key for staging is {}", "<hex:20>"),
    ("API key for the staging server: {}", KEY),
    ("API Key = '{}'", KEY),
    ("**API key:** `{}`", KEY),
    ("- Access key: {}", KEY),
    ("private key: {}", KEY),
    ("Our signing key was {}, rotate it", KEY),
    ("the secret key on prod is {}", KEY),
    ("the token for ci is {}", "<b62:24>"),
    ("the password for staging is {}", PASSWORD),
    ("password for the db: {}", PASSWORD),
    ("password: correct-<abc:6>-battery", ""),
    ("My password: correct-horse-<abc:7>-staple", ""),
    ("db:\n  password: <abc:5>-<abc:4>-<abc:6>\n  port: 5432", ""),
    ("パスワードは {} です", PASSWORD),
    ("パスワードは「{}」です", PASSWORD),
    ("パスワードは{}です", PASSWORD),
    ("パスワードは、{}です", PASSWORD),
    ("パスワードを{}に変更しました", PASSWORD),
    ("密码是「{}」", PASSWORD),
]
STAYS = [
    "the API key is stored in the vault",
    "the API key for staging is stored in the vault",
    "which api key do we use?",
    "API key: see the vault",
    "API key: required",
    "the access key of user123 is invalid",
    "the private key for 2024 is in the safe",
    "primary key: user_id",
    "foreign key: order_id",
    "sort key: created_at",
    "partition key: k8Zq1LmX92pQ",
    "the map key is k8Zq1LmX92pQ",
    "ssh key: SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8",
    "private key MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE",
    "The API key is sha256-hashed before it is stored",
    "the token for the client is missing",
    "[sudo] password for alice: ",
    "the password for staging is in the vault",
    "password: read-only",
    "password: your-password-here",
    "password: see-the-vault, then rotate it",
    "the password is case-sensitive-and-long",
    "PASS: test-suite-name",
    "パスワードは8文字以上です",
    "パスワードはSHA256でハッシュ化されます",
    "パスワードを変更してください",
]


def _made(line: str, secret: str, rng: random.Random) -> tuple[str, str]:
    """The line, and what must not be in it."""
    if secret:
        value = make(secret, rng)
        return line.replace("{}", value), value
    text = make(line, rng)
    return text, next(word for word in text.split() if "-" in word)


@pytest.mark.parametrize(("line", "secret"), TOLD, ids=[line for line, _ in TOLD])
def test_a_secret_is_known_as_people_write_it(line: str, secret: str) -> None:
    """In a text of its own, among others, and in JSON; and what is left is not changed again."""
    rng = random.Random(line)
    for _ in range(20):
        text, value = _made(line, secret, rng)
        for whole in (text, f"Hello,\n{text}\nbye", json.dumps({"prompt": text}, ensure_ascii=False)):
            kept = DEFAULT.text(whole)
            assert value not in kept, whole
            assert DEFAULT.text(kept) == kept


@pytest.mark.parametrize("text", STAYS)
def test_what_people_say_about_keys_stays(text: str) -> None:
    assert DEFAULT.text(text) == text


@pytest.mark.parametrize(
    "piece", ["API key ", "key for a ", "key for the a is ", "api key for a: ", "password: a-", "パスワードは"]
)
def test_twice_the_text_takes_about_twice_the_time(piece: str) -> None:
    small, large = (repeated(piece, size) for size in (50_000, 100_000))
    for _ in range(3):
        once, twice = seconds(small), seconds(large)
        if twice <= max(3 * once, 0.02):
            return
    pytest.fail(f"{piece}: {once:.3f} s for 50,000 characters, {twice:.3f} s for 100,000")
