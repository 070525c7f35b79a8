"""Which project a folder is, through the store: found again after every change, merged, renamed."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from hardwon.memories import Question, recall
from hardwon.memory import GLOBAL, Trust
from hardwon.project import Alias
from hardwon.store import changes, projects
from hardwon.store.connection import Store
from hardwon.store.log import exchange
from hardwon.store.maintenance import repair
from hardwon.store.projects import UnknownProject
from hardwon.store.tables import memories
from tests.commandline import Cli
from tests.support import contents, note, now, opened

HUB = "https://github.com/acme/app.git"
Git = Callable[..., None]


@pytest.fixture(autouse=True)
def surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No trace of the developer's own git."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")


@pytest.fixture
def git() -> Git:
    def run(folder: Path, *arguments: str) -> None:
        who = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.org", "-c", "init.defaultBranch=main"]
        subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)

    return run


@pytest.fixture
def app(tmp_path: Path) -> Path:
    folder = tmp_path / "work" / "app"
    folder.mkdir(parents=True)
    return folder


def claimed(store: Store, folder: Path) -> str:
    """The project of a folder; a second look must find the same one and write nothing."""
    _, project = projects.claim(store, folder, now())
    before = store.db.total_changes()
    assert projects.look_up(store, folder)[1] == project
    assert projects.claim(store, folder, now())[1] == project
    assert store.db.total_changes() == before, "nothing was left to write"
    return project.id


def kinds(store: Store, id: str) -> list[str]:
    return sorted(alias.kind for alias in projects.aliases_of(store, id))


# ── the same project ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_folder_stays_one_project_from_its_first_day(tmp_path: Path, app: Path, git: Git) -> None:
    """Noted in before it was a repository; initialised, committed, given a remote, moved: the memories are there."""
    with opened(tmp_path / "home") as store:
        id = claimed(store, app)
        note(store, "learned before git", project=id)
        assert kinds(store, id) == ["path"]

        git(app, "init")
        assert claimed(store, app) == id
        git(app, "commit", "--allow-empty", "-m", "begin")
        assert claimed(store, app) == id
        assert kinds(store, id) == ["git_dir", "path", "root_commit"]
        git(app, "remote", "add", "origin", HUB)
        assert claimed(store, app) == id
        assert Alias("remote", "github.com/acme/app") in projects.aliases_of(store, id)

        moved = app.with_name("application")
        app.rename(moved)
        assert claimed(store, moved) == id
        assert len(projects.listed(store)) == 1
        assert [memory.scope.project for memory, _ in contents(store).values()] == [id]


def test_a_folder_below_belongs_to_the_project_around_it(tmp_path: Path, app: Path) -> None:
    """A memory noted in a subfolder is found from the top, and from beside it."""
    with opened(tmp_path / "home") as store:
        id = claimed(store, app)
        for name in ("src", "docs"):
            (app / name).mkdir()
            assert claimed(store, app / name) == id


def test_clones_and_worktrees_join_by_their_remote(tmp_path: Path, app: Path, git: Git) -> None:
    """One project, wherever it is checked out."""
    git(app, "init")
    git(app, "commit", "--allow-empty", "-m", "begin")
    git(app, "remote", "add", "origin", HUB)
    clone = tmp_path / "elsewhere"
    shutil.copytree(app, clone)
    git(app, "worktree", "add", str(tmp_path / "tree"))
    with opened(tmp_path / "home") as store:
        assert claimed(store, app) == claimed(store, clone) == claimed(store, tmp_path / "tree")


def test_a_copy_without_a_remote_is_another_project_while_the_first_lives(tmp_path: Path, app: Path, git: Git) -> None:
    """A template copied is not the template moved: what was mixed up can't be told apart again."""
    git(app, "init")
    git(app, "commit", "--allow-empty", "-m", "begin")
    copy = tmp_path / "copy"
    shutil.copytree(app, copy)
    with opened(tmp_path / "home") as store:
        first = claimed(store, app)
        assert claimed(store, copy) != first
        assert claimed(store, app) == first


def test_folders_of_one_name_are_two_projects_with_two_names(tmp_path: Path) -> None:
    """The second is called after the folder it is in."""
    with opened(tmp_path / "home") as store:
        for parent in ("one", "two"):
            (tmp_path / parent / "app").mkdir(parents=True)
            claimed(store, tmp_path / parent / "app")
        assert [project.name for project in projects.listed(store)] == ["app", "two/app"]


