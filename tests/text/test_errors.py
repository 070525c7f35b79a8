from __future__ import annotations

import string
import time

import pytest

from hardwon.text import errors
from hardwon.text.errors import signatures, text
from hardwon.text.errors.phrases import PHRASES
from hardwon.text.errors.signatures import headline, signature

PYTHON = "Exit code 1\nTraceback (most recent call last):\n  File \"{}\", line {}, in <module>\nKeyError: 'REDIS_URL'"

SAME = [
    (PYTHON.format("/home/ann/app/conftest.py", 9), PYTHON.format("/srv/ci/4711/conftest.py", 12)),
    ("Exit code 2\nboom: not found\nmake: *** [Makefile:4: test] Error 1", "boom: not found"),
    ("error: connect ECONNREFUSED 127.0.0.1:5432", "psql: Connecting to localhost:5432... failed: Connection refused"),
    ("\x1b[31mError:\x1b[0m Cannot find module 'left-pad'", "Error: Cannot find module ‘left-pad’"),
    ("panicked at /tmp/a/src/main.rs:10:5: index error", "panicked at /opt/b/src/main.rs:77:9: index error"),
    ("failed in 3.12s", "failed in 14 s"),
    ("Segmentation fault error at 0xdeadbeef", "Segmentation fault error at 0x00ff12"),
    (
        "cat: config/prod.env: No such file or directory",
        "ls: cannot access 'config/prod.env': No such file or directory",
    ),
    ("FileNotFoundError: [Errno 2] No such file or directory: 'a/x.toml'", "head: x.toml: No such file or directory"),
    ("bash: line 3: jq: command not found", "zsh: command not found: jq"),
    ("E   KeyError: 'TOKEN'\nFAILED tests/test_a.py::test_x - KeyError: 'TOKEN'", "KeyError: 'TOKEN'"),
    ("FAILED tests/test_x.py::test_y[1-2] - assert 1 == 2", "FAILED test_x.py::test_y - AssertionError: no"),
    ("zorblax: frobnication of 'widget' failed at 0xdead", 'zorblax: frobnication of "widget" failed at 0xbeef'),
]
DIFFERENT = [
    ("KeyError: 'REDIS_URL'", "KeyError: 'DATABASE_URL'"),
    ("Cannot find module 'left-pad'", "Cannot find module 'right-pad'"),
    ("error TS2345: wrong argument", "error TS2322: wrong type"),
    ("ModuleNotFoundError: No module named 'x'", "ImportError: cannot import name 'x'"),
    ("connect ECONNREFUSED 127.0.0.1:5432", "connect ECONNREFUSED 127.0.0.1:6379"),
    ("a.ts(1,1): error TS2322: Type 'string' is no 'Date'", "b.ts(1,1): error TS2322: Type 'string' is no 'Date'"),
    ("zorblax: frobnication of 'widget' failed", "zorblax: frobnication of 'gadget' failed"),
]
SAID = [
    ("ModuleNotFoundError: No module named 'redis'", "python ModuleNotFoundError redis"),
    ("src/app.ts(3,1): error TS2304: Cannot find name 'foo'.", "tsc TS2304 Cannot find name foo"),
    ("error[E0382]: borrow of moved value: `cfg`\n --> src/main.rs:3:5", "rustc E0382 borrow of moved value: cfg"),
    ("#9 2.1 ERROR: No matching distribution found for foo\n#9 ERROR: process exit code: 1", "pip no match foo"),
    ("npm ERR! code ELIFECYCLE\nnpm ERR! errno 1\nsh: 1: vite: not found", "shell not found vite"),
    ("ls: Zugriff auf 'x.toml' nicht möglich: Datei oder Verzeichnis nicht gefunden", "ENOENT x.toml"),
    ("fatal: 不是 git 仓库（或者任何父目录）：.git", "git not a repository"),
    ("test a::b ... FAILED\ntest a::a ... FAILED\ntest a::c ... ok", "cargo test a::a + a::b"),
    ("a.c:1:1: error: unknown type name 'x'\na.c:2:1: error: expected ';'", "cc unknown type name x a.c"),
    ("Exit code 1", ""),
    ("make: *** [Makefile:4: test] Error 2", "make test"),
    ("", ""),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_one_mistake_has_one_signature(one: str, other: str) -> None:
    """Paths, line numbers, times, addresses, colours, quotes and who complains don't make another mistake."""
    assert signature(one) == signature(other) != ""


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_two_mistakes_have_two(one: str, other: str) -> None:
    """A different name, code or service is a different mistake."""
    assert signature(one) != signature(other)


@pytest.mark.parametrize(("error", "expected"), SAID)
def test_a_signature_can_be_read(error: str, expected: str) -> None:
    """It is short: the tool, the class or code, the name. The root error of a compiler, the failing tests in order."""
    assert signature(error) == expected


def test_the_headline_is_the_cause_not_the_wrapper() -> None:
    """`make` and exit codes only say that something below them failed."""
    error = "Exit code 2\nKeyError: 'REDIS_URL'\nmake: *** [Makefile:4: test] Error 1"
    assert headline(error) == "KeyError: 'REDIS_URL'"


@pytest.mark.parametrize("nothing", ["", "\n\n", "Exit code 1"])
def test_an_error_without_words(nothing: str) -> None:
    """A bare exit status is kept as it is and breaks nothing."""
    assert headline(nothing) in ("", "Exit code 1")


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        ("ModuleNotFoundError: No module named 'Redis'", ["package=redis"]),
        ("ERROR: No matching distribution found for foo==9.9", ["package=foo"]),
        ("src/a.ts(3,1): error TS2304: Cannot find name 'foo'.", ["file=src/a.ts"]),
        ("./src/cart.c:7:12: error: 'total' undeclared", ["symbol=total", "file=src/cart.c"]),
        (
            "File '/app/shop.py', line 3\nFile '/x/site-packages/a.py', line 9\nNameError: name 'cart' is not defined",
            ["symbol=cart", "file=/app/shop.py"],
        ),
        ("cat: config/prod.env: No such file or directory", ["file=config/prod.env"]),
        ("Error: Cannot find module '@scope/pkg'", ["package=@scope/pkg"]),
        ("Exit code 1", []),
    ],
)
def test_what_an_error_names(error: str, expected: list[str]) -> None:
    """Packages, symbols and files by their names; files of libraries are nobody's business."""
    assert [str(anchor) for anchor in errors.named(error)] == expected


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        ("curl: (28) Operation timed out after 5001 milliseconds", True),
        ("Error: read ECONNRESET", True),
        ("requests.exceptions.HTTPError: 503 Server Error: Service Unavailable for url: https://x.org", True),
        ("npm ERR! 429 Too Many Requests", True),
        ("E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 1", True),
        ("sqlite3.OperationalError: database is locked", True),
        ("fatal: Unable to create '/x/.git/index.lock': File exists.", True),
        ("fork: retry: Resource temporarily unavailable", True),
        ("curl: (22) The requested URL returned error: 502", True),
        ("fatal: unable to access 'https://x.org/a.git/': Connection refused", True),
        ("connect ECONNREFUSED 127.0.0.1:5432", False),
        ("curl: (22) The requested URL returned error: 404", False),
        ("KeyError: 'REDIS_URL'", False),
        ("thrown: Exceeded timeout of 5000 ms for a test.", False),
        ("assert 500 == 502", False),
        ("", False),
    ],
)
def test_what_goes_away_by_itself(error: str, expected: bool) -> None:
    """The network, a busy server, a lock: yes. A service of this machine that isn't started, a slow test: no."""
    assert errors.transient(error) is expected


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        ("AssertionError", True),
        ("AssertionError: 3 != 4", True),
        ("Exit code 1", True),
        ("make: *** [test] Error 1", True),
        ("Segmentation fault (core dumped)", True),
        ("OSError: [Errno 98] Address already in use", True),
        ("ValueError: queue is closed", False),
        ("FAILED t.py::test_x - assert 1", False),
        ("KeyError: 'x'", False),
        ("* What went wrong:\nTask 'biuld' not found in root project 'shop'.", False),
    ],
)
def test_what_says_nothing_by_itself(error: str, expected: bool) -> None:
    """A bare class or status is not enough to say that two failures are one mistake."""
    assert errors.generic(signature(error)) is expected


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("FAILED t.py::test_x - assert 1\n1 failed in 0.1s", True),
        ("a.py:1:1: F401 'os' imported but unused", True),
        ("==== 2 failed, 3 passed in 1s ====", True),
        ("3 passed in 0.1s", False),
        ("0 errors, 0 warnings", False),
        ("", False),
    ],
)
def test_an_output_that_says_that_a_check_failed(output: str, expected: bool) -> None:
    """`pytest | tail` ends with status 0; the words still say it."""
    assert errors.failed(output) is expected


