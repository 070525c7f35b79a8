"""What a start says of what waits: for a person's word, and of what came back."""

from __future__ import annotations

from pathlib import Path

from hardwon.memories import waiting
from hardwon.memory import LINT_RULE, Trust
from hardwon.store.connection import Store
from hardwon.store.tables import branches
from tests.support import note, opened

DAY = 86_400_000
NOW = 20_000 * DAY + DAY // 2


def test_what_waits_is_told_again_when_something_came(tmp_path: Path) -> None:
    """Not each morning: when it came, and once more in a later week in which more has come."""
    with opened(tmp_path / "home") as store:

        def told(at: int) -> str:
            section = waiting.section(store, "shop", at)
            branches.tell(store, "a-client", f"s{at}", "", 0, section.marks, at)
            return " ".join(section.lines)

        assert told(NOW) == ""
        candidate(store, "one thing")
        assert told(NOW) == "- 1 thing waits for the person's word: `hardwon review list`"
        assert told(NOW + 1) == ""
        assert [told(NOW + days * DAY) for days in (1, 2, 3)] == ["", "", ""]
        candidate(store, "another thing")
        assert told(NOW + 4 * DAY) == "", "once a week"
        assert "2 things wait" in told(NOW + 8 * DAY)
        assert told(NOW + 20 * DAY) == "", "nothing came since"


def candidate(store: Store, body: str) -> None:
    note(store, body, NOW, project="shop", trust=Trust.UNTRUSTED)


def test_a_lint_rule_waits_for_the_first_edit(tmp_path: Path) -> None:
    """A lesson that came three times is said at the start; a lint rule, however often it was met, is not."""
    with opened(tmp_path / "home") as store:
        for number in range(3):
            lesson = note(store, "build the schema first", NOW + number, project="shop")
            note(store, "Lint rule met in .go files here: errcheck", NOW + number, project="shop", subtype=LINT_RULE)
        assert [one.id for one in waiting.came_back(store, "shop")] == [lesson]
