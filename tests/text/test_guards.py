"""Seat belts: what a colleague would say before a push, and before a file of secrets is written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from bench.guards import about_command

from hardwon.redact import DEFAULT
from hardwon.text import guards
from hardwon.text.guards import Repository, Rule, Surroundings, Written, covering

FORCED = [
    "git push -f",
    "git push --force",
    "git push --force-with-lease=main origin main",
    "git push --force-w origin main",
    "git push -uf origin feat/x",
    "git push origin +main",
    "git push origin +HEAD:main",
    "git push --mirror backup",
    "git -C ../api push -f",
    "git --git-dir=/srv/x/.git push -f",
    "/usr/bin/git push -f",
    "sudo -u me git push -f",
    "env A=1 git push -f",
    "GIT_SSH_COMMAND='ssh -v' git push -f",
    "time timeout 30 git push -f",
    "time -p git push -f",
    "git submodule --quiet foreach --recursive 'git push -f || :'",
    "git rebase -i --exec 'make && git push -f' main",
    "git rebase -x'git push -f' main",
    "git bisect run sh -c 'make && git push -f'",
    "git -c alias.p='push --force' p origin main",
    "git -c alias.p='!git push -f' p",
    "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.p GIT_CONFIG_VALUE_0='push -f' git p",
    "git config alias.yolo 'push -f' && git yolo",
    "git config remote.origin.push +refs/heads/*:refs/heads/*; git push",
    'git pu""sh --for"ce" origin main',
    "git pus\\h -f",
    "git $'pu\\x73h' -f",
    "git push \\\n  --force",
    "X=push; git $X -f",
    'CMD="git push -f"; $CMD origin main',
    "git${IFS}push${IFS}-f",
    "git push {-f,origin,main}",
    "git push ${FORCE:---force}",
    "cd x && (git fetch; git push -f)",
    "make build; git push -f || true",
    "if make; then git push -f; fi",
    "for b in a b; do git push -f origin $b; done",
    "f() { git push -f; }; f",
    "alias gpf='git push -f'; gpf",
    "bash -lc 'cd x && git push -f'",
    'eval "git push -f"',
    "echo 'git push -f' | sh",
    "bash <<'END'\ngit push -f\nEND",
    "bash <<< 'git push -f'",
    "echo $(git push -f 2>&1)",
    "echo `git push -f`",
    "git branch | xargs -I{} git push -f origin {}",
    "find . -name .git -execdir git push -f ;",
    "git send-pack --force origin main",
]


@pytest.mark.parametrize("command", FORCED)
def test_a_push_that_overwrites_is_seen_in_any_spelling(command: str) -> None:
    """M9, W28: `git -C`, `-c`, aliases, chains, quotation marks, what is piped to a shell."""
    assert [one.rule for one in about_command(command, {})][:1] == [Rule.FORCE_PUSH]


HARMLESS = [
    "git submodule foreach 'git push -n -f'",
    "git rebase --exec 'make test' main",
    "git submodule foreach 'echo git push -f'",
    "git push",
    "git push -u origin $(git branch --show-current)",
    "git push --dry-run -f",
    "git push -n --force",
    "git push --force --no-force",
    "git push --force-if-includes",
    "git push -o ci.skip origin main",
    "git push --follow-tags origin v1.2.0",
    'git log --grep="push --force"',
    'git commit -m "git push -f is bad" && git push',
    "git commit -m \"$(cat <<'EOF'\ndon't git push -f\nEOF\n)\" && git push",
    "echo 'git push -f' >> notes",
    "grep -rn 'git push -f' .",
    "cat > deploy.sh <<'EOF'\ngit push -f\nEOF",
    "# git push -f",
    "git stash push -f",
    "cat .env.example",
    "cp .env.example .env",
    "cp .env.sample .env.local",
    "touch .env",
    "ssh-keygen -t ed25519 -f ~/.ssh/id_work",
    "openssl req -x509 -keyout /tmp/key.pem -out /tmp/cert.pem",
    "echo $TOKEN > /tmp/token",
    "sed -i s/a/b/ src/password_reset.py",
    "docker run --env-file .env app 2>&1 | tail",
    "command -v git && git push",
]


@pytest.mark.parametrize("command", HARMLESS)
def test_what_only_looks_dangerous_is_passed_over_in_silence(command: str) -> None:
    """A line that is wrong costs more than one that is missing."""
    assert list(about_command(command, {"branch": "main", "asked": "fix the bug"})) == []


BRANCHES = [
    # command, checked out, what is said
    ("git push origin main", "main", ""),
    ("git push origin main", "feat/x", "This pushes `main`, while `feat/x` is checked out."),
    ("git push origin main", "", ""),
    ("git push origin HEAD:main", "feat/x", "This pushes `feat/x` onto `main`."),
    ("git push origin HEAD:main", "main", ""),
    ("git push origin HEAD:refs/for/main", "feat/x", ""),
    ("git push origin feat/x:main", "", "This pushes `feat/x` onto `main`."),
    ("git push origin v1.2.0", "main", ""),
    ("git push origin 1a2b3c4d5e:main", "main", ""),
    ("git checkout main && git push origin main", "feat/x", ""),
    ("git checkout package.json && git push origin feat/x", "feat/x", ""),
    ("git switch -c feat/y && git push -u origin feat/y", "main", ""),
    ("git checkout $B && git push origin main", "feat/x", ""),
    ("git checkout - && git push origin main", "feat/x", ""),
    ("git -C ../other push origin main", "feat/x", ""),
    ("git push origin main feat/x", "feat/x", ""),
    ("git push origin --delete old", "main", "This push deletes `old` on origin."),
    ("git push origin :old", "main", "This push deletes `old` on origin."),
]


@pytest.mark.parametrize(("command", "branch", "said"), BRANCHES)
def test_another_branch_is_named(command: str, branch: str, said: str) -> None:
    """What a line has checked out by then counts; where it can't be known, nothing is said."""
    assert [one.said for one in about_command(command, {"branch": branch})] == ([said] if said else [])


