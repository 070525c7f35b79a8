"""The redactor as the rest of the program uses it: text, data, options, own rules, clipping."""

import random
import re
import subprocess
import sys
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardwon.redact import DEFAULT, JSON, Redactor

from .canaries import canaries, make
from .formats import FORMATS

PASSWORD = "hunter2-" + "Tr0ub4dor"
TOKEN = make("<b62:32>", random.Random(5))


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (f"PASSWORD={PASSWORD}", "PASSWORD=[redacted:password]"),
        (f'"password": "{PASSWORD}", "n": 1', '"password": "[redacted:password]", "n": 1'),
        (f"psql postgres://app:{PASSWORD}@db/shop", "psql postgres://app:[redacted:url-password]@db/shop"),
        (f"a;Password={PASSWORD};Encrypt=True", "a;Password=[redacted:password];Encrypt=True"),
        (f"?user=x&password={PASSWORD}&next=1", "?user=x&password=[redacted:password]&next=1"),
        (f"foo(password={PASSWORD}, 1)", "foo(password=[redacted:password], 1)"),
        (f"<password>{PASSWORD}</password>", "<password>[redacted:password]</password>"),
        (f"数据库密码是{PASSWORD}，请保密", "数据库密码是[redacted:password]，请保密"),
        (f"the password is `{PASSWORD}`.", "the password is `[redacted:password]`."),
        (f"Cookie: sid={TOKEN}; a=b\nHost: x", "Cookie: [redacted:cookie]\nHost: x"),
        (f"Set-Cookie: sid={TOKEN}; Path=/", "Set-Cookie: sid=[redacted:cookie]; Path=/"),
        ("password = 'a\\'b" + "c9'", "password = '[redacted:password]'"),
        ('{\\"password\\": \\"a\\\\\\"b' + 'c9\\"}', '{\\"password\\": \\"[redacted:password]\\"}'),
        (f"--password {PASSWORD} --host db", "--password [redacted:password] --host db"),
        ("password: | \n  " + PASSWORD, "password: | \n  [redacted:password]"),
        (f"curl -u ann:{PASSWORD} https://x", "curl -u ann:[redacted:password] https://x"),
    ],
)
def test_the_secret_goes_and_its_surroundings_stay(text: str, kept: str) -> None:
    """Only the value is replaced; names, quotes, hosts and what follows are kept."""
    assert DEFAULT.text(text) == kept


@pytest.mark.parametrize(
    ("payload", "kept"),
    [
        ({"password": PASSWORD}, {"password": "[redacted:password]"}),
        ({"DB": {"db_password": "swordfish"}}, {"DB": {"db_password": "[redacted:password]"}}),
        ({"password": 12345678}, {"password": "[redacted:password]"}),
        ({"api_key": TOKEN, "n": 1}, {"api_key": "[redacted:api-key]", "n": 1}),
        ({"accessToken": TOKEN}, {"accessToken": "[redacted:token]"}),
        ({"client-secret": TOKEN}, {"client-secret": "[redacted:secret]"}),
        ({"passwords": [PASSWORD, "x"]}, {"passwords": ["[redacted:password]", "x"]}),
        ({"name": "DB_PASSWORD", "value": PASSWORD}, {"name": "DB_PASSWORD", "value": "[redacted:password]"}),
        (["mysql", "--password", PASSWORD], ["mysql", "--password", "[redacted:password]"]),
        (("--token", TOKEN), ("--token", "[redacted:token]")),
        ({"Authorization": f"Bearer {TOKEN}"}, {"Authorization": "Bearer [redacted:authorization]"}),
        ({"Cookie": f"sid={TOKEN}"}, {"Cookie": "[redacted:cookie]"}),
        ({"密码": PASSWORD}, {"密码": "[redacted:password]"}),
    ],
)
def test_a_value_is_known_by_its_key(payload: JSON, kept: JSON) -> None:
    """In data the name and the value are separate strings; together they are an assignment."""
    assert DEFAULT.payload(payload) == kept


@pytest.mark.parametrize(
    "payload",
    [
        {"password": "${DB_PASSWORD}", "token": "<your token>", "secret": None, "password_file": "/run/secrets/db"},
        {"token": {"type": "string", "description": "The token to use"}},
        {"max_tokens": 4096, "token_type": "bearer", "password": True, "passwords": []},
        {"session_id": "0196c3f0-9a3b-7c3e-8a1e-3d3c1f0e9a77", "tool": "Bash", "exit_code": 1, "ratio": 0.5},
        {"key": "ArrowUp", "keys": ["a", "b"], "primary_key": "id"},
        ["--verbose", "--password-stdin", "main.py"],
    ],
)
def test_data_without_secrets_is_the_same(payload: JSON) -> None:
    """Placeholders, schemas, numbers and names survive beside telling keys too."""
    assert DEFAULT.payload(payload) == payload


