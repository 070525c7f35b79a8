"""Aider's chat history (`.aider.chat.history.md`): Markdown that it appends to, in the folder of the project.

`# aider chat started at …` begins a session, `#### ` is what was typed, `> ` what aider itself said, and the rest is
the model's answer. Commands show up as what aider says about them, or as a message that aider wrote into the person's
place; a file is named before the block that changes it. Only the beginning of a session has a time, in local time.
"""

from __future__ import annotations

import datetime
import hashlib
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from hardwon.event import Event, EventType
from hardwon.hosts import reading
from hardwon.hosts.plain_output import failed_status

NAME = "aider"
FILE = ".aider.chat.history.md"
STARTED = b"# aider chat started at "
_EDITED = re.compile(r"Applied edit to (.+)")
_RUNNING = re.compile(r"(?:## )?Running:? (.+)")
_RAN = re.compile(r"I ran this command:\s+(.+?)\s+And got this output:\s*(.*)", re.DOTALL)
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
        self._running = ""
        self._output: list[str] = []

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
        if self._typed and line:
            yield from self._said()
        if line.startswith(">"):
            yield from self._told(line[1:].strip())
        else:
            self._answer = f"{self._answer}\n{line}"[-LONGEST:]

    def _said(self) -> Iterator[Event]:
        """What was typed: a person's words, a command, or what aider wrote in the person's name."""
        text, self._typed = "\n".join(self._typed).strip(), []
        if ran := _RAN.match(text):
            yield self._ran(ran[1], ran[2])
        elif text.startswith(("/run ", "/test ", "!")):
            self._running = re.sub(r"^(?:/run|/test|!)\s*", "", text)
        elif text and not text.startswith(_NOT_SAID):
            self._prompts += 1
            yield self._event(EventType.PROMPT_SUBMITTED, text=text)

    def _told(self, line: str) -> Iterator[Event]:
        if edited := _EDITED.match(line):
            yield from self._settled()
            call = self._next_call()
            change = _change_of(edited[1], self._answer)
            yield self._event(EventType.TOOL_FINISHED, call=call, tool="Edit", target=edited[1], text=change)
        elif running := _RUNNING.match(line):
            yield from self._settled()
            self._running = running[1].strip()
        elif self._running and not line.startswith(("Add command output", "Added ")):
            self._output.append(line)
            self._output = self._output[-400:]

    def _settled(self) -> Iterator[Event]:
        """Something else begins: what is still open has ended."""
        if self._typed:
            yield from self._said()
        command, output = self._running, "\n".join(self._output).strip()
        self._running, self._output = "", []
        if command and output:  # without one nothing says how it ended
            yield self._ran(command, output)

    def _ran(self, command: str, output: str) -> Event:
        self._running, self._output = "", []
        call, status = self._next_call(), failed_status(output)
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
    block = answer[at + len(file) + 2 :]
    end = block.find("\n>>>>>>> ")
    return block[: end if end >= 0 else 2_000].strip()


def _local(started: str) -> int:
    try:
        return int(datetime.datetime.fromisoformat(started).timestamp() * 1000)
    except ValueError:
        return 0
