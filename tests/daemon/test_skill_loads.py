"""Skills are counted by the real daemon from what a client tells of them, and shown by `status --skills`."""

from __future__ import annotations

from pathlib import Path

from hardwon.store.tables import skill_loads
from tests.commandline import Cli
from tests.daemon.running import Daemon
from tests.daemon.session import Session
from tests.support import now


def loads(daemon: Daemon) -> dict[str, int]:
    daemon.settle()
    with daemon.store() as store:
        return {use.skill: use.loads for use in skill_loads.uses(store, now())}


def told(session: Session, skill: str, tools: Path) -> None:
    """All that a client says of one load."""
    call = session.next_call()
    given = {"skill": skill, "args": ""}
    session.send("PreToolUse-Skill", tool_input=given, tool_use_id=call)
    session.send("PostToolUse-Skill", tool_input=given, tool_use_id=call)
    session.reads(f"{tools}/{skill}/SKILL.md")


def test_one_load_counts_once(daemon: Daemon, tmp_path: Path) -> None:
    """W12: the tool before and after, the file, a Stop after each turn: one load per turn, also after a restart."""
    daemon.start()
    one = Session(daemon)
    one.start()
    one.prompt("deploy it")
    told(one, "deploy", tmp_path / ".claude" / "skills")
    for _ in range(3):
        one.stop()
    assert loads(daemon) == {"deploy": 1}
    daemon.leave()
    daemon.start()
    one.reads(f"{tmp_path}/.claude/skills/deploy/SKILL.md")
    assert loads(daemon) == {"deploy": 1}
    one.prompt("and again")
    one.types("deploy", "prod")
    one.end()
    assert loads(daemon) == {"deploy": 2}


def test_status_shows_them(daemon: Daemon) -> None:
    """A line of fields in a pipe, a chart on a terminal, everything as JSON."""
    daemon.start()
    one = Session(daemon)
    one.prompt("deploy it")
    one.skill("deploy")
    daemon.settle()
    cli = Cli(daemon.home.root, daemon.folder)
    cli.run("note", "Port 8080", "--skill", "deploy", "--global")
    (found,) = cli.json("status", "--skills")["items"]
    today = skill_loads.day_of(found["last_seen"])
    assert found == {
        "skill": "deploy", "loads": 1, "lessons": {"active": 1, "archived": 0}, "shown": 0, "helped": 0,
        "last_seen": found["last_seen"], "by_day": {today: 1}, "problems": [],
    }  # fmt: skip
    assert cli.run("status", "--skills").stdout == f"deploy\t1\t1\t0\t0\t0\t{today}\n"
    assert "·" * 29 + "█" in cli.person("status", "--skills", env={"COLUMNS": "140"})


def test_status_without_any_skill(daemon: Daemon) -> None:
    """An empty memory has a sentence and an empty list."""
    cli = Cli(daemon.home.root, daemon.folder)
    assert cli.json("status", "--skills") == {"items": [], "days": 30}
    assert "no skill" in cli.run("status", "--skills").stderr


def test_a_starter_is_there_at_the_first_load(daemon: Daemon) -> None:
    """What `starters add` kept comes with the skill, under each of its names, and counts as shown."""
    cli = Cli(daemon.home.root, daemon.folder)
    cli.run("starters", "add", "voice", "hookify", "--yes")
    daemon.start()
    one = Session(daemon)
    one.prompt("talk to me")
    assert "`agent-voice say` only speaks" in one.skill("voice")
    assert "`action` is `warn` when it is left out" in one.skill("hookify:writing-rules")
    daemon.settle()
    shown = {use["skill"]: use["shown"] for use in cli.json("status", "--skills")["items"]}
    assert shown == {"voice": 5, "hookify:writing-rules": 5, "hookify": 0}
