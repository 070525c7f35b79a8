"""The lessons of a skill: which rung answers, in which order, and at what cost."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hardwon.memories.search.rank import DAY, Candidate
from hardwon.memories.skills import FEW, Lessons, Wanted, is_lesson, lessons, principles, ranking, relevance
from hardwon.memory import GLOBAL, Anchor, AnchorKind, Draft, Kind, Memory, Scope, Status, Trust
from hardwon.paths import Home
from hardwon.settings import DEFAULTS
from hardwon.store import changes
from hardwon.store.connection import Store, open_store
from hardwon.store.tables import memories
from hardwon.text.skills.frontmatter import SkillTuning, Weights

NOW = 1_790_000_000_000
HALF_LIFE = 60


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(Home(tmp_path / "home"), DEFAULTS) as opened:
        yield opened


def keep(
    store: Store, body: str, skill: str | None = "deploy", project: str = "p", at: int = NOW, times: int = 1,
    **fields: object,
) -> str:  # fmt: skip
    given = {"kind": Kind.LESSON, "trust": Trust.AGENT, "source": "agent"} | fields
    draft = Draft(body=body, scope=Scope(project, skill), **given)  # type: ignore[arg-type]
    noted = [changes.note(store, draft, at) for _ in range(times)]
    assert noted[0].id
    return noted[0].id


def ask(store: Store, intent: str = "", tuning: SkillTuning | None = None, **fields: object) -> Lessons:
    given = {"skill": "deploy", "projects": ("p", GLOBAL), "intent": intent} | fields
    return lessons(store, Wanted(**given), NOW, tuning or SkillTuning())  # type: ignore[arg-type]


def bodies(found: Lessons) -> list[str]:
    return [item.ranked.memory.body for item in found.items]


# The rungs


@pytest.fixture(params=["few", "many"])
def kept(request: pytest.FixtureRequest, store: Store) -> Store:
    """Lessons about three things; many of them are searched by the index, few are read one by one."""
    with store.transaction():
        keep(store, "production waits for the lock", times=3)
        keep(store, "the staging certificate expires monthly")
        keep(store, "rollbacks need the old image")
        for number in range(FEW * 3 if request.param == "many" else 5):
            keep(store, f"note {number} about the pipeline", at=NOW - (number + 1) * DAY)
    return store


@pytest.mark.parametrize(
    ("intent", "prompt", "rung", "first"),
    [
        ("to production, lock", "", "words", "production waits for the lock"),
        ("CERTIFICATES on staging", "", "words", "the staging certificate expires monthly"),
        ("old images", "note 3", "words", "rollbacks need the old image"),
        ("", "the certificate of staging is wrong", "words", "the staging certificate expires monthly"),
        ("  \n", "the certificate of staging is wrong", "words", "the staging certificate expires monthly"),
        ("", "", "flat", "production waits for the lock"),
        ("zzz qqq", "", "flat", "production waits for the lock"),
        ("", "zzz qqq", "flat", "production waits for the lock"),
        ("how should this be done?", "", "flat", "production waits for the lock"),
        ('" OR ( * ^ -', "", "flat", "production waits for the lock"),
    ],
)
def test_the_first_rung_that_finds_something_answers(
    kept: Store, intent: str, prompt: str, rung: str, first: str
) -> None:
    """W64: what the skill is wanted for, else the prompt before it, else use and recency."""
    found = ask(kept, intent, prompt=prompt)
    assert found.rung == rung
    assert bodies(found)[0] == first


def test_what_it_is_wanted_for_puts_into_order_and_leaves_nothing_out(kept: Store) -> None:
    """No bound decides whether there is an order at all: another wording of the lesson that fits would not be said."""
    for found in (bodies(ask(kept, "staging certificate")), bodies(ask(kept, prompt="staging certificate"))):
        assert found[:2] == ["the staging certificate expires monthly", "production waits for the lock"]
        assert len(found) == len(set(found)) == len(bodies(ask(kept)))


def test_an_anchor_speaks_for_a_lesson(store: Store) -> None:
    """A lesson about exactly the file that the intent names."""
    keep(store, "never by hand", anchors=(Anchor(AnchorKind.FILE, "ops/roll.sh"),))
    keep(store, "something about rolling")
    found = ask(store, "change ops/roll.sh", anchors=(Anchor(AnchorKind.FILE, "ops/roll.sh"),))
    assert bodies(found)[0] == "never by hand"


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ("of another skill", {"skill": "build"}),
        ("of no skill", {"skill": None}),
        ("of another project", {"project": "q"}),
        ("a checkpoint", {"kind": Kind.CHECKPOINT}),
        ("from an untrusted place", {"trust": Trust.UNTRUSTED}),
    ],
)
@pytest.mark.parametrize("intent", ["", "skill project checkpoint place"])
def test_what_is_no_lesson_of_this_skill_stays_away(
    store: Store, body: str, fields: dict[str, object], intent: str
) -> None:
    """On no rung; and with nothing else there is silence."""
    keep(store, body, **fields)  # type: ignore[arg-type]
    assert ask(store, intent) == dataclasses.replace(ask(store, intent), rung="nothing", items=[])


@pytest.mark.parametrize("status", [Status.ARCHIVED, Status.STALE, Status.RESOLVED])
@pytest.mark.parametrize("intent", ["", "production lock"])
def test_what_was_put_away_stays_away(store: Store, status: Status, intent: str) -> None:
    """Archived, called wrong or done: it is history."""
    changes.move(store, keep(store, "production waits for the lock"), status, NOW)
    assert ask(store, intent).items == []


def test_lessons_of_the_project_and_of_everywhere(store: Store) -> None:
    """Both tiers; of two alike the project's own comes first."""
    keep(store, "holds everywhere", project=GLOBAL)
    keep(store, "holds here")
    assert bodies(ask(store)) == ["holds here", "holds everywhere"]
    assert bodies(ask(store, projects=(GLOBAL,))) == ["holds everywhere"]


