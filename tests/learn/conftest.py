from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hardwon.store import projects
from hardwon.store.connection import Store
from tests.learn.days import Days
from tests.learn.test_derive import AT
from tests.support import opened


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with opened(tmp_path / "home") as one:
        yield one


@pytest.fixture
def project(store: Store, tmp_path: Path) -> str:
    (tmp_path / "app").mkdir()
    return projects.claim(store, str(tmp_path / "app"), AT)[1].id


@pytest.fixture
def days(store: Store, project: str) -> Days:
    return Days(store, project)
