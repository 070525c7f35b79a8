"""What a client is to hardwon: data, and the modules in its folder that are loaded when they are needed.

A folder below `clients/` with a `spec.py` in it, and a line in the registry (`clients/__init__.py`), is all that there
is to a client. What it has not got (no hooks, no log) is simply not there.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import ModuleType
from typing import Protocol, cast

from hardwon.clients.installing.recipe import Recipe
from hardwon.clients.logs import Logs
from hardwon.event import Heard, Moment, Reply


class Reaches(StrEnum):
    """When what is said at a moment reaches the model. A note before a call can't change that call any more where it
    comes with the result; only a denial comes before it."""

    AT_ONCE = "at once"
    """Together with what it answers: the start, the prompt, the result that has just come."""
    WITH_RESULT = "with the result"
    """Of the call that it precedes: so it counts from the next call on."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """That a moment's words reach the model, and what shows that they did. A moment without one is impossible."""

    reaches: Reaches
    by: str
    """The client's own way, as a person reads it: `additionalContext of SessionStart`."""


@dataclass(frozen=True, slots=True)
class Hook:
    """How an event is registered: `limit` milliseconds for an answer; 0: none is due and the client need not wait."""

    event: str
    limit: int = 0
    matcher: str = ""
    waits: bool = False
    """Not async although no answer is due: the client may be about to leave. It would end the hook, and then (2.1.325,
    on a busy machine) wait for 1.5 s."""
    fields: tuple[str, ...] = ()
    """Of its message, when it may be a call to our MCP server, which costs no process: only events that come when the
    server is surely connected, and whose loss the transcript makes up for."""


class Messages(Protocol):
    """`messages.py`: what the client sends to its hooks or what its plugin sends for it, and what it accepts."""

    HOOKS: tuple[Hook, ...]
    """The commands that it runs. Empty for one with a plugin, which sends the same messages over the socket."""

    PROBE: Mapping[str, object]
    """A message that is answered at once and with nothing: `doctor` asks how long a hook takes by it."""

    def named(self, payload: bytes) -> str: ...

    def hear(self, event_name: str, payload: bytes, at: int) -> Heard: ...

    def knows(self, event_name: str) -> bool: ...

    def speak(self, event_name: str, reply: Reply) -> bytes: ...


class Typed(Protocol):
    """`typed.py`: who wrote a session's prompts, and what in them was pasted, where the client knows."""

    def authors(self, transcript: str) -> Mapping[str, str]: ...

    def pasted(self, transcript: str, session: str) -> list[str]: ...

    def of_others(self, transcript: str, prompt: str, word: str = "") -> Iterable[tuple[bool, str]]:
        """What the session held before a prompt and no person wrote, and whether the agent did."""


def _nothing(transcript: str) -> Iterable[str]:  # noqa: ARG001
    return ()


@dataclass(frozen=True, slots=True)
class Skills:
    """Where it keeps skills."""

    in_project: tuple[str, ...] = ()
    """Folders below the project, and below each folder on the way up to its root."""
    in_home: tuple[str, ...] = ()
    """Folders below the person's own."""
    own: str = ""
    """What its folders begin with: those are looked into first, when it is this client that loads a skill."""


@dataclass(frozen=True, slots=True)
class Client:
    name: str
    """As it is stored and as people type it: `claude-code`."""
    title: str
    package: str
    """The folder's dotted name, `hardwon.clients.claude_code`."""
    modules: frozenset[str] = frozenset()
    """Which of `messages`, `transcript`, `recipe`, `typed` its folder has."""
    delivery: Mapping[Moment, Delivery] = field(default_factory=dict)
    """What can be said to it. A moment that is not there is impossible."""
    skills: Skills = Skills()
    settings: str = ""
    """Its settings folder below the person's own, `.claude`; plugins and skills lie there, too."""
    settings_variable: str = ""
    """The variable that names another one."""
    instructions: tuple[str, ...] = ()
    """Files in which projects tell its model what to do."""
    told_anyway: Callable[[str], Iterable[str]] = _nothing
    """Other files that the model is given, by the session's transcript."""
    session_variables: tuple[str, ...] = ()
    """Set for the commands that it runs, and holding the session's id."""
    marks: tuple[str, ...] = ()
    """Other variables that say that it runs a command."""
    programs: tuple[str, ...] = ()
    """What its processes are called."""
    tested: str = ""
    """The versions that the tests drive."""

    @property
    def messages(self) -> Messages | None:
        return cast("Messages | None", self._module("messages"))

    @property
    def logs(self) -> Logs | None:
        """How its records of sessions are found and read."""
        module = self._module("transcript")
        return cast("Logs", module.LOGS) if module else None

    @property
    def recipe(self) -> Recipe | None:
        """How hardwon is put into it, and taken out."""
        module = self._module("recipe")
        return cast("Recipe", module.RECIPE) if module else None

    @property
    def typed(self) -> Typed | None:
        return cast("Typed | None", self._module("typed"))

    def _module(self, name: str) -> ModuleType | None:
        """Loaded when it is first needed: a daemon that hears one client pays for one."""
        return importlib.import_module(f"{self.package}.{name}") if name in self.modules else None

    def reaches(self, moment: Moment) -> Reaches | None:
        found = self.delivery.get(moment)
        return found.reaches if found else None
