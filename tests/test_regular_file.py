"""Files that somebody else made are read when they are regular files; nothing else is waited for."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from hardwon.regular_file import regular

READ = """
import sys
from pathlib import Path
path = Path(sys.argv[1])
try:
    print({reader})
except Exception as error:
    print(type(error).__name__)
"""

READERS = {
    "a client's settings": "__import__('hardwon.clients.installing.files', fromlist='_').read(path)",
    "a transcript": "list(__import__('hardwon.clients.log_lines', fromlist='_').lines(path))",
    "the head of a log": "__import__('hardwon.clients.past_sessions', fromlist='_').of_file(path)",
    "a trajectory": "__import__('hardwon.clients.swe_agent.transcript', fromlist='_').steps_of(path)",
    "git's files": "__import__('hardwon.git', fromlist='_')._read(path)",
    "a skill": "__import__('hardwon.memories.skill_file', fromlist='_').read(str(path))",
    "a skill's name": "__import__('hardwon.clients.skills', fromlist='_')._own_name(str(path), 0, 0)",
    "a database to import": "__import__('hardwon.store.foreign.magic_context', fromlist='_')._copy(path, path)",
    "starter lessons": "__import__('hardwon.cli.verbs.starters', fromlist='_')._problems(path)",
}


@pytest.mark.parametrize("reader", READERS.values(), ids=READERS)
def test_nobody_waits_at_a_pipe(tmp_path: Path, reader: str) -> None:
    """Whoever reads it, and also when it became one after it was looked at."""
    os.mkfifo(tmp_path / "pipe")
    command = [sys.executable, "-c", READ.format(reader=reader), str(tmp_path / "pipe")]
    subprocess.run(command, check=True, capture_output=True, timeout=20)


def test_only_regular_files_are_opened(tmp_path: Path) -> None:
    """Through links, too; everything else is an error that says what is wrong."""
    file = tmp_path / "file"
    file.write_text("text")
    (tmp_path / "link").symlink_to(file)
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "tty").symlink_to("/dev/ptmx")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "socket"))
    for name in ("file", "link"):
        with open(tmp_path / name, opener=regular) as opened:
            assert opened.read() == "text"
    for name in ("pipe", "tty", "socket"):
        with pytest.raises(OSError, match="not a regular file"):
            regular(str(tmp_path / name), os.O_RDONLY)
    with pytest.raises(IsADirectoryError):
        regular(str(tmp_path), os.O_RDONLY)
    with pytest.raises(FileNotFoundError):
        regular(str(tmp_path / "nothing"), os.O_RDONLY)


def test_a_file_that_becomes_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    """Between the look and the opening somebody changes it, again and again."""
    name, over = tmp_path / "name", threading.Event()
    name.write_text("text")

    def change() -> None:
        while not over.is_set():
            os.mkfifo(tmp_path / "pipe")
            (tmp_path / "pipe").replace(name)
            (tmp_path / "file").write_text("text")
            (tmp_path / "file").replace(name)

    changing = threading.Thread(target=change)
    changing.start()
    before = len(os.listdir("/proc/self/fd"))
    read = set()
    for _ in range(2_000):
        try:
            with open(name, opener=regular) as opened:
                read.add(opened.read())
        except OSError as error:
            read.add(error.strerror or "")
    over.set()
    changing.join()
    assert read <= {"text", "it is not a regular file"}
    assert len(os.listdir("/proc/self/fd")) <= before
