"""Things in the world that a text names: files, commands in back quotes, symbols.

Only what is certain by its form. A wrong anchor brings back the wrong memory, a missing one leaves it to the words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hardwon.memory import Anchor, AnchorKind
from hardwon.project import relative_file
from hardwon.text import commands, errors

_EXTENSIONS = (
    "py pyi ipynb js mjs cjs jsx ts mts cts tsx vue svelte rs go java kt kts scala c h cc cpp cxx hpp cs fs "
    "swift m mm rb php pl lua r jl dart ex exs erl hs ml clj sql sh bash zsh fish ps1 toml json jsonc jsonl "
    "yaml yml ini cfg conf env xml html css scss md mdx rst txt csv lock gradle cmake mk tf proto graphql "
    "dockerfile"
)
_FILE = re.compile(
    rf"(?<![\w/.~-])(?:~/|\.{{0,2}}/)?(?:[\w.@+-]+/)*[\w.@+-]+\.(?:{'|'.join(_EXTENSIONS.split())})(?![\w/-])",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"`([^`\n]{2,300})`")
_SYMBOL = re.compile(r"(?<![\w/.-])(?:[A-Za-z]+_\w+|[a-z]+[A-Z]\w*|(?:[A-Z][a-z0-9]+){2,}|\w+(?=\(\)))(?![\w/-]|\.\w)")
_URL = re.compile(r"\b\w{1,20}://\S+")  # bounded: a long word would be tried from each of its letters


def named_in(text: str, root: str = "", cwd: str = "") -> tuple[Anchor, ...]:
    """The anchors of a text, in order, each once. Files are made relative to the project's root."""
    found = dict.fromkeys((*_files(text, root, cwd), *_commands(text), *_symbols(text)))
    return tuple(found)


def _files(text: str, root: str, cwd: str) -> Iterator[Anchor]:
    for match in _FILE.finditer(_URL.sub(" ", text)):
        path = relative_file(match[0], root, cwd) if root else match[0]
        yield Anchor(AnchorKind.FILE, path)


def _commands(text: str) -> Iterator[Anchor]:
    for match in _QUOTED.finditer(text):
        command = commands.normalise(match[1])
        if " " in command:
            yield Anchor(AnchorKind.COMMAND, command)


def _symbols(text: str) -> Iterator[Anchor]:
    for match in _SYMBOL.finditer(_URL.sub(" ", text)):
        yield Anchor(AnchorKind.SYMBOL, match[0])


def at_prompt(text: str, root: str = "", cwd: str = "") -> tuple[Anchor, ...]:
    """What a prompt names; a pasted error by its signature."""
    signature = errors.signature(text)
    error = (Anchor(AnchorKind.ERROR, signature),) if signature and not errors.generic(signature) else ()
    return (*named_in(text, root, cwd), *error)


def asked_about(question: str, root: str = "", cwd: str = "") -> tuple[Anchor, ...]:
    """The anchors of a question. All of it may be one: a command, an error, a file."""
    whole = " ".join(question.split())
    itself = [Anchor(AnchorKind.COMMAND, commands.normalise(whole)), Anchor(AnchorKind.ERROR, whole)]
    if signature := errors.signature(question):
        itself.append(Anchor(AnchorKind.ERROR, signature))
    words = [
        Anchor(kind, word.lower()) for word in whole.split()[:20] for kind in (AnchorKind.TOPIC, AnchorKind.PACKAGE)
    ]
    return tuple(dict.fromkeys((*named_in(question, root, cwd), *itself, *words)))


def normalised(anchor: Anchor, root: str = "", cwd: str = "") -> Anchor:
    """An anchor as given by somebody, in the form in which it is stored and looked up."""
    value = " ".join(anchor.value.split())
    if anchor.kind is AnchorKind.COMMAND:
        value = commands.normalise(value)
    elif anchor.kind is AnchorKind.ERROR and errors.recognised(anchor.value):
        value = errors.signature(anchor.value)
    elif anchor.kind in (AnchorKind.FILE, AnchorKind.DIRECTORY) and root:
        value = relative_file(value, root, cwd)
    elif anchor.kind in (AnchorKind.TOPIC, AnchorKind.PACKAGE):
        value = value.lower()
    return Anchor(anchor.kind, value)
