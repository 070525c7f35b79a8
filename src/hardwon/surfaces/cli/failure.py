"""The boundary of the command line: what went wrong, in one sentence, redacted, with an exit status."""

from __future__ import annotations

import json
import sys


class Failure(Exception):
    """A command can't go on; the message is for the user."""

    def __init__(self, message: str, code: int = 1, *, answered: bool = False) -> None:
        super().__init__(message)
        self.code = code
        self.answered = answered
        """The JSON was printed already: the sentence goes to stderr alone."""


def report(error: BaseException, argv: list[str]) -> int:
    """Say what went wrong; the exit status. Anything unexpected is raised again with its traceback."""
    if isinstance(error, SystemExit):
        return error.code if isinstance(error.code, int) else 1
    if isinstance(error, KeyboardInterrupt):
        return 130
    if isinstance(error, BrokenPipeError):
        sys.stderr.close()  # the reader of our output has left: nothing to say, nobody to say it to
        return 0
    message, code = _sentence(error)
    if "--json" in argv and not (isinstance(error, Failure) and error.answered):
        print(json.dumps({"error": message}, ensure_ascii=False))
    print(f"hardwon: {message}", file=sys.stderr)
    return code


def _sentence(error: BaseException) -> tuple[str, int]:
    import apsw

    from hardwon.paths import HomeError, home
    from hardwon.settings import SettingsError
    from hardwon.store.changes import Refused
    from hardwon.store.errors import StoreError, explain
    from hardwon.store.memories import UnknownMemory
    from hardwon.store.projects import UnknownProject

    if isinstance(error, Failure):
        return _redacted(str(error)), error.code
    if isinstance(error, StoreError | HomeError | SettingsError | Refused | UnknownMemory | UnknownProject):
        return _redacted(str(error)), 1
    if isinstance(error, apsw.Error):
        return _redacted(str(explain(error, str(home().database)))), 1
    raise error


def _redacted(message: str) -> str:
    """A message may quote what the user typed, and that may be a key."""
    from hardwon.redact import Redactor

    return Redactor().text(message)
