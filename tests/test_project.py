"""Which project a folder belongs to: with real repositories, through describe and identify, as the store does it."""

import itertools
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from hardwon.project import (
    Alias,
    Known,
    Match,
    Place,
    describe,
    display_name,
    identify,
    locate,
    needs_root_commit,
    normalise_remote,
    relative_file,
)

HUB = "https://github.com/acme/app.git"
OTHER = "https://github.com/acme/other.git"
Git = Callable[..., str]


class Projects:
    """What the store keeps: a name for each set of aliases, and who owns which."""

    def __init__(self) -> None:
        self.rows: dict[str, set[Alias]] = {}

    def find(self, place: Place) -> list[Known]:
        asked = {*place.aliases, *(Alias("path", parent) for parent in place.parents)}
        return [Known(id, frozenset(aliases)) for id, aliases in self.rows.items() if aliases & asked]

    def visit(self, folder: Path) -> str:
        _, match = locate(folder, self.find)
        for alias in match.move:
            next(aliases for id, aliases in self.rows.items() if alias in aliases and id != match.project).remove(alias)
        id = match.project or f"project {len(self.rows) + 1}"
        self.rows.setdefault(id, set()).update(match.add, match.move)
        self.check()
        assert locate(folder, self.find)[1] == Match(id, (), ()), "a second look must find it, with nothing to write"
        return id

    def check(self) -> None:
        for one, other in itertools.combinations(self.rows.values(), 2):
            assert all(alias.kind == "root_commit" for alias in one & other), "only a root commit may be shared"


@pytest.fixture(autouse=True)
def surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A home of its own, and no trace of the developer's git."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "Somebody")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "somebody@example.org")


@pytest.fixture
def projects() -> Projects:
    return Projects()


@pytest.fixture
def git() -> Git:
    def run(folder: Path, *arguments: str) -> str:
        command = ["git", "-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always", *arguments]
        return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout.strip()

    return run


@pytest.fixture
def make(git: Git, tmp_path: Path) -> Callable[..., Path]:
    """A repository with one commit of its own, and a remote if wanted."""

    def repository(where: str, remote: str = "") -> Path:
        folder = tmp_path / where
        folder.mkdir(parents=True)
        git(folder, "init", "-q")
        git(folder, "commit", "-q", "--allow-empty", "-m", f"first of {where}")
        if remote:
            git(folder, "remote", "add", "origin", remote)
        return folder

    return repository


Make = Callable[..., Path]


# ── a folder over time ───────────────────────────────────────────────────────────────────────────────────────────────


def test_a_folder_stays_itself_while_it_becomes_a_repository(projects: Projects, git: Git, tmp_path: Path) -> None:
    """Initialised, committed, amended, pushed to a folder and then to a host: the same project at every step."""
    app, bare = tmp_path / "app", tmp_path / "app.git"
    app.mkdir()
    first = projects.visit(app)
    steps: list[tuple[str, ...]] = [
        ("init", "-q"),
        ("commit", "-q", "--allow-empty", "-m", "first"),
        ("commit", "-q", "--amend", "--allow-empty", "-m", "the first commit is another one now"),
        ("init", "-q", "--bare", str(bare)),
        ("remote", "add", "origin", str(bare)),
        ("push", "-q", "-u", "origin", "HEAD"),
        ("remote", "set-url", "origin", HUB),
    ]
    for step in steps:
        git(app, *step)
        assert projects.visit(app) == first, step
    assert len(projects.rows) == 1
    assert Alias("remote", "github.com/acme/app") in projects.rows[first]


def test_a_first_commit_amended_unseen_and_then_pushed_is_the_same(projects: Projects, git: Git, make: Make) -> None:
    """Between two sessions anything may happen to a young repository; the git dir says it is the same one."""
    app = make("app")
    first = projects.visit(app)
    git(app, "commit", "-q", "--amend", "--allow-empty", "-m", "better words")
    git(app, "remote", "add", "origin", HUB)
    assert projects.visit(app) == first


def test_a_repository_without_a_remote_survives_a_move(projects: Projects, make: Make, tmp_path: Path) -> None:
    """Its first commit is what a moved or renamed repository can be known by."""
    app = make("app")
    first = projects.visit(app)
    (tmp_path / "elsewhere").mkdir()
    moved = app.rename(tmp_path / "elsewhere" / "renamed")
    assert projects.visit(moved) == first
    assert projects.visit(moved.rename(tmp_path / "again")) == first


def test_a_repository_moved_and_then_pushed_is_the_same(
    projects: Projects, make: Make, git: Git, tmp_path: Path
) -> None:
    """Both at once between two sessions: the first commit joins, for the project never had a remote."""
    first = projects.visit(make("app"))
    moved = (tmp_path / "app").rename(tmp_path / "new")
    git(moved, "remote", "add", "origin", HUB)
    assert projects.visit(moved) == first


def test_a_repository_with_a_remote_survives_a_move(projects: Projects, make: Make, tmp_path: Path) -> None:
    """The remote is enough, wherever the folder lies."""
    app = make("app", HUB)
    first = projects.visit(app)
    assert projects.visit(app.rename(tmp_path / "renamed")) == first


