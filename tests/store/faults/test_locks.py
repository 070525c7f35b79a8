"""A database that another process has locked: a sentence, and reading goes on."""

from __future__ import annotations

from tests.commandline import Cli
from tests.store.faults.said import is_a_sentence
from tests.support import bodies, meanwhile, output


def test_a_locked_database_is_a_sentence_after_the_time_that_was_set(cli: Cli) -> None:
    """Another process writes for longer than store.busy_seconds: nothing is written, and reading goes on."""
    cli.run("note", "the first", "-g")
    patience = {"HARDWON_STORE_BUSY_SECONDS": "1"}
    with meanwhile("hold", cli.home, "begin immediate") as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        said = cli.run("note", "the second", "-g", env=patience, code=1)
        assert is_a_sentence(said), said
        assert "locked by another process; nothing was written" in said.stderr
        assert cli.json("list", "-g", env=patience)["total"] == 1
    output(holder)
    assert cli.json("note", "the second", "-g")["status"] == "created"
    assert bodies(cli.home) == ["the first", "the second"]
