"""The registry of clients."""

from __future__ import annotations

import pytest

from hardwon import clients


def test_each_client_has_what_it_says() -> None:
    """Its modules can be loaded, and are under the name by which it is stored."""
    for client in clients.every():
        assert clients.find(client.name) is client
        assert (client.messages is None) == ("messages" not in client.modules)
        assert (client.logs is None) == ("transcript" not in client.modules)
        assert (client.recipe is None) == ("recipe" not in client.modules)
        assert (client.typed is None) == ("typed" not in client.modules)
        assert bool(client.delivery) == ("messages" in client.modules)


def test_a_package_that_is_not_there_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name too much must not make the others unheard; `doctor` says which it is."""
    known = clients.every()
    monkeypatch.setenv("HARDWON_CLIENTS", "nobody.has.this tests.clients.toy")
    assert [client.name for client in clients.every()] == [*(client.name for client in known), "toy"]
    assert clients.not_there() == ("nobody.has.this",)
