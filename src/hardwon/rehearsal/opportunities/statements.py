"""The person had to say again what they had said in an earlier session: a statement, or words behind a refusal."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from hardwon.rehearsal.opportunities.happening import Happening, What
from hardwon.rehearsal.opportunities.opportunity import TURN, Candidate, Form, Kind, Opportunity
from hardwon.rehearsal.opportunities.window import Window
from hardwon.rehearsal.opportunities.words import form, names, words

LONGEST_PROMPT, MOST_LINES = 700, 4
"""Characters and lines: what is longer was pasted, a plan, a review or a log."""
LONGEST_PASTED = 8_000
RARE, RARE_SHARE = 5, 0.015
"""Sentences in which a name may stand and still say what is meant: one that stands in more is what all is about."""
FEWEST, MOST = 4, 60
"""Words of a sentence that states something."""
ALIKE, ALIKE_NAMED = 0.5, 0.4
"""Share of the lighter sentence's weight that both have; less where a name is among it."""
SHARED = 3
"""Words that both have, or two when one of them is a name."""
COMMON = 0.03
"""Share of all sentences in which a word may stand and still tell something."""
FEW = 8.0
"""Sentences in which a word may stand in any case: of few sentences a share says nothing."""
_SENTENCES = re.compile(r"(?<=[.!?])\s+|\n+")
_PASTED = re.compile(
    r"^\W*[>│⏺❯⎿•$#|*+=-]|\w\.\w{1,4}:\d+|^\s{2,}|\d\d:\d\d:\d\d|^Operation stopped|^[A-Z_]+[:=]\s|\s{4,}|://"
)
"""A line of a log, a diff, a list that some program made."""
_STOP = names(
    "the a an and or but if then so to of in on at for from with by as is are was were be been do does did have has "
    "had it its this that these those there here we you i they he she us me my our your their not no yes ok okay "
    "please can could would should will shall may might must just also only now let lets like want need make sure "
    "what when where which who how why all any some one two out up into over than too very more most other same still "
    "again think see look get got go going dont don't doesn't isn't it's i'm we're let's that's can't use using used "
    "add change update fix run file files code thing things way work working first actually maybe really already "
    "about after before because issue question guess sure right back keep mean right"
)
_STATES = re.compile(
    r"\b(?:is|are|lives?|belongs?|goes|must|should|shouldn't|never|always|don't|do not|no need|only|instead|rather|"
    r"prefer|avoid|stop|wrong|actually|remember|parent|make sure|without|unless|every|in project|we're|we are|isn't|"
    r"not)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"\?\s*$|\?|^\W*(?:what|why|how|is|are|do|does|did|can|could|would|where|which|who|have|has|let's|lets|i wonder|"
    r"i'm wondering|question|please|add|create|write|update|merge|fix|file|log|commit|push|run|check|look|open|review|"
    r"rebase|implement|explain|show|give|tell|go|continue|yes|yeah|ok|okay|hmm|ah|oh)\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<=[a-z,:;(] )[A-Z][\w-]{2,}|(?<=:)[A-Z][\w-]{2,}|`([^`\s]{3,60})`")
"""A word that names something: with a capital inside of a sentence, or marked as code."""


_OF_BRANCHES = re.compile(r"\b(?:branch|parent|base|merge|rebase|fetch|pull|push|remote)\b", re.IGNORECASE)
_ANYWHERE = names("origin/main origin/master main/origin origin")


@dataclass(frozen=True, slots=True)
class Sentence:
    text: str
    session: str
    agent: str
    project: str
    number: int
    at: int
    window: int
    stems: frozenset[str]
    fresh: frozenset[str]
    """Those that were not in sight when it was said."""
    named: frozenset[str]
    refusal: bool
    costs: int
    """What it cost to have to say it; 0 where nothing could have been said before."""


class Statements:
    """All that one person said, over all sessions."""

    def __init__(self) -> None:
        self._said: list[Sentence] = []
        self._prompted: set[tuple[str, int]] = set()

    def saw(self, one: Happening, window: Window) -> Iterator[Opportunity]:
        if one.agent or one.what not in (What.PROMPT, What.REFUSED):
            return
        first = one.what is What.PROMPT and (one.session, window.number) not in self._prompted
        self._prompted.add((one.session, window.number))
        if one.what is What.REFUSED:
            yield from _pointed(one, window)
        lines = [line for line in one.text.splitlines() if line.strip()]
        pasted = "```" in one.text or any(map(_PASTED.search, lines))
        typed = len(one.text) <= LONGEST_PROMPT and len(lines) <= MOST_LINES and not pasted
        for text in _SENTENCES.split(one.text[:LONGEST_PASTED]):
            stems = _stems(text)
            if FEWEST <= len(text.split()) <= MOST and len(stems) > 1 and (typed or not _PASTED.search(text)):
                fresh = frozenset(stem for stem in stems if not window.had(stem, one.number))
                refusal = one.what is What.REFUSED
                # Before a first prompt nobody can have gone wrong. What was pasted can have been the first time.
                costs = 0 if first or not typed else TURN + refusal
                self._said.append(
                    Sentence(text.strip(), one.session, one.agent, one.project, one.number, one.at, window.number,
                             stems, fresh, _named(text, stems), refusal, costs)
                )  # fmt: skip

    def repeated(self) -> Iterator[Opportunity]:
        """Once for each prompt: what of it had been said in an earlier session."""
        weights, places = self._weights(), defaultdict[str, list[int]](list)
        told: set[tuple[str, int]] = set()
        for place, one in enumerate(self._said):
            # What is said along with a request costs nothing: the turn would be there anyway.
            if one.costs and _is_statement(one) and (one.session, one.number) not in told and "?" not in one.text:
                near = {other for stem in one.stems if stem in weights for other in places[stem]}
                if found := self._earlier(one, near, places, weights):
                    told.add((one.session, one.number))
                    yield found
            for stem in one.stems:
                if stem in weights:
                    places[stem].append(place)

    def _weights(self) -> dict[str, float]:
        counts: dict[str, int] = defaultdict(int)
        for one in self._said:
            for stem in one.stems:
                counts[stem] += 1
        most = max(FEW, COMMON * len(self._said))
        return {stem: math.log(1 + len(self._said) / count) for stem, count in counts.items() if count <= most}

    def _earlier(
        self, one: Sentence, near: set[int], places: dict[str, list[int]], weights: dict[str, float]
    ) -> Opportunity | None:
        best: tuple[float, Sentence, frozenset[str]] | None = None
        for place in sorted(near):
            other = self._said[place]
            if other.session == one.session:
                continue
            shared = frozenset(stem for stem in one.stems & other.stems if stem in weights)
            rare = max(RARE, RARE_SHARE * len(self._said))
            named = any(len(places[stem]) <= rare for stem in shared & one.named & one.fresh)
            if len(shared) < SHARED - named or not shared & one.fresh:
                continue
            share = _weight(shared, weights) / min(_weight(one.stems, weights), _weight(other.stems, weights))
            if share >= (ALIKE_NAMED if named else ALIKE) and (best is None or share > best[0]):
                best = share, other, shared
        return _opportunity(one, *best[1:], weights) if best else None


def _pointed(one: Happening, window: Window) -> Iterator[Opportunity]:
    """What stops a call points at a ticket by its number, which an earlier session had. A branch is named for what it
    is to another one, and a result that has its name doesn't say that."""
    found = []
    for word in dict.fromkeys(words(one.text[:LONGEST_PROMPT])):
        is_number = word.lstrip("#").isdigit()
        if form(word) is not Form.ID or (is_number and not word.startswith("#")) or window.had(word, one.number):
            continue
        evidence = f"{'number' if is_number else 'result'}|{one.project}|{word.lstrip('#').casefold()}"
        found.append(Candidate(word, form(word), evidence, sight=one.number))
    if found:
        yield Opportunity(
            Kind.STATEMENT, one.session, one.agent, one.number, one.at, one.number, window.number,
            TURN + 1, (), (one.number,), one.project, one.text[:300], one.target[:300], tuple(found[:4]),
        )  # fmt: skip


def _weight(stems: frozenset[str], weights: dict[str, float]) -> float:
    return sum(weights.get(stem, 0.0) for stem in stems)


def _is_statement(one: Sentence) -> bool:
    """What stops a call says how it should have been; a prompt may as well ask for the next piece of work."""
    if one.refusal:
        return True
    return bool(_STATES.search(one.text)) and not _ASKS.search(one.text)


def _opportunity(one: Sentence, other: Sentence, shared: frozenset[str], weights: dict[str, float]) -> Opportunity:
    ordered = sorted(shared, key=lambda stem: (stem not in one.fresh, stem not in one.named, -weights[stem], stem))
    answer = Candidate(ordered[0], form(ordered[0]), "", tuple(ordered[1:2]), one.number)
    return Opportunity(
        Kind.STATEMENT, one.session, one.agent, one.number, one.at, one.number, one.window,
        one.costs, (), (one.number,), one.project,
        one.text, other.text, (answer,), "", answer, other.session, other.at,
    )  # fmt: skip


def _stems(text: str) -> frozenset[str]:
    found = set()
    for word in words(text.casefold().replace(":", ": ")):
        if " " in word or word in _STOP or len(word) < 3 or word.isdigit():
            continue
        found.add(word)
    return frozenset(found)


def _named(text: str, stems: frozenset[str]) -> frozenset[str]:
    """Names of a project, an option, a number; of a branch where branches are spoken of. A path is what it is about."""
    capital = {(found[1] or found[0]).casefold() for found in _NAME.finditer(text)}
    branches = bool(_OF_BRANCHES.search(text))
    return frozenset(
        stem for stem in stems - _ANYWHERE
        if (stem in capital and "/" not in stem and "." not in stem)
        or form(stem) in (Form.ID, Form.OPTION) or (form(stem) is Form.BRANCH and branches and "@" not in stem)
    )  # fmt: skip
