"""Aider's chat history (`.aider.chat.history.md`): Markdown that it appends to, in the folder of the project.

`# aider chat started at …` begins a session, `#### ` is what was typed, `> ` what aider itself said, and the rest is
the model's answer; a file is named before the block that changes it. Only the beginning of a session has a time, in
local time.

What a command printed is there for some commands only. Of those that the model proposes (`> Running …`) it never is, of
those that are typed (`/run`) it was until aider stopped writing it down: sometimes line by line behind `> `, sometimes
only its first line, and all of it again when it was added to the chat. Linters are named with what they found, and only
when they found something. Where nothing says how a command ended, there is no event.
"""

from __future__ import annotations

import datetime
import hashlib
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from hardwon.clients import reading
from hardwon.clients.logs import Logs
from hardwon.clients.plain_output import failed_status
from hardwon.event import Event, EventType

NAME = "aider"
FILE = ".aider.chat.history.md"
STARTED = b"# aider chat started at "
_EDITED = re.compile(r"Applied edit to (.+)")
_PROPOSED = re.compile(r"Running (.+)")
_LINTING = re.compile(r"## Running: (.+)")
_LINTED = ("## See relevant line", "Attempt to fix")
_ADD = "Add the output to the chat?"
_NOT_WRITTEN = re.compile(r"Add (?:[\d.]+k tokens of )?command output to the chat\?")
_CHOICE = "(Y)es/(n)o"
"""Where the question went on, on a line of its own."""
_OWN = ("Added ", "You can use /undo", "^C ", "```", "Tokens: ", "Commit ")
"""What aider says by itself after a command."""
_RAN = re.compile(r"I ran this command:\s+(.+?)\s+And got this output:\s*(.*)", re.DOTALL)
_TYPED = re.compile(r"(?:/run|/test|!)\s*(.+)", re.DOTALL)
_ASKED = re.compile(r"/(?:ask|code|architect)\s+(?=\S)")
_NOT_SAID = ("/", "!", "<blank>", "# Fix any errors below")
LONGEST = 20_000
"""Characters of an answer or an output: its end counts."""


class Reading(reading.Reading):
    """One history, with all its sessions."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._forget()

    def _forget(self) -> None:
        self.end = 0
        self._session = ""
        self._at = self._calls = self._prompts = 0
        self._typed: list[str] = []
        self._answer = ""
        self._stop_running()

    def _stop_running(self) -> None:
        self._running = ""
        self._output: list[str] = []
        self._linting = self._partly = self._added = False

    def _events(self, line: bytes) -> Sequence[Event]:
        if line.startswith(STARTED):
            events = list(self._settled())
            self._begin(line)
            return events
        return list(self._of_line(line.decode("utf-8", "replace").rstrip()))

    def _begin(self, line: bytes) -> None:
        started = line[len(STARTED) :].decode("utf-8", "replace").strip()
        mark = hashlib.blake2b(f"{self.path.parent}\n{started}".encode(), digest_size=6).hexdigest()
        self._session, self._answer = f"{started.replace(' ', 'T')}-{mark}", ""
        self._at = _local(started)
        self._calls = self._prompts = 0

    def _of_line(self, line: str) -> Iterator[Event]:
        if line.startswith("####"):
            if not self._typed:
                yield from self._settled()
            self._typed.append(line[4:].strip())
            return
        if self._typed:
            yield from self._said()
        if line.startswith(">"):
            yield from self._told(line[1:].strip())
            return
        if line and self._running and not line.startswith(_CHOICE):
            if self._added or self._linting:  # the answer begins
                yield from self._settled()
            else:
                self._partly = bool(self._output)
        self._answer = f"{self._answer}\n{line}"[-LONGEST:]

    def _said(self) -> Iterator[Event]:
        """What was typed: a person's words, a command, or what aider wrote in the person's name."""
        text, self._typed = "\n".join(self._typed).strip(), []
        if ran := _RAN.match(text):
            yield self._ran(ran[1], ran[2])
            return
        if typed := _TYPED.match(text):
            self._running = typed[1].strip()
            return
        text = _ASKED.sub("", text, count=1)
        if text and not text.startswith(_NOT_SAID):
            self._prompts += 1
            yield self._event(EventType.PROMPT_SUBMITTED, text=text)

    def _told(self, line: str) -> Iterator[Event]:
        if edited := _EDITED.match(line):
            yield from self._settled()
            call = self._next_call()
            change = _change_of(edited[1], self._answer)
            yield self._event(EventType.TOOL_FINISHED, call=call, tool="Edit", target=edited[1], text=change)
        elif linting := _LINTING.match(line):
            yield from self._settled()
            self._running, self._linting = linting[1].strip(), True
        elif _PROPOSED.match(line) or (self._linting and line.startswith(_LINTED)):
            yield from self._settled()
        elif _NOT_WRITTEN.match(line):
            self._stop_running()
        elif self._running and line.startswith(_ADD):
            self._added = True
            if self._partly:  # it comes again, whole
                self._output, self._partly = [], False
        elif self._running and not line.startswith(_OWN):
            self._output = [*self._output, line][-400:]

    def _settled(self) -> Iterator[Event]:
        """Something else begins: what is still open has ended."""
        if self._typed:
            yield from self._said()
        command, output, whole = self._running, "\n".join(self._output).strip(), not self._partly
        found = self._linting
        self._stop_running()
        if command and output and (whole or failed_status(output)):  # otherwise nothing says how it ended
            yield self._ran(command, output, failed=found)

    def _ran(self, command: str, output: str, *, failed: bool = False) -> Event:
        self._stop_running()
        call, status = self._next_call(), failed_status(output) or (1 if failed else None)
        if status:
            return self._event(EventType.TOOL_FAILED, call=call, tool="Bash", target=command, error=output,
                               exit_status=status)  # fmt: skip
        return self._event(EventType.TOOL_FINISHED, call=call, tool="Bash", target=command, text=output)

    def _next_call(self) -> str:
        self._calls += 1
        return f"{self._session}:{self._calls}"

    def _event(
        self,
        type_: EventType,
        *,
        call: str = "",
        tool: str = "",
        target: str = "",
        text: str = "",
        error: str = "",
        exit_status: int | None = None,
    ) -> Event:
        """A second later than the one before it: in this order it happened."""
        self._at += 1000
        prompt = f"{self._session}:p{self._prompts}" if self._prompts else ""
        return Event(type_, NAME, self._session or "before-the-first", self._at, cwd=str(self.path.parent.absolute()),
                     prompt=prompt, call=call, tool=tool, target=target, text=text, error=error,
                     exit_status=exit_status, transcript=str(self.path))  # fmt: skip


def _change_of(file: str, answer: str) -> str:
    """The last block of the answer that names the file."""
    at = answer.rfind(f"\n{file}\n")
    if at < 0:
        return ""
    block = answer[at + len(file) + 2 :].removeprefix("```").lstrip("\n")
    ends = [end for end in (block.find("\n>>>>>>> "), block.find("\n```")) if end >= 0]
    return block[: min(ends, default=2_000)].strip()


def _local(started: str) -> int:
    try:
        return int(datetime.datetime.fromisoformat(started).timestamp() * 1000)
    except ValueError:
        return 0


class AiderLogs(Logs):
    files = (FILE,)

    def open(self, path: Path) -> Reading:
        return Reading(path)

    def is_one(self, beginning: bytes) -> bool:
        return b"\n" + STARTED in b"\n" + beginning

    def started_in(self, path: Path, home: str) -> str:  # noqa: ARG002
        return str(path.parent)


LOGS = AiderLogs()