def test_a_folder_without_git_does_not_survive_a_move(projects: Projects, tmp_path: Path) -> None:
    """Nothing is left to know it by; the user merges the two."""
    notes = tmp_path / "notes"
    notes.mkdir()
    first = projects.visit(notes)
    assert projects.visit(notes.rename(tmp_path / "moved")) != first


def test_a_changed_remote_is_the_same_project(projects: Projects, make: Make, git: Git) -> None:
    """A repository that was renamed or moved to another host keeps its history, and both remotes lead to it."""
    app = make("app", HUB)
    first = projects.visit(app)
    git(app, "remote", "set-url", "origin", OTHER)
    assert projects.visit(app) == first
    assert {"github.com/acme/app", "github.com/acme/other"} <= {alias.value for alias in projects.rows[first]}


def test_a_changed_remote_of_a_shallow_clone_is_the_same_project(
    projects: Projects, make: Make, git: Git, tmp_path: Path
) -> None:
    """Where no first commit can be read, the same git dir has to be enough."""
    source = make("source")
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{source}", "app")
    git(tmp_path / "app", "remote", "set-url", "origin", HUB)
    first = projects.visit(tmp_path / "app")
    git(tmp_path / "app", "remote", "set-url", "origin", OTHER)
    assert projects.visit(tmp_path / "app") == first


def test_a_removed_git_folder_leaves_the_path(projects: Projects, make: Make) -> None:
    """Who deletes .git still works on the same thing."""
    app = make("app", HUB)
    first = projects.visit(app)
    shutil.rmtree(app / ".git")
    assert projects.visit(app) == first


# ── many folders, one project ────────────────────────────────────────────────────────────────────────────────────────


def test_clones_of_one_remote_are_one_project(projects: Projects, make: Make) -> None:
    """Two folders, one remote, whatever way it is spelled and however they are called."""
    first = projects.visit(make("work/app", HUB))
    assert projects.visit(make("play/app-again", "git@github.com:acme/app.git")) == first
    assert projects.visit(make("third", "ssh://git@ssh.github.com:443/Acme/App")) == first


def test_a_shallow_clone_joins_by_its_remote(projects: Projects, make: Make, git: Git, tmp_path: Path) -> None:
    """It has no first commit to be known by, and git says none rather than a wrong one."""
    source = make("source")
    git(source, "commit", "-q", "--allow-empty", "-m", "second")
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{source}", "shallow")
    assert not describe(tmp_path / "shallow", with_root_commit=True).of("root_commit")
    assert projects.visit(tmp_path / "shallow") == projects.visit(source)


@pytest.mark.parametrize("clone_first", [False, True])
@pytest.mark.parametrize("remote", ["", HUB])
def test_a_clone_of_a_folder_joins_that_folder(
    projects: Projects, make: Make, git: Git, tmp_path: Path, clone_first: bool, remote: str
) -> None:
    """`git clone ../a b` is the same project as a, whichever is seen first and whether a has a remote or not."""
    source = make("a", remote)
    git(tmp_path, "clone", "-q", "a", "b")
    folders = [tmp_path / "b", source] if clone_first else [source, tmp_path / "b"]
    assert len({projects.visit(folder) for folder in folders}) == 1


def test_a_clone_of_a_clone_belongs_to_the_remote_of_the_first(
    projects: Projects, make: Make, git: Git, tmp_path: Path
) -> None:
    """A sandbox cloned from a work tree is the project of the host, even if that work tree was never visited."""
    first = projects.visit(make("elsewhere", HUB))
    make("a", HUB)
    git(tmp_path, "clone", "-q", "a", "b")
    git(tmp_path, "clone", "-q", "b/.git", "c")
    assert projects.visit(tmp_path / "c") == first
    assert describe(tmp_path / "c").name == "app"


def test_a_clone_of_a_folder_known_before_it_was_a_repository(
    projects: Projects, git: Git, tmp_path: Path, make: Make
) -> None:
    """The store has only a path of it then, and that is enough."""
    (tmp_path / "a").mkdir()
    first = projects.visit(tmp_path / "a")
    git(tmp_path / "a", "init", "-q")
    git(tmp_path / "a", "commit", "-q", "--allow-empty", "-m", "first")
    git(tmp_path, "clone", "-q", "a", "b")
    assert projects.visit(tmp_path / "b") == first


def test_a_clone_into_a_known_folder_joins_where_it_came_from(
    projects: Projects, make: Make, git: Git, tmp_path: Path
) -> None:
    """What was cloned says more than what the folder was before."""
    first = projects.visit(make("a"))
    (tmp_path / "b").mkdir()
    assert projects.visit(tmp_path / "b") != first
    git(tmp_path, "clone", "-q", "a", "b")
    assert projects.visit(tmp_path / "b") == first


def test_a_clone_in_the_place_of_a_known_repository_joins_where_it_came_from(
    projects: Projects, make: Make, git: Git, tmp_path: Path
) -> None:
    """The old one had no remote and the git dir has the same path, but the history is that of the origin."""
    first, other = projects.visit(make("a")), projects.visit(make("b"))
    shutil.rmtree(tmp_path / "b")
    git(tmp_path, "clone", "-q", "a", "b")
    assert projects.visit(tmp_path / "b") == first != other


