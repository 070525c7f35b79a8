"""How often a reminder would come in real sessions: transcripts their prompts by whoever typed them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from hardwon.clients.claude_code.transcript import read
from hardwon.event import EventType
from hardwon.text.speech import reminding

DONE = (EventType.TURN_ENDED, EventType.TOOL_FINISHED, EventType.TOOL_FAILED)


def play(transcripts: Sequence[Path]) -> tuple[Counter[str], list[str]]:
    """Of sessions in which somebody typed: how many are reminded, how often; and each prompt that is, for a reader."""
    count: Counter[str] = Counter()
    reminded: list[str] = []
    for path in transcripts:
        events, _ = read(path)
        found: list[str] = []
        typed, acted, refused = 0, False, False
        before: list[str] = []
        for event in events:
            if event.agent:
                continue
            if event.type is EventType.PROMPT_SUBMITTED and event.origin != "program":
                typed += 1
                turn = reminding.Turn(event.text, acted, refused, before[-reminding.LOOKED_AT :])
                if len(found) < reminding.MOST and reminding.reminds(turn):
                    found.append(event.text)
                before.append(event.text[: reminding.LONGEST])
                refused = False
            elif event.type is EventType.CALL_ANSWERED:
                refused = refused or event.origin == "refused"
            elif event.type in DONE:
                acted = True
        count["sessions"] += bool(typed)
        count["prompts"] += typed
        count["sessions with a reminder"] += bool(found)
        count["reminders"] += len(found)
        reminded += [f"{path.name[:8]}: {' '.join(text.split())[:300]}" for text in found]
    return count, reminded
