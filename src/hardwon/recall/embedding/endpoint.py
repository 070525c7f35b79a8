"""A server with OpenAI's `/embeddings`: Ollama, llama.cpp, vLLM on this machine, or somebody's in the network.

Off unless `vectors.model` says "endpoint". Every text is redacted again by today's rules before it leaves: a question
is what somebody typed just now. The key is read from the variable that `vectors.key_variable` names, and kept nowhere.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from hardwon.recall.embedding.model import NoModel
from hardwon.settings.keys import Vectors as Wanted

if TYPE_CHECKING:
    from hardwon.recall.embedding.model import Vectors

MOST_BYTES = 50_000_000


class NotAnswered(NoModel):
    """The server did not answer, or not with vectors; another time it may."""


class _NoRedirect(HTTPRedirectHandler):
    """A redirect could carry the texts to a place that nobody named."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


class EndpointModel:
    def __init__(self, wanted: Wanted, environ: Mapping[str, str], redact: Callable[[str], str]) -> None:
        self._url = wanted.url.rstrip("/") + "/embeddings"
        self._model, self._dimensions = wanted.endpoint_model, wanted.dimensions
        self._key = _key(wanted, environ)
        self._redact = redact
        self.name = name(wanted)
        self.dims = int(self.embed(["one"]).shape[1])

    def understands(self, text: str) -> bool:
        return bool(text.strip())

    def embed(self, texts: Sequence[str], seconds: float = 60.0) -> Vectors:
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
        lengths = numpy.linalg.norm(found, axis=1, keepdims=True)
        unit: Vectors = found / numpy.maximum(lengths, 1e-12)
        return unit

    def _ask(self, asked: dict[str, object], seconds: float) -> bytes:
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {self._key}"} if self._key else {})
        request = Request(self._url, json.dumps(asked).encode(), headers, method="POST")
        try:
            with build_opener(_NoRedirect).open(request, timeout=seconds) as answer:
                body: bytes = answer.read(MOST_BYTES + 1)
        except HTTPError as error:
            with error:
                raise NotAnswered(f"{self._url} answered {error.code} {error.reason}.") from None
        except (URLError, OSError) as error:
            reason = error.reason if isinstance(error, URLError) else error
            raise NotAnswered(f"{self._url} did not answer ({reason}).") from None
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


def name(wanted: Wanted) -> str:
    size = f"/{wanted.dimensions}" if wanted.dimensions else ""
    return f"{wanted.endpoint_model}@{urlsplit(wanted.url).netloc}{size}"


def load(wanted: Wanted, environ: Mapping[str, str], redact: Callable[[str], str]) -> EndpointModel:
    if not wanted.url or not wanted.endpoint_model:
        raise NoModel(
            'vectors.model is "endpoint", but vectors.url or vectors.endpoint_model is empty: set them, for example '
            "`hardwon config set vectors.url http://127.0.0.1:11434/v1`."
        )
    return EndpointModel(wanted, environ, redact)


def _key(wanted: Wanted, environ: Mapping[str, str]) -> str:
    if not wanted.key_variable:
        return ""
    key = environ.get(wanted.key_variable, "")
    if not key or not key.isprintable():
        raise NoModel(
            f"vectors.key_variable names {wanted.key_variable}, which is not set: export it before the start."
        )
    return key