def test_a_remote_that_is_a_foreign_folder_does_not_take_the_project_away(
    projects: Projects, make: Make, git: Git
) -> None:
    """Somebody adds an unrelated repository as a remote: the own history stays where it was."""
    make("a")
    own = make("b")
    first = projects.visit(own)
    projects.visit(own.with_name("a"))
    git(own, "remote", "add", "origin", "../a")
    assert projects.visit(own) == first


def test_a_clone_of_a_folder_that_is_gone_joins_what_was_there(
    projects: Projects, make: Make, git: Git, tmp_path: Path
) -> None:
    """Its only remote leads to a path of the project: that is no other remote, even if the project also has one."""
    source = make("a", HUB)
    first = projects.visit(source)
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{source}", "b")
    shutil.rmtree(source)
    assert projects.visit(tmp_path / "b") == first


def test_the_origin_of_a_clone_may_change_after_it(projects: Projects, make: Make, git: Git, tmp_path: Path) -> None:
    """It gets a remote and another first commit: the clone still says that it came from here."""
    source = make("a")
    git(tmp_path, "clone", "-q", "a", "b")
    first = projects.visit(tmp_path / "b")
    git(source, "commit", "-q", "--amend", "--allow-empty", "-m", "better words")
    git(source, "remote", "add", "origin", HUB)
    assert projects.visit(source) == first


def test_a_remote_with_a_relative_path_starts_at_the_work_tree(projects: Projects, make: Make, git: Git) -> None:
    """git reads such a path from the top of the work tree, not from the current folder."""
    source, clone = make("a"), make("b", "../a")
    (clone / "deep").mkdir()
    assert Alias("remote", f"file:{source}") in describe(clone / "deep").aliases


def test_two_that_name_each_other_as_remote_do_not_go_in_circles(projects: Projects, make: Make) -> None:
    """A remote is only text; following it must end."""
    a, b = make("a", "../b"), make("b", "../a")
    assert projects.visit(a) == projects.visit(b)


def test_what_was_pushed_and_cloned_elsewhere_joins_by_history(projects: Projects, make: Make, git: Git) -> None:
    """The clone is seen first, the folder it came from had no remote when it was seen: one history, one project."""
    app = make("app")
    first = projects.visit(app)
    git(app, "remote", "add", "origin", HUB)
    shutil.copytree(app, app.with_name("clone"))
    assert projects.visit(app.with_name("clone")) == first
    assert projects.visit(app) == first


def test_work_trees_share_a_project(projects: Projects, make: Make, git: Git, tmp_path: Path) -> None:
    """With or without a remote, from any folder inside; and the session that removes its own work tree ends in it."""
    app = make("app")
    first = projects.visit(app)
    tree = tmp_path / "trees" / "fix"
    git(app, "worktree", "add", "-q", str(tree))
    (tree / "src").mkdir()
    assert projects.visit(tree / "src") == first
    assert describe(tree).root == str(tree)
    assert describe(tree).name == "app"
    git(app, "worktree", "remove", "--force", str(tree))
    assert projects.visit(tree / "src") == first


def test_a_work_tree_seen_before_the_main_one(projects: Projects, make: Make, git: Git, tmp_path: Path) -> None:
    """The order in which folders are visited does not matter."""
    app = make("app")
    git(app, "worktree", "add", "-q", str(tmp_path / "tree"))
    assert projects.visit(tmp_path / "tree") == projects.visit(app)


def test_work_trees_of_a_bare_repository(projects: Projects, make: Make, git: Git, tmp_path: Path) -> None:
    """`app/.bare` with work trees beside it is called app."""
    make("source")
    git(tmp_path, "clone", "-q", "--bare", "source", "app/.bare")
    git(tmp_path / "app/.bare", "remote", "remove", "origin")
    for name in ("one", "two"):
        git(tmp_path / "app/.bare", "worktree", "add", "-q", str(tmp_path / "app" / name))
    places = [tmp_path / "app/one", tmp_path / "app/two", tmp_path / "app/.bare", tmp_path / "app/.bare/refs"]
    assert len({projects.visit(place) for place in places}) == 1
    assert {describe(place).name for place in places} == {"app"}


def test_a_subfolder_belongs_to_the_repository(projects: Projects, make: Make) -> None:
    """A package of a monorepo is the project of the top, and so is the folder of git itself."""
    app = make("mono")
    (app / "packages/ui").mkdir(parents=True)
    first = projects.visit(app)
    assert projects.visit(app / "packages/ui") == first
    assert projects.visit(app / ".git/refs") == first
    assert describe(app / "packages/ui").root == describe(app / ".git/refs").root == str(app)


def test_a_deleted_subfolder_belongs_to_the_repository(projects: Projects, make: Make) -> None:
    """An agent may delete the folder it stands in."""
    app = make("app")
    assert projects.visit(app / "gone/deeper") == projects.visit(app)


def test_a_symlink_is_the_folder_it_leads_to(projects: Projects, make: Make, tmp_path: Path) -> None:
    """One folder, two ways to it."""
    app = make("real/app")
    (tmp_path / "link").symlink_to(app)
    assert projects.visit(tmp_path / "link") == projects.visit(app)
    assert describe(tmp_path / "link").root == str(app)


