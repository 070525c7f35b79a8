"""A transcript that is read again after the journal was thinned changes nothing: no event, no memory, no count."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardwon.clients import past_sessions
from hardwon.learn import history
from hardwon.learn.history import Read, Wanted
from hardwon.store.connection import Store
from hardwon.store.maintenance import retention
from hardwon.store.tables import journal, recurrences, skill_loads
from tests.clients import sessions
from tests.support import contents, opened

DAY = 86_400_000
AT = int(sessions.START.timestamp() * 1000)


def learn(store: Store, *paths: Path, again: bool = True) -> Read:
    logs = [log for path in paths if (log := past_sessions.of_file(path))]
    result = Read()
    plan = history.plan(store, logs, Wanted(again=again))
    history.read(store, plan.sessions, lambda: AT, lambda _: None, result)
    return result


@pytest.mark.parametrize("days", [20, 60, 200])
def test_reading_again_after_retention_changes_nothing(tmp_path: Path, days: int) -> None:
    """From the same file, from a copy elsewhere, after a restart; and not even when the session's row is gone."""
    shop = tmp_path / "shop"
    shop.mkdir()
    records = [
        *sessions.call("toolu_look_0123456789", "Grep", {"pattern": "id", "path": "src"}, "a\nb\n"),
        *sessions.call("toolu_skill_0123456789", "Skill", {"skill": "deploy"}, "loaded"),
        *sessions.mended("one"),
    ]
    path = sessions.claude(tmp_path / "s.jsonl", "s1", shop, *records)
    with opened(tmp_path / "home") as store:
        assert learn(store, path).taken.kept == 5
        grep = next(one for one in journal.of_session(store, "claude-code", "s1") if one.tool == "Grep")
        assert grep.target == "id|src||"
        removed = retention.run(store, AT + days * DAY)
        assert removed.entries == {20: 1, 60: 3, 200: 3}[days]
        known, counted = contents(store), _counted(store)
        assert learn(store, path).taken.kept == 0
    with opened(tmp_path / "home") as store:
        copy = tmp_path / "copy.jsonl"
        copy.write_bytes(path.read_bytes())
        assert learn(store, path, copy).taken.kept == 0
        assert (contents(store), _counted(store)) == (known, counted)
        assert journal.count(store) == 5 - removed.entries


def _counted(store: Store) -> tuple[list[int], list[dict[str, int]]]:
    loads = [use.loads for use in skill_loads.uses(store, AT)]
    return loads, [recurrences.days(store, id) for id in contents(store)]


def test_a_session_of_which_nothing_is_left_does_not_come_back(tmp_path: Path) -> None:
    """Only its mark is left, without a folder or a text."""
    shop = tmp_path / "shop"
    shop.mkdir()
    records = sessions.call("toolu_skill_0123456789", "Skill", {"skill": "deploy"}, "loaded")
    path = sessions.claude(tmp_path / "s.jsonl", "s1", shop, *records)
    with opened(tmp_path / "home") as store:
        assert learn(store, path).taken.kept == 1
        assert retention.run(store, AT + 200 * DAY).entries == 1
        assert store.value("select count(*) from sessions") == 0
        assert store.rows("select host, session from removals") == [("claude-code", "s1")]
        assert learn(store, path).taken.kept == 0
        assert store.value("select count(*) from sessions") == 0
        assert [use.loads for use in skill_loads.uses(store, AT)] == [1]


def test_a_session_that_grows_later_is_read_on(tmp_path: Path) -> None:
    """Its new part is kept and learned from; the old one stays as it is."""
    shop = tmp_path / "shop"
    shop.mkdir()
    first = sessions.mended("one")
    path = sessions.claude(tmp_path / "s.jsonl", "s1", shop, *first)
    with opened(tmp_path / "home") as store:
        learn(store, path)
        retention.run(store, AT + 60 * DAY)
        later = sessions.claude_lines("s1", shop, *sessions.mended("two", "writer"))
        with path.open("a") as file:
            file.writelines(line.replace(f"{sessions.START:%Y-%m-%d}T", "2038-02-15T") for line in later)
        known = contents(store)
        assert learn(store, path, again=False).taken.kept == 3
        assert len(contents(store)) == len(known) + 2
        assert journal.count(store) == 2 + 3
