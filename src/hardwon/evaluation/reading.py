"""Files that others wrote: each error names the file, and the line where there is one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hardwon.evaluation.corpus import BadData

NEXT = "`hardwon bench recall --help` says which file each option wants."


def json_file(path: Path, kind: type) -> Any:
    """What is in a JSON file whose outermost form is known."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadData(f"{path} can't be read ({error.strerror}). {NEXT}") from error
    except ValueError as error:
        raise BadData(f"{path} is not JSON ({error}). {NEXT}") from error
    if not isinstance(content, kind):
        raise BadData(f"{path} holds a {type(content).__name__}, a {kind.__name__} was expected. {NEXT}")
    return content


def json_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a file with one in each line, with the numbers of the lines; empty lines are passed over."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise BadData(f"{path} can't be read ({error.strerror}). {NEXT}") from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            content = json.loads(line)
        except ValueError as error:
            raise BadData(f"{path}, line {number} is not JSON ({error}).") from error
        if not isinstance(content, dict):
            raise BadData(f"{path}, line {number} is not an object.")
        yield number, content
