"""The project's own questions, to report on.

They were written before anybody tuned for them, and stay as they were: `FROZEN` has the SHA-256 of what each file says,
however its lines are broken.

    python -c "from bench.recall import sets; print(sets.digests(), end='')" > bench/recall/FROZEN

`sets/README.md` describes the files. `problems` and `unfrozen` say in sentences what is wrong with them; an
empty list is good.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from bench.recall import names

FOLDER = Path(__file__).parent / "sets"
FROZEN = Path(__file__).parent / "FROZEN"
FILES = ("amended.json", "chinese.json", "decisions.json", "near_miss.json", "unrelated.json")

_NOTHING: dict[str, Any] = {
    "amended.json": {"conversations": [], "items": []},
    "chinese.json": {"passages": [], "questions": []},
    "decisions.json": {"conversations": [], "questions": []},
    "near_miss.json": {"notes": [], "prompts": []},
    "unrelated.json": [],
}


@dataclass(frozen=True, slots=True)
class Turn:
    role: str
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Conversation:
    id: str
    project: str
    started: datetime
    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """A turn of a conversation, counted from 0."""

    conversation: str
    turn: int


@dataclass(frozen=True, slots=True)
class Question:
    id: str
    kind: str
    question: str
    answer: Place


@dataclass(frozen=True, slots=True)
class Amendment:
    """`gold` is the present state. `earlier` is outdated; `other` is later, and about something else."""

    id: str
    kind: str
    question: str
    gold: Place
    earlier: tuple[Place, ...]
    other: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Note:
    id: str
    kind: str
    title: str
    body: str
    scope: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """`gold` is the note that answers it; without one, `near` is the note that only looks like it."""

    id: str
    prompt: str
    gold: str | None
    near: str | None


@dataclass(frozen=True, slots=True)
class Passage:
    id: str
    language: str
    form: str
    title: str
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class PassageQuestion:
    id: str
    kind: str
    question: str
    gold: str


@dataclass(frozen=True, slots=True)
class Unrelated:
    id: str
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Sets:
    """Everything of one folder."""

    decisions: tuple[Conversation, ...]
    questions: tuple[Question, ...]
    amended: tuple[Conversation, ...]
    amendments: tuple[Amendment, ...]
    notes: tuple[Note, ...]
    prompts: tuple[Prompt, ...]
    passages: tuple[Passage, ...]
    passage_questions: tuple[PassageQuestion, ...]
    unrelated: tuple[Unrelated, ...]


def load(folder: str) -> Sets:
    """The whole one, or one of the others, which have some of the files. Raises what `json` raises, or KeyError and
    TypeError for a field that is missing or unknown."""
    there = {name for name in FILES if folder == names.REPORTING or (FOLDER / folder / name).exists()}
    amended, chinese, decisions, near_miss, unrelated = (
        _json(FOLDER / folder / name) if name in there else _NOTHING[name] for name in FILES
    )
    return Sets(
        decisions=tuple(_conversation(raw) for raw in decisions["conversations"]),
        questions=tuple(Question(**{**raw, "answer": Place(**raw["answer"])}) for raw in decisions["questions"]),
        amended=tuple(_conversation(raw) for raw in amended["conversations"]),
        amendments=tuple(_amendment(raw) for raw in amended["items"]),
        notes=tuple(Note(**raw) for raw in near_miss["notes"]),
        prompts=tuple(Prompt(**raw) for raw in near_miss["prompts"]),
        passages=tuple(Passage(**{**raw, "at": _time(raw["at"])}) for raw in chinese["passages"]),
        passage_questions=tuple(PassageQuestion(**raw) for raw in chinese["questions"]),
        unrelated=tuple(Unrelated(**raw) for raw in unrelated),
    )


def _json(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def problems(sets: Sets) -> list[str]:
    """What the whole one must not be: too small, ambiguous, or easy to see through."""
    return [*_too_few(sets), *flaws(sets)]


def flaws(sets: Sets) -> list[str]:
    """What no set may have, however small it is."""
    return [
        *_bad_conversations("decisions.json", sets.decisions),
        *_bad_conversations("amended.json", sets.amended),
        *_bad_questions(sets),
        *_bad_amendments(sets),
        *_bad_prompts(sets),
        *_bad_passages(sets),
        *(f"unrelated.json: {one.id} is a {one.kind!r}" for one in sets.unrelated if one.kind not in _UNRELATED_KINDS),
        *_twice("decisions.json", "id", [*_ids(sets.decisions), *_ids(sets.questions)]),
        *_twice("amended.json", "id", [*_ids(sets.amended), *_ids(sets.amendments)]),
        *_twice("near_miss.json", "id", [*_ids(sets.notes), *_ids(sets.prompts)]),
        *_twice("chinese.json", "id", [*_ids(sets.passages), *_ids(sets.passage_questions)]),
        *_twice("unrelated.json", "id", _ids(sets.unrelated)),
        *_twice("the set", "question or prompt", list(asked(sets))),
        *_twice("near_miss.json", "note", [f"{note.title} {note.body}" for note in sets.notes]),
        *_twice("chinese.json", "passage", [f"{one.title} {one.text}" for one in sets.passages]),
    ]


def digests(folder: Path = FOLDER) -> str:
    files = sorted(file for name in names.REPORTED for file in (folder / name).glob("*.json"))
    return "".join(f"{_digest(file)}  sets/{file.parent.name}/{file.name}\n" for file in files)


def _digest(file: Path) -> str:
    said = json.loads(file.read_text("utf-8"))
    one_form = json.dumps(said, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(one_form.encode()).hexdigest()


def unfrozen(folder: Path = FOLDER, frozen: Path = FROZEN) -> list[str]:
    """The reporting files that differ from FROZEN, or stand only on one side."""
    kept, there = (set(text.splitlines()) for text in (frozen.read_text("utf-8"), digests(folder)))
    return [f"{name} is not as it was frozen" for name in sorted({line.split()[1] for line in kept ^ there})]


def asked(sets: Sets) -> Iterator[str]:
    yield from (question.question for question in sets.questions)
    yield from (amendment.question for amendment in sets.amendments)
    yield from (prompt.prompt for prompt in sets.prompts)
    yield from (question.question for question in sets.passage_questions)
    yield from (one.text for one in sets.unrelated)


def texts_of(sets: Sets) -> Iterator[str]:
    yield from asked(sets)
    for conversation in (*sets.decisions, *sets.amended):
        yield from (turn.text for turn in conversation.turns)
    for note in sets.notes:
        yield from (note.title, note.body)
    for passage in sets.passages:
        yield from (passage.title, passage.text)


_KINDS = {"named", "paraphrase", "reworded"}
_UNRELATED_KINDS = {"prompt", "command"}
_NOTE_KINDS = {"lesson", "failure", "fix", "decision", "constraint", "task", "rule"}
_LANGUAGES = {"zh", "ja", "en", "mixed"}
_PASSAGE_KINDS = {"zh", "ja", "en-zh", "en-ja", "zh-en", "ja-en"}
"""The language of the question, and of the passage where it is another one."""


def _too_few(sets: Sets) -> Iterator[str]:
    amended = [one for one in sets.amendments if one.kind == "amended"]
    silent = [one for one in sets.prompts if one.gold is None]
    wanted = (
        ("conversations in decisions.json", len(sets.decisions), 150),
        ("questions in decisions.json", len(sets.questions), 40),
        ("amended items in amended.json", len(amended), 30),
        ("controls in amended.json", len(sets.amendments) - len(amended), 10),
        ("notes in near_miss.json", len(sets.notes), 30),
        ("prompts without an answer in near_miss.json", len(silent), 80),
        ("prompts with an answer in near_miss.json", len(sets.prompts) - len(silent), 30),
        ("passages in chinese.json", len(sets.passages), 80),
        ("questions in chinese.json", len(sets.passage_questions), 40),
        ("texts in unrelated.json", len(sets.unrelated), 320),
    )
    yield from (f"{what}: {have}, at least {least} are needed" for what, have, least in wanted if have < least)
    if len(sets.notes) > 60:
        yield f"notes in near_miss.json: {len(sets.notes)}, at most 60 make a small memory"


def _bad_conversations(file: str, conversations: tuple[Conversation, ...]) -> Iterator[str]:
    for one in conversations:
        times = [turn.at for turn in one.turns]
        if not 4 <= len(one.turns) <= 10:
            yield f"{file}: {one.id} has {len(one.turns)} turns, 4 to 10 are right"
        if times != sorted(set(times)) or times[0] != one.started:
            yield f"{file}: the times of {one.id} don't rise from its start"
        if [turn.role for turn in one.turns] != ["user", "agent"] * (len(one.turns) // 2):
            yield f"{file}: user and agent don't alternate in {one.id}"
        if not all(turn.text.strip() for turn in one.turns):
            yield f"{file}: {one.id} has a turn without a text"
    yield from _twice(file, "conversation", ["\n".join(turn.text for turn in one.turns) for one in conversations])


def _bad_questions(sets: Sets) -> Iterator[str]:
    turns = _turns(sets.decisions)
    for one in sets.questions:
        if one.kind not in _KINDS:
            yield f"decisions.json: {one.id} is of the kind {one.kind!r}"
        yield from _bad_place("decisions.json", one.id, one.question, one.answer, turns)


def _bad_amendments(sets: Sets) -> Iterator[str]:
    turns = _turns(sets.amended)
    for one in sets.amendments:
        before, after = (one.earlier, one.other) if one.kind == "amended" else ((), one.other)
        places = (one.gold, *one.earlier, *one.other)
        yield from (line for place in places for line in _bad_place("amended.json", one.id, one.question, place, turns))
        if one.kind not in ("amended", "control") or bool(one.earlier) == bool(one.other):
            yield f"amended.json: {one.id} has `earlier` when it is amended, `other` when it is a control, never both"
        elif len({place.conversation for place in places}) < len(places):
            yield f"amended.json: {one.id} names a conversation twice"
        elif any(turns[place].at >= turns[one.gold].at for place in before):
            yield f"amended.json: {one.id} has an earlier passage that is not earlier"
        elif any(turns[place].at <= turns[one.gold].at for place in after):
            yield f"amended.json: {one.id} has a control whose other passage is not later"


def _bad_place(file: str, name: str, question: str, place: Place, turns: dict[Place, Turn]) -> Iterator[str]:
    """The passage must exist, occur once, and not hold the question word by word."""
    if place not in turns:
        yield f"{file}: {name} names {place.conversation} turn {place.turn}, which isn't there"
        return
    text = turns[place].text
    if sum(turn.text == text for turn in turns.values()) > 1:
        yield f"{file}: the passage of {name} occurs more than once"
    if _plain(question) in _plain(text):
        yield f"{file}: {name} is a copy of its passage"


def _bad_prompts(sets: Sets) -> Iterator[str]:
    known = {note.id for note in sets.notes}
    for one in sets.prompts:
        if (one.gold is None) == (one.near is None) or not {one.gold or one.near} <= known:
            yield f"near_miss.json: {one.id} needs either `gold` or `near`, with the id of a note"
    for note in sets.notes:
        if note.kind not in _NOTE_KINDS or not (note.title and note.body and note.scope):
            yield f"near_miss.json: note {note.id} is of the kind {note.kind!r} or lacks a text"


def _bad_passages(sets: Sets) -> Iterator[str]:
    known = {passage.id for passage in sets.passages}
    for passage in sets.passages:
        form = "note" if passage.title else "turn"
        if passage.language not in _LANGUAGES or passage.form != form or not passage.text:
            yield f"chinese.json: {passage.id} is a {passage.form!r} in {passage.language!r}; only a note has a title"
    for one in sets.passage_questions:
        if one.gold not in known or one.kind not in _PASSAGE_KINDS:
            yield f"chinese.json: {one.id} asks for {one.gold!r} as {one.kind!r}, one of them is unknown"


def _conversation(raw: dict[str, Any]) -> Conversation:
    turns = tuple(Turn(turn["role"], turn["text"], _time(turn["at"])) for turn in raw["turns"])
    return Conversation(raw["id"], raw["project"], _time(raw["started"]), turns)


def _amendment(raw: dict[str, Any]) -> Amendment:
    earlier, other = (tuple(Place(**place) for place in raw[name]) for name in ("earlier", "other"))
    return Amendment(raw["id"], raw["kind"], raw["question"], Place(**raw["gold"]), earlier, other)


def _time(text: str) -> datetime:
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%S%z")


def _turns(conversations: tuple[Conversation, ...]) -> dict[Place, Turn]:
    return {Place(one.id, number): turn for one in conversations for number, turn in enumerate(one.turns)}


def _ids(things: Iterable[Any]) -> list[str]:
    return [thing.id for thing in things]


def _plain(text: str) -> str:
    return " ".join(text.lower().split()).strip(" .?!。？")


def _twice(file: str, what: str, texts: list[str]) -> Iterator[str]:
    counted = Counter(_plain(text) for text in texts)
    yield from (
        f"{file}: the {what} {text[:80]!r} is there {count} times" for text, count in counted.items() if count > 1
    )
