"""What a session leaves, in at most four hundred tokens: for the next one, and for itself after a compaction."""

from __future__ import annotations

from hardwon.memories.search.budget import tokens
from hardwon.render.plain import one_line, visible
from hardwon.text import handover, untrusted
from hardwon.text.handover import Handover

TOKENS = 400
MOST = {"done": 3, "failing": 3, "next": 4, "open": 4, "decisions": 5, "traps": 3, "said": 3, "files": 10}
CHARACTERS = {"done": 110, "failing": 220, "next": 150, "open": 200, "decisions": 160, "traps": 160, "said": 240,
              "files": 120}  # fmt: skip
_SAID = ("failing", "next", "open", "decisions", "traps", "done", "files", "said")
_FIRST_TO_GO = ("done", "files", "said", "decisions", "traps", "open", "next", "failing")


def shortened(one: Handover) -> Handover:
    """As much of it as there is room for; what is left out is the least needed."""
    lists = {
        name: [one_line(said, CHARACTERS[name]) for said in getattr(one, name)[: MOST[name]]] for name in handover.LISTS
    }
    made = _made(one.goal, lists)
    while tokens(text(made)) > TOKENS:
        name = next((name for name in _FIRST_TO_GO if len(lists[name]) > 2), "") or next(
            (name for name in _FIRST_TO_GO if lists[name]), ""
        )
        if not name:
            break
        lists[name].pop()
        made = _made(one.goal, lists)
    return made


def _made(goal: str, lists: dict[str, list[str]]) -> Handover:
    return Handover(one_line(goal, 400), **{name: tuple(items) for name, items in lists.items()})


def lines(one: Handover) -> list[str]:
    """A line per field, each a quotation of what was said and seen there."""
    short = shortened(one)
    found = [f"Goal: {clean(short.goal)}"] if short.goal else []
    for name in _SAID:
        if items := getattr(short, name):
            joined = ", ".join(items) if name == "files" else " · ".join(items)
            joined = untrusted.quoted(joined, 800) if name == "said" else joined
            found.append(f"{handover.TITLES[name]}: {clean(joined)}")
    return found


def text(one: Handover) -> str:
    return handover.text(one)


def clean(said: str) -> str:
    """On one line, without what could close our fence or look like an order of ours."""
    return untrusted.disarmed(" ".join(visible(said).split()))
