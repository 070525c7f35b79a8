"""Questions about memories, as they come up at work: with other words, a file, a command, a pasted traceback."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from bench.texts import PROJECTS, Text, Writer
from hardwon.memories import Question
from hardwon.memory import GLOBAL
from hardwon.text import anchors


@dataclass(frozen=True, slots=True)
class Asked:
    kind: str
    question: Question
    about: int | None = None
    """The number of the memory that it was made from; None when nothing in the store answers it."""


def labelled(writer: Writer, among: int, count: int, seed: int = 2, kinds: Sequence[str] | None = None) -> list[Asked]:
    """Questions that one of the first `among` memories answers, every kind equally often."""
    chance = random.Random(seed)
    wanted = dict.fromkeys(kinds or KINDS, count // len(kinds or KINDS))
    found: list[Asked] = []
    while any(wanted.values()):
        number = chance.randrange(among)
        text = writer.text(number)
        kind = chance.choice([kind for kind, left in wanted.items() if left])
        asked = _KINDS[kind](text, chance)
        if asked:
            wanted[kind] -= 1
            found.append(Asked(kind, _put(asked, text.draft.scope.project, chance), number))
    return found


def never_stored(held_out: Writer, count: int, seed: int = 3) -> list[Asked]:
    """The same kinds of questions about memories of packages that none of the stored ones is about."""
    kinds = [kind for kind in KINDS if kind != "chinese"]
    return [Asked(asked.kind, asked.question) for asked in labelled(held_out, 1_000_000, count, seed, kinds)]


def everyday(count: int, seed: int = 4) -> list[Asked]:
    """Questions that have nothing to do with the work."""
    chance = random.Random(seed)
    return [Asked("everyday", _put(_everyday(chance), chance.choice(PROJECTS), chance)) for _ in range(count)]


def _put(text: str, project: str, chance: random.Random) -> Question:
    """A question is asked in a project; what holds everywhere is looked at too."""
    here = chance.choice(PROJECTS) if project == GLOBAL else project
    return Question(text, (here, GLOBAL), anchors=anchors.asked_about(text))


_WORD = re.compile(r"[A-Za-z][\w'-]{3,}")
_COMMON = "this that with from when which will have been they then than into only also such each"
_OTHER_WORDS = {
    "return": "give back", "error": "problem", "raise": "throw", "given": "passed", "function": "routine",
    "remove": "delete", "create": "make", "string": "text", "value": "result", "object": "thing", "list": "array",
    "directory": "folder", "argument": "parameter", "allow": "permit", "invalid": "bad", "default": "standard",
}  # fmt: skip


def _content(text: str) -> list[str]:
    return [word for word in _WORD.findall(text) if word.lower() not in _COMMON.split()]


def _partial(text: Text, chance: random.Random) -> str:
    """A few words of it as they stand there, from one place or two."""
    if text.chinese:
        return ""
    return " ".join(_stretch(part, chance) for part in chance.sample(text.parts, min(2, len(text.parts))))


def _stretch(part: str, chance: random.Random) -> str:
    words = part.split()
    length = min(len(words), chance.randrange(3, 7))
    start = chance.randrange(len(words) - length + 1)
    return " ".join(words[start : start + length])


def _reworded(text: Text, chance: random.Random) -> str:
    """Half of its words in another order, other forms and other words, with words of its own."""
    words = _content(" ".join(text.parts))
    if text.chinese or len(words) < 4:
        return ""
    chosen = chance.sample(words, min(7, max(3, len(words) // 2)))
    return chance.choice(_FRAMES).format(" ".join(_otherwise(word, chance) for word in chosen))


_FRAMES = (
    "why do we see {} here again?",
    "how should I deal with {} in this case?",
    "can you check {} for me before the release",
    "is there anything known about {}?",
)


def _otherwise(word: str, chance: random.Random) -> str:
    lower = word.lower()
    if lower in _OTHER_WORDS:
        return _OTHER_WORDS[lower]
    if "_" in word or chance.random() < 0.5:
        return word
    return lower.removesuffix("s") if lower.endswith("s") else lower + "s"


def _file(text: Text, chance: random.Random) -> str:
    words = _content(" ".join(text.parts))
    if not text.file or len(words) < 3:
        return ""
    return f"I am about to change {text.file}, something with {' '.join(chance.sample(words, 3))}"


def _command(text: Text, chance: random.Random) -> str:  # noqa: ARG001
    return text.command


def _traceback(text: Text, chance: random.Random) -> str:
    """Many lines of noise and, at the end, the message."""
    if not text.message:
        return ""
    frames = [_frame(chance) for _ in range(chance.randrange(4, 20))]
    if text.file:
        frames.append(f'  File "{text.file}", line {chance.randrange(900)}, in run\n    return self.go(options)')
    return "\n".join(("Traceback (most recent call last):", *frames, f"{text.error}: {text.message}"))


_MODULES = """
runner session worker queue client loop events handlers base router schema cache views retry pool adapter middleware
signals registry backend compiler scheduler pipeline transport codec
"""
_CALLS = """
main run call dispatch handle process start send wrapper execute resolve render commit flush connect acquire decode
validate build emit publish refresh collect submit invoke
"""
_LINES = (
    "result = self.{}(request, **kwargs)", "return await {}(message, timeout=timeout)", "for item in self.{}(batch):",
    "with {}(connection) as cursor:", "yield from {}(node, depth + 1)", "raise error from {}(context)",
)  # fmt: skip


def _frame(chance: random.Random) -> str:
    module = chance.choice(_MODULES.split())
    name, called = chance.sample(_CALLS.split(), 2)
    code = chance.choice(_LINES).format(called)
    return f'  File "app/{module}.py", line {chance.randrange(900)}, in {name}\n    {code}'


def _chinese(text: Text, chance: random.Random) -> str:
    runs = [run for run in re.findall(r"[\u4e00-\u9fff]+", text.draft.body) if len(run) >= 6]
    if not text.chinese or not runs:
        return ""
    run = chance.choice(runs)
    start = chance.randrange(len(run) - 5)
    named = f"（{text.parts[1]}）" if chance.random() < 0.5 else ""
    return f"为什么{run[start : start + chance.randrange(8, 15)]}{named}？"


_KINDS: dict[str, Callable[[Text, random.Random], str]] = {
    "partial": _partial,
    "reworded": _reworded,
    "file": _file,
    "command": _command,
    "traceback": _traceback,
    "chinese": _chinese,
}
KINDS = tuple(_KINDS)

_EVERYDAY = (
    "what should I cook for {} tonight if there is only {} left?",
    "when does the {} to {} leave on Sunday morning",
    "recommend a {} for a birthday, she likes {}",
    "how often do I have to water a {} next to the {}",
    "my {} hurts after the {}, should I see a doctor",
    "{}附近有什么好吃的{}？",
)
_THINGS = """
grandmother guests train bicycle umbrella novel garden piano cheese mountain holiday kitchen lavender knee marathon
bakery tomato violin lighthouse ferry concert hamster balcony soup pottery
"""


def _everyday(chance: random.Random) -> str:
    return chance.choice(_EVERYDAY).format(*chance.sample(_THINGS.split(), 2))


def mixed(writer: Writer, among: int, count: int) -> Iterator[Asked]:
    """What a working day asks: mostly something with an answer, a third without."""
    answered = labelled(writer, among, count)
    chance = random.Random(5)
    yield from chance.sample([*answered, *everyday(count // 3)], len(answered) + count // 3)
