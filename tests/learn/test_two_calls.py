"""What two calls say of each other: a narrower check, the same one with a variable, a conflict, a word of a person."""

from __future__ import annotations

import pytest

from hardwon.event import Event, EventType
from hardwon.learn.derive import Learned, derive
from hardwon.memory import Kind, Status
from hardwon.text import commands
from tests.learn.days import Days
from tests.learn.test_derive import edited, failed, passed, session

REFUSED = "Exit code 1\nredis.exceptions.ConnectionError: Error 111 connecting to localhost:6390. Connection refused."
FAILED_TEST = "Exit code 1\nFAILED tests/test_till.py::test_sum - AssertionError: assert 3 == 4\n1 failed, 20 passed"


@pytest.mark.parametrize(
    ("whole", "part"),
    [
        ("pytest", "pytest tests/test_cart.py"),
        ("pytest", "pytest -k cart"),
        ("pytest tests/test_till.py tests/test_cart.py", "pytest tests/test_cart.py"),
        ("go test ./...", "go test -short ./..."),
        ("golangci-lint run", "golangci-lint run ./cart/..."),
        ("make test", "make test-unit"),
    ],
)
def test_a_narrower_check_proves_nothing(whole: str, part: str) -> None:
    """However often the whole one failed before: what it met is not among what the other looks at."""
    found = derive(session(failed(whole, FAILED_TEST), failed(whole, FAILED_TEST), passed(part)))
    assert not [one for one in found if isinstance(one, Learned) and one.draft.kind is Kind.FIX]


def test_the_same_check_run_otherwise_is_another_way() -> None:
    """Options that choose nothing among the checks are no narrower one."""
    found = derive(session(failed("npm test", "Exit code 1\nError: spawn ENOMEM"), passed("npm test -- --runInBand")))
    fixes = [one.draft.body for one in found if isinstance(one, Learned) and one.draft.kind is Kind.FIX]
    assert fixes == ["`npm test -- --runInBand` worked where `npm test` failed"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("tsc --noEmit -p tsconfig.json", "tsc --noEmit src/till.ts"),
        ("golangci-lint run", "golangci-lint run ./cart/..."),
        ("cargo test --features till", "cargo test"),
        ("pytest", "pytest"),
    ],
)
def test_a_whole_project_is_not_narrower_than_one_file(one: str, other: str) -> None:
    """Nor is an option's value a path, nor a check narrower than itself."""
    assert not commands.is_narrower(one, other)


@pytest.mark.parametrize(
    ("command", "error"),
    [
        ("git merge till", "CONFLICT (content): Merge conflict in src/till.go\nAutomatic merge failed; fix conflicts"),
        ("git rebase main", "CONFLICT (modify/delete): b.txt deleted in HEAD\nerror: could not apply 1a2b3c4... till"),
        ("git cherry-pick 1a2b3c4", "error: could not apply 1a2b3c4... till"),
        ("git merge till", "KONFLIKT (Inhalt): Merge-Konflikt in src/till.go"),
        ("git commit -m x", "error: Committing is not possible because you have unmerged files.\nhint: Fix them up"),
    ],
)
def test_a_merge_conflict_is_ordinary_work(command: str, error: str) -> None:
    """Each is another one; nothing of it is kept, and nothing that was done about it."""
    steps = [failed(command, f"Exit code 1\n{error}"), passed("git rebase --skip"), passed(command)]
    assert not [one for one in derive(session(*steps)) if isinstance(one, Learned)]


STALE = "Exit code 2\nthe recording is older than its client\nmake: *** [check] Error 1"


