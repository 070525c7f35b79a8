"""The boundary of the command line: what went wrong, in one sentence, redacted, with an exit status."""

from __future__ import annotations

import errno
import json
import sys

from hardwon.cli.support import streams

_FULL = (errno.ENOSPC, errno.EDQUOT)


class Failure(Exception):
    """A command can't go on; the message is for the user."""

    def __init__(self, message: str, code: int = 1, *, answered: bool = False) -> None:
        super().__init__(message)
        self.code = code
        self.answered = answered
        """The JSON was printed already: the sentence goes to stderr alone."""


def report(error: BaseException, argv: list[str]) -> int:
    """Say what went wrong; the exit status. Anything unexpected is raised again with its traceback."""
    if lost := streams.lost():
        error = Failure(f"What was printed is incomplete: {lost.strerror}.") if lost.errno != errno.EPIPE else lost
    if isinstance(error, BrokenPipeError) or isinstance(error.__context__, BrokenPipeError):  # typer leaves for it
        return 0  # the reader of our output has left: nothing to say, nobody to say it to
    if isinstance(error, SystemExit):
        return error.code if isinstance(error.code, int) else 1
    if isinstance(error, KeyboardInterrupt):
        return 130
    if _is_help(error):  # a command that needs a verb of its own was given none
        print(error.format_message(), file=sys.stderr)  # type: ignore[attr-defined]
        return 2
    message, code = _sentence(error)
    if "--json" in argv and not (isinstance(error, Failure) and error.answered):
        print(json.dumps({"error": message}, ensure_ascii=False))
        streams.lost()
    print(f"hardwon: {message}", file=sys.stderr)
    return code


def _sentence(error: BaseException) -> tuple[str, int]:
    import apsw

    from hardwon.paths import HomeError, home
    from hardwon.settings import SettingsError
    from hardwon.store.changes import Refused
    from hardwon.store.erasure.forget_session import UnknownSession
    from hardwon.store.errors import StoreError, explain
    from hardwon.store.projects import UnknownProject
    from hardwon.store.tables.memories import UnknownMemory

    if isinstance(error, Failure):
        return _redacted(str(error)), error.code
    if _is_usage(error):
        wrong = _redacted(error.format_message().strip())  # type: ignore[attr-defined]
        return wrong + ("" if wrong.endswith((".", "?")) else ".") + _hint(error), error.exit_code  # type: ignore[attr-defined]
    unknown = UnknownMemory | UnknownProject | UnknownSession
    if isinstance(error, StoreError | HomeError | SettingsError | Refused | unknown):
        return _redacted(str(error)), 1
    if isinstance(error, apsw.Error):
        return _redacted(str(explain(error, str(home().database)))), 1
    if isinstance(error, OSError) and error.errno in _FULL:
        what = error.filename or "What was printed"
        return _redacted(f"{what} is incomplete: {error.strerror}. Free some space, try again."), 1
    raise error


def _is_usage(error: BaseException) -> bool:
    """What the option parser complains about. It brings its own exceptions along, in another place per version."""
    return hasattr(error, "format_message") and hasattr(error, "exit_code")


def _hint(error: BaseException) -> str:
    """Where to read on; and how to give a text that begins like an option, to a command that takes a text."""
    command = getattr(error, "ctx", None)
    if not command:
        return ""
    given = " ".join(one.metavar or "" for one in command.command.params if one.param_type_name == "argument")
    last = ""
    if type(error).__name__ == "NoSuchOption" and ("TEXT" in given or "QUERY" in given):
        last = f" A text that begins with a dash goes last, after --: `{command.command_path} -- {given}`."
    return f"{last} `{command.command_path} --help` shows how."


def _is_help(error: BaseException) -> bool:
    return type(error).__name__ == "NoArgsIsHelpError" and _is_usage(error)


def _redacted(message: str) -> str:
    """A message may quote what the user typed, and that may be a key, or what the user's own rules find."""
    import os

    from hardwon.paths import home
    from hardwon.redact import Redactor
    from hardwon.settings import load
    from hardwon.store.connection import redactor_of

    try:
        redactor = redactor_of(load(home(), os.environ).settings, slow_too=True)
    except (ValueError, OSError):  # no home, or a mistake in the settings, which may be what the message is about
        redactor = Redactor()
    return redactor.text(message)
