"""What a stranger's set says about skills: which lesson comes first, and whose what was learned is.

Two sorts of sets, told apart by what is in them. *Intents*: skills with lessons and what they are wanted for, each with
the lesson that fits. They are noted a day apart and asked for as a loading skill asks, with vectors and by words alone.
*Sessions*: what happened, event by event, and to which skill it belongs. They go through the journal and `learn`.
"""

from __future__ import annotations

import dataclasses
import json
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bench.measure import print_table
from hardwon.event import Event, EventType
from hardwon.learn import session as learn
from hardwon.memories.skills import Wanted, lessons
from hardwon.memory import GLOBAL, Draft, Kind, Scope, Trust
from hardwon.paths import Home
from hardwon.settings import DEFAULTS, Settings
from hardwon.store import changes, projects
from hardwon.store.connection import Store, open_store
from hardwon.store.tables import journal, memories
from hardwon.text import tiers

NOW = 1_790_000_000_000
DAY, MINUTE = 86_400_000, 60_000
LEARNED = frozenset({Kind.FAILURE, Kind.FIX, Kind.RULE, Kind.LESSON})
Set = list[dict[str, Any]]


def run(file: Path, *, as_json: bool, show: bool) -> int:
    given: Set = json.loads(file.read_text("utf-8"))
    told = sessions(given) if given and "events" in given[0] else intents(given)
    if as_json:
        print(json.dumps(told, ensure_ascii=False, indent=1))
        return 0
    rows = [[name, *(str(value) for value in row)] for name, row in told["figures"].items()]
    print_table(told["title"], told["columns"], rows)
    for line in told["misses"] if show else ():
        print(line)
    return 0


# Which lesson comes first


def intents(given: Set) -> dict[str, Any]:
    figures: dict[str, list[str]] = {}
    misses: list[str] = []
    off = dataclasses.replace(DEFAULTS, vectors=dataclasses.replace(DEFAULTS.vectors, model="off"))
    for name, settings in (("with vectors", DEFAULTS), ("by words", off)):
        found = [one for skill in given for one in _first_lessons(skill, settings)]
        right = [one for one in found if one.first in one.gold]
        misses += [f"{name}: {one.skill}: {one.text!r} first {one.first}, fits {one.gold}" for one in found
                   if one.gold and one.first not in one.gold]  # fmt: skip
        asked = [one for one in found if one.gold]
        figures[name] = [_share(len(right), len(asked)), _share(*_first_for_others(found))]
    columns = ["", "the fitting lesson is first", "first for other intents"]
    title = f"{sum(len(skill['intents']) for skill in given)} intents of {len(given)} skills"
    return {"title": title, "columns": columns, "figures": figures, "misses": misses}


@dataclasses.dataclass(frozen=True)
class First:
    skill: str
    text: str
    gold: tuple[str, ...]
    first: str


def _first_lessons(skill: dict[str, Any], settings: Settings) -> Iterator[First]:
    with tempfile.TemporaryDirectory(prefix="hardwon-bench-") as folder, _opened(Path(folder), settings) as store:
        ids: dict[str, str] = {}
        for number, one in enumerate(skill["lessons"]):
            draft = Draft(Kind.LESSON, one["text"], Scope("p", skill["skill"]), Trust.AGENT, "agent",
                          intent=one.get("intent", ""))  # fmt: skip
            id = changes.note(store, draft, NOW - DAY * (len(skill["lessons"]) - number)).id
            ids[id or ""] = one["id"]
        _embed(store)
        for one in [*skill["intents"], *skill.get("other_intents", ())]:
            gold = one.get("gold", ())
            _warm(store, one["text"])
            found = lessons(store, Wanted(skill["skill"], ("p", GLOBAL), one["text"]), NOW)
            first = ids[found.items[0].ranked.memory.id] if found.items else ""
            yield First(skill["skill"], one["text"], (gold,) if isinstance(gold, str) else tuple(gold), first)


def _first_for_others(found: Sequence[First]) -> tuple[int, int]:
    """Each lesson that fits one intent, held against every other intent of its skill that it does not fit."""
    pairs = [
        (lesson, other)
        for skill in {one.skill for one in found}
        for lesson in {gold for one in found if one.skill == skill for gold in one.gold}
        for other in found
        if other.skill == skill and lesson not in other.gold
    ]
    return sum(lesson == other.first for lesson, other in pairs), len(pairs)


def _opened(folder: Path, settings: Settings) -> Store:
    return open_store(Home(folder / "home"), settings)


def _embed(store: Store) -> None:
    if store.settings.vectors.model == "off":
        return
    from hardwon.embedding import choose
    from hardwon.embedding.ready import READY
    from hardwon.memories.search.batch import embed_missing

    if READY.model(store.settings.vectors) is None:
        READY.put(store.settings.vectors, choose.load(store.settings.vectors, lambda text: text))
    model = READY.model(store.settings.vectors)
    while model and embed_missing(store, model, 64):
        pass


