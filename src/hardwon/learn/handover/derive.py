"""A session's events, one by one, and what they leave."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from hardwon import action
from hardwon.clients.speech import own_words, without_ours
from hardwon.event import Event, EventType
from hardwon.learn.handover import messages
from hardwon.learn.handover.checks import SHELLS, Checks
from hardwon.learn.handover.files import EDITS, Files
from hardwon.learn.handover.goal import Goal, content, is_short
from hardwon.text.handover import Handover
from hardwon.text.speech import plain

MOST = 6
"""Of each sort that is kept; fewer are said."""
MOST_FILES = 40
_COMMIT = re.compile(
    r"\bgit\b[^;&"
    r"|]{0,80}\bcommit\b.{0,80}?-[a-z]*m\s+(?:\"\$\(cat <<-?'?\"?\w+'?\"?\s*)?(?:\"(?P<double>[^\"\n]{3,200})"
    r"|'(?P<single>[^'\n]{3,200})|(?P<bare>[^\"'\n]{3,200}))",
    re.DOTALL,
)
_TASK = re.compile(r"#(\w{1,20}) \[([x~ -])\](.*)")
_STATES = {"x": "completed", "~": "in_progress", " ": "pending", "-": "cancelled"}


@dataclass(slots=True)
class Session:
    """What is known of a session so far."""

    goal: Goal = field(default_factory=Goal)
    checks: Checks = field(default_factory=Checks)
    files: Files = field(default_factory=Files)
    todos: dict[str, tuple[str, str]] = field(default_factory=dict)
    """What is to be done, by number or text: its words and its state."""
    decisions: list[str] = field(default_factory=list)
    done: list[str] = field(default_factory=list)
    last: str = ""
    """What the agent said last."""
    before: str = ""
    """What it had said when the person last spoke."""
    unanswered: str = ""
    """The last prompt, as long as the agent has not ended its turn."""

    def saw(self, event: Event) -> None:
        if event.agent:
            self._of_sub_agent(event)
            return
        self.checks.saw(event)
        self.files.saw(event)
        match event.type:
            case EventType.PROMPT_SUBMITTED:
                self._asked(own_words(event.text))
            case EventType.TURN_ENDED | EventType.SPOKE:
                self._spoke(without_ours(event.text), ended=event.type is EventType.TURN_ENDED)
            case EventType.TOOL_FINISHED:
                self._called(event)
            case _:
                pass

    def _of_sub_agent(self, event: Event) -> None:
        """What it edits is the session's work; what it says is its own."""
        self.files.saw(event)

    def _asked(self, said: str) -> None:
        if not said or said.startswith("/"):
            return
        self.before, self.last = self.last or self.before, ""
        before = self.goal.opening
        self.goal.asked(said)
        if self.goal.opening != before and before:
            self.todos = {key: one for key, one in self.todos.items() if one[1] != "completed"}
        self.unanswered = said
        for one in plain.read(said).statements:
            self._decided(one.said)

    def _spoke(self, said: str, *, ended: bool) -> None:
        if not said.strip():
            return
        self.last = f"{self.last}\n\n{said}" if self.last and not ended and len(self.last) < 4_000 else said
        self.goal.worked(said)
        if ended:
            self.unanswered = ""

    def _decided(self, said: str) -> None:
        said = " ".join(said.split())
        self.decisions = [one for one in self.decisions if one != said]
        self.decisions.append(said if len(said) <= messages.LONGEST else said[: messages.LONGEST - 1] + "…")
        del self.decisions[: -3 * MOST]

    def _called(self, event: Event) -> None:
        if event.tool in EDITS:
            self.goal.finished(really=False)
        self.goal.worked(event.target[:200])
        match event.tool:
            case tool if tool in action.LISTS:
                self._planned({words: (words, state) for state, words in _listed(event.text)})
            case tool if tool in action.TASKS:
                self._updated(event.text)
            case action.PLAN:
                self._planned(self.todos or {one: (one, "pending") for one in _steps(event.text)})
            case action.QUESTION:
                for question, answer in _answers(event.text):
                    self._decided(f"{question} {answer}")
            case tool if tool in SHELLS and (match := _COMMIT.search(event.target)):
                words = next((one for one in match.groups() if one), "").strip()
                self.done.append(f"committed: {words}")
                self.goal.finished()
            case _:
                pass

    def _planned(self, todos: dict[str, tuple[str, str]]) -> None:
        if not self.todos.keys() & todos.keys():
            self.goal.planned(" ".join(todos))
        self.todos = todos
        self._look_whether_all_is_done()

    def _look_whether_all_is_done(self) -> None:
        if self.todos and all(state in ("completed", "cancelled") for _, state in self.todos.values()):
            self.goal.finished()

    def _updated(self, text: str) -> None:
        if match := _TASK.match(text):
            known = self.todos.get(match[1], ("", ""))[0]
            if words := match[3].strip() or known:
                if match[1] not in self.todos:
                    self.goal.planned(words)
                self.todos[match[1]] = (words, _STATES[match[2]])
                self._look_whether_all_is_done()

    def handover(self) -> Handover:
        """`said`: of the last message, also where the person has spoken since and was not answered."""
        said = messages.read(self.last or (self.before if self.unanswered else ""))
        todo = [words for words, state in self.todos.values() if state == "in_progress"]
        todo += [words for words, state in self.todos.values() if state == "pending"]
        finished = [words for words, state in self.todos.values() if state == "completed"]
        return Handover(
            self.goal.said(),
            tuple(_different([*finished, *reversed(self.done)])[:MOST]),
            tuple(self.checks.failing()[:MOST]),
            tuple(_different([*self._waits(), *todo, *said.next])[:MOST]),
            tuple(said.open if self.last else ()),
            tuple(_different(reversed(self.decisions))[:MOST]),
            self.files.all()[:MOST_FILES],
            said=tuple(said.words),
        )

    def _waits(self) -> list[str]:
        """The last prompt, where the agent has not ended its turn and the goal does not say it."""
        known = (self.goal.opening, *self.goal.added[-1:])
        is_said = not self.unanswered or is_short(self.unanswered) or " ".join(self.unanswered.split()) in known
        return [] if is_said else [f"asked and not answered yet: {self.unanswered[:160]}"]


