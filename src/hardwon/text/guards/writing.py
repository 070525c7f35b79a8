"""Which files a shell line writes, and with what, as far as it says so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hardwon.text.guards import files
from hardwon.text.guards.git_command import Ground, joined, of_run
from hardwon.text.guards.running import Run
from hardwon.text.guards.script import UNKNOWN

_COPIES = {"cp": "t S", "mv": "t S", "install": "t m o g S", "ln": "t S", "rsync": "e", "scp": "P i o"}
_OUTPUT = {
    "curl": ("-o", "--output"),
    "wget": ("-O", "--output-document"),
    "openssl": ("-out", "-keyout"),
    "age-keygen": ("-o",),
    "gpg": ("-o", "--output"),
    "ssh-keygen": ("-f",),
    "sops": ("--output",),
    "sort": ("-o",),
}
_IN_PLACE = {"sed": re.compile(r"-[a-zA-Z]*i.*|--in-place.*"), "perl": re.compile(r"-[a-zA-Z]*i.*")}


@dataclass(frozen=True, slots=True)
class Written:
    """One file that is written."""

    file: str
    text: str = ""
    """What goes into it, where the line says so."""
    source: str = ""
    """The file it is a copy of."""
    is_sure: bool = True


def written(line: Sequence[Run]) -> Iterator[Written]:
    """In their order, relative to where the line starts."""
    ground = Ground()
    for run in line:
        list(of_run(run, ground))  # a `cd` moves it
        for one in _by(run):
            if UNKNOWN not in files.name(one.file) and "/dev/" not in one.file:
                yield Written(_placed(ground.folder, one.file), one.text, one.source, one.is_sure)


def _placed(folder: str, file: str) -> str:
    return file if not folder or file.startswith(("/", "~")) or UNKNOWN in folder else joined(folder, file)


def _by(run: Run) -> Iterator[Written]:
    said = _said(run)
    for _, target in run.writes:
        yield Written(target.text, said, is_sure=run.is_sure)
    if not run.words:
        return
    name, texts = run.name, run.texts[1:]
    if name == "tee":
        yield from (Written(one, run.document or "", is_sure=run.is_sure) for one in texts if not one.startswith("-"))
    elif name in _COPIES:
        yield from _copied(texts, _COPIES[name].split(), run)
    elif name == "dd":
        yield from (Written(one[3:], is_sure=run.is_sure) for one in texts if one.startswith("of="))
    elif name in _IN_PLACE and any(_IN_PLACE[name].fullmatch(one) for one in texts):
        operands = [one for one in texts if not one.startswith("-")]
        script = operands[0] if operands else ""
        yield from (Written(one, script, is_sure=run.is_sure) for one in operands[1:])
    elif name in _OUTPUT:
        yield from _output(texts, _OUTPUT[name], run)


def _said(run: Run) -> str:
    """What a command prints, where that stands in the line."""
    if run.words and run.name in ("echo", "printf"):
        return " ".join(run.texts[1:])
    return run.document or ""


def _copied(texts: Sequence[str], valued: Sequence[str], run: Run) -> Iterator[Written]:
    operands: list[str] = []
    folder = ""
    words = iter(texts)
    for text in words:
        if text in ("-t", "--target-directory"):
            folder = next(words, "")
        elif text.startswith("--target-directory="):
            folder = text.partition("=")[2]
        elif text.startswith("-") and len(text) > 1:
            if text[1:] in valued:
                next(words, "")
        else:
            operands.append(text)
    sources, target = (operands, folder) if folder else (operands[:-1], operands[-1] if len(operands) > 1 else "")
    if not target or ":" in target.partition("/")[0]:  # on another machine
        return
    for source in sources:
        into = folder or target.endswith("/") or target in (".", "..") or len(sources) > 1
        yield Written(
            f"{target.rstrip('/')}/{files.name(source)}" if into else target, source=source, is_sure=run.is_sure
        )


def _output(texts: Sequence[str], options: Sequence[str], run: Run) -> Iterator[Written]:
    for at, text in enumerate(texts):
        option, equals, value = text.partition("=")
        if text in options and at + 1 < len(texts):
            yield Written(texts[at + 1], is_sure=run.is_sure)
        elif equals and option in options:
            yield Written(value, is_sure=run.is_sure)
