"""Other ways that worked, passes that say nothing, and what a pass does to a failure."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardwon.event import Event, Tier
from hardwon.learn.derive import derive
from hardwon.learn.session import learn
from hardwon.memories.moments import fixes_of
from hardwon.memory import Draft, Kind, Link, LinkKind, Memory, Status, Trust
from hardwon.store import changes, projects
from hardwon.store.connection import Store
from hardwon.store.tables import journal, memories
from tests.learn.test_derive import AT, BOOM, edited, failed, passed, said, session
from tests.support import opened

NO_SCRIPT = 'Exit code 1\nnpm error Missing script: "test"'

# What failed, what passed after it, and whether that is another way to do the same.
WAYS: list[tuple[str, str, bool]] = [
    ("git push", "git push -u origin main", True),
    ("git add dist/widget.js", "git add -f dist/widget.js", True),
    ("npm run biuld", "npm run build", True),
    ("jest", "NODE_OPTIONS=--experimental-vm-modules jest", True),
    ("cmake -B build", "rm -rf build && cmake -B build", True),
    ("gzip logs/*.log", "find logs -name '*.log' -print0 | xargs -0 gzip", True),
    ("npm test", "npm run test:unit", True),
    ("npm test", "npm install left-pad", False),
    ("git push", "git commit -m wip", False),
    ("make test", "make lint", False),
    ("jq .name export.json", "head -3 export.json", False),
    ("make test", "cat Makefile", False),
    # Another program: only one that is known to do the same.
    ("npm install", "pnpm install", True),
    ("yarn build", "npm build", True),
    ("apt install jq", "apt-get install jq", True),
    ("mvn -pl api verify", "./mvnw -pl api verify", True),
    ("vim notes.txt", "nvim notes.txt", True),
    ("sh deploy/check.sh", "bash deploy/check.sh", True),
    ("./check.sh staging", "bash check.sh staging", True),
    ("git apply vendor.patch", "patch -p1 < vendor.patch", True),
    ("createdb shop", "dropdb shop", False),
    ("mkdir build", "rm build", False),
    ("./start.sh worker", "./stop.sh worker", False),
    ("./seed.sh demo", "./inspect.sh demo", False),
    ("./deploy staging", "./unlock staging", False),
    ("npm run build", "npm run lint", False),
    ("git push", "git push --force", False),
    ("docker compose up web", "docker compose down web", False),
    ("createdb shop", "dropdb shop && createdb shop", False),
]


@pytest.mark.parametrize(("before", "after", "replaces"), WAYS)
def test_what_is_another_way(before: str, after: str, replaces: bool) -> None:
    """After two failures it is proven; the failing command itself has not passed."""
    learned = derive(session(failed(before, NO_SCRIPT), failed(before, NO_SCRIPT), passed(after)))
    fixes = [one.draft for one in learned if one.draft.kind is Kind.FIX]
    assert bool(fixes) is replaces
    if replaces:
        assert (fixes[0].subtype, fixes[0].trust) == ("instead", Trust.VERIFIED)
        assert f"`{after}` worked where `{before}` failed" in fixes[0].body


def test_after_one_failure_another_way_is_not_proven() -> None:
    learned = derive(session(failed("git push", NO_SCRIPT), passed("git push -u origin main")))
    assert [one.draft.trust for one in learned if one.draft.kind is Kind.FIX] == [Trust.AGENT]


@pytest.mark.parametrize(("before", "after", "replaces"), [one for one in WAYS if one[0].split()[0] != "gzip"])
def test_one_failure_teaches_no_other_job(before: str, after: str, replaces: bool) -> None:
    learned = derive(session(failed(before, NO_SCRIPT), passed(after)))
    fixes = [one.draft for one in learned if one.draft.kind is Kind.FIX]
    assert replaces or not fixes


@pytest.mark.parametrize("error", ["Exit code 127\nbash: ./depoly.sh: No such file or directory", BOOM])
def test_nearly_the_name_of_a_program_that_is_not_there(error: str) -> None:
    """A slip of the pen; where the program is there, the other one does something else."""
    learned = derive(session(failed("./depoly.sh web", error), passed("./deploy.sh web")))
    assert bool([one for one in learned if one.draft.kind is Kind.FIX]) is (error is not BOOM)


def test_a_pass_that_is_none() -> None:
    """`pytest | tail` leaves with the status of tail."""
    learned = derive(session(failed("pytest", BOOM), edited(), passed("pytest | tail -5")))
    assert [one.draft.kind for one in learned] == [Kind.FAILURE]


def test_a_test_that_was_meant_to_fail_is_no_failure() -> None:
    wish = said("write a failing test first, then make it pass")
    assert derive(session(wish, failed("pytest", BOOM))) == []


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with opened(tmp_path / "home") as one:
        yield one


def happen(store: Store, project: str, name: str, at: int, *events: Event, host: str = "claude-code") -> None:
    """One session, kept and learned from."""
    for number, event in enumerate(session(*events)):
        call = f"{name}{number}" if event.tool else ""
        there = dataclasses.replace(event, host=host, session=name, project=project, at=at + number * 1_000, call=call)
        journal.append(store, there, Tier.FULL)
    learn(store, host, name, at + 60_000)


def only_failure(store: Store) -> Memory:
    (found,) = memories.listed(store, memories.Filter(kinds=(Kind.FAILURE,)), 10)[0]
    return found


@pytest.fixture
def project(store: Store, tmp_path: Path) -> str:
    (tmp_path / "app").mkdir()
    return projects.claim(store, str(tmp_path / "app"), AT)[1].id


def test_the_same_mistake_in_other_words_is_one_failure(store: Store, project: str) -> None:
    """Another line number and path: counted by its signature, not by its text."""
    for number, (line, root) in enumerate([(3, "/home/a"), (77, "/srv/b")]):
        error = f"Exit code 1\n  File \"{root}/conf.py\", line {line}\nKeyError: 'REDIS_URL'"
        happen(store, project, f"s{number}", AT + number * 1_000_000, failed("make test", error))
    failure = only_failure(store)
    assert memories.hits(store, [failure.id]) == {failure.id: 1}


def test_a_failure_is_over_when_the_command_passes_and_open_when_it_fails_again(store: Store, project: str) -> None:
    happen(store, project, "s1", AT, failed("make test", BOOM))
    assert only_failure(store).status is Status.ACTIVE
    later = only_failure(store).updated_at + 1_000_000
    happen(store, project, "s2", later, passed("make test"))
    assert only_failure(store).status is Status.RESOLVED
    happen(store, project, "s3", only_failure(store).updated_at + 1_000_000, failed("make test", BOOM))
    assert only_failure(store).status is Status.ACTIVE


def test_the_other_way_does_not_end_the_failure(store: Store, project: str) -> None:
    """It passes as often as one likes; without its option the command would fail as ever."""
    other = passed("NODE_OPTIONS=--experimental-vm-modules jest")
    happen(store, project, "s1", AT, failed("jest", NO_SCRIPT), failed("jest", NO_SCRIPT), other)
    happen(store, project, "s2", only_failure(store).updated_at + 1_000_000, other)
    assert only_failure(store).status is Status.ACTIVE
    assert [fix.subtype for fix in fixes_of(store, only_failure(store))] == ["instead"]


def told(store: Store) -> list[str]:
    return [fix.body for fix in fixes_of(store, only_failure(store))]


DEPLOY = failed("./deploy staging", "Exit code 1\nstaging is locked by ann")


def test_what_makes_the_command_pass_is_told_alone(store: Store, project: str) -> None:
    happen(store, project, "s1", AT, DEPLOY, passed("./unlock staging"), passed("./deploy staging"))
    assert told(store) == ["`./deploy staging` works after: `./unlock staging`"]


LATER: list[tuple[list[Event], list[str]]] = [
    (
        [failed("npm install", BOOM), passed("pnpm install"), edited(".npmrc"), passed("npm install")],
        ["`npm install` works after: edited .npmrc"],
    ),
    ([failed("npm test", BOOM), passed("yarn test"), passed("npm test")], []),
    (
        [failed("jest", BOOM), passed("CI=1 jest"), failed("jest", BOOM), edited("jest.config.js"), passed("jest")],
        ["`jest` works after: edited jest.config.js"],
    ),
    (
        [failed("git push", BOOM), passed("git push -u origin main"), passed("git push")],
        ["`git push -u origin main` worked where `git push` failed"],
    ),
]


@pytest.mark.parametrize(("events", "fixes"), LATER)
def test_another_way_is_withdrawn_when_the_command_itself_passes(
    store: Store, project: str, events: list[Event], fixes: list[str]
) -> None:
    """In one reading, and where the session was learned from before it passed; reading again changes nothing."""
    happen(store, project, "s1", AT, *events[:2])
    for _ in range(3):
        happen(store, project, "s1", AT, *events)
        assert [body.partition(" (change")[0] for body in told(store)] == fixes


def test_another_way_that_a_person_took_back_stays(store: Store, project: str) -> None:
    events = (failed("npm test", BOOM), passed("yarn test"), passed("npm test"))
    happen(store, project, "s1", AT, *events)
    (fix,) = memories.listed(store, memories.Filter(kinds=(Kind.FIX,)), 10)[0]
    assert (fix.status, fix.reason) == (Status.ARCHIVED, "the command itself passed later")
    changes.move(store, fix.id, Status.ACTIVE, AT + 1_000_000)
    happen(store, project, "s1", AT, *events)
    assert told(store) == ["`yarn test` worked where `npm test` failed"]


def test_a_wrong_way_of_an_earlier_version_is_not_told(store: Store, project: str) -> None:
    """It stands in the store; the failure is told without it."""
    happen(store, project, "s1", AT, failed("createdb shop", BOOM))
    failure = only_failure(store)
    for way in ("dropdb shop", "sudo -u postgres createdb shop"):
        body = f"`{way}` worked where `createdb shop` failed"
        link = Link(LinkKind.FIXES, failure.id)
        draft = Draft(Kind.FIX, body, failure.scope, Trust.VERIFIED, "session", subtype="instead", links=(link,))
        changes.note(store, draft, AT)
    assert told(store) == ["`sudo -u postgres createdb shop` worked where `createdb shop` failed"]


def test_a_log_that_somebody_sent_proves_nothing(store: Store, project: str) -> None:
    events = (failed("make test", BOOM), edited("conf.py", "- x\n+ REDIS_URL"), passed("make test"))
    happen(store, project, "s1", AT, *events, host="aider")
    found = memories.listed(store, memories.Filter(), 10)[0]
    assert {memory.kind for memory in found} == {Kind.FAILURE, Kind.FIX}
    assert {memory.trust for memory in found} == {Trust.AGENT}