def test_addresses_and_user_names_go_only_when_asked_for() -> None:
    """Two options, both off by default."""
    text = "ann.lee@corp.dev wrote /home/ann/a.py, /Users/ann/b.py and C:\\Users\\ann\\c.py; mail git@github.com:x/y"
    assert DEFAULT.text(text) == text
    without = Redactor(emails=True, user_names=True).text(text)
    assert without == (
        "[redacted:email] wrote /home/[redacted:user]/a.py, /Users/[redacted:user]/b.py and "
        "C:\\Users\\[redacted:user]\\c.py; mail git@github.com:x/y"
    )
    assert Redactor(emails=True, user_names=True).text(without) == without


def test_own_rules_are_applied() -> None:
    """The whole match goes, or the group named `secret` when there is one."""
    redactor = Redactor(own_rules=[("ticket", r"ACME-[A-Z0-9]{8}"), ("staff", r"employee id (?P<secret>\d{6})")])
    text = "ACME-AB12CD34 is of employee id 123456"
    assert redactor.text(text) == "[redacted:ticket] is of employee id [redacted:staff]"
    assert [finding[0] for finding in redactor.findings(text)] == ["ticket", "staff"]


@pytest.mark.parametrize(
    ("name", "source", "reason"),
    [
        ("mine", "[a-", "is not a regular expression: unterminated character set"),
        ("mine", "x*", "matches the empty text"),
        ("my rule", "x", "a name is letters, digits"),
        ("mine", r"(\w+\s?)+$", "takes far too long"),
        ("mine", r"corp-(x+x+)+y", "takes far too long"),
        ("mine", r"a*a*a*a*a*b", "takes far too long"),
    ],
)
def test_a_bad_rule_is_refused_in_a_sentence(name: str, source: str, reason: str) -> None:
    """The sentence names the rule and says what is wrong with it."""
    with pytest.raises(ValueError, match=re.escape(reason)) as caught:
        Redactor(own_rules=[(name, source)])
    assert repr(name) in str(caught.value)


def test_a_slow_rule_has_a_time_limit_and_hides_what_it_did_not_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    """Missing a secret cannot be undone, so the rest of the text goes whole."""
    redactor = Redactor(own_rules=[("mine", "needle[0-9]")])
    monkeypatch.setattr("hardwon.redact.own.SECONDS_PER_TEXT", -1)
    assert redactor.text("first line needle1\nsecond line") == "first line [redacted:mine][redacted:mine]"


def test_own_rules_see_long_lines_in_overlapping_windows() -> None:
    """What lies across the border of two windows is found."""
    redactor = Redactor(own_rules=[("mine", "needle[0-9]{4}")])
    for before in range(960, 1040, 7):
        assert "needle" not in redactor.text("." * before + "needle1234" + "." * 3000)


def test_long_text_is_clipped_in_the_middle() -> None:
    """Head and tail stay, a notice says how much is gone, and the limit holds."""
    text = "".join(f"line {n}\n" for n in range(2_000))
    kept = Redactor(max_chars=1_000).text(text)
    head, count, tail = re.split(r"\[clipped (\d+) characters\]", kept)
    assert len(kept) <= 1_000
    assert text.startswith(head)
    assert text.endswith(tail)
    assert len(head) + int(count) + len(tail) == len(text)
    assert Redactor(max_chars=1_000).text(kept) == kept


def test_a_limit_that_leaves_no_room_is_refused() -> None:
    """The notice and a little text have to fit."""
    with pytest.raises(ValueError, match="max_chars must be at least 256, got 10"):
        Redactor(max_chars=10)


@pytest.mark.parametrize("inside", [1, 4, 0.5, -1, 0])
def test_no_half_of_a_secret_is_left_at_the_cut(inside: float) -> None:
    """The cut is made in the redacted text, so a secret that lies across it is gone as a whole."""
    limit = 3_000
    redactor, keep = Redactor(max_chars=limit), (limit - 64) // 2
    for canary in canaries()[::16]:
        at = canary.text.find(canary.secret)
        part = round(inside * len(canary.secret)) if inside == 0.5 else int(inside)
        part = part + len(canary.secret) if part < 0 else part
        head = _filler(keep - at - part) + canary.text + "\n" + _filler(40_000)
        tail = _filler(40_000) + canary.text + "\n" + _filler(keep - len(canary.text) + at + part)
        for text in (head, tail):
            kept = redactor.text(text)
            assert len(kept) <= limit
            assert not _holds_half(kept, canary.secret), canary


