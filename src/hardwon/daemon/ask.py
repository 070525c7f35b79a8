"""Asking the running daemon something, from the command line or from a newer daemon."""

from __future__ import annotations

import json
import os
import socket
from pathlib import Path
from typing import Any

from hardwon import __version__
from hardwon.paths import Home, home, is_private


def ask(root: str, question: str, seconds: float = 2.0) -> dict[str, Any] | None:
    """Its answer; None when no daemon answers in time."""
    place: Home = home({**os.environ, "HARDWON_HOME": root})
    return ask_socket(place.socket, question, seconds)


def ask_socket(path: Path, question: str, seconds: float = 2.0) -> dict[str, Any] | None:
    if not is_private(path):
        return None
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(seconds)
        try:
            connection.connect(str(path))
            connection.sendall(f"1 {__version__} control {question} 0\n".encode())
            connection.shutdown(socket.SHUT_WR)
            reply = b"".join(iter(lambda: connection.recv(65536), b""))
        except OSError:
            return None
    try:
        answer: dict[str, Any] = json.loads(reply)
    except ValueError:
        return None
    return answer