def test_other_memories_do_not_crowd_out_a_lesson(store: Store) -> None:
    """A thousand memories of the project with the same words, and a thousand lessons of another skill."""
    with store.transaction():
        wanted = keep(store, "the deploy lock belongs to production", at=NOW - 900 * DAY)
        for number in range(FEW + 10):
            keep(store, f"pipeline {number}", at=NOW - 900 * DAY)
        for number in range(1_000):
            keep(store, f"production deploy lock number {number}", skill=None)
            keep(store, f"production deploy lock number {number}", skill="build")
    found = ask(store, "production lock")
    assert found.items[0].ranked.memory.id == wanted
    assert {item.ranked.memory.scope for item in found.items} == {Scope("p", "deploy")}


# How many


@pytest.mark.parametrize(("top", "shown"), [(None, 20), (0, 0), (1, 1), (7, 7), (200, 30)])
@pytest.mark.parametrize("intent", ["", "lesson"])
def test_the_frontmatter_says_how_many(store: Store, top: int | None, shown: int, intent: str) -> None:
    """Twenty without it, never more than the budget holds."""
    for number in range(30):
        keep(store, f"lesson {number}")
    assert len(ask(store, intent, SkillTuning(top=top)).items) == shown


def test_a_bound_keeps_back_what_fits_too_little(store: Store) -> None:
    """`min_score` counts where there is something to be relevant to."""
    keep(store, "lock the red production")
    keep(store, "staging certificate")
    intent = "red production lock, staging certificate"
    both = ask(store, intent)
    assert len(both.items) == 2
    bound = (both.items[0].ranked.score + both.items[1].ranked.score) / 2
    found = ask(store, intent, SkillTuning(min_score=bound))
    assert bodies(found) == ["lock the red production"]
    assert [one.memory.body for one in found.held_back] == ["staging certificate"]
    assert len(ask(store, "", SkillTuning(min_score=1.0)).items) == 2


# The order


def candidate(name: str, coverage: float = 0.5, hits: int = 0, age: float = 0, **changes: object) -> Candidate:
    memory = Memory(
        id=name, kind=Kind.LESSON, body=name, scope=Scope("p", "deploy"), trust=Trust.AGENT, source="agent",
        status=Status.ACTIVE, created_at=NOW, updated_at=NOW - int(age * DAY),
    )  # fmt: skip
    return Candidate(dataclasses.replace(memory, **changes), coverage, coverage, hits=hits)  # type: ignore[arg-type]


ONLY = {name: Weights(**{"relevance": 0, "recency": 0, "hits": 0} | {name: 1}) for name in Weights.__slots__}

