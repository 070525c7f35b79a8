"""Every verb as a user meets it: a real process, a real home."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from hardwon.store.maintenance import upkeep
from tests import support
from tests.commandline import Cli
from tests.support import now, opened

SECRET = "gh" + "p_" + "a1B2" * 9


def ids(cli: Cli, *options: str) -> list[str]:
    return [item["id"] for item in cli.json("list", "--all", "--every-status", *options)["items"]]


def note(cli: Cli, text: str, *options: str) -> str:
    return str(cli.json("note", text, *options)["id"])


def test_note_and_recall(cli: Cli) -> None:
    """What was noted comes back when it is asked for, in the documented shape."""
    answer = cli.json("note", "The tests need Redis: make redis")
    assert answer == {"id": answer["id"], "status": "created"}
    found = cli.json("recall", "why do the tests fail without redis?")
    assert found["silent"] is False
    assert set(found["items"][0]) >= {"id", "kind", "title", "body", "scope", "status", "trust", "score", "why"}
    assert found["items"][0]["id"] == answer["id"]


def test_recall_stays_silent(cli: Cli) -> None:
    """Nothing is said when nothing fits."""
    note(cli, "The tests need Redis: make redis")
    assert cli.json("recall", "what colour is the logo?") == {"items": [], "silent": True}
    assert cli.run("recall", "what colour is the logo?").stdout == ""


def test_noting_again_counts(cli: Cli) -> None:
    """The same text in the same place is one memory with a hit (W4)."""
    first = note(cli, "The tests need Redis: make redis")
    again = cli.json("note", "- [2026-11] the tests need  redis: make redis  [HIT:4]")
    assert again == {"id": first, "status": "repeated"}
    assert cli.json("show", first)["hits"] == 1
    assert note(cli, "port 5432") != note(cli, "port 5433")
    assert note(cli, "use X") != note(cli, "don't use X")


def test_the_same_text_elsewhere_is_another_memory(cli: Cli) -> None:
    """Scope is part of what a memory is: here, everywhere, in a skill."""
    assert len({note(cli, "use tabs"), note(cli, "use tabs", "--global"), note(cli, "use tabs", "--skill", "fmt")}) == 3


def test_every_field_is_kept(cli: Cli) -> None:
    """What is given is shown again."""
    id = note(
        cli, "Sessions live in PostgreSQL", "--kind", "decision", "--title", "Sessions", "--intent", "scale out",
        "--because", "one backup", "--rejected", "Redis: lost them", "--anchor", "file=src/../src/session.py",
        "--anchor", "command=FOO=1 make  test",
    )  # fmt: skip
    shown = cli.json("show", id)
    assert shown["kind"] == "decision"
    assert shown["because"] == "one backup"
    assert shown["rejected"] == [{"what": "Redis", "why": "lost them"}]
    assert {"kind": "file", "value": "src/session.py"} in shown["anchors"]
    assert {"kind": "command", "value": "make test"} in shown["anchors"]
    assert "one backup" in cli.run("show", id[-6:]).stdout


def test_projects_are_kept_apart(cli: Cli, tmp_path: Path) -> None:
    """A memory of one project is not said in another; what holds everywhere is said in both."""
    other = tmp_path / "other"
    other.mkdir()
    note(cli, "the deploy needs a VPN")
    note(cli, "deploy only from a clean tree", "--global")
    bodies = [item["body"] for item in cli.json("recall", "deploy", cwd=other)["items"]]
    assert bodies == ["deploy only from a clean tree"]
    assert len(cli.json("recall", "deploy")["items"]) == 2
    assert len(cli.json("list", "--all", cwd=other)["items"]) == 2
    assert len(cli.json("recall", "deploy", "--project", "app", cwd=other)["items"]) == 2


def test_search_finds_whatever_its_status(cli: Cli) -> None:
    """Search is for people: all words, then any, archived ones too, with a total."""
    id = note(cli, "redis must run")
    note(cli, "postgres must run")
    cli.run("archive", id)
    assert cli.json("search", "redis run")["total"] == 1
    assert cli.json("search", "must run")["total"] == 2
    assert cli.json("search", "redis nonsense")["total"] == 1
    assert cli.json("search", "nonsense") == {"items": [], "total": 0}
    assert cli.json("search", "redis", "--status", "active")["total"] == 0


def test_list_filters_and_pages(cli: Cli) -> None:
    """List shows pinned ones first, then the newest, and how many there are."""
    first = note(cli, "one")
    note(cli, "two", "--kind", "task")
    note(cli, "three")
    cli.run("pin", first)
    listed = cli.json("list", "--limit", "2")
    assert [item["body"] for item in listed["items"]] == ["one", "three"]
    assert listed["total"] == 3
    assert [item["body"] for item in cli.json("list", "--limit", "2", "--offset", "2")["items"]] == ["two"]
    assert cli.json("list", "--kind", "task")["total"] == 1
    assert cli.json("list", "--pinned")["total"] == 1
    assert cli.run("list").stdout.splitlines()[0].split("\t")[4] == "one"


def test_lifecycle(cli: Cli) -> None:
    """resolve, reopen, archive and supersede move a memory, each with its reason, and `why` tells it."""
    id = note(cli, "make test fails", "--kind", "failure")
    fix = note(cli, "start redis first", "--kind", "fix")
    assert cli.json("resolve", id, "--by", fix, "--reason", "fixed")["status"] == "resolved"
    assert cli.json("show", fix)["links"] == [{"kind": "fixes", "target": id}]
    assert cli.json("reopen", id)["status"] == "active"
    assert cli.json("archive", id)["status"] == "archived"
    history = [entry["change"].get("status") for entry in cli.json("why", id)["history"]]
    assert history == ["active", "resolved", "active", "archived"]
    assert "fixed" in cli.run("why", id).stdout


def test_supersede(cli: Cli) -> None:
    """What replaced a memory is said instead of it."""
    old = note(cli, "sessions are kept in redis", "--kind", "decision")
    cli.run("supersede", old, "sessions are kept in cookies", "--reason", "no shared state")
    (item,) = cli.json("recall", "where are sessions kept in redis")["items"]
    assert item["body"] == "sessions are kept in cookies"
    assert cli.json("show", old)["superseded_by"] == item["id"]
    refused = cli.run("supersede", item["id"], "--by", old, code=1)
    assert "can't replace itself" in refused.stderr


def test_edit_and_undo(cli: Cli) -> None:
    """Any change but forgetting is taken back by undo, step by step, and done again by --redo."""
    id = note(cli, "one text")
    cli.run("edit", id, "another text", "--title", "T")
    cli.run("pin", id)
    cli.run("undo")
    assert cli.json("show", id)["pinned"] is False
    cli.run("undo")
    assert cli.json("show", id)["body"] == "one text"
    cli.run("undo", "--redo")
    assert cli.json("show", id)["body"] == "another text"
    cli.run("undo")
    cli.run("undo")
    assert ids(cli) == []
    cli.run("undo", "--redo")
    assert cli.json("show", id)["body"] == "one text"


def test_editing_into_a_twin_is_refused(cli: Cli) -> None:
    """Two memories never silently become one."""
    note(cli, "one text")
    id = note(cli, "another text")
    assert "already says this" in cli.run("edit", id, "One  text", code=1).stderr


def test_wrong(cli: Cli) -> None:
    """What an agent calls wrong goes quiet when an agent had said it."""
    id = note(cli, "the port is 5432")
    assert cli.json("wrong", id, "it is 5433")["status"] == "stale"
    assert cli.json("recall", "which port?")["silent"] is True
    assert cli.json("search", "port")["total"] == 1


def test_secrets_are_taken_out_and_said(cli: Cli) -> None:
    """A key never reaches the store, and the user is told."""
    done = cli.run("note", f"the token is {SECRET}")
    assert "taken out" in done.stderr
    assert SECRET not in json.dumps(cli.json("list"))


BAD_TEXT = [
    (b"", "empty"),
    (b"   \n ", "empty"),
    (b"\xff\xfe\x00", "NUL"),
    (b"a\x00b", "NUL"),
    (b"\xff\xfeabc", "UTF-8"),
    (b"a" * 10_000_000, "10.0 MB"),
    (b"a" * 64_001, "64 KB"),
]


@pytest.mark.parametrize(("raw", "says"), BAD_TEXT, ids=[says for _, says in BAD_TEXT])
def test_text_that_is_no_memory(cli: Cli, raw: bytes, says: str) -> None:
    """Empty, binary, huge and NUL-laden input get a clear answer and keep nothing."""
    done = cli.run("note", "-", stdin=raw, code=1)
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert ids(cli) == []


def test_text_from_standard_input(cli: Cli) -> None:
    """A dash reads the text from a pipe."""
    cli.run("note", "-", stdin="数据库端口是 5432\nsecond line".encode())
    assert cli.json("recall", "端口")["items"][0]["body"] == "数据库端口是 5432\nsecond line"


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("数据库连接池的大小是二十", "连接池"),
        ("テストにはRedisが必要です", "テスト 必要"),
        ("测试前先启动Redis服务", "启动 redis"),
        ("테스트에는 레디스가 필요합니다", "레디스"),
        ("Ｐｏｒｔ５４３２を使う", "port5432"),
    ],
)
def test_chinese_and_japanese_are_found_by_their_words(cli: Cli, text: str, question: str) -> None:
    """Languages without blanks are found by a word inside."""
    note(cli, text)
    note(cli, "something else entirely")
    assert cli.json("recall", question)["items"][0]["body"] == text


def test_a_text_may_begin_like_a_list(cli: Cli) -> None:
    """A list item is a text, not an option."""
    assert cli.json("note", "- use tabs", "--kind", "rule")["status"] == "created"


def test_project_list_merge_rename(cli: Cli, tmp_path: Path) -> None:
    """Two projects that are one can be joined, and a project can be renamed."""
    other = tmp_path / "other"
    other.mkdir()
    note(cli, "here")
    cli.json("note", "there", cwd=other)
    assert [item["name"] for item in cli.json("project", "list")["items"]] == ["app", "other"]
    assert "Nothing was merged" in cli.run("project", "merge", "other", "app", code=1).stderr
    cli.run("project", "merge", "other", "app", "--yes")
    assert {item["body"] for item in cli.json("list")["items"]} == {"here", "there"}
    cli.run("project", "rename", "app", "shop")
    assert [item["name"] for item in cli.json("project", "list", cwd=other)["items"]] == ["shop"]


def test_an_empty_list_says_why(cli: Cli) -> None:
    """Only where nothing is remembered at all, nothing is remembered yet."""
    assert "nothing is remembered here yet" in cli.run("list").stderr
    note(cli, "here")
    note(cli, "and here")
    for filter in (["--kind", "summary"], ["--skill", "browser-use"], ["--pinned"], ["--status", "archived"]):
        assert cli.run("list", *filter).stderr == "none like that among 2 memories here\n"
    assert cli.run("list", "--offset", "99").stderr == "0 of 2: --offset passes over all of them\n"
    assert cli.run("list", "--all", "--pinned").stderr == "none like that among 2 memories\n"
    for id in ids(cli):
        cli.run("archive", id)
    assert cli.run("list").stderr == "none like that among 2 memories here: --every-status shows them\n"


@pytest.mark.parametrize("verb", [["list"], ["search", "redis"]])
@pytest.mark.parametrize("other", [["--project", "app"], ["--global"]])
def test_all_projects_and_one_of_them(cli: Cli, verb: list[str], other: list[str]) -> None:
    """What can't both be meant is refused and not half ignored."""
    note(cli, "redis")
    assert f"--all and {other[0]} exclude each other" in cli.run(*verb, "--all", *other, code=2).stderr


