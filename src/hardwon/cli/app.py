"""The verbs, and how one of them is found, loaded and run."""

from __future__ import annotations

import importlib
import sys
from functools import cache
from typing import Any, NoReturn

import typer
from typer.core import TyperGroup

# Module by verb, in the order of the help. A leading capital begins a new panel.
VERBS: dict[str, dict[str, str]] = {
    "Keep and find": {
        "note": "note",
        "mark": "mark",
        "recall": "recall",
        "check": "check",
        "search": "search",
        "list": "list",
        "show": "show",
        "why": "why",
        "branch": "branch",
        "brief": "brief",
    },
    "Sessions": {
        "sessions": "sessions",
        "handoff": "handoff",
    },
    "Skills": {
        "inject": "inject",
        "checkpoint": "checkpoint",
        "flush": "flush",
        "mirror": "mirror",
    },
    "Change": {
        "edit": "edit",
        "pin": "pin",
        "wrong": "wrong",
        "resolve": "resolve",
        "reopen": "reopen",
        "supersede": "supersede",
        "archive": "archive",
        "forget": "forget",
        "undo": "undo",
        "review": "review",
        "scrub": "scrub",
    },
    "Control": {
        "project": "project",
        "pause": "pause",
        "resume": "resume",
        "config": "config",
        "export": "export",
        "import": "import_",
        "starters": "starters",
    },
    "Look after": {
        "setup": "setup",
        "uninstall": "uninstall",
        "learn": "learn",
        "rehearse": "rehearse",
        "status": "status",
        "statusline": "statusline",
        "jobs": "jobs",
        "doctor": "doctor",
        "daemon": "daemon",
        "vectors": "vectors",
        "mcp": "mcp",
        "hook": "hook",
        "demo": "demo",
        "bench": "bench",
        "help": "help",
    },
}
EVERYDAY = ("note", "recall", "check", "list", "why", "forget", "undo", "review", "setup", "status", "doctor")
"""What the first screen of help explains; `hardwon help --all` has the rest."""
MODULES = {verb: module for panel in VERBS.values() for verb, module in panel.items()}
PANELS = {verb: panel for panel, verbs in VERBS.items() for verb in verbs}


class Verbs(TyperGroup):
    """Loads a verb's module when it is asked for, not before; its help is a screen of everyday verbs."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        return list(EVERYDAY)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        return load(cmd_name) if cmd_name in MODULES else None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and args[0] not in MODULES and not args[0].startswith("-"):
            fail(_unknown_verb(args[0]), code=2)
        return super().resolve_command(ctx, args)


class AllVerbs(Verbs):
    """Its help has every verb."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        return list(MODULES)


@cache
def load(verb: str) -> Any:
    """The command behind a verb: a module's `run`, or its `app` when it has verbs of its own."""
    module = importlib.import_module(f"hardwon.cli.verbs.{MODULES[verb]}")
    app: typer.Typer | None = getattr(module, "app", None)
    if app is None:
        app = typer.Typer(**_STYLE)
        app.command(name=verb)(module.run)
    command = typer.main.get_command(app)
    command.name = verb
    command.rich_help_panel = PANELS[verb]  # type: ignore[attr-defined]
    return command


_STYLE: dict[str, Any] = {
    "add_completion": False,
    "rich_markup_mode": "markdown",
    "pretty_exceptions_enable": False,
    "context_settings": {"help_option_names": ["-h", "--help"]},
}


@cache
def root(cls: type[Verbs] = Verbs) -> Any:
    """The whole command tree, for running it and for the generated reference."""
    app = typer.Typer(cls=cls, no_args_is_help=True, **_STYLE)
    others = ", ".join(verb for verb in MODULES if verb not in EVERYDAY)

    @app.callback(epilog=None if cls is AllVerbs else f"`hardwon help --all` explains the others: {others}")
    def hardwon(version: bool = typer.Option(False, "--version", "-V", help="Show the version and leave")) -> None:
        """A local-first memory for coding agents: what failed, what fixed it, what was decided."""
        if version:
            from hardwon import __version__

            print(f"hardwon {__version__}")
            raise typer.Exit

    return typer.main.get_command(app)


def run(argv: list[str]) -> NoReturn:
    """Run a command line; every expected error is one sentence on stderr and a non-zero exit."""
    from hardwon.cli.support import streams
    from hardwon.cli.verbs import failure

    try:
        if not streams.prepare():
            fail("Standard output is closed, so nothing was done: leave it open, or send it to /dev/null.")
        _must_be_text(argv)
        code = root().main(args=_texts_last(argv) or ["--help"], prog_name="hardwon", standalone_mode=False)
        sys.stdout.flush()  # here, where it can still be told that the disk is full
    except BaseException as error:  # noqa: BLE001  the boundary: report() raises again what it does not know
        sys.exit(failure.report(error, argv))
    sys.exit(code if isinstance(code, int) else 0)


def _must_be_text(argv: list[str]) -> None:
    """What is not UTF-8 can neither be searched for nor kept as it is."""
    for word in argv:
        raw = word.encode("utf-8", "surrogateescape")
        try:
            raw.decode("utf-8")
        except UnicodeDecodeError as error:
            shown, byte = raw.decode("utf-8", "replace"), f"byte {error.start} is 0x{raw[error.start]:02x}"
            fail(f'"{shown}" is not UTF-8 ({byte}): it is not text.', code=2)


_FLAGS = frozenset({"--json", "--global", "-g", "--again", "--explain", "--all"})


def _texts_last(argv: list[str]) -> list[str]:
    """A text may begin like a list ("- use tabs"); put behind `--` it is not taken for an option."""
    if "--" in argv:
        return argv
    texts = [
        index
        for index, (before, word) in enumerate(zip(["", *argv], argv, strict=False))
        if word[:2] in ("- ", "-\n", "-\t") and (not before.startswith("-") or before in _FLAGS)
    ]
    rest = [word for index, word in enumerate(argv) if index not in texts]
    return [*rest, "--", *(argv[index] for index in texts)] if texts else argv


def fail(message: str, code: int = 1, *, answered: bool = False) -> NoReturn:
    from hardwon.cli.verbs.failure import Failure

    raise Failure(message, code, answered=answered)


def _unknown_verb(word: str) -> str:
    import difflib

    near = difflib.get_close_matches(word, MODULES, n=2, cutoff=0.5)
    hint = f" Did you mean {' or '.join(near)}?" if near else " `hardwon help --all` lists them."
    return f'There is no command "{word}".{hint}'
