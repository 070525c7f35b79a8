"""`hardwon check`: what is known about exactly this, before one acts."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardwon.memory import Kind, LinkKind, Trust
from hardwon.store import changes
from tests.commandline import Cli
from tests.daemon.running import keep, keep_fixed
from tests.support import now, opened

REFUSED = "Exit code 1\nconnect: connection refused on /var/run/pg.sock"


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    folder = tmp_path / "app"
    folder.mkdir()
    return Cli(tmp_path / "h", folder)


def test_a_failure_with_what_worked(cli: Cli) -> None:
    """By its command, by its error as an argument and on standard input; the output is only quoted."""
    with opened(cli.home) as store:
        failure, fix = keep_fixed(store, cli.folder, "make test", times=2)
    expected = (
        f'`make test` failed; its output said: "connection refused" [{failure[-6:]}] (seen 2 times). '
        f"What worked: start the database first [{fix[-6:]}]\n"
    )
    assert cli.run("check", "--command", "FOO=1 make test").stdout == expected
    assert cli.run("check", "--error", REFUSED).stdout == expected
    assert cli.run("check", "--error", "-", stdin=b"\xff\xfe noise\n" + REFUSED.encode()).stdout == expected


def test_json_says_how_it_was_found_and_what_was_tried(cli: Cli) -> None:
    with opened(cli.home) as store:
        failed = keep(
            store, "`make` failed: boom", Kind.FAILURE, folder=cli.folder, command="make", trust=Trust.VERIFIED
        )
        tried = keep(store, "deleted the cache", Kind.FIX, folder=cli.folder, subtype="failed", trust=Trust.VERIFIED)
        changes.link(store, tried, LinkKind.FIXES, failed, now())
        keep(store, "Build with four jobs", folder=cli.folder, command="make -j4")
    answer = cli.json("check", "--command", "make")
    first, second = answer["items"]
    assert answer["silent"] is False
    assert (first["id"], first["near"], first["seen"], first["why"]) == (failed, "exact", 1, "command=make")
    assert first["worked"] == []
    assert first["tried"] == [
        {"id": tried, "body": "deleted the cache", "outcome": "failed", "trust": "verified"},
    ]
    assert (second["body"], second["near"]) == ("Build with four jobs", "family")
    assert "never fixed). Tried: deleted the cache" in cli.run("check", "--command", "make").stdout


def test_a_file_by_any_path(cli: Cli) -> None:
    """Relative to where one is, or absolute."""
    (cli.folder / "src").mkdir()
    with opened(cli.home) as store:
        keep(store, "Generated: change the grammar", Kind.CONSTRAINT, folder=cli.folder, file="src/parser.py")
    for path in ("src/parser.py", str(cli.folder / "src" / "parser.py"), "./src/../src/parser.py"):
        assert "Generated: change the grammar" in cli.run("check", "--file", path).stdout


def test_a_symbol(cli: Cli) -> None:
    cli.run("note", "load_config() caches for the whole process")
    assert "caches for the whole process" in cli.run("check", "--symbol", "load_config").stdout
    assert "caches for the whole process" in cli.run("check", "--symbol", "load_config()").stdout


def test_nothing_known_is_said_beside_the_result(cli: Cli) -> None:
    """Exit status 0, nothing on standard output."""
    done = cli.run("check", "--command", "make test")
    assert (done.stdout, done.stderr) == ("", "nothing known\n")
    assert cli.json("check", "--error", "KeyError: 'A'")["items"] == []


def test_nothing_asked_is_a_mistake(cli: Cli) -> None:
    assert "Give a command, --file, --command, --symbol or --error" in cli.run("check", code=2).stderr
    assert "Check what?" in cli.run("check", "--file", " ", code=2).stderr
