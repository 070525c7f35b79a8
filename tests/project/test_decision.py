"""What a place is known by, and the decision itself: which known project it is, rule by rule."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest

from hardwon.project import Alias, Known, Match, Place, describe, identify, needs_root_commit
from tests.project.visits import HUB, Make, Projects


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
