"""The second ranking of past conversations: which passages are continued by which, in later sessions.

What became of a decision need not have a word of the question, "Paris since May" answers where the data are only for
who knows that Paris was the other choice: so it is looked for by the words, and the meaning, of the earlier passage.
Whole exchanges are compared, a prompt and the answer to it, for "make it 60" has no word of what it is about. A small
network judges all features; docs/model-card.md says what its weights, `rerank.json`, were trained on.
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hardwon.memories.search import words
from hardwon.store.connection import Store
from hardwon.store.tables import passages
from hardwon.store.tables.passages import Read
from hardwon.text.speech import discourse

if TYPE_CHECKING:
    from hardwon.conversations.passage_vectors import Near
    from hardwon.memories.search.vectors import QueryVector

WEIGHTS = Path(__file__).with_name("rerank.json")
BY_MEANING, BY_WORDS = "by_meaning", "by_words"

FOLLOWED, LEADING = 3, 25
"""Of the passages of a search those that are followed, and those among which a later one may be."""
LONGEST = 4
"""Steps from one to the next."""
RAREST, PROBE = 12, 100
"""Words of a passage by which later ones are looked for; one that stands in more passages than PROBE is not rare."""
LOOKED_AT = 24
"""Later passages that are compared, by words and by meaning each: one must stand out from the others."""

LONG, LONG_QUESTION = 60, 12
"""Words from which on a passage, and a question, do not count as longer."""
OTHERS, CHANCE = 10, 0.03
"""Of the later talks, the best that one has to stand out from; so much is alike by chance, also without others."""
DAY, AGES = 86_400_000, 6.0
"""Milliseconds of a day, and the logarithm of the days after which nothing counts as longer ago."""
MUCH, LEAST, NOT_FOUND = 5.0, -3.0, -1.1
"""By how much less score a passage answers the question 1 less; at the least; and one that was not found for it."""

Features = dict[str, float]


@dataclass(frozen=True, slots=True)
class Network:
    """One hidden layer of tanh units beside a linear part; done in a millisecond without numpy."""

    bias: float
    linear: Mapping[str, float]
    units: tuple[tuple[float, float], ...]
    """The bias and the weight of each."""
    inputs: Mapping[str, tuple[float, ...]]

    def __call__(self, features: Mapping[str, float]) -> float:
        """The log odds; a feature that was not trained counts nothing."""
        odds, units = self.bias, [bias for bias, _ in self.units]
        for name, value in features.items():
            if value and name in self.inputs:
                odds += self.linear[name] * value
                units = [unit + value * by for unit, by in zip(units, self.inputs[name], strict=True)]
        return odds + sum(weight * math.tanh(unit) for unit, (_, weight) in zip(units, self.units, strict=True))


@functools.cache
def network(name: str) -> Network:
    kept = json.loads(WEIGHTS.read_text("utf-8"))[name]
    return Network(
        kept["bias"],
        {feature: row[0] for feature, row in kept["features"].items()},
        tuple((bias, weight) for bias, weight in kept["units"]),
        {feature: tuple(row[1:]) for feature, row in kept["features"].items()},
    )


def of_question(text: str) -> Features:
    """A cause that was found is seldom outdated by another, a figure often is."""
    return {
        "for a cause": float(discourse.asks_for_cause(text)),
        "for a reason": float(discourse.wants_reason(text)),
        "for a figure": float(discourse.wants_figure(text)),
        "for what was": float(discourse.asks_what_was(text)),
        "much asked": min(passages.length(text), LONG_QUESTION) / LONG_QUESTION,
    }


def of_passage(one: Read) -> Features:
    """How it is said."""
    text = one.passage.text
    return {
        "by a person": float(one.passage.role == "user"),
        "begins": float(one.begins),
        "ends": float(one.ends),
        "figure": float(discourse.has_figure(text)),
        "replaces": float(discourse.replaces(text)),
        "settles": float(discourse.settles(text)),
        "lays down": float(discourse.lays_down(text)),
        "replies": float(discourse.replies(text)),
        "carries out": float(discourse.carries_out(text)),
        "finds cause": float(discourse.finds_cause(text)),
        "turns to another": float(discourse.turns_to_another(text)),
    }


@dataclass(frozen=True, slots=True)
class Utterance:
    """A passage with its exchange."""

    row: int
    stems: frozenset[str]
    """Of the exchange."""
    own: frozenset[str] = frozenset()
    """Of these, those of the passage itself."""
    words: float = 0.0
    asked: bool = False  # it answers a question of its own
    changes: bool = False
    answers: float = NOT_FOUND
    """The question: 0 as well as the best that was found."""
    talk: str = ""
    at: int = 0
    features: Mapping[str, float] = field(default_factory=dict)
    """How it is said, and what it has of the question."""


class Cosines(NamedTuple):
    """How like the earlier exchange each later one is, by its row: itself, and with what led to both."""

    itself: Mapping[int, float]
    context: Mapping[int, float]


def features(
    earlier: Utterance, later: Sequence[Utterance], weight: Callable[[str], float], cosines: Cosines | None = None
) -> dict[int, Features]:
    """Of each of the later ones, by its row, what speaks for and against that it continues the earlier one."""
    shared = {one.row: words.alike(earlier.stems, one.stems, weight) for one in later}
    meant = cosines.itself if cosines else {}
    talks = _talks(later, shared, meant)
    most = max(shared.values(), default=0.0)
    found = {
        one.row: {
            "shared": shared[one.row],
            "behind in shared": most - shared[one.row],
            "own shared": words.alike(earlier.own, one.own, weight),
            "asked": float(one.asked),
            "changes": float(one.changes),
            "long ago": min(1.0, math.log1p(max(0, one.at - earlier.at) / DAY) / AGES),
            "long before": min(earlier.words, LONG) / LONG,
            "long": min(one.words, LONG) / LONG,
            "answers": one.answers,
            "answered": earlier.answers,
            **talks[one.talk],
            **one.features,
            **{f"was: {name}": value for name, value in earlier.features.items()},
        }
        for one in later
    }
    if cosines:
        for name, behind, some in (
            ("meaning", "behind in meaning", cosines.itself),
            ("meaning in place", "behind in place", cosines.context),
        ):
            nearest = max((some.get(row, 0.0) for row in found), default=0.0)
            for row in found:
                found[row] |= {name: some.get(row, 0.0), behind: nearest - some.get(row, 0.0)}
    return found


def _talks(later: Sequence[Utterance], shared: Mapping[int, float], near: Mapping[int, float]) -> dict[str, Features]:
    """What the later passages of each talk have at the most."""
    said: dict[str, list[Utterance]] = {}
    for one in later:
        said.setdefault(one.talk, []).append(one)
    most = {talk: max(shared[one.row] for one in several) for talk, several in said.items()}
    # The mean of the best, without the very best: one has to stand out from that.
    usual = max(CHANCE, sum(sorted(most.values(), reverse=True)[1 : OTHERS + 1]) / OTHERS)
    return {
        talk: {
            "talk shared": most[talk],
            "stands out": most[talk] - usual,
            "talk changes": sum(one.changes for one in several) / len(several),
            "talk meaning": max(near.get(one.row, 0.0) for one in several),
        }
        for talk, several in said.items()
    }


class Asking(NamedTuple):
    """The question, to be held against passages that are met only on the way: the share of its words that each passage
    has, with what that answers; the same of whole talks, by host and session; how near to it passages and their talks
    are, of none without vectors; and what it asks for (`of_question`)."""

    covered: Mapping[int, float] = {}
    talks: Mapping[tuple[str, str], float] = {}
    near: Callable[[Collection[int]], Mapping[int, Near]] = lambda _: {}
    wants: Mapping[str, float] = {}


def continuations(
    store: Store,
    scores: Mapping[int, float],
    answering: Mapping[int, float],
    read: dict[int, Read],
    vector: QueryVector | None,
    asking: Asking,
    least: float = 0.0,
) -> dict[int, int]:
    """From a leading passage to what continues it, by log odds of more than `least`, and so on.

    `scores` has what the search found, best first, and `answering` how well each answers the question. What has to be
    read on the way is added to `read`.
    """
    ranked = list(scores)
    follower = Follower(store, ranked[:LEADING], answering, read, vector, asking)
    found: dict[int, int] = {}
    for row in ranked[:FOLLOWED]:
        start = answer = follower.answer(row)
        for _ in range(LONGEST):
            if start in found or (later := follower.follow(start, least)) is None:
                break
            found[start] = later
            start = later
        if answer in found:
            found[row] = found[answer]
    return found


class Follower:
    """Finds what continues a passage; what it looks up for that, it looks up once."""

    def __init__(
        self,
        store: Store,
        leading: Sequence[int],
        answering: Mapping[int, float],
        read: dict[int, Read],
        vector: QueryVector | None,
        asking: Asking,
    ) -> None:
        self.store, self.leading, self.read, self.asking = store, leading, read, asking
        self.answering, self.best = answering, max(answering.values(), default=0.0)
        self.model = vector.model if vector else None
        self.total = passages.size(store)
        self._frequencies: dict[str, int] = {}
        self._weights: dict[str, float] = {}
        self._spelled: dict[str, str] = {}
        self._utterances: dict[int, Utterance] = {}
        self._met: set[int] = set()
        self._partners: dict[int, int] = {}
        self._near_question: dict[int, Near] = {}

    def answer(self, row: int) -> int:
        """What was answered, where a passage tells nothing itself."""
        if self._tells(row):
            return row
        after = passages.around(self.store, row).after[:1]
        return after[0] if self._known(after) else row

    def follow(self, row: int, least: float) -> int | None:
        """What most likely continues a passage, if anything does."""
        found = self.candidates(row)
        odds_of = network(BY_MEANING if any("meaning" in some for some in found.values()) else BY_WORDS)
        odds, best = max(((odds_of(some), later) for later, some in found.items()), default=(least, row))
        if odds <= least:
            return None
        # With the first prompt of a talk something is brought up: how it is now says the answer.
        opening = self.read[best].passage.role == "user" and not self.read[best].before
        return self._partners[best] if opening else best

    def candidates(self, row: int) -> dict[int, Features]:
        """What may continue a passage, with its features; nothing for a report that nobody asked for."""
        self._meet([row])
        if row not in self._partners:
            return {}
        earlier = self._utterance(row)
        self._count(earlier.stems)
        found = [one for one in self._known(self._later(row, earlier)) if self._may_follow(row, one)]
        self._meet(found)
        later = [self._utterance(one) for one in found if one in self._partners]
        self._count(stem for one in later for stem in one.stems)
        both = features(earlier, later, self._weights.__getitem__, self._cosines(row, later))
        return {one: {**some, **self.asking.wants} for one, some in both.items()}

    def _later(self, row: int, earlier: Utterance) -> list[int]:
        """What may continue it: by its rare words, by its meaning, and what the search found anyway; always in the
        same order, for equals must not be told apart by chance."""
        counted = {stem: df for stem in sorted(earlier.stems) if (df := self._frequencies[stem]) <= PROBE}
        spelled = [self._spelled[stem] for stem in words.affordable(counted, RAREST * PROBE)[:RAREST]]
        hits = passages.later(self.store, self.read[row].passage, spelled, LOOKED_AT) if spelled else []
        return sorted({*(hit.row for hit in hits), *self.leading, *self._near(row)})

    def _may_follow(self, earlier: int, later: int) -> bool:
        one, other = self.read[earlier].passage, self.read[later].passage
        return (
            other.at > one.at
            and other.project == one.project
            and (other.host, other.session) != (one.host, one.session)
            and other.text != one.text
            and self._tells(later)
        )

    def _tells(self, row: int) -> bool:
        """An answer, or a prompt that says how something is to be: the others only ask for something to be done."""
        text = self.read[row].passage.text
        if self.read[row].passage.role == "agent":
            return not discourse.is_question(text)
        return discourse.settles(text) or discourse.states(text)

    def _utterance(self, row: int) -> Utterance:
        if row not in self._utterances:
            one, answered = self.read[row], passages.answered(self.store, row)
            reply = self.read[self._partners[row]].indexed if one.passage.role == "user" else ""
            score = self.answering.get(row)
            self._utterances[row] = Utterance(
                row,
                self._stems(one.indexed, one.before, reply),
                self._stems(one.indexed),
                passages.length(one.passage.text),
                asked=bool(answered) and discourse.asks_anew(answered),
                changes=discourse.tells_change(one.passage.text),
                answers=NOT_FOUND if score is None else max(LEAST, (score - self.best) / MUCH),
                talk=f"{one.passage.host} {one.passage.session}",
                at=one.passage.at,
                features=of_passage(one) | self._of_question(row),
            )
        return self._utterances[row]

    def _of_question(self, row: int) -> Features:
        """What its exchange, and its talk, have of the question."""
        passage, both = self.read[row].passage, (row, self._partners[row])
        found = {
            "covers": max(self.asking.covered.get(one, 0.0) for one in both),
            "talk covers": self.asking.talks.get((passage.host, passage.session), 0.0),
        }
        near = [self._near_question[one] for one in both if one in self._near_question]
        if near:
            found |= {
                "near": max(one.itself for one in near),
                "near: in place": max(one.context for one in near),
                "near: best in place": near[0].best_context,
                "near: opening": near[0].opening,
                "near: talk": near[0].talk,
                "near: best of talk": near[0].best,
            }
        return found

    def _meet(self, rows: Sequence[int]) -> None:
        """Read what makes an exchange with each of these."""
        unknown = [row for row in rows if row not in self._met]
        if unknown:
            self._met.update(unknown)
            found = passages.partners(self.store, unknown)
            there = set(self._known(sorted(set(found.values()))))
            self._partners |= {row: partner for row, partner in found.items() if partner in there}
            self._near_question |= self.asking.near({*unknown, *there} - self._near_question.keys())

    def _stems(self, *texts: str) -> frozenset[str]:
        """Of each text by itself, for of a long one only the ends are looked at."""
        telling = {stem: word for text in texts for stem, word in words.telling(self.store, text).items()}
        self._spelled |= telling
        return frozenset(telling)

    def _count(self, stems: Iterable[str]) -> None:
        """In how many passages each stands: all at once, for that is most of the work here."""
        spelled = {self._spelled[stem]: stem for stem in stems if stem not in self._frequencies}
        counted = passages.frequencies(self.store, spelled, PROBE + 1)
        self._frequencies |= {spelled[word]: count for word, count in counted.items()}
        self._weights |= words.weights({stem: self._frequencies[stem] for stem in spelled.values()}, self.total)

    def _known(self, rows: Sequence[int]) -> list[int]:
        """Those that are there, read."""
        if missing := [row for row in rows if row not in self.read]:
            self.read.update(passages.by_rows(self.store, missing))
        return [row for row in rows if row in self.read]

    def _near(self, row: int) -> Collection[int]:
        """Later ones that mean the same."""
        if self.model is None:
            return ()
        from hardwon.conversations import passage_vectors

        like = [one for one in (row, passages.around(self.store, row).before) if one is not None]
        return passage_vectors.later_like(self.store, self.model, like, self.read[row].passage, LOOKED_AT)

    def _cosines(self, row: int, later: Sequence[Utterance]) -> Cosines | None:
        if self.model is None:
            return None
        from hardwon.conversations import passage_vectors

        others = {one.row: (one.row, self._partners[one.row]) for one in later}
        found = passage_vectors.alike(self.store, self.model, (row, self._partners[row]), others)
        return Cosines(*found) if found else None
