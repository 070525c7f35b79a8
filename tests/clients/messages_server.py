"""The Messages API on 127.0.0.1, answered from a script: what the tests' clients have for a model.

    with ModelServer([use(bash("ls")), say("done")]) as model:
        ...
    assert "hook additional context" in model.text_of(model.requests[1])

A request is answered by the queue whose marker occurs in its first message (a sub-agent's prompt, or one of two sessions),
else by the script. A request without tools (a title, a classifier) is answered on the side, and so is a summary for a
compaction; neither uses up the script.
"""

from __future__ import annotations

import json
import threading
import uuid
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from tests.clients.steps import Answer, Request, Step, say

END_OF_SCRIPT = "(the script has ended)"
COMPACTION = "create a detailed summary of the conversation"
"""What a client asks for when it compacts; the request looks like any other but for its last message."""


class ModelServer:
    def __init__(
        self,
        script: Iterable[Answer] = (),
        *,
        queues: Mapping[str, Iterable[Answer]] | None = None,
        without_tools: Iterable[Answer] = (),
        summaries: Iterable[Answer] = (),
    ) -> None:
        self.requests: list[Request] = []
        """Every request for an answer, in order of arrival."""
        self.unexpected: list[str] = []
        """Requests for anything else: none are known, so a test may insist on an empty list."""
        self.overrun = 0
        """How many requests came after the end of their queue."""
        self.closing = threading.Event()
        self._script = deque(script)
        self._queues = {marker: deque(answers) for marker, answers in (queues or {}).items()}
        self._without_tools = deque(without_tools)
        self._summaries = deque(summaries)
        self._lock = threading.Lock()
        self._http = _Http(self)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), name="model server")
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}"

    def script(self, *answers: Answer, marker: str | None = None) -> None:
        """Go on with these, in the queue of a marker or in the common one."""
        with self._lock:
            queue = self._script if marker is None else self._queues.setdefault(marker, deque())
            queue.extend(answers)

    def summary(self, text: str) -> None:
        """Answer the next compaction with this."""
        with self._lock:
            self._summaries.append(say(f"<summary>{text}</summary>"))

    @property
    def left(self) -> int:
        """How many answers of the script were not asked for."""
        with self._lock:
            return len(self._script) + sum(map(len, self._queues.values()))

    def text_of(self, request: Request) -> str:
        """All text that the model is given in this request, in order, without the descriptions of tools."""
        return "\n".join(_pieces(request))

    def news_of(self, request: Request) -> str:
        """The part of it that the request before in the same conversation did not have.

        What is injected once is sent again with every later request; this tells with which one it came.
        """
        at = next(place for place, other in enumerate(self.requests) if other is request)
        before = [other for other in self.requests[:at] if _opening(other) == _opening(request)]
        known = Counter(_pieces(before[-1])) if before else Counter[str]()
        new = []
        for piece in _pieces(request):
            known[piece] -= 1
            if known[piece] < 0:
                new.append(piece)
        return "\n".join(new)

    def close(self) -> None:
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def answer(self, request: Request) -> Step:
        """The next step for this request; called by the threads that serve."""
        with self._lock:
            self.requests.append(request)
            found = self._next(request)
        return found if isinstance(found, Step) else found(request)

    def _next(self, request: Request) -> Answer:
        if COMPACTION in _last_words(request):
            return self._summaries.popleft() if self._summaries else say("<summary>The work so far.</summary>")
        if not request.get("tools"):
            return self._without_tools.popleft() if self._without_tools else say("A title")
        opening = _opening(request)
        queue = next((queue for marker, queue in self._queues.items() if marker in opening), self._script)
        if queue:
            return queue.popleft()
        self.overrun += 1
        return say(END_OF_SCRIPT)


def _opening(request: Request) -> str:
    return "\n".join(_texts(request["messages"][0]["content"])) if request.get("messages") else ""


def _last_words(request: Request) -> str:
    for message in reversed(request.get("messages", [])):
        if message["role"] == "user":
            return "\n".join(_texts(message["content"]))
    return ""


def _pieces(request: Request) -> list[str]:
    pieces = list(_texts(request.get("system", "")))
    for message in request.get("messages", []):
        pieces.extend(_texts(message["content"]))
    return pieces


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


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, model: ModelServer) -> None:
        self.model = model
        super().__init__(("127.0.0.1", 0), _Handler)


class _Handler(BaseHTTPRequestHandler):
    server: _Http
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # two small writes and a delayed acknowledgement are 40 ms for each answer
    wbufsize = 65536

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        if self.path.split("?")[0] != "/v1/messages":
            return self._refuse()
        request: Request = json.loads(body)
        step = self.server.model.answer(request)
        self.server.model.closing.wait(step.delay)
        try:
            self._send(request, step, len(body) // 4)
        except ConnectionError:  # the client was stopped meanwhile
            self.close_connection = True
        return None

    def do_GET(self) -> None:
        self._refuse()

    do_HEAD = do_GET

    def _refuse(self) -> None:
        self.server.model.unexpected.append(f"{self.command} {self.path}")
        self._json(404, _error("not_found_error", "not served here"))

    def _send(self, request: Request, step: Step, tokens: int) -> None:
        if step.status is not None:
            return self._json(step.status, _error("api_error", step.text or ""))
        message = _message(request, step, tokens)
        if not request.get("stream"):
            return self._json(200, message)
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True
        for event in _events(message):
            self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())
        return self.wfile.flush()

    def _json(self, status: int, answer: dict[str, Any]) -> None:
        body = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()


def _error(kind: str, message: str) -> dict[str, Any]:
    return {"type": "error", "error": {"type": kind, "message": message}}


def _message(request: Request, step: Step, tokens: int) -> dict[str, Any]:
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


def _events(message: dict[str, Any]) -> Iterator[dict[str, Any]]:
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
