"""Git stories played through hardwon: what stands on the card of a branch, against what a colleague would have said.

    python -m bench branches --set STORIES.json [--only NAME] [--show] [--json]

Each story runs real git commands in a repository of its own, with a bare one beside it as its remote; the agent's calls
become hooks and a transcript as the client writes them, and go through the daemon's own answering and keeping, at the
story's time. What is expected is scored line by line; the exit status is 1 when a base was wrong.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import datetime
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hardwon.clients.claude_code import messages as claude_code
from hardwon.daemon.keep import Keeper, Work
from hardwon.daemon.message import Message
from hardwon.memories.search.budget import tokens
from hardwon.memory import Draft, Kind, Scope, Trust
from hardwon.moments.answer import answer, here
from hardwon.moments.answers import showings_of, told_of
from hardwon.moments.conversation import Conversation
from hardwon.paths import Home, make
from hardwon.settings import Settings
from hardwon.store import changes
from hardwon.store.connection import Store, open_store
from hardwon.store.tables import journal

BEGIN = datetime.datetime(2026, 3, 2, 9, 0, tzinfo=datetime.UTC)
MINUTE = 60_000
_LATER = {"m": MINUTE, "h": 60 * MINUTE, "d": 1440 * MINUTE}
SCORED = ("silent", "base", "was_base", "pr", "ticket", "stack", "open", "checks", "green", "edits", "news", "never")


@dataclass(slots=True)
class Session:
    id: str
    cwd: Path
    transcript: Path
    talk: Conversation = field(default_factory=Conversation)
    last: dict[str, str] = field(default_factory=dict)
    """What was said at its last start, prompt, compaction, and since it went to another branch."""
    number: int = 0
    seen: list[str] = field(default_factory=list)
    """The branch at each of its calls."""


@dataclass(slots=True)
class Score:
    right: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    wrong_base: int = 0
    tokens: list[int] = field(default_factory=list)
    misses: list[str] = field(default_factory=list)


class Story:
    """One repository, and the sessions in it."""

    def __init__(self, folder: Path, told: dict[str, Any], lag: int = 0) -> None:
        self.root, self.repository, self.told = folder, folder / "repo", told
        self.lag = lag
        self.now = int(BEGIN.timestamp() * 1000)
        home = Home(folder / "home")
        make(home)
        self.store: Store = open_store(home, Settings())
        self.store.by_hand = False
        self.keeper = Keeper(home, self.store.settings, apart=False)
        self.sessions: dict[str, Session] = {}
        self._begin()

    def _begin(self) -> None:
        self.repository.mkdir()
        self.shell(
            "git init -q -b main && echo start > README.md && git add . && git commit -qm start", self.repository
        )
        if self.told.get("remote", True):
            self.shell(
                "git init -q --bare -b main ../remote.git && git remote add origin ../remote.git"
                " && git push -qu origin main && git remote set-head origin main",
                self.repository,
            )

    def shell(self, command: str, folder: Path) -> tuple[str, int]:
        at = f"{self.now // 1000} +0000"
        environment = {
            "PATH": os.environ["PATH"], "HOME": str(self.root), "LC_ALL": "C.UTF-8", "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_DATE": at, "GIT_COMMITTER_DATE": at, "GIT_EDITOR": "true", "GIT_TERMINAL_PROMPT": "0",
            "GIT_AUTHOR_NAME": "dev", "GIT_AUTHOR_EMAIL": "dev@example.invalid",
            "GIT_COMMITTER_NAME": "dev", "GIT_COMMITTER_EMAIL": "dev@example.invalid",
        }  # fmt: skip
        done = subprocess.run(
            ["sh", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, timeout=60, check=False,
        )  # fmt: skip
        return done.stdout.decode("utf-8", "replace"), done.returncode

    def folder(self, step: dict[str, Any]) -> Path:
        return self.root / step["in"] if step.get("in") else self.repository

    def play(self) -> Iterator[tuple[dict[str, Any], str]]:
        """Each expectation with what was said."""
        for step in self.told["steps"]:
            self.now += MINUTE + _later(step.get("later", ""))
            if "expect" in step:
                yield step, self.sessions[step["expect"]].last.get(step.get("at", "start"), "")
            elif "git" in step:
                self.shell(f"git {step['git']}", self.folder(step))
            elif "shell" in step:
                self.shell(step["shell"], self.folder(step))
            else:
                self._agent(step)

    def _agent(self, step: dict[str, Any]) -> None:
        what = next(name for name in _DOES if name in step)
        session = self._session(step[what], step)
        _DOES[what](self, session, step)

    def _session(self, id: str, step: dict[str, Any]) -> Session:
        if id not in self.sessions:
            self.sessions[id] = Session(id, self.folder(step), self.root / "projects" / f"{id}.jsonl")
        session = self.sessions[id]
        if "in" in step:
            session.cwd = self.folder(step)
        return session

    # ---- what a client tells

    def hook(self, session: Session, name: str, **fields: Any) -> str:
        wire = {"session_id": session.id, "transcript_path": str(session.transcript), "cwd": str(session.cwd)}
        heard = claude_code.hear(name, json.dumps(wire | {"hook_event_name": name} | fields).encode(), self.now)
        heard = journal.heard(heard, self.store.redactor) if heard.moment else heard
        said = answer(
            self.store, heard, session.talk, here(self.store, str(session.cwd)), self.now, lambda items: items
        )
        shown = showings_of(heard, said, session.talk.context, self.now) if said.said else ()
        told = told_of(heard, said, session.talk)
        self.keeper.play(self.store, Work(Message("", claude_code.NAME, name, 0, b""), self.now, heard, shown, told))
        return said.reply.text

    def write(self, session: Session, *records: dict[str, Any]) -> None:
        session.transcript.parent.mkdir(exist_ok=True)
        at = datetime.datetime.fromtimestamp(self.now / 1000, datetime.UTC).isoformat().replace("+00:00", "Z")
        branch = self.shell("git rev-parse --abbrev-ref HEAD", session.cwd)[0].strip()
        session.seen.append(branch)
        branch = session.seen[max(0, len(session.seen) - 1 - self.lag)]
        common = {"sessionId": session.id, "cwd": str(session.cwd), "timestamp": at, "isSidechain": False,
                  "gitBranch": branch}  # fmt: skip
        with session.transcript.open("a", encoding="utf-8") as file:
            for record in records:
                file.write(json.dumps(record | common, separators=(",", ":")) + "\n")

    def result(
        self, session: Session, tool: str, given: dict[str, Any], output: str, ok: bool, structured: Any
    ) -> None:
        id = f"toolu_{session.id}_{session.number:04}_abcdefgh"
        use = {"type": "tool_use", "id": id, "name": tool, "input": given}
        back = {"type": "tool_result", "tool_use_id": id, "content": output, "is_error": not ok}
        self.write(
            session,
            {"type": "assistant", "message": {"role": "assistant", "content": [use]}},
            {"type": "user", "message": {"role": "user", "content": [back]},
             "toolUseResult": structured if ok else f"Error: {output}"},
        )  # fmt: skip

    def start(self, session: Session, step: dict[str, Any]) -> None:
        source = step.get("source", "startup")
        at = "compact" if source == "compact" else "start"
        session.last = {at: self.hook(session, "SessionStart", source=source)}

    def prompt(self, session: Session, step: dict[str, Any]) -> None:
        session.number += 1
        id = f"prompt-{session.id}-{session.number:08}"
        said = self.hook(session, "UserPromptSubmit", prompt=step["text"], prompt_id=id)
        self.write(session, {"type": "user", "promptId": id, "turnOrigin": "human",
                             "message": {"role": "user", "content": step["text"]}})  # fmt: skip
        session.last["prompt"] = session.last["switch"] = said

    def call(self, session: Session, step: dict[str, Any]) -> None:
        session.number += 1
        given = {"command": step["run"]}
        before = self.hook(session, "PreToolUse", tool_name="Bash", tool_input=given,
                           tool_use_id=f"toolu_{session.id}_{session.number:04}_abcdefgh")  # fmt: skip
        session.last["switch"] = before or session.last.get("switch", "")
        if "output" in step:
            output, ok = step["output"], step.get("ok", True)
        else:
            output, status = self.shell(step["run"], session.cwd)
            ok, output = not status, output if not status else f"Exit code {status}\n{output}"
        self.result(session, "Bash", given, output, ok, {"stdout": output, "stderr": "", "interrupted": False})

    def edit(self, session: Session, step: dict[str, Any]) -> None:
        session.number += 1
        path = str(session.cwd / step["path"])
        given = {"file_path": path, "old_string": step.get("old", ""), "new_string": step.get("new", "")}
        before = self.hook(session, "PreToolUse", tool_name="Edit", tool_input=given,
                           tool_use_id=f"toolu_{session.id}_{session.number:04}_abcdefgh")  # fmt: skip
        session.last["switch"] = before or session.last.get("switch", "")
        self.result(session, "Edit", given, "ok", True, {"filePath": path})

    def tasks(self, session: Session, step: dict[str, Any]) -> None:
        session.number += 1
        todos = [{"content": one["text"], "status": one["status"], "activeForm": ""} for one in step["items"]]
        self.result(session, "TodoWrite", {"todos": todos}, "Todos have been modified", True, {"newTodos": todos})

    def mark(self, session: Session, step: dict[str, Any]) -> None:
        project = here(self.store, str(session.cwd)).project
        draft = Draft(Kind(step["kind"]), step["text"], Scope(project), Trust.AGENT, "agent",
                      evidence=(f"session {session.id}",))  # fmt: skip
        changes.note(self.store, changes.passed(self.store, draft), self.now)

    def turn(self, session: Session, step: dict[str, Any]) -> None:
        self.hook(session, "Stop", last_assistant_message=step.get("text", "Done."))

    def end(self, session: Session, step: dict[str, Any]) -> None:  # noqa: ARG002
        self.hook(session, "SessionEnd", reason="exit")


_DOES = {
    "start": Story.start, "prompt": Story.prompt, "call": Story.call, "edit": Story.edit, "tasks": Story.tasks,
    "mark": Story.mark, "turn": Story.turn, "end": Story.end,
}  # fmt: skip


def _later(text: str) -> int:
    found = re.fullmatch(r"(\d+)([mhd])", text)
    return int(found[1]) * _LATER[found[2]] if found else 0


# ── what is expected ─────────────────────────────────────────────────────────────────────────────────────────────────


def about_branch(said: str) -> list[str]:
    """The lines on the branch, of all that was said."""
    signs = re.compile(r"- (?:branch |this branch|open in its last task list|green |failed (?:at|on) )")
    return [line for line in said.splitlines() if signs.match(line)]


def read(said: str) -> dict[str, Any]:
    """What a card says, taken apart."""
    lines = about_branch(said)
    text = "\n".join(lines)
    base = re.search(r"[:,] base (?!was )(\S+?)(?:,|$)", text, re.MULTILINE)
    was = re.search(r"base was (\S+) on", text)
    pull = re.search(r"PR #(\d+)(?! \((?:merged|closed))", text)
    stack = re.search(r"stack ((?:\S+ > )+)this", text)
    ticket = re.search(r", ((?:[A-Z][A-Z0-9]+-|#)\d+)$", text, re.MULTILINE)
    edits = re.search(r", (\d+|no) edits? since", text)
    first = re.search(r"^- (green|failed) ", text, re.MULTILINE)
    return {
        "silent": not lines,
        "base": base[1] if base else None,
        "was_base": was[1] if was else None,
        "pr": int(pull[1]) if pull else None,
        "ticket": ticket[1] if ticket else None,
        "stack": stack[1].rstrip(" >").split(" > ") if stack else [],
        "green": first[1] == "green" if first else None,
        "edits": (0 if edits[1] == "no" else int(edits[1])) if edits else None,
        "text": text,
        "open": next((line for line in lines if line.startswith("- open")), ""),
        "checks": "\n".join(line for line in lines if line.startswith(("- green", "- failed"))),
        "news": "\n".join(line for line in said.splitlines() if line.startswith(("- another window", "- since this"))),
        "all": said,
    }


def is_right(name: str, wanted: Any, found: dict[str, Any]) -> bool:
    if name in ("open", "checks", "news"):
        held = found[name]
        return all(str(one).casefold() in held.casefold() for one in wanted) if wanted else not held
    if name == "never":
        return not any(str(one).casefold() in found["all"].casefold() for one in wanted)
    return bool(found[name] == wanted)


def score(told: dict[str, Any], total: Score, show: bool, lag: int) -> None:
    with tempfile.TemporaryDirectory(prefix="hw-branches-") as folder:
        story = Story(Path(folder).resolve(), told, lag)
        with contextlib.closing(story.store):
            for step, said in story.play():
                found = read(said)
                total.tokens.append(tokens("\n".join(about_branch(said))))
                if show:
                    print(f"--- {told['name']}: {json.dumps(step, ensure_ascii=False)}\n{said}\n", file=sys.stderr)
                for name in SCORED:
                    if name not in step:
                        continue
                    right = is_right(name, step[name], found)
                    (total.right if right else total.wrong)[name] += 1
                    if name == "base" and found["base"] is not None and not right:
                        total.wrong_base += 1
                    if not right:
                        got = found.get(name) if name != "never" else found["text"]
                        total.misses.append(f"{told['name']}: {name} wanted {step[name]!r}, got {got!r}")


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench branches")
    parser.add_argument("--set", type=Path, default=Path(__file__).parent / "branches.json")
    parser.add_argument("--only", default="")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--lag", type=int, default=4, help="calls by which the client's word on the branch is late")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--quick", action="store_true", help="the first five stories")
    given = parser.parse_args(argv)
    stories = [one for one in json.loads(given.set.read_text("utf-8")) if given.only in one["name"]]
    total = Score()
    for one in stories[:5] if given.quick else stories:
        try:
            score(one, total, given.show, given.lag)
        except (KeyError, ValueError, StopIteration, subprocess.SubprocessError) as error:
            total.misses.append(f"{one['name']}: could not be played: {type(error).__name__} {error}")
    if given.json:
        print(json.dumps(dataclasses.asdict(total)))
    else:
        _print(total, len(stories))
    return 1 if total.wrong_base else 0


def _print(total: Score, stories: int) -> None:
    print("\n".join(total.misses))
    for name in SCORED:
        if all_ := total.right[name] + total.wrong[name]:
            print(f"{name:10} {total.right[name]:4} of {all_:4} right  {total.right[name] / all_:6.1%}")
    right, all_ = total.right.total(), total.right.total() + total.wrong.total()
    said = [one for one in total.tokens if one]
    print(f"{stories} stories, {right} of {all_} right; base wrong {total.wrong_base};", end=" ")
    print(f"tokens of a card, median {statistics.median(said) if said else 0}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