def test_a_subfolder_of_a_folder_without_git_belongs_to_it(projects: Projects, tmp_path: Path) -> None:
    """The nearest known folder above counts, and the path of the subfolder is not written down."""
    (tmp_path / "notes/2024/may").mkdir(parents=True)
    notes = projects.visit(tmp_path / "notes")
    assert projects.visit(tmp_path / "notes/2024") == notes
    assert projects.visit(tmp_path / "notes/2024/may") == notes
    assert projects.rows == {notes: {Alias("path", str(tmp_path / "notes"))}}


def test_a_subfolder_known_before_its_parent_stays_itself(projects: Projects, tmp_path: Path) -> None:
    """What has been a project is not swallowed later."""
    (tmp_path / "notes/2024").mkdir(parents=True)
    inner = projects.visit(tmp_path / "notes/2024")
    assert projects.visit(tmp_path / "notes") != inner
    assert projects.visit(tmp_path / "notes/2024") == inner


# ── things that look alike ───────────────────────────────────────────────────────────────────────────────────────────


def test_two_folders_of_one_name_are_two_projects(projects: Projects, make: Make, tmp_path: Path) -> None:
    """With git, without, and mixed."""
    folders = [make("a/app"), make("b/app"), tmp_path / "c/app", tmp_path / "d/app"]
    for folder in folders[2:]:
        folder.mkdir(parents=True)
    assert len({projects.visit(folder) for folder in folders}) == 4


def test_a_fork_is_another_project(projects: Projects, make: Make, git: Git) -> None:
    """The same history under another remote; both stay what they are when seen again."""
    app = make("app", HUB)
    fork = app.with_name("fork")
    shutil.copytree(app, fork)
    git(fork, "remote", "set-url", "origin", "https://github.com/somebody/app.git")
    git(fork, "remote", "add", "upstream", HUB)
    assert projects.visit(app) != projects.visit(fork)
    assert projects.visit(app) != projects.visit(fork)


def test_two_projects_of_one_template_are_two(projects: Projects, make: Make, git: Git, tmp_path: Path) -> None:
    """Cloned with its history and given other remotes, or none yet."""
    template = make("template")
    for name in ("one", "two", "three", "four"):
        git(tmp_path, "clone", "-q", str(template), name)
        git(tmp_path / name, "remote", "remove", "origin")
    git(tmp_path / "three", "remote", "add", "origin", HUB)
    git(tmp_path / "four", "remote", "add", "origin", OTHER)
    shutil.rmtree(template)
    for count, name in enumerate(("one", "three", "two", "four"), start=1):
        projects.visit(tmp_path / name)
        assert len(projects.rows) == count


def test_a_moved_one_of_two_copies_is_not_guessed(projects: Projects, make: Make, tmp_path: Path) -> None:
    """Two projects with one history are gone from where they were: a third folder could be either."""
    app = make("app")
    shutil.copytree(app, tmp_path / "copy")
    known = {projects.visit(app), projects.visit(tmp_path / "copy")}
    shutil.copytree(app, tmp_path / "third")
    shutil.rmtree(app)
    shutil.rmtree(tmp_path / "copy")
    assert len(known) == 2
    assert projects.visit(tmp_path / "third") not in known


def test_a_submodule_is_its_own_project(projects: Projects, make: Make, git: Git) -> None:
    """It has its own remote and its own git dir inside the one around it."""
    library, app = make("library"), make("app")
    git(app, "submodule", "--quiet", "add", str(library), "vendor/library")
    assert projects.visit(app) != projects.visit(app / "vendor/library")
    assert projects.visit(app / "vendor/library") == projects.visit(library)
    assert describe(app / "vendor/library").root == str(app / "vendor/library")


def test_a_repository_inside_another_is_its_own_project(projects: Projects, make: Make) -> None:
    """The nearest .git counts."""
    assert projects.visit(make("app")) != projects.visit(make("app/inner"))


@pytest.mark.parametrize(("before", "after"), [(HUB, OTHER), (HUB, ""), (HUB, "../source")])
def test_a_path_reused_by_another_repository(
    projects: Projects, make: Make, tmp_path: Path, before: str, after: str
) -> None:
    """Another history under another remote, or under none: a new project, and the path leads to it from now on."""
    make("source")
    old = projects.visit(make("app", before))
    shutil.rmtree(tmp_path / "app")
    new = projects.visit(make("./app", after))
    assert new != old
    assert Alias("path", str(tmp_path / "app")) in projects.rows[new]
    assert Alias("remote", "github.com/acme/app") in projects.rows[old]
    shutil.rmtree(tmp_path / "app")
    (tmp_path / "app").mkdir()
    assert projects.visit(tmp_path / "app") == new


def test_a_path_reused_by_a_clone_of_a_known_project(projects: Projects, make: Make, tmp_path: Path) -> None:
    """The remote is stronger than the path, which changes hands."""
    old, other = projects.visit(make("app", HUB)), projects.visit(make("other", OTHER))
    shutil.rmtree(tmp_path / "app")
    assert projects.visit(make("./app", OTHER)) == other
    assert Alias("path", str(tmp_path / "app")) not in projects.rows[old]


