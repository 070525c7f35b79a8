"""What stands beside a path that is not there: `.golangci.yml` is missing, `.golangci.yaml` is there.

It is looked up on the disk after the call has failed; nothing of it is kept, for the disk knows it at any time.
"""

from __future__ import annotations

import itertools
import os
from pathlib import Path

from hardwon.event import Event
from hardwon.text.errors import missing_path

MOST = 2_000
"""Names of a folder that are looked at."""


def beside(event: Event, root: str) -> str:
    """The path that was probably meant, written as the missing one was; only within the project."""
    path = missing_path.missing(event)
    if not path or not root:
        return ""
    whole = Path(os.path.normpath(Path(event.cwd or root) / path))
    if not whole.is_relative_to(root) or whole.exists():
        return ""
    try:
        with os.scandir(whole.parent) as entries:
            names = [one.name for one in itertools.islice(entries, MOST)]
    except OSError:
        return ""
    name = missing_path.sibling(whole.name, names)
    return f"{path[: -len(whole.name)]}{name}" if name and path.endswith(whole.name) else ""