def _warm(store: Store, text: str) -> None:
    """Its vector is made before, so that a busy machine is not measured."""
    if store.settings.vectors.model != "off":
        from hardwon.memories.search import vectors

        vectors.query_vector(store, text)


# Whose what was learned is


def sessions(given: Set) -> dict[str, Any]:
    right = wrong = own = attached = 0
    misses: list[str] = []
    for session in given:
        for label, skill, text in _learned(session):
            if label == "?":
                continue
            right += bool(skill) and skill == label
            wrong += bool(skill) and skill != label
            own += bool(label)
            attached += bool(label) and skill == label
            if (skill or None) != (label or None):
                misses.append(f"{session['name']}: put to {skill or 'no skill'}, is of {label or 'none'}: {text}")
    figures = {
        "put to a skill, and belongs to it": [_share(right, right + wrong)],
        "of a skill, and put to it": [_share(attached, own)],
    }
    return {"title": f"{len(given)} sessions", "columns": ["", "share"], "figures": figures, "misses": misses}


def _learned(session: dict[str, Any]) -> Iterator[tuple[str | None, str | None, str]]:
    """What is remembered of it: whose it is, to which skill it was put, and its first line."""
    with tempfile.TemporaryDirectory(prefix="hardwon-bench-") as folder, _opened(Path(folder), DEFAULTS) as store:
        project = Path(folder) / session.get("project", "shop")
        for skill in session.get("skills", ()):
            place = project / ".claude" / "skills" / skill["name"]
            place.mkdir(parents=True, exist_ok=True)
            head = f"---\nname: {skill['name']}\ndescription: {json.dumps(skill.get('description', ''))}\n---\n"
            (place / "SKILL.md").write_text(f"{head}{skill.get('body', '')}\n", encoding="utf-8")
        project.mkdir(exist_ok=True)
        known = projects.claim(store, project, NOW)[1].id
        labels: dict[str, str | None] = {}
        for event, label in events(session, str(project), known):
            labels[event.call or event.prompt] = label
            journal.append(store, event, tiers.tier(event))
        learn.learn(store, "claude-code", session["name"], NOW + DAY)
        for memory in memories.all_memories(store):
            if memory.kind in LEARNED:
                first = next((one for one in memory.evidence if one.count(":") >= 2), "::")
                yield labels.get(first.split(":")[-1]), memory.scope.skill, memory.headline[:160]


def events(session: dict[str, Any], folder: str, project: str) -> Iterator[tuple[Event, str | None]]:
    """A session's events, each with whose it is."""
    at, label, prompt = NOW, None, ""
    for number, given in enumerate(session["events"]):
        at += _later(given.get("later", "1m"))
        label = given.get("of", label) if "of" in given else label
        if "prompt" in given:
            prompt = f"{session['name']}-p{number}"
        about = {"host": "claude-code", "session": session["name"], "at": at, "project": project, "cwd": folder}
        about |= {"agent": given.get("agent", ""), "prompt": prompt}
        yield Event(**about, **_what(given, f"{session['name']}-c{number}")), label


def _what(given: dict[str, Any], call: str) -> dict[str, Any]:
    if "prompt" in given:
        return {"type": EventType.PROMPT_SUBMITTED, "text": given["prompt"]}
    if "turn" in given:
        return {"type": EventType.TURN_ENDED, "text": given["turn"]}
    if "skill" in given:
        tool = "prompt" if given.get("typed") else "Read" if given.get("read") else "Skill"
        return {"type": EventType.SKILL_LOADED, "tool": tool, "call": "" if given.get("typed") else call,
                "target": given["skill"], "text": given.get("args", "")}  # fmt: skip
    done = {"type": EventType.TOOL_FINISHED if given.get("ok", True) else EventType.TOOL_FAILED, "call": call}
    output = {"text": given.get("output", "")} if given.get("ok", True) else _failed(given)
    if "run" in given:
        return done | output | {"tool": "Bash", "target": given["run"]}
    if "edit" in given:
        change = {"text": f"- {given.get('old', '')}\n+ {given.get('new', '')}"} if given.get("ok", True) else output
        return done | change | {"tool": "Edit", "target": given["edit"]}
    if "write" in given:
        return done | (output if "output" in given else {"text": given.get("content", "")}) | {
            "tool": "Write", "target": given["write"]}  # fmt: skip
    if "file" in given:
        return done | output | {"tool": "Read", "target": given["file"]}
    return done | output | {"tool": given["call"], "target": json.dumps(given.get("input", {}))}


def _failed(given: dict[str, Any]) -> dict[str, Any]:
    error = str(given.get("output", "")) or "Exit code 1"
    status = error.split()[2] if error.startswith("Exit code ") else "1"
    return {"error": error, "exit_status": int(status) if status.isdigit() else 1}


def _later(text: str) -> int:
    return int(float(text[:-1]) * {"s": 1_000, "m": MINUTE, "h": 60 * MINUTE, "d": DAY}[text[-1]])


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({part / whole:.0%})" if whole else "none"
