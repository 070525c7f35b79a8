"""Chat completions on 127.0.0.1, answered from a script: a model for the clients that speak OpenAI's older protocol.

The script is that of `messages_server`, and so is what is answered on the side: a request without tools is for a title
or a summary.
"""

from __future__ import annotations

import itertools
import json
import threading
from collections import deque
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from tests.live.steps import Answer, Request, Step, say

END_OF_SCRIPT = "(the script has ended)"
SUMMARY = "The work so far."
TOKENS = 100


class ChatServer:
    def __init__(self) -> None:
        self.requests: list[Request] = []
        """Every request with tools, in order of arrival."""
        self.aside: list[Request] = []
        """The others: for titles and summaries."""
        self._script: deque[Answer] = deque()
        self._queues: dict[str, deque[Answer]] = {}
        self._lock = threading.Lock()
        self._calls = itertools.count()
        self._http = _Http(self)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), name="chat server")
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    def script(self, *answers: Answer, marker: str | None = None) -> None:
        """Go on with these, in the queue of a marker in the first prompt or in the common one."""
        with self._lock:
            queue = self._script if marker is None else self._queues.setdefault(marker, deque())
            queue.extend(answers)

    def answer(self, request: Request) -> Step:
        with self._lock:
            if not request.get("tools"):
                self.aside.append(request)
                return say(SUMMARY if "summar" in json.dumps(request["messages"]) else "A title")
            self.requests.append(request)
            found = self._next(request)
        return found if isinstance(found, Step) else found(request)

    def _next(self, request: Request) -> Answer:
        opening = next((text(one) for one in request["messages"] if one["role"] == "user"), "")
        queue = next((queue for marker, queue in self._queues.items() if marker in opening), self._script)
        return queue.popleft() if queue else say(END_OF_SCRIPT)

    def call_id(self) -> str:
        return f"call_{next(self._calls)}"

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def text(message: dict[str, Any]) -> str:
    """All of a message's text."""
    content = message.get("content") or ""
    return content if isinstance(content, str) else "\n".join(part.get("text", "") for part in content)


def said(request: Request) -> str:
    """All that the model is given to read in it, without the descriptions of tools."""
    return "\n".join(map(text, request["messages"]))


def goes_on(earlier: Request, later: Request) -> bool:
    """Whether it begins with all of the earlier one, byte for byte: only then a provider's cache serves it."""
    kept = ("tools", "model")
    before, after = (json.dumps(one["messages"])[:-1] for one in (earlier, later))
    return after.startswith(before) and all(earlier.get(name) == later.get(name) for name in kept)


class _Http(ThreadingHTTPServer):
    daemon_threads = True

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

    def do_POST(self) -> None:
        request: Request = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)))
        step = self.server.model.answer(request)
        try:
            self._send(step)
        except ConnectionError:  # the client was stopped meanwhile
            self.close_connection = True

    def _send(self, step: Step) -> None:
        self.send_response(step.status or 200)
        self.send_header("content-type", "application/json" if step.status else "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True
        if step.status:
            self.wfile.write(json.dumps({"error": {"message": step.text, "type": "scripted"}}).encode())
        else:
            for chunk in self._chunks(step):
                self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
            self.wfile.write(b"data: [DONE]\n\n")
        self.wfile.flush()

    def _chunks(self, step: Step) -> Iterator[dict[str, Any]]:
        yield _chunk({"role": "assistant", "content": step.text or ""})
        for number, call in enumerate(step.calls):
            function = {"name": call.tool, "arguments": json.dumps(call.input)}
            id = call.id or self.server.model.call_id()
            yield _chunk({"tool_calls": [{"index": number, "id": id, "type": "function", "function": function}]})
        yield _chunk({}, "tool_calls" if step.calls else "stop")
        used = step.tokens or TOKENS
        yield {
            **_chunk({}),
            "choices": [],
            "usage": {"prompt_tokens": used, "completion_tokens": 1, "total_tokens": used + 1},
        }


def _chunk(delta: dict[str, Any], reason: str | None = None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": reason}
    return {"id": "chat", "object": "chat.completion.chunk", "created": 0, "model": "scripted", "choices": [choice]}
