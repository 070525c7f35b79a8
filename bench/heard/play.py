"""A person's sessions as Claude Code writes them down, taken in by hardwon's own reader; marks by its own tool; what is
said later, by its own answer. No process and no client: what is played here is what the daemon does with the same."""

from __future__ import annotations

import itertools
import json
import subprocess
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hardwon.clients.claude_code.transcript import Reading
from hardwon.daemon import tools
from hardwon.event import Event, EventType, Heard, Moment
from hardwon.learn import session as learning
from hardwon.learn.placing import Places
from hardwon.learn.transcripts import Taken, finish, take_in
from hardwon.moments.answer import answer, here
from hardwon.moments.conversation import Conversation
from hardwon.paths import Home
from hardwon.settings import Settings
from hardwon.store.connection import Store, open_store
from hardwon.store.tables import journal

HOST = "claude-code"
DAY = 86_400_000
BEGIN = 1_794_000_000_000
REFUSED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the "
    "new_string was NOT written to the file). "
)
STOP = "STOP what you are doing and wait for the user to tell you how to proceed."
SAID = "To tell you how to proceed, the user said:\n"


class Person:
    """One person's machine: a project, a home, sessions one after the other."""

    def __init__(self, folder: Path, settings: Settings | None = None) -> None:
        self.project = folder / "work"
        self.project.mkdir(parents=True)
        subprocess.run(["git", "init", "-q", "-b", "main"], cwd=self.project, check=True)
        self.logs = folder / "config" / "projects" / "work"
        self.logs.mkdir(parents=True)
        home = Home(folder / "home")
        home.root.mkdir()
        self.store: Store = open_store(home, settings or Settings())
        self.now = BEGIN
        self._numbers = itertools.count(1)

    def __enter__(self) -> Person:
        return self

    def __exit__(self, *_: object) -> None:
        self.store.close()

    def session(self) -> Session:
        return Session(self, f"00000000-0000-4000-8000-{next(self._numbers):012d}")

    def later(self, days: float) -> None:
        self.now += int(days * DAY)


