"""A memory whose standing changes keeps its row and its words in the index; one whose words change does not."""

from __future__ import annotations

from pathlib import Path

from hardwon.memory import LinkKind, Status
from hardwon.store import changes
from hardwon.store.connection import Store
from hardwon.store.erasure import forget
from hardwon.store.index import search_index
from hardwon.store.maintenance import repair
from hardwon.store.tables import memories
from tests.support import contents, note, now, opened


def found(store: Store, word: str) -> list[int]:
    return [hit.row for hit in search_index.best(store, [word], ("*",), 10)]


def row(store: Store, id: str) -> int:
    return int(store.value("select row from memories where id = ?", (id,)))


def test_a_memory_that_is_moved_and_linked_is_found_as_before(tmp_path: Path) -> None:
    """And what the tables say is what the log says."""
    with opened(tmp_path / "home") as store:
        one, other = note(store, "restart the flywheel first"), note(store, "never touch the gearbox")
        before = row(store, one)
        changes.move(store, one, Status.RESOLVED, now(), reason="done")
        changes.link(store, one, LinkKind.FIXES, other, now())
        memory = memories.get(store, one)
        assert memory
        assert (memory.status, memory.reason) == (Status.RESOLVED, "done")
        assert [link.target for link in memory.links] == [other]
        assert store.rows("select target from links where source = ?", (one,)) == [(other,)]
        assert found(store, "flywheel") == [row(store, one)] == [before]
        known = contents(store)
        repair.rebuild(store)
        assert contents(store) == known
        assert found(store, "flywheel") == [before]


def test_new_words_are_found_and_old_ones_are_not(tmp_path: Path) -> None:
    """After an edit, and after a change of its standing behind it."""
    with opened(tmp_path / "home") as store:
        id = note(store, "restart the flywheel first")
        changes.edit(store, id, {"body": "restart the turbine first"}, now())
        changes.move(store, id, Status.RESOLVED, now())
        assert found(store, "flywheel") == []
        assert found(store, "turbine") == [row(store, id)]
        forget.forget(store, [id], now())
        assert found(store, "turbine") == []