def test_every_form_fills_its_signature() -> None:
    """A form names no part that its pattern doesn't find."""
    for form in signatures.FORMS:
        wanted = {name for _, name, _, _ in string.Formatter().parse(form.says) if name}
        found = set(form.pattern.groupindex) | (set(form.beside.groupindex) if form.beside else set())
        assert wanted <= found, form.says


MEGABYTE = 1_000_000
NEEDS = [form.needs for form in signatures.FORMS]
FOREIGN = [foreign for _, *others in PHRASES for foreign in others]


@pytest.mark.parametrize(
    "output",
    [
        "2024-01-01 info did something with a value 12345\n",
        "a",
        "/",
        "'",
        "' a",
        ": ",
        "ab1",
        "Error: ",
        "Error: x\n",
        "cannot import name 'a\n",
        "/a" * 290 + "\n",
        "FAILED " + "a" * 500 + "::\n",
        "\x1b]",
        "\x1b[31m",
        "Die Datei nicht gefunden Fehler: x\n",
        "无法 de 错误 '" * 40 + "\n",
        "A" * 300 + "Error" * 50 + "\n",
        "a." * 290 + "\n",
        "E      " + " " * 500 + "x\n",
        "\n".join(NEEDS) + "\n",
        " ".join(NEEDS) + "\n",
        "x" * 20 + ".py:1:1: " + "F" * 500 + "\n",
        "\n".join(FOREIGN) + "\n",
        " ".join(FOREIGN) + "\n",
        "nicht gesetzt " + "ä" * 500 + ": ",
        "に変換できません不存在无法转换为" + "を" * 500 + "\n",
    ],
    ids=range(26),
)
def test_a_megabyte_of_anything_is_read_quickly(output: str) -> None:
    """An output is cut first, and no pattern takes the square of a line's length: an attacker gains nothing."""
    whole = output * (MEGABYTE // len(output) + 1)
    text.read.cache_clear()
    signatures.find.cache_clear()
    began = time.process_time()
    signature(whole)
    errors.transient(whole)
    errors.named(whole)
    assert time.process_time() - began < 0.5
