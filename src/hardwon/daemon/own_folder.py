"""The home's folder as it was when the daemon started: is it still there?"""

from __future__ import annotations

import os

from hardwon.paths import Home


class OwnFolder:
    """Whoever removes, moves or replaces the home wants nothing more written in that place.

    The handle keeps the file system from giving the folder's number to another one.
    """

    def __init__(self, home: Home) -> None:
        self._path = str(home.root)
        self._handle = os.open(self._path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        self._own = os.fstat(self._handle)

    def is_gone(self) -> bool:
        """Also where it can't be looked at any more: what can't be reached can't be written."""
        try:
            return not os.path.samestat(os.stat(self._path), self._own)  # noqa: PTH116  asked on every message
        except OSError:
            return True
