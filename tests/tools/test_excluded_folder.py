"""A folder inside a project that is excluded: the tools are closed there, and open in the rest of the project."""

from __future__ import annotations

import subprocess

from tests.daemon.running import Daemon
from tests.tools.server import Server


def test_a_part_of_a_project_is_excluded(daemon: Daemon) -> None:
    subprocess.run(["git", "init", "-q", str(daemon.folder)], check=True, env=daemon.environ())
    inside = daemon.folder / "private"
    inside.mkdir()
    daemon.home.root.mkdir(mode=0o700, exist_ok=True)
    daemon.home.settings.write_text(f'[vectors]\nmodel = "off"\n[control]\nexclude_paths = ["{inside}"]\n')
    with Server(daemon) as server:
        assert server.call("note", text="The staging database listens on port 6543")[0].startswith("Kept as ")
        assert "6543" in server.call("recall", query="on which port does the staging database listen?")[0]
    with Server(daemon, CLAUDE_PROJECT_DIR=str(inside)) as server:
        for tool, asked in (("recall", {"query": "staging database port"}), ("check", {"symbol": "staging"})):
            told, wrong = server.call(tool, **asked)
            assert not wrong
            assert told.startswith("Nothing is ")
        told, wrong = server.call("note", text="The staging database listens on port 7654")
        assert wrong
        assert "is excluded" in told
    daemon.leave()
