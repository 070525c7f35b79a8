"""What stood in the strict past: for each possible answer, the first two sessions in which it was to be seen."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Iterable, Iterator

from hardwon import action
from hardwon.rehearsal.opportunities.happening import Happening, What
from hardwon.rehearsal.opportunities.lint import shapes
from hardwon.rehearsal.opportunities.looked_up import SEARCHES, _kind
from hardwon.rehearsal.opportunities.opportunity import Candidate, Opportunity, count_once
from hardwon.rehearsal.opportunities.shell import SEARCH_TOOLS, run_by, searches_alike
from hardwon.rehearsal.opportunities.words import words

WITHIN = 8
LONGEST = 400_000


class Evidence:
    """A second look at the same stream, for what is wanted only: nothing else is remembered."""

    def __init__(self, wanted: Iterable[Opportunity]) -> None:
        self._opportunities = list(wanted)
        self._seen: dict[str, list[tuple[str, int]]] = {}
        self._by_word: dict[str, list[str]] = defaultdict(list)
        self._calls: set[str] = set()
        self._symbols: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        self._called: dict[tuple[str, str], Happening] = {}
        self._failed: dict[tuple[str, str], list[tuple[str, int, str]]] = defaultdict(list)
        for key in {one.evidence for own in self._opportunities for one in own.candidates if one.evidence}:
            self._want(key)

    def _want(self, key: str) -> None:
        sort, *rest = key.split("|")
        if sort in ("word", "result"):
            self._by_word[rest[-1]].append(key)
        elif sort == "number":  # a bare number may be anything
            for form in ("#{}", "pull/{}", "pulls/{}", "issues/{}"):
                self._by_word[form.format(rest[-1])].append(key)
        elif sort == "found":
            self._symbols[rest[1]][rest[2]].append(key)
        self._calls.add(key)

    def saw(self, one: Happening) -> None:
        if one.is_repeat:
            return
        if one.what is What.CALL:
            self._called[one.session, one.call] = one
        if self._by_word and one.text:
            self._look_for_words(one)
        if one.is_outcome:
            began = self._called.pop((one.session, one.call), None)
            if began is not None:
                self._outcome(one, began)
        if one.what is What.ENDED:
            for key in [key for key in self._called if key[0] == one.session]:
                del self._called[key]
            for key in [key for key in self._failed if key[0] == one.session]:
                del self._failed[key]

    def _look_for_words(self, one: Happening) -> None:
        wanted = self._by_word
        for word in set(words(f"{one.target}\n{one.text[:LONGEST]}".casefold())):
            for key in wanted.get(word, ()):
                sort, project, _ = key.split("|", 2)
                if project == one.project and (sort == "word" or one.is_outcome):
                    self._note(key, one)

    def _outcome(self, one: Happening, began: Happening) -> None:
        self._ran(one, began)
        if began.tool == action.SHELL and one.what is not What.REFUSED:
            for rule, said in shapes(one.text):
                self._note(f"rule|{one.project}|{rule.casefold()}|{said}", one)
        if one.what is What.PASSED and self._symbols:
            self._found(one, began)

    def _ran(self, one: Happening, began: Happening) -> None:
        place = (one.session, one.agent)
        own = run_by(began)
        if one.what in (What.FAILED, What.REFUSED):
            self._failed[place] = [(part.job, began.number, began.target) for part in own] + self._failed[place][
                :WITHIN
            ]
            return
        if one.what is not What.PASSED:
            return
        for part in own:
            if part.program in SEARCH_TOOLS:  # their names are programs', too
                continue
            for word in {part.job, *(each for given in part.words for each in words(given))}:
                self._note(f"call|{part.job}|{word.casefold()}", one)
                for job, _, line in self._failed[place][:WITHIN]:
                    if job not in SEARCH_TOOLS or searches_alike(line, began.target):
                        self._note(f"after|{job}|{word.casefold()}", one)
        self._failed[place] = self._failed[place][: WITHIN - 1]

    def _found(self, one: Happening, began: Happening) -> None:
        kind, symbol = _kind(began)
        if not kind or kind.split()[0] not in SEARCHES | {action.SEARCH, action.FIND, "git"}:
            return
        by_path = self._symbols.get(symbol.casefold())
        if by_path:
            for word in set(words(one.text[:LONGEST].casefold())):
                for key in by_path.get(word, ()):
                    if key.split("|")[1] == one.project:
                        self._note(key, one)

    def _note(self, key: str, one: Happening) -> None:
        if key not in self._calls:
            return
        known = self._seen.setdefault(key, [])
        if len(known) < 2 and all(session != one.session for session, _ in known):
            known.append((one.session, one.at))

    def opportunities(self) -> Iterator[Opportunity]:
        """Those whose answer stood in an earlier session, each with that answer: the one that stood in the fewest."""
        yield from count_once(self._known())

    def _known(self) -> Iterator[Opportunity]:
        for one in self._opportunities:
            if one.answer:
                yield one
                continue
            known = [(candidate, source) for candidate in one.candidates if (source := self._source(one, candidate))]
            if known:
                candidate, (session, at) = min(known, key=lambda each: (-each[1][1], each[0].token))
                yield dataclasses.replace(one, answer=candidate, source=session, source_at=at)

    def _source(self, one: Opportunity, candidate: Candidate) -> tuple[str, int] | None:
        seen = self._seen.get(candidate.evidence, ())
        return next(((session, at) for session, at in seen if session != one.session and at < one.at), None)
