"""The background job that gives memories their vectors, and then the passages of past conversations theirs.

It runs in a thread of its own, after replies and between them: a few texts, then a pause as long as the work took,
so that half a core is the most it ever has. Nothing is imported, no thread started and no model loaded before the first
message has been answered and there is something to embed or a question that wants a model. Without the extra, or with
`vectors.model = "off"`, it does nothing at all.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hardwon.paths import Home
from hardwon.settings import Settings
from hardwon.store.connection import Store, open_store
from hardwon.store.errors import StoreError
from hardwon.store.maintenance import incidents

if TYPE_CHECKING:
    from hardwon.embedding.model import Model
    from hardwon.settings.keys import Vectors as Wanted

QUIET = 1.0
"""Seconds after a message before it looks: most of what a turn leaves behind comes at once."""
SHORTEST_PAUSE = 0.05
GIVE_WAY = 2.0
"""Seconds that it waits at most for replies and learning before it takes a step all the same."""
AGAIN = 60.0
"""Seconds after which a server that did not answer is asked again."""
REPAIRED = 300.0
"""Seconds after which a model that could not be loaded is tried again; at once when its files have changed."""


def _files(model: str) -> object:
    """When the files of a model in a folder were changed, and how long they are."""
    found = []
    for name in ("model.onnx", "tokenizer.json"):
        with contextlib.suppress(OSError):
            known = (Path(model).expanduser() / name).stat()
            found.append((name, known.st_mtime_ns, known.st_ino, known.st_size))
    return found


@dataclass(slots=True)
class Progress:
    state: str = "idle"
    """idle, not installed, loading, embedding, ready, or failed."""
    model: str = ""
    embedded: int = 0
    """Memories and passages since the start of the daemon."""
    missing: int = 0
    problem: str = ""


class Embedder:
    """`nudge` returns at once; `stop` ends the thread after the batch it is at."""

    def __init__(
        self,
        home: Home,
        settings: Settings,
        is_busy: Callable[[], bool] = lambda: False,
        is_gone: Callable[[], bool] = lambda: False,
    ) -> None:
        self.home = home
        self.settings = settings
        self.progress = Progress()
        self._is_busy = is_busy
        self._is_gone = is_gone
        """Whether the home was removed or replaced: then nothing is written."""
        self._wake = threading.Event()
        self._wanted = False
        self._leaving = threading.Event()
        self._thread: threading.Thread | None = None
        self._refused: tuple[Wanted, object] | None = None
        """With which settings and which files there was no model to be had; tried again when they change."""
        self._refused_at = 0.0

    def nudge(self) -> None:
        """Something was kept, or a question wanted a model."""
        if self.settings.vectors.model == "off" or self._is_refused():
            return
        self._wake.set()
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="embed", daemon=True)
            self._thread.start()

    def want(self) -> None:
        """A question would have liked a model: it is loaded although nothing may be left to embed."""
        self._wanted = True
        self.nudge()

    def _is_refused(self) -> bool:
        """Nothing has changed since it was tried in vain, and that was just now."""
        if self._refused is None or time.monotonic() - self._refused_at > REPAIRED:
            return False
        return self._refused == (self.settings.vectors, _files(self.settings.vectors.model))

    def _refuse(self, wanted: Wanted, files: object) -> None:
        self._refused, self._refused_at = (wanted, files), time.monotonic()

    def stop(self, seconds: float = 2.0) -> None:
        self._leaving.set()
        self._wake.set()
        if self._thread:
            self._thread.join(seconds)

    def status(self) -> dict[str, Any]:
        if self._refused and not self._is_refused():  # whoever asks wants to know whether a repair has helped
            self.nudge()
        now = self.progress if self.settings.vectors.model != "off" else Progress()
        found = {"state": now.state, "model": now.model, "embedded": now.embedded, "missing": now.missing}
        return found | ({"problem": now.problem} if now.problem else {})

    def _run(self) -> None:
        from hardwon.embedding.ready import READY

        READY.when_wanted(self.want)
        while True:
            self._wake.wait()
            self._pause(QUIET)
            if self._leaving.is_set():
                return
            self._wake.clear()
            try:
                self._work()
            except Exception as error:  # noqa: BLE001  the host boundary: recorded for doctor, the thread lives on
                self._failed(f"{type(error).__name__}: {error}")

    def _work(self) -> None:
        if self._is_gone():
            return
        from hardwon.embedding import choose
        from hardwon.embedding.model import NoModel

        wanted = self.settings.vectors
        files = _files(wanted.model)  # looked at before they are read: a change in between is tried again
        if choose.lacking(wanted):
            self._refuse(wanted, files)
            self.progress.state, self.progress.problem = "not installed", ""
            return
        self._refused = None
        try:
            with open_store(self.home, self.settings, make=False) as store:
                self._embed(store)
        except StoreError as error:
            self._failed(str(error))
        except NoModel as error:
            from hardwon.embedding.endpoint import NotAnswered
            from hardwon.embedding.ready import READY

            self._failed(str(error))
            if isinstance(error, NotAnswered):
                self._pause(AGAIN)
            else:
                READY.drop()  # it may have been loaded: what is tried next time is what stands there then
                self._refuse(wanted, files)

    def _embed(self, store: Store) -> None:
        """Everything that is missing, newest first; the model is loaded when there is something, or somebody asked."""
        from hardwon.conversations import passage_vectors
        from hardwon.embedding import choose
        from hardwon.memories.search.batch import embed_missing, let_go_of_former
        from hardwon.memories.search.vectors import warm
        from hardwon.store.tables import passage_vectors as passages
        from hardwon.store.tables import vectors

        model = self._loaded(store)
        if model is None:
            let_go_of_former(store, choose.name(store.settings.vectors))  # whoever made all anew may have been ended
            self.progress.state, self.progress.problem = "idle", ""
            return
        self.progress.missing = vectors.count_missing(store, model.name) + passages.count_missing(store, model.name)
        while not self._leaving.is_set():
            if self.settings is not store.settings:  # they have changed: begin again with what they say now
                self._wake.set()
                return
            began = time.monotonic()
            done = embed_missing(store, model) or passage_vectors.embed_missing(store, model)
            if not done:
                break
            self.progress.state = "embedding"
            self.progress.embedded += done
            self.progress.missing = max(0, self.progress.missing - done)
            self._give_way(max(SHORTEST_PAUSE, time.monotonic() - began))
        if not self._leaving.is_set():
            let_go_of_former(store, model.name)
        warm(store, model.name)
        choose.give_back()
        self.progress.state, self.progress.missing, self.progress.problem = "ready", 0, ""

    def _loaded(self, store: Store) -> Model | None:
        """The model that the settings name, loaded if need be. Questions get it when its vectors can be searched."""
        from hardwon.embedding import choose
        from hardwon.embedding.ready import READY
        from hardwon.memories.search.vectors import warm
        from hardwon.store.tables import passage_vectors, vectors

        wanted = store.settings.vectors
        if known := READY.model(wanted):
            return known
        name = choose.name(wanted)
        if not (self._wanted or vectors.missing(store, name, 1) or passage_vectors.missing(store, name, 1)):
            return None
        self.progress.state = "loading"
        model = choose.load(wanted, store.redactor.text)
        vectors.remove_misfits(store, model.name, model.dims)
        warm(store, model.name)
        READY.put(wanted, model)
        self.progress.model = model.name
        return model

    def _failed(self, problem: str) -> None:
        if problem != self.progress.problem and not self._is_gone():
            incidents.record(self.home, self.settings, f"vectors: {problem}")
        self.progress.state, self.progress.problem = "failed", problem

    def _give_way(self, seconds: float) -> None:
        self._pause(seconds)
        until = time.monotonic() + GIVE_WAY
        while self._is_busy() and time.monotonic() < until and not self._leaving.is_set():
            self._pause(SHORTEST_PAUSE)

    def _pause(self, seconds: float) -> None:
        self._leaving.wait(seconds)
