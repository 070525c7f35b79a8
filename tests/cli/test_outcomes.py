"""`why` and `status` say what came of showings."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardwon.memory import Kind, LinkKind, Trust
from hardwon.store import changes
from hardwon.store.tables import recurrences, showings
from hardwon.store.tables.recurrences import Met
from hardwon.store.tables.showings import Outcome, Showing
from hardwon.store.tables.skill_loads import DAY, day_of
from tests.commandline import Cli
from tests.daemon.running import keep_fixed
from tests.support import note, now, opened

HELPED, IGNORED, UNKNOWN = Outcome.HELPED, Outcome.IGNORED, Outcome.UNKNOWN


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    folder = tmp_path / "app"
    folder.mkdir()
    return Cli(tmp_path / "home", folder)


def keep(cli: Cli, *outcomes: Outcome, days_ago: int = 1, trust: Trust = Trust.AGENT) -> str:
    """A failure that was shown so often."""
    with opened(cli.home) as store:
        id = note(store, "`make test` failed: refused", kind=Kind.FAILURE, trust=trust, evidence=("a-client:s1:c1",))
        at = now() - days_ago * DAY
        showings.record(store, [Showing(id, "prompt", at, 12, one) for one in outcomes])
        return id


def happened(cli: Cli, id: str, *days_ago: int) -> None:
    with opened(cli.home) as store:
        for back in days_ago:
            met = Met()
            met.add(id, now() - back * DAY, known=False)
            recurrences.record(store, met)


def test_why_says_what_came_of_it(cli: Cli) -> None:
    """The evidence, each showing with its moment, tokens and outcome, the sums, the days."""
    id = keep(cli, HELPED, UNKNOWN, IGNORED)
    happened(cli, id, 9, 2)
    said = cli.run("why", id).stdout
    assert "a-client:s1:c1" in said
    assert "shown 3 times, 36 tokens; helped 1, ignored 1" in said
    assert [line.split("  ")[-1] for line in said.splitlines() if "prompt, 12 tokens" in line] == [
        f"prompt, 12 tokens: {one}" for one in (HELPED, UNKNOWN, IGNORED)
    ]
    assert f"happened on {day_of(now() - 9 * DAY)} and on 1 later, last {day_of(now() - 2 * DAY)}" in said
    assert "quiet" not in said
    told = cli.json("why", id)
    assert [one["outcome"] for one in told["showings"]] == [HELPED, UNKNOWN, IGNORED]
    assert (told["helped"], told["ignored"], told["quiet"], told["waits_for_action"]) == (1, 1, None, False)
    assert told["happened"] == {day_of(now() - 9 * DAY): 1, day_of(now() - 2 * DAY): 1}


def test_why_of_what_was_never_shown(cli: Cli) -> None:
    """Nothing came of it."""
    id = keep(cli)
    assert "shown 0 times, 0 tokens\n" in cli.run("why", id).stdout
    assert cli.json("why", id)["helped"] == 0


def test_why_of_a_fix_says_with_what_it_was_told(cli: Cli) -> None:
    """It is said in the line of its failure, and has no showings of its own; what was shown before does not count."""
    with opened(cli.home) as store:
        failure, fix = keep_fixed(store, cli.folder, "make test", times=2)
        other = note(store, "restart the machine", kind=Kind.FIX, subtype="failed", trust=Trust.VERIFIED)
        changes.link(store, other, LinkKind.FIXES, failure, now())
        at = now() + 1000
        seen = [(at - DAY, UNKNOWN), (at, HELPED), (at + 1, IGNORED), (at + 2, HELPED)]
        showings.record(store, [Showing(failure, "before action", when, 12, one) for when, one in seen])
    said = cli.run("why", fix).stdout
    assert said.endswith(f"told with {failure[-6:]}, which was shown 3 times since; helped 2, ignored 1\n")
    assert cli.json("why", fix)["told_with"] == [{"id": failure, "shown": 3, "helped": 2, "ignored": 1}]
    assert cli.json("why", other)["told_with"] == []
    assert "told with" not in cli.run("why", failure).stdout


def test_what_was_tried_in_vain_is_no_fix(cli: Cli) -> None:
    """Neither in `status` nor in its JSON."""
    with opened(cli.home) as store:
        for subtype in ("worked", "failed", "partial"):
            note(store, f"{subtype}: start the database first", kind=Kind.FIX, subtype=subtype)
    assert cli.json("status")["everywhere"] == {"attempt": 2, "fix": 1}
    assert "everywhere       2 attempts, 1 fix\n" in cli.run("status").stdout


def test_why_says_that_it_is_quiet(cli: Cli) -> None:
    """And for which reason; it is found by hand all the same."""
    id = keep(cli, *[IGNORED] * 4)
    said = cli.run("why", id).stdout
    assert "quiet: it was shown 4 times, never helped, and was ignored 4 times." in said
    assert cli.json("why", id)["quiet"].startswith("it was shown 4 times")
    assert [one["id"] for one in cli.json("recall", "make test refused", "--global")["items"]] == [id]
    assert [one["id"] for one in cli.json("search", "refused")["items"]] == [id]


def test_why_says_that_it_was_called_wrong(cli: Cli) -> None:
    """By a caller who could not overrule it."""
    id = keep(cli, trust=Trust.VERIFIED)
    with opened(cli.home) as store:
        changes.complain(store, id, Trust.AGENT, "no", now())
    assert "quiet: it was called wrong." in cli.run("why", id).stdout


def test_status_says_what_came_of_the_last_month(cli: Cli) -> None:
    """What was shown, what helped, what was ignored; older showings don't count."""
    keep(cli, HELPED, HELPED, IGNORED, UNKNOWN, days_ago=20)
    keep(cli, HELPED, days_ago=40)
    assert cli.json("status")["last_30_days"] == {"shown": 4, "helped": 2, "ignored": 1}
    assert "shown 4 times, helped 2, ignored 1" in cli.run("status").stdout


def test_status_says_how_often_failures_come_back(cli: Cli) -> None:
    """Per week, before and after they were first shown."""
    id = keep(cli, UNKNOWN, days_ago=14)
    happened(cli, id, 28, 21, 14, 7)
    found = cli.json("status")["repeats"]
    assert found == {
        "this_week": 0,
        "before": {"repeats": 2, "weeks": 2.0, "per_week": 1.0},
        "after": {"repeats": 1, "weeks": 2.0, "per_week": 0.5},
    }
    assert "each a week 1.00 before, 0.50 after its first showing" in cli.run("status").stdout


def test_status_of_an_empty_home_says_nothing_of_it(cli: Cli) -> None:
    """The fields are there, the lines are not."""
    found = cli.json("status")
    assert found["last_30_days"] == {"shown": 0, "helped": 0, "ignored": 0}
    assert found["repeats"]["before"] == {"repeats": 0, "weeks": 0.0, "per_week": None}
    said = cli.run("status").stdout
    assert "last 30 days" not in said
    assert "failures again" not in said


def test_status_of_skills_counts_what_helped(cli: Cli) -> None:
    """The column is the number of showings that helped."""
    with opened(cli.home) as store:
        id = note(store, "run `make migrations`", skill="models")
        showings.record(store, [Showing(id, "skill", now(), 9, one) for one in (HELPED, UNKNOWN, IGNORED, HELPED)])
    (item,) = cli.json("status", "--skills")["items"]
    assert (item["shown"], item["helped"]) == (4, 2)
