"""The background job: vectors by and by, after the replies, and nothing of it in a daemon that does not need it."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from hardwon.embedding import onnx_file, packaged
from hardwon.memories.search.batch import embed_missing
from hardwon.store.tables import vectors
from tests.daemon.running import Daemon, resident, until
from tests.daemon.session import Session
from tests.recall.models import Made, laid_out, real
from tests.support import note

LIBRARIES = ("numpy", "onnxruntime", "tokenizers")
ON = {"HARDWON_VECTORS_MODEL": "packaged"}


def libraries(pid: int) -> set[str]:
    """Which of them a process has loaded, by what it has mapped."""
    mapped = Path(f"/proc/{pid}/maps").read_text()
    return {name for name in LIBRARIES if f"/{name}/" in mapped}


def job(daemon: Daemon) -> dict[str, Any]:
    found: dict[str, Any] = (daemon.status() or {}).get("vectors", {})
    return found


def remember(daemon: Daemon, *texts: str) -> None:
    with daemon.store(write=True) as store:
        for text in texts:
            note(store, text)


def missing(daemon: Daemon) -> int:
    with daemon.store() as store:
        return vectors.count_missing(store, packaged.NAME)


def test_nothing_is_loaded_at_the_start(daemon: Daemon) -> None:
    """Not for an idle daemon, and not after a message when there is nothing to embed."""
    daemon.environment = ON
    pid = daemon.start()
    assert libraries(pid) == set()
    Session(daemon).send("SessionStart-startup")
    time.sleep(2.0)
    assert libraries(pid) == set()
    assert job(daemon)["state"] == "idle"


def test_what_is_missing_is_embedded_after_the_replies(daemon: Daemon) -> None:
    """The first message wakes it; its status tells how far it is; what comes later is embedded later."""
    daemon.environment = ON
    remember(daemon, *(f"lesson number {number} about something" for number in range(20)))
    pid = daemon.start()
    assert missing(daemon) == 20
    session = Session(daemon)
    session.send("SessionStart-startup")
    until(lambda: missing(daemon) == 0, "all were embedded", 60)
    until(lambda: job(daemon)["state"] == "ready", "it was ready")
    assert job(daemon) == {"state": "ready", "model": packaged.NAME, "embedded": 20, "missing": 0}
    assert libraries(pid) == {"numpy", "tokenizers"}, "the packaged model needs no runtime"
    assert resident(pid) < 150_000_000
    remember(daemon, "one more lesson")
    session.send("SessionStart-startup")
    until(lambda: missing(daemon) == 0, "the new one was embedded", 60)
    assert daemon.log == ""


def test_former_vectors_go_also_where_nothing_is_left_to_make(daemon: Daemon) -> None:
    """Whoever made all anew was ended before it let go of the old ones."""
    daemon.environment = ON
    with daemon.store(write=True) as store:
        note(store, "a lesson")
        embed_missing(store, real())
        embed_missing(store, Made(packaged.FORMER[0]))
        assert len(vectors.held(store)) == 2
    pid = daemon.start()
    Session(daemon).send("SessionStart-startup")

    def kept() -> list[str]:
        with daemon.store() as store:
            return [one.model for one in vectors.held(store)]

    until(lambda: kept() == [packaged.NAME], "the former ones went")
    assert libraries(pid) == set()


def test_switched_off_it_does_nothing(daemon: Daemon) -> None:
    """Neither loads nor embeds, and the next start finds everything still missing."""
    daemon.environment = {"HARDWON_VECTORS_MODEL": "off"}
    remember(daemon, "a lesson")
    pid = daemon.start()
    Session(daemon).send("SessionStart-startup")
    time.sleep(2.0)
    assert libraries(pid) == set()
    assert missing(daemon) == 1


def test_a_model_that_is_not_there_is_said_once(daemon: Daemon, tmp_path: Path) -> None:
    """In the log and in the status; replies go on."""
    daemon.environment = {"HARDWON_VECTORS_MODEL": str(tmp_path / "nowhere")}
    remember(daemon, "a lesson")
    daemon.start()
    session = Session(daemon)
    session.send("SessionStart-startup")
    until(lambda: job(daemon)["state"] == "failed", "it failed")
    assert "which has no model.onnx" in job(daemon)["problem"]
    session.send("SessionStart-startup")
    time.sleep(1.5)
    assert daemon.log.count("which has no model.onnx") == 1


def test_a_model_that_was_mended_is_used(daemon: Daemon, tmp_path: Path) -> None:
    """Without a restart: while it is broken the status says why, and afterwards that it is ready."""
    folder = laid_out(tmp_path / "mini")
    file = folder / "model.onnx"
    whole = file.read_bytes()
    file.write_bytes(whole[:1_000_000])
    daemon.environment = {"HARDWON_VECTORS_MODEL": str(folder)}
    remember(daemon, "a lesson")
    daemon.start()
    Session(daemon).send("SessionStart-startup")
    until(lambda: job(daemon)["state"] == "failed", "it failed")
    assert "can't be run as an ONNX model" in job(daemon)["problem"]
    file.write_bytes(whole)
    until(lambda: job(daemon)["state"] == "ready", "it was tried again", 60)
    assert job(daemon) == {"state": "ready", "model": onnx_file.name(folder), "embedded": 1, "missing": 0}


def test_a_model_that_broke_is_not_named_once_another_is_chosen(daemon: Daemon, tmp_path: Path) -> None:
    """Nor when vectors are switched off."""
    remember(daemon, "a lesson")
    with daemon.store(write=True) as store:
        embed_missing(store, real())
    daemon.home.settings.write_text(f'[vectors]\nmodel = "{tmp_path / "nowhere"}"\n')
    daemon.environment = {"HARDWON_VECTORS_MODEL": ""}
    daemon.start()
    session = Session(daemon)
    session.send("SessionStart-startup")
    until(lambda: job(daemon)["state"] == "failed", "it failed")
    for model in ("packaged", "off"):
        daemon.home.settings.write_text(f'[vectors]\nmodel = "{model}"\n')
        session.send("SessionStart-startup")
        until(lambda: job(daemon)["state"] in ("idle", "ready") and "problem" not in job(daemon), f"{model} was taken")


def test_it_leaves_with_the_daemon(daemon: Daemon) -> None:
    """In the middle of the work: what was made stays, and the daemon is gone in time."""
    daemon.environment = ON
    remember(daemon, *(f"lesson {number} " + "with many words " * 30 for number in range(100)))
    daemon.start()
    Session(daemon).send("SessionStart-startup")
    until(lambda: job(daemon)["embedded"] > 0, "it has begun", 60)
    began = time.monotonic()
    daemon.leave()
    assert time.monotonic() - began < 10
    assert 0 < missing(daemon) < 100


@pytest.mark.parametrize("module", ["hardwon.daemon.server", "hardwon.hook.client", "hardwon.cli.app"])
def test_no_start_pays_for_vectors(module: str) -> None:
    """Neither numpy nor the model's libraries, nor what a server would be asked with."""
    heavy = {*LIBRARIES, "urllib.request", "http.client", "hardwon.embedding.endpoint"}
    code = f"import sys, {module}; print(*sorted({heavy!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
