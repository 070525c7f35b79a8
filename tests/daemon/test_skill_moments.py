"""A skill loads: what its own file says about its memory, and what is said for the first one of a session."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest

from hardwon.memory import GLOBAL, Kind
from hardwon.render.context import EARLIER
from hardwon.store.tables import showings
from hardwon.text.mark import mark
from tests.daemon.answers import ids_in, short
from tests.daemon.running import Daemon, keep
from tests.daemon.session import Session
from tests.text.test_mark import DEPLOY, REWRITTEN


def put_skill(folder: Path, frontmatter: str = "", body: str = DEPLOY) -> Path:
    """A SKILL.md below this folder, as Claude Code looks for it."""
    file = folder / ".claude" / "skills" / "deploy" / "SKILL.md"
    file.parent.mkdir(parents=True, exist_ok=True)
    before = file.stat().st_mtime_ns if file.exists() else 0
    file.write_text(f"---\nname: deploy\n{frontmatter}\n---\n{body}")
    if file.stat().st_mtime_ns == before:
        os.utime(file, ns=(before + 1, before + 1))
    return file


def put_setting(daemon: Daemon, line: str) -> None:
    daemon.home.settings.write_text(f"[skills]\n{line}\n")
    stamp = time.time_ns() + 1_000_000
    os.utime(daemon.home.settings, ns=(stamp, stamp))


@pytest.fixture
def lesson(daemon: Daemon) -> str:
    with daemon.store(write=True) as store:
        return keep(store, "deploys wait for the lock", folder=daemon.folder, skill="deploy")


# Off and on

SILENT, TOLD = False, True


@pytest.mark.parametrize(
    ("setting", "frontmatter", "told"),
    [
        ("", "", TOLD),
        ("", "skill-memory: {enabled: false}", SILENT),
        ("", "metadata:\n  skill-memory:\n    enabled: off", SILENT),
        ("", "skill-memory: {enabled: true}", TOLD),
        ("", "skill-memory: {enabled: perhaps}", TOLD),
        ('default = "on"', "skill-memory: off", SILENT),
        ('default = "off"', "", SILENT),
        ('default = "off"', "skill-memory: {top: 3}", SILENT),
        ('default = "off"', "skill-memory: {enabled: true}", TOLD),
    ],
)
def test_the_skill_decides_and_else_the_setting(
    daemon: Daemon, lesson: str, setting: str, frontmatter: str, told: bool
) -> None:
    """W60: a skill that says nothing has a memory; off means that nothing is shown, however the skill is loaded."""
    file = put_skill(daemon.folder, frontmatter)
    if setting:
        put_setting(daemon, setting)
    daemon.start()
    said = [
        Session(daemon, "s1").skill("deploy"),
        Session(daemon, "s2").types("deploy"),
        Session(daemon, "s3").reads(str(file)),
    ]
    assert [ids_in(text) for text in said] == [short(lesson) if told else []] * 3
    assert told or said == [""] * 3


def test_a_change_counts_at_once(daemon: Daemon, lesson: str) -> None:
    """Of the file and of the setting, without a restart."""
    put_skill(daemon.folder)
    daemon.start()
    assert ids_in(Session(daemon, "s1").skill("deploy")) == short(lesson)
    put_skill(daemon.folder, "skill-memory: off")
    assert Session(daemon, "s2").skill("deploy") == ""
    put_skill(daemon.folder)
    put_setting(daemon, 'default = "off"')
    assert Session(daemon, "s3").skill("deploy") == ""


def test_the_file_that_was_read_is_the_one_that_counts(daemon: Daemon, lesson: str) -> None:
    """Not another one of that name that would be found first."""
    put_skill(daemon.folder, "skill-memory: off")
    elsewhere = put_skill(daemon.folder.parent / "elsewhere")
    daemon.start()
    assert ids_in(Session(daemon, "s1").reads(str(elsewhere))) == short(lesson)
    assert Session(daemon, "s2").skill("deploy") == ""


def test_the_clients_settings_may_be_elsewhere(daemon: Daemon, lesson: str) -> None:
    """The transcript's path says where."""
    file = daemon.folder.parent / "config" / "skills" / "deploy" / "SKILL.md"
    file.parent.mkdir(parents=True)
    file.write_text("---\nskill-memory: off\n---\n")
    daemon.start()
    transcript = str(daemon.folder.parent / "config" / "projects" / "p" / "s1.jsonl")
    assert Session(daemon, "s1", transcript=transcript).skill("deploy") == ""
    assert ids_in(Session(daemon, "s2").skill("deploy")) == short(lesson)


