"""A server with OpenAI's `/embeddings`: Ollama, llama.cpp, vLLM on this machine, or somebody's in the network.

Off unless `vectors.model` says "endpoint". Every text is redacted again by today's rules before it leaves: a question
is what somebody typed just now. The key is read from the variable that `vectors.key_variable` names, and kept nowhere.
A proxy that the environment names is used as by other programs, but never for this machine itself.
"""

from __future__ import annotations

import contextlib
import functools
import ipaddress
import json
import socket
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TooLate
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError, URLError
from urllib.parse import SplitResult, urlsplit
from urllib.request import (
    HTTPHandler,
    HTTPRedirectHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
    build_opener,
)

from hardwon.embedding.model import NoModel
from hardwon.settings.keys import Vectors as Wanted

if TYPE_CHECKING:
    from hardwon.embedding.model import Vectors

MOST_BYTES = 50_000_000
SECONDS = 60.0
"""For an answer, unless somebody waits for it."""


class NotAnswered(NoModel):
    """The server did not answer, or not with vectors; another time it may."""


class _NoRedirect(HTTPRedirectHandler):
    """A redirect could carry the texts to a place that nobody named."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


class _Connection(HTTPConnection):
    """Tells of its socket, so that whoever gives up can end it: its own time-out begins anew with each byte."""

    def __init__(self, sockets: list[socket.socket], *place: Any, **more: Any) -> None:
        super().__init__(*place, **more)
        self._sockets = sockets

    def connect(self) -> None:
        super().connect()
        self._sockets.append(self.sock)


class _SafeConnection(_Connection, HTTPSConnection):
    """The same over TLS."""


class _Handler(HTTPHandler, HTTPSHandler):
    def __init__(self, sockets: list[socket.socket]) -> None:
        super().__init__()
        self._sockets = sockets

    def http_open(self, req: Request) -> HTTPResponse:
        return self.do_open(functools.partial(_Connection, self._sockets), req)

    def https_open(self, req: Request) -> HTTPResponse:
        return self.do_open(functools.partial(_SafeConnection, self._sockets), req)


class EndpointModel:
    def __init__(
        self, wanted: Wanted, environ: Mapping[str, str], redact: Callable[[str], str], seconds: float = SECONDS
    ) -> None:
        self._url = wanted.url.rstrip("/") + "/embeddings"
        self._model, self._dimensions = wanted.endpoint_model, wanted.dimensions
        self._key = _key(wanted, environ)
        self._redact = redact
        self.name = name(wanted)
        self._is_here = _is_here(wanted.url)
        self.dims = 0
        self.dims = int(self.embed(["one"], seconds).shape[1])

    def understands(self, text: str) -> bool:
        return bool(text.strip())

    def embed(self, texts: Sequence[str], seconds: float = SECONDS) -> Vectors:
        import numpy

        asked: dict[str, object] = {"model": self._model, "input": [self._redact(text) or " " for text in texts]}
        if self._dimensions:
            asked["dimensions"] = self._dimensions
        rows = self._read(self._ask(asked, seconds), len(texts))
        try:
            found = numpy.array(rows, dtype=numpy.float32)
        except (ValueError, TypeError):
            found = numpy.zeros(0, dtype=numpy.float32)
        if found.ndim != 2 or not found.size or not numpy.isfinite(found).all():
            raise NotAnswered(f"{self._url} answered with something else than vectors of one length.")
        if self.dims and found.shape[1] != self.dims:
            raise NotAnswered(
                f"{self.name} answered with vectors of {found.shape[1]} numbers, and had {self.dims} when it was "
                "loaded; none was kept. If there is another model now, `hardwon daemon stop`: all are made anew."
            )
        lengths = numpy.linalg.norm(found, axis=1, keepdims=True)
        unit: Vectors = found / numpy.maximum(lengths, 1e-12)
        return unit

    def _ask(self, asked: dict[str, object], seconds: float) -> bytes:
        """The answer within these seconds in all, from the name of the server to the last byte."""
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {self._key}"} if self._key else {})
        request = Request(self._url, json.dumps(asked).encode(), headers, method="POST")
        answered: Future[bytes] = Future()
        sockets: list[socket.socket] = []
        work = (answered, _opener(sockets, through_proxy=not self._is_here), request, seconds)
        threading.Thread(target=_exchange, args=work, name="endpoint", daemon=True).start()
        try:
            body = answered.result(seconds)
        except HTTPError as error:
            with error:
                raise NotAnswered(f"{self._url} answered {error.code} {error.reason}.") from None
        except TooLate:
            for one in sockets:
                with contextlib.suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)
            raise NotAnswered(f"{self._url} did not answer within {seconds:g} s.") from None
        except (URLError, OSError) as error:
            reason = error.reason if isinstance(error, URLError) else error
            raise NotAnswered(f"{self._url} did not answer ({reason}).") from None
        except (HTTPException, ValueError) as error:
            raise NotAnswered(f"{self._url} did not answer as a web server does ({error!r:.200}).") from None
        if len(body) > MOST_BYTES:
            raise NotAnswered(f"{self._url} answered with more than {MOST_BYTES:,} bytes.")
        return body

    def _read(self, body: bytes, count: int) -> list[Any]:
        """The vectors in the order of the texts: a server may answer in another."""
        try:
            data = sorted(json.loads(body)["data"], key=lambda one: one["index"])
            found = [one["embedding"] for one in data]
        except (ValueError, KeyError, TypeError):
            found = []
        if len(found) != count:
            raise NotAnswered(f"{self._url} answered with {len(found)} vectors for {count} texts.")
        return found


def _exchange(answered: Future[bytes], opener: OpenerDirector, request: Request, seconds: float) -> None:
    try:
        with opener.open(request, timeout=seconds) as answer:
            answered.set_result(answer.read(MOST_BYTES + 1))
    except (OSError, HTTPException, ValueError) as error:  # raised where it is asked for
        answered.set_exception(error)


def _opener(sockets: list[socket.socket], *, through_proxy: bool) -> OpenerDirector:
    direct = () if through_proxy else (ProxyHandler({}),)
    return build_opener(_NoRedirect, _Handler(sockets), *direct)


def _is_here(url: str) -> bool:
    """Whether this address is the machine's own."""
    host = _place(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def name(wanted: Wanted) -> str:
    size = f"/{wanted.dimensions}" if wanted.dimensions else ""
    return f"{wanted.endpoint_model}@{_place(wanted.url).netloc}{size}"


def _place(url: str) -> SplitResult:
    """The parts of an address; one that was written into the file by hand need not be one."""
    try:
        parts = urlsplit(url)
        _ = parts.port  # read only now, and refused if it is no number
    except ValueError as error:
        raise NoModel(
            f'vectors.url is "{url}", which is no address ({error}): set it anew, for example '
            "`hardwon config set vectors.url http://127.0.0.1:11434/v1`."
        ) from None
    return parts


def load(
    wanted: Wanted, environ: Mapping[str, str], redact: Callable[[str], str], seconds: float = SECONDS
) -> EndpointModel:
    """NotAnswered when the server has not shown within these seconds how long its vectors are."""
    if not wanted.url or not wanted.endpoint_model:
        raise NoModel(
            'vectors.model is "endpoint", but vectors.url or vectors.endpoint_model is empty: set them, for example '
            "`hardwon config set vectors.url http://127.0.0.1:11434/v1`."
        )
    return EndpointModel(wanted, environ, redact, seconds)


def _key(wanted: Wanted, environ: Mapping[str, str]) -> str:
    if not wanted.key_variable:
        return ""
    key = environ.get(wanted.key_variable, "")
    if not key or not key.isprintable():
        raise NoModel(
            f"vectors.key_variable names {wanted.key_variable}, which is not set: export it before the start."
        )
    return key
