"""Which passages are continued by which: the leading ones of a search are followed into later sessions.

What became of a decision need not have a word of the question: "Paris since May" answers where the data are only for
who knows that Paris was the other choice. So it is looked for by the words, and the meaning, of the earlier passage.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from hardwon.recall import lines, words
from hardwon.recall.lines import Likeliest, Said
from hardwon.store import passages
from hardwon.store.connection import Store
from hardwon.store.passages import Read
from hardwon.understand import speech

if TYPE_CHECKING:
    from hardwon.recall.passage_vectors import Near

FOLLOWED = 3
"""Of the leading passages."""
MOST_WORDS = 12
"""The rarest of a passage, by which later ones are looked for."""
PROBE = 100
"""A word that stands in more passages is not rare, and nobody counts in how many."""
LEADING = 25
"""Of the search: what continues one of them may be among the others."""
MUCH = 5.0
"""By so much less a passage speaks to the question that it counts 1 less."""
LOOKED_AT = 24
"""Later passages that are judged, by words and by meaning each: one must stand out from the others."""
PERHAPS = -2.0
"""The odds from which on a later passage is named beside an earlier one, which keeps its place."""


class Lines(NamedTuple):
    continued_by: dict[int, int]
    """From a passage to what continues it."""
    perhaps: dict[int, int]
    """And to what may do so: that is for whoever reads both to say."""


def found(
    store: Store,
    ranked: Sequence[int],
    answering: Mapping[int, float],
    read: dict[int, Read],
    vector: object | None,
    asking: Asking,
    least: float = 0.0,
) -> Lines:
    """`ranked` is what the search found, best first, and `answering` how well each answers the question; by more than
    `least` something has to be continued. What has to be read for it is added to `read`."""
    follower = Follower(store, ranked[:LEADING], answering, read, vector, asking)
    both = Lines({}, {})
    for row in ranked[:FOLLOWED]:
        start = answer = follower.answer(row)
        for _ in range(lines.LONGEST):
            if start in both.continued_by or start in both.perhaps or (later := follower.follow(start)) is None:
                break
            if later.odds <= least:
                both.perhaps[start] = later.id
                break
            both.continued_by[start] = later.id
            start = later.id
        for one in both:
            if answer in one:
                one[row] = one[answer]
    # What may continue one passage may itself be continued by what another one was followed to.
    return both._replace(perhaps={row: _last(later, both.continued_by) for row, later in both.perhaps.items()})


def _last(row: int, continued_by: Mapping[int, int]) -> int:
    for _ in range(lines.LONGEST):
        row = continued_by.get(row, row)
    return row


class Asking(NamedTuple):
    """The question, to be held against passages that are met only on the way."""

    covered: Mapping[int, float] = {}
    """The share of its words that each passage has, with what that answers."""
    talks: Mapping[tuple[str, str], float] = {}
    """The same of whole talks, each by its host and session."""
    near: Callable[[Collection[int]], Mapping[int, Near]] = lambda _: {}
    """How near to it passages are, and their talks; of none without vectors."""
    wants: Mapping[str, float] = {}
    """What it asks for: a cause that was found is seldom outdated by another, a figure often is."""


class Later(NamedTuple):
    earlier: Said
    later: list[Said]
    cosines: Mapping[int, float] | None
    """How like the earlier exchange each of theirs is; None without vectors."""
    placed: Mapping[int, float] | None
    """The same of both in their places, with what led to them."""


def how(one: Read) -> lines.Signs:
    """How a passage is said."""
    text = one.passage.text
    return {
        "by a person": float(one.passage.role == "user"),
        "begins": float(one.begins),
        "ends": float(one.ends),
        "figure": float(speech.has_figure(text)),
        "replaces": float(speech.replaces(text)),
        "settles": float(speech.settles(text)),
        "lays down": float(speech.lays_down(text)),
        "replies": float(speech.replies(text)),
        "carries out": float(speech.carries_out(text)),
        "finds cause": float(speech.finds_cause(text)),
        "turns to another": float(speech.turns_to_another(text)),
    }


class Follower:
    def __init__(
        self,
        store: Store,
        leading: Sequence[int],
        answering: Mapping[int, float],
        read: dict[int, Read],
        vector: object | None,
        asking: Asking,
    ) -> None:
        self.store = store
        self.asking = asking
        self.leading = leading
        self.answering = answering
        self.best = max(answering.values(), default=0.0)
        self.read = read
        self.model = getattr(vector, "model", None)
        self.total = passages.size(store)
        self._frequencies: dict[str, int] = {}
        self._weights: dict[str, float] = {}
        self._spelled: dict[str, str] = {}
        self._said: dict[int, Said] = {}
        self._met: set[int] = set()
        self._partners: dict[int, int] = {}
        self._near_question: dict[int, Near] = {}

    def answer(self, row: int) -> int:
        """What was answered, where a passage tells nothing itself."""
        if self._tells(row):
            return row
        after = passages.around(self.store, row).after[:1]
        return after[0] if self._known(after) else row

    def follow(self, row: int) -> Likeliest | None:
        """What most likely continues a passage, if anything may."""
        found = self.later_than(row)
        if found is None:
            return None
        judge = lines.judge_of(by_meaning=found.cosines is not None)
        best = lines.likeliest({id: judge(signs) for id, signs in self.signs(found).items()})
        if best is None or best.odds <= PERHAPS:
            return None
        # With the first prompt of a talk something is brought up: how it is now says the answer.
        opening = self.read[best.id].passage.role == "user" and not self.read[best.id].before
        return best._replace(id=self._partners[best.id]) if opening else best

    def later_than(self, row: int) -> Later | None:
        """What may continue a passage; None for a report that nobody asked for, which settles nothing."""
        self._meet([row])
        if row not in self._partners:
            return None
        earlier = self.said(row)
        self._count(earlier.stems)
        found = [one for one in self._known(self._later(row, earlier)) if self._may_follow(row, one)]
        self._meet(found)
        later = [self.said(one) for one in found if one in self._partners]
        self._count(stem for one in later for stem in one.stems)
        cosines, placed = self._cosines(row, later) or (None, None)
        return Later(earlier, later, cosines, placed)

    def signs(self, found: Later) -> dict[int, lines.Signs]:
        judged = lines.signs(found.earlier, found.later, self._weights.__getitem__, found.cosines, found.placed)
        return {id: {**some, **self.asking.wants} for id, some in judged.items()}

    def _later(self, row: int, earlier: Said) -> set[int]:
        """What may continue it: by its rare words, by its meaning, and what the search found anyway."""
        rare = words.affordable(
            # In order: which of several equally rare words are looked for must not be left to chance.
            {stem: df for stem in sorted(earlier.stems) if (df := self._frequencies[stem]) <= PROBE},
            MOST_WORDS * PROBE,
        )[:MOST_WORDS]
        spelled = [self._spelled[stem] for stem in rare]
        hits = passages.later(self.store, self.read[row].passage, spelled, LOOKED_AT) if spelled else []
        return {*(hit.row for hit in hits), *self.leading, *self._near(row)}

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
        passage = self.read[row].passage
        if passage.role == "agent":
            return not speech.is_question(passage.text)
        return speech.settles(passage.text) or speech.states(passage.text)

    def said(self, row: int) -> Said:
        if row not in self._said:
            one = self.read[row]
            answered = passages.answered(self.store, row)
            told = self.read[self._partners[row]].indexed if one.passage.role == "user" else ""
            self._said[row] = Said(
                row,
                self._stems(one.indexed, one.before, told),
                self._stems(one.indexed),
                passages.length(one.passage.text),
                asked=bool(answered) and speech.asks_anew(answered),
                changes=speech.tells_change(one.passage.text),
                answers=self._answers(row),
                talk=f"{one.passage.host} {one.passage.session}",
                at=one.passage.at,
                does=how(one) | self._speaks_to_question(row),
            )
        return self._said[row]

    def _answers(self, row: int) -> float:
        if row not in self.answering:
            return lines.NOT_FOUND
        return max(lines.LEAST, (self.answering[row] - self.best) / MUCH)

    def _speaks_to_question(self, row: int) -> lines.Signs:
        """What its exchange, and its talk, have of the question."""
        passage = self.read[row].passage
        both = (row, self._partners[row])
        signs = {
            "covers": max(self.asking.covered.get(one, 0.0) for one in both),
            "talk covers": self.asking.talks.get((passage.host, passage.session), 0.0),
        }
        near = [self._near_question[one] for one in both if one in self._near_question]
        if not near:
            return signs
        talk = near[0]
        return signs | {
            "near": max(one.itself for one in near),
            "near: in place": max(one.context for one in near),
            "near: best in place": talk.best_context,
            "near: opening": talk.opening,
            "near: talk": talk.talk,
            "near: best of talk": talk.best,
        }

    def _meet(self, rows: Sequence[int]) -> None:
        """Read what makes an exchange with each of these."""
        unknown = [row for row in rows if row not in self._met]
        if unknown:
            self._met.update(unknown)
            found = passages.partners(self.store, unknown)
            there = set(self._known(set(found.values())))
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

    def _known(self, rows: Sequence[int] | set[int]) -> list[int]:
        """Those that are there, read."""
        missing = [row for row in rows if row not in self.read]
        if missing:
            self.read.update(passages.by_rows(self.store, missing))
        return [row for row in rows if row in self.read]

    def _near(self, row: int) -> Collection[int]:
        """Later ones that mean the same."""
        if self.model is None:
            return ()
        from hardwon.recall import passage_vectors

        before = passages.around(self.store, row).before
        like = [one for one in (row, before) if one is not None]
        return passage_vectors.later_like(self.store, self.model, like, self.read[row].passage, LOOKED_AT)

    def _cosines(self, row: int, later: Sequence[Said]) -> tuple[Mapping[int, float], Mapping[int, float]] | None:
        if self.model is None:
            return None
        from hardwon.recall import passage_vectors

        others = {one.id: (one.id, self._partners[one.id]) for one in later}
        return passage_vectors.alike(self.store, self.model, (row, self._partners[row]), others)