STATES = [
    # command, what is known, rules
    ("git push", {"uncommitted": 2}, [Rule.UNCOMMITTED]),
    ("git commit -am x && git push", {"uncommitted": 2}, []),
    ("git push origin :old", {"uncommitted": 2}, [Rule.FORCE_PUSH]),
    ("git push", {"failed": "npm test"}, [Rule.FAILED_CHECK]),
    ("npm test && git push", {"failed": "npm test"}, []),
    ("git push", {"pushed": {"deploy/id_rsa": "x"}}, [Rule.PUSHED_SECRET]),
    ("git push", {"pushed": {"src/a.py": "KEY = 'ghp_" + "x7Kq2" * 7 + "a'"}}, [Rule.PUSHED_SECRET]),
    ("git push", {"pushed": {"src/a.py": "x = 1", "cert.pem": "-----BEGIN CERTIFICATE-----"}}, []),
    ("git push", {"pushed": {".env.example": "KEY="}}, []),
    ("git push --dry-run", {"failed": "npm test", "uncommitted": 1}, []),
]


@pytest.mark.parametrize(("command", "known", "rules"), STATES)
def test_the_state_of_the_work_is_told_at_a_push(command: str, known: dict[str, object], rules: list[Rule]) -> None:
    """M9: uncommitted rest, a check that failed and was not run since, secrets in what goes out."""
    assert [one.rule for one in about_command(command, {"branch": "main", **known})] == rules


def test_what_could_not_be_scanned_is_said() -> None:
    """Where time is short: no silence that looks like a clean bill."""
    (one,) = guards.findings(guards.of_line(guards.runs("git push"))[0], Repository(unscanned=3))
    assert one.said == "3 files of this push: not scanned for secrets yet."
    assert not one.is_sure


WRITES = [
    # file, text, ignored, is told
    (".env", "KEY=abc", None, True),
    (".env.local", "KEY=abc", None, True),
    (".env", "KEY=abc", True, False),
    (".env.example", "KEY=abc", None, False),
    (".env", "# nothing yet\nKEY=\n", None, False),
    ("config/credentials.json", "{}", None, True),
    ("deploy/id_ed25519", "x", None, True),
    ("deploy/id_ed25519.pub", "x", None, False),
    ("certs/server.pem", "-----BEGIN CERTIFICATE-----\nx", None, False),
    ("certs/server.key", "x", None, True),
    ("src/password_reset.py", "x", None, False),
    ("passwords.txt", "x", None, True),
    ("src/secrets.ts", "export {}", None, False),
    ("src/a.py", "T = 'ghp_" + "x7Kq2" * 7 + "a'", None, True),
    ("tests/test_a.py", "T = 'ghp_" + "x7Kq2" * 7 + "a'", None, False),
    ("/tmp/x/.env", "KEY=abc", None, False),
    ("~/.netrc", "x", None, False),
]