def test_a_work_tree_path_reused_by_another_repository(
    projects: Projects, make: Make, git: Git, tmp_path: Path
) -> None:
    """Tools give work trees the same few names again and again, also for repositories without a remote."""
    tree = str(tmp_path / "tree")
    seen = []
    for app in (make("app"), make("other")):
        git(app, "worktree", "add", "-q", tree)
        seen.append(projects.visit(tmp_path / "tree"))
        git(app, "worktree", "remove", tree)
    assert seen[0] != seen[1]
    assert seen == [projects.visit(tmp_path / "app"), projects.visit(tmp_path / "other")]


def test_a_clone_of_what_replaced_a_known_repository(projects: Projects, make: Make, git: Git, tmp_path: Path) -> None:
    """The path of the origin is known, but what lies there is another repository: its project is not this one."""
    old = projects.visit(make("a", HUB))
    shutil.rmtree(tmp_path / "a")
    make("./a", OTHER)
    git(tmp_path, "clone", "-q", "a", "b")
    new = projects.visit(tmp_path / "b")
    assert new != old
    assert projects.visit(tmp_path / "a") == new


def test_home_and_temporary_folders_are_nobodys_parent(projects: Projects, tmp_path: Path) -> None:
    """One may work in the home folder, but what lies below is not part of that."""
    home = tmp_path / "home"
    (home / "notes").mkdir()
    assert describe(home).name == "~"
    assert describe(home).parents == describe("/").parents == ()
    assert projects.visit(home) != projects.visit(home / "notes")
    assert projects.visit(Path("/")) not in {projects.visit(home), projects.visit(tmp_path)}
    assert describe(home / "notes").parents == ()


def test_parents_end_below_what_holds_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the temporary folder, nor what contains it or the home folder."""
    monkeypatch.setenv("TMPDIR", str(tmp_path / "scratch"))
    inside, beside = tmp_path / "scratch/a/b", tmp_path / "beside/b"
    assert describe(inside).parents == (str(tmp_path / "scratch/a"),)
    assert describe(beside).parents == (str(tmp_path / "beside"),)


# ── odd file systems ─────────────────────────────────────────────────────────────────────────────────────────────────


def path_only(folder: Path) -> Place:
    place = describe(folder)
    assert (place.is_git, place.aliases) == (False, (Alias("path", place.root),))
    return place


def test_a_git_file_that_leads_nowhere_falls_back_to_the_path(
    projects: Projects, make: Make, git: Git, tmp_path: Path
) -> None:
    """The main work tree was moved away; a known work tree is still known by its path, from any folder inside."""
    app = make("app")
    git(app, "worktree", "add", "-q", str(tmp_path / "tree"))
    (tmp_path / "tree/src").mkdir()
    first = projects.visit(tmp_path / "tree")
    app.rename(tmp_path / "moved")
    assert path_only(tmp_path / "tree/src").root == str(tmp_path / "tree")
    assert projects.visit(tmp_path / "tree/src") == first


@pytest.mark.parametrize("content", ["", "gitdir: nowhere", "gitdir:", "nonsense", "gitdir: ../tree\0", "\xff"])
def test_a_broken_git_file_falls_back_to_the_path(tmp_path: Path, content: str) -> None:
    """Whatever it says."""
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree/.git").write_text(content, encoding="latin-1")
    path_only(tmp_path / "tree")


def test_a_git_folder_that_is_none_is_passed_over(make: Make, tmp_path: Path) -> None:
    """As git does: an empty .git hides nothing."""
    app = make("app")
    (app / "sub/.git").mkdir(parents=True)
    assert describe(app / "sub").root == str(app)


def test_a_pipe_does_not_make_us_wait(make: Make) -> None:
    """A file that never ends, where the configuration should be."""
    app = make("app", HUB)
    (app / ".git/config").unlink()
    os.mkfifo(app / ".git/config")
    assert not describe(app).of("remote")


@contextmanager
def somebody_else() -> Iterator[None]:
    """A user without the rights of root, for whom a closed folder is closed."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def open_to_all(tmp_path: Path) -> Iterator[None]:
    """pytest closes its folders to other users; opened for one test, when there is another user."""
    modes = {folder: folder.stat().st_mode for folder in (tmp_path, *tmp_path.parents)} if os.geteuid() == 0 else {}
    closed = {folder: mode for folder, mode in modes.items() if not mode & 0o005}
    for folder, mode in closed.items():
        folder.chmod(mode | 0o055)
    yield
    for folder, mode in closed.items():
        folder.chmod(mode)


@pytest.mark.parametrize("closed", [".git", ".git/config", ".git/HEAD", "."])
def test_what_may_not_be_read_is_as_if_it_were_not_there(
    make: Make, tmp_path: Path, open_to_all: None, closed: str
) -> None:
    """No error, and a place that leads back to the same path."""
    app = make("app", HUB)
    (app / closed).chmod(0)
    try:
        with somebody_else():
            place = describe(app / "src")
            seen = describe(app)
            assert identify(seen, [Known("app", frozenset(seen.aliases))]) == Match("app", (), ())
    finally:
        (app / closed).chmod(0o755)
    assert place.root == str(app / "src" if closed == "." else app)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_repository_of_another_user_has_a_history_all_the_same(
    projects: Projects, make: Make, git: Git, tmp_path: Path
) -> None:
    """git itself refuses here; a container with a mounted folder is the usual case."""
    app = make("app")
    for path in (app, *app.rglob("*")):
        os.chown(path, 12345, 12345)
    with pytest.raises(subprocess.CalledProcessError):
        git(app, "rev-list", "HEAD")
    first = projects.visit(app)
    assert projects.visit(app.rename(tmp_path / "moved")) == first


