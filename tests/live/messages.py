"""The shapes of the Messages API: what a request says, and an answer as it is sent."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from typing import Any

from tests.live.steps import Request, Step


def opening(request: Request) -> str:
    return "\n".join(_texts(request["messages"][0]["content"])) if request.get("messages") else ""


def last_words(request: Request) -> str:
    for message in reversed(request.get("messages", [])):
        if message["role"] == "user":
            return "\n".join(_texts(message["content"]))
    return ""


def pieces(request: Request) -> list[str]:
    found = list(_texts(request.get("system", [])))
    for message in request.get("messages", []):
        found.extend(_texts(message["content"]))
    return found


def _texts(content: str | list[dict[str, Any]]) -> Iterator[str]:
    """The texts of a message's content; a block of an unknown type as JSON, so that nothing is overlooked."""
    if isinstance(content, str):
        yield content
        return
    for block in content:
        match block["type"]:
            case "text":
                yield block["text"]
            case "thinking":
                yield block["thinking"]
            case "tool_use":
                yield json.dumps(block["input"], ensure_ascii=False)
            case "tool_result":
                yield from _texts(block.get("content", ""))
            case _:
                yield json.dumps(block, ensure_ascii=False)


def error(kind: str, message: str) -> dict[str, Any]:
    return {"type": "error", "error": {"type": kind, "message": message}}


def message_of(request: Request, step: Step, tokens: int) -> dict[str, Any]:
    return {
        "id": "msg_" + uuid.uuid4().hex[:22],
        "type": "message",
        "role": "assistant",
        "model": request.get("model", "scripted"),
        "content": list(_blocks(step)),
        "stop_reason": "tool_use" if step.calls else "end_turn",
        "stop_sequence": None,
        "usage": {
            "input_tokens": tokens,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
            "output_tokens": 25,
        },
    }


def _blocks(step: Step) -> Iterator[dict[str, Any]]:
    if step.thinking is not None:
        yield {"type": "thinking", "thinking": step.thinking, "signature": "sig"}
    if step.text is not None:
        yield {"type": "text", "text": step.text}
    for call in step.calls:
        id = call.id or "toolu_" + uuid.uuid4().hex[:22]
        yield {"type": "tool_use", "id": id, "name": call.tool, "input": call.input}


def events_of(message: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The same message as it is streamed."""
    yield {"type": "message_start", "message": {**message, "content": [], "stop_reason": None}}
    for index, block in enumerate(message["content"]):
        empty, deltas = _streamed(block)
        yield {"type": "content_block_start", "index": index, "content_block": empty}
        for delta in deltas:
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    ended = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": ended, "usage": {"output_tokens": 25}}
    yield {"type": "message_stop"}


def _streamed(block: dict[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A block as it begins, and what fills it."""
    match block["type"]:
        case "text":
            return {**block, "text": ""}, [{"type": "text_delta", "text": block["text"]}]
        case "thinking":
            thought = {"type": "thinking_delta", "thinking": block["thinking"]}
            return {**block, "thinking": "", "signature": ""}, [
                thought,
                {"type": "signature_delta", "signature": "sig"},
            ]
        case _:
            return {**block, "input": {}}, [{"type": "input_json_delta", "partial_json": json.dumps(block["input"])}]
