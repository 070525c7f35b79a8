"""The Responses API on 127.0.0.1, answered from a script: what the tests' Codex has for a model.

    with ResponsesServer() as model:
        model.script(use(shell("ls")), say("done"))
    assert "lesson" in model.text_of(model.requests[1])

A request is answered by the queue whose marker occurs in what a user said in it (the task of a sub-agent), else by the
script.
"""

from __future__ import annotations

import itertools
import json
import threading
from collections import deque
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from tests.live.steps import Answer, Call, Request, Step, say

END_OF_SCRIPT = "(the script has ended)"
WINDOW = 1_000
"""Tokens that a request is said to have, unless a test says otherwise."""


def shell(command: str) -> Call:
    return Call("exec_command", {"cmd": command})


def patch(text: str) -> Call:
    return Call("apply_patch", {"input": text})


class ResponsesServer:
    def __init__(self) -> None:
        self.requests: list[Request] = []
        """Every request for an answer, in order of arrival."""
        self.unexpected: list[str] = []
        self.tokens = WINDOW
        """What the next answers say of the length of the conversation: the client compacts by that."""
        self.overrun = 0
        self.closing = threading.Event()
        self._ids = itertools.count(1)
        self._script: deque[Answer] = deque()
        self._queues: dict[str, deque[Answer]] = {}
        self._lock = threading.Lock()
        self._http = _Http(self)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), name="responses server")
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    def script(self, *answers: Answer, marker: str | None = None) -> None:
        """Go on with these, in the queue of a marker or in the common one."""
        with self._lock:
            (self._script if marker is None else self._queues.setdefault(marker, deque())).extend(answers)

    @property
    def left(self) -> int:
        with self._lock:
            return len(self._script) + sum(map(len, self._queues.values()))

    def text_of(self, request: Request) -> str:
        """All text that the model is given in this request, in order, without the descriptions of tools."""
        return "\n".join(itertools.chain.from_iterable(map(texts, request["input"])))

    def close(self) -> None:
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def answer(self, request: Request) -> tuple[list[dict[str, Any]], Step]:
        """What is to be sent for this request; called by the threads that serve."""
        with self._lock:
            self.requests.append(request)
            found = self._next(request)
        step = found if isinstance(found, Step) else found(request)
        with self._lock:
            return list(self._items(step)), step

    def _next(self, request: Request) -> Answer:
        said = "\n".join(text for item in request["input"] if item.get("role") == "user" for text in texts(item))
        queue = next((queue for marker, queue in self._queues.items() if marker in said), self._script)
        if queue:
            return queue.popleft()
        self.overrun += 1
        return say(END_OF_SCRIPT)

    def _items(self, step: Step) -> Iterator[dict[str, Any]]:
        if step.text is not None:
            content = [{"type": "output_text", "text": step.text, "annotations": []}]
            yield {"type": "message", "role": "assistant", "id": f"msg_{next(self._ids)}", "content": content}
        for call in step.calls:
            number = next(self._ids)
            named = {"id": f"fc_{number}", "call_id": call.id or f"call_{number}"}
            if call.tool == "apply_patch":
                kind = {"type": "custom_tool_call", "name": call.tool, "input": call.input["input"]}
                yield kind | named | {"status": "completed"}
                continue
            namespace, _, name = call.tool.rpartition("__")
            where = {"namespace": namespace} if namespace else {}
            yield {"type": "function_call", "name": name, "arguments": json.dumps(call.input)} | named | where


def texts(item: dict[str, Any]) -> Iterator[str]:
    """The texts of one item of the input: a message's, a call's output."""
    for content in (item.get("content"), item.get("output")):
        if isinstance(content, str):
            yield content
        for part in content if isinstance(content, list) else ():
            if isinstance(part, dict) and isinstance(part.get("text"), str):
                yield part["text"]


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, model: ResponsesServer) -> None:
        self.model = model
        super().__init__(("127.0.0.1", 0), _Handler)


class _Handler(BaseHTTPRequestHandler):
    server: _Http
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = 65536

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        if self.path.split("?")[0] != "/v1/responses":
            return self._refuse()
        items, step = self.server.model.answer(json.loads(body))
        self.server.model.closing.wait(step.delay)
        try:
            self._send(items, self.server.model.tokens)
        except ConnectionError:  # the client was stopped meanwhile
            self.close_connection = True
        return None

    def do_GET(self) -> None:
        self._refuse()

    def _refuse(self) -> None:
        self.server.model.unexpected.append(f"{self.command} {self.path}")
        self.send_response(404)
        self.send_header("content-length", "0")
        self.end_headers()

    def _send(self, items: list[dict[str, Any]], tokens: int) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True
        done = [{"type": "response.output_item.done", "output_index": at, "item": one} for at, one in enumerate(items)]
        usage = {"input_tokens": tokens, "output_tokens": 10, "total_tokens": tokens + 10}
        begun: dict[str, Any] = {"type": "response.created", "response": {"id": "resp_1"}}
        ended = {"type": "response.completed", "response": {"id": "resp_1", "output": items, "usage": usage}}
        for event in (begun, *done, ended):
            self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())
        self.wfile.flush()
