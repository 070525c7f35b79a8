"""Work in progress: what fails because of the code that is being written, and is mended in it, is the work itself.

Another session gains nothing from it, for the code is right by then. It is told from a lesson by what was changed
between the failure and the pass, and by where the error points. A lesson is what the code does not say: an edit of what
the repository is built, configured and checked with is one, unless this session had just written that very thing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from hardwon import action
from hardwon.event import Event
from hardwon.learn.causes import EDITING, Failed
from hardwon.memory import AnchorKind
from hardwon.text import errors
from hardwon.text.code_files import is_code
from hardwon.text.commands import shell


def is_work(event: Event, failed: Failed, touched: Collection[str]) -> bool:
    """Whether a change belongs to the work. `touched` are the files that the session had changed before it failed."""
    if event.tool not in EDITING:
        return _rewrites(event, failed.error)
    if event.target in touched and points_at(event.target, failed.error):
        return True
    if not is_code(event.target):
        return False
    if points_at(event.target, failed.error) or any(map(is_code, touched)):
        return True
    return not errors.raised_elsewhere(failed.error)


def _rewrites(event: Event, error: str) -> bool:
    """Whether a command was given the very file of code in which the error names a line: a formatter, a codemod, `sed
    -i`. It edits that code, as an editor does."""
    if event.tool != action.SHELL:
        return False
    words = {word for part in shell.parts(event.target) for word in part.words[1:] if not word.startswith("-")}
    return any(is_code(word) and _names_line(word, error) for word in words)


def beyond_work(causes: Sequence[Event], failed: Failed, touched: Collection[str]) -> tuple[Event, ...]:
    """What of a fix another session can gain from."""
    return tuple(event for event in causes if not is_work(event, failed, touched))


def points_at(file: str, error: str) -> bool:
    """Whether an error names a place in this file."""
    places = [one.value for one in errors.named(error) if one.kind is AnchorKind.FILE]
    if any(same_file(file, place) for place in places):
        return True
    return _names_line(file, error)


def _names_line(file: str, error: str) -> bool:
    name = file.rpartition("/")[2]
    return bool(re.search(rf"(?<![\w.-]){re.escape(name)}[\"']?(?::|\(|, line |\[)\d", error[:36_000]))


def is_about(touched: Sequence[str], error: str) -> bool:
    """Whether an error points into code that this session has changed, and at nothing else."""
    places = {match["file"] for match in _PLACE.finditer(error[:36_000])}
    return bool(places) and all(any(same_file(file, place) and is_code(file) for file in touched) for place in places)


_PLACE = re.compile(
    r"(?<![\w./-])(?P<file>(?:[\w.@+-]{1,80}/){0,12}[\w.@+-]{1,80}\.[A-Za-z]\w{0,7})(?:', line |:|\()\d+"
)


def same_file(file: str, place: str) -> bool:
    """Whether a tool's name for a file, which may be longer or shorter, is that of this one."""
    return file == place or file.endswith(f"/{place}") or place.endswith(f"/{file}")
