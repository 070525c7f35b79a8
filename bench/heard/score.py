"""What became of a capable model's marks: kept, whole, back when it matters, silent when not."""

from __future__ import annotations

import difflib
import json
import re
import tempfile
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.heard.play import Person
from hardwon.memory import Memory, Status, Trust
from hardwon.store.tables import memories

Turn = Mapping[str, Any]


def play(turns: Sequence[Turn], answers: Mapping[str, Sequence[Mapping[str, Any]]]) -> dict[str, Any]:
    """Each turn in a home of its own; what was marked, what is there, what is said later."""
    count: Counter[str] = Counter()
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    missed: list[str] = []
    for turn in turns:
        if turn["id"] not in answers:
            continue
        marks = list(answers[turn["id"]])
        with tempfile.TemporaryDirectory(prefix="hardwon-heard-") as folder, Person(Path(folder) / "p") as person:
            _turn(person, turn, marks, count, kinds, missed)
    return {"count": dict(count), "kinds": {name: dict(one) for name, one in kinds.items()}, "missed": missed}


def _turn(
    person: Person, turn: Turn, marks: list[Mapping[str, Any]], count: Counter[str],
    kinds: dict[str, Counter[str]], missed: list[str],
) -> None:  # fmt: skip
    session = person.session()
    if turn.get("before"):
        session.types("go on")
        session.says(str(turn["before"]))
    session.types(str(turn["text"]))
    for one in marks:
        told = session.mark(**{"kind": "task", "text": "-", **one})
        count["marks refused"] += told.wrong
        count["marks that are notes"] += "not the user's word" in told.text
    session.says("done")
    there = list(memories.all_memories(person.store))
    said = [one for one in there if one.trust is Trust.USER or one.source == "agreed"]
    count["marks"] += len(marks)
    count["statements kept"] += len(said)
    count["of these waiting"] += sum(one.status is Status.CANDIDATE for one in said)
    _score(turn, marks, said, count, kinds, missed)
    _later(person, turn, said, count, missed)


def _score(
    turn: Turn, marks: Sequence[Mapping[str, Any]], said: Sequence[Memory], count: Counter[str],
    kinds: dict[str, Counter[str]], missed: list[str],
) -> None:  # fmt: skip
    if not turn.get("labels"):
        if not turn.get("recurs"):
            count["harmless turns"] += 1
            count["harmless, kept"] += bool(marks or said)
        return
    count["turns with something"] += 1
    for label in turn["labels"]:
        hit = [one for one in said if meets(one.body, str(label["quote"]))]
        for kind in (label["kind"], "all"):
            kinds[kind]["said"] += 1
            kinds[kind]["kept"] += bool(hit)
            kinds[kind]["right kind"] += any(str(one.kind) == label["kind"] for one in hit)
        if not hit:
            missed.append(f"not kept {turn['id']}: {label['quote'][:80]}")
    beside = [one for one in said if not any(meets(one.body, str(label["quote"])) for label in turn["labels"])]
    count["kept beside"] += len(beside)


def _later(person: Person, turn: Turn, said: Sequence[Memory], count: Counter[str], missed: list[str]) -> None:
    kept = [one for one in said if any(meets(one.body, str(label["quote"])) for label in turn.get("labels") or ())]
    if not kept:
        return
    person.later(3)
    for what, name in (("later", "back at later"), ("unrelated", "said at unrelated")):
        if not turn.get(what):
            continue
        session = person.session()
        begun = session.starts()
        told = session.types(str(turn[what]))
        back = any(one.short_id in told or one.short_id in begun for one in kept)
        count[f"{what} asked"] += 1
        count[name] += any(one.short_id in told for one in kept) if what == "unrelated" else back
        count[f"{what}: at the prompt"] += any(one.short_id in told for one in kept)
        count[f"{what}: at the start already"] += any(one.short_id in begun for one in kept)
        if what == "later" and not back:
            missed.append(f"not back {turn['id']}: {turn[what]} <- {kept[0].title} | {kept[0].body[:80]}")
        if what == "unrelated" and any(one.short_id in told for one in kept):
            missed.append(f"said at unrelated {turn['id']}: {turn[what]} <- {kept[0].title}")


def meets(one: str, other: str) -> bool:
    """As the sets' own score has it: half of the shorter one stands in the longer one."""
    first, second = (re.sub(r"\s+", " ", text.lower()).strip() for text in (one, other))
    if not first or not second:
        return False
    match = difflib.SequenceMatcher(None, first, second, autojunk=False)
    return match.find_longest_match(0, len(first), 0, len(second)).size >= 0.5 * min(len(first), len(second))


def ideal(turns: Sequence[Turn]) -> dict[str, list[dict[str, str]]]:
    """The marks of somebody who hears everything: what `mark` and what comes after it lose by themselves."""
    return {
        turn["id"]: [
            {"kind": label["kind"], "text": label["keep"], "quote": label["quote"]}
            for label in turn.get("labels") or ()
        ]
        for turn in turns
    }


def read(path: Path) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = json.loads(path.read_text(encoding="utf-8"))
    return found


def printed(found: Mapping[str, Any]) -> str:
    lines = [
        f"{kind:12} said {one.get('said', 0):4}  kept {one.get('kept', 0):4} "
        f"({100 * one.get('kept', 0) / max(1, one.get('said', 0)):.0f} %)  right kind {one.get('right kind', 0)}"
        for kind, one in found["kinds"].items()
    ]
    lines += [f"{name}: {number}" for name, number in found["count"].items()]
    return "\n".join(lines)
