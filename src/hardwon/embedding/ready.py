"""The model that this process has loaded, if any.

A query never waits for a model: while there is none, it is noted that one is wanted, and whoever loads models (the
daemon's background job) is told. Loading takes a third of a second and some 60 MB, so nobody does it in passing.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from hardwon.settings.keys import Vectors as Wanted

if TYPE_CHECKING:
    from hardwon.embedding.model import Model


class Ready:
    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._loaded: tuple[Wanted, Model] | None = None
        self._tell: Callable[[], None] | None = None

    def model(self, wanted: Wanted) -> Model | None:
        """The loaded model, when it is the one that these settings name."""
        with self._guard:
            return self._loaded[1] if self._loaded and self._loaded[0] == wanted else None

    def put(self, wanted: Wanted, model: Model) -> None:
        with self._guard:
            self._loaded = (wanted, model)

    def drop(self) -> None:
        with self._guard:
            self._loaded = None

    def when_wanted(self, tell: Callable[[], None] | None) -> None:
        """Who is to be told that a query would have liked a model."""
        self._tell = tell

    def want(self) -> None:
        if self._tell:
            self._tell()


READY = Ready()
