"""git's files read by hand: what git itself would say, without starting it."""

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from hardwon import git as reader
from hardwon.git import find_repository, remote_url, root_commit
from tests.git_of_nobody import git_of_nobody

Git = Callable[..., str]


@pytest.fixture(autouse=True)
def surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    """No trace of the developer's git, and authors for the commits."""
    git_of_nobody(monkeypatch)


@pytest.fixture
def git(tmp_path: Path) -> Git:
    def run(*arguments: str) -> str:
        command = ["git", "-c", "init.defaultBranch=main", *arguments]
        return subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True).stdout.strip()

    run("init", "-q")
    return run


def commit(git: Git, message: str) -> str:
    git("commit", "-q", "--allow-empty", "-m", message)
    return git("rev-parse", "HEAD")


@pytest.mark.parametrize(
    ("config", "url"),
    [
        ("", None),
        ('[remote "origin"]\n\turl = https://h/a\n', "https://h/a"),
        ('[remote "origin"]\nurl=https://h/a', "https://h/a"),
        ('[remote "origin"] url = https://h/a', "https://h/a"),
        ('[REMOTE "origin"]\r\n\tURL = https://h/a\r\n', "https://h/a"),
        ("[remote.origin]\n\turl = https://h/a\n", "https://h/a"),
        ('[remote "origin"]\n\turl = https://h/a # not this\n', "https://h/a"),
        ('[remote "origin"]\n\turl = "https://h/a#b;c" ; not this\n', "https://h/a#b;c"),
        ('[remote "origin"]\n\turl = https://h/\\\na\n', "https://h/a"),
        ('[remote "origin"]\n\turl = " with blanks " \n', " with blanks "),
        ('[remote "origin"]\n\turl = a\\\\b\\"c\\td\n', 'a\\b"c\td'),
        ('[remote "origin"]\n\t# url = https://h/no\n\turl = https://h/a\n', "https://h/a"),
        ('[remote "origin"]\n\t# a comment does not go on \\\n\turl = https://h/a\n', "https://h/a"),
        ('[remote "origin"]\n\tpushurl = https://h/no\n\turl = https://h/a\n\turl = https://h/b\n', "https://h/a"),
        ('[branch "x"]\n\turl = https://h/no\n[remote "origin"]\n\turl = https://h/a\n', "https://h/a"),
        ('[remote "other"]\n\turl = https://h/b\n[remote "origin"]\n\turl = https://h/a\n', "https://h/a"),
        ('[remote "other"]\n\turl = https://h/b\n[remote "upstream"]\n\turl = https://h/a\n', "https://h/a"),
        ('[remote "first"]\n\turl = https://h/a\n[remote "second"]\n\turl = https://h/b\n', "https://h/a"),
        ('[remote "a \\"quoted\\" name"]\n\turl = https://h/a\n', "https://h/a"),
        ('[remote "origin"]\n\turl\n', None),
        ('[remote "origin"]\n\tfetch = +refs/*:refs/*\n[core]\n\turl = no\n', None),
        (
            '[core]\n\tnote = "a text with [remote \\"origin\\"] in it"\n[remote "b"]\n\turl = https://h/a\n',
            "https://h/a",
        ),
    ],
)
def test_a_remote_is_read_as_git_reads_it(git: Git, tmp_path: Path, config: str, url: str | None) -> None:
    """Sections, quotes, comments, continued lines: git finds the same value."""
    (tmp_path / ".git/config").write_bytes(config.encode())
    assert remote_url(str(tmp_path / ".git")) == url
    if url:
        assert f"url\n{url}\0" in git("config", "-z", "--get-regexp", r"^remote\..*\.url$")


@pytest.mark.parametrize("config", ['[remote "origin"\n\turl = x', '[remote "o]\nurl = "x', "\0\xff[[", "[" * 9999])
def test_a_broken_configuration_is_none(git: Git, tmp_path: Path, config: str) -> None:
    """git would stop here; we go on without a remote."""
    (tmp_path / ".git/config").write_text(config, encoding="latin-1")
    assert remote_url(str(tmp_path / ".git")) is None


def test_a_long_configuration_is_read_quickly(git: Git, tmp_path: Path) -> None:
    """Thousands of branches are common; no pattern may take longer than the text deserves."""
    branches = "".join(f'[branch "b{n}"]\n\tremote = origin\n\tmerge = refs/heads/b{n}\n' for n in range(5000))
    quotes = '[core]\n\ta = "' + "\\\\" * 50_000 + "\n"
    (tmp_path / ".git/config").write_text(branches + quotes + '[remote "origin"]\n\turl = https://h/a\n')
    started = time.process_time()
    assert remote_url(str(tmp_path / ".git")) == "https://h/a"
    assert time.process_time() - started < 1


def test_the_root_commit_is_the_first_one(git: Git, tmp_path: Path) -> None:
    """From the top, from a folder inside, with loose and with packed references, on a branch and detached."""
    first = commit(git, "first")
    second = commit(git, "second")
    (tmp_path / "src").mkdir()
    assert root_commit(tmp_path) == root_commit(tmp_path / "src") == first
    git("pack-refs", "--all")
    assert root_commit(tmp_path) == first
    git("checkout", "-q", second)
    assert root_commit(tmp_path) == first