def of_events(events: Iterable[Event]) -> Handover:
    session = Session()
    for event in events:
        session.saw(event)
    return session.handover()


def _listed(text: str) -> list[tuple[str, str]]:
    states = _STATES
    return [(states[match[1]], match[2].strip()) for match in re.finditer(r"^\[([x~ -])\] (.+)$", text, re.MULTILINE)]


def _steps(plan: str) -> list[str]:
    """The top items of a plan."""
    return [
        match[1].strip()[:160]
        for match in re.finditer(
            r"^(?:\d{1,2}[.)]"
            r"|[-*]) +(.+)$",
            plan,
            re.MULTILINE,
        )
    ][:MOST]


def _answers(text: str) -> list[tuple[str, str]]:
    try:
        given = json.loads(text)
    except ValueError:
        return [(one[1], one[2]) for one in re.finditer(r'"([^"]{3,200})"="([^"]{1,200})"', text)]
    answers = given.get("answers") if isinstance(given, dict) else None
    return [(str(key), str(value)) for key, value in answers.items()] if isinstance(answers, dict) else []


def _different(items: Iterable[str]) -> list[str]:
    """Each once, also where two say the same in nearly the same words."""
    kept: list[str] = []
    words: list[set[str]] = []
    for item in items:
        own = content(item)
        if item in kept or any(own and len(own & other) >= 0.8 * min(len(own), len(other)) for other in words if other):
            continue
        kept.append(item)
        words.append(own)
    return kept