@pytest.mark.parametrize(
    ("fails", "between", "passes", "told"),
    [
        ("make check", [], "RECORD=new make check", "`RECORD=new make check` worked where `make check` failed"),
        ("make check", [passed("npm install")], "RECORD=new make check",
         "`RECORD=new make check` worked where `make check` failed"),
        ("STAGE=prod make check", [], "make check", "`make check` worked where `STAGE=prod make check` failed"),
        ("rake seed", [passed("touch x")], "bin/rake seed", "`bin/rake seed` worked where `rake seed` failed"),
        ("make check", [edited("conf/check.toml")], "RECORD=new make check",
         "`RECORD=new make check` works after: edited "),
    ],
)  # fmt: skip
def test_what_was_set_for_the_call_that_passed_stands_in_the_advice(
    fails: str, between: list[Event], passes: str, told: str
) -> None:
    """A variable, the path of the program: where they differ between the two calls, they may be all that it took."""
    found = derive(session(failed(fails, STALE), *between, passed(passes)))
    (fix,) = [one.draft.body for one in found if isinstance(one, Learned) and one.draft.kind is Kind.FIX]
    assert fix.startswith(told)


def test_what_only_shows_more_fixes_nothing() -> None:
    """A backtrace that was asked for is no reason why it passes."""
    steps = [failed("cargo run", REFUSED), passed("docker compose up -d"), passed("RUST_BACKTRACE=1 cargo run")]
    found = derive(session(*steps))
    (fix,) = [one.draft.body for one in found if isinstance(one, Learned) and one.draft.kind is Kind.FIX]
    assert fix == "`cargo run` works after: `docker compose up -d`"


def test_a_pass_with_what_is_set_for_it_does_not_settle_the_call_without(days: Days) -> None:
    """It would fail as ever: who types it so is told."""
    days.next(failed("make check", STALE), passed("RECORD=new make check"))
    days.next(passed("RECORD=new make check"))
    assert [one.status for one in days.all(Kind.FAILURE)] == [Status.ACTIVE]


def test_works_now_settles_nothing_of_another_session(days: Days) -> None:
    """What is said there is about what was done there."""
    days.next(failed("make check", REFUSED))
    says = Event(EventType.PROMPT_SUBMITTED, "claude-code", "s1", 0, "p", prompt="p9", text="works now")
    days.next(passed("make docs"), says)
    assert [one.status for one in days.all(Kind.FAILURE)] == [Status.ACTIVE]
    days.next(failed("make check", REFUSED), passed("docker compose up -d"), says)
    assert [one.status for one in days.all(Kind.FAILURE)] == [Status.RESOLVED]


VITEST = """Exit code 1
 FAIL  tests/till.test.ts > till > opens
{why}
 ❯ src/env.ts:9:21
"""


def test_one_test_that_fails_for_another_reason_is_not_told_the_first_ones_fix(days: Days) -> None:
    """The runner's header is the same; the variable that was missing has nothing to do with an assertion."""
    missing = VITEST.format(why='ZodError: TILL_URL is required at path "TILL_URL"')
    days.next(failed("npx vitest", missing), edited(".env", "+ TILL_URL=x"), passed("npx vitest"))
    assert days.worked(missing)
    assert not days.told(VITEST.format(why="AssertionError: expected 41 to be 42 // Object.is equality"))


@pytest.mark.parametrize(
    ("check", "error", "mending", "is_told"),
    [
        ("go test ./...", "till/sum.go:156:3: undefined: kind", "gofmt -w till/sum.go", False),
        ("npm run lint", "src/grade.ts:3:1 lint/style/useConst", "npx biome check --write src/grade.ts", False),
        ("go test ./...", "till/sum.go:156:3: undefined: kind", "go generate ./...", True),
        (
            "make migrate",
            'could not connect to server at "localhost", port 5432',
            "docker compose up -d postgres",
            True,
        ),
    ],
)
def test_what_rewrites_the_code_that_fails_is_the_work(check: str, error: str, mending: str, is_told: bool) -> None:
    """A formatter of the file in which the error names a line edits it; what makes or starts something does not."""
    error = f"Exit code 1\n{error}"
    found = derive(session(failed(check, error), failed(check, error), passed(mending), passed(check)))
    fixes = [one.draft for one in found if isinstance(one, Learned) and one.draft.kind is Kind.FIX]
    assert any(mending in fix.body for fix in fixes) == is_told