@pytest.mark.parametrize("name", ["..", "../../etc", "/etc", "x\0y", "\\\\x", "a:b:c", "x" * 10_000, " ", "\u202e"])
def test_a_strange_name_is_a_skill_without_lessons(daemon: Daemon, lesson: str, name: str) -> None:
    """It finds no file and no lesson, and nothing fails."""
    daemon.start()
    assert Session(daemon).skill(name) == ""
    assert (daemon.status() or {})["malformed"] == 0
    assert ids_in(Session(daemon, "s2").skill("deploy")) == short(lesson)


# How many, and which


@pytest.mark.parametrize(("top", "used", "read"), [("7", 7, 5), ("3", 3, 3), ("0", 0, 0), ("999", 20, 5)])
def test_the_frontmatter_says_how_many(daemon: Daemon, top: str, used: int, read: int) -> None:
    """When the skill is used; reading its file brings five of them at most."""
    with daemon.store(write=True) as store:
        for number in range(30):
            keep(store, f"deploy lesson {number}", folder=daemon.folder, skill="deploy")
    file = put_skill(daemon.folder, f"skill-memory: {{top: {top}}}")
    daemon.start()
    assert len(ids_in(Session(daemon, "s1").skill("deploy"))) == used
    assert len(ids_in(Session(daemon, "s2").reads(str(file)))) == read


def test_the_frontmatter_says_what_counts(daemon: Daemon) -> None:
    """Use alone, or the date alone."""
    with daemon.store(write=True) as store:
        for _ in range(4):
            used = keep(store, "often met", folder=daemon.folder, skill="deploy")
        store.db.execute("update memories set updated_at = updated_at - 90 * 86400000")
        new = keep(store, "met today", folder=daemon.folder, skill="deploy")
    daemon.start()
    put_skill(daemon.folder, "skill-memory: {ranking_recency: 0, ranking_hits: 1}")
    assert ids_in(Session(daemon, "s1").skill("deploy")) == short(used, new)
    put_skill(daemon.folder, "skill-memory: {ranking_recency: 1, ranking_hits: 0}")
    assert ids_in(Session(daemon, "s2").skill("deploy")) == short(new, used)


def test_the_prompt_before_it_says_what_a_skill_is_wanted_for(daemon: Daemon) -> None:
    """When the skill has no arguments; a typed command is no prompt, nor is a sub-agent's task the person's."""
    with daemon.store(write=True) as store:
        wanted = keep(store, "the staging certificate expires monthly", folder=daemon.folder, skill="deploy")
        for _ in range(3):
            used = keep(store, "production waits for the lock", folder=daemon.folder, skill="deploy")
    daemon.start()
    assert ids_in(Session(daemon, "s1").skill("deploy")) == short(used, wanted)
    session = Session(daemon, "s2")
    session.prompt("why is the certificate of staging refused?")
    assert ids_in(Session(daemon, "s2", agent="a1").skill("deploy")) == short(used, wanted)
    assert ids_in(session.skill("deploy")) == short(wanted, used)
    session = Session(daemon, "s3")
    session.prompt("why is the certificate of staging refused?")
    session.prompt("/deploy")
    assert ids_in(session.skill("deploy")) == short(used, wanted)


# The skill has changed


@pytest.mark.parametrize(
    ("learned_with", "remark"),
    [(DEPLOY, False), (DEPLOY + "\nOn Fridays ask somebody.\n", False), (REWRITTEN, True), ("", False)],
    ids=["this text", "an edit ago", "a rewrite ago", "nobody knows"],
)
def test_a_lesson_of_an_earlier_version_says_so(daemon: Daemon, learned_with: str, remark: bool) -> None:
    """Only when the skill's text is another one by now."""
    with daemon.store(write=True) as store:
        keep(store, "wait for the lock", folder=daemon.folder, skill="deploy", skill_mark=mark(learned_with))
    file = put_skill(daemon.folder)
    daemon.start()
    for said in (Session(daemon, "s1").skill("deploy"), Session(daemon, "s2").reads(str(file))):
        assert (f"]{EARLIER}\n" in said) is remark
        assert "wait for the lock [" in said


# What holds everywhere


@pytest.fixture
def principles(daemon: Daemon) -> list[str]:
    """Seven, the last one learned again."""
    with daemon.store(write=True) as store:
        found = [keep(store, f"principle number {number}", project=GLOBAL) for number in range(6)]
        for _ in range(2):
            used = keep(store, "ask before force-pushing", project=GLOBAL)
        keep(store, "a rule for everybody", Kind.RULE, project=GLOBAL)
        return [*found, used]


def everywhere(said: str) -> list[str]:
    return ids_in(said.partition("Holds everywhere:\n")[2])


