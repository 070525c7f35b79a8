"""Room is made aloud: the command that needed it says what was archived, and `undo` takes both back."""

from __future__ import annotations

import pytest

from tests.commandline import Cli


@pytest.fixture
def small(cli: Cli) -> Cli:
    cli.home.mkdir(exist_ok=True)
    (cli.home / "hardwon.toml").write_text("[skills]\nglobal_max = 2\n")
    return cli


def active(cli: Cli) -> list[str]:
    return sorted(one["body"] for one in cli.json("list", "-g")["items"])


def test_a_note_says_what_it_put_away_and_undo_brings_it_back(small: Cli) -> None:
    """With the limit, and not again: the undo leaves as many as there is room for."""
    for number in (1, 2):
        assert "made room" not in small.run("note", f"principle {number}", "-g").stderr
    said = small.run("note", "principle 3", "-g").stderr
    assert "made room: archived 1 (" in said
    assert '"principle 1"' in said
    assert "skills.global_max (2 that hold everywhere)" in said
    assert active(small) == ["principle 2", "principle 3"]
    assert "made room" not in small.run("undo").stderr
    assert active(small) == ["principle 1", "principle 2"]
    assert "made room" not in small.run("undo", "--redo").stderr
    assert active(small) == ["principle 2", "principle 3"]


def test_an_import_says_how_many_do_not_fit(small: Cli) -> None:
    """Also how many the next commands will archive; one undo takes the import back."""
    small.person("note", "principle 1", "-g")
    lines = small.folder / "lines.jsonl"
    lines.write_text("".join(f'{{"body": "imported {number}"}}\n' for number in range(504)))
    said = " ".join(small.person("import", str(lines)).split())
    assert "made room: archived 500 (" in said
    assert "and will archive 3 more" in said
    small.person("undo")
    assert active(small) == ["principle 1"]
