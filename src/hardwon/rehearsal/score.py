"""What sayings were worth: pure functions over opportunities and sayings, all in calls.

Credit is the cost of an opportunity whose answer was in the window before its first cost; where it came on the way, as
with the failure itself, what followed. Price is what was said: a quarter of a call for each line, and its tokens in
every call for which they stayed. A saying that the session then contradicted with success costs three calls.
"""

from __future__ import annotations

import dataclasses
import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from hardwon.rehearsal.opportunities.opportunity import Form, Kind, Opportunity
from hardwon.rehearsal.opportunities.words import holds, rivals
from hardwon.rehearsal.saying import Saying

LINE = 0.25
"""Calls that reading one line costs."""
CALL = 88_000
"""Tokens that a call reads from the cache: 216 million in the 2,450 calls of 24 sessions that were read by hand. A
token that stays in the window is read again with each call, at the same cached price: it costs this part of one."""
CONTRADICTED = 3.0
RESAMPLES = 1_000
SEED = 21
OUTSIDE = 0.025
"""On either side of an interval of 95 %."""


@dataclass(frozen=True, slots=True)
class Earned:
    """An opportunity that was met in time."""

    opportunity: Opportunity
    saying: Saying
    share: float
    """1 where the answer stood alone, 1/k among k of its form."""
    left: float
    """What could still be saved when it came: all of the cost, or what followed."""

    @property
    def calls(self) -> float:
        return self.left * self.share

    @property
    def is_before(self) -> bool:
        """It came before the first cost."""
        return self.saying.delivered is not None and self.saying.delivered < self.opportunity.number


@dataclass(frozen=True, slots=True)
class Estimate:
    value: float
    low: float
    high: float


@dataclass(slots=True)
class Score:
    """Of the sessions that count."""

    sessions: Sequence[str]
    opportunities: Sequence[Opportunity]
    sayings: Sequence[Saying]
    earned: list[Earned] = field(default_factory=list)

    @property
    def ceiling(self) -> float:
        return float(sum(one.cost for one in self.opportunities))

    @property
    def credit(self) -> float:
        return sum(one.calls for one in self.earned)

    @property
    def price(self) -> float:
        return sum(map(price, self.sayings))

    @property
    def penalty(self) -> float:
        return CONTRADICTED * sum(one.contradicted for one in self.sayings)

    @property
    def net(self) -> float:
        return self.credit - self.price - self.penalty

    @property
    def share(self) -> float:
        """Of the ceiling."""
        return self.net / self.ceiling if self.ceiling else 0.0

    @property
    def beside(self) -> list[Saying]:
        """What was said and met nothing."""
        met = {id(one.saying) for one in self.earned}
        return [one for one in self.sayings if id(one) not in met]

    def by_session(self) -> dict[str, float]:
        found = dict.fromkeys(self.sessions, 0.0)
        for one in self.earned:
            found[one.opportunity.session] += one.calls
        for saying in self.sayings:
            found[saying.session] -= price(saying) + CONTRADICTED * saying.contradicted
        return found

    def per_hundred(self) -> Estimate:
        """Net calls per 100 sessions."""
        return estimate([100 * value for value in self.by_session().values()])


def price(saying: Saying) -> float:
    """What never reached the model cost it nothing."""
    if saying.delivered is None:
        return 0.0
    return LINE * saying.lines + saying.tokens * saying.stays / CALL


def score(sessions: Iterable[str], opportunities: Iterable[Opportunity], sayings: Iterable[Saying]) -> Score:
    counted = list(dict.fromkeys(sessions))
    known = frozenset(counted)
    made = Score(
        counted,
        [one for one in opportunities if one.session in known],
        [one for one in sayings if one.session in known],
    )
    by_window: dict[tuple[str, str, int], list[Saying]] = defaultdict(list)
    for saying in made.sayings:
        by_window[saying.session, saying.agent, saying.window].append(saying)
    rules = frozenset(one.answer.token for one in made.opportunities if one.answer and one.kind is Kind.RULE)
    for one in made.opportunities:
        near = by_window.get((one.session, one.agent, one.window), [])
        met = [earned for saying in near if (earned := earned_by(one, saying, rules))]
        if met:
            made.earned.append(max(met, key=lambda each: each.calls))
    return made


def earned_by(one: Opportunity, saying: Saying, rules: frozenset[str] = frozenset()) -> Earned | None:
    """What a saying has earned of an opportunity: it has the answer, perhaps others too, and it came before the cost or
    before the rest of it. `rules`: the names of lint rules, which can't be told from other words."""
    if saying.delivered is None or one.answer is None or not (left := one.left(saying.delivered)):
        return None
    if not all(holds(saying.text, token) for token in (one.answer.token, *one.answer.along)):
        return None
    if one.kind is Kind.RULE:
        among = sum(holds(saying.text, rule) for rule in rules | {one.answer.token})
    else:
        among = rivals(saying.text, Form.WORD if one.kind is Kind.STATEMENT else one.answer.form)
    return Earned(one, saying, 1 / among, left)


def placebo(sayings: Sequence[Saying], seed: int = SEED) -> list[Saying]:
    """The same, at the same places, but each says what another of its kind said elsewhere."""
    groups: dict[tuple[str, tuple[str, ...]], list[Saying]] = defaultdict(list)
    for one in sayings:
        groups[str(one.moment), one.kinds[:1]].append(one)
    chance = random.Random(seed)
    made: list[Saying] = []
    for own in groups.values():
        texts = {one.text: one for one in own}
        for one in own:
            # Of other memories: the same one in other words would be the same answer.
            others = [other for text, other in texts.items() if text != one.text and _differ(one, other)]
            if others:  # what is alone of its kind can't be another
                other = chance.choice(others)
                made.append(dataclasses.replace(one, text=other.text, tokens=other.tokens))
    return made


def _differ(one: Saying, other: Saying) -> bool:
    return not one.memories or not set(one.memories) & set(other.memories)


def estimate(values: Sequence[float], seed: int = SEED) -> Estimate:
    """The mean, with its 95 % interval: the same sessions, drawn again and again."""
    if not values:
        return Estimate(0.0, 0.0, 0.0)
    chance = random.Random(seed)
    count = len(values)
    means = sorted(sum(chance.choices(values, k=count)) / count for _ in range(RESAMPLES))
    outside = int(OUTSIDE * RESAMPLES)
    return Estimate(sum(values) / count, means[outside], means[-outside - 1])
