"""Where things stand, on the real Claude Code: a card in the next session, other windows, a base that is gone."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.daemon.running import until
from tests.live.claude_code import ClaudeCode
from tests.live.live import Live
from tests.live.messages_server import ModelServer
from tests.live.steps import bash, say, use
from tests.live.test_live import unharmed

GH = """#!/bin/sh
case "$1 $2" in
  "pr create") echo https://github.com/o/r/pull/12 ;;
  "issue create") echo https://github.com/o/r/issues/250 ;;
esac
"""


@pytest.fixture
def live(claude: ClaudeCode) -> Iterator[Live]:
    tools = claude.root / "bin"
    tools.mkdir()
    (tools / "gh").write_text(GH)
    (tools / "gh").chmod(0o755)
    claude.environment["PATH"] = f"{tools}:{claude.environment['PATH']}"
    (claude.project / "Makefile").write_text("test:\n\t@echo fine\n")
    claude.environment |= {f"GIT_{who}_{what}": "dev@example.invalid" for who in ("AUTHOR", "COMMITTER")
                           for what in ("NAME", "EMAIL")}  # fmt: skip
    shell(claude, "git add . && git commit -qm start && git init -q --bare ../remote.git")
    shell(claude, "git remote add origin ../remote.git && git push -qu origin main && git remote set-head origin main")
    shell(claude, "git switch -qc stack/one && git commit -q --allow-empty -m one && git push -qu origin stack/one")
    wired = Live(claude)
    wired.awake()
    yield wired
    wired.close()


def shell(claude: ClaudeCode, command: str, folder: Path | None = None) -> None:
    """What the person does in a terminal."""
    subprocess.run(["sh", "-c", command], cwd=folder or claude.project, env=claude.environment, check=True)


def works(claude: ClaudeCode, model: ModelServer, live: Live) -> None:
    """A session that makes a branch from another, opens its pull request, and leaves something open."""
    model.script(
        use(bash("git switch -c fix/parser")),
        use(bash("git commit -q --allow-empty -m parser && git push -u origin fix/parser")),
        use(bash("gh pr create --base stack/one --fill")),
        use(bash("gh issue create --title leak --body x")),
        use(bash("make test")),
        say("done"),
    )
    unharmed(claude.run("start on the parser"))
    learned(live)


def learned(live: Live) -> None:
    """The end of the session, and what comes of it in the background."""
    ended = "(select min(at) from journal where type = 'session_ended')"
    live.wait_for(f"select 1 from jobs where name = 'learn' and asked_at >= {ended}")
    until(lambda: not live.rows("select 1 from jobs where state in ('waiting', 'running')"), "the jobs were done")


def starts(claude: ClaudeCode, model: ModelServer, folder: Path | None = None) -> str:
    """What the first request of a new session says."""
    model.script(say("ok"))
    unharmed(claude.run("hello", cwd=folder))
    return model.text_of(model.requests[-1])


def test_the_next_session_knows_where_things_stand(claude: ClaudeCode, model: ModelServer, live: Live) -> None:
    """In another worktree of the same branch: base, pull request and open ends. On another branch: nothing of it."""
    works(claude, model, live)
    shell(claude, "git switch -q main && git worktree add -q ../other fix/parser")
    other = claude.root / "other"
    said = starts(claude, model, other)
    assert "branch fix/parser: base stack/one, PR #12" in said
    assert "(`make test`), no edits since" in said
    assert "fix/parser:" not in starts(claude, model)
    # The base is merged and pruned: not a word of it any more.
    shell(
        claude, "git merge -q --no-edit stack/one && git push -q origin main && git push -q origin --delete stack/one"
    )
    said = starts(claude, model, other)
    assert "PR #12" in said
    assert "base stack/one" not in said


def test_a_switch_and_the_other_windows(claude: ClaudeCode, model: ModelServer, live: Live) -> None:
    """After a checkout in mid-session the other branch's card comes, once; a prompt that names an issue hears of it."""
    works(claude, model, live)
    shell(claude, "git switch -q main")
    model.script(use(bash("git checkout -q fix/parser")), use(bash("ls")), use(bash("ls -a")), say("ok"))
    unharmed(claude.run("take up #250 again"))
    said = model.text_of(model.requests[-1])
    assert said.count("branch fix/parser: base stack/one, PR #12") == 1
    assert said.count("issue #250 was created") == 1
