"""The Messages API on 127.0.0.1, answered from a script: what the tests' clients have for a model.

    with ModelServer([use(bash("ls")), say("done")]) as model:
        ...
    assert "hook additional context" in model.text_of(model.requests[1])

A request is answered by the queue whose marker occurs in its first message (the prompt of a sub-agent, or of one of two
sessions), else by the script. A request without tools (a title, a classifier) is answered on the side, and so is one
for the summary of a compaction; neither uses up the script.
"""

from __future__ import annotations

import json
import threading
from collections import Counter, deque
from collections.abc import Iterable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from tests.live.messages import error, events_of, last_words, message_of, opening, pieces
from tests.live.steps import Answer, Request, Step, say

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
        return "\n".join(pieces(request))

    def news_of(self, request: Request) -> str:
        """The part of it that the request before in the same conversation did not have.

        What is injected once is sent again with every later request; this tells with which one it came.
        """
        at = next(place for place, other in enumerate(self.requests) if other is request)
        before = [other for other in self.requests[:at] if opening(other) == opening(request)]
        known = Counter(pieces(before[-1])) if before else Counter[str]()
        new = []
        for piece in pieces(request):
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
        if COMPACTION in last_words(request):
            return self._summaries.popleft() if self._summaries else say("<summary>The work so far.</summary>")
        if not request.get("tools"):
            return self._without_tools.popleft() if self._without_tools else say("A title")
        start = opening(request)
        queue = next((queue for marker, queue in self._queues.items() if marker in start), self._script)
        if queue:
            return queue.popleft()
        self.overrun += 1
        return say(END_OF_SCRIPT)


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

    do_HEAD = do_GET  # noqa: N815

    def _refuse(self) -> None:
        self.server.model.unexpected.append(f"{self.command} {self.path}")
        self._json(404, error("not_found_error", "not served here"))

    def _send(self, request: Request, step: Step, tokens: int) -> None:
        if step.status is not None:
            return self._json(step.status, error("api_error", step.text or ""))
        message = message_of(request, step, tokens)
        if not request.get("stream"):
            return self._json(200, message)
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True
        for event in events_of(message):
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