def test_a_deleted_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Absolute or relative, existing or not: there is always an answer."""
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    monkeypatch.setenv("PWD", str(gone))
    gone.rmdir()
    assert describe(".").root == describe(gone).root == str(gone)
    assert relative_file("a.py", str(gone), str(gone)) == "a.py"


def test_names_with_blanks_and_letters_of_all_kinds(projects: Projects, make: Make, git: Git, tmp_path: Path) -> None:
    """Paths are only text, and git writes them with quotes and escapes."""
    source = make('mein "Projekt" #1; 项目 ü')
    git(tmp_path, "clone", "-q", str(source), "ein Klon \\ mit Strich")
    assert projects.visit(tmp_path / "ein Klon \\ mit Strich") == projects.visit(source)
    assert describe(source).name == 'mein "Projekt" #1; 项目 ü'


@pytest.mark.parametrize("odd", [b"caf\xe9", b"two\nlines", b"x" * 255])
def test_every_value_can_be_stored(tmp_path: Path, odd: bytes) -> None:
    """A name that is no UTF-8 must not break the database, nor a line end the display."""
    folder = tmp_path / os.fsdecode(odd)
    try:
        folder.mkdir()
    except OSError:
        pytest.skip("this file system has no such names")
    place = describe(folder)
    for text in (place.root, place.name, *(alias.value for alias in place.aliases), *place.parents):
        text.encode("utf-8")
    assert place.name.isprintable()


def test_a_path_that_no_system_has(tmp_path: Path) -> None:
    """A zero byte, a name without end, a loop of symlinks, a file instead of a folder."""
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "file").touch()
    for odd in ("nul\0byte", "x" * 5000, "loop/inside", "file/inside"):
        assert not describe(tmp_path / odd).is_git
        relative_file(odd, str(tmp_path), str(tmp_path))


# ── what a place is called ───────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("folder", "remote", "name"),
    [
        ("app", "", "app"),
        ("checkout-7", "https://github.com/acme/Great-App.git", "Great-App"),
        ("x", "https://token@Git.example.org/team/git.git/", "git"),
        ("x", "/srv/git/tool.git", "tool"),
        ("x", "ssh://host/~me/My%20Tool.git", "My Tool"),
        (".config", "", ".config"),
    ],
)
def test_the_name_is_the_last_part_of_the_remote_or_the_folder(make: Make, folder: str, remote: str, name: str) -> None:
    """What a person would call it, in their spelling."""
    assert describe(make(folder, remote)).name == name


def test_aliases_come_strongest_first(make: Make) -> None:
    """Remote, git dir, root commit, path; the root commit only when asked for, because it may cost a process."""
    app = make("app", HUB)
    assert [alias.kind for alias in describe(app).aliases] == ["remote", "git_dir", "path"]
    asked = describe(app, with_root_commit=True)
    assert [alias.kind for alias in asked.aliases] == ["remote", "git_dir", "root_commit", "path"]
    alone = make("alone")
    assert [alias.kind for alias in describe(alone).aliases] == ["git_dir", "root_commit", "path"]
    assert [alias.kind for alias in describe(alone, with_root_commit=False).aliases] == ["git_dir", "path"]


def test_a_known_repository_with_a_remote_needs_no_process(
    projects: Projects, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first look may start git; every later one finds a settled project in files alone."""
    app = make("app", HUB)
    first = projects.visit(app)
    monkeypatch.setenv("PATH", "")
    place = describe(app)
    assert not needs_root_commit(place, projects.find(place))
    assert identify(place, projects.find(place)) == Match(first, (), ())


# ── the decision itself ──────────────────────────────────────────────────────────────────────────────────────────────


def place_of(*aliases: Alias, root: str = "/app", is_git: bool = True, parents: Sequence[str] = ()) -> Place:
    return Place(root, "app", is_git, (*aliases, Alias("path", root)), tuple(parents))


REMOTE, SECOND = Alias("remote", "h/app"), Alias("remote", "h/second")
DIR, COMMIT, REWRITTEN = Alias("git_dir", "/app/.git"), Alias("root_commit", "a" * 40), Alias("root_commit", "b" * 40)
PATH = Alias("path", "/app")