def test_of_several_roots_the_smallest_counts(git: Git, tmp_path: Path) -> None:
    """Two histories merged into one must give one answer on every machine."""
    roots = [commit(git, "first")]
    git("checkout", "-q", "--orphan", "other")
    roots.append(commit(git, "first of the other"))
    git("merge", "-q", "--allow-unrelated-histories", "-m", "both", "main")
    assert root_commit(tmp_path) == min(roots)


def test_there_is_no_root_commit_without_a_commit(git: Git, tmp_path: Path) -> None:
    """A repository that was only initialised, and a folder that is none."""
    assert root_commit(tmp_path) is None
    assert root_commit(tmp_path.parent) is None


def test_there_is_no_root_commit_of_a_shallow_clone(git: Git, tmp_path: Path) -> None:
    """Its oldest commit is only where the download ended; after `fetch --unshallow` there is one."""
    first = commit(git, "first")
    commit(git, "second")
    git("clone", "-q", "--depth", "1", f"file://{tmp_path}", "shallow")
    assert root_commit(tmp_path / "shallow") is None
    git("-C", "shallow", "fetch", "-q", "--unshallow")
    assert root_commit(tmp_path / "shallow") == first


def test_a_new_first_commit_is_seen(git: Git, tmp_path: Path) -> None:
    """What is remembered is what lies behind a commit, not what lay behind a branch."""
    before = commit(git, "first")
    assert root_commit(tmp_path) == before
    git("commit", "-q", "--amend", "--allow-empty", "-m", "other words")
    assert root_commit(tmp_path) == git("rev-parse", "HEAD") != before


def test_without_git_there_is_no_root_commit_and_that_is_not_remembered(
    git: Git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A machine without git has projects too, and one that gets it has root commits at once."""
    first = commit(git, "first")
    with monkeypatch.context() as without:
        without.setenv("PATH", str(tmp_path / "nothing"))
        assert root_commit(tmp_path) is None
    assert root_commit(tmp_path) == first


def test_the_environment_does_not_change_the_answer(git: Git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A git hook sets GIT_DIR, a user replaces objects and configures at will: the repository is what counts."""
    first, second = commit(git, "first"), commit(git, "second")
    git("replace", "--graft", second)
    (tmp_path / ".gitconfig").write_text("[this is no configuration")
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("GIT_DIR", "GIT_OBJECT_DIRECTORY"):
        monkeypatch.setenv(name, str(tmp_path / "nowhere"))
    assert root_commit(tmp_path) == first


def test_a_history_that_takes_too_long_is_given_up(git: Git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody is waiting: after the limit there is no root commit, and the same history is not tried again."""
    commit(git, "first")
    slow = tmp_path / "bin/git"
    slow.parent.mkdir()
    slow.write_text("#!/bin/sh\nexec sleep 30\n")
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", str(slow.parent), prepend=os.pathsep)
    monkeypatch.setattr(reader, "SECONDS_FOR_HISTORY", 0.2)
    started = time.perf_counter()
    assert root_commit(tmp_path) is None
    assert root_commit(tmp_path) is None
    assert 0.2 <= time.perf_counter() - started < 5


def test_missing_commits_are_not_fetched(git: Git, tmp_path: Path) -> None:
    """A foreign configuration can name any command to fetch with; finding out where we are must not run it."""
    first = commit(git, "first")
    commit(git, "second")
    witness = tmp_path / "ran"
    git("config", "core.repositoryFormatVersion", "1")
    git("config", "extensions.partialClone", "origin")
    git("config", "remote.origin.promisor", "true")
    git("config", "remote.origin.url", f"ext::touch {witness}")
    git("config", "protocol.ext.allow", "always")
    (tmp_path / ".git/objects" / first[:2] / first[2:]).unlink()
    with pytest.raises(subprocess.CalledProcessError):
        git("rev-list", "HEAD")
    witness.unlink()  # git alone did run it
    assert root_commit(tmp_path) is None
    assert not witness.exists()


@pytest.mark.parametrize("head", ["", "ref:", "ref: refs/heads/../../../x", "ref: refs/heads/none", "-x", "zz" * 20])
def test_a_head_that_says_nothing(git: Git, tmp_path: Path, head: str) -> None:
    """No commit, no error, and nothing that git could take for an option."""
    commit(git, "first")
    (tmp_path / ".git/HEAD").write_text(head)
    assert root_commit(tmp_path) is None


def test_a_separate_git_dir(git: Git, tmp_path: Path) -> None:
    """`git init --separate-git-dir`: the file leads to it, and the work tree is where the file is."""
    git("init", "-q", "--separate-git-dir", str(tmp_path / "apart"), str(tmp_path / "tree"))
    found = find_repository(tmp_path / "tree")
    assert found is not None
    assert (found.root, found.main, found.git_dir) == (
        str(tmp_path / "tree"),
        str(tmp_path / "tree"),
        str(tmp_path / "apart"),
    )