def test_pause_and_resume(cli: Cli) -> None:
    """While paused an agent keeps nothing."""
    cli.run("pause", "--for", "2h")
    assert "paused" in cli.run("note", "x y", code=1).stderr
    assert cli.json("status")["paused"] is True
    assert cli.json("status")["paused_until"] > 0
    cli.run("resume")
    note(cli, "x y")
    assert "it was not paused" in cli.run("resume").stdout


def test_switched_off_keeps_nothing(cli: Cli) -> None:
    """With control.enabled off nothing is kept, not even for a person."""
    cli.person("note", "x y", env={"HARDWON_CONTROL_ENABLED": "off"}, code=1)
    assert ids(cli) == []


def test_excluded_places_keep_nothing(cli: Cli) -> None:
    """An excluded project or folder is closed, and not even its name is kept."""
    environment = {"HARDWON_CONTROL_EXCLUDE_PATHS": str(cli.folder)}
    assert "excluded" in cli.run("note", "x y", code=1, env=environment).stderr
    environment = {"HARDWON_CONTROL_EXCLUDE_PROJECTS": "ap*"}
    assert "excluded" in cli.run("note", "x y", code=1, env=environment).stderr
    assert ids(cli) == []
    assert cli.json("project", "list")["items"] == []


def test_config(cli: Cli) -> None:
    """Settings are shown with their origin, set and unset."""
    assert cli.json("config", "show")["settings"]["recall.limit"]["origin"] == "default"
    cli.run("config", "set", "recall.limit", "8")
    assert cli.json("config", "show")["settings"]["recall.limit"] == {
        "value": 8, "origin": "file", "where": cli.json("config", "show")["settings"]["recall.limit"]["where"],
    }  # fmt: skip
    shown = cli.json("config", "show", env={"HARDWON_RECALL_LIMIT": "9"})["settings"]["recall.limit"]
    assert (shown["value"], shown["origin"]) == (9, "environment")
    cli.run("config", "unset", "recall.limit")
    assert cli.json("config", "show")["settings"]["recall.limit"]["value"] == 5
    assert "[recall]" in cli.run("config", "example").stdout
    assert cli.run("config", "path").stdout.strip().endswith("hardwon.toml")


