"""What `import` says that it took in is what is there afterwards."""

from __future__ import annotations

from pathlib import Path

from tests.commandline import Cli


def test_what_was_undone_or_forgotten_is_not_taken_in(cli: Cli, tmp_path: Path) -> None:
    """An export has their records, too, so that they stay gone elsewhere."""
    cli.run("note", "one stays")
    cli.run("note", "two is undone")
    cli.run("undo")
    gone = cli.json("note", "three is forgotten")["id"]
    cli.run("forget", gone, "--yes")
    file = str(tmp_path / "e.jsonl")
    cli.run("export", file)
    copy = cli.elsewhere(tmp_path / "second")
    done = copy.json("import", file)
    assert (done["memories"], done["known"], done["forgotten"]) == (1, 0, 1)
    assert len(copy.json("list", "--all")["items"]) == 1
    again = copy.json("import", file)
    assert (again["memories"], again["forgotten"]) == (0, 0)
    said = cli.elsewhere(tmp_path / "third").run("import", file).stdout
    assert said == "1 memory taken in, 0 lines known already, 1 forgotten\n"


def test_what_was_forgotten_here_counts_once(cli: Cli, tmp_path: Path) -> None:
    """However many records say something about it."""
    text = "a text that both had"
    id = cli.json("note", text)["id"]
    cli.run("edit", id, "--title", "one")
    cli.run("edit", id, "--title", "two")
    file = str(tmp_path / "e.jsonl")
    cli.run("export", file)
    copy = cli.elsewhere(tmp_path / "second")
    copy.run("forget", copy.json("note", text)["id"], "--yes")
    done = copy.json("import", file)
    assert (done["memories"], done["forgotten"]) == (0, 1)
