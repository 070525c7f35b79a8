from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.live import claude_code

HERE = Path(__file__).parent


@pytest.mark.parametrize(
    ("ci", "npm", "must"), [("true", "/bin/npm", True), ("true", None, False), ("", "/bin/npm", False)]
)
def test_where_the_client_must_be(monkeypatch: pytest.MonkeyPatch, ci: str, npm: str | None, must: bool) -> None:
    """CI fails without it, unless it can't be installed; elsewhere its tests are skipped with the reason."""
    monkeypatch.setenv("CI", ci)
    monkeypatch.setattr("shutil.which", lambda _: npm)
    monkeypatch.setattr(claude_code, "PACKAGES", Path("/nowhere"))
    assert claude_code.must_be_here() is must
    assert "missing" in (claude_code.client_missing() or "")


def test_the_lock_is_for_every_machine() -> None:
    """The same version for each of them, by its hash, from wherever npm is told to fetch."""
    pinned = json.loads((HERE / "package.json").read_text())["dependencies"]["@anthropic-ai/claude-code"]
    text = (HERE / "package-lock.json").read_text()
    packages = {path.rpartition("/")[2]: package for path, package in json.loads(text)["packages"].items() if path}
    for machine in ("linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"):
        assert packages[f"claude-code-{machine}"]["version"] == pinned
    assert all(package["integrity"].startswith("sha512-") for package in packages.values())
    assert "://" not in text
