"""The exact texts by which a model is asked to mark what a person says, in files for whoever answers them.

Nothing of it goes into the repository: the turns are other people's. What is sent is constant; its hash stands at the
head of each file and belongs to the answers.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hardwon.hook.mcp import INSTRUCTIONS, TOOLS

Turn = dict[str, Any]

_MEMORY = INSTRUCTIONS.partition("\n")[0]
WORDINGS = {
    "product": INSTRUCTIONS,
    "lines": _MEMORY
    + """
When the user states something that outlives this task, call `mark`, beside your next tool call:
- rule: how they want things done ("dude we use pnpm", "stop committing for me", "why is the port written in here?")
- decision: what was chosen, dropped or taken back, also a yes to what you proposed ("toml it is", "back to sqlite")
- constraint: what must hold or can't be ("we have no staging", "legal said no")
- task: what is left for later
Not: what only this change needs, bugs, plain requests, questions about facts, pasted text.""",
    "test": _MEMORY
    + """
After reading each message of the user ask yourself: is there a sentence in it from which the next session, which has
not seen this one, would act differently? A choice, a preference, a prohibition, a fact about the project that can't be
read from its code, something put off. People say it in half a sentence in the middle of a request. If there is one,
`mark` it beside your next tool call. If it is only about the change at hand, a bug or a question, don't.""",
}
"""The one that is sent, and the others that were tried."""

_TASK = """\
You are a coding agent. Everything between the lines of equal signs is what the memory tool hardwon puts into your
context: its server's instructions, and one of its tools. Below are {count} situations, independent of each other:
{where}
Decide for each whether you would call `mark`, and with which arguments, as you would at work. Most turns hold nothing
to mark. Don't be thorough for the sake of this list, and don't look at other items to decide about one.

Answer with one JSON object, ids as keys, the list of your calls as values; `[]` where you would not call it:
{{"0001": [], "0002": [{{"kind": "rule", "text": "…", "quote": "…"}}]}}
`rejected`, `because`, `subject` may be given, too. A quote is copied from the user's message, letter by letter.
Write it to {answers}, and a second file with the ending .by: the name of your model and the date.

Hash of what is sent: {hash}
================ server instructions
{instructions}
================ tool
{tool}
================ situations
"""
_ONE = "each is the end of your last answer and the user's next message; there is nothing else to do."
_DEEP = (
    "each comes as the 15th message in the middle of the task that stands first; you are busy with it, and the next "
    "thing you do is to go on with what the user asks, with your usual tools."
)
_BUSY = """\
[the session so far, the same for all of them]
user: the export job writes duplicate rows since yesterday, find out why
you: Read src/export/job.py; Grep "insert into export" (14 results); Bash "pytest tests/export -q" (2 failed, 31 passed)
you: The upsert lost its conflict clause when the writer was split in two. I would put it back and add a test.
user: yes do that
you: Edit src/export/writer.py; Write tests/export/test_upsert.py; Bash "pytest tests/export -q" (34 passed)
user: what about the retry path
you: Read src/export/retry.py; Edit src/export/retry.py; Bash "pytest tests/export -q" (1 failed): KeyError 'attempt'
user: use get
you: Edit src/export/retry.py; Bash "pytest -q" (212 passed, 3 skipped)
user: show me the diff
you: Bash "git diff --stat" (3 files changed, 61 insertions(+), 9 deletions(-)) …
user: hm why is backoff in there twice
you: Grep "backoff" (9 results); it is read in settings.py and again in job.py; I moved it to settings.py
[eight more messages of this sort; the session then turned to the project that the next message is about]
"""


def written(turns: Sequence[Turn], folder: Path, name: str, sample: int, seed: int) -> list[Path]:
    """A file for each wording, and one in the middle of a task."""
    chosen = sampled(turns, sample, seed)
    files = []
    for wording, instructions in WORDINGS.items():
        files.append(_written(folder / f"{name}_{wording}.md", chosen, instructions, _ONE, ""))
    deep = sampled(turns, min(sample, 80), seed + 1)
    files.append(_written(folder / f"{name}_product_turn15.md", deep, INSTRUCTIONS, _DEEP, _BUSY))
    return files


def sampled(turns: Sequence[Turn], count: int, seed: int) -> list[Turn]:
    """Half of them hold something, as far as there are so many; in an order that tells nothing."""
    chance = random.Random(seed)
    some = [turn for turn in turns if turn.get("labels")]
    none = [turn for turn in turns if not turn.get("labels") and not turn.get("recurs")]
    if len(some) + len(none) > count:
        some = chance.sample(some, min(len(some), count // 2))
        none = chance.sample(none, min(len(none), count - len(some)))
    chosen = [*some, *none]
    chance.shuffle(chosen)
    return chosen


def _written(path: Path, turns: Sequence[Turn], instructions: str, where: str, before: str) -> Path:
    tool = json.dumps(next(one for one in TOOLS if one["name"] == "mark"), indent=1, ensure_ascii=False)
    head = _TASK.format(
        count=len(turns), where=where, answers=path.with_suffix(".answers.json"), instructions=instructions, tool=tool,
        hash=sent_hash(instructions),
    )  # fmt: skip
    path.write_text(head + before + "\n" + "\n".join(map(_shown, turns)), encoding="utf-8")
    return path


def sent_hash(instructions: str) -> str:
    tool = json.dumps(next(one for one in TOOLS if one["name"] == "mark"), sort_keys=True)
    return hashlib.sha256(f"{instructions}\n{tool}".encode()).hexdigest()[:16]


def _shown(turn: Turn) -> str:
    before = str(turn.get("before") or "").strip()
    said = f"\nyou, at the end of your answer: …{before[-600:]}" if before else "\n(the first message of a session)"
    return f"\n#### {turn['id']}{said}\nuser: {turn['text']}\n"
