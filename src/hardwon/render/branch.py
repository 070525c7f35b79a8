"""A branch's card in words: a few lines, of names in safe characters and of texts that are quoted.

Names of branches come from anybody who pushes; one with other characters than names have is not told at all. Titles of
pull requests never are.
"""

from __future__ import annotations

from hardwon.memories.branches.branch_card import Card, Check, Line, line, unnumbered
from hardwon.memories.search.budget import tokens
from hardwon.memory import Memory, Trust
from hardwon.render.plain import day
from hardwon.text import untrusted
from hardwon.text.branches.fact import is_name

TOKENS = 90
LONGEST_TASK, LONGEST_MARK = 60, 90
MOST_MARKS = 2
"""Of each sort; of the others the number."""


def lines(card: Card) -> list[Line]:
    """What there is to say, the most telling first, within its tokens."""
    found = [*_where(card), *_open(card), *_marked(card), *(_check(check) for check in card.checks)]
    said: list[Line] = []
    left = TOKENS
    for one in found:
        cost = tokens(one.text) + 1
        if cost <= left:
            said.append(one)
            left -= cost
    return said


def _where(card: Card) -> list[Line]:
    parts, facts = [], []
    if base := card.base:
        parts.append(f"base was {base.name} on {day(base.at)[:10]}" if base.is_past else f"base {base.name}")
        facts.append(base.fact)
    if card.stack:
        parts.append(f"stack {' > '.join(card.stack)} > this")
    if pull := card.pull:
        parts.append(f"PR #{pull.number}{f' ({pull.state.casefold()})' if pull.is_over else ''}")
        facts.append(pull.fact)
    last = max((fact for fact in facts if fact), key=lambda fact: fact.at, default=None)
    if last is None:
        return []
    if card.ticket and is_name(card.ticket):
        parts.append(card.ticket)
    what = ", ".join(parts)
    name = f"branch {card.branch}" if is_name(card.branch) else "this branch"
    return [line("where", f"- {name}: {what}", f"{card.branch} {what}", last)]


def _open(card: Card) -> list[Line]:
    if not card.open or card.open_fact is None:
        return []
    told = "; ".join(untrusted.quoted(_short(text)) for text in card.open)
    more = f" and {card.more_open} more" if card.more_open else ""
    done = f" ({card.done} marked done by the agent)" if card.done else ""
    return [line("open", f"- open in its last task list: {told}{more}{done}", told + more, card.open_fact)]


def _marked(card: Card) -> list[Line]:
    """In the words that were kept; of an agent's it is said that they are its."""
    session = card.marked_by[0] if len(card.marked_by) == 1 else ""
    found = []
    for name, title, memories in (
        ("decided", "decided on this branch", card.marked.decisions),
        ("task", "open on this branch", card.marked.tasks),
        ("trap", "traps on this branch", card.marked.traps),
    ):
        if shown := memories[:MOST_MARKS]:
            more = f" and {len(memories) - len(shown)} more" if len(memories) > len(shown) else ""
            told = "; ".join(map(_mark, shown)) + more
            ids = tuple(one.id for one in shown)
            found.append(Line(name, f"- {title}: {told}", f"{name}:{','.join(ids)}", session, "marked", ids))
    return found


def _mark(memory: Memory) -> str:
    whose = "" if memory.trust is Trust.USER else " (an agent's note)"
    return f"{untrusted.quoted(' '.join(memory.headline.split()), LONGEST_MARK)}{whose}"


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_TASK else text[: LONGEST_TASK - 1].rstrip() + "…"


def _check(check: Check) -> Line:
    where = f" in {check.elsewhere}" if check.elsewhere and is_name(check.elsewhere) else ""
    when = f"at {check.commit}" if check.commit else f"on {day(check.at)[:10]}"
    command = untrusted.disarmed(" ".join(check.command.replace("`", "'").split()))
    edits = "no edits" if not check.edits else "1 edit" if check.edits == 1 else f"{check.edits} edits"
    text = f"- {'green' if check.passed else 'failed'} {when}{where} (`{command}`), {edits} since"
    return line("check", text, unnumbered(text), check.fact)