# What is compared, the weights, the better one, the worse one.
PAIRS = [
    ("fits better", Weights(), candidate("a", 0.9), candidate("b", 0.4)),
    ("used more", Weights(), candidate("a", hits=4), candidate("b")),
    ("newer", Weights(), candidate("a", age=1), candidate("b", age=60)),
    ("pinned", Weights(), candidate("a", age=900, pinned=True), candidate("b", age=60)),
    ("said by a person", Weights(), candidate("a", trust=Trust.USER), candidate("b")),
    ("of this project", Weights(), candidate("a"), candidate("b", scope=Scope(GLOBAL, "deploy"))),
    ("not called wrong", Weights(), candidate("a"), candidate("b", complaints=("no",))),
    ("fit before use", Weights(), candidate("a", 0.9), candidate("b", 0.4, hits=9)),
    ("fit before date", Weights(), candidate("a", 0.9, age=900), candidate("b", 0.3)),
    ("only fit", ONLY["relevance"], candidate("a", 0.5, age=900), candidate("b", 0.4, hits=99)),
    ("only date", ONLY["recency"], candidate("a", 0.1, age=1), candidate("b", 1.0, hits=99, age=2)),
    ("only use", ONLY["hits"], candidate("a", 0.1, hits=2, age=900), candidate("b", 1.0, hits=1)),
    ("no weight at all", Weights(0, 0, 0), candidate("a", 0.1), candidate("b", 1.0, hits=9, age=1)),
]


@pytest.mark.parametrize(("what", "weights", "better", "worse"), PAIRS, ids=[pair[0] for pair in PAIRS])
def test_the_order_of_two(what: str, weights: Weights, better: Candidate, worse: Candidate) -> None:
    """By the weights of the skill's frontmatter; only their proportion matters."""
    for scale in (1, 7):
        scaled = Weights(weights.relevance * scale, weights.recency * scale, weights.hits * scale)
        first, second = ranking([worse, better], scaled, NOW, HALF_LIFE, asked=True)
        assert first.memory.id == "a", (what, first, second)
        assert 0 <= second.score <= first.score <= 1


def test_where_nothing_was_asked_relevance_has_no_say() -> None:
    """And is not among the factors."""
    first, second = ranking(
        [candidate("a", 1.0), candidate("b", 0.0, hits=1)], ONLY["relevance"], NOW, HALF_LIFE, asked=False
    )
    assert (first.score, "relevance" in first.factors) == (second.score, False)
    used, _ = ranking([candidate("a", 1.0), candidate("b", 0.0, hits=1)], Weights(), NOW, HALF_LIFE, asked=False)
    assert used.memory.id == "b"


FITS = [
    # What: (coverage, cosine) of each lesson, and which fits best.
    ("the word of one", [(0.2, None), (0.0, None)], 0),
    ("the meaning of one", [(0.0, 0.21), (0.0, 0.38)], 1),
    ("a low cosine that stands out", [(0.0, 0.05), (0.0, 0.19), (0.0, 0.04)], 1),
    ("a common word against the meaning", [(0.1, 0.2), (0.0, 0.5)], 1),
    ("half the words against a little meaning", [(0.5, 0.30), (0.0, 0.34)], 0),
    ("one that has no vector yet", [(0.6, None), (0.0, 0.4)], 0),
]


@pytest.mark.parametrize(("what", "found", "best"), FITS, ids=[one[0] for one in FITS])
def test_how_well_each_fits_is_told_beside_the_others(
    what: str, found: list[tuple[float, float | None]], best: int
) -> None:
    """All lessons of a skill are about the same: what tells them apart counts, however little it is."""
    fits = relevance([dataclasses.replace(candidate("x", share), cosine=cosine) for share, cosine in found])
    assert fits.index(max(fits)) == best, (what, fits)
    assert all(0 <= fit <= 1 for fit in fits)


TOLD = [
    ("a lesson", {}, True),
    ("a fix that worked", {"kind": Kind.FIX, "subtype": "worked"}, True),
    ("an attempt in vain", {"kind": Kind.FIX, "subtype": "failed"}, False),
    ("a failure that was seen once", {"kind": Kind.FAILURE}, False),
    ("a failure that came again", {"kind": Kind.FAILURE, "hits": 1}, True),
    ("a checkpoint", {"kind": Kind.CHECKPOINT}, False),
    ("a lesson that was replaced", {"status": Status.SUPERSEDED}, False),
]


@pytest.mark.parametrize(("what", "fields", "told"), TOLD, ids=[one[0] for one in TOLD])
def test_what_is_worth_having_before_the_skill_is_at_work(what: str, fields: dict[str, Any], told: bool) -> None:
    """Not everything that happened under a skill helps whoever uses it next."""
    assert is_lesson(candidate("x", **fields)) is told, what