def test_looking_writes_nothing(tmp_path: Path, app: Path) -> None:
    """An unknown folder stays unknown until something is kept there."""
    with opened(tmp_path / "home") as store:
        before = store.db.total_changes()
        place, project = projects.look_up(store, app)
        assert (place.root, project) == (str(app), None)
        assert store.db.total_changes() == before


# ── merge ────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Path]:
    for name in ("one", "two", "three"):
        (tmp_path / name).mkdir()
    return tmp_path / "one", tmp_path / "two"


def test_merging_moves_everything(tmp_path: Path, two: tuple[Path, Path]) -> None:
    """Memories, folders and sessions of the one belong to the other; it is recalled there, and notes go there."""
    with opened(tmp_path / "home") as store:
        one, other = claimed(store, two[0]), claimed(store, two[1])
        moved = note(store, "the flux capacitor needs plutonium", project=one)
        stays = note(store, "the dilithium is in the second drawer", project=other)
        projects.merge(store, "one", "two")

        assert claimed(store, two[0]) == claimed(store, two[1]) == other
        assert {id: memory.scope.project for id, (memory, _) in contents(store).items()} == {moved: other, stays: other}
        assert [project.name for project in projects.listed(store)] == ["two"]
        assert projects.named(store, "one").id == other, "its old name still leads there"
        found = recall(store, Question("flux capacitor plutonium", (other, GLOBAL)), now(), limit=3, budget=600)
        assert [item.ranked.memory.id for item in found.items] == [moved]

        again = note(store, "the flux capacitor needs plutonium", project=one)
        assert again == moved, "the same text in the same project is a hit"
        late = note(store, "noted by somebody who still says one", project=one)
        assert memories.by_ids(store, [late])[late].scope.project == other
        assert repair.differences(store) == []
        repair.rebuild(store)
        assert memories.by_ids(store, [moved])[moved].scope.project == other


def test_merges_can_follow_one_another(tmp_path: Path, two: tuple[Path, Path]) -> None:
    """one into two, two into three: all is in three, and a memory of one can still be changed and undone."""
    with opened(tmp_path / "home") as store:
        ids = [claimed(store, tmp_path / name) for name in ("one", "two", "three")]
        id = note(store, "kept from the beginning", project=ids[0])
        projects.merge(store, "one", "two")
        projects.merge(store, "two", "three")
        changes.edit(store, id, {"title": "still here"}, now())
        changes.undo(store, now())
        assert memories.by_ids(store, [id])[id].scope.project == ids[2]
        assert projects.canonical(store, ids[0]) == ids[2]
        for name in ("one", "two"):
            with pytest.raises(ValueError, match="one project already"):
                projects.merge(store, name, "three")
        assert repair.differences(store) == []


def test_a_merge_survives_export_and_import(tmp_path: Path, two: tuple[Path, Path]) -> None:
    """Another home learns of the project and of its merge."""
    with opened(tmp_path / "home") as store, opened(tmp_path / "other") as other:
        one, target = claimed(store, two[0]), claimed(store, two[1])
        id = note(store, "of the first project", project=one)
        projects.merge(store, "one", "two")
        exchange.merge(other, exchange.export(store), now(), Trust.USER)
        assert contents(other) == contents(store)
        assert [project.id for project in projects.listed(other)] == [target]
        assert memories.by_ids(other, [id])[id].scope.project == target


@pytest.mark.parametrize("yes", [[], ["--yes"]], ids=["asking", "with --yes"])
def test_what_cannot_be_merged_is_not_asked_about(cli: Cli, yes: list[str]) -> None:
    """A project with itself, or with one that nobody knows: that is said before anything else."""
    cli.run("note", "the flux capacitor needs plutonium")
    said = cli.run("project", "merge", "app", "app", *yes, code=1).stderr
    assert said == 'hardwon: "app" and "app" are one project already.\n'
    for names in (("app", "shop"), ("shop", "app")):
        assert 'No project is called "shop"' in cli.run("project", "merge", *names, *yes, code=1).stderr


