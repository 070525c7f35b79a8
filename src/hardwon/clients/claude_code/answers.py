"""What a person at Claude Code's terminal said, and how it is known that it was them.

A refused call comes back as an error with a sentence of the client's and the person's words behind it. Anybody can
write such a sentence: a hook, an SDK's host, an MCP server. So the person's word is only what the client marks as
theirs in the transcript, in a session at a terminal (recorded from 2.1.325, tests/clients/claude_code/answers.jsonl).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from hardwon.event import BETWEEN

AT_TERMINAL = frozenset({"cli", "claude-vscode", "claude-jetbrains", "claude-desktop", ""})
"""Entry points where a person sits; older clients name none. An SDK's is none of them."""
_REFUSED = re.compile(
    r"(?:Error: )?(?:The user doesn't want to (?:proceed with this tool use|take this action right now)"
    r"|Permission for this tool use was denied)\."
)
_SAID = re.compile(r"\b(?:the user said|The user said|The user provided the following reason for the rejection):\s*")
_APPENDED = re.compile(r"\n\s*Note: The user's next message may contain a correction or preference\..*\Z", re.DOTALL)
_MACHINES = ("The user wants to clarify these questions.", "[Request interrupted")
"""Words of the client where a person's stand otherwise."""


def origin_of(record: Mapping[str, Any]) -> str:
    """Who wrote a prompt: a person who typed it, or a program; empty where an older client does not say."""
    source, origin, entry = record.get("promptSource"), record.get("turnOrigin"), record.get("entrypoint")
    if source is None and origin is None:
        return "program" if entry is not None and entry not in AT_TERMINAL else ""
    typed = source in ("typed", "queued", None) and origin in ("human", None) and (entry or "") in AT_TERMINAL
    return "typed" if typed else "program"


def about(tool: str, given: Mapping[str, Any]) -> str:
    """What a person was asked, where the call names nothing else: a plan by its first lines, the questions."""
    if tool == "ExitPlanMode":
        lines = (line.strip(" #*-") for line in str(given.get("plan") or "").splitlines())
        return " / ".join([line for line in lines if line][:3])
    questions = given.get("questions") if tool == "AskUserQuestion" else None
    asked = [one.get("question") for one in questions if isinstance(one, dict)] if isinstance(questions, list) else []
    return BETWEEN.join(" ".join(str(one or "").split()) for one in asked)


def to_call(record: Mapping[str, Any], block: Mapping[str, Any]) -> tuple[str, str]:
    """What a person answered when the client asked about a call, and their words; empty when nobody was asked."""
    if block.get("is_error"):
        return _refusal(record, block)
    decision = record.get("permissionDecision")
    asked = isinstance(decision, dict) and str(decision.get("source", "")).startswith("user_")
    if not asked or (record.get("entrypoint") or "") not in AT_TERMINAL:
        return "", ""
    result = record.get("toolUseResult")
    if isinstance(result, dict) and isinstance(result.get("answers"), dict):
        return "chosen", _in_order(result)
    words = "\n".join(_typed_beside(record))
    return ("approved", words) if words else ("", "")


def _in_order(result: Mapping[str, Any]) -> str:
    """An answer on each line, as the questions stand."""
    answers, questions = result["answers"], result.get("questions")
    names = [str(one.get("question")) for one in questions if isinstance(one, dict)] if questions else []
    found = [answers.get(name, "") for name in names] if set(answers) <= set(names) else answers.values()
    return BETWEEN.join(" ".join(str(answer).split()) for answer in found)


def _refusal(record: Mapping[str, Any], block: Mapping[str, Any]) -> tuple[str, str]:
    said = block.get("content")
    text = said if isinstance(said, str) else _texts(said)
    opening = _REFUSED.match(text)
    if record.get("toolDenialKind") == "user-rejected" and (record.get("entrypoint") or "") in AT_TERMINAL:
        given = record.get("userFeedback")
        return "refused", _words(given if isinstance(given, str) else _behind(text) if opening else "")
    if opening is None or "toolDenialKind" in record or not _is_older(record):
        return "", ""
    return "hearsay", _words(_behind(text))


def _is_older(record: Mapping[str, Any]) -> bool:
    """From a client that marked nothing, at a terminal as far as it says."""
    return (
        "permissionDecision" not in record
        and "promptSource" not in record
        and ((record.get("entrypoint") or "") in AT_TERMINAL)
    )


def _behind(text: str) -> str:
    said = _SAID.search(text, 0, 400)
    return text[said.end() :] if said else ""


def _words(text: str) -> str:
    bare = _APPENDED.sub("", text).strip()
    return "" if bare.startswith(_MACHINES) else bare


def _typed_beside(record: Mapping[str, Any]) -> list[str]:
    """A word with which a call was let pass stands as a text beside its result."""
    content = (record.get("message") or {}).get("content")
    blocks = content if isinstance(content, list) else []
    texts = [str(block.get("text", "")) for block in blocks if block.get("type") == "text"]
    return [text for text in texts if text.strip() and not text.lstrip().startswith(("<", *_MACHINES))]


def _texts(content: object) -> str:
    blocks = content if isinstance(content, list) else []
    return "\n".join(str(block.get("text", "")) for block in blocks if isinstance(block, dict))
