"""Noting a skill's lessons and asking for them, by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hardwon.text.mark import mark
from tests.commandline import Cli
from tests.support import opened
from tests.text.test_mark import DEPLOY, REWRITTEN


def note(cli: Cli, *arguments: str) -> str:
    return str(cli.json("note", *arguments)["id"])


def show(cli: Cli, id: str) -> dict[str, object]:
    found: dict[str, object] = cli.json("show", id[-6:])
    return found


def put_skill(folder: Path, text: str) -> Path:
    file = folder / ".claude" / "skills" / "deploy" / "SKILL.md"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def memory_of(cli: Cli, id: str) -> tuple[str, str]:
    with opened(cli.home, write=False) as store:
        row = store.row("select skill_mark, origin_project from memories where id = ?", (id,))
    assert row
    return row[0], row[1]


# note


@pytest.mark.parametrize("type", ["gotcha", "discovery", "fix", "workflow"])
def test_a_lesson_has_a_type(cli: Cli, type: str) -> None:
    """The four that the seeds know; kept as the subtype."""
    found = show(cli, note(cli, "wait for the lock", "--skill", "deploy", "--type", type))
    assert (found["kind"], found["subtype"], found["source"]) == ("lesson", type, "agent")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--type", "joke"), "'joke' is not one of 'gotcha'"),
        (("--type", "fix", "--kind", "task"), "--type is for lessons, and this is a task"),
        (("--skill", ""), "--skill is empty"),
        (("--skill", " \t"), "--skill is empty"),
    ],
)
def test_what_can_not_be_is_said(cli: Cli, arguments: tuple[str, ...], said: str) -> None:
    """One sentence, and nothing is kept."""
    assert said in cli.run("note", "text", *arguments, code=2).stderr
    assert cli.json("list", "-g")["total"] == 0


@pytest.mark.parametrize(
    ("given", "kept"),
    [("deploy", "deploy"), ("  deploy ", "deploy"), ("ops/deploy", "ops/deploy"), ("memo:recall", "memo:recall"),
     ("..", ".."), ("部署", "部署")],
)  # fmt: skip
def test_a_name_is_only_a_name(cli: Cli, given: str, kept: str) -> None:
    """Trimmed, else as it is; no path is made of it, and it is found by it."""
    id = note(cli, "wait for the lock", "--skill", given)
    assert show(cli, id)["scope"] == {"project": "app", "skill": kept}
    assert [item["id"] for item in cli.json("recall", "--skill", given)["items"]] == [id]


def test_one_row_per_skill_tier_project_and_text(cli: Cli, tmp_path: Path) -> None:
    """The same lesson in other words of case, date and blanks counts; in another place it is another."""
    other = tmp_path / "other"
    other.mkdir()
    places = [
        note(cli, "Wait for the lock", "--skill", "deploy"),
        note(cli, "Wait for the lock", "--skill", "build"),
        note(cli, "Wait for the lock", "--skill", "deploy", "-g"),
        note(cli, "Wait for the lock"),
        str(cli.json("note", "Wait for the lock", "--skill", "deploy", cwd=other)["id"]),
    ]
    assert len(set(places)) == 5
    for text in ("wait  for THE lock", "- [2026-03] Wait for the lock", "- wait for the lock  [HIT:4]"):
        assert note(cli, text, "--skill", " deploy ") == places[0]
    assert show(cli, places[0])["hits"] == 3
    assert note(cli, "Wait for the lock 2", "--skill", "deploy") not in places


def test_where_a_global_lesson_was_learned_is_kept(cli: Cli) -> None:
    """With what one was trying to do; a project's own lesson needs no origin."""
    here = note(cli, "of this project", "--skill", "deploy")
    id = note(cli, "ask before force-pushing", "--skill", "deploy", "-g", "--intent", "clean up a branch")
    found = show(cli, id)
    assert (found["origin_project"], found["intent"]) == ("app", "clean up a branch")
    assert found["scope"] == {"project": "*", "skill": "deploy"}
    assert show(cli, here)["origin_project"] is None
    assert "learned in  app\n" in cli.run("why", id[-6:]).stdout