def test_export_and_import_give_an_equal_store(cli: Cli, tmp_path: Path) -> None:
    """What export writes, import reads back: memories, history, hits, projects, what was forgotten."""
    one = note(cli, "one text", "--kind", "decision", "--because", "x")
    note(cli, "one text", "--kind", "decision")
    cli.run("supersede", one, "two text")
    gone = note(cli, "a text to be forgotten")
    cli.run("forget", gone, "--yes")
    file = tmp_path / "out.jsonl"
    cli.run("export", str(file))
    copy = cli.elsewhere(tmp_path / "second")
    copy.run("import", str(file))
    assert copy.json("list", "--all", "--every-status") == cli.json("list", "--all", "--every-status")
    assert [e["change"] for e in copy.json("why", one)["history"]] == [
        e["change"] for e in cli.json("why", one)["history"]
    ]
    assert copy.json("import", str(file))["memories"] == 0
    assert copy.json("note", "A text to be  forgotten", code=1)["status"] == "forgotten"
    assert copy.run("export").stdout.splitlines()[1:] == cli.run("export").stdout.splitlines()[1:]
    assert "exists" in cli.run("export", str(file), code=1).stderr


def test_import_of_lines_by_hand(cli: Cli) -> None:
    """A line needs only a body; bad lines are named and don't stop the others."""
    lines: list[Any] = [
        {"body": "use tabs"},
        {"body": ""},
        [1],
        {"type": "planet"},
        {"body": "trusted?", "trust": "user"},
    ]
    text = "\n".join(json.dumps(line) for line in lines) + "\nnot json\n"
    done = cli.json("import", "-", stdin=text.encode(), code=1)
    assert done["memories"] == 2
    assert [problem.split(":")[0] for problem in done["rejected"]] == ["line 2", "line 3", "line 4", "line 6"]
    trusts = {item["body"]: item["trust"] for item in cli.json("list", "--global")["items"]}
    assert trusts == {"use tabs": "agent", "trusted?": "agent"}


