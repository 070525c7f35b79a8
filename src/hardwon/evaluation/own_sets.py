"""The project's own questions: a folder with `decisions.json`, `amended.json`, `near_miss.json`, `chinese.json` and
`unrelated.json`, or with some of them. Their form is described in `bench/recall/sets/README.md` of the repository.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from hardwon.evaluation import made_questions
from hardwon.evaluation.corpus import Asked, BadData, Corpus, DataSet, Document
from hardwon.evaluation.reading import json_file
from hardwon.memory import GLOBAL

NAMED = (
    *("reporting", "long_reporting"),
    *("fresh_reporting", "fresh_reporting_2", "fresh_reporting_3", "fresh_reporting_4", "fresh_reporting_5"),
    *("tickets_reporting", "near_reporting_1", "near_reporting_2", "near_reporting_3"),
)
"""What a clone has, by name."""
_FILES = ("amended", "chinese", "decisions", "near_miss", "unrelated")
_NOTED_AT = 1_790_000_000_000
"""The notes have no times; none of the prompts asks for one."""


@dataclass(frozen=True, slots=True)
class Prompt:
    text: str
    answer: str | None
    """The note that answers it."""
    project: str
    """Where it is typed."""


@dataclass(frozen=True, slots=True)
class OwnSets:
    data: tuple[DataSet, ...]
    notes: tuple[Document, ...]
    """The small memory of the near misses."""
    prompts: tuple[Prompt, ...]
    all_notes: tuple[Document, ...]
    """Those of all sets."""
    unrelated: tuple[str, ...]


def found(given: str) -> Path:
    """The folder of a set: its name, looked for in the repository around us, or a path."""
    if given not in NAMED:
        return Path(given)
    for start in (Path.cwd(), Path(__file__).resolve()):
        for folder in (start, *start.parents):
            if (there := folder / "bench" / "recall" / "sets" / given).is_dir():
                return there
    raise BadData(
        f'The sets "{given}" are not here: they come with the repository. Run it in a clone, or give the path of '
        "a folder with decisions.json and the other four."
    )


def load(folder: Path) -> OwnSets:
    there = [name for name in _FILES if (folder / f"{name}.json").is_file()]
    if not there:
        names = ", ".join(f"{name}.json" for name in _FILES)
        raise BadData(f"{folder} has none of the sets: {names}. Name a folder that has some, or {', '.join(NAMED)}.")
    amended, chinese, decisions, near_miss = (
        json_file(folder / f"{name}.json", dict) if name in there else {} for name in _FILES[:-1]
    )
    unrelated = json_file(folder / "unrelated.json", list) if "unrelated" in there else []
    try:
        notes = tuple(_note(one) for one in near_miss["notes"]) if near_miss else ()
        written = tuple(_passage(one) for one in chinese["passages"]) if chinese else ()
        data = (
            *(_decisions(decisions) if decisions else ()),
            *(_amended(amended) if amended else ()),
            *(_chinese(chinese, written) if chinese else ()),
        )
        prompts = _prompts(near_miss["prompts"], notes) if near_miss else ()
        texts = tuple(str(one["text"]) for one in unrelated)
    except (KeyError, TypeError, ValueError) as error:
        raise BadData(f"{folder} does not hold the sets: {type(error).__name__} {error}.") from error
    return OwnSets(data, notes, prompts, (*notes, *(one for one in written if one.title)), texts)


def _decisions(raw: dict[str, Any]) -> tuple[DataSet, ...]:
    """And what else people search these conversations for."""
    questions = tuple(
        Asked(one["id"], one["question"], frozenset({_place(one["answer"])}), one["kind"]) for one in raw["questions"]
    )
    corpus = Corpus("decisions", _turns(raw["conversations"]), questions)
    measures = ("hit@1", "exchange hit@1", "exchange hit@5", "MRR", "session hit@1")
    decisions = DataSet("decisions", (corpus,), measures)
    return decisions, made_questions.remembered_words(corpus), made_questions.asked_again(corpus)


def _amended(raw: dict[str, Any]) -> tuple[DataSet, DataSet]:
    """Those that were amended, and the controls, in which a later passage is about something else."""
    documents = _turns(raw["conversations"])

    def of(kind: str, rivals: str) -> Corpus:
        questions = (
            Asked(
                one["id"],
                one["question"],
                frozenset({_place(one["gold"])}),
                kind,
                outdated=frozenset(map(_place, one[rivals])),
            )
            for one in raw["items"]
            if one["kind"] == kind
        )
        return Corpus(kind, documents, tuple(questions))

    measures = (
        *("exchange before", "before", "hit@1", "exchange hit@1", "hit@5", "exchange hit@5"),
        *("session before", "session hit@1"),
    )
    return (
        DataSet("amended decisions", (of("amended", "earlier"),), measures),
        DataSet("amended: controls", (of("control", "other"),), measures),
    )


def _chinese(raw: dict[str, Any], documents: tuple[Document, ...]) -> tuple[DataSet, DataSet]:
    """Turns and notes are kept and searched in different places."""
    asked = [Asked(one["id"], one["question"], frozenset({one["gold"]}), one["kind"]) for one in raw["questions"]]

    def of(form: str, *, notes: bool) -> DataSet:
        some = tuple(one for one in documents if bool(one.title) is notes)
        known = {one.id for one in some}
        questions = tuple(one for one in asked if one.gold <= known)
        return DataSet(f"Chinese and Japanese, {form}", (Corpus(form, some, questions, notes=notes),), _HITS)

    return of("turns", notes=False), of("notes", notes=True)


_HITS = ("hit@1", "hit@5", "MRR")


def _turns(conversations: list[dict[str, Any]]) -> tuple[Document, ...]:
    return tuple(
        Document(
            f"{one['id']}/{number}", one["id"], _time(turn["at"]), turn["role"], turn["text"], project=one["project"]
        )
        for one in conversations
        for number, turn in enumerate(one["turns"])
    )


def _place(raw: dict[str, Any]) -> str:
    return f"{raw['conversation']}/{raw['turn']}"


def _note(raw: dict[str, Any]) -> Document:
    return Document(
        raw["id"], raw["id"], _NOTED_AT, "user", raw["body"], project=raw["scope"], title=raw["title"], kind=raw["kind"]
    )


def _passage(raw: dict[str, Any]) -> Document:
    return Document(raw["id"], raw["id"], _time(raw["at"]), "user", raw["text"], title=raw["title"])


def _prompts(raw: list[dict[str, Any]], notes: tuple[Document, ...]) -> tuple[Prompt, ...]:
    """A prompt is typed in the project of the note that answers it, or that looks like it."""
    projects = {note.id: note.project for note in notes}
    some = next((project for project in projects.values() if project != GLOBAL), "bench")

    def project(one: dict[str, Any]) -> str:
        own = projects[one["gold"] or one["near"]]
        return some if own == GLOBAL else own

    return tuple(Prompt(one["prompt"], one["gold"], project(one)) for one in raw)


def _time(text: str) -> int:
    return int(datetime.strptime(text, "%Y-%m-%dT%H:%M:%S%z").timestamp() * 1000)