@pytest.mark.parametrize(
    ("place", "theirs", "alive", "expected"),
    [
        (place_of(DIR), {DIR}, True, "known"),
        (place_of(REMOTE, DIR), {REMOTE}, True, "known"),
        (place_of(REMOTE, DIR, COMMIT), {SECOND, DIR, COMMIT, PATH}, True, "known"),
        (place_of(REMOTE, DIR, COMMIT), {SECOND, DIR, REWRITTEN, PATH}, True, None),
        (place_of(REMOTE, DIR), {SECOND, DIR, REWRITTEN, PATH}, True, "known"),
        (place_of(REMOTE, DIR), {SECOND, PATH}, True, None),
        (place_of(REMOTE, DIR, COMMIT), {DIR, REWRITTEN, PATH}, True, "known"),
        (place_of(DIR, COMMIT), {DIR, REWRITTEN, PATH}, True, "known"),
        (place_of(DIR, COMMIT), {SECOND, DIR, REWRITTEN, PATH}, True, None),
        (place_of(REMOTE, COMMIT), {SECOND, COMMIT}, False, None),
        (place_of(REMOTE, COMMIT), {COMMIT}, False, "known"),
        (place_of(REMOTE, COMMIT), {COMMIT}, True, None),
        (place_of(COMMIT), {REMOTE, COMMIT}, True, "known"),
        (place_of(COMMIT), {COMMIT}, False, "known"),
        (place_of(COMMIT), {COMMIT}, True, None),
        (place_of(is_git=False), {PATH, DIR, REMOTE}, True, "known"),
        (place_of(is_git=False, root="/app/sub", parents=["/app"]), {PATH}, False, "known"),
    ],
)
def test_the_rules(place: Place, theirs: set[Alias], alive: bool, expected: str | None) -> None:
    """Each rule with the least that makes it apply."""
    assert identify(place, [Known("known", frozenset(theirs), alive)]).project == expected


def test_the_order_of_known_projects_does_not_matter() -> None:
    """A store returns rows in any order; every order gives one answer."""
    place = place_of(REMOTE, DIR, COMMIT)
    known = [
        Known("by remote", frozenset({REMOTE})),
        Known("by folder", frozenset({DIR, PATH})),
        Known("by history", frozenset({COMMIT})),
        Known("by remote too, which a store should not have", frozenset({REMOTE})),
    ]
    answers = {identify(place, order) for order in itertools.permutations(known)}
    assert answers == {Match("by remote", add=(COMMIT,), move=(DIR, PATH))}


def test_only_the_own_folder_changes_hands() -> None:
    """The folder a clone came from may belong to another project, and stays with it."""
    origin = (Alias("git_dir", "/a/.git"), Alias("path", "/a"))
    place = place_of(REMOTE, Alias("remote", "file:/a"), DIR, *origin)
    known = [Known("app", frozenset({REMOTE})), Known("a", frozenset(origin)), Known("old", frozenset({PATH}))]
    assert identify(place, known) == Match("app", add=(Alias("remote", "file:/a"), DIR), move=(PATH,))


def test_where_it_came_from_counts_before_where_it_is() -> None:
    """Without a history to compare, as in a shallow clone."""
    origin = Alias("git_dir", "/a/.git")
    known = [Known("app", frozenset({DIR, PATH})), Known("origin", frozenset({origin}))]
    assert identify(place_of(Alias("remote", "file:/a"), DIR, origin), known).project == "origin"


def test_a_new_project_learns_everything() -> None:
    """Nothing known: all aliases are added, none is taken from anybody."""
    place = place_of(REMOTE, DIR, COMMIT)
    assert identify(place, []) == Match(None, add=place.aliases, move=())


# ── remotes ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/acme/app",
        "https://github.com/acme/app.git",
        "https://github.com/acme/app.git/",
        "https://github.com/acme//app/",
        "HTTPS://GitHub.com:443/Acme/App.git",
        "http://github.com:80/acme/app",
        "https://user@github.com/acme/app.git",
        "https://user:secret@github.com/acme/app.git",
        "https://x-access-token:ghs_secret@github.com/acme/app",
        "https://user:sec/ret@github.com/acme/app",
        "https://user:sec#ret?@github.com/acme/app",
        "https://user:sec@ret@github.com/acme/app",
        "https://github.com/acme/app?private_token=secret",
        "https://www.github.com/acme/app",
        "git://github.com/acme/app.git",
        "git://github.com:9418/acme/app.git",
        "ssh://git@github.com/acme/app.git",
        "ssh://git@github.com:22/acme/app.git",
        "ssh://git@ssh.github.com:443/acme/app.git",
        "git+ssh://git@github.com/acme/app.git",
        "ssh+git://git@github.com/acme/app.git",
        "ssh://git@github.com:acme/app.git",
        "git@github.com:acme/app.git",
        "git@github.com:/acme/app.git/",
        "github.com:acme/app",
        "user:secret@github.com:acme/app",
        "user:secret@github.com/acme/app",
        "user:sec@ret@github.com:acme/app",
        "  git@github.com.:acme/app.git\n",
    ],
)
def test_one_remote_has_one_value(url: str) -> None:
    """Whatever the scheme, the user, the password, the port, the case and the tail; and no secret survives."""
    assert normalise_remote(url) == "github.com/acme/app"


