"""How far a transcript was read is kept for as long as that matters."""

from __future__ import annotations

from pathlib import Path

from hardwon.clients import past_sessions
from hardwon.learn import history
from hardwon.learn.history import Read, Wanted
from hardwon.settings import Retention, Settings
from hardwon.store.connection import Store
from hardwon.store.maintenance import retention
from hardwon.store.tables import transcripts
from tests.clients import sessions
from tests.support import contents, now, opened

DAY = 86_400_000


def learn(store: Store, path: Path) -> int:
    """How many events of it were new."""
    log = past_sessions.of_file(path)
    assert log
    result = Read()
    history.read(store, history.plan(store, [log], Wanted()).sessions, now, lambda _: None, result)
    return result.taken.kept


def known(store: Store) -> list[str]:
    return [Path(path).name for (path,) in store.rows("select path from transcripts order by path")]


def test_a_transcript_that_is_long_gone_is_not_kept_track_of(tmp_path: Path) -> None:
    """Neither one that is still there nor one that went lately is forgotten; and nothing is when all stays for ever."""
    shop = tmp_path / "shop"
    shop.mkdir()
    with opened(tmp_path / "home") as store:
        for name in ("gone", "here", "lately"):
            path = sessions.claude(tmp_path / f"{name}.jsonl", name, shop, *sessions.mended(name, name))
            learn(store, path)
        (tmp_path / "gone.jsonl").unlink()
        (tmp_path / "lately.jsonl").unlink()
        later = now() + 91 * DAY
        transcripts.remember(store, str(tmp_path / "lately.jsonl"), 1, later - DAY)
        store.settings = Settings(retention=Retention(journal_days=0))
        retention.run(store, later)
        assert known(store) == ["gone.jsonl", "here.jsonl", "lately.jsonl"]
        store.settings = Settings()
        retention.run(store, later)
        assert known(store) == ["here.jsonl", "lately.jsonl"]


def test_a_transcript_that_comes_back_teaches_nothing_twice(tmp_path: Path) -> None:
    """From a backup, or with its disk: it is read from its beginning, and all of it is known, or was removed."""
    shop = tmp_path / "shop"
    shop.mkdir()
    path = sessions.claude(tmp_path / "s1.jsonl", "s1", shop, *sessions.mended("one"))
    with opened(tmp_path / "home") as store:
        assert learn(store, path) == 3
        before = contents(store)
        path.rename(tmp_path / "away")
        retention.run(store, now() + 91 * DAY)
        assert known(store) == []
        (tmp_path / "away").rename(path)
        assert learn(store, path) == 0
        assert contents(store) == before
        assert known(store) == ["s1.jsonl"]
