"""What a line is made of."""

from __future__ import annotations

import pytest

from hardwon.text.likeness.words import Sort, words

CASES = [
    ("error TS2304: Cannot find name 'Foo'.", {"ts2304": Sort.CODE, "foo": Sort.WORD, "cannot": Sort.WORD}),
    ("FATAL 3D000: database 'shop_prod' does not exist", {"3d000": Sort.CODE, "shop_prod": Sort.NAME}),
    ("set DATABASE_URL first", {"database_url": Sort.VARIABLE, "set": Sort.WORD}),
    ("listen tcp :8099: bind: address already in use", {"#8099": Sort.NUMBER, "eaddrinuse": Sort.CODE}),
    ("connect to 127.0.0.1:5432 failed", {"localhost": Sort.WORD, "#5432": Sort.NUMBER}),
    ("the requested URL returned error: 401", {"#401": Sort.CODE}),
    ("open /srv/shop/config/prod.yaml: no such file or directory", {"prod.yaml": Sort.FILE, "enoent": Sort.CODE}),
    ("unknown option --fail-fast", {"fail-fast": Sort.FLAG}),
    ("no module @shop/ledger", {"@shop/ledger": Sort.NAME}),
]


@pytest.mark.parametrize(("line", "wanted"), CASES, ids=lambda value: str(value)[:40])
def test_a_word_is_known_for_what_it_is(line: str, wanted: dict[str, Sort]) -> None:
    """A code, a variable, a name, a file, a port, or just a word."""
    found = {word.text: word.sort for word in words(line)}
    assert {text: found.get(text) for text in wanted} == wanted


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("built in 3.41s (pid 8123)", "built in 12.9s (pid 77)"),
        ("at commit 9f31c2ea7b", "at commit 77b2e10d4a"),
        ("cannot open /home/a/x/ledger.db", "cannot open /srv/b/ledger.db"),
        ("2026-05-03T10:11:12Z lost", "2026-07-01T01:02:03Z lost"),
        ("ledger 1.2.3 is too old", "ledger 2.0.0-rc1 is too old"),
    ],
)
def test_what_changes_from_run_to_run_counts_nothing(one: str, other: str) -> None:
    """Numbers, hashes, times, versions, the folders of a path."""
    assert [word.text for word in words(one)] == [word.text for word in words(other)]
