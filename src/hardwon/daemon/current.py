"""The settings that count now, in a process that outlives many changes of their file.

Wrong ones don't end the daemon: every hook would then wait for one that never comes. But they may say what must not be
kept, so nothing is kept or said until they are right again; see `Server`.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping

from hardwon.paths import Home
from hardwon.settings import Settings, SettingsError, load
from hardwon.store.maintenance import incidents

NOTICE = "hardwon: its settings are wrong, so nothing is kept or said; `hardwon doctor` says where"
REFUSED = "Nothing was done: hardwon's settings are wrong. A person has to mend them; `hardwon doctor` says where."


class Current:
    """What the file says, together with the variables that were there at the start."""

    def __init__(self, home: Home, environ: Mapping[str, str]) -> None:
        self.settings = Settings()
        """The last that could be read."""
        self.wrong = False
        self._home = home
        self._environ = environ
        self._mark = _mark(home)
        self._read()

    def has_changed(self) -> bool:
        """Look at the file, and read it if it is another one by now."""
        mark = _mark(self._home)
        if mark == self._mark:
            return False
        self._mark = mark
        self._read()
        return True

    def _read(self) -> None:
        try:
            self.settings = load(self._home, self._environ).settings
            self.wrong = False
        except SettingsError as error:
            incidents.record(self._home, self.settings, f"settings: {error}")
            self.wrong = True


def _mark(home: Home) -> tuple[int, ...]:
    """Changes when the file does, or who may read it, or a link that leads nowhere."""
    for look in (os.stat, os.lstat):
        with contextlib.suppress(OSError):
            stat = look(home.settings)
            return stat.st_mtime_ns, stat.st_ctime_ns, stat.st_size, stat.st_ino
    return ()