@pytest.mark.parametrize(
    ("url", "value"),
    [
        ("https://git.example.org:8443/Team/App.git", "git.example.org:8443/Team/App"),
        ("ssh://git@git.example.org:2222/team/app", "git.example.org:2222/team/app"),
        ("https://git.example.org/deep/er/app", "git.example.org/deep/er/app"),
        ("ssh://me@host/~me/app.git", "host/~me/app"),
        ("host:~/app.git", "host/~/app"),
        ("git@host:@scope/app", "host/@scope/app"),
        ("https://dev.azure.com/org/My%20Project/_git/app", "dev.azure.com/org/My Project/_git/app"),
        ("ssh://git@[2001:DB8::1]:22/app", "[2001:db8::1]/app"),
        ("[::1]:app.git", "[::1]/app"),
        ("https://host/../../app", "host/app"),
        ("https://host/a%0ab", "host/ab"),
        ("file:///srv/git/app.git", "file:/srv/git/app.git"),
        ("file://localhost/srv/git/app", "file:/srv/git/app"),
        ("file:///srv/with%20blank", "file:/srv/with blank"),
        ("/srv/git/app.git/", "file:/srv/git/app.git"),
        ("/srv/app/.git", "file:/srv/app"),
        ("/srv/a:b/../app", "file:/srv/app"),
        (r"C:\work\app", "file:C:/work/app"),
        ("c:/work/app/", "file:C:/work/app"),
        ("file:///C:/work/app", "file:C:/work/app"),
        (r"\\server\share\app", "file://server/share/app"),
        ("file://server/share/app", "file://server/share/app"),
        ("", None),
        ("   ", None),
        ("https://github.com/", None),
        ("https://", None),
        ("host:", None),
        ("ext::sh -c 'secret'", None),
        ("codecommit::eu-west-1://profile@app", None),
    ],
)
def test_remotes_that_are_something_else(url: str, value: str | None) -> None:
    """Other ports are other servers, folders are files, and what cannot be compared is nothing."""
    assert normalise_remote(url) == value


def test_a_local_remote_without_its_suffix_is_the_bare_repository(git: Git, tmp_path: Path) -> None:
    """git tries app.git where app is not there; so do we, or one remote would have two values."""
    git(tmp_path, "init", "-q", "--bare", "app.git")
    assert normalise_remote("app", tmp_path) == normalise_remote("app.git", tmp_path) == f"file:{tmp_path}/app.git"
    (tmp_path / "app").mkdir()
    assert normalise_remote("app", tmp_path) == f"file:{tmp_path}/app"


# ── names and files ──────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("wanted", "root", "taken", "name"),
    [
        ("app", "/work/app", (), "app"),
        ("app", "/work/app", ("app",), "work/app"),
        ("app", "/work/app", ("app", "work/app"), "app-2"),
        ("app", "/work/app", ("app", "work/app", "app-2"), "app-3"),
        ("app", "/app", ("app",), "app-2"),
        ("~", "/home/me", (), "~"),
        ("", "/", (), "project"),
        ("..", "/work/x", (), "project"),
        ("a\nb\x1b[31m", "/work/x", (), "ab[31m"),
        ("x" * 300, "/work/x", (), "x" * 60),
    ],
)
def test_a_display_name_is_unique_and_fit_for_a_folder(
    wanted: str, root: str, taken: tuple[str, ...], name: str
) -> None:
    """The plain name, then with the folder above, then with a number; never one that leads out of a folder."""
    assert display_name(wanted, root, taken.__contains__) == name


@pytest.mark.parametrize(
    ("path", "cwd", "stored"),
    [
        ("src/a.py", "", "src/a.py"),
        ("a.py", "src", "src/a.py"),
        ("./src//a.py", "", "src/a.py"),
        ("../src/a.py", "docs", "src/a.py"),
        ("..", "src", "."),
        ("{root}/src/a.py", "/", "src/a.py"),
        ("{root}/gone/a.py", "/", "gone/a.py"),
        ("{root}", "", "."),
        ("{link}", "", "."),
        ("{link}/src/a.py", "", "src/a.py"),
        ("../app/src/a.py", "", "src/a.py"),
        ("{root}-beside/a.py", "", "{root}-beside/a.py"),
        ("../other/a.py", "", "{top}/other/a.py"),
        ("../../../../../../../../../../../etc/passwd", "", "/etc/passwd"),
        ("/etc/passwd", "", "/etc/passwd"),
        ("sources/a.py", "", "src/a.py"),
        ("CLAUDE.md", "", "CLAUDE.md"),
        ("outside/x.py", "", "outside/x.py"),
        ("outside/../x.py", "", "{top}/x.py"),
        ("~/x.py", "", "{top}/home/x.py"),
        ("..hidden/a.py", "", "..hidden/a.py"),
        (r"C:\work\a.py", "", "C:/work/a.py"),
    ],
)
def test_files_are_stored_from_the_root(tmp_path: Path, path: str, cwd: str, stored: str) -> None:
    """One name for a file in every clone; outside the root the whole path; a ".." never leads out unseen."""
    root, link = tmp_path / "app", tmp_path / "link"
    for folder in (root / "src", root / "docs", tmp_path / "away/x"):
        folder.mkdir(parents=True)
    link.symlink_to(root)
    (root / "sources").symlink_to("src")
    (root / "CLAUDE.md").symlink_to("AGENTS.md")
    (root / "outside").symlink_to(tmp_path / "away")
    names = {"root": str(root), "link": str(link), "top": str(tmp_path)}
    assert relative_file(path.format(**names), str(root), str(root / cwd)) == stored.format(**names)
    assert relative_file(path.format(**names), str(link), str(link / cwd)) == stored.format(**names)


def test_without_a_current_folder_a_file_is_taken_from_the_root(tmp_path: Path) -> None:
    """An anchor in a text has no folder of its own."""
    assert relative_file("src/a.py", str(tmp_path), "") == "src/a.py"