@pytest.mark.parametrize(("file", "text", "ignored", "told"), WRITES)
def test_files_of_secrets(file: str, text: str, ignored: bool | None, told: bool) -> None:
    """M8: by name and by contents; with an allow-list, and nothing of what git never commits."""
    found = guards.writes(Written(file, DEFAULT.text(text)), Surroundings(lambda _: ignored))
    assert [one.rule for one in found] == ([Rule.SECRET_FILE] if told else [])


DOCUMENTS = [
    ("README.md", True, "fix the login", True),
    ("README.md", True, "write a readme, please", False),
    ("docs/TODO.md", True, "fix the login", True),
    ("CHANGELOG.md", True, "prepare the release", False),
    ("CHANGELOG.md", False, "fix the login", False),
    ("src/readme_parser.py", True, "fix the login", False),
    ("README.md", True, None, False),
]


@pytest.mark.parametrize(("file", "is_new", "asked", "told"), DOCUMENTS)
def test_documents_that_nobody_asked_for(file: str, is_new: bool, asked: str | None, told: bool) -> None:
    """M8: a README, CHANGELOG or TODO is a question at most."""
    found = list(guards.writes(Written(file, "x"), Surroundings(asked=asked), is_new=is_new))
    assert [one.rule for one in found] == ([Rule.DOCUMENT] if told else [])
    assert not any(one.is_sure for one in found)


def test_what_cannot_be_read_is_a_note_at_most() -> None:
    """A line with an unfinished quotation is guessed at; nothing is refused for it."""
    found = list(about_command("echo 'it is ; git push -f", {}))
    assert [one.rule for one in found] == [Rule.FORCE_PUSH]
    assert not found[0].is_sure


COVERED = [
    # rule, command, branch, covered
    ("git push --force origin main", "git push --force origin main", "", True),
    ("git push --force origin main", "git push -f", "main", True),
    ("git push --force origin main", "git push -f", "", True),
    ("git push --force origin main", "git push -f", "feat/x", False),
    ("git push --force origin main", "git push origin +main", "feat/x", True),
    ("git push --force origin main", "git push origin +HEAD:main", "feat/x", True),
    ("git push --force origin main", "git push --mirror", "feat/x", True),
    ("git push --force origin main", "cd api && sudo git -c a=b push -uf origin main", "x", True),
    ("git push --force origin main", "git push origin main", "main", False),
    ("git push --force origin main", "git push -f fork main", "main", False),
    ("git push --force origin main", "git push -f -n", "main", False),
    ("git push --force", "git push --force-with-lease", "feat/x", True),
    ("git push origin main", "git push", "main", True),
    ("git push origin main", "git push", "feat/x", False),
    ("rm -rf build", "rm -r -f ./build", "", True),
    ("rm -rf build", "cd x; sudo rm --recursive --force build/ dist", "", True),
    ("rm -rf build", "rm -rf dist", "", False),
    ("npm publish", "FOO=1 npm publish --tag next", "", True),
    ("npm publish", "npm run publish-docs", "", False),
    ("git reset --hard", "git -C x reset --hard HEAD~1", "", True),
    ("git commit --no-verify", "git commit -nm x", "", True),
    ("terraform apply", "bash -c 'terraform apply -auto-approve'", "", True),
    ("git push --force origin main", "echo 'x; git push -f", "main", None),
]


@pytest.mark.parametrize(("rule", "command", "branch", "covered"), COVERED)
def test_a_rule_means_all_spellings_of_its_command(rule: str, command: str, branch: str, covered: bool | None) -> None:
    """What a person forbade once is forbidden however it is typed; what can't be read for sure is None."""
    assert covering.covers(rule, command, branch) is covered


def test_the_own_set_of_dangers_is_seen() -> None:
    """The example of the benchmark's format; strangers' sets are measured by `python -m bench guards`."""
    path = Path(__file__).parents[2] / "bench" / "guards_sets" / "dangerous.json"
    for case in json.loads(path.read_text("utf-8")):
        assert bool(list(about_command(case["command"], case))) is bool(case["what"]), case["id"]


def test_a_long_line_takes_no_time() -> None:
    """Twenty thousand signs that open and never close are read once."""
    for sign in ("$(", "`", "'", '"', "((", "{a,b}", "<<X\n", "\\"):
        guards.runs(sign * 10_000)
