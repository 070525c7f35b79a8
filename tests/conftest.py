from __future__ import annotations

import os
import random
import signal
from pathlib import Path

import pytest

import tests.properties  # noqa: F401 - before any test with examples is read
from hardwon.store import strict
from tests.commandline import Cli

# They assert for the tests: what a failure there shows is as detailed as in a test.
pytest.register_assert_rewrite("tests.hook.runs", "tests.daemon.health", "tests.daemon.running")

# What a border lets pass is an error here, also in the processes that tests start.
os.environ[strict.STRICT] = "1"

# Whoever starts the tests with `nohup`, or in the background of a script, has these signals ignored, and every process
# inherits that: a terminal that closes would end nobody. A handler that does nothing is not inherited.
for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, lambda *_: None)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--shuffle", type=int, metavar="SEED", help="run the tests in another order, the same for a seed")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """No test leans on what another one left."""
    if (seed := config.getoption("shuffle")) is not None:
        random.Random(seed).shuffle(items)


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    """The command line with an empty home, run in a project folder called app."""
    folder = tmp_path / "app"
    folder.mkdir()
    return Cli(tmp_path / "home", folder)
