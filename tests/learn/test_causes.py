"""Whether what was done made a command pass, as far as can be told."""

from __future__ import annotations

import pytest

from hardwon.event import Event, EventType
from hardwon.learn.causes import Failed, Proof, judge
from hardwon.text import errors

PROVEN, UNPROVEN, BY_ITSELF = Proof.PROVEN, Proof.UNPROVEN, Proof.BY_ITSELF

NO_REDIS = "Exit code 1\nModuleNotFoundError: No module named 'redis'"
NO_VARIABLE = "Exit code 1\nKeyError: 'DATABASE_URL'"
REFUSED = "Exit code 1\npsycopg.OperationalError: connection failed: Connection refused\n\tIs the server running?"
WRONG_SUM = "Exit code 1\nFAILED tests/test_calc.py::test_add - AssertionError: assert -1 == 3"
TIMEOUT = "Exit code 1\ncurl: (28) Operation timed out after 5000 milliseconds"
NO_TABLE = "Exit code 1\nsqlite3.OperationalError: no such table: users"
DENIED = "Exit code 126\nbash: ./run.sh: Permission denied"
NO_FILE = "Exit code 1\ncat: config/app.toml: No such file or directory"
UNDECLARED = "Exit code 2\nsrc/main.c:10:5: error: 'count' undeclared (first use in this function)"
REJECTED = "Exit code 1\n ! [rejected] main -> main (non-fast-forward)"

NOBODY = "Exit code 128\nAuthor identity unknown\n\n*** Please tell me who you are."
NO_LOGIN = "Exit code 4\nTo get started with GitHub CLI, please run:  gh auth login"
NO_BUILD = "Exit code 1\nError: Cannot find module '/srv/app/dist/cli.js'"
NO_ENTRY = "Exit code 1\ncheck: CHANGELOG.md has no entry for 2.4.0"


def ran(command: str) -> Event:
    return Event(EventType.TOOL_FINISHED, "claude-code", "s1", 0, "p", tool="Bash", target=command)


def edited(file: str, old: str = "x", new: str = "y") -> Event:
    return Event(EventType.TOOL_FINISHED, "c", "s1", 0, "p", tool="Edit", target=file, text=f"- {old}\n+ {new}")


def read(file: str) -> Event:
    return Event(EventType.TOOL_FINISHED, "claude-code", "s1", 0, "p", tool="Read", target=file)


