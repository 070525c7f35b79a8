"""Chat completions on 127.0.0.1, answered from a script: the model of clients that speak OpenAI's protocol.

    with ChatServer([use(tool("bash", command="ls")), say("done")]) as model:
        ...
    assert "hook additional context" in model.text_of(model.requests[1])

A request without tools (a title, the summary of a compaction) is answered on the side and does not use up the script;
so is one whose first prompt holds the marker of a queue, by that queue.
"""

from __future__ import annotations

import itertools
import json
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from tests.live.steps import Answer, Request, Step, say

END_OF_SCRIPT = "(the script has ended)"
MODEL = "scripted"


class ChatServer:
    def __init__(self, script: Iterable[Answer] = ()) -> None:
        self.requests: list[Request] = []
        """Every request that the script or a queue answered, in order of arrival."""
        self.beside: list[Request] = []
        """Those that were answered on the side."""
        self.overrun = 0
        """How many requests came after the end of the script."""
        self.prompt_tokens = 100
        """What a request is said to have had: many provoke a compaction."""
        self.closing = threading.Event()
        self._script = deque(script)
        self._queues: dict[str, deque[Answer]] = {}
        self._beside: deque[Answer] = deque()
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()
        self._http = _Http(self)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), name="chat server")
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    def script(self, *answers: Answer, marker: str | None = None) -> None:
        """Go on with these, in the queue of a marker or in the common one."""
        with self._lock:
            (self._script if marker is None else self._queues.setdefault(marker, deque())).extend(answers)

    def summary(self, *texts: str) -> None:
        """Answer the next requests without tools with these."""
        with self._lock:
            self._beside.extend(map(say, texts))

    @property
    def left(self) -> int:
        """How many answers of the script were not asked for."""
        with self._lock:
            return len(self._script) + sum(map(len, self._queues.values()))

    def text_of(self, request: Request) -> str:
        """All that the model is given in this request, in order, without the descriptions of tools."""
        return "\n".join(_words(message) for message in request["messages"])

    def close(self) -> None:
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def answer(self, request: Request) -> tuple[int, Step]:
        """The next step for this request, and its number; called by the threads that serve."""
        with self._lock:
            number, found = next(self._numbers), self._next(request)
        return number, found if isinstance(found, Step) else found(request)

    def _next(self, request: Request) -> Answer:
        if not request.get("tools"):
            self.beside.append(request)
            return self._beside.popleft() if self._beside else say("A title, or a summary")
        self.requests.append(request)
        opening = next((_words(one) for one in request["messages"] if one["role"] == "user"), "")
        queue = next((queue for marker, queue in self._queues.items() if marker in opening), self._script)
        if queue:
            return queue.popleft()
        self.overrun += 1
        return say(END_OF_SCRIPT)


def _words(message: dict[str, Any]) -> str:
    content = message.get("content") or ""
    blocks = [{"text": content}] if isinstance(content, str) else content
    calls = [json.dumps(call["function"], ensure_ascii=False) for call in message.get("tool_calls") or ()]
    return "\n".join([*(str(block.get("text", "")) for block in blocks), *calls])


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, model: ChatServer) -> None:
        self.model = model
        super().__init__(("127.0.0.1", 0), _Handler)


class _Handler(BaseHTTPRequestHandler):
    server: _Http
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = 65536

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_GET(self) -> None:
        self._json(200, {"object": "list", "data": [{"id": MODEL, "object": "model"}]})

    def do_POST(self) -> None:
        request: Request = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)))
        number, step = self.server.model.answer(request)
        self.server.model.closing.wait(step.delay)
        try:
            self._send(request, number, step)
        except ConnectionError:  # the client was stopped meanwhile
            self.close_connection = True

    def _send(self, request: Request, number: int, step: Step) -> None:
        if step.status is not None:
            return self._json(step.status, {"error": {"message": step.text or "", "type": "scripted"}})
        base = {"id": f"chatcmpl-{number}", "created": 0, "model": MODEL}
        usage = {"prompt_tokens": self.server.model.prompt_tokens, "completion_tokens": 10}
        usage["total_tokens"] = sum(usage.values())
        reason = "tool_calls" if step.calls else "stop"
        if not request.get("stream"):
            message = {"role": "assistant", "content": step.text, "tool_calls": list(_calls(step, number))}
            choice = {"index": 0, "message": message, "finish_reason": reason}
            return self._json(200, base | {"object": "chat.completion", "choices": [choice], "usage": usage})
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True
        for delta in [{"role": "assistant", "content": step.text or ""}, {"tool_calls": list(_calls(step, number))}]:
            self._event(base | {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
        self._event(base | {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
        self._event(base | {"choices": [], "usage": usage})
        self.wfile.write(b"data: [DONE]\n\n")
        return self.wfile.flush()

    def _event(self, chunk: dict[str, Any]) -> None:
        self.wfile.write(b"data: " + json.dumps({"object": "chat.completion.chunk", **chunk}).encode() + b"\n\n")

    def _json(self, status: int, answer: dict[str, Any]) -> None:
        body = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()


def _calls(step: Step, number: int) -> Iterator[dict[str, Any]]:
    for place, call in enumerate(step.calls):
        function = {"name": call.tool, "arguments": json.dumps(call.input)}
        yield {"index": place, "id": call.id or f"call_{number}_{place}", "type": "function", "function": function}
