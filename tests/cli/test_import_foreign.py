"""Coming from another tool: fireworks-skill-memory, magic-context, a KNOWLEDGE.md."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import apsw
import pytest

from tests.commandline import Cli

BROWSER = """\
# browser-use — experience

Last updated: 2026-03-14

## Entries
- [2026-03] [state before acting] Always run `browser-use state` before clicking —
  indices change after every page interaction. Never reuse a stale index.  [HIT:7]
- [2026-02] [auth via profile] Use --profile "Default"
- [placeholder] No lessons recorded yet.
- an undated one  [HIT:2]
"""
OLD = '- [2026-02] use --profile  "default"  [HIT:4]\n- old\n'


def user(cli: Cli) -> Path:
    """The user's own folder, as the command sees it."""
    return cli.home.parent


def write(path: Path, text: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def memories(cli: Cli, *options: str) -> dict[str, dict[str, Any]]:
    items = cli.json("list", "--all", "--every-status", *options)["items"]
    return {item["title"] or item["body"]: item for item in items}


@pytest.fixture
def fireworks(cli: Cli) -> Path:
    """A home of the other tool, with its older places beside it."""
    home = user(cli) / ".ai-memory"
    write(home / "skills" / "browser-use" / "KNOWLEDGE.md", BROWSER)
    write(home / "skills" / "browser-use" / "CHECKPOINTS.md", "- [2026-03-14 09:30:00] a raw note\n")
    write(home / "skills" / "lark__sync" / "KNOWLEDGE.md", "- [2026-03] [权限] 写入前先确认权限范围  [HIT:1]\n")
    write(home / "global" / "KNOWLEDGE.md", "- [2026-01] A principle for all\n")
    claude = user(cli) / ".claude"
    write(claude / "skills" / "browser-use" / "KNOWLEDGE.md", '- [2026-02] use --profile  "default"  [HIT:4]\n- old\n')
    write(claude / "skills-knowledge.md", "- [Tag] An older principle\n")
    return home


def test_fireworks(cli: Cli, fireworks: Path) -> None:
    """Lessons, principles and checkpoints come with their dates, titles and hits, multi-line bullets whole (W6)."""
    before = state_of(fireworks, user(cli) / ".claude")
    answer = cli.json("import", "fireworks", "--yes")
    assert (answer["memories"], answer["known"], answer["rejected"]) == (8, 1, [])
    assert answer["skills"]["browser-use"] == {"new": 5, "known": 1, "forgotten": 0}
    found = memories(cli)
    lesson = found["state before acting"]
    assert lesson["body"].endswith(
        "clicking —\nindices change after every page interaction. Never reuse a stale index."
    )
    assert (lesson["hits"], lesson["trust"], lesson["source"]) == (7, "agent", "import")
    assert lesson["scope"] == {"project": "*", "skill": "browser-use"}
    assert lesson["created_at"] // 1000 == 1_772_323_200
    assert found["auth via profile"]["hits"] == 4
    assert found["权限"]["scope"]["skill"] == "lark/sync"
    assert found["A principle for all"]["scope"] == {"project": "*", "skill": None}
    assert found["Tag"]["body"] == "An older principle"
    assert found["a raw note"]["kind"] == "checkpoint"
    assert "placeholder" not in found
    assert state_of(fireworks, user(cli) / ".claude") == before


def state_of(*folders: Path) -> dict[Path, int]:
    return {path: path.stat().st_mtime_ns for folder in folders for path in folder.rglob("*")}


def test_again_adds_nothing(cli: Cli, fireworks: Path) -> None:
    """A second import adds nothing and raises no hits, also when a lesson was edited since; a new one is added."""
    cli.run("import", "fireworks", "--yes")
    first = memories(cli)
    cli.run("edit", first["auth via profile"]["id"], "Use the profile called Default")
    first = memories(cli)
    again = cli.run("import", "fireworks")
    assert "nothing is new" in again.stdout
    assert memories(cli) == first
    file = fireworks / "skills" / "browser-use" / "KNOWLEDGE.md"
    write(file, file.read_text("utf-8").replace("HIT:7", "HIT:9") + "- one more\n")
    assert cli.json("import", "fireworks", "--yes")["memories"] == 1
    assert memories(cli)["state before acting"]["hits"] == 9


def test_undo_and_forget_hold(cli: Cli, fireworks: Path) -> None:
    """undo takes an import out, and it can come again; what was forgotten does not."""
    cli.run("import", "fireworks", "--yes")
    count = len(memories(cli))
    cli.run("undo")
    assert memories(cli) == {}
    cli.run("import", "fireworks", "--yes")
    assert len(memories(cli)) == count
    cli.run("forget", memories(cli)["old"]["id"], "--yes")
    assert cli.json("import", "fireworks", "--yes")["forgotten"] == 1
    assert len(memories(cli)) == count - 1


def test_it_asks_first(cli: Cli, fireworks: Path) -> None:
    """Without --yes and without a person nothing is taken in; --dry-run shows the plan and makes no home."""
    shown = cli.run("import", "fireworks", "--dry-run").stdout
    assert [line.split() for line in shown.splitlines()[1:4]] == [
        ["(every", "skill)", "2", "0", "0"],
        ["browser-use", "5", "1", "0"],
        ["lark/sync", "1", "0", "0"],
    ]
    assert "--yes" in cli.run("import", "fireworks", code=1).stderr
    assert not cli.home.exists()


def test_a_named_folder(cli: Cli, fireworks: Path, tmp_path: Path) -> None:
    """A home, a folder of skills or one skill's folder can be named; one without such files is said so."""
    folder = fireworks / "skills" / "browser-use"
    assert set(cli.json("import", "fireworks", str(folder), "--dry-run")["skills"]) == {"browser-use"}
    assert set(cli.json("import", "fireworks", str(folder.parent), "--dry-run")["skills"]) >= {"browser-use"}
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "KNOWLEDGE.md" in cli.run("import", "fireworks", str(empty), code=1).stderr
    assert "not a folder" in cli.run("import", "fireworks", str(empty / "missing"), code=1).stderr


def test_where_it_looks(cli: Cli, tmp_path: Path) -> None:
    """AI_MEMORY_HOME and Codex's home are read, each file once."""
    own, codex = tmp_path / "own", tmp_path / "codex"
    write(own / "skills" / "a" / "KNOWLEDGE.md", "- one\n")
    write(codex / "memories" / "fireworks-skill-memory" / "skills" / "b" / "KNOWLEDGE.md", "- two\n")
    env = {"AI_MEMORY_HOME": str(own), "CODEX_HOME": str(codex), "AI_MEMORY_SKILLS_DIR": str(own / "skills")}
    answer = cli.json("import", "fireworks", "--dry-run", env=env)
    assert {skill: counts["new"] for skill, counts in answer["skills"].items()} == {"a": 1, "b": 1}
    assert len(answer["files"]) == 2
    assert "Nothing of fireworks" in cli.run("import", "fireworks", code=1).stderr


def test_bad_files_are_named_and_the_rest_is_taken(cli: Cli, fireworks: Path) -> None:
    """A line that is not UTF-8 is named by its number, a binary file by its name; all else comes in."""
    write(fireworks / "skills" / "x" / "KNOWLEDGE.md", b"# x\n\n- fine\n- bad \xff\n  second line\n- also fine\n")
    write(fireworks / "skills" / "y" / "KNOWLEDGE.md", b"\x7fELF\0\0")
    done = cli.run("import", "fireworks", "--yes", code=1)
    assert f"{fireworks}/skills/x/KNOWLEDGE.md:4: not UTF-8" in done.stderr
    assert "y/KNOWLEDGE.md: contains NUL" in done.stderr
    assert {"fine", "also fine", "state before acting"} <= set(memories(cli))


def test_keys_are_taken_out(cli: Cli, fireworks: Path) -> None:
    """Everything passes redaction, and is still known the second time."""
    secret = "gh" + "p_" + "a1B2" * 9
    write(fireworks / "skills" / "x" / "KNOWLEDGE.md", f"- [2026-03] the token is {secret}\n")
    cli.person("import", "fireworks", "--yes")
    assert secret not in cli.run("show", "--skill", "x").stdout
    assert cli.json("import", "fireworks", "--yes")["memories"] == 0


def test_one_file(cli: Cli, tmp_path: Path) -> None:
    """A KNOWLEDGE.md is about the skill of its folder, or the one that is named, or everything."""
    usual = write(tmp_path / "skills" / "voice" / "KNOWLEDGE.md", BROWSER)
    assert set(cli.json("import", str(usual), "--dry-run")["skills"]) == {"voice"}
    file = write(tmp_path / "notes.md", "- one\n")
    assert "--skill NAME" in cli.run("import", str(file), code=2).stderr
    assert cli.json("import", str(file), "--skill", "..", "--yes")["memories"] == 1
    assert cli.json("import", str(file), "--everywhere", "--yes")["memories"] == 1
    assert {item["scope"]["skill"] for item in cli.json("list", "--all")["items"]} == {"..", None}
    assert "no such file" in cli.run("import", str(tmp_path / "missing.md"), code=1).stderr
    assert "NUL" in cli.run("import", str(write(tmp_path / "b.md", b"\0")), "--skill", "x", code=1).stderr
    assert cli.json("import", str(write(tmp_path / "empty.md", "")), "--skill", "x")["memories"] == 0


def test_shared_beginnings_stay_two_lessons(cli: Cli, tmp_path: Path) -> None:
    """W4: lessons with the same first 32 characters are two; the same one of another month is one."""
    start = "[2026-11] [authentication flow] Always refresh the token before "
    text = f"- {start}reading\n- {start}writing\n- {start.replace('2026-11', '2026-12')}reading\n"
    file = write(tmp_path / "skills" / "x" / "KNOWLEDGE.md", text)
    assert cli.json("import", str(file), "--yes")["memories"] == 2


@pytest.mark.parametrize("name", ["codememory", "CodeMemory", "memory-engine", "claude-memory-engine", "fireworks-db"])
def test_a_tool_whose_store_can_not_be_read(cli: Cli, name: str) -> None:
    """Is not taken for a file: the sentence names it and what can be done instead."""
    for path in ([], ["there.db"]):
        said = cli.run("import", name, *path, code=2).stderr
        assert f'"{name}"' in said
        assert "hardwon learn" in said or "hardwon import FILE.md" in said or "fireworks, magic-context" in said
    assert not cli.home.exists()
    assert "missing.jsonl" in cli.run("import", "missing.jsonl", code=1).stderr


def test_options_that_do_not_go_together(cli: Cli) -> None:
    """Each wrong call is a sentence and changes nothing."""
    cli.run("import", "fireworks", "--skill", "x", code=2)
    cli.run("import", "x.md", "--skill", "x", "--everywhere", code=2)
    cli.run("import", "x.md", "--project", "x", code=2)
    cli.run("import", "magic-context", code=2)
    cli.run("import", "export.jsonl", "--dry-run", code=2)
    assert not cli.home.exists()


COLUMNS = """
create table skill_memory (
  id integer primary key autoincrement, skill_id text not null, tier text not null, project_identity text not null,
  intent text not null, intent_embedding blob, kind text not null, delta text not null, hit_count integer not null,
  pinned integer not null, normalized_hash text not null, created_at integer not null, delta_embedding blob,
  recall_count integer not null default 0, origin_project text, source_type text
)
"""


def database(path: Path, columns: str = COLUMNS) -> apsw.Connection:
    db = apsw.Connection(str(path))
    db.execute("pragma journal_mode = wal")
    db.execute(columns)
    return db


def add(db: apsw.Connection, delta: str, **values: Any) -> None:
    row = {
        "skill_id": "council", "tier": "global", "project_identity": "*", "intent": "ask the council",
        "intent_embedding": b"\x00\x01", "kind": "gotcha", "delta": delta, "hit_count": 3, "pinned": 0,
        "normalized_hash": delta, "created_at": 1_772_323_200_000, "origin_project": "git:abc", "source_type": "agent",
    } | values  # fmt: skip
    marks = ", ".join("?" * len(row))
    db.execute(f"insert into skill_memory ({', '.join(row)}) values ({marks})", tuple(row.values()))


def test_magic_context(cli: Cli, tmp_path: Path) -> None:
    """Lessons come with type, intent, hits, pin and time from an open database, which is not written to."""
    file = tmp_path / "context.db"
    db = database(file)
    add(db, "a gotcha", pinned=1)
    add(db, "历史记录者写的", source_type="historian", kind="workflow", created_at=1_772_323_200)
    add(db, "of a project", tier="project", project_identity="git:0123")
    before = {path.name: path.read_bytes() for path in tmp_path.glob("context.db*") if not path.name.endswith("shm")}
    done = cli.run("import", "magic-context", str(file), "--yes")
    assert 'project "git:0123" is not known here' in done.stderr
    found = memories(cli)
    one, two = found["a gotcha"], found["历史记录者写的"]
    assert (one["subtype"], one["intent"], one["hits"], one["pinned"]) == ("gotcha", "ask the council", 3, True)
    assert one["scope"] == {"project": "*", "skill": "council"}
    assert (two["author"], two["trust"], two["created_at"] // 1000) == ("historian", "agent", 1_772_323_200)
    assert "of a project" not in found
    assert "nothing is new" in cli.run("import", "magic-context", str(file), "--yes").stdout
    assert memories(cli) == found
    after = {path.name: path.read_bytes() for path in tmp_path.glob("context.db*") if not path.name.endswith("shm")}
    assert after == before
    cli.run("note", "makes the project app")
    cli.run("import", "magic-context", str(file), "--yes", "--project", "app")
    assert memories(cli)["of a project"]["scope"] == {"project": "app", "skill": "council"}
    db.close()


def test_magic_context_knows_projects(cli: Cli, tmp_path: Path) -> None:
    """A note of a project goes to the project here with the same first commit or folder, and to no other."""
    git = ["git", "-C", str(cli.folder), "-c", "user.name=a", "-c", "user.email=a@example.com"]
    for command in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "first"]):
        subprocess.run([*git, *command], check=True)
    commit = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
    other = tmp_path / "other"
    other.mkdir()
    cli.run("note", "makes the project app")
    cli.run("note", "makes the project other", cwd=other)
    db = database(tmp_path / "context.db")
    add(db, "by commit", tier="project", project_identity=f"git:{commit}")
    add(db, "by folder", tier="project", project_identity=f"dir:{other}")
    db.close()
    cli.run("import", "magic-context", str(tmp_path / "context.db"), "--yes")
    found = memories(cli)
    assert found["by commit"]["scope"]["project"] == "app"
    assert found["by folder"]["scope"]["project"] == "other"


