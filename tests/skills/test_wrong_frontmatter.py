"""A `skill-memory:` that can't be used is told wherever one looks after skills."""

from __future__ import annotations

from pathlib import Path

from tests.commandline import Cli

WRONG = "---\nname: deploy\nskill-memory: {enabled: perhaps, top: many}\n---\nDeploy it.\n"
RIGHT = "---\nname: deploy\nskill-memory: {enabled: true, top: 20}\n---\nDeploy it.\n"


def put(folder: Path, text: str) -> Path:
    file = folder / "deploy" / "SKILL.md"
    file.parent.mkdir(parents=True)
    file.write_text(text, "utf-8")
    return file


def test_doctor_names_file_key_value_and_a_good_one(cli: Cli) -> None:
    """In the project, the home and a plugin; exit status 1 until it is mended."""
    own = put(cli.folder / ".claude" / "skills", WRONG)
    users = put(cli.home.parent / ".agents" / "skills", WRONG)
    plugin = put(cli.home.parent / ".claude/plugins/cache/market/ops/1.0/skills", WRONG)
    found = [one for one in cli.json("doctor", code=1)["findings"] if one["what"] == "skills"]
    assert [one["ok"] for one in found] == [False] * 3
    assert sorted(one["says"].partition(": ")[0] for one in found) == sorted(map(str, (own, users, plugin)))
    assert 'skill-memory.enabled "perhaps" is neither true nor false' in found[0]["says"]
    assert 'skill-memory.top "many" is no whole number from 0 to 200' in found[0]["says"]
    assert "top: 20" in found[0]["fix"]
    for file in (own, users, plugin):
        file.write_text(RIGHT, "utf-8")
    said = cli.run("doctor").stdout
    assert "ok skills: 3 found" in said


def test_doctor_says_nothing_of_skills_where_there_are_none(cli: Cli) -> None:
    """No skill, no line."""
    assert "skills" not in [one["what"] for one in cli.json("doctor")["findings"]]


def test_status_of_the_skills_says_so_too(cli: Cli) -> None:
    """Beside the table on stderr, and as a field of the JSON."""
    file = put(cli.folder / ".claude" / "skills", WRONG)
    cli.run("note", "Ask for the region first", "--skill", "deploy")
    told = cli.run("status", "--skills").stderr
    assert f'{file}: skill-memory.enabled "perhaps"' in told
    assert "top: 20" in told
    (item,) = cli.json("status", "--skills")["items"]
    assert len(item["problems"]) == 2
