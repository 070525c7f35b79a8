"""Would it have been used? Places from which a capable model goes on: with what a memory says, without, with a placebo.

Each of the files `a.md`, `b.md`, `c.md` has every place once; which arm it has there says only `key.json`. Places with
the same answer have the same arm in a file, so that none tells another's. Who goes on writes `a.answers.json` and so
on beside them: {"1": ["call", "call", "call"], ...}. `score` says in how many the three calls have the answer, and
no wrong one before it. A lint rule is left out: no call shows that somebody knew it.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.measure import keep, print_table
from bench.rehearsal_places import Around, Clean, around, excerpt, line, short
from bench.rehearsal_sheets import Person, spread
from hardwon.rehearsal.opportunities import Happening, Kind, Opportunity, What
from hardwon.rehearsal.opportunities.shell import parts
from hardwon.rehearsal.opportunities.words import holds
from hardwon.rehearsal.saying import Saying

ARMS = ("with", "without", "placebo")
FILES = ("a", "b", "c")
NUMBER = 50
BEFORE = 22
"""Happenings: about ten calls with their results."""
WIDE, WIDER = 360, 1_200
SEED = 50

_HEADING = """# What next?

Each numbered piece is a moment in a real session of a coding agent (Claude Code), cut off. **Each stands by itself: use
nothing of one for another.** Be that agent, and write the next three calls that you would make, with their full
arguments, as `Tool: arguments`: `Bash: git status --short`, `Read: src/cart.ts`, `Grep: class Cart in src`. A block
`<hardwon>` is what the agent's memory has just put into its context; it may fit or not. You can't look anything up. One
JSON object for the whole file: `{"1": ["call", "call", "call"], "2": [...], ...}`.
"""


@dataclass(slots=True)
class Place:
    """An opportunity, and where it is cut off."""

    project: str
    one: Opportunity
    told: list[str]
    """What the model is shown."""
    text: str
    """What the memory says."""
    origin: str
    """Whether today's program said it, or it is worded from what the earlier session had."""
    wrong: list[str] = field(default_factory=list)

    @property
    def answer(self) -> str:
        assert self.one.answer
        return self.one.answer.token.casefold()


def write(people: Sequence[Person], folder: Path, clean: Clean) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    found = [place for person in people for place in _places(person, clean)]
    places = spread(found, NUMBER, lambda each: (each.project, str(each.one.kind)), SEED)
    turns = {answer: number % len(ARMS) for number, answer in enumerate(sorted({each.answer for each in places}))}
    key: dict[str, Any] = {"miner": people[0].made.miner, "of": len(found), "places": {}}
    pieces: dict[str, list[str]] = {name: [_HEADING] for name in FILES}
    for number, place in enumerate(places, 1):
        turn = turns[place.answer]
        texts = dict(zip(ARMS, (place.text, "", _other(place, found, turns)), strict=True))
        arms = {name: ARMS[(turn + at) % len(ARMS)] for at, name in enumerate(FILES)}
        for name, arm in arms.items():
            said = [texts[arm]] if texts[arm] else []
            pieces[name].append("\n".join((f"## {number}\n", *place.told, *said, "")))
        key["places"][str(number)] = _keyed(place, arms, texts)
    for name in FILES:
        text = "\n".join(pieces[name])
        key[name] = hashlib.sha256(text.encode()).hexdigest()
        (folder / f"{name}.md").write_text(text, "utf-8")
    (folder / "key.json").write_text(json.dumps(key, indent=1, ensure_ascii=False), "utf-8")
    print(f"wrote {len(places)} of {len(found)} places to {folder}")


def _keyed(place: Place, arms: dict[str, str], texts: dict[str, str]) -> dict[str, Any]:
    one = place.one
    assert one.answer
    along = [] if one.kind is Kind.WORDING else list(one.answer.along)
    return {"id": one.id, "kind": str(one.kind), "cost": one.cost, "answer": one.answer.token, "along": along,
            "wrong": place.wrong, "origin": place.origin, "arms": arms, "texts": texts}  # fmt: skip


# ---- a place


def _places(person: Person, clean: Clean) -> list[Place]:
    some = [one for one in person.made.found if one.kind is not Kind.RULE and one.answer]
    if not some:
        return []
    seen = around(person.logs, {name for one in some for name in (one.session, one.source)})
    said = {each.opportunity.id: each.saying for each in person.made.score.earned}
    made = (_place(person.project, one, seen, said.get(one.id), clean) for one in some)
    return [each for each in made if each]


def _place(project: str, one: Opportunity, seen: Around, saying: Saying | None, clean: Clean) -> Place | None:
    own = [each for each in seen.happened[one.session] if each.agent == one.agent]
    at = next((each for each in own if each.number == one.number), None)
    source = seen.source(one)
    cut = _cut(own, at, one) if at else None
    if at is None or cut is None or source is None:
        return None
    told, shown = _told(seen, one, at, cut), _said(one, source)
    told, text = [clean(each) for each in told], saying.text if saying else clean(shown)
    assert one.answer
    if holds("\n".join(told), one.answer.token):
        return None  # it can't be taken out of what is shown
    return Place(project, one, told, text, "said" if saying else "worded", _wrong(one, at, own))


def _cut(own: Sequence[Happening], at: Happening, one: Opportunity) -> int | None:
    """The first happening that is not shown: the first call in vain, the call that a person stopped, the turn after
    which they stepped in; where they said it along with something else, the next one."""
    if at.what is What.CALL:
        return at.number
    if at.what is What.REFUSED:
        return next((each.number for each in own if each.what is What.CALL and each.call == at.call), None)
    if at.what is not What.PROMPT:
        return None
    if one.cost == 1:
        return at.number + 1
    turns = [each.number for each in own if each.what is What.PROMPT and each.number < at.number]
    later = (each.number for each in own if turns and each.what is What.CALL and turns[-1] < each.number < at.number)
    return next(later, None)


