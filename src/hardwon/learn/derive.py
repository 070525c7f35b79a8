"""derive: from one session's journal, whole and in order, to what was learned. Pure.

Live hooks, a late transcript and a second reading give the same journal and therefore the same memories; each has an
`origin_key`, so that nothing is learned twice. The journal is read once, event by event: a session may be a gigabyte.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hardwon.event import Event
from hardwon.learn.edits import Habits
from hardwon.learn.failures import Chains
from hardwon.learn.lint import LintRules
from hardwon.learn.pitfalls import Circles
from hardwon.learn.prompts import Resolved, Talk
from hardwon.learn.server_calls import ServerCalls
from hardwon.learn.steps import Learned, Passed, Skipped, Step

__all__ = ["Learned", "Passed", "Skipped", "derive", "walk"]


def derive(journal: Iterable[Event]) -> list[Learned]:
    return [step for step in walk(journal) if isinstance(step, Learned)]


def walk(journal: Iterable[Event]) -> Iterator[Step | Resolved]:
    """What is learned, and what is passed over: from the calls, from those that went in circles, from the words.

    In this order, whenever it happened: what a person says is about failures that are then known. So the few things
    behind the first wait for the end.
    """
    rules = LintRules()
    chains, calls, habits, circles, talk = Chains(), ServerCalls(), Habits(), Circles(), Talk()
    from_habits: list[Step] = []
    from_circles: list[Step] = []
    from_talk: list[Step | Resolved] = []
    for event in journal:
        yield from chains.saw(event)
        yield from calls.saw(event)
        yield from rules.saw(event)
        from_habits += habits.saw(event)
        from_circles += circles.saw(event)
        from_talk += talk.saw(event)
    yield from chains.ended()
    yield from from_habits
    yield from from_circles
    yield from from_talk