def test_markers_do_not_push_the_text_over_its_limit() -> None:
    """A short password has a longer marker; the result is clipped, and stays as it is."""
    redactor = Redactor(max_chars=2_000)
    kept = redactor.text("password=abc1x\n" * 133)
    assert "abc1x" not in kept
    assert len(kept) <= 2_000
    assert redactor.text(kept) == kept


_PIECES = [
    *("password=", '"', "'", '\\"', "token: ", "key", "[redacted:password]", "[redacted:api-key]: ", " ", "\n", "\\n"),
    *("://", "@", "a:b", "secret = ", "<password>", "</password>", "hunter2", "Cookie: ", "=", ";", ",", "\u200b"),
    *(
        "\x1b[31m",
        "密码：",
        "-----BEGIN RSA PRIVATE" + " KEY-----",
        "A" * 70,
        "[clipped 12 characters]",
        "${X}",
        "Bearer ",
    ),
    *("/home/ann/", "ann@corp.dev", "\\u0041", "eyJ", "x" * 30, "--token ", "is ", "0123456789abcdef" * 2, "\ud800"),
    *(make(each.secret, random.Random(9)) for each in FORMATS[::9]),
]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(_PIECES), max_size=25).map("".join))
def test_any_text_can_be_redacted_twice(text: str) -> None:
    """Whatever the text, the second time changes nothing and nothing is longer than the limit."""
    redactor = Redactor(emails=True, user_names=True, max_chars=500)
    once = redactor.text(text)
    assert len(once) <= 500
    assert redactor.text(once) == once


def test_the_first_text_costs_little() -> None:
    """A command starts for every hook: no module that is not needed, no pattern compiled before it is."""
    program = (
        "import sys, hardwon.redact as redact, hardwon.redact.lazy as lazy\n"
        "redact.DEFAULT.text('Please rename the function and run the tests again.')\n"
        "heavy = {'json', 'asyncio', 'random', 'statistics', 'sqlite3', 'apsw', 'typer', 'rich', 'hashlib', 'base64'}\n"
        "print(sorted(heavy & set(sys.modules)), lazy.compiled.cache_info().currsize)"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[] 0"


def test_a_short_text_takes_microseconds() -> None:
    """Payloads are many short strings; half a millisecond each is far more than one takes on a slow machine."""
    began = process_time()
    for _ in range(1_000):
        DEFAULT.text("Please rename the function and run the tests again.")
    assert process_time() - began < 0.5


def _filler(size: int) -> str:
    return ("lorem ipsum dolor " * (size // 18 + 2))[: max(1, size) - 1] + "\n"


def _holds_half(text: str, secret: str) -> bool:
    size = max(8, len(secret) * 2 // 3)
    return len(secret) >= size and (secret[:size] in text or secret[-size:] in text)


def test_a_text_that_comes_again_is_redacted_as_before() -> None:
    """What was found clean is not searched again; what was not is, however often it comes, and between clean ones."""
    redactor = Redactor()
    texts = [one.text for one in canaries(3)] + ["make test", "src/app.py", "a" * 2_000, ""]
    for _ in range(3):
        assert [redactor.text_again(text) for text in texts] == [DEFAULT.text(text) for text in texts]
    assert all(redactor.text_again(f"step {number}") == f"step {number}" for number in range(5_000))
    assert redactor.text_again(f"PASSWORD={PASSWORD}") == "PASSWORD=[redacted:password]"


@pytest.mark.parametrize("id", ["fc1f7c", "1ad8e9", "9" * 6, "abcdef"])
def test_an_id_of_ours_stays_where_something_is_said(id: str) -> None:
    """Whatever stands before it: else nobody could complain about what was said. What is no id goes as ever."""
    said = f"- the admin password rotates weekly [{id}, said by the user]\n- needs the VPN [{id}]"
    assert Redactor().leaving(said) == said
    secret = "the admin password is Kq7-vX2m!pA [" + id + "]"
    assert "Kq7" not in Redactor().leaving(secret)
    assert Redactor().leaving(secret).endswith(f"[{id}]")
    assert "Kq7" not in Redactor().leaving(f"\ue000 {secret}")