def test_a_global_lesson_from_nowhere(cli: Cli, tmp_path: Path) -> None:
    """From a folder that is no project yet, it has no origin, and the folder does not become one."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    id = str(cli.json("note", "holds everywhere", "-g", cwd=elsewhere)["id"])
    assert show(cli, id)["origin_project"] is None
    assert "elsewhere" not in cli.run("project", "list").stdout


# The mark of the skill


def test_a_lesson_remembers_what_the_skill_was_like(cli: Cli) -> None:
    """Of the text below the frontmatter, so that tuning the memory is no other version."""
    unknown = note(cli, "before there was a file", "--skill", "deploy")
    put_skill(cli.folder, f"---\nname: deploy\n---\n{DEPLOY}")
    known = note(cli, "with the file", "--skill", "deploy")
    put_skill(cli.folder, f"---\nname: deploy\nskill-memory: {{top: 5}}\n---\n{DEPLOY}")
    tuned = note(cli, "with a tuned file", "--skill", "deploy", "-g")
    assert [memory_of(cli, id)[0] for id in (unknown, known, tuned)] == ["", mark(DEPLOY), mark(DEPLOY)]


def test_what_is_learned_again_holds_for_the_skill_as_it_is(cli: Cli) -> None:
    """A rewritten skill makes an old lesson doubtful; the same lesson learned with the new text does not."""
    put_skill(cli.folder, DEPLOY)
    id = note(cli, "wait for the lock", "--skill", "deploy")
    put_skill(cli.folder, REWRITTEN)
    assert cli.json("recall", "--skill", "deploy")["items"][0]["earlier_version"] is True
    assert "earlier version" in cli.run("recall", "--skill", "deploy").stdout
    note(cli, "wait for the lock", "--skill", "deploy")
    assert memory_of(cli, id)[0] == mark(REWRITTEN)
    assert cli.json("recall", "--skill", "deploy")["items"][0]["earlier_version"] is False


def test_mark_and_origin_go_along_with_an_export(cli: Cli, tmp_path: Path) -> None:
    """They are in the log: another home, and this one rebuilt from it, know them."""
    put_skill(cli.folder, DEPLOY)
    note(cli, "of this project", "--skill", "deploy")
    id = note(cli, "everywhere", "--skill", "deploy", "-g")
    before = memory_of(cli, id)
    assert all(before)
    exported = tmp_path / "all.jsonl"
    exported.write_text(cli.run("export").stdout)
    other = cli.elsewhere(tmp_path / "home2")
    other.run("import", str(exported), "--yes")
    assert memory_of(other, id)[0] == before[0]
    (cli.home / "memory.db").write_bytes(b"garbage" * 1000)
    cli.run("doctor", "--fix")
    assert memory_of(cli, id) == before


# recall --skill


@pytest.fixture
def lessons(cli: Cli) -> list[str]:
    return [
        note(cli, "production waits for the lock", "--skill", "deploy", "--intent", "roll out a hotfix"),
        note(cli, "the staging certificate expires monthly", "--skill", "deploy"),
    ]


@pytest.mark.parametrize("asked", [("certificate",), ("--intent", "certificate"), ("", "--intent", "certificate")])
def test_lessons_are_asked_for_by_intent(cli: Cli, lessons: list[str], asked: tuple[str, ...]) -> None:
    """As an option or as the query."""
    assert [item["id"] for item in cli.json("recall", "--skill", "deploy", *asked)["items"]] == lessons[::-1]


def test_what_one_was_trying_to_do_is_found_too(cli: Cli, lessons: list[str]) -> None:
    """The intent that a lesson was kept with."""
    assert [item["id"] for item in cli.json("recall", "--skill", "deploy", "hotfix")["items"]] == lessons


@pytest.mark.parametrize(("intent", "rung"), [("certificate", "words"), ("", "flat"), ("zzz", "flat")])
def test_explain_says_the_rung_and_each_factor(cli: Cli, lessons: list[str], intent: str, rung: str) -> None:
    """For people and as JSON; what was asked shows up as relevance."""
    found = cli.json("recall", "--skill", "deploy", "--intent", intent, "--explain")
    assert found["rung"] == rung
    factors = found["items"][0]["factors"]
    assert set(factors) == {"recency", "hits", "trust", "place", "doubt"} | (
        {"relevance"} if rung == "words" else set()
    )
    said = cli.run("recall", "--skill", "deploy", "--intent", intent, "--explain").stdout
    assert f"(rung: {rung})" in said
    for name, value in factors.items():
        assert f"{name} {value}" in said
    weights = {"relevance": 0.8, "recency": 0.1, "hits": 0.1}
    shares = {name: weight for name, weight in weights.items() if name in factors}
    blend = sum(weight * factors[name] for name, weight in shares.items()) / sum(shares.values())
    against = factors["trust"] * factors["place"] * factors["doubt"]
    assert found["items"][0]["score"] == pytest.approx(blend * against, abs=0.002)


def test_every_verb_reads_what_an_earlier_tool_left(cli: Cli, lessons: list[str]) -> None:
    """F26, F28: beside hardwon's own, in the same order, and nothing is written there."""
    file = cli.home.parent / ".ai-memory" / "skills" / "deploy" / "KNOWLEDGE.md"
    file.parent.mkdir(parents=True)
    file.write_text("- [2026-03] purge the cache of the CDN  [HIT:2]\n- Production waits for the lock\n")
    before = file.read_bytes(), file.stat().st_mtime_ns
    for said in (
        cli.run("inject", "--skill", "deploy", "--intent", "cache").stdout,
        cli.run("recall", "--skill", "deploy", "cache").stdout,
        cli.run("show", "--skill", "deploy").stdout,
    ):
        assert said.count("purge the cache of the CDN") == 1
        assert said.lower().count("production waits for the lock") == 1
    first = cli.json("recall", "--skill", "deploy", "cache")["items"][0]
    assert first["body"] == "purge the cache of the CDN"
    assert cli.json("inject", "--skill", "deploy", "--intent", "cache")["items"][0]["body"] == first["body"]
    assert (file.read_bytes(), file.stat().st_mtime_ns) == before


