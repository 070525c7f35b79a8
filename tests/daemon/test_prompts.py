"""What a prompt brings back, through the real socket: by its words, and by the files that it names."""

from __future__ import annotations

import pytest

from tests.daemon.answers import ids_in, short
from tests.daemon.running import Daemon
from tests.daemon.session import Session


def test_a_prompt_brings_back_what_fits(daemon: Daemon, parser: dict[str, str]) -> None:
    """Decisions, lessons and failures by words or by the file that is named; no tasks, no skill's own lessons."""
    daemon.start()
    session = Session(daemon)
    assert ids_in(session.prompt("rewrite the tokenizer with regex")) == short(parser["decision"])
    assert ids_in(session.prompt("look at src/parser.py, please")) == short(parser["file"])
    assert session.prompt("what is the weather like?") == ""
    assert session.prompt("<task-notification>the tokenizer regex task is done</task-notification>") == ""


@pytest.mark.parametrize("form", ["src/parser.py", "./src/parser.py", "{folder}/src/parser.py", "`src/parser.py:17`"])
def test_a_file_is_known_by_any_of_its_names(daemon: Daemon, parser: dict[str, str], form: str) -> None:
    """From the project's root, from here, from the root of the disk."""
    daemon.start()
    said = Session(daemon).prompt(f"fix {form.format(folder=daemon.folder)}")
    assert ids_in(said) == short(parser["file"])