def test_the_first_skill_brings_what_holds_everywhere(daemon: Daemon, lesson: str, principles: list[str]) -> None:
    """W8: principles reach the model: five behind the skill's own lessons, in one block; the second brings none."""
    with daemon.store(write=True) as store:
        build = keep(store, "build lesson", folder=daemon.folder, skill="build")
    daemon.start()
    session = Session(daemon)
    first = session.skill("deploy")
    assert first.count("<skill-memory") == first.count("</skill-memory>") == 1
    assert ids_in(first)[0] == lesson[-6:]
    assert len(everywhere(first)) == 5
    assert set(everywhere(first)) <= set(short(*principles))
    assert everywhere(first)[0] == principles[-1][-6:]
    second = session.skill("build")
    assert ids_in(second) == short(build)
    assert "Holds everywhere" not in second


def test_they_come_also_where_a_skill_has_nothing_of_its_own(daemon: Daemon, principles: list[str]) -> None:
    """The block then says nothing about earlier uses."""
    daemon.start()
    said = Session(daemon).skill("deploy")
    assert said.startswith('<skill-memory skill="deploy">\nHolds everywhere:\n- ')
    assert "earlier uses" not in said


@pytest.mark.parametrize(
    "again",
    [
        lambda session: session.start("compact"),
        lambda session: session.start("clear"),
    ],
    ids=["compaction", "clearing"],
)
def test_a_new_window_is_a_new_beginning(daemon: Daemon, principles: list[str], again: Any) -> None:
    """What was said before is out of sight."""
    daemon.start()
    session = Session(daemon)
    first = everywhere(session.skill("deploy"))
    again(session)
    assert everywhere(session.skill("deploy")) == first


def test_each_agent_has_its_first_skill(daemon: Daemon, principles: list[str]) -> None:
    """A sub-agent has a window of its own."""
    daemon.start()
    assert everywhere(Session(daemon).skill("deploy"))
    assert everywhere(Session(daemon, agent="a1").skill("deploy"))
    assert not everywhere(Session(daemon, agent="a1").skill("deploy"))


def test_a_restart_does_not_make_a_skill_the_first(daemon: Daemon, lesson: str, principles: list[str]) -> None:
    """The showings are in the store."""
    daemon.start()
    assert everywhere(Session(daemon).skill("deploy"))
    daemon.settle()
    daemon.leave()
    with daemon.store(write=True) as store:
        keep(store, "build lesson", folder=daemon.folder, skill="build")
        shown = {one.memory for one in showings.of_session(store, "claude-code", "s1")}
        assert lesson in shown
        assert len(shown & set(principles)) == 5, "each of them counts as shown"
    daemon.start()
    said = Session(daemon).skill("build")
    assert "build lesson" in said
    assert not everywhere(said)


def test_reading_or_a_skill_that_is_off_is_not_the_first_use(
    daemon: Daemon, lesson: str, principles: list[str]
) -> None:
    """Neither brings what holds everywhere; the next skill does."""
    file = put_skill(daemon.folder)
    daemon.start()
    session = Session(daemon)
    assert ids_in(session.reads(str(file))) == short(lesson)
    put_skill(daemon.folder, "skill-memory: off")
    assert session.skill("deploy") == ""
    assert len(everywhere(session.skill("build"))) == 5


def test_lessons_of_an_earlier_tool_stand_beside_own_ones(daemon: Daemon) -> None:
    """From a file beside the user's skill; never from one inside the project, which is somebody's repository."""
    home = daemon.folder.parent
    mine = home / ".claude" / "skills" / "deploy"
    theirs = daemon.folder / ".claude" / "skills" / "review"
    for folder in (mine, theirs):
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text("---\nname: x\n---\nDo it.\n")
        (folder / "KNOWLEDGE.md").write_text(
            "# Lessons\n\n- [2026-01] [region] Give the region first  [HIT:3]\n- [placeholder] No lessons yet.\n"
        )
    with daemon.store(write=True) as store:
        keep(store, "There is a memory", folder=daemon.folder)
    daemon.start()
    session = Session(daemon, transcript=str(home / ".claude" / "projects" / "p" / "s1.jsonl"))
    block = session.skill("deploy")
    assert block.count("Give the region first [KNOWLEDGE.md]") == 1
    assert "placeholder" not in block
    assert "Give the region first" not in session.skill("review")
    daemon.settle()
    assert daemon.shown() == []
    with daemon.store(write=True) as store:
        keep(store, "Ask for the ticket", folder=daemon.folder, skill="deploy")
    later = Session(daemon, "s2", transcript=str(home / ".claude" / "projects" / "p" / "s2.jsonl")).skill("deploy")
    assert "Ask for the ticket" in later
    assert later.count("Give the region first") == 1