def test_merging_on_the_command_line_is_followed_by_recall(cli: Cli, tmp_path: Path) -> None:
    """The command asks first; afterwards either folder brings back what both have learned."""
    other = tmp_path / "other"
    other.mkdir()
    cli.run("note", "the flux capacitor needs plutonium")
    cli.run("note", "the dilithium is in the second drawer", cwd=other)
    assert "--yes" in cli.run("project", "merge", "other", "app", code=1).stderr
    assert cli.json("project", "list")["total"] == 2
    cli.run("project", "merge", "other", "app", "--yes")
    for folder in (cli.folder, other):
        found = cli.json("recall", "where is the dilithium?", cwd=folder)
        assert [item["scope"]["project"] for item in found["items"]] == ["app"]
        assert cli.json("list", cwd=folder)["total"] == 2


# ── names ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_renamed_project_is_known_by_its_new_name(tmp_path: Path, app: Path) -> None:
    """Its folder and its memories stay; the old name is free for another."""
    with opened(tmp_path / "home") as store:
        id = claimed(store, app)
        assert projects.rename(store, "app", "  the   shop ").name == "the shop"
        assert projects.named(store, "the shop").id == claimed(store, app) == id
        with pytest.raises(UnknownProject):
            projects.named(store, "app")
        (tmp_path / "app").mkdir()
        claimed(store, tmp_path / "app")
        assert [project.name for project in projects.listed(store)] == ["app", "the shop"]


@pytest.mark.parametrize("name", ["", "   ", "*", "two"])
def test_a_name_that_cannot_be_is_refused(tmp_path: Path, two: tuple[Path, Path], name: str) -> None:
    """Nothing, the name of everywhere, the name of another project."""
    with opened(tmp_path / "home") as store:
        for folder in two:
            claimed(store, folder)
        with pytest.raises(ValueError, match=r"another|letters"):
            projects.rename(store, "one", name)
        assert [project.name for project in projects.listed(store)] == ["one", "two"]


def test_a_project_can_be_renamed_to_its_own_name(tmp_path: Path, app: Path) -> None:
    """Nothing happens, and nothing is wrong with it."""
    with opened(tmp_path / "home") as store:
        claimed(store, app)
        assert projects.rename(store, "app", "app").name == "app"


@pytest.mark.parametrize(
    ("asked", "suggested"), [("frontent", "frontend"), ("backen", "backend"), ("Frontend", "frontend")]
)
def test_an_unknown_name_is_answered_with_near_ones(tmp_path: Path, asked: str, suggested: str) -> None:
    """A typing error names what was probably meant first."""
    with opened(tmp_path / "home") as store:
        for name in ("frontend", "backend", "shop"):
            (tmp_path / name).mkdir()
            claimed(store, tmp_path / name)
        with pytest.raises(UnknownProject, match=f'No project is called "{asked}". The nearest: {suggested}'):
            projects.named(store, asked)


@pytest.mark.parametrize(
    "command",
    [
        ("note", "text", "--project", "ap"),
        ("list", "--project", "ap"),
        ("recall", "text", "--project", "ap"),
        ("project", "rename", "ap", "new"),
        ("project", "merge", "ap", "app", "--yes"),
    ],
    ids=" ".join,
)
def test_every_command_suggests_a_near_name(cli: Cli, command: tuple[str, ...]) -> None:
    """One sentence, exit status 1, nothing kept."""
    cli.run("note", "the first in this folder")
    said = cli.run(*command, code=1).stderr
    assert said.startswith('hardwon: No project is called "ap". Known ones: app.')
    assert cli.json("list", "--all")["total"] == 1


def test_names_that_are_not_near(tmp_path: Path) -> None:
    """A few of those that there are, and how many more."""
    with opened(tmp_path / "home") as store:
        for name in ("a1", "b2", "c3", "d4", "e5"):
            (tmp_path / name).mkdir()
            claimed(store, tmp_path / name)
        with pytest.raises(UnknownProject, match=r"Known ones: a1, b2, c3 and 2 more\."):
            projects.named(store, "something else")


def test_without_any_project_the_answer_says_so(tmp_path: Path) -> None:
    """There is nothing to suggest yet."""
    with opened(tmp_path / "home") as store, pytest.raises(UnknownProject, match="None is known yet"):
        projects.named(store, "app")
