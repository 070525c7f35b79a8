"""One remote has one value, however it is written, and no secret in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardwon.project import normalise_remote
from tests.project.visits import Git


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
        ("https:/bob:s3cr3tPW9@h/r12", "https/h/r12"),
        ("https:/bob:s3cr/tPW9@h/r12", "https/h/r12"),
        ("ssh:/s3cr3tPW9@h/r12", "ssh/h/r12"),
        ("https://bob:s3cr3tPW9%40h/r13", "h/r13"),
        ("https://bob%3As3cr3tPW9%40h:8443/r13", "h:8443/r13"),
        ("bob:s3cr3tPW9%40h/r13", "h/r13"),
        ("https//bob:s3cr3tPW9@h/r14", "h/r14"),
        ("//bob:s3cr3tPW9@h/r14", "h/r14"),
        ("file://bob:s3cr3tPW9@server/share/app", "file://server/share/app"),
        ("https://host/@scope/app", "host/@scope/app"),
        ("https://host/owner/@app", "host/owner/@app"),
        ("https://host/owner/app@2", "host/owner/app@2"),
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
