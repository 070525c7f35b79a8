"""What a statement has to do with a call: the programs and packages that it turns down.

"dude we use pnpm" is about `npm install`, though it does not name it: of the tools that people choose between
(`text/speech/categories.py`) it names one, and the call uses another. What is declined by name is about every call that
uses it, of whatever sort. Such a name is an anchor (`topic=act:npm`); a call looks for the anchors of what it uses.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from hardwon import action
from hardwon.event import Event
from hardwon.memory import Anchor, AnchorKind, Rejected
from hardwon.text import commands
from hardwon.text.commands import shell
from hardwon.text.commands.kinds import words_of
from hardwon.text.commands.vocabulary import names
from hardwon.text.common_words import COMMON_WORDS
from hardwon.text.speech import discourse
from hardwon.text.speech.categories import categories
from hardwon.text.speech.made import ACT, NAMES, SORT

MOST = 12


def of_statement(text: str, rejected: Sequence[Rejected] = (), used: Iterable[str] = ()) -> tuple[Anchor, ...]:
    """The acts at which a statement is said, and what it names. `used`: programs that the agent used right before it
    was said: of two that it names, that one is what the person minds."""
    named = list(dict.fromkeys(_tools(text)))
    minded = [name for name in named if _is_declined(text, name)] or [name for name in named if name in set(used)]
    if len(minded) == len(named) and len(named) > 1:
        minded = [name for name in named if _is_declined(text, name)]
    wanted = [name for name in named if name not in minded]
    against = [*(_name(one.what) for one in rejected), *minded]
    against += [word for word in _declined_words(text) if word not in named]
    against += [other for name in wanted for other in _others(name) if other not in named]
    found = [ACT + name for name in against if len(name) > 1]
    found += [NAMES + name for name in (*named, *against[: len(rejected)])]
    found += [SORT + sort for name in named if (sort := categories().get(name))]
    return tuple(Anchor(AnchorKind.TOPIC, value) for value in dict.fromkeys(found))


def anchor(name: str) -> Anchor:
    """By which a statement is found at calls that use this."""
    return Anchor(AnchorKind.TOPIC, ACT + name)


def of_call(event: Event) -> tuple[Anchor, ...]:
    """What a call uses."""
    used = _run(event.target) if event.tool == action.SHELL else _imported(event.text)
    return tuple(Anchor(AnchorKind.TOPIC, ACT + name) for name in list(dict.fromkeys(used))[:MOST])


def of_prompt(text: str) -> tuple[Anchor, ...]:
    """The tools that a prompt names as something to be used; of a question, in whatever language, all that was said
    of them."""
    named = [name for name in dict.fromkeys(_tools(text)) if not _is_declined(text, name)][:MOST]
    asks = len(text) <= discourse.SHORT and (discourse.is_question(text) or discourse.wants_reason(text))
    found = [ACT + name for name in named] + [NAMES + name for name in named if asks]
    return tuple(Anchor(AnchorKind.TOPIC, value) for value in found)


def sorts(anchors: Iterable[Anchor]) -> tuple[Anchor, ...]:
    """By which two statements are about the same sort of thing."""
    return tuple(one for one in anchors if one.kind is AnchorKind.TOPIC and one.value.startswith((SORT, NAMES)))


_WORD = re.compile(r"[a-z][a-z0-9+#]*(?:[.-][a-z0-9]+)*", re.IGNORECASE)


def _tools(text: str) -> Iterator[str]:
    known = categories()
    for match in _WORD.finditer(text):
        name = match[0].lower()
        for one in (name, name.replace("-", " "), name.removesuffix(".js")):
            if one in known and one not in _PLAIN and one != known[one]:
                yield one
                break


_PLAIN = names(
    "rest requests spaces tabs black squash soap parcel hatch java nats rebase db database cache linter formatter "
    "bundler orm auth authentication containers docker"
)
"""Words that a sentence about something else has, too, and names of the sorts themselves."""


def _declined_words(text: str) -> Iterator[str]:
    """Whatever else a sentence turns down, as the word that a command has for it: "stop committing"."""
    for word in dict.fromkeys(match[0].lower() for match in _WORD.finditer(text)):
        if len(word) > 2 and word not in _COMMON and _is_declined(text, word):
            yield stem(word)


def stem(word: str) -> str:
    """ "committing", "commits", "committed": `commit`."""
    for ending in ("ing", "ed", "s"):
        if word.endswith(ending) and len(word) - len(ending) > 2 and not word.endswith("ss"):
            bare = word.removesuffix(ending)
            return bare[:-1] if len(bare) > 3 and bare[-1] == bare[-2] and ending != "s" else bare
    return word


_COMMON = frozenset(COMMON_WORDS.split()) | {"use", "using", "run", "thing", "anything", "everything", "file", "files"}


def _others(name: str) -> list[str]:
    """What could be used in its place."""
    sort = categories()[name]
    return [other for other, of in categories().items() if of == sort and other not in _PLAIN and other.isascii()]


_DECLINES = re.compile(
    r"(?i)(?:\b(?:not?|never|don'?t|do not|stop|without|instead of|rather than|over|drop(?:ping|ped)?|remov(?:e|ing)"
    r"|avoid|than|from|off|away from|isn'?t|aren'?t|kein\w*|nicht|statt|sin|sem|ne|не|без)"
    r"(?:\s+(?:use|using|the|to|add|run|touch|with|any|more|want)){0,3}"
    r"|不要?再?用?|别用?|別用?|不使用|放弃|放棄|去掉)\s*[`'\"]?$"
)
_DECLINED_AFTER = re.compile(
    r"(?i)[`'\"]?\s*(?:(?:was|is|were|are)\s+(?:\w+\s+)?(?:overkill|out|gone|dead|banned|forbidden|too \w+|a mistake)"
    r"|[,:]?\s*no\b|not any\s?more|を?(?:使わ|やめ|は?使わない)|不要|不用|太|就算了)"
)


def _is_declined(text: str, name: str) -> bool:
    for match in re.finditer(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text, re.IGNORECASE):
        if _DECLINES.search(text[max(0, match.start() - 40) : match.start()]) or _DECLINED_AFTER.match(
            text, match.end()
        ):
            return True
    return False


def _name(what: str) -> str:
    return " ".join(re.sub(r"^(?:the|a|an|to|using|use)\s+", "", what.strip(" `\"'“”.,").lower()).split())[:60]


_INSTALLS = frozenset({"install", "add", "i", "get", "require", "in"})
_NOT_A_PACKAGE = re.compile(r"[-./~$]|.*[/\\]$")


def _run(command: str) -> Iterator[str]:
    """Programs, and the packages that they install."""
    yield commands.family(commands.normalise(command)).lower()
    for part in shell.parts(command):
        words = words_of(part)
        if not words:
            continue
        yield words[0].rpartition("/")[2].lower()
        if len(words) > 1 and re.fullmatch(r"[A-Za-z][\w:-]*", words[1]):
            yield words[1].lower()
            yield f"{words[0]} {words[1]}".lower()
        if _INSTALLS & set(words[1:4]):
            for word in words[2:8]:
                if not _NOT_A_PACKAGE.match(word) and word not in _INSTALLS:
                    yield from package(word)


_IMPORTS = re.compile(
    r"(?m)^\+?\s*(?:from\s+([A-Za-z_][\w.]*)\s+import\b|import\s+([A-Za-z_][\w.]*)\b(?![^\n]*\bfrom\b)"
    r"|(?:import|export)\b[^'\"\n]{0,200}\bfrom\s+['\"]([^'\"\n]+)['\"]|.{0,80}\brequire\(['\"]([^'\"\n]+)['\"]\)"
    r"|import\s+['\"]([^'\"\n]+)['\"]|use\s+([a-z_]\w*)::|\s*\"([\w@./-]+)\"\s*:\s*\"[\^~]?\d)"
)


def _imported(change: str) -> Iterator[str]:
    """What an edit brings in that was not there before."""
    before, mark, after = change.partition("\n+ ")
    old = set(_names_in(before)) if mark else set()
    for name in _names_in(after if mark else change):
        if name not in old:
            yield name


def _names_in(text: str) -> Iterator[str]:
    for match in _IMPORTS.finditer(text.removeprefix("- ")):
        yield from package(next(one for one in match.groups() if one))


def package(name: str) -> Iterator[str]:
    """A package by its name and by the first word of it: `redis-py`, `@launchdarkly/node-server-sdk`."""
    bare = re.split(r"[=<>~!\[;]|(?<=.)@", name.lower(), maxsplit=1)[0].strip("'\"")
    if not bare or bare.startswith("."):
        return
    yield bare
    parts = [part for part in re.split(r"[-_/.@]", bare) if part]
    if parts and parts[0] != bare and len(parts[0]) > 2:
        yield parts[0]