TABLE: dict[str, tuple[str, str, list[Event], Proof]] = {
    # What was done has to do with what failed
    "installed what was missing": ("pytest", NO_REDIS, [ran("pip install redis")], PROVEN),
    "installed all": ("pytest", NO_REDIS, [ran("pip install -r requirements.txt")], PROVEN),
    "asked for in a file": ("pytest", NO_REDIS, [edited("requirements.txt", "", "redis==5")], PROVEN),
    "import removed": ("pytest", NO_REDIS, [edited("app/cache.py", "import redis", "")], PROVEN),
    "variables copied": ("make test", NO_VARIABLE, [ran("cp .env.example .env")], PROVEN),
    "variable written": ("make test", NO_VARIABLE, [edited(".env", "", "DATABASE_URL=sqlite://")], PROVEN),
    "service started": ("pytest", REFUSED, [ran("docker compose up -d postgres")], PROVEN),
    "service started by the system": ("pytest", REFUSED, [ran("sudo systemctl start postgresql")], PROVEN),
    "the tested file": ("pytest", WRONG_SUM, [edited("src/calc.py", "a - b", "a + b")], PROVEN),
    "the named file": ("make", UNDECLARED, [edited("src/main.c", "int n;", "int count;")], PROVEN),
    "the named word elsewhere": ("make", UNDECLARED, [edited("include/defs.h", "", "int count;")], PROVEN),
    "migrated": ("python app.py", NO_TABLE, [ran("alembic upgrade head")], PROVEN),
    "made executable": ("./run.sh", DENIED, [ran("chmod +x run.sh")], PROVEN),
    "file put there": ("cat config/app.toml", NO_FILE, [ran("cp config/example.toml config/app.toml")], PROVEN),
    "pulled first": ("git push", REJECTED, [ran("git pull --rebase")], PROVEN),
    # It may as well have nothing to do with it
    "another file": ("pytest", WRONG_SUM, [edited("src/colours.py", "red", "blue")], UNPROVEN),
    "two things that may have nothing to do with it": (
        "pytest",
        NO_REDIS,
        [ran("mkdir notes"), ran("touch a")],
        UNPROVEN,
    ),
    "a command that was all that was done": ("pytest", NO_REDIS, [ran("mkdir notes")], PROVEN),
    "the shell prepared": ("pytest", NO_REDIS, [ran(". .venv/bin/activate")], PROVEN),
    "a variable set": ("make test", NO_VARIABLE, [ran("export DATABASE_URL=sqlite://")], PROVEN),
    "who one is": ("git commit -m x", NOBODY, [ran("git config user.email a@example.com")], PROVEN),
    "logged in": ("gh pr create", NO_LOGIN, [ran("gh auth login --with-token < token")], PROVEN),
    "built what was missing": ("node dist/cli.js", NO_BUILD, [ran("npm run build")], PROVEN),
    "built the package that the error names": (
        "vitest apps/shop",
        "Error: Failed to resolve entry for package '@fern/ui'.",
        [ran("pnpm --filter @fern/ui build")],
        PROVEN,
    ),
    "a text that the check demands": ("scripts/check", NO_ENTRY, [edited("CHANGELOG.md", "", "- x")], PROVEN),
    "an edit against a time-out": ("curl -f x", TIMEOUT, [edited("src/app.py")], UNPROVEN),
    "an edit against a refusal": ("pytest", REFUSED, [edited("src/colours.py")], UNPROVEN),
    # Nothing was done
    "nothing": ("pytest", WRONG_SUM, [], BY_ITSELF),
    "only looked": ("pytest", WRONG_SUM, [read("src/calc.py"), ran("cat src/calc.py"), ran("git diff")], BY_ITSELF),
    "only waited": ("curl -f x", TIMEOUT, [ran("sleep 30")], BY_ITSELF),
    "only written about": ("pytest", WRONG_SUM, [edited("README.md"), edited("docs/notes.txt")], BY_ITSELF),
    "only committed": ("pytest", WRONG_SUM, [ran("git add -A"), ran("git commit -m wip")], BY_ITSELF),
    "only other tests run": ("pytest tests/a", WRONG_SUM, [ran("pytest tests/b"), ran("ruff check .")], BY_ITSELF),
}


@pytest.mark.parametrize("name", TABLE)
def test_how_sure_it_is(name: str) -> None:
    command, error, done, expected = TABLE[name]
    assert judge(Failed(command, error, errors.signature(error)), done).proof is expected


def test_only_what_has_to_do_with_it_is_named() -> None:
    done = [edited("src/colours.py"), ran("pip install redis"), edited("README.md")]
    verdict = judge(Failed("pytest", NO_REDIS, errors.signature(NO_REDIS)), done)
    assert [event.target for event in verdict.causes] == ["pip install redis"]


def test_where_nothing_has_what_was_done_last_is_named() -> None:
    done = [edited("src/colours.py"), ran("mkdir notes")]
    verdict = judge(Failed("pytest", NO_REDIS, errors.signature(NO_REDIS)), done)
    assert [event.target for event in verdict.causes] == ["mkdir notes"]


def test_what_failed_twice_in_a_row_and_passed_after_one_change() -> None:
    """Then the change is the reason, whatever it has to do with it; unless such errors go away by themselves."""
    change = [edited("src/colours.py")]
    assert judge(Failed("pytest", WRONG_SUM, errors.signature(WRONG_SUM), times=2), change).proof is PROVEN
    assert judge(Failed("curl x", TIMEOUT, errors.signature(TIMEOUT), times=2), change).proof is UNPROVEN
    assert judge(Failed("pytest", WRONG_SUM, errors.signature(WRONG_SUM), times=2), change * 2).proof is UNPROVEN


def test_what_has_passed_by_itself_before_proves_nothing() -> None:
    flaky = Failed("pytest", WRONG_SUM, errors.signature(WRONG_SUM), flaky=True)
    assert judge(flaky, [edited("src/calc.py")]).proof is UNPROVEN