def test_explain_says_what_the_skill_itself_wants(cli: Cli, lessons: list[str]) -> None:
    """The file, whether clients are told, and what could not be used."""
    assert cli.json("recall", "--skill", "deploy", "--explain")["skill"]["file"] is None
    file = put_skill(cli.folder, "---\nskill-memory: {enabled: no, top: 1, ranking_hits: 9, tops: 4}\n---\n")
    done = cli.run("recall", "--skill", "deploy", "--explain", "--json")
    assert json.loads(done.stdout)["skill"] == {
        "file": str(file),
        "on": False,
        "top": 1,
        "min_score": 0.0,
        "weights": {"relevance": 0.8, "recency": 0.1, "hits": 9.0},
        "problems": ['skill-memory.tops "4" is not known'],
    }
    done = cli.run("recall", "--skill", "deploy", "--explain")
    assert "off: a client is told nothing" in done.stdout
    assert 'skill-memory.tops "4" is not known' in done.stderr


def test_by_hand_a_skill_that_is_off_answers(cli: Cli, lessons: list[str]) -> None:
    """Off is for what happens by itself; `top` counts, and --limit before it."""
    put_skill(cli.folder, "---\nskill-memory: {enabled: no, top: 1}\n---\n")
    assert len(cli.json("recall", "--skill", "deploy")["items"]) == 1
    assert len(cli.json("recall", "--skill", "deploy", "--limit", "2")["items"]) == 2
    assert note(cli, "one more", "--skill", "deploy")


@pytest.mark.parametrize(("arguments", "said"), [(("--skill", " "), "--skill is empty"), ((), "The query is empty")])
def test_nothing_to_ask_for(cli: Cli, arguments: tuple[str, ...], said: str) -> None:
    """One sentence."""
    assert said in cli.run("recall", *arguments, code=2).stderr


def test_a_skill_without_lessons_is_silence(cli: Cli, lessons: list[str]) -> None:
    """Also for other people's names."""
    assert cli.json("recall", "--skill", "build") == {"items": [], "silent": True}
    assert cli.run("recall", "--skill", "build").stderr.strip() == "nothing fits"