class Session:
    """One session: what is told of it goes to its transcript, and from there into the journal."""

    def __init__(self, person: Person, id: str) -> None:
        self.person, self.id = person, id
        self.path = person.logs / f"{id}.jsonl"
        self.path.touch()
        self.talk = Conversation()
        self.reading = Reading(self.path)
        self._ids = itertools.count(1)
        self._prompt = ""

    # ---- what happens

    def types(self, text: str) -> str:
        """A person's prompt; what hardwon says to it."""
        self._prompted(text, promptSource="typed", turnOrigin="human", entrypoint="cli", origin={"kind": "human"})
        return self.at_prompt(text)

    def program(self, text: str) -> None:
        self._prompted(text, promptSource="sdk", turnOrigin="sdk", entrypoint="sdk-cli")

    def notified(self, text: str) -> None:
        self._prompted(
            f"<task-notification>{text}</task-notification>", promptSource="system", turnOrigin="task_notification"
        )

    def says(self, text: str) -> None:
        """The end of an agent's turn."""
        content = [{"type": "text", "text": text}]
        self.write("assistant", message={"role": "assistant", "content": content, "stop_reason": "end_turn"})
        self.taken_in(ended=True)

    def calls(
        self, tool: str, given: Mapping[str, Any], result: str = "ok", *, failed: bool = False, **more: Any
    ) -> str:
        """A call with its result; what hardwon says before it."""
        said = self.before(tool, given)
        self._called(tool, given, {"content": result, "is_error": failed}, **more)
        return said

    def refuses(self, tool: str, given: Mapping[str, Any], words: str = "", **more: Any) -> str:
        said = self.before(tool, given)
        text = REFUSED + (SAID + words if words else STOP)
        mark: dict[str, Any] = {"toolDenialKind": "user-rejected", "toolUseResult": f"Error: {text}"}
        if words:
            mark |= {"userFeedback": words, "holdsPersonsWords": True}
        self._called(tool, given, {"content": text, "is_error": True}, **mark, **more)
        return said

    def denied(self, tool: str, given: Mapping[str, Any], result: str) -> None:
        """The same words, written by somebody else."""
        self._called(tool, given, {"content": result, "is_error": True}, toolUseResult=f"Error: {result}",
                     permissionDecision={"decision": "reject", "source": "hook"}, toolDenialKind="hook")  # fmt: skip

    def told_agent(self, text: str) -> None:
        """What the main agent writes to a sub-agent."""
        self._prompted(text, isSidechain=True, agentId="sub1", promptSource=None, turnOrigin=None)

    def mark(self, kind: str, text: str, quote: str = "", **more: Any) -> tools.Told:
        self.taken_in()
        given = {"kind": kind, "text": text, **({"quote": quote} if quote else {}), **more}
        asked = tools.Asked(given, HOST, self.id, str(self.person.project))
        return tools.call(self.person.store, "mark", asked, self.person.now)

    # ---- what hardwon says

    def at_prompt(self, text: str) -> str:
        return self._told(EventType.PROMPT_SUBMITTED, Moment.PROMPT, text=text, prompt=self._prompt)

    def starts(self, source: str = "startup") -> str:
        return self._told(EventType.SESSION_STARTED, Moment.SESSION_START, text=source)

    def before(self, tool: str, given: Mapping[str, Any]) -> str:
        from hardwon.clients.claude_code.messages import FILE_TOOLS, call_target, outcome_of

        change = outcome_of(tool, dict(given), None) if tool in FILE_TOOLS else ""
        about = {"tool": tool, "target": call_target(dict(given)), "text": change, "call": f"before{next(self._ids)}"}
        return self._told(EventType.TOOL_STARTING, Moment.BEFORE_ACTION, **about)

    def _told(self, type_: EventType, moment: Moment, **fields: Any) -> str:
        store, cwd = self.person.store, str(self.person.project)
        event = Event(type_, HOST, self.id, self.person.now, cwd=cwd, transcript=str(self.path), **fields)
        heard = journal.heard(Heard((event,), moment), store.redactor)
        found = answer(store, heard, self.talk, here(store, cwd), self.person.now, lambda items: items)
        reply = found.reply
        return "\n".join(
            filter(None, (reply.text, reply.stop and f"STOP {reply.stop}", reply.ask and f"ASK {reply.ask}"))
        )

    # ---- the transcript

    def taken_in(self, *, ended: bool = False) -> None:
        store, taken = self.person.store, Taken()
        for _ in take_in(store, Places(store), self.reading, self.reading.end, self.person.now, taken):
            pass
        if ended:
            learning.learn(store, HOST, self.id, self.person.now)
            finish(store, self.reading, self.person.now)

    def _prompted(self, text: str, **fields: Any) -> None:
        self._prompt = f"{self.id[-12:]}-prompt-{next(self._ids):06d}"
        self.write("user", message={"role": "user", "content": text}, promptId=self._prompt, **fields)
        self.taken_in()

    def _called(self, tool: str, given: Mapping[str, Any], result: Mapping[str, Any], **fields: Any) -> None:
        id = f"toolu_{self.id[-6:]}{next(self._ids):018d}"
        use = {"type": "tool_use", "id": id, "name": tool, "input": dict(given)}
        side = {name: fields[name] for name in ("isSidechain", "agentId") if name in fields}
        self.write("assistant", message={"role": "assistant", "content": [use], "stop_reason": "tool_use"}, **side)
        block = {"type": "tool_result", "tool_use_id": id, **result}
        fields = {"toolUseResult": result["content"], **fields}
        self.write("user", message={"role": "user", "content": [block]}, **fields)
        self.taken_in()

    def write(self, type_: str, **fields: Any) -> None:
        """One line, with what every line has."""
        self.person.now += 1_000
        at = datetime.fromtimestamp(self.person.now / 1000, UTC).isoformat().replace("+00:00", "Z")
        record = {
            "type": type_, "parentUuid": None, "isSidechain": False, "uuid": f"{self.id[:24]}{next(self._ids):012d}",
            "timestamp": at, "sessionId": self.id, "cwd": str(self.person.project), "userType": "external",
            "entrypoint": "cli", "version": "2.1.325", "promptId": self._prompt, **fields,
        }  # fmt: skip
        with self.path.open("a") as file:
            file.write(json.dumps({name: value for name, value in record.items() if value is not None}) + "\n")


def events(session: Session, told: Sequence[Mapping[str, Any]]) -> None:
    """Play a transcript in the short forms of the sets, see `bench/heard/attacks.py`."""
    for one in told:
        side = {"isSidechain": True, "agentId": "sub1"} if one.get("sidechain") else {}
        given = one.get("input") or {}
        if "person" in one:
            session.types(str(one["person"]))
        elif "program" in one:
            session.program(str(one["program"]))
        elif "notification" in one:
            session.notified(str(one["notification"]))
        elif "agent" in one:
            session.says(str(one["agent"]))
        elif "call" in one:
            session.calls(str(one["call"]), given, str(one.get("result", "ok")), failed=bool(one.get("failed")), **side)
        elif "refused" in one:
            session.refuses(str(one["refused"]), given, str(one.get("words") or ""), **side)
        elif "denied" in one:
            session.denied(str(one["denied"]), given, str(one.get("result", "")))
        elif "subagent" in one:
            session.told_agent(str(one["subagent"]))
        elif "raw" in one:
            raw = dict(one["raw"])
            session.write(str(raw.pop("type", "user")), **raw)
            session.taken_in()