def test_doctor_says_that_the_clock_was_ahead(cli: Cli) -> None:
    """Something was kept with it, and no other home takes it in for a while."""
    with opened(cli.home) as store:
        support.note(store, "kept a year from now", now() + 366 * 86_400_000)
    assert "clock was 365 days ahead of now" in cli.run("doctor").stdout
    with opened(cli.home) as store:
        for at in (now(), now() + 100 * 86_400_000):
            upkeep.run(store, at)
    assert "clock: it went 100 days ahead at once" in cli.run("doctor").stdout


def test_doctor_finds_nothing_wrong(cli: Cli) -> None:
    """A healthy home passes, also an empty one."""
    assert cli.json("doctor")["ok"] is True
    note(cli, "one text")
    assert cli.json("doctor")["ok"] is True


def test_reading_makes_nothing(cli: Cli) -> None:
    """A command that only reads leaves no home behind."""
    for call in (["list"], ["recall", "x"], ["search", "x"], ["status"], ["config", "show"], ["project", "list"]):
        cli.run(*call)
    assert not cli.home.exists()


def test_demo_leaves_nothing(cli: Cli) -> None:
    """The demonstration says what it kept, brings it back, and is gone; the README shows what it prints."""
    done = cli.run("demo", env={"TMPDIR": str(cli.folder)})
    readme = (Path(__file__).parents[2] / "README.md").read_text()
    assert without_times(done.stdout) in without_times(readme)
    assert list(cli.folder.iterdir()) == []
    assert not cli.home.exists()


def without_times(text: str) -> str:
    """Without what differs from run to run: ids and how long it took."""
    return re.sub(r"\b[0-9a-f]{6}\b|\b[0-9]+\.[0-9]+\b", "…", text)
