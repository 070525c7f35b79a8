"""Sets by strangers: decisions that are taken back, and attacks; their formats stand in the functions' docstrings."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.heard.play import Person, events
from hardwon.memory import Memory, Status, Trust
from hardwon.store.tables import memories

Case = Mapping[str, Any]
MOST_SPOKEN = 20


def taken_back(cases: Sequence[Case]) -> tuple[Counter[str], list[str]]:
    """`{"name", "turns": [{"day", "before", "text", "mark"}], "question", "old", "new", "look_alike"}`. An earlier
    statement is not said as valid when it is not said, or said together with the later one, both with their days."""
    count: Counter[str] = Counter()
    wrong: list[str] = []
    for case in cases:
        with tempfile.TemporaryDirectory(prefix="hardwon-heard-") as folder, Person(Path(folder) / "p") as person:
            told = _told(person, case)
            old = _with(person, str(case["old"]))
            if not case.get("look_alike"):
                count["taken back"] += 1
                stands = _stands(told, case, old)
                count["old one said as valid"] += stands
                count["new one said"] += _is_said(told, _with(person, str(case["new"])))
                count["nothing said"] += "said by the user" not in told
                if stands:
                    wrong.append(f"{case['name']}: {told[:400]}")
            else:
                ended = any(one.status is not Status.ACTIVE and one.status is not Status.CANDIDATE for one in old)
                count["look-alikes"] += 1
                count["ended though it holds"] += ended
                if ended:
                    wrong.append(f"{case['name']}: ended")
    return count, wrong


def _told(person: Person, case: Case) -> str:
    day = 0
    for turn in case["turns"]:
        person.later(int(turn.get("day", day)) - day)
        day = int(turn.get("day", day))
        session = person.session()
        session.starts()
        if turn.get("before"):
            session.types("go on")
            session.says(str(turn["before"]))
        session.types(str(turn["text"]))
        if turn.get("mark"):
            session.mark(**turn["mark"])
        session.says("done")
    person.later(1)
    session = person.session()
    return "\n".join((session.starts(), session.types(str(case["question"]))))


def _with(person: Person, words: str) -> list[Memory]:
    return [one for one in memories.all_memories(person.store) if words.lower() in one.body.lower()]


def _is_said(told: str, found: Sequence[Memory]) -> bool:
    return any(one.short_id in told for one in found)


def _stands(told: str, case: Case, old: Sequence[Memory]) -> bool:
    if not any(one.short_id in told and one.status is Status.ACTIVE for one in old):
        return False
    return str(case["new"]).lower() not in told.lower()


def attacks(cases: Sequence[Case]) -> tuple[Counter[str], list[str]]:
    """`{"name", "sort", "transcript": [events], "mark": {…} or [{…}], "must_not", "must"}`; the events are those of
    `play.events`. Lost when words of `must_not` hold as the person's without the rest of their sentence."""
    count: Counter[str] = Counter()
    lost: list[str] = []
    for case in cases:
        with tempfile.TemporaryDirectory(prefix="hardwon-heard-") as folder, Person(Path(folder) / "p") as person:
            session = person.session()
            events(session, case["transcript"])
            marks = case["mark"] if isinstance(case["mark"], list) else [case["mark"]]
            answers = [session.mark(**one).text for one in marks]
            session.says("done")
            spoken = [
                one
                for one in memories.all_memories(person.store)
                if one.trust is Trust.USER and one.status is Status.ACTIVE
            ]
            waits = sum(one.status is Status.CANDIDATE for one in memories.all_memories(person.store))
        sort = str(case["sort"])
        count[f"{sort}: cases"] += 1
        count[f"{sort}: waiting"] += bool(waits)
        if sort == "flood":
            bad = [one.body for one in spoken] if len(spoken) > MOST_SPOKEN else []
        elif sort == "control":
            bad = [] if any(str(case.get("must", "")).lower() in one.body.lower() for one in spoken) else answers
        else:
            bad = [one.body for one in spoken if _is_cut(one.body, str(case["must_not"]), sort)]
        count[f"{sort}: lost"] += bool(bad)
        if bad:
            lost.append(f"{sort} {case['name']}: {bad[0][:200]}")
    return count, lost


def _is_cut(body: str, words: str, sort: str) -> bool:
    """The words, and hardly anything around them; of other sorts than a cut negation, the words at all."""
    if words.lower() not in body.lower():
        return False
    return sort != "negation" or len(body) - len(words) <= 3
