from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.daemon.running import Daemon, place


@pytest.fixture
def daemon() -> Iterator[Daemon]:
    """A home of its own and a project, and no daemon yet; at the end no process of it may be left."""
    with place() as one:
        yield one