# What holds everywhere


def test_principles_are_lessons_of_no_skill_that_hold_everywhere(store: Store) -> None:
    """Five at most, the most used first; nothing else that is global."""
    for number in range(9):
        keep(
            store,
            f"principle {number}",
            skill=None,
            project=GLOBAL,
            at=NOW - number * DAY,
            times=3 if number == 8 else 1,
        )
    keep(store, "a rule", skill=None, project=GLOBAL, kind=Kind.RULE)
    keep(store, "of a project", skill=None)
    keep(store, "of a skill", project=GLOBAL)
    changes.move(store, keep(store, "put away", skill=None, project=GLOBAL), Status.ARCHIVED, NOW)
    said = [item.ranked.memory.body for item in principles(store, NOW)]
    assert said == ["principle 8", "principle 0", "principle 1", "principle 2", "principle 3"]


def test_without_principles_there_are_none(store: Store) -> None:
    """An empty store has nothing to say."""
    assert principles(store, NOW) == []


# The table behind it


def test_hits_stand_in_the_row(store: Store) -> None:
    """However a memory or its counts are changed, the number that the index sorts by is the one that counts."""
    id = keep(store, "production waits for the lock", times=4)
    keep(store, "another")
    changes.edit(store, id, {"title": "Locks"}, NOW)
    with store.transaction():
        store.db.execute("insert into counts (memory, device, hits) values (?, 'other', 5)", (id,))
    rows = dict(store.rows("select body, hits from memories"))
    assert rows == {"production waits for the lock": 8, "another": 0}
    changes.move(store, id, Status.ARCHIVED, NOW)
    changes.move(store, id, Status.ACTIVE, NOW)
    assert store.value("select hits from memories where id = ?", (id,)) == 8
    assert memories.hits(store, [id]) == {id: 8}


@pytest.mark.parametrize("intent", ["", "pipeline", "number 77"])
def test_no_lesson_is_read_that_is_not_needed(store: Store, intent: str) -> None:
    """W11: twenty thousand lessons of one skill: an answer takes little longer than with two hundred."""
    took = {}
    with store.transaction():
        for number in range(200):
            keep(store, f"pipeline number {number}", at=NOW - number)
    for size in (200, 20_000):
        if size > 200:
            _copies(store, size)
        runs = []
        for _ in range(15):
            began = time.perf_counter()
            assert ask(store, intent).items
            runs.append(time.perf_counter() - began)
        took[size] = sorted(runs)[2]
    assert took[20_000] < 5 * took[200] + 0.005, took


def _copies(store: Store, size: int) -> None:
    """Rows made in SQL: noting them one by one would take a minute."""
    columns = [name for _, name, *_ in store.rows("pragma table_info(memories)") if name != "row"]
    changed = {"id": "id || '-' || n.value", "tail": "n.value || '-' || tail", "text_hash": "randomblob(16)",
               "updated_at": "updated_at - n.value * 1000"}  # fmt: skip
    values = ", ".join(changed.get(name, name) for name in columns)
    with store.transaction():
        store.db.execute(
            f"with recursive n(value) as (select 1 union all select value + 1 from n limit {size // 200 - 1})"
            f" insert into memories ({', '.join(columns)}) select {values} from memories, n"
        )
        store.db.execute(
            "insert into memory_search (rowid, title, body, intent, anchors)"
            " select row, title, body, intent, '' from memories where length(id) > 36"
        )


def test_the_plan_of_every_query_is_an_index(store: Store) -> None:
    """None of them sorts or walks through a table."""
    seen: list[str] = []

    def trace(cursor: object, sql: str, bindings: object) -> bool:
        seen.append(sql)
        return True

    keep(store, "one")
    store.db.exec_trace = trace
    memories.lessons(store, "deploy", ("p", GLOBAL), 20)
    memories.has_more_lessons(store, "deploy", ("p", GLOBAL), 20)
    memories.principles(store, 5)
    store.db.exec_trace = None
    for sql in {one for one in seen if "indexed by" in one}:
        plan = " ".join(str(row[3]) for row in store.rows(f"explain query plan {sql}", [1] * sql.count("?")))
        assert "INDEX" in plan, (sql, plan)
        assert "TEMP B-TREE" not in plan, (sql, plan)