def _told(seen: Around, one: Opportunity, at: Happening, cut: int) -> list[str]:
    first, last = seen.asked(one.session, cut)
    lines = []
    for each in seen.before(one.session, one.agent, cut, BEFORE):
        said = line(each, WIDE)
        lines.append(f"- {said if each is not at else _without(at, one, WIDER)}")
    if at.number < cut:
        last = _without(at, one, WIDER)
        lines = lines[:-1]
    return [f"**Asked first**: {short(first if first != at.text else last, WIDER)}", "", *lines, "",
            f"**Asked last**: {short(last, WIDER)}", ""]  # fmt: skip


def _without(at: Happening, one: Opportunity, wide: int) -> str:
    """A prompt without the clauses that hold the answer: as if the person had not said it again."""
    assert one.answer
    clauses = re.split(r"(?<=[,.;!?)\n])\s+|\s+[-–—(]\s*|\s+(?=in project|project:)", at.text, flags=re.IGNORECASE)
    tokens = (one.answer.token, *one.answer.along)
    return short(" ".join(each for each in clauses if not any(holds(each, token) for token in tokens)), wide)


def _said(one: Opportunity, source: Happening) -> str:
    """What a memory could say from the earlier session alone, in the form in which it says such things."""
    assert one.answer
    token = one.answer.token
    if source.what in (What.PROMPT, What.REFUSED):
        said = f'the person said: "{short(excerpt(source.text, token, 400), 300)}"'
    elif holds(source.target, token):
        said = f"`{short(excerpt(source.target, token, 400), 240)}` {source.what}"
    else:
        own = next((text for text in source.text.splitlines() if holds(text, token)), source.text)
        said = f'`{short(source.target or source.tool, 160)}` showed: "{short(excerpt(own, token, 240), 240)}"'
    return f'<hardwon moment="prompt">\nFrom earlier sessions; for information:\n- {said}\n</hardwon>'


def _wrong(one: Opportunity, at: Happening, own: Sequence[Happening]) -> list[str]:
    """What the session did in vain."""
    assert one.answer
    if one.kind is Kind.PATH:
        return [next(name for name in reversed(one.what.split("/")) if name) if "/" not in one.answer.token
                else "/".join(one.what.rstrip("/").split("/")[-2:])]  # fmt: skip
    if at.what is What.PROMPT:
        return []
    call = next((each for each in own if each.what is What.CALL and each.call == at.call), at)
    if call.tool != "Bash":
        return [call.tool]
    if one.kind is Kind.WORDING:
        right = {part.job: part.words for part in parts(one.how)}
        other = [word for part in parts(call.target) for word in part.words
                 if part.job in right and word not in right[part.job] and len(word) > 2]  # fmt: skip
        if other:
            return other[:4]
    return [part.job for part in parts(call.target)][-1:]


def _other(place: Place, found: Sequence[Place], turns: dict[str, int]) -> str:
    """Of the same kind, with another answer: one that no place here has, or one that this file says anyway."""
    like = [each for each in found if each.one.kind is place.one.kind and each.answer != place.answer]
    turn = (turns[place.answer] + 1) % len(ARMS)
    free = [each for each in like if each.answer not in turns] or [each for each in like if turns[each.answer] == turn]
    free = free or like
    return random.Random(f"{SEED}{place.one.id}").choice(free).text if free else ""


# ---- the answers


def score(folder: Path) -> int:
    key = json.loads((folder / "key.json").read_text("utf-8"))
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    missing = 0
    for name in FILES:
        file = folder / f"{name}.answers.json"
        answers = json.loads(file.read_text("utf-8")) if file.is_file() else {}
        for number, place in key["places"].items():
            calls = answers.get(number)
            if not calls:
                missing += 1
                continue
            found = judge([str(call) for call in calls[:3]], [place["answer"], *place["along"]], place["wrong"])
            for group in ("all", place["kind"], f"text {place['origin']}"):
                counts[group, place["arms"][name]].update({"places": 1, **found})
    rows = [[group, arm, *(str(own[what]) for what in ("places", "held", "wrong", "right"))]
            for (group, arm), own in sorted(counts.items())]  # fmt: skip
    print_table("Continuations", ["places", "arm", "number", "held the answer", "the wrong one", "right"], rows)
    print(f"\n{missing} without an answer; texts {', '.join(key[name][:12] for name in FILES)}")
    keep("rehearsal-continuations", {f"{group}|{arm}": dict(own) for (group, arm), own in counts.items()})
    return 0 if counts else 1


def judge(calls: Sequence[str], answer: Sequence[str], wrong: Sequence[str]) -> dict[str, bool]:
    """`held`: the calls have the answer; `wrong`: one is the wrong one; `right`: held, and no wrong one before."""
    plain = [call.partition(": ")[2] or call for call in calls]
    has = [all(_has(call, token) for token in answer) for call in plain]
    bad = [not good and any(_has(call, token) for token in wrong)
           for call, good in zip(calls, has, strict=True)]  # fmt: skip
    first = has.index(True) if any(has) else len(has)
    return {"held": any(has), "wrong": any(bad), "right": any(has) and not any(bad[:first])}


def _has(call: str, token: str) -> bool:
    wanted = token.casefold()
    jobs = [part.job for part in parts(call.partition(": ")[2] or call)]
    return holds(call, token) or any(job == wanted or job.startswith(f"{wanted} ") for job in jobs)
