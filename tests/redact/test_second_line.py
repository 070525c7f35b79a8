"""The second line: what looks random and is explained by nothing; it knows no format and no vendor."""

import base64
import random
import string
from collections.abc import Callable

import pytest

from hardwon.redact import DEFAULT, Redactor
from hardwon.redact.characters import model

_CHANCE = random.Random(4)
_BASE62 = string.ascii_letters + string.digits
_NAMED_ONLY = Redactor(second_line=False)


def made(length: int, alphabet: str = _BASE62) -> str:
    return "".join(_CHANCE.choices(alphabet, k=length))


TOKEN = made(40)
SHORT = made(20)
HEX = made(40, "0123456789abcdef")
BLOCK = [base64.b64encode(_CHANCE.randbytes(48)).decode() for _ in range(12)]


@pytest.mark.parametrize("length", [16, 20, 28, 40, 64])
def test_random_strings_are_told_from_words(length: int) -> None:
    """By how characters follow each other, and by nothing else."""
    words = [
        "getUserByIdentifier2",
        "certificate-signing-request",
        "node_modules/typescript/lib",
        "HTTPServerConnection",
    ]
    assert max(map(model().surprise, words)) < 5.6
    assert sum(model().surprise(made(length)) > 6.2 for _ in range(200)) >= 196


@pytest.mark.parametrize(
    "text",
    [
        f"use this one: {TOKEN}",
        TOKEN,
        f"try\n\n{TOKEN}\n\nnow",
        f'connect("h", "{TOKEN}")',
        f"access for the robot: {SHORT}",
        f"PAT {HEX} expires in May",
        f"admin: `{HEX}`",
        base64.b64encode(b"DB_PASSWORD=Tulpen-Feld77\n").decode(),
    ],
)
def test_what_nothing_explains_goes(text: str) -> None:
    assert "[redacted:" in DEFAULT.text(text)
    assert _NAMED_ONLY.text(text) == text, "a named rule knows it: it belongs to the rules' own tests"


@pytest.mark.parametrize(
    "text",
    [
        f"integrity sha512-{TOKEN}==",
        f"h1:{TOKEN}=",
        f"request_id={TOKEN}",
        f'etag: W/"{TOKEN}"',
        f"https://docs.corp.dev/d/{TOKEN}/edit",
        f"dist/assets/index-{SHORT}.js",
        f"msg_{TOKEN}",
        f"data:image/png;base64,{TOKEN}",
        f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{TOKEN} ann@laptop",
        f"-----BEGIN CERTIFICATE-----\n{BLOCK[0]}\n{BLOCK[1]}\n-----END CERTIFICATE-----",
        f"commit {HEX}",
        "_ZNSt6vectorIiSaIiEE9push_backERKi and core::fmt::Formatter::debug_struct_field2_finish",
        base64.b64encode(b"These are the words of a readable sentence.").decode(),
        SHORT,
    ],
)
def test_what_something_explains_stays(text: str) -> None:
    assert DEFAULT.text(text) == text


@pytest.mark.parametrize(
    "shape",
    [
        "\n".join,
        lambda lines: "\n".join(f"    {line}" for line in lines),
        lambda lines: "\n".join(f"> {line}" for line in lines),
        lambda lines: " +\n".join(f'  "{line}"' for line in lines),
    ],
    ids=["plain", "indented", "quoted", "joined in code"],
)
def test_a_block_without_its_first_line_goes_whole(shape: Callable[[list[str]], str]) -> None:
    """Also the lines with so many signs in them that no long run is left."""
    kept = DEFAULT.text(shape(BLOCK))
    assert [line for line in BLOCK if line in kept] == []


def test_it_can_be_switched_off_for_what_was_kept_long_ago() -> None:
    """What only looks random may be a name that somebody needs: in old homes a person decides."""
    assert _NAMED_ONLY.text(TOKEN) == TOKEN
    assert DEFAULT.text(TOKEN) == "[redacted:unexplained]"
