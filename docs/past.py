"""Sixty sessions of a made-up past for the pages: a shop, two months, and the things that come back in real ones.

python docs/past.py SETTINGS FOLDER     writes below SETTINGS/projects what Claude Code would have written in FOLDER
"""

from __future__ import annotations

import datetime
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SESSIONS = 60
BEGIN = datetime.datetime(2026, 1, 5, 8, tzinfo=datetime.UTC)
REDIS = "redis.exceptions.ConnectionError: Error 111 connecting to localhost:6379. Connection refused."
PARTS = ("cart", "login", "search", "mailer", "invoices", "stock", "reports", "coupons")
ASKED = ("correct", "simplify", "document", "rename", "cache", "round", "sort", "translate")
WHAT = ("totals", "discounts", "currencies", "dates", "headings", "taxes", "names", "units", "limits", "retries")
"""What somebody asks for is hardly ever the same twice."""
UNCHECKED = "Error return value of `os.Remove` is not checked (errcheck)"
Records = Iterator[dict[str, Any]]


class Session:
    """One of them, record by record, some seconds apart."""

    def __init__(self, number: int, folder: str) -> None:
        self.id = f"5e551045-0000-4000-8000-{number:012}"
        self.folder = folder
        self.chance = random.Random(number)
        self.at = BEGIN + datetime.timedelta(hours=22 * number, minutes=self.chance.randrange(90))
        self.calls = self.prompts = 0

    def record(self, kind: str, content: Any, **more: Any) -> dict[str, Any]:
        self.at += datetime.timedelta(seconds=self.chance.randrange(2, 40))
        stamp = self.at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        message = {"role": kind, "content": content, **more.pop("message", {})}
        return {"type": kind, "sessionId": self.id, "cwd": self.folder, "timestamp": stamp, "isSidechain": False,
                "uuid": f"{self.id}-{stamp}", "message": message, **more}  # fmt: skip

    def prompt(self, words: str) -> Records:
        self.prompts += 1
        yield self.record("user", words, promptId=f"{self.id}-{self.prompts}", turnOrigin="human")

    def done(self, words: str) -> Records:
        text = [{"type": "text", "text": words}]
        yield self.record("assistant", text, message={"stop_reason": "end_turn"})

    def call(self, tool: str, given: dict[str, Any], said: str, *, wrong: bool = False) -> Records:
        self.calls += 1
        id = f"toolu_{self.id[-12:]}_{self.calls:08}"
        yield self.record("assistant", [{"type": "tool_use", "id": id, "name": tool, "input": given}])
        back = {"type": "tool_result", "tool_use_id": id, "content": said, "is_error": wrong}
        result = f"Error: {said}" if wrong else {"stdout": said, "stderr": ""}
        yield self.record("user", [back], toolUseResult=result)

    def bash(self, command: str, said: str = "ok", *, wrong: bool = False) -> Records:
        yield from self.call("Bash", {"command": command}, f"Exit code 1\n{said}" if wrong else said, wrong=wrong)

    def edit(self, file: str, old: str, new: str) -> Records:
        given = {"file_path": f"{self.folder}/{file}", "old_string": old, "new_string": new}
        yield from self.call("Edit", given, "updated")

    # ---- what happens in them

    def work(self) -> Records:
        part = self.chance.choice(PARTS)
        yield from self.prompt(f"{self.chance.choice(ASKED)} the {self.chance.choice(WHAT)} of the {part}")
        yield from self.bash(f"git log --oneline -3 -- src/{part}.go", f"a1b2c3d {part}: totals")
        yield from self.edit(f"src/{part}.go", f"{part}Total(a)", f"{part}Total(a, b)")
        yield from self.done(f"The {part} adds both now.")

    def service(self) -> Records:
        yield from self.prompt("run the tests please")
        yield from self.bash("make test", REDIS, wrong=True)
        yield from self.bash("docker ps", "CONTAINER ID   IMAGE")
        yield from self.bash("docker compose up -d redis")
        yield from self.bash("make test", "42 passed")
        yield from self.done("The tests pass.")

    def flag(self) -> Records:
        number = self.chance.randrange(40, 90)
        yield from self.prompt(f"what does #{number} change?")
        yield from self.bash(f"gh pr diff {number} --stat", "unknown flag: --stat", wrong=True)
        yield from self.bash(f"gh pr diff {number} --name-only", "src/cart.go\nsrc/stock.go")
        yield from self.done("The cart and the stock.")

    def path(self) -> Records:
        yield from self.prompt("which linters are on?")
        yield from self.call("Read", {"file_path": f"{self.folder}/.golangci.yml"}, "File does not exist.", wrong=True)
        yield from self.bash("ls -a", ".git .golangci.yaml Makefile src")
        yield from self.call("Read", {"file_path": f"{self.folder}/.golangci.yaml"}, "linters: [errcheck, goconst]")
        yield from self.done("Two.")

    def rule(self) -> Records:
        part = self.chance.choice(PARTS)
        yield from self.prompt(f"clear the old files of the {part} at the start")
        yield from self.edit(f"src/{part}.go", "start()", "os.Remove(old)\n\tstart()")
        yield from self.bash("golangci-lint run", f"src/{part}.go:12:3: {UNCHECKED}", wrong=True)
        yield from self.edit(f"src/{part}.go", "os.Remove(old)", "if err := os.Remove(old); err != nil {\n\t}")
        yield from self.bash("golangci-lint run", "0 issues.")
        yield from self.done("Done.")

    def base(self) -> Records:
        yield from self.prompt("bring this branch up to date")
        yield from self.bash("gh pr view --json baseRefName", '{"baseRefName":"release/spring-sale"}')
        yield from self.bash("git rebase origin/release/spring-sale", "Successfully rebased")
        yield from self.done("It is.")

    def tracker(self) -> Records:
        part = self.chance.choice(PARTS)
        yield from self.prompt(f"file an issue for the {part}")
        yield from self.call("mcp__tracker__create_issue", {"title": f"{part}: totals are off"}, "created SHOP-12")
        yield from self.prompt("that is wrong, it belongs into Project: Harbour")
        yield from self.call("mcp__tracker__update_issue", {"id": "SHOP-12", "project": "Harbour"}, "moved")
        yield from self.done("Moved.")


BACK = (Session.service, Session.flag, Session.path, Session.rule, Session.base, Session.tracker)


def main(settings: str, folder: str) -> None:
    place = Path(settings) / "projects" / folder.replace("/", "-")
    place.mkdir(parents=True, exist_ok=True)
    for number in range(SESSIONS):
        one = Session(number, folder)
        records = [*one.work(), *(BACK[number // 2 % len(BACK)](one) if number % 2 else one.work())]
        lines = (json.dumps(record, separators=(",", ":")) + "\n" for record in records)
        (place / f"{one.id}.jsonl").write_text("".join(lines), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