def test_magic_context_of_another_version(cli: Cli, tmp_path: Path) -> None:
    """Missing columns are no obstacle; without a text there is nothing to read, and that is said."""
    db = database(tmp_path / "old.db", "create table skill_memory (skill_id text, content text, created_at text)")
    db.execute("insert into skill_memory values ('a', 'one', '2026-03-01T00:00:00Z'), ('b', null, 'x'), ('', 'y', '')")
    db.close()
    done = cli.run("import", "magic-context", str(tmp_path / "old.db"), "--yes", code=1)
    assert "row 2" in done.stderr
    assert memories(cli)["one"]["created_at"] == 1_772_323_200_000
    database(tmp_path / "none.db", "create table other (x)").close()
    assert "is not there" in cli.run("import", "magic-context", str(tmp_path / "none.db"), code=1).stderr


@pytest.mark.parametrize(
    ("content", "says"), [(b"", "no SQLite"), (b"SQLite format 3\0" + b"x" * 5000, "damaged"), (None, "can't be read")]
)
def test_no_database(cli: Cli, tmp_path: Path, content: bytes | None, says: str) -> None:
    """What is no database, or a damaged one, is refused with a sentence."""
    file = tmp_path / "context.db"
    if content is not None:
        file.write_bytes(content)
    assert says in cli.run("import", "magic-context", str(file), "--yes", code=1).stderr


def test_a_database_taken_for_an_export(cli: Cli, tmp_path: Path) -> None:
    """The way is shown."""
    database(tmp_path / "context.db").close()
    assert "hardwon import magic-context" in cli.run("import", str(tmp_path / "context.db"), code=1).stderr


def test_a_person_is_asked(cli: Cli, fireworks: Path) -> None:
    """What a person takes in has an agent's trust: models wrote it."""
    assert "taken in" in cli.person("import", "fireworks", "--yes")
    assert {item["trust"] for item in memories(cli).values()} == {"agent"}


def test_a_pipe_is_not_read(cli: Cli, fireworks: Path) -> None:
    """Something that is no file does not hold up the import."""
    (fireworks / "skills" / "z").mkdir()
    os.mkfifo(fireworks / "skills" / "z" / "KNOWLEDGE.md")
    assert cli.json("import", "fireworks", "--yes")["memories"] == 8
