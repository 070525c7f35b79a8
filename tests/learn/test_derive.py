"""From a session's journal to what was learned, as tables; and into a store, where reading again adds nothing."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from hardwon.event import Event, EventType, Tier
from hardwon.learn.derive import Learned, derive
from hardwon.learn.session import learn
from hardwon.memories.moments import fixes_of
from hardwon.memory import AnchorKind, Kind, Memory, Status, Trust
from hardwon.store.connection import Store
from hardwon.store.tables import journal, memories
from hardwon.text import errors
from hardwon.text.commands import only_looks
from tests.support import opened

AT = 1_790_000_000_000
BOOM = "Exit code 1\nTraceback (most recent call last):\nKeyError: 'REDIS_URL'"
OTHER = "Exit code 1\nSyntaxError: invalid syntax"


def happened(type_: EventType, tool: str, target: str, **fields: object) -> Event:
    return Event(type_, "claude-code", "s1", 0, "p", tool=tool, target=target, **fields)  # type: ignore[arg-type]


def failed(command: str = "make test", error: str = BOOM, status: int | None = 1) -> Event:
    return happened(EventType.TOOL_FAILED, "Bash", command, error=error, exit_status=status)


def passed(command: str = "make test") -> Event:
    return happened(EventType.TOOL_FINISHED, "Bash", command, text="ok")


def edited(file: str = "conf.py", text: str = "- off\n+ on") -> Event:
    return happened(EventType.TOOL_FINISHED, "Edit", file, text=text)


def rejected(file: str = "conf.py") -> Event:
    return happened(EventType.TOOL_FAILED, "Edit", file, error="<tool_use_error>String to replace not found")


def looked(file: str = "conf.py", tool: str = "Read") -> Event:
    return happened(EventType.TOOL_FINISHED, tool, file)


def said(words: str) -> Event:
    return Event(EventType.PROMPT_SUBMITTED, "claude-code", "s1", 0, "p", prompt=words, text=words)


def session(*events: Event) -> list[Event]:
    """In order, a second apart, each call with an id."""
    import dataclasses

    return [
        dataclasses.replace(event, at=AT + 1_000 * number, call=f"c{number}" if event.tool else "")
        for number, event in enumerate(events)
    ]


def outline(learned: Sequence[Learned]) -> list[tuple[Kind, str, str | None]]:
    """Kind, the call that it came from, the call whose failure it fixes."""
    return [
        (one.draft.kind, (one.draft.origin_key or "").split(":")[1], one.fixes.split(":")[1] if one.fixes else None)
        for one in learned
    ]


FAILURE, FIX = Kind.FAILURE, Kind.FIX

TABLE: dict[str, tuple[list[Event], list[tuple[Kind, str, str | None]]]] = {
    # A failure and what made the same command pass
    "failed, edited, passed": ([failed(), edited(), passed()], [(FAILURE, "c0", None), (FIX, "c2", "c0")]),
    "written instead of edited": (
        [failed(), happened(EventType.TOOL_FINISHED, "Write", "conf.py", text="on"), passed()],
        [(FAILURE, "c0", None), (FIX, "c2", "c0")],
    ),
    "another command was the change": (
        [failed(), passed("docker compose up -d redis"), passed()],
        [(FAILURE, "c0", None), (FIX, "c2", "c0")],
    ),
    "typed in another way": (
        [failed("cd app && CI=1 make  test"), edited(), passed("make test")],
        [(FAILURE, "c0", None), (FIX, "c2", "c0")],
    ),
    "two attempts, the second worked": (
        [failed(), edited("a.toml"), failed(), edited("b.toml"), passed()],
        [(FAILURE, "c0", None), (FIX, "c2", "c0"), (FAILURE, "c2", None), (FIX, "c4", "c0")],
    ),
    "mended, broken, mended": (
        [failed(), edited(), passed(), failed(), edited(), passed()],
        [(FAILURE, "c0", None), (FIX, "c2", "c0"), (FAILURE, "c3", None), (FIX, "c5", "c3")],
    ),
    "two failures, one change": (
        [failed("make test"), failed("make lint", OTHER), edited(), passed("make lint"), passed("make test")],
        [(FAILURE, "c0", None), (FAILURE, "c1", None), (FIX, "c3", "c1"), (FIX, "c4", "c0")],
    ),
    "with words and looks between": (
        [failed(), said("please go on with it"), looked(), edited(), looked("x", "Grep"), passed()],
        [(FAILURE, "c0", None), (FIX, "c5", "c0")],
    ),
    # No fix
    "never passed": ([failed(), edited()], [(FAILURE, "c0", None)]),
    "a retry without change": ([failed(), passed()], [(FAILURE, "c0", None)]),
    "a retry after a look": ([failed(), looked(), looked("TODO", "Grep"), passed()], [(FAILURE, "c0", None)]),
    "a retry after a look by a command": (
        [
            failed(),
            passed("cat conf.py"),
            passed("git status"),
            passed("ls -la src"),
            passed("git diff HEAD"),
            passed(),
        ],
        [(FAILURE, "c0", None)],
    ),
    "a retry after a rejected edit": ([failed(), rejected(), passed()], [(FAILURE, "c0", None)]),
    "changed, failed again, then passed by itself": (
        [failed(), edited(), failed(), passed()],
        [(FAILURE, "c0", None), (FIX, "c2", "c0"), (FAILURE, "c2", None)],
    ),
    "another command passed": ([failed("make test"), edited(), passed("make lint")], [(FAILURE, "c0", None)]),
    "passed before it failed": ([passed(), edited(), failed()], [(FAILURE, "c2", None)]),
    "fixed once, not twice": (
        [failed(), edited(), passed(), passed(), passed()],
        [(FAILURE, "c0", None), (FIX, "c2", "c0")],
    ),
    # No lesson at all
    "nothing": ([], []),
    "all went well": ([said("go"), looked(), edited(), passed()], []),
    "grep found nothing": ([failed("grep -r TODO src", "Exit code 1", 1), edited(), passed("grep -r TODO src")], []),
    "rg found nothing": ([failed("cd src && rg foo", "Exit code 1", 1)], []),
    "diff found something": ([failed("diff a b", "Exit code 1\n< x\n> y", 1)], []),
    "git diff found something": ([failed("git diff --exit-code", "Exit code 1\n+x", 1)], []),
    "a test was false": ([failed("test -f x", "Exit code 1", 1), failed("[ -f x ]", "Exit code 1", 1)], []),
    "Esc": ([failed(error="[Request interrupted by user for tool use]", status=None), edited(), passed()], []),
    "denied": ([failed("rm -rf /", "Permission to use Bash has been denied.", None)], []),
    "an edit was rejected": ([rejected(), edited()], []),
    "a file was not there": ([happened(EventType.TOOL_FAILED, "Read", "x", error="File does not exist.")], []),
    "an MCP tool failed": (
        [happened(EventType.TOOL_FAILED, "mcp__mem__boom", "", error="BOOM")],
        [(FAILURE, "c0", None)],
    ),
    # What grep itself could not do
    "grep failed": ([failed("grep -P '(' x", "Exit code 2\ngrep: missing )", 2)], [(FAILURE, "c0", None)]),
}


@pytest.mark.parametrize("name", TABLE)
def test_what_is_learned_from_a_session(name: str) -> None:
    """Failures, and fixes with the failure that they fix, by the calls that they came from."""
    events, expected = TABLE[name]
    assert outline(derive(session(*events))) == expected


def test_what_a_failure_says() -> None:
    """The command, what went wrong, proof; found again by the command and by the error."""
    (learned,) = derive(session(failed("cd app && make test")))
    draft = learned.draft
    assert draft.body == "`make test` failed: KeyError: 'REDIS_URL'"
    assert (draft.trust, draft.source, draft.scope.project) == (Trust.VERIFIED, "session", "p")
    anchors = {anchor.kind: anchor.value for anchor in draft.anchors}
    assert anchors[AnchorKind.COMMAND] == "make test"
    assert anchors[AnchorKind.ERROR] == errors.signature(BOOM)
    assert draft.evidence == ("claude-code:s1:c0", "said: KeyError: 'REDIS_URL'")
    assert draft.origin_key == "claude-code:c0:failure"


def test_what_a_fix_says() -> None:
    """What was done since and has to do with it; not what was done before the failure."""
    events = session(edited("before.py"), failed(), edited("a.py", "- x\n+ y"), passed("pip install redis"), passed())
    fix = derive(events)[-1].draft
    assert fix.body == "`make test` works after: `pip install redis`"
    assert (fix.kind, fix.subtype, fix.trust) == (Kind.FIX, "worked", Trust.VERIFIED)
    assert [(anchor.kind, anchor.value) for anchor in fix.anchors] == [(AnchorKind.COMMAND, "make test")]


def test_an_error_without_words_has_no_error_anchor() -> None:
    """It would match every other error without words."""
    (learned,) = derive(session(failed("./check.sh", "Exit code 1", 1)))
    assert [anchor.kind for anchor in learned.draft.anchors] == [AnchorKind.COMMAND]


def test_long_things_are_said_in_short() -> None:
    """A screen of a command, a page of a change."""
    command = "echo " + "x" * 5_000
    events = session(
        failed(command, "Exit code 1\nError: " + "y" * 5_000), edited("a.py", "z" * 5_000), passed(command)
    )
    assert all(len(learned.draft.body) < 1_000 for learned in derive(events))


def test_a_sub_agents_work_counts() -> None:
    """It is one session: the sub-agent may mend what the main agent broke."""
    import dataclasses

    events = session(failed(), edited(), passed())
    by_sub = [events[0], dataclasses.replace(events[1], agent="a1"), dataclasses.replace(events[2], agent="a1")]
    assert outline(derive(by_sub)) == outline(derive(events))


# In a store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with opened(tmp_path / "home") as one:
        yield one


def write(store: Store, events: Sequence[Event]) -> None:
    for event in events:
        journal.append(store, event, Tier.FULL)


def everything(store: Store) -> dict[str, tuple[Memory, int]]:
    found = {memory.body: memory for memory in memories.all_memories(store)}
    hits = memories.hits(store, [memory.id for memory in found.values()])
    return {body: (memory, hits.get(memory.id, 0)) for body, memory in found.items()}


def the(kind: Kind, store: Store) -> tuple[Memory, int]:
    (found,) = [pair for pair in everything(store).values() if pair[0].kind is kind]
    return found


def test_a_fix_is_linked_and_resolves_its_failure(store: Store) -> None:
    """So that the one brings back the other, and nobody is stopped by what works again."""
    write(store, session(failed(), edited(), passed()))
    assert learn(store, "claude-code", "s1", AT) == 2
    (failure, _), (fix, _) = the(Kind.FAILURE, store), the(Kind.FIX, store)
    assert [one.id for one in fixes_of(store, failure)] == [fix.id]
    assert (failure.status, fix.status) == (Status.RESOLVED, Status.ACTIVE)


def test_the_same_failure_again_is_a_hit_and_opens_it(store: Store) -> None:
    """One memory, counted; resolved until it happens again."""
    write(store, session(failed(), edited(), passed(), failed()))
    learn(store, "claude-code", "s1", AT)
    failure, hits = the(Kind.FAILURE, store)
    assert (hits, failure.status) == (1, Status.ACTIVE)
    assert len(fixes_of(store, failure)) == 1


def test_reading_a_session_again_adds_nothing(store: Store) -> None:
    """At the end of each turn, from the transcript, at the next start: the same memories, the same counts."""
    events = session(*(event for rows, _ in TABLE.values() for event in rows))
    write(store, events)
    first = learn(store, "claude-code", "s1", AT)
    before = everything(store)
    assert first == len(before) > 5
    for number in range(3):
        assert learn(store, "claude-code", "s1", AT + 60_000 * number) == 0
        assert everything(store) == before


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_arrival_does_not_matter(store: Store, tmp_path: Path, seed: int) -> None:
    """The journal is read in the order in which things happened, however late they came in."""
    events = session(*(event for rows, _ in TABLE.values() for event in rows))
    write(store, events)
    learn(store, "claude-code", "s1", AT)
    shuffled = list(events)
    random.Random(seed).shuffle(shuffled)
    with opened(tmp_path / "late") as late:
        write(late, shuffled)
        learn(late, "claude-code", "s1", AT)
        assert what(late) == what(store)


def test_learning_after_every_event_is_learning_once(store: Store, tmp_path: Path) -> None:
    """Live, turn by turn, or the whole session at its end."""
    events = session(
        failed(), edited("a.toml"), failed(), edited("b.toml"), passed(), failed(), failed("make lint", OTHER)
    )
    for event in events:
        write(store, [event])
        learn(store, "claude-code", "s1", event.at)
    with opened(tmp_path / "late") as late:
        write(late, events)
        learn(late, "claude-code", "s1", AT + 60_000)
        assert what(late) == what(store)


def what(store: Store) -> set[tuple[Kind, str, Status, int, int]]:
    """What a store knows, without ids and times."""
    return {
        (memory.kind, body, memory.status, hits, len(fixes_of(store, memory)))
        for body, (memory, hits) in everything(store).items()
    }


def test_sessions_of_two_projects_learn_apart(store: Store) -> None:
    """The same failure in another project is another memory."""
    import dataclasses

    events = session(failed())
    write(store, events)
    write(store, [dataclasses.replace(event, session="s2", project="q", call="d0") for event in events])
    for one in ("s1", "s2"):
        learn(store, "claude-code", one, AT)
    found = list(memories.all_memories(store))
    assert sorted(memory.scope.project for memory in found) == ["p", "q"]


def test_without_a_project_nothing_is_learned(store: Store) -> None:
    """It could be brought back nowhere."""
    import dataclasses

    write(store, [dataclasses.replace(event, project=None) for event in session(failed())])
    assert learn(store, "claude-code", "s1", AT) == 0


def test_every_row_of_the_table_is_idempotent() -> None:
    """derive is pure: the same journal, the same answer."""
    for events, _ in TABLE.values():
        one, other = itertools.tee(session(*events))
        assert derive(list(one)) == derive(list(other))


@pytest.mark.parametrize(
    ("command", "looks"),
    [
        ("cat conf.py", True),
        ("ls", True),
        ("cd src && ls -la | head -5", True),
        ("git log --oneline -3", True),
        ("grep -rn foo . 2>/dev/null | wc -l", True),
        ("cat x 2>&1", True),
        ("find . -name '*.py'", True),
        ("find . -name '*.pyc' -delete", False),
        ("find . -exec rm {} +", False),
        ("echo on > conf", False),
        ("cat > conf <<EOF\non\nEOF", False),
        ("cat x | tee y", False),
        ("ls && make install", False),
        ("git checkout main", False),
        ("git difftool", False),
        ("pip install redis", False),
        ("lsof", True),
        ("", False),
    ],
)
def test_which_commands_only_look(command: str, looks: bool) -> None:
    """Such a one between a failure and a pass has mended nothing."""
    assert only_looks(command) == looks
